"""tables/terra_mystica.xlsx against an oracle by hand, the contract's samples and the component data."""

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
from dtables.runs.examples import run_examples
from dtables.workbook.dress import dress
from dtables.workbook.tables import BookText
from dtables.workbook.xlsx import read_workbook
from tests.games import terra_mystica_board as board
from tests.games import terra_mystica_facts as facts
from tests.games import terra_mystica_mistakes as mistakes
from tests.games import terra_mystica_oracle as oracle
from tests.games import terra_mystica_turns as turns
from tests.games.reading import Rejected

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "tables" / "terra_mystica.xlsx"
SHARED = ROOT.parent / "shared"
CONTRACT = SHARED / "contracts"
DATA = SHARED / "data" / "terra_mystica"

RECORDS = {"compiled": 3000, "evaluator": 300}

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


def test_workbook__its_own_examples_hold() -> None:
    results = list(run_examples(rules().model, (rules(), rules().evaluator)))
    assert len(results) > 60
    assert [failure for result in results for failure in result.failures] == []


def test_workbook__is_dressed(tmp_path: Path) -> None:
    copy, _ = dress(BOOK, tmp_path / BOOK.name)
    again, found = read_workbook(tmp_path / BOOK.name)
    assert found == ()
    assert again == copy == text()


def test_workbook__every_ledger_row_has_its_table() -> None:
    named: set[int] = set()
    for heading in rules().model.headings:
        for source in heading.source:
            ends = [int(n) for n in re.findall(r"T-(\d+)", source)]
            named.update(range(ends[0], ends[-1] + 1) if ends else ())
    assert named == set(range(1, 49))


def test_workbook__every_doubt_has_its_note_and_every_golden_test_its_example() -> None:
    notes = " ".join(p.value.text for t in text().tables for p in t.properties if p.word == "note")
    assert set(re.findall(r"X-T-\d+", notes)) == {f"X-T-{n:02d}" for n in range(1, 13)}
    examples = (t for t in text().tables if t.kind == "examples")
    cells = " ".join(c.typed for t in examples for row in t.rows for c in row.cells)
    assert set(re.findall(r"GT-\d+", cells)) == {f"GT-{n:02d}" for n in range(1, 14)}


def test_workbook__names_have_labels_in_both_languages() -> None:
    played = ("colour", "race", "scenario", "mode", "third by", "power_action", "cult", "building")
    vocabularies = {v.name: v for v in rules().model.vocabularies}
    for name in (*played, "power_variant", "action", "reason", "pick trouble"):
        for label in vocabularies[name].names:
            assert {language for language, _ in label.words} == {"it", "en"}, label.id


def test_workbook__colours_have_badges_that_differ_in_more_than_colour() -> None:
    vocabularies = {v.name: v for v in rules().model.vocabularies}
    badges = [label.badge for label in vocabularies["colour"].names]
    assert all(badges)
    for part in ("colour", "shape", "letter"):
        assert len({getattr(badge, part) for badge in badges}) == len(badges)


# -- the component data ------------------------------------------------------------------------


def test_facts__board() -> None:
    land = [row for row in rows_of("map_hexes.csv") if row["kind"] == "land"]
    assert {row["hex"]: row["terrain_colour"] for row in land} == board.COLOUR
    for row in rows_of("map_distances.csv"):
        start, end = row["from_hex"], row["to_hex"]
        assert board.steps_from(start)[end] == int(row["hex_distance"])
        assert (end in board.island(start)) == (row["same_island"] == "1")


def test_facts__nearest() -> None:
    for row in rows_of("nearest_by_colour.csv"):
        found = oracle.nearest(row["opponent_colour"], row["own_hex"], ())
        if row["opponent_colour"] != row["own_colour"]:
            assert found == row["placement_by_seed_rule"].split("|"), row


def test_facts__races_and_wheel() -> None:
    for row in rows_of("factions.csv"):
        race = row["faction"].lower().replace(" ", "_")
        colour, steps = facts.RACES[race]
        assert colour == row["home_colour"]
        assert steps == tuple(int(row[f"start_{cult}"]) for cult in facts.CULTS)
        assert oracle.start_dwellings(race) == int(row["starting_dwellings"])
    for row in rows_of("colour_wheel.csv"):
        if row["spades"] in ("1", "2"):
            assert row["to_colour"] in oracle.at_spades(row["from_colour"], int(row["spades"]))


# -- answers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RECORDS)
def test_samples_of_the_contract(name: str) -> None:
    records = shared(CONTRACT / "terra_mystica.sample.jsonl").read_text(encoding="utf-8").splitlines()
    expected = (CONTRACT / "terra_mystica.sample.expected.jsonl").read_text(encoding="utf-8").splitlines()
    for line, wanted in zip(records, expected, strict=True):
        record = json.loads(line)
        answer = engine(name)(record.get("ask"), record["state"])
        assert json.dumps(answer) == json.dumps(json.loads(wanted)["answer"])


@pytest.mark.parametrize(("name", "records"), RECORDS.items())
def test_turns__answers_are_the_oracles(name: str, records: int) -> None:
    random = Random(30)
    for _ in range(records):
        ask, state = turns.good(random)
        assert json.dumps(engine(name)(ask, state)) == json.dumps(oracle.answer(ask, state)), (ask, state)


