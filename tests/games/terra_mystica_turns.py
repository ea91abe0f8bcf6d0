"""Good records for the opponents of Terra Mystica, drawn at random.

Everything is drawn through `Random`, so that a seed gives thousands of turns quickly and hypothesis'
own `randoms()` gives turns that shrink.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.games import terra_mystica_oracle as oracle
from tests.games.terra_mystica_board import COLOUR, HEXES, steps_from
from tests.games.terra_mystica_facts import CULT_VALUES, CULTS, LABELS, NETWORK_SIZES, RACES, WHEEL

State = dict[str, Any]
Record = tuple[str | None, State]
"""Ask and state; no ask means the first."""

ASKS = tuple(oracle.NEEDS)
SCENARIOS = tuple(CULT_VALUES)
BUILDINGS = tuple(LABELS["building"])


def good(random: Random) -> Record:
    """A record that is answered: names by id or by label, fields left out or null here and there."""
    ask = random.choice((*ASKS, "setup_dwellings", "place_opponent", "place_opponent"))
    state = _BY_ASK[ask](random)
    if random.random() < 0.15:
        state = {**_not_read(random, state), **state}
    if random.random() < 0.1:
        unused = random.choice(("picks", "rolls", "plan", "done", "third_colour", "terrain"))
        state = {unused: None, **state}
    return (None if ask == "opponents" and random.random() < 0.3 else ask), state


def _not_read(random: Random, state: State) -> State:
    """Fields that are sound by themselves and of no matter to this ask."""
    extra = {**_network(random), **_cult_scores(random), "rolls": [3, 3], "house_rules": {"LIMIT": "GAME"}}
    del extra["scenario"]
    house_rules = {"house_rules"} if "buildings" in state else set()
    return {key: value for key, value in extra.items() if key not in house_rules | set(state)}


def spelled(random: Random, kind: str, id_: str) -> str:
    """An id as a log may write it."""
    spelling = random.choice((id_, id_, id_, *LABELS[kind][id_]))
    return random.choice((spelling, spelling, spelling.upper(), spelling.replace("_", " ")))


def written_hex(random: Random, hex_: str) -> str:
    return random.choice((hex_, hex_, hex_, hex_.lower()))


def _race(random: Random) -> str:
    return random.choice((*RACES, "nomads", "chaos_magicians"))


# -- before the game ---------------------------------------------------------------------------


def _opponents(random: Random) -> State:
    race = _race(random)
    state = {
        "own_race": spelled(random, "race", race),
        "mode": spelled(random, "mode", random.choice(("random", "weighed"))),
    }
    third = random.choice((None, *oracle.at_spades(RACES[race][0], 2)))
    return state if third is None else state | {"third_colour": spelled(random, "colour", third)}


def _dwelling_count(random: Random) -> State:
    return {"own_race": spelled(random, "race", _race(random))}


def _setup_dwellings(random: Random) -> State:
    """Own dwellings often stand close together, so that they want the same hexes."""
    race = _race(random)
    home = RACES[race][0]
    homes = [h for h in HEXES if COLOUR[h] == home]
    first = random.choice(homes)
    if random.random() < 0.6:
        homes = sorted(homes, key=steps_from(first).__getitem__)[: random.choice((3, 4, 5))]
    count = oracle.start_dwellings(race)
    own = random.sample(homes, count)
    colours = [*oracle.at_spades(home, 1), random.choice(oracle.at_spades(home, 2))]
    random.shuffle(colours)
    state: State = {
        "own_race": spelled(random, "race", race),
        "own_dwellings": [written_hex(random, h) for h in own],
        "colours": [spelled(random, "colour", c) for c in colours],
    }
    picks = _picks(random, own, colours) if random.random() < 0.7 else []
    return state | {"picks": picks} if picks or random.random() < 0.5 else state


def _picks(random: Random, own: list[str], colours: list[str]) -> list[State]:
    """Choices that belong to one course of each colour."""
    picks = []
    for colour in random.sample(colours, random.randint(1, 3)):
        course = random.choice(list(oracle.outcomes(colour, own)))
        for near in random.sample(own, random.randint(0, len(own))):
            picks.append(
                {
                    "colour": spelled(random, "colour", colour),
                    "near": written_hex(random, near),
                    "hex": course[own.index(near)],
                }
            )
    random.shuffle(picks)
    return picks


def _cults(random: Random) -> State:
    state = {"scenario": _scenario(random)}
    return state | random.choice(({}, {"own_race": None}, _dwelling_count(random), _dwelling_count(random)))


def _scenario(random: Random) -> str:
    return spelled(random, "scenario", random.choice(SCENARIOS))


# -- power actions -----------------------------------------------------------------------------


def _rolls(random: Random) -> list[int]:
    return [random.randint(1, 6) for _ in range(random.choice((0, 1, 2, 3, 4, 6, 9)))]


def _blocked_actions(random: Random) -> State:
    variant = random.choice(("all", "blocked", "blocked", "blocked_prerolled", "blocked_prerolled"))
    state: State = {"power_variant": spelled(random, "power_variant", variant)}
    if variant != "all" or random.random() < 0.3:
        state["scenario"] = _scenario(random)
    if variant == "blocked_prerolled" or random.random() < 0.3:
        state["round"] = random.randint(1, 6)
    if random.random() < 0.85:
        state["rolls"] = _rolls(random)
    if random.random() < 0.85:
        rounds = random.choice((0, 2, 4, 6, 6, 6))
        state["plan"] = [random.choice((None, [], _rolls(random), _rolls(random))) for _ in range(rounds)]
    return state


# -- actions -----------------------------------------------------------------------------------


def _place_opponent(random: Random) -> State:
    """Little is drawn from many: the colour wanted is mostly one of the three, the hex mostly its own."""
    colours = random.sample(WHEEL, 3)
    colour = random.choice((*colours, *colours, *colours, random.choice(WHEEL)))
    wanted = [h for h in HEXES if COLOUR[h] == colour]
    hex_ = random.choice(wanted if random.random() < 0.75 else HEXES)
    round_ = random.randint(1, 6)
    state: State = {
        "action": spelled(random, "action", random.choice(("place", "upgrade"))),
        "colour": spelled(random, "colour", colour),
        "hex": written_hex(random, hex_),
        "colours": [spelled(random, "colour", c) for c in colours],
        "round": round_,
    }
    if random.random() < 0.6:
        most = 8 if state["action"].casefold() == "place" else 7
        state["stock"] = {
            "dwelling": random.choice((0, 1, 4, most)),
            "trading_post": random.choice((0, 1, 4)),
        }
    if random.random() < 0.7:
        state["buildings"] = _buildings(random, hex_, colour)
    if random.random() < 0.6:
        state["done"] = [
            {
                "round": random.choice((round_, random.randint(1, 6))),
                "action": random.choice(("place", "upgrade")),
                "colour": random.choice((colour, random.choice(WHEEL))),
            }
            for _ in range(random.randint(0, 3))
        ]
    if random.random() < 0.4:
        changed = random.choice((hex_, random.choice(HEXES)))
        state["terrain"] = {
            written_hex(random, changed): spelled(random, "colour", random.choice((colour, *WHEEL)))
        }
    if random.random() < 0.4:
        state["house_rules"] = {"LIMIT": random.choice(("ROUND", "GAME", None))}
    return state


def _buildings(random: Random, hex_: str, colour: str) -> list[State]:
    """The hex wanted is often taken, often by a dwelling of the colour."""
    others = [h for h in HEXES if h != hex_]
    built = [
        {
            "hex": other,
            "colour": spelled(random, "colour", random.choice(WHEEL)),
            "building": spelled(random, "building", random.choice(BUILDINGS)),
        }
        for other in random.sample(others, random.randint(0, 4))
    ]
    if random.random() < 0.6:
        there = {"hex": hex_, "colour": colour, "building": "dwelling"}
        change = random.choice(("colour", "building", None, None))
        if change == "colour":
            there["colour"] = random.choice(WHEEL)
        elif change == "building":
            there["building"] = random.choice(BUILDINGS)
        built.insert(random.randint(0, len(built)), there)
    return built


# -- scoring -----------------------------------------------------------------------------------


def _network(random: Random) -> State:
    scenario = random.choice(SCENARIOS)
    sizes = NETWORK_SIZES[scenario]
    own = random.choice((random.randint(0, 17), random.randint(sizes[0] - 1, sizes[2] + 1)))
    return {"scenario": spelled(random, "scenario", scenario), "own_network": own}


def _cult_scores(random: Random) -> State:
    return {"scenario": _scenario(random), "cults": {cult: random.randint(0, 10) for cult in CULTS}}


_BY_ASK: dict[str, Callable[[Random], State]] = {
    "opponents": _opponents,
    "dwelling_count": _dwelling_count,
    "setup_dwellings": _setup_dwellings,
    "cults": _cults,
    "blocked_actions": _blocked_actions,
    "place_opponent": _place_opponent,
    "network": _network,
    "cult_scores": _cult_scores,
}


def of_ask(random: Random, ask: str) -> State:
    """A good state for one ask."""
    return _BY_ASK[ask](random)
