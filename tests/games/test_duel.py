"""tables/duel.xlsx against an oracle by hand, the contract's samples and the component data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dtables
from dtables.diagnostics import Severity, render
from dtables.evaluator.trace import Chosen, Step, all_steps
from dtables.findings import RecordError
from dtables.model.tables import Prefer, Scale
from dtables.ruleset import Ruleset, check
from dtables.workbook.dress import dress
from dtables.workbook.tables import BookText
from dtables.workbook.xlsx import read_workbook
from tests.games.duel import facts
from tests.games.duel.asks import ASKS
from tests.games.duel.draws import BadDraw
from tests.games.duel.labels import in_words, labels
from tests.games.duel.narrow import narrow_turn
from tests.games.duel.refused import REFUSED, WITHOUT, without
from tests.games.duel.spoils import SPOILS
from tests.games.duel.state import State
from tests.games.duel.turns import sound_turn

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "tables" / "duel.xlsx"
CONTRACT = ROOT.parent / "shared" / "contracts"

ENGINES = ("compiled", "evaluator")

needs_data = pytest.mark.skipif(
    not facts.AVAILABLE, reason="the component data stand beside the repository and are missing"
)

Answer = Callable[[str | None, Any], dict[str, Any]]


@cache
def rules() -> Ruleset:
    return dtables.load(BOOK)


@cache
def text() -> BookText:
    book, _ = read_workbook(BOOK)
    assert book is not None
    return book


def engine(name: str) -> Answer:
    return rules().answer if name == "compiled" else rules().evaluator.answer


def any_turn(random: Random) -> tuple[str, dict[str, Any]]:
    return narrow_turn(random) if random.random() < 0.8 else sound_turn(random)


def said(answer: dict[str, Any]) -> dict[str, Any]:
    """Null is as if the key were not there."""
    return {key: value for key, value in answer.items() if value is not None}


def expected(ask: str, state: dict[str, Any]) -> dict[str, Any]:
    return said(ASKS[ask](State(state)))


# -- the workbook ------------------------------------------------------------------------------


def test_workbook__checks_without_error_or_warning() -> None:
    loud = [d for d in check(BOOK).diagnostics if d.severity is not Severity.NOTE]
    assert loud == [], render(loud)


def test_workbook__is_dressed(tmp_path: Path) -> None:
    copy, _ = dress(BOOK, tmp_path / BOOK.name)
    again, found = read_workbook(tmp_path / BOOK.name)
    assert found == ()
    assert again == copy == text()


def test_workbook__every_ledger_row_has_its_table() -> None:
    named: set[int] = set()
    for heading in rules().model.headings:
        for source in heading.source:
            ends = [int(n) for n in re.findall(r"D-(\d+)", source)]
            named.update(range(ends[0], ends[-1] + 1) if ends else ())
    assert named == set(range(1, 170))


def test_workbook__every_doubt_has_its_note_and_every_golden_test_its_example() -> None:
    notes = " ".join(p.value.text for t in text().tables for p in t.properties if p.word == "note")
    assert set(re.findall(r"X-D-\d+", notes)) == {f"X-D-{n:02d}" for n in range(1, 47)}
    examples = (t for t in text().tables if t.kind == "examples")
    cells = " ".join(c.typed for t in examples for row in t.rows for c in row.cells)
    assert set(re.findall(r"GD-\d+", cells)) == {f"GD-{n:02d}" for n in range(1, 25)}


def test_workbook__every_table_is_titled_in_both_languages() -> None:
    for table in text().tables:
        languages = [p.language for p in table.properties if p.word == "title"]
        assert sorted(map(str, languages)) == ["en", "it"], table.name


def test_workbook__every_row_that_is_printed_has_words_in_both_languages() -> None:
    for table in text().tables:
        texts = [n for n, column in enumerate(table.columns) if column.role == "text"]
        if table.kind in ("scale", "decision", "checks"):
            assert len(texts) == 2, table.name
            assert all(not row.cells[n].empty for row in table.rows for n in texts), table.name


def test_workbook__names_have_labels_in_both_languages() -> None:
    """Italian names of cards are there only where they are sure."""
    one_language = {"card", "position", "switch", "offering set", "branch"}
    for vocabulary in rules().model.vocabularies:
        if vocabulary.name.split(" ")[0] in one_language or vocabulary.name in one_language:
            continue
        for label in vocabulary.names:
            assert {language for language, _ in label.words} == {"it", "en"}, (vocabulary.name, label.id)


@pytest.mark.parametrize("name", ["type", "mythology"])
def test_workbook__badges_differ_in_more_than_colour(name: str) -> None:
    vocabulary = next(v for v in rules().model.vocabularies if v.name == name)
    badges = [label.badge for label in vocabulary.names]
    assert all(badges)
    for part in ("colour", "shape", "letter"):
        assert len({getattr(badge, part) for badge in badges}) == len(badges)


# -- the component data ------------------------------------------------------------------------


@needs_data
def test_facts__labels_of_cards() -> None:
    cards = next(v for v in rules().model.vocabularies if v.name == "card")
    assert [label.id for label in cards.names] == list(facts.CARDS)
    words = {label.id: dict(label.words) for label in cards.names}
    for row in facts.rows("age_cards"):
        if row["age"] != "3G":
            sure = row["name_it"] and row["name_it_confidence"] in ("high", "medium")
            wanted = {"en": row["name_en"], **({"it": row["name_it"]} if sure else {})}
            assert words[row["card_id"].split("-", 1)[1].replace("-", "_")] == wanted


@needs_data
def test_facts__spellings_of_the_document() -> None:
    """Each of its Italian names is understood, in the kind it names."""
    fields = {
        "card": "card", "wonder": "wonder", "divinity": "god", "gate": "god", "mythology": "mythology",
        "progress token": "progress",
    }  # fmt: skip
    for row in facts.rows("seed_names"):
        wanted = row["data_id"].removeprefix("A1-").removeprefix("A2-").removeprefix("A3-").replace("-", "_")
        field, name = fields[row["kind"]], row["name_in_seed"]
        state = {"level": "base", **({"progress_row": [name]} if field == "progress" else {field: name})}
        assert rules().answer("level", state)["nudge"] == 0, name
        vocabulary = {"god": "pantheon card"}.get(field, field)
        assert meant(vocabulary, name) == [wanted]


def meant(vocabulary: str, spelling: str) -> list[str]:
    from dtables.feel.names import fold

    names = next(v for v in rules().model.vocabularies if v.name == vocabulary).names
    return [
        label.id
        for label in names
        if fold(spelling) in {fold(w) for w in (label.id, *(w for _, w in label.words), *label.spellings)}
    ]


# -- answers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ENGINES)
def test_samples_of_the_contract(name: str) -> None:
    if not CONTRACT.is_dir():
        pytest.skip("the contracts stand beside the repository and are missing")
    records = (CONTRACT / "duel.sample.jsonl").read_text(encoding="utf-8").splitlines()
    answers = (CONTRACT / "duel.sample.expected.jsonl").read_text(encoding="utf-8").splitlines()
    for line, wanted in zip(records, answers, strict=True):
        record = json.loads(line)
        assert said(engine(name)(record.get("ask"), record["state"])) == said(json.loads(wanted)["answer"])
    assert (ROOT / "tables" / "duel.sample.jsonl").read_text(encoding="utf-8").splitlines() == records


@needs_data
@pytest.mark.parametrize(("name", "records"), [("compiled", 3000), ("evaluator", 150)])
def test_turns__answers_are_the_oracles(name: str, records: int) -> None:
    random = Random(30)
    for _ in range(records):
        ask, state = any_turn(random)
        try:
            wanted = expected(ask, state)
        except BadDraw as bad:
            with pytest.raises(RecordError) as found:
                engine(name)(ask, state)
            assert found.value.path == str(bad)
            continue
        assert said(engine(name)(ask, state)) == wanted, (ask, state)


@needs_data
def test_turns__labels_of_either_language_mean_the_same() -> None:
    random, known = Random(33), labels()
    for _ in range(400):
        ask, state = any_turn(random)
        assert rules().answer(ask, in_words(random, state, known)) == rules().answer(ask, state)


@needs_data
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False))
def test_turns__any_turn(random: Random) -> None:
    ask, state = narrow_turn(random)
    assert said(rules().answer(ask, state)) == expected(ask, state)


@needs_data
@pytest.mark.parametrize("spoil", SPOILS, ids=lambda spoil: spoil.__name__.removeprefix("_spoil_"))
def test_turns__what_is_spoilt_is_found_at_its_path(spoil: Callable[..., str | None]) -> None:
    random, found = Random(31), 0
    for _ in range(12):
        ask, state = sound_turn(random)
        try:
            path = spoil(random, state)
        except LookupError:
            continue
        if path is not None:
            found += 1
            with pytest.raises(RecordError) as error:
                rules().answer(ask, state)
            assert path in [finding.path for finding in error.value.findings]
    assert found


@pytest.mark.parametrize("name", ENGINES)
def test_refused__each_at_its_path(name: str) -> None:
    for ask, said_there, path in REFUSED:
        state = {"level": "easy", **said_there} if ask == "level" else said_there
        with pytest.raises(RecordError) as error:
            engine(name)(ask, state)
        assert error.value.path == f"state.{path}", (ask, said_there)


@pytest.mark.parametrize("name", ENGINES)
def test_refused__without_what_an_ask_needs(name: str) -> None:
    for ask, state, needed in WITHOUT:
        engine(name)(ask, state)
        for path in needed:
            with pytest.raises(RecordError) as error:
                engine(name)(ask, without(state, path))
            assert error.value.path == f"state.{path}", (ask, path)


@pytest.mark.parametrize("name", ENGINES)
def test_empty_pools_are_null(name: str) -> None:
    base = {"direction": "SM", "conflict": 0, "age": 2}
    for pool in ("mausoleum", "hades", "messe", "liberty"):
        state = {**base, "pool": pool, "structure": [], "box_cards": []}
        assert said(engine(name)("free_structure", state)) == {}
    assert said(engine(name)("zeus", {**base, "structure": []})) == {}
    assert said(engine(name)("liberty_gift", {**base, "box_cards": []})) == {}
    assert (
        said(engine(name)("progress", {**base, "source": "pair", "solo": {"coins": 0}, "progress_row": []}))
        == {}
    )


# -- every criterion -----------------------------------------------------------------------------

CHOOSING = [
    "turn", "turn", "anubis", "ra", "isis", "baal", "zeus", "neptune", "liberty_gift", "free_structure",
    "remove_resource",
]  # fmt: skip
TELLING = (
    7, 13, 17, 18, 20, 24, 25, 26, 27, 30, 32, 33, 35, 37, 39, 44, 45, 47, 55, 61, 68, 74, 86, 90,
    104, 106, 107, 108, 112, 114, 125, 128, 135, 140, 143, 144, 153, 154, 160, 163, 205, 213, 242,
    256, 328, 387, 413, 424, 428, 462, 478, 561, 618, 1452, 1675, 1871,
)  # fmt: skip
"""Turns that between them need every criterion, found by trying; should they not, more are tried."""
BY_LOT = {Prefer.CHANCE, Prefer.SCALE}


@needs_data
def test_scales__each_criterion_decides_in_some_turn() -> None:
    wanted = {
        (scale.heading.name, criterion.where.row)
        for scale in rules().model.tables
        if isinstance(scale, Scale) and scale.heading.name != "most needed"
        for criterion in scale.criteria
        if criterion.prefer not in BY_LOT
    }
    seen: set[tuple[str, int]] = set()
    for number in (*TELLING, *range(1500)):
        seen.update(separating(rules().evaluator.explain(*numbered(number)).steps))
        if wanted <= seen:
            return
    assert wanted - seen == set()


def numbered(number: int) -> tuple[str, dict[str, Any]]:
    random = Random(number)
    return narrow_turn(random) if number % 3 else sound_turn(random, CHOOSING[number % len(CHOOSING)])


def separating(steps: tuple[Step, ...]) -> Iterator[tuple[str, int]]:
    """The criteria after which fewer were left, however deep in an explanation they stand."""
    for step in all_steps(steps):
        if isinstance(step, Chosen):
            yield from ((row.scale, row.cell.row) for row in step.rows if row.dropped)
