"""tables/concordia.xlsx against an oracle by hand, the contract's samples and the component data."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dtables
from dtables.diagnostics import Severity, render
from dtables.evaluator.trace import Chosen
from dtables.findings import RecordError
from dtables.model.tables import Dice, Prefer, Scale
from dtables.ruleset import Ruleset, check
from dtables.runs.examples import run_examples
from dtables.workbook.dress import dress
from dtables.workbook.tables import BookText
from dtables.workbook.xlsx import read_workbook
from tests.games import concordia_facts as facts
from tests.games import concordia_mistakes as mistakes
from tests.games import concordia_oracle as oracle
from tests.games import concordia_turns as turns
from tests.games.reading import Rejected

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "tables" / "concordia.xlsx"
SHARED = ROOT.parent / "shared"
CONTRACT = SHARED / "contracts"
DATA = SHARED / "data" / "concordia"

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


def test_workbook__is_dressed(tmp_path: Path) -> None:
    copy, _ = dress(BOOK, tmp_path / BOOK.name)
    again, found = read_workbook(tmp_path / BOOK.name)
    assert found == ()
    assert again == copy == text()


def test_workbook__its_examples_hold() -> None:
    results = list(run_examples(rules().model, (rules(), rules().evaluator)))
    assert len(results) > 100
    assert [failure for result in results for failure in result.failures] == []


def test_workbook__every_ledger_row_has_its_table() -> None:
    named: set[int] = set()
    for heading in rules().model.headings:
        for source in heading.source:
            ends = [int(n) for n in re.findall(r"K-(\d+)", source)]
            named.update(range(ends[0], ends[-1] + 1) if ends else ())
    assert named == set(range(1, 44))


def test_workbook__every_doubt_has_its_note_and_every_golden_test_its_example() -> None:
    notes = " ".join(p.value.text for t in text().tables for p in t.properties if p.word == "note")
    assert set(re.findall(r"X-K-\d+", notes)) == {f"X-K-{n:02d}" for n in range(1, 10)}
    examples = (t for t in text().tables if t.kind == "examples")
    cells = " ".join(c.typed for t in examples for row in t.rows for c in row.cells)
    assert set(re.findall(r"GK-\d+", cells)) == {f"GK-{n:02d}" for n in range(1, 10)}


def test_workbook__names_have_labels_in_both_languages() -> None:
    named = [v for v in rules().model.vocabularies if not v.name.startswith("switch ")]
    assert len(named) > 15
    for vocabulary in named:
        for label in vocabulary.names:
            assert {language for language, _ in label.words} == {"it", "en"}, (vocabulary.name, label.id)


def test_workbook__goods_have_badges_that_differ_in_more_than_colour() -> None:
    vocabularies = {v.name: v for v in rules().model.vocabularies}
    badges = [label.badge for label in vocabularies["good"].names]
    assert all(badges)
    for part in ("colour", "shape", "letter"):
        assert len({getattr(badge, part) for badge in badges}) == len(badges)


def test_dice__exact_odds() -> None:
    """As the ledger has them (K-20, K-32), out of 36 and out of 12."""
    wanted = {
        "roll for an action": {"2d6": (10, 16, 10), "d12": (4, 5, 3)},
        "roll for a good": {"2d6": (6, 9, 11, 7, 3), "d12": (4, 2, 2, 2, 2)},
    }
    tables = {t.heading.name: t for t in rules().model.tables if isinstance(t, Dice)}
    assert {name: odds(table) for name, table in tables.items()} == wanted


def odds(table: Dice) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for die, ways in table.chances:
        entries = [e for e in table.entries if e.die == die]
        found[die] = tuple(sum(n for total, n in ways if e.low <= total <= e.high) for e in entries)
    return found


# -- the component data ------------------------------------------------------------------------


def id_of(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def test_facts__cities() -> None:
    rows = rows_of("cities.csv")
    for board, cities in facts.MAPS.items():
        printed = [r for r in rows if r["map"].lower() == board]
        assert [id_of(r["city"]) for r in printed if r["is_start_city"] == "1"] == [facts.STARTS[board]]
        assert list(cities.values()) == [
            (id_of(r["city"]), id_of(r["province"]), int(r["paths_from_start_any"]))
            for r in printed
            if r["is_start_city"] != "1"
        ]


def test_facts__goods_cards_and_slots() -> None:
    assert tuple(row["good"] for row in rows_of("goods.csv")) == facts.GOODS
    costs = {
        row["card"].lower(): tuple(good for good in facts.GOODS for _ in range(int(row[f"cost_{good}"])))
        for row in rows_of("role_cards.csv")
        if row["deck"] in ("I", "II")
    }
    assert costs == facts.CARDS
    slots = tuple((int(r["extra_any"]), int(r["extra_cloth"])) for r in rows_of("display_costs.csv"))
    assert slots == facts.SLOTS


def test_workbook__has_the_printed_cities_in_board_order() -> None:
    places = next(t for t in text().tables if t.kind == "data" and t.name == "place")
    written = [tuple(cell.typed for cell in row.cells) for row in places.rows]
    assert written == [
        (board, city.name, city.province, str(city.paths))
        for board, cities in facts.MAPS.items()
        for city in cities.values()
    ]


# -- answers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RECORDS)
def test_samples_of_the_contract(name: str) -> None:
    records = shared(CONTRACT / "concordia.sample.jsonl").read_text(encoding="utf-8").splitlines()
    expected = (CONTRACT / "concordia.sample.expected.jsonl").read_text(encoding="utf-8").splitlines()
    for line, wanted in zip(records, expected, strict=True):
        record = json.loads(line)
        answer = engine(name)(record.get("ask"), record["state"])
        assert json.dumps(answer) == json.dumps(json.loads(wanted)["answer"])


@pytest.mark.parametrize("name", RECORDS)
def test_turns__answers_are_the_oracles(name: str) -> None:
    random = Random(40)
    for _ in range(RECORDS[name]):
        ask, state = turns.good(random)
        assert json.dumps(engine(name)(ask, state)) == json.dumps(oracle.answer(ask, state)), (ask, state)


@pytest.mark.parametrize("name", RECORDS)
def test_turns__what_is_wrong_is_found_at_its_path(name: str) -> None:
    random = Random(41)
    for _ in range(RECORDS[name]):
        ask, state, path = mistakes.bad(random)
        with pytest.raises(Rejected) as wanted:
            oracle.answer(ask, state)
        with pytest.raises(RecordError) as found:
            engine(name)(ask, state)
        assert (found.value.path, wanted.value.path) == (path, path), (ask, state)


@pytest.mark.parametrize("mistake", mistakes.MISTAKES, ids=lambda mistake: mistake.__name__)
def test_turns__each_mistake_is_rejected_at_its_path(mistake: mistakes.Mistake) -> None:
    random = Random(42)
    for _ in range(8):
        ask, state, path = mistake(random, *turns.good(random))
        with pytest.raises(RecordError) as found:
            engine("compiled")(ask, state)
        assert found.value.path == path


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False))
def test_turns__any_turn(random: Random) -> None:
    ask, state = turns.good(random)
    assert engine("compiled")(ask, state) == oracle.answer(ask, state)


def test_turns__tell_the_rules_apart() -> None:
    """Random turns reach every path, every kind of openness, and turns in which a switch matters."""
    random = Random(43)
    seen: Counter[Any] = Counter()
    for _ in range(RECORDS["compiled"]):
        ask, state = turns.good(random)
        answer = oracle.answer(ask, state)
        house = answer.get("house") or {}
        seen[ask, tuple(answer.get("path") or ())] += 1
        seen[ask, "open", *answer.get("any_of", {}), *house.get("any_of", {})] += 1
        seen["occupied", house.get("occupied")] += 1
        seen["cards", len(answer.get("cards") or ())] += 1
        if ask == "turn":
            seen.update(switch for switch in SWITCHED if answer_under(switch, state) != answer)
    wanted: set[Any] = {("turn", path) for path in PATHS} | {("final_action", path) for path in FINAL_PATHS}
    wanted |= {("turn", "open", field) for field in ("action", "goods_taken", "city")}
    wanted |= {("final_action", "open", "city"), ("occupied", True), ("occupied", False)}
    wanted |= {("cards", 1), ("cards", 2), *SWITCHED}
    assert wanted <= set(seen), wanted - set(seen)


def answer_under(switch: tuple[str, str], state: dict[str, Any]) -> Any:
    bare = {field: value for field, value in state.items() if field not in ("city_pick", "house_rules")}
    return oracle.answer("turn", bare | {"house_rules": dict([switch])})


SWITCHED = (("PAIR", "GREEDY_RIGHT"), ("PAY", "HIGHEST"))
PATHS = (
    ("build",),
    ("build", "take_bonus"),
    ("build", "none"),
    ("take",),
    ("take", "colonist"),
    ("take", "buy_one"),
    ("take", "buy_one", "build"),
    ("take", "buy_one", "build", "none"),
    ("buy",),
    ("buy", "two_goods"),
    ("buy", "build"),
    ("buy", "build", "none"),
)
FINAL_PATHS = (("buy",), ("build",), ("take_cloth",), ("none",))


# -- every criterion ---------------------------------------------------------------------------


def test_scales__each_criterion_decides_in_some_turn() -> None:
    wanted = {
        (scale.heading.name, None if criterion.prefer is Prefer.CHANCE else criterion.where.row)
        for scale in rules().model.tables
        if isinstance(scale, Scale)
        for criterion in scale.criteria
    }
    seen: set[tuple[str, int | None]] = set()
    random = Random(44)
    for _ in range(600):
        ask, state = turns.good(random)
        if ask in ("turn", "final_action"):
            seen.update(deciding(rules().evaluator.explain(ask, state).steps))
        if wanted <= seen:
            return
    assert wanted - seen == set()


def deciding(told: object) -> Iterator[tuple[str, int | None]]:
    """Of each scale that was gone through, however deep: the row that left one; None: chance decides."""
    if isinstance(told, Chosen):
        if len(told.left) > 1:
            yield (told.heading.name, None)
        elif told.decided is not None:
            yield (told.decided.scale, told.decided.cell.row)
    if isinstance(told, tuple):
        for part in told:
            yield from deciding(part)
    elif is_dataclass(told) and type(told).__module__ == Chosen.__module__:
        for field in fields(told):
            yield from deciding(getattr(told, field.name))
