"""Bad records for the opponents of Terra Mystica, each with the path at which it must be rejected."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.games import terra_mystica_oracle as oracle
from tests.games.terra_mystica_board import COLOUR, HEXES
from tests.games.terra_mystica_facts import CULTS, WHEEL
from tests.games.terra_mystica_reading import read
from tests.games.terra_mystica_turns import State, good, of_ask

Broken = tuple[str | None, State, str]
Mistake = Callable[[Random], Broken]

NAMED = ("own_race", "mode", "third_colour", "scenario", "power_variant", "action", "colour", "hex")
NUMBERED = {"round": (1, 6), "own_network": (0, 17)}
LISTED: dict[str, Any] = {
    "own_dwellings": "A1",
    "colours": "red",
    "picks": {"colour": "red", "near": "A1", "hex": "A6"},
    "rolls": 4,
    "plan": [1],
    "done": {"round": 1, "action": "place", "colour": "red"},
    "buildings": {"hex": "A1", "colour": "red", "building": "dwelling"},
}
"""Fields that hold lists, and an element that is fine."""


# -- what no record may hold -------------------------------------------------------------------


def _no_ask(random: Random) -> Broken:
    _, state = good(random)
    return random.choice(("opponent", "Network ", "turn", "placement", "")), state, "ask"


def _unknown_key(random: Random) -> Broken:
    ask, state = good(random)
    key = random.choice(("surprise", "own_races", "die", "any_of", "forced"))
    return ask, {key: random.choice((1, None, "red")), **state}, f"state.{key}"


def _wrong_name(random: Random) -> Broken:
    """A name of another kind, a river hex, or none at all."""
    ask, state = good(random)
    field = random.choice(NAMED)
    wrong = random.choice(("pink", "r3", "A14", "C6", "B0", "dwelling", "", 3, True, ["red"], {"red": 1}))
    return ask, {field: wrong, **_without(state, field)}, f"state.{field}"


def _wrong_number(random: Random) -> Broken:
    ask, state = good(random)
    field, (low, high) = random.choice(tuple(NUMBERED.items()))
    wrong: Any = random.choice((low - 1, high + 1, 10**30, "3", 2.5, 3.0, True, [low], {}))
    return ask, {field: wrong, **_without(state, field)}, f"state.{field}"


def _no_list(random: Random) -> Broken:
    ask, state = good(random)
    field = random.choice(tuple(LISTED))
    wrong = random.choice(("A1", 3, {"A1": "red"}, False))
    return ask, {field: wrong, **_without(state, field)}, f"state.{field}"


def _wrong_element(random: Random) -> Broken:
    """One element of a list is of no use; nulls are only fine in the plan."""
    ask, state = good(random)
    field = random.choice(tuple(LISTED))
    fine = LISTED[field]
    wrong = random.choice(("nothing", 7, 0, True, 1.5, None)) if field != "plan" else random.choice((3, "x"))
    before = random.randint(0, 2)
    return ask, {field: [fine] * before + [wrong], **_without(state, field)}, f"state.{field}[{before}]"


def _wrong_planned_roll(random: Random) -> Broken:
    ask, state = good(random)
    wrong = random.choice((0, 7, "2", None, False))
    return ask, {"plan": [None, [1, wrong]], **_without(state, "plan")}, "state.plan[1][1]"


def _wrong_in_object(random: Random) -> Broken:
    """A key of an object in a list is unknown, missing or of the wrong kind."""
    ask, state = good(random)
    field = random.choice(("picks", "done", "buildings"))
    fine = LISTED[field]
    key = random.choice(tuple(fine))
    broken = random.choice(({**fine, "when": 2}, {**fine, key: None}, _without(fine, key), {**fine, key: []}))
    path = f"state.{field}[1].{'when' if 'when' in broken else key}"
    return ask, {field: [fine, broken], **_without(state, field)}, path


def _wrong_in_map(random: Random) -> Broken:
    ask, state = good(random)
    field, value, below = random.choice(
        (
            ("stock", {"dwelling": 9, "trading_post": 4}, "dwelling"),
            ("stock", {"dwelling": -1, "trading_post": 4}, "dwelling"),
            ("stock", {"dwelling": 8, "trading_post": 5}, "trading_post"),
            ("stock", {"dwelling": 8}, "trading_post"),
            ("stock", {"dwelling": None, "trading_post": 4}, "dwelling"),
            ("stock", {"dwelling": 8, "trading_post": 4, "temple": 3}, "temple"),
            ("cults", {"fire": 11, "water": 0, "earth": 0, "air": 0}, "fire"),
            ("cults", {"fire": 1, "water": 0, "earth": 0}, "air"),
            ("cults", {"fire": 1, "water": "0", "earth": 0, "air": 1}, "water"),
            ("cults", {**dict.fromkeys(CULTS, 3), "light": 1}, "light"),
            ("terrain", {"A1": "red", "Z1": "red"}, "Z1"),
            ("terrain", {"A1": "red", "r2": "red"}, "r2"),
            ("terrain", {"A1": "river"}, "A1"),
            ("terrain", {"B2": 4}, "B2"),
            ("house_rules", {"LIMIT": "round"}, "LIMIT"),
            ("house_rules", {"LIMIT": 1}, "LIMIT"),
            ("house_rules", {"LIMITS": "GAME"}, "LIMITS"),
        )
    )
    return ask, {field: value, **_without(state, field)}, f"state.{field}.{below}"


# -- what an ask needs -------------------------------------------------------------------------


def _left_out(random: Random) -> Broken:
    ask = random.choice(tuple(oracle.NEEDS))
    state = of_ask(random, ask)
    return _leaving_out(random, ask, state, random.choice(oracle.NEEDS[ask]))


def _left_out_by_variant(random: Random) -> Broken:
    variant, field = random.choice(
        (("blocked", "scenario"), ("blocked_prerolled", "scenario"), ("blocked_prerolled", "round"))
    )
    state = {**of_ask(random, "blocked_actions"), "power_variant": variant, "scenario": "easy", "round": 2}
    return _leaving_out(random, "blocked_actions", state, field)


def _leaving_out(random: Random, ask: str, state: State, field: str) -> Broken:
    rest = _without(state, field)
    return ask, random.choice((rest, {**rest, field: None})), f"state.{field}"


# -- what does not fit together ----------------------------------------------------------------


def _third_colour(random: Random) -> Broken:
    state = of_ask(random, "opponents")
    home = oracle.home(read(state))
    wrong = random.choice([c for c in WHEEL if c not in oracle.at_spades(home, 2)])
    return "opponents", {**state, "third_colour": wrong}, "state.third_colour"


def _number_of_dwellings(random: Random) -> Broken:
    state = _setup(random)
    own = state["own_dwellings"]
    home = [
        h for h in HEXES if COLOUR[h] == oracle.home(read(state)) and h not in read(state)["own_dwellings"]
    ]
    wrong = random.choice((own[1:], [*own, random.choice(home)], []))
    return "setup_dwellings", {**state, "own_dwellings": wrong}, "state.own_dwellings"


def _foreign_dwelling(random: Random) -> Broken:
    """Not of the home colour, or the second of one place."""
    state = _setup(random)
    own = list(state["own_dwellings"])
    place = random.randrange(len(own))
    foreign = [h for h in HEXES if COLOUR[h] != oracle.home(read(state))]
    own[place] = random.choice((random.choice(foreign), own[0] if place else random.choice(foreign)))
    return "setup_dwellings", {**state, "own_dwellings": own}, f"state.own_dwellings[{place}]"


def _colours_of_another_race(random: Random) -> Broken:
    state = _setup(random)
    colours = list(state["colours"])
    home = oracle.home(read(state))
    place = random.randrange(3)
    fit = [*oracle.at_spades(home, 1), *oracle.at_spades(home, 2)]
    wrong = random.choice(
        (
            colours[:2],
            [*colours, home],
            [*colours[:place], colours[place - 1], *colours[place + 1 :]],
            [*colours[:place], random.choice([c for c in WHEEL if c not in fit]), *colours[place + 1 :]],
            [*oracle.at_spades(home, 2), oracle.at_spades(home, 1)[0]],
            [],
        )
    )
    return "setup_dwellings", {**state, "colours": wrong}, "state.colours"


def _pick(random: Random) -> Broken:
    """After picks that are fine comes one that is not, and then perhaps anything."""
    state = _setup(random)
    ids = read(state)
    own, colours = ids["own_dwellings"], ids["colours"]
    picks = list(state.get("picks") or [])
    wrong, below = random.choice((_of_no_opponent, _near_nobody, _once_more, _out_of_reach))(
        random, own, colours, ids.get("picks", [])
    )
    after = [wrong] * random.randint(0, 1)
    return (
        "setup_dwellings",
        {**state, "picks": [*picks, wrong, *after]},
        f"state.picks[{len(picks)}].{below}",
    )


def _of_no_opponent(random: Random, own: list[str], colours: list[str], _: list[State]) -> tuple[State, str]:
    colour = random.choice([c for c in WHEEL if c not in colours])
    near = random.choice((random.choice(own), random.choice(HEXES)))
    return {"colour": colour, "near": near, "hex": random.choice(HEXES)}, "colour"


def _near_nobody(random: Random, own: list[str], colours: list[str], _: list[State]) -> tuple[State, str]:
    near = random.choice([h for h in HEXES if h not in own])
    return {"colour": random.choice(colours), "near": near, "hex": random.choice(HEXES)}, "near"


def _once_more(random: Random, own: list[str], colours: list[str], picks: list[State]) -> tuple[State, str]:
    """A choice made before, with the same hex or another."""
    if not picks:
        return _near_nobody(random, own, colours, picks)
    pick = random.choice(picks)
    return {**pick, "hex": random.choice((pick["hex"], random.choice(HEXES)))}, "near"


def _out_of_reach(
    random: Random, own: list[str], colours: list[str], picks: list[State]
) -> tuple[State, str]:
    """A hex to which no course leads that agrees with the picks made before."""
    made = {(p["colour"], p["near"]): p["hex"] for p in picks}
    free = [(c, n) for c in colours for n in own if (c, n) not in made]
    if not free:
        return _near_nobody(random, own, colours, picks)
    colour, near = random.choice(free)
    possible = {
        way[own.index(near)]
        for way in oracle.outcomes(colour, own)
        if all(way[own.index(n)] == made.get((colour, n), way[own.index(n)]) for n in own)
    }
    once = {way[own.index(near)] for way in oracle.outcomes(colour, own)} - possible
    wrong = random.choice([h for h in HEXES if h not in possible and COLOUR[h] == colour])
    return {"colour": colour, "near": near, "hex": min(once) if once else wrong}, "hex"


def _long_plan(random: Random) -> Broken:
    state = of_ask(random, "blocked_actions")
    return "blocked_actions", {**state, "plan": [None, [], [1, 1]] * 3}, "state.plan"


def _opposing_colours(random: Random) -> Broken:
    state = of_ask(random, "place_opponent")
    colours = state["colours"]
    wrong = random.choice((colours[:2], [*colours, "red"], [colours[0], *colours[:2]], []))
    return "place_opponent", {**state, "colours": wrong}, "state.colours"


def _built_twice(random: Random) -> Broken:
    state = of_ask(random, "place_opponent")
    built = state.get("buildings") or [LISTED["buildings"]]
    again = {**random.choice(built), "colour": random.choice(WHEEL)}
    return (
        "place_opponent",
        {**state, "buildings": [*built, again]},
        f"state.buildings[{len(built)}].hex",
    )


def _ninth_dwelling(random: Random) -> Broken:
    colours = random.sample(WHEEL, 3)
    there = {"hex": "A9", "colour": colours[0], "building": "dwelling"}
    state = {
        "action": "upgrade",
        "colour": colours[0],
        "hex": "A9",
        "colours": colours,
        "round": random.randint(1, 6),
        "stock": {"dwelling": 8, "trading_post": random.randint(1, 4)},
        "buildings": [there, {**there, "hex": "A1", "building": "temple"}],
    }
    return "place_opponent", state, "state.stock.dwelling"


def _setup(random: Random) -> State:
    return of_ask(random, "setup_dwellings")


def _without(state: State, field: str) -> State:
    return {key: value for key, value in state.items() if key != field}


MISTAKES: tuple[Mistake, ...] = (
    *(_no_ask, _unknown_key, _wrong_name, _wrong_number, _no_list, _wrong_element, _wrong_planned_roll),
    *(_wrong_in_object, _wrong_in_map, _left_out, _left_out_by_variant, _third_colour),
    *(_number_of_dwellings, _foreign_dwelling, _colours_of_another_race, _pick, _long_plan),
    *(_opposing_colours, _built_twice, _ninth_dwelling),
)
