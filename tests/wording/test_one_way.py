"""Pages, explanations and audits say the same thing in the same way, in each language."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtables import diagnostics
from dtables.answers.engines import compiled_engine
from dtables.answers.run import OnCores
from dtables.audit.audit import Auditor, audit_log
from dtables.audit.misplays import MisplayText
from dtables.audit.page import LanguageView, report_view
from dtables.checker import check_book
from dtables.compilers.python import to_python
from dtables.evaluator import Evaluator
from dtables.explanations.render import render
from dtables.feel.types import (
    BOOLEAN,
    DATE,
    DATE_TIME,
    DAYS_DURATION,
    NULL,
    NUMBER,
    TIME,
    YEARS_DURATION,
    Type,
    VocabularyType,
)
from dtables.feel.values import (
    Date,
    DaysDuration,
    Value,
    YearsDuration,
    as_plain,
    parse_date_time,
    parse_time,
)
from dtables.logs.files import find_log
from dtables.model.expressions import Constant
from dtables.model.tables import Policy, Ruleset
from dtables.pages.compose import print_view
from dtables.pages.document import Block, Grid, Steps, text_of
from dtables.provenance import CellRef, Location
from dtables.wording.expressions import Expressions
from dtables.wording.labels import labels_of
from dtables.wording.phrases import phrases_in
from dtables.wording.values import TEMPORAL, Values
from tests.support.drawing import book_text

BOOK = """
# Sheet: Words
Types: words
name | names
site | river, stone_pit, mill
size | s, l

Glossary: words
kind | id | label it | label en
site | river | il *Fiume* | the *River*
site | mill | Mulino |
term | fee | la tassa | the fee

# Sheet: Rules
Formulas: from when
name | type | is
opened | date | @"2026-06-30"

Decision: season(on: date) -> number ; policy: collect sum
if | then
on | season
>= @"2026-06-30" | 1.5
(@"2026-01-01"..@"2026-06-01"] | 2.5

Dice: storm -> number
die | then
d6 | storm
1 | 0.5
2..6 | 1.5

Ask: turn ; main: yes
role | name | is | text it | text en
answer | fee | -2.5
answer | half | 0.5
answer | large | 1000000
answer | sure | true
answer | unsure | false
answer | water | river
answer | pit | stone_pit
answer | grain | mill
answer | small_one | s
answer | text | "1.5 - 2"
answer | day | @"2026-06-30"
answer | days | [@"2026-06-30", @"2026-07-01"]
answer | hour | @"10:30:00"
answer | moment | @"2026-06-30T09:05:07.5"
answer | wait | @"P2DT1H"
answer | age | @"-P2Y3M"
answer | nobody | null
answer | called | 2.5 | il *prezzo* | the price
answer | weighed | lightest([2.5, 1])

Scale: lightest(candidates: list of number) ; others: last
# | only for | prefer | by
# | item | |
1 | > 0.5 | lowest | 2.5 - item
2 | | chance |

Decision: toll(place: site, weight: number) -> number ; policy: first ; otherwise: -1
if | if | then
place | weight | toll
mill, river | - | 0.5
- | > 2.5 | 1.5
- | [-2..-1] | 2
- | > abs(-3), 4 | 3

