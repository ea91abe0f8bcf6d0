"""Pages, explanations and audits say the same thing in the same way, in each language."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dtables import diagnostics
from dtables.answers.engines import compiled_engine
from dtables.answers.run import Manner
from dtables.audit.audit import Auditor, audit_log
from dtables.audit.page import LanguageView, report_view
from dtables.checker import check_book
from dtables.compilers.python import to_python
from dtables.evaluator import Evaluator
from dtables.explanations.render import render
from dtables.logs.files import find_log
from dtables.model.tables import Ruleset
from dtables.pages.compose import print_view
from dtables.pages.document import Block, Grid, Steps, text_of
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
Ask: turn ; main: yes
role | name | is
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
"""
WANTED = {
    "it": ["Mulino o il Fiume", "> 2,5", "−2–−1", "grandezza di −3"],
    "en": ["Mulino (it) or the River", "> 2.5", "−2–−1", "size of −3"],
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
}
LANGUAGES = ("it", "en")


@pytest.fixture(scope="module")
def model() -> Ruleset:
    book, _ = book_text(BOOK)
    checked, found = check_book(book)
    assert checked is not None, diagnostics.render(found)
    return checked


def printed(model: Ruleset, language: str) -> dict[str, str]:
    """By the field's name on the page."""
    view, _ = print_view(model, language)
    blocks: list[Block] = [block for sheet in view.sheets for block in sheet.blocks]
    rows = [row for block in blocks if isinstance(block.body, Steps) for row in block.body.rows]
    return dict(text_of(row.text).split(": ", 1) for row in rows)  # type: ignore[misc]


def explained(model: Ruleset, language: str) -> dict[str, str]:
    lines = render(Evaluator(model).explain("turn", {}), language).splitlines()[2:]
    told = (line.rpartition(" [")[0].split(": ", 1) for line in lines if line and line[0] != " ")
    return {name: value for name, value in told if value}


def audited(model: Ruleset, language: str, folder: Path) -> dict[str, str]:
    """What the rules say where everything was played otherwise."""
    log = folder / "log.jsonl"
    played = {"fee": 1, "half": 1, "large": 1, "sure": False, "unsure": True, "water": "mill", "pit": "mill"}
    played |= {"grain": "river", "small_one": "l", "text": "2"}
    log.write_text(json.dumps({"turn": 1, "state": {}, "played": played}))
    engine = compiled_engine(model, to_python(model)[0])
    audit = audit_log(Auditor(engine, model), find_log(log), Manner(1))
    views = report_view(audit, model, "log", language).languages
    view: LanguageView = next(view for view in views if view.code == language)
    (mismatch,) = view.mismatches
    return {difference.field: difference.answered for difference in mismatch.differences}


@pytest.mark.parametrize("language", LANGUAGES)
def test_values(model: Ruleset, language: str, tmp_path: Path) -> None:
    page, why, audit = (
        printed(model, language),
        explained(model, language),
        audited(model, language, tmp_path),
    )
    for field, texts in FIELDS.items():
        name = {"it": "la tassa", "en": "the fee"}[language] if field == "fee" else field.replace("_", " ")
        wanted = texts[LANGUAGES.index(language)]
        assert page[name[0].upper() + name[1:]] == wanted, field
        assert (why[name], audit[name]) == (wanted, wanted), field


@pytest.mark.parametrize("language", LANGUAGES)
def test_conditions(model: Ruleset, language: str) -> None:
    """What a cell wants is said where it is printed as where it failed."""
    told = render(Evaluator(model).explain_table("toll", {"place": "stone_pit", "weight": 0}), language)
    view, _ = print_view(model, language)
    page = json.dumps(
        [str(text) for sheet in view.sheets for text in texts(sheet.blocks)], ensure_ascii=False
    )
    for wanted in WANTED[language]:
        assert wanted in told, wanted
        assert wanted.replace(" o ", ", ").replace(" or ", ", ") in page, wanted


def texts(blocks: tuple[Block, ...]) -> list[str]:
    """Of all grids."""
    grids = [block.body for block in blocks if isinstance(block.body, Grid)]
    rows = [row for grid in grids for section in grid.sections for row in section.rows]
    return [text_of(cell.text) for row in rows for cell in row.cells]
