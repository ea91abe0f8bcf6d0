"""Terra Mystica: the component data, every rule, every place for a dwelling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from dtables.records.findings import RecordError
from tests.games import terra_mystica_board as board
from tests.games import terra_mystica_facts as facts
from tests.games import terra_mystica_oracle as oracle
from tests.games import terra_mystica_turns as turns
from tests.games.games import TERRA_MYSTICA
from tests.games.harness import ENGINES, unreached

# -- the component data ------------------------------------------------------------------------


def test_facts__board() -> None:
    land = [row for row in TERRA_MYSTICA.printed("map_hexes") if row["kind"] == "land"]
    assert {row["hex"]: row["terrain_colour"] for row in land} == board.COLOUR
    for row in TERRA_MYSTICA.printed("map_distances"):
        start, end = row["from_hex"], row["to_hex"]
        assert board.steps_from(start)[end] == int(row["hex_distance"])
        assert (end in board.island(start)) == (row["same_island"] == "1")


def test_facts__nearest() -> None:
    for row in TERRA_MYSTICA.printed("nearest_by_colour"):
        found = oracle.nearest(row["opponent_colour"], row["own_hex"], ())
        if row["opponent_colour"] != row["own_colour"]:
            assert found == row["placement_by_seed_rule"].split("|"), row


def test_facts__races_and_wheel() -> None:
    for row in TERRA_MYSTICA.printed("factions"):
        race = row["faction"].lower().replace(" ", "_")
        colour, steps = facts.RACES[race]
        assert colour == row["home_colour"]
        assert steps == tuple(int(row[f"start_{cult}"]) for cult in facts.CULTS)
        assert oracle.start_dwellings(race) == int(row["starting_dwellings"])
    for row in TERRA_MYSTICA.printed("colour_wheel"):
        if row["spades"] in ("1", "2"):
            assert row["to_colour"] in oracle.at_spades(row["from_colour"], int(row["spades"]))


# -- answers -----------------------------------------------------------------------------------


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
            found = TERRA_MYSTICA.rules.answer("setup_dwellings", state)
            assert found == oracle.answer("setup_dwellings", state), first


# -- the rules are told apart ------------------------------------------------------------------


def test_turns__reach_every_rule() -> None:
    """Random turns give every reason, every prize, every kind of openness."""
    wanted: set[Any] = {("reason", label.id) for label in TERRA_MYSTICA.vocabulary("reason").names}
    wanted |= {("network", "points", points) for points in (0, 3, 6, 9, 12, 15, 18)}
    wanted |= {("cult_scores", "points", points) for points in (0, 1, 2, 3, 4, 6, 8)}
    wanted |= {("placement", True), ("placement", False), ("place_opponent", "legal", True)}
    wanted |= {(None, "open", "third"), ("opponents", "open", "third")}
    wanted |= {("blocked_actions", "open", "blocked")}
    random = Random(32)
    assert unreached(wanted, (reached(*turns.good(random)) for _ in range(3000))) == set()


def reached(ask: str | None, state: turns.State) -> Iterator[Any]:
    answer = TERRA_MYSTICA.rules.answer(ask, state)
    yield from ((ask, "open", field) for field in answer.get("any_of", {}))
    yield from (("reason", reason) for reason in answer.get("reasons", ()))
    yield from (("placement", "any_of" in item) for item in answer.get("placements", ()))
    yield from ((ask, "points", points) for points in _points(answer))
    yield ask, "legal", answer.get("legal")


def _points(answer: dict[str, Any]) -> list[int]:
    points = answer.get("points", ())
    return list(points.values()) if isinstance(points, dict) else [points] if points != () else []


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
            left = TERRA_MYSTICA.rules.call("nearest", {"candidates": free, "own": own})
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
        answer = TERRA_MYSTICA.rules.answer("place_opponent", state | {"house_rules": {"LIMIT": value}})
        assert answer["reasons"] == reasons


@pytest.mark.parametrize("engine", ENGINES)
def test_stock(engine: str) -> None:
    """Left out it is counted, given it is believed, and nine dwellings are rejected only where there would be
    nine."""
    answer = TERRA_MYSTICA.engine(engine)
    there = {"hex": "A9", "colour": "red", "building": "dwelling"}
    also = [{"hex": f"A{n}", "colour": "red", "building": "trading_post"} for n in (1, 2)]
    state = {
        "action": "upgrade",
        "colour": "red",
        "hex": "A9",
        "colours": ["blue", "grey", "red"],
        "round": 3,
        "buildings": [there, *also, {"hex": "A3", "colour": "blue", "building": "dwelling"}],
    }
    counted = answer("place_opponent", state)
    assert counted == {"legal": True, "reasons": [], "stock_after": {"dwelling": 8, "trading_post": 1}}
    given = {"dwelling": 5, "trading_post": 4}
    believed = answer("place_opponent", state | {"stock": given})
    assert believed["stock_after"] == {"dwelling": 6, "trading_post": 3}
    full = state | {"stock": {"dwelling": 8, "trading_post": 4}}
    with pytest.raises(RecordError) as error:
        answer("place_opponent", full)
    assert error.value.path == "state.stock.dwelling"
    against = answer("place_opponent", full | {"hex": "A10"})
    assert (against["reasons"], against["stock_after"]) == (["no_dwelling_there"], None)
    place = answer("place_opponent", full | {"action": "place", "buildings": []})
    assert place["stock_after"] == {"dwelling": 7, "trading_post": 4}
    crowded = [{"hex": f"{row}1", "colour": "red", "building": "dwelling"} for row in "ABCDEFGHI"]
    placed = answer("place_opponent", state | {"action": "place", "buildings": crowded})
    assert placed["reasons"] == ["no_dwelling_left"]


def test_labels_are_keys_of_the_cults() -> None:
    cults = {"Fuoco": 8, "ACQUA": 5, "earth": 0, "Aria": 4}
    told = TERRA_MYSTICA.rules.answer("cult_scores", {"scenario": "Facile", "cults": cults})
    assert told["points"] == {"fire": 8, "water": 3, "earth": 0, "air": 2}