Pages: aid
page | size | language | table
1 | A4 | it, en | turn
1 | A4 | it, en | toll
1 | A4 | it, en | season
1 | A4 | it, en | storm
1 | A4 | it, en | lightest
"""
WANTED = {
    "it": ["Mulino o il Fiume", "> 2,5", "−2–−1", "valore assoluto di −3"],
    "en": ["Mulino (it) or the River", "> 2.5", "−2–−1", "absolute value of −3"],
}
FIELDS = {
    "fee": ("−2,5", "−2.5"),
    "half": ("0,5", "0.5"),
    "large": ("1000000", "1000000"),
    "sure": ("sì", "yes"),
    "unsure": ("no", "no"),
    "water": ("il Fiume", "the River"),
    "pit": ("stone pit", "stone pit"),
    "grain": ("Mulino", "Mulino (it)"),
    "small_one": ("s", "s"),
    "text": ("1.5 - 2", "1.5 - 2"),
    "day": ("30 giugno 2026", "30 June 2026"),
    "days": ("30 giugno 2026 e 1 luglio 2026", "30 June 2026 and 1 July 2026"),
    "hour": ("10:30", "10:30"),
    "moment": ("30 giugno 2026 ore 09:05:07,5", "30 June 2026 at 09:05:07.5"),
    "wait": ("2 giorni e 1 ora", "2 days and 1 hour"),
    "age": ("−(2 anni e 3 mesi)", "−(2 years and 3 months)"),
    "called": ("2,5", "2.5"),
}
LANGUAGES = ("it", "en")
ROWS = {
    "it": [("≥ 30 giugno 2026", "1,5"), ("> 1 gennaio 2026 e ≤ 1 giugno 2026", "2,5")],
    "en": [("≥ 30 June 2026", "1.5"), ("> 1 January 2026 and ≤ 1 June 2026", "2.5")],
}


@pytest.fixture(scope="module")
def model() -> Ruleset:
    book, _ = book_text(BOOK)
    checked, found = check_book(book)
    assert checked is not None, diagnostics.render(found)
    return checked


def printed(model: Ruleset, language: str) -> dict[str, str]:
    """By the field's name on the page."""
    bodies = [block.body for block in blocks(model, language)]
    rows = [text_of(row.text) for body in bodies if isinstance(body, Steps) for row in body.rows]
    return dict(text.split(": ", 1) for text in rows if ": " in text)  # type: ignore[misc]


def blocks(model: Ruleset, language: str) -> list[Block]:
    view, _ = print_view(model, language)
    return [block for sheet in view.sheets for block in sheet.blocks]


def explained(model: Ruleset, language: str) -> dict[str, str]:
    lines = render(Evaluator(model).explain("turn", {}), language).splitlines()[2:]
    told = (line.rpartition(" [")[0].split(": ", 1) for line in lines if line and line[0] != " ")
    return {name: value for name, value in told if value}


