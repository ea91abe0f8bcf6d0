"""tables/architects.xlsx against an oracle by hand, the contract's samples and the component data."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dtables
from dtables.diagnostics import Severity, render
from dtables.findings import RecordError
from dtables.ruleset import Ruleset, check
from dtables.workbook.dress import dress
from dtables.workbook.tables import BookText
from dtables.workbook.xlsx import read_workbook
from tests.games import architects_facts as facts
from tests.games import architects_oracle as oracle
from tests.games import architects_turns as turns

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "tables" / "architects.xlsx"
SHARED = ROOT.parent / "shared"
CONTRACT = SHARED / "contracts"
DATA = SHARED / "data" / "seven_wonders_architects"

ENGINES = ("compiled", "evaluator")
RECORDS = 1200

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


def shared(path: Path) -> Path:
    if not path.exists():
        pytest.skip(f"{path.name} stands beside the repository and is missing")
    return path


def rows_of(name: str) -> list[dict[str, str]]:
    with shared(DATA / name).open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


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
            ends = [int(n) for n in re.findall(r"A-(\d+)", source)]
            named.update(range(ends[0], ends[-1] + 1) if ends else ())
    assert named == set(range(1, 37))


def test_workbook__every_doubt_has_its_note_and_every_golden_test_its_example() -> None:
    notes = " ".join(p.value.text for t in text().tables for p in t.properties if p.word == "note")
    assert set(re.findall(r"X-A-\d+", notes)) == {f"X-A-{n:02d}" for n in range(1, 11)}
    examples = (t for t in text().tables if t.kind == "examples")
    cells = " ".join(c.typed for t in examples for row in t.rows for c in row.cells)
    assert set(re.findall(r"GA-\d+", cells)) == {f"GA-{n:02d}" for n in range(1, 13)}


def test_workbook__names_have_labels_in_both_languages() -> None:
    played = ("card", "wonder", "token", "difficulty", "deck", "cat owner", "colour")
    vocabularies = {v.name: v for v in rules().model.vocabularies}
    for name in played:
        for label in vocabularies[name].names:
            assert {language for language, _ in label.words} == {"it", "en"}, label.id


def test_workbook__colours_have_badges_that_differ_in_more_than_colour() -> None:
    vocabularies = {v.name: v for v in rules().model.vocabularies}
    badges = [label.badge for label in vocabularies["colour"].names]
    assert all(badges)
    for part in ("colour", "shape", "letter"):
        assert len({getattr(badge, part) for badge in badges}) == len(badges)


# -- the component data ------------------------------------------------------------------------


def test_facts__stages() -> None:
    for row in rows_of("wonder_stages.csv"):
        stage = facts.STAGES[row["wonder"].lower()][int(row["stage"]) - 1]
        assert stage == facts.Stage(
            int(row["stage"]),
            int(row["cost_cards"]),
            row["cost_kind"] == "identical",
            row["special_effect"] == "1",
            tuple(int(n) for n in row["stages_needed_before"].split("&") if n),
        )


def test_facts__tokens() -> None:
    for row in rows_of("progress_tokens.csv"):
        value = facts.PRINTED_VALUE.get(row["token"].lower())
        assert row["highest_printed_vp"] == ("" if value is None else str(value))
    for row in rows_of("wonders.csv"):
        listed = row["seed_opponent_start_tokens"].lower().split("|")
        assert facts.START_TOKENS[row["wonder"].lower()] == tuple(listed)


def test_facts__card_kinds_in_their_order() -> None:
    assert tuple(row["kind"] for row in rows_of("card_kinds.csv")) == facts.CARDS
    cards = next(t for t in text().tables if t.kind == "data" and t.name == "card")
    colours = {row.cells[0].typed: row.cells[1].typed for row in cards.rows}
    assert colours == {row["kind"]: row["colour"] for row in rows_of("card_kinds.csv")}


# -- answers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ENGINES)
def test_samples_of_the_contract(name: str) -> None:
    records = shared(CONTRACT / "architects.sample.jsonl").read_text(encoding="utf-8").splitlines()
    expected = (CONTRACT / "architects.sample.expected.jsonl").read_text(encoding="utf-8").splitlines()
    for line, wanted in zip(records, expected, strict=True):
        record = json.loads(line)
        answer = engine(name)(record.get("ask"), record["state"])
        assert json.dumps(answer) == json.dumps(json.loads(wanted)["answer"])


@pytest.mark.parametrize("name", ENGINES)
def test_turns__answers_are_the_oracles(name: str) -> None:
    random = Random(20)
    for _ in range(RECORDS):
        ask, state = turns.good(random)
        assert json.dumps(engine(name)(ask, state)) == json.dumps(oracle.answer(ask, state)), (ask, state)


@pytest.mark.parametrize("name", ENGINES)
def test_turns__what_is_wrong_is_found_at_its_path(name: str) -> None:
    random = Random(21)
    for _ in range(RECORDS):
        ask, state, path = turns.bad(random)
        with pytest.raises(oracle.Rejected) as wanted:
            oracle.answer(ask, state)
        with pytest.raises(RecordError) as found:
            engine(name)(ask, state)
        assert (found.value.path, wanted.value.path) == (path, path), (ask, state)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False))
def test_turns__any_turn(random: Random) -> None:
    ask, state = turns.good(random)
    assert engine("compiled")(ask, state) == oracle.answer(ask, state)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False))
def test_turns__any_bad_turn(random: Random) -> None:
    ask, state, path = turns.bad(random)
    with pytest.raises(RecordError) as found:
        engine("compiled")(ask, state)
    assert found.value.path == path


def test_turns__tell_the_rules_apart() -> None:
    """Random turns reach every priority, every die, every kind of openness."""
    random = Random(22)
    seen: Counter[Any] = Counter()
    for _ in range(RECORDS):
        ask, state = turns.good(random)
        answer = engine("compiled")(ask, state)
        seen[ask, "open", *answer.get("any_of", {})] += 1
        if ask == "turn":
            seen["priority", answer["priority"]] += 1
            seen["die", answer["die"]] += 1
            seen["discard", answer["discard_central"]] += 1
    wanted: set[Any] = {("priority", n) for n in (1, 2, 3, 4, 5, 6, 7, None)}
    wanted |= {("die", kind) for kind in ("tie", "none", None)}
    wanted |= {("discard", value) for value in (True, False, None)}
    wanted |= {("turn", "open", "deck"), ("halicarnassus", "open", "deck"), ("halicarnassus", "open", "card")}
    wanted |= {("start_tokens", "open", "tokens")}
    assert wanted <= set(seen)


@pytest.mark.parametrize("mistake", turns.MISTAKES, ids=lambda mistake: mistake.__name__.strip("_"))
def test_turns__each_mistake_is_rejected_at_its_path(mistake: turns.Mistake) -> None:
    random = Random(23)
    for _ in range(8):
        ask, state, path = mistake(random, *turns.good(random))
        with pytest.raises(RecordError) as found:
            engine("compiled")(ask, state)
        assert found.value.path == path


@pytest.mark.parametrize(
    ("stages", "greys", "contributes", "completes"),
    [
        ([1, 2], {"wood": 1}, 3, None),
        ([1, 2], {"wood": 1, "brick": 1}, 3, 3),
        ([1, 2], {"glass": 1}, None, None),
        ([1, 2, 3, 4, 5], {}, None, None),
    ],
)
def test_grey_switch(
    stages: list[int], greys: dict[str, int], contributes: int | None, completes: int | None
) -> None:
    """A glass card for Giza's third stage, three different greys: two missing, one, already held, built."""
    state = {
        "opponent_wonder": "giza",
        "opponent_stages": stages,
        "opponent_greys": greys,
        "shields_opponent": 0,
        "shields_player": 0,
        "cat_owner": "none",
        "top_player": "glass",
        "top_opponent": "empty",
        "top_central": "empty",
    }
    for value, priority in (("CONTRIBUTES", contributes), ("COMPLETES", completes)):
        answer = rules().answer("turn", state | {"house_rules": {"GREY": value}})
        assert answer["priority"] == priority
