"""Concordia: the component data, exact odds, every path and criterion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from dtables.evaluator.trace import Chosen, all_steps
from dtables.model.tables import Dice, Prefer
from tests.games import concordia_facts as facts
from tests.games import concordia_oracle as oracle
from tests.games import concordia_turns as turns
from tests.games.games import CONCORDIA
from tests.games.harness import criteria, unreached

# -- the workbook ------------------------------------------------------------------------------


def test_dice__exact_odds() -> None:
    """As the ledger has them (K-20, K-32), out of 36 and out of 12."""
    wanted = {
        "roll for an action": {"2d6": (10, 16, 10), "d12": (4, 5, 3)},
        "roll for a good": {"2d6": (6, 9, 11, 7, 3), "d12": (4, 2, 2, 2, 2)},
    }
    tables = {t.heading.name: t for t in CONCORDIA.rules.model.tables if isinstance(t, Dice)}
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
    rows = CONCORDIA.printed("cities")
    for board, cities in facts.MAPS.items():
        printed = [r for r in rows if r["map"].lower() == board]
        assert [id_of(r["city"]) for r in printed if r["is_start_city"] == "1"] == [facts.STARTS[board]]
        assert list(cities.values()) == [
            (id_of(r["city"]), id_of(r["province"]), int(r["paths_from_start_any"]))
            for r in printed
            if r["is_start_city"] != "1"
        ]


def test_facts__goods_cards_and_slots() -> None:
    assert tuple(row["good"] for row in CONCORDIA.printed("goods")) == facts.GOODS
    costs = {
        row["card"].lower(): tuple(good for good in facts.GOODS for _ in range(int(row[f"cost_{good}"])))
        for row in CONCORDIA.printed("role_cards")
        if row["deck"] in ("I", "II")
    }
    assert costs == facts.CARDS
    slots = tuple((int(r["extra_any"]), int(r["extra_cloth"])) for r in CONCORDIA.printed("display_costs"))
    assert slots == facts.SLOTS


def test_workbook__has_the_printed_cities_in_board_order() -> None:
    places = next(t for t in CONCORDIA.text.tables if t.kind == "data" and t.name == "place")
    written = [tuple(cell.typed for cell in row.cells) for row in places.rows]
    assert written == [
        (board, city.name, city.province, str(city.paths))
        for board, cities in facts.MAPS.items()
        for city in cities.values()
    ]


# -- answers -----------------------------------------------------------------------------------


def test_turns__tell_the_rules_apart() -> None:
    """Random turns reach every path, every kind of openness, and turns in which a switch matters."""
    wanted: set[Any] = {("turn", path) for path in PATHS} | {("final_action", path) for path in FINAL_PATHS}
    wanted |= {("turn", "open", field) for field in ("action", "goods_taken", "city")}
    wanted |= {("final_action", "open", "city"), ("occupied", True), ("occupied", False)}
    wanted |= {("cards", 1), ("cards", 2), *SWITCHED}
    random = Random(43)
    assert unreached(wanted, (reached(*turns.good(random)) for _ in range(3000))) == set()


def reached(ask: str | None, state: dict[str, Any]) -> Iterator[Any]:
    answer = oracle.answer(ask, state)
    house = answer.get("house") or {}
    yield ask, tuple(answer.get("path") or ())
    yield (ask, "open", *answer.get("any_of", {}), *house.get("any_of", {}))
    yield "occupied", house.get("occupied")
    yield "cards", len(answer.get("cards") or ())
    if ask == "turn":
        yield from (switch for switch in SWITCHED if answer_under(switch, state) != answer)


def answer_under(switch: tuple[str, str], state: dict[str, Any]) -> Any:
    bare = {field: value for field, value in state.items() if field not in ("city_pick", "house_rules")}
    return oracle.answer("turn", bare | {"house_rules": dict([switch])})


SWITCHED = (("PAIR", "GREEDY_RIGHT"), ("PAY", "HIGHEST"), ("PAY", "MATCH"))
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
        for scale, criterion in criteria(CONCORDIA)
    }
    random = Random(44)
    made = (turns.good(random) for _ in range(600))
    told = (deciding(ask, state) for ask, state in made if ask in ("turn", "final_action"))
    assert unreached(wanted, told) == set()


def deciding(ask: str | None, state: dict[str, Any]) -> Iterator[tuple[str, int | None]]:
    """Of each scale that was gone through, however deep: the row that left one; None: chance decides."""
    for step in all_steps(CONCORDIA.rules.evaluator.explain(ask, state).steps):
        if isinstance(step, Chosen) and len(step.left) > 1:
            yield (step.heading.name, None)
        elif isinstance(step, Chosen) and step.decided is not None:
            yield (step.decided.scale, step.decided.cell.row)