def audited(model: Ruleset, language: str, folder: Path) -> tuple[MisplayText, LanguageView]:
    """Everything was played otherwise than the rules say."""
    log = folder / "log.jsonl"
    played = {"fee": 1, "half": 1, "large": 1, "sure": False, "unsure": True, "water": "mill", "pit": "mill"}
    played |= {"grain": "river", "small_one": "l", "text": "2", "day": "2026-01-01", "days": []}
    played |= {"hour": "00:00:00", "moment": "2026-01-01T00:00:00", "wait": "P1D", "age": "P1M", "called": 1}
    log.write_text(json.dumps({"turn": 1, "state": {}, "played": played}))
    engine = compiled_engine(model, to_python(model)[0])
    audit = audit_log(Auditor(engine, model), find_log(log), OnCores(1))
    views = report_view(audit, model, "log", language).languages
    return audit.misplays[0].texts[language], next(view for view in views if view.code == language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_values(model: Ruleset, language: str, tmp_path: Path) -> None:
    page, why = printed(model, language), explained(model, language)
    misplay, _ = audited(model, language, tmp_path)
    audit = {move.field: move.right for move in misplay.moves}
    named = {"fee": ("la tassa", "the fee"), "called": ("il prezzo", "the price")}
    for field, texts in FIELDS.items():
        place = LANGUAGES.index(language)
        name = named[field][place] if field in named else field.replace("_", " ")
        expected = texts[place]
        listed = expected.replace(" e ", ", ").replace(" and ", ", ") if field == "days" else expected
        assert page[name[0].upper() + name[1:]] == listed, field
        assert (why[name], audit[name]) == (expected, expected), field


@pytest.mark.parametrize("language", LANGUAGES)
def test_rows_without_wording(model: Ruleset, language: str, tmp_path: Path) -> None:
    """A page prints their cells; an explanation quotes their conditions, an audit what they give."""
    grids = json.dumps([*texts(blocks(model, language)), *printed(model, language)], ensure_ascii=False)
    evaluator = Evaluator(model)
    cold = render(evaluator.explain_table("season", {"on": "2026-01-01"}), language)
    warm = render(evaluator.explain_table("season", {"on": "2026-07-01"}), language)
    _, view = audited(model, language, tmp_path)
    labels = [row.label for table in (*view.tables, *view.never) for row in table.rows]
    chosen = render(evaluator.explain_table("lightest", {"candidates": [2.5, 1]}), language)
    for condition, outcome in ROWS[language]:
        assert condition in grids and condition in cold + warm, condition
        assert any(label.endswith(f" {outcome}") for label in labels), outcome
    preference = {"it": "minor 2,5 − esso", "en": "lowest 2.5 − it"}[language]
    assert f"1 {preference}" in labels and preference in chosen
    assert preference[0].upper() + preference[1:] in grids
    assert {"d6 1", "d6 2–6"} <= set(labels)


@pytest.mark.parametrize("language", LANGUAGES)
def test_conditions(model: Ruleset, language: str) -> None:
    """What a cell wants is said where it is printed as where it failed."""
    told = render(Evaluator(model).explain_table("toll", {"place": "stone_pit", "weight": 0}), language)
    page = json.dumps(texts(blocks(model, language)), ensure_ascii=False)
    for wanted in WANTED[language]:
        assert wanted in told, wanted
        assert wanted.replace(" o ", ", ").replace(" or ", ", ") in page, wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_policies(model: Ruleset, language: str) -> None:
    page = page_text(model, language)
    for policy in (Policy.FIRST, Policy.COLLECT_SUM):
        assert phrases_in(language).policy(policy, "") in page, policy


def page_text(model: Ruleset, language: str) -> str:
    view, _ = print_view(model, language)
    return str(view)


VALUES = st.one_of(
    st.none().map(lambda value: (value, NULL)),
    st.booleans().map(lambda value: (value, BOOLEAN)),
    (st.integers() | st.decimals(-(10**9), 10**9, places=3)).map(lambda value: (value, NUMBER)),
    st.dates().map(lambda day: (Date(day.year, day.month, day.day), DATE)),
    st.times().map(lambda time: (parse_time(time.isoformat()), TIME)),
    st.datetimes().map(lambda moment: (parse_date_time(moment.isoformat()), DATE_TIME)),
    st.integers(-(10**18), 10**18).map(lambda nanos: (DaysDuration(nanos), DAYS_DURATION)),
    st.integers(-(10**5), 10**5).map(lambda months: (YearsDuration(months), YEARS_DURATION)),
    st.sampled_from(["river", "stone_pit", "mill"]).map(lambda id: (id, VocabularyType("site", "site"))),
)


@given(VALUES, st.sampled_from([*LANGUAGES, "de", ""]))
def test_every_value_is_said_in_one_way(model: Ruleset, drawn: tuple[Value, Type], language: str) -> None:
    """As a value of an explanation, as one that stands in a cell, as plain data of a log; in no language as
    programs write it."""
    value, type_ = drawn
    labels = labels_of(model, language)
    values, where = Values(labels), Location(CellRef("book.xlsx", "Rules", 1, 1))
    said = values.text(value, type_)
    plain = as_plain(value)
    assert values.text(plain, type_) == said
    if isinstance(value, str):
        return
    assert Expressions(labels).say(Constant(value, type=type_, where=where)) == said
    if language == "" and isinstance(type_, TEMPORAL):
        assert said == plain


def texts(every: list[Block]) -> list[str]:
    """Of all grids and steps."""
    grids = [block.body for block in every if isinstance(block.body, Grid)]
    rows = [row for grid in grids for section in grid.sections for row in section.rows]
    steps = [row for block in every if isinstance(block.body, Steps) for row in block.body.rows]
    inlines = [*(cell.text for row in rows for cell in row.cells), *(row.label for row in rows)]
    inlines += [part for row in steps for part in (*row.conditions, row.text, row.outcome)]
    return [text_of(inline) for inline in inlines]