@pytest.mark.parametrize(("name", "records"), RECORDS.items())
def test_turns__what_is_wrong_is_found_at_its_path(name: str, records: int) -> None:
    random = Random(31)
    for _ in range(records):
        ask, state, path = mistakes.bad(random)
        with pytest.raises(Rejected) as wanted:
            oracle.answer(ask, state)
        with pytest.raises(RecordError) as found:
            engine(name)(ask, state)
        assert (found.value.path, wanted.value.path) == (path, path), (ask, state)


@pytest.mark.parametrize("home", facts.WHEEL)
def test_turns__every_place_for_own_dwellings(home: str) -> None:
    """Each pair of own hexes in both orders: wherever the board ties, both say the same."""
    race = next(race for race, (colour, _) in facts.RACES.items() if colour == home)
    homes = [h for h in board.HEXES if board.COLOUR[h] == home]
    colours = [*oracle.at_spades(home, 1), oracle.at_spades(home, 2)[0]]
    count = oracle.start_dwellings(race)
    for n, first in enumerate(homes):
        own = [*homes[n:], *homes[:n]][:count]
        state = {"own_race": race, "own_dwellings": own, "colours": colours}
        for order in (own, own[::-1]):
            state["own_dwellings"] = order
            assert rules().answer("setup_dwellings", state) == oracle.answer("setup_dwellings", state), first


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False))
def test_turns__any_turn(random: Random) -> None:
    ask, state = turns.good(random)
    assert engine("compiled")(ask, state) == oracle.answer(ask, state)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False))
def test_turns__any_bad_turn(random: Random) -> None:
    ask, state, path = mistakes.bad(random)
    with pytest.raises(RecordError) as found:
        engine("compiled")(ask, state)
    assert found.value.path == path


@pytest.mark.parametrize("mistake", mistakes.MISTAKES, ids=lambda mistake: mistake.__name__.strip("_"))
def test_turns__each_mistake_is_rejected_at_its_path(mistake: mistakes.Mistake) -> None:
    random = Random(33)
    for _ in range(8):
        ask, state, path = mistake(random)
        with pytest.raises(RecordError) as found:
            engine("compiled")(ask, state)
        assert found.value.path == path


# -- the rules are told apart ------------------------------------------------------------------


def test_turns__reach_every_rule() -> None:
    """Random turns give every reason, every prize, every kind of openness."""
    random = Random(32)
    seen: Counter[Any] = Counter()
    for _ in range(RECORDS["compiled"]):
        ask, state = turns.good(random)
        answer = rules().answer(ask, state)
        seen.update((ask, "open", field) for field in answer.get("any_of", {}))
        seen.update(("reason", reason) for reason in answer.get("reasons", ()))
        seen.update(("placement", "any_of" in item) for item in answer.get("placements", ()))
        seen.update((ask, "points", points) for points in _points(answer))
        seen[ask, "legal", answer.get("legal")] += 1
    wanted: set[Any] = {("reason", label.id) for label in _vocabulary("reason").names}
    wanted |= {("network", "points", points) for points in (0, 3, 6, 9, 12, 15, 18)}
    wanted |= {("cult_scores", "points", points) for points in (0, 1, 2, 3, 4, 6, 8)}
    wanted |= {("placement", True), ("placement", False), ("place_opponent", "legal", True)}
    wanted |= {(None, "open", "third"), ("opponents", "open", "third")}
    wanted |= {("blocked_actions", "open", "blocked")}
    assert wanted <= set(seen)


def _points(answer: dict[str, Any]) -> list[int]:
    points = answer.get("points", ())
    return list(points.values()) if isinstance(points, dict) else [points] if points != () else []


def _vocabulary(name: str) -> Any:
    return next(v for v in rules().model.vocabularies if v.name == name)


def test_nearest__each_criterion_decides_somewhere() -> None:
    """Distance alone, the island among equals, and what is left to chance."""
    decided: Counter[str] = Counter()
    for own in board.HEXES:
        for colour in facts.WHEEL:
            if colour == board.COLOUR[own]:
                continue
            free = [h for h in board.HEXES if board.COLOUR[h] == colour]
            steps = board.steps_from(own)
            closest = [h for h in free if steps[h] == min(map(steps.__getitem__, free))]
            left = rules().call("nearest", {"candidates": free, "own": own})
            assert left == oracle.nearest(colour, own, ())
            decided["distance" if len(closest) == 1 else "island" if len(left) == 1 else "chance"] += 1
    assert decided == {"distance": 359, "island": 48, "chance": 55}


def test_limit_switch() -> None:
    """Done in another round: no matter under ROUND, against it under GAME."""
    state = {
        "action": "place",
        "colour": "red",
        "hex": "A9",
        "colours": ["blue", "grey", "red"],
        "round": 3,
        "stock": {"dwelling": 4, "trading_post": 4},
        "done": [{"round": 2, "action": "place", "colour": "red"}],
    }
    for value, reasons in (("ROUND", []), ("GAME", ["already_done"])):
        answer = rules().answer("place_opponent", state | {"house_rules": {"LIMIT": value}})
        assert answer["reasons"] == reasons
