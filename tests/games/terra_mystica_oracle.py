"""The opponents of Terra Mystica by hand: what the contract wants, without any table.

Written from the contract alone, so that tables and engines are compared with something that shares
nothing with them. `answer` gives the answer of one ask or raises `Rejected` with the path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from tests.games.reading import Rejected, State
from tests.games.terra_mystica_board import COLOUR, HEXES, island, steps_from
from tests.games.terra_mystica_facts import (
    BLOCKED,
    CULT_VALUES,
    CULTS,
    NETWORK_SIZES,
    POWER_ACTIONS,
    RACES,
    WHEEL,
)
from tests.games.terra_mystica_reading import read

Answer = dict[str, Any]

NEEDS: dict[str, tuple[str, ...]] = {
    "opponents": ("own_race", "mode"),
    "dwelling_count": ("own_race",),
    "setup_dwellings": ("own_race", "own_dwellings", "colours"),
    "cults": ("scenario",),
    "blocked_actions": ("power_variant",),
    "place_opponent": ("action", "colour", "hex", "colours", "round"),
    "network": ("scenario", "own_network"),
    "cult_scores": ("scenario", "cults"),
}


def answer(ask: str | None, given: Any) -> Answer:
    """The answer to one ask; None asks for the opponents."""
    asked = "opponents" if ask is None else ask
    if asked not in _ASKS:
        raise Rejected("ask")
    state = read(given)
    for field in NEEDS[asked] + _needed_by_variant(asked, state):
        if field not in state:
            raise Rejected(f"state.{field}")
    return _ASKS[asked](state)


def _needed_by_variant(ask: str, state: State) -> tuple[str, ...]:
    variant = state.get("power_variant")
    if ask != "blocked_actions" or variant == "all":
        return ()
    return ("scenario", "round") if variant == "blocked_prerolled" else ("scenario",)


# -- the opponents' colours --------------------------------------------------------------------


def home(state: State) -> str:
    return RACES[state["own_race"]][0]


def at_spades(colour: str, spades: int) -> list[str]:
    """The two colours that far along the wheel, in the wheel's order."""
    place = WHEEL.index(colour)
    return sorted((WHEEL[(place + way) % 7] for way in (-spades, spades)), key=WHEEL.index)


def _opponents(state: State) -> Answer:
    choice = at_spades(home(state), 2)
    third = state.get("third_colour")
    if third is not None and third not in choice:
        raise Rejected("state.third_colour")
    by = {"random": "random", "weighed": "player"}[state["mode"]]
    found: Answer = {"forced": at_spades(home(state), 1), "third": third, "third_by": by}
    return found if third is not None else {**found, "any_of": {"third": choice}}


# -- dwellings at the start --------------------------------------------------------------------


def start_dwellings(race: str) -> int:
    return {"chaos_magicians": 1, "nomads": 3}.get(race, 2)


def _dwelling_count(state: State) -> Answer:
    n = start_dwellings(state["own_race"])
    return {"per_colour": n, "total": 3 * n, "stock_left": 8 - n}


def nearest(colour: str, near: str, taken: tuple[str, ...]) -> list[str]:
    """Where a dwelling may go: the nearest free hexes, of those on the same island if there are any."""
    steps = steps_from(near)
    free = [h for h in HEXES if COLOUR[h] == colour and h not in taken]
    closest = [h for h in free if steps[h] == min(steps[f] for f in free)]
    return [h for h in closest if h in island(near)] or closest


def outcomes(colour: str, own: list[str], taken: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every way in which the dwellings of a colour may have gone."""
    if len(taken) == len(own):
        yield taken
        return
    for hex_ in nearest(colour, own[len(taken)], taken):
        yield from outcomes(colour, own, (*taken, hex_))


def _setup_dwellings(state: State) -> Answer:
    own, colours = state["own_dwellings"], state["colours"]
    _check_setup(state)
    left = {colour: list(outcomes(colour, own)) for colour in colours}
    chosen: set[tuple[str, str]] = set()
    for n, pick in enumerate(state.get("picks", [])):
        colour, near = pick["colour"], pick["near"]
        if colour not in left:
            raise Rejected(f"state.picks[{n}].colour")
        if near not in own or (colour, near) in chosen:
            raise Rejected(f"state.picks[{n}].near")
        chosen.add((colour, near))
        left[colour] = [way for way in left[colour] if way[own.index(near)] == pick["hex"]]
        if not left[colour]:
            raise Rejected(f"state.picks[{n}].hex")
    return {
        "placements": [
            _placement(colour, near, {way[n] for way in left[colour]})
            for colour in colours
            for n, near in enumerate(own)
        ]
    }


def _placement(colour: str, near: str, hexes: set[str]) -> Answer:
    if len(hexes) == 1:
        return {"colour": colour, "near": near, "hex": next(iter(hexes))}
    return {"colour": colour, "near": near, "hex": None, "any_of": {"hex": sorted(hexes, key=HEXES.index)}}


def _check_setup(state: State) -> None:
    own, colours = state["own_dwellings"], state["colours"]
    if len(own) != start_dwellings(state["own_race"]):
        raise Rejected("state.own_dwellings")
    for n, hex_ in enumerate(own):
        if COLOUR[hex_] != home(state) or hex_ in own[:n]:
            raise Rejected(f"state.own_dwellings[{n}]")
    forced, choice = at_spades(home(state), 1), at_spades(home(state), 2)
    if len(colours) != 3 or sorted(colours) not in [sorted([*forced, third]) for third in choice]:
        raise Rejected("state.colours")


# -- cults and power actions -------------------------------------------------------------------


def _cults(state: State) -> Answer:
    race = state.get("own_race")
    own = None if race is None else dict(zip(CULTS, RACES[race][1], strict=True))
    return {"opponents": list(CULT_VALUES[state["scenario"]]), "own": own}


def _blocked_actions(state: State) -> Answer:
    variant = state["power_variant"]
    plan = state.get("plan", [])
    if len(plan) > 6:
        raise Rejected("state.plan")
    if variant == "all":
        return {"blocked": [], "free": list(POWER_ACTIONS), "missing": 0}
    rolls = state.get("rolls", [])
    if variant == "blocked_prerolled":
        rolls = dict(enumerate(plan, 1)).get(state["round"]) or []
    wanted = BLOCKED[state["scenario"]]
    blocked: set[str] = set()
    for roll in rolls:
        if len(blocked) < wanted:
            blocked.add(POWER_ACTIONS[roll - 1])
    left = [action for action in POWER_ACTIONS if action not in blocked]
    missing = wanted - len(blocked)
    found: Answer = {
        "blocked": [action for action in POWER_ACTIONS if action in blocked],
        "free": None if missing else left,
        "missing": missing,
    }
    return {**found, "any_of": {"blocked": left}} if missing else found


# -- the two new actions -----------------------------------------------------------------------


def _place_opponent(state: State) -> Answer:
    if len(state["colours"]) != 3 or len(set(state["colours"])) != 3:
        raise Rejected("state.colours")
    standing = _standing(state)
    recorded = state.get("stock")
    stock = recorded or _not_on_the_map(state, standing)
    reasons = [*_against_both(state), *_against({**state, "stock": stock}, standing)]
    change = {"place": (-1, 0), "upgrade": (1, -1)}[state["action"]]
    after = {
        "dwelling": stock["dwelling"] + change[0],
        "trading_post": stock["trading_post"] + change[1],
    }
    if recorded and not reasons and after["dwelling"] > 8:
        raise Rejected("state.stock.dwelling")
    return {"legal": not reasons, "reasons": reasons, "stock_after": None if reasons else after}


def _not_on_the_map(state: State, standing: dict[str, tuple[str, str]]) -> dict[str, int]:
    """Eight and four of a colour, whatever stands on the map."""
    built = Counter(building for colour, building in standing.values() if colour == state["colour"])
    return {piece: max(0, most - built[piece]) for piece, most in (("dwelling", 8), ("trading_post", 4))}


def _standing(state: State) -> dict[str, tuple[str, str]]:
    standing: dict[str, tuple[str, str]] = {}
    for n, one in enumerate(state.get("buildings", [])):
        if one["hex"] in standing:
            raise Rejected(f"state.buildings[{n}].hex")
        standing[one["hex"]] = (one["colour"], one["building"])
    return standing


def _against_both(state: State) -> Iterator[str]:
    if state["colour"] not in state["colours"]:
        yield "not_opponent"
    whole_game = state.get("house_rules", {}).get("LIMIT", "ROUND") == "GAME"
    for one in state.get("done", []):
        same = (one["action"], one["colour"]) == (state["action"], state["colour"])
        if same and (whole_game or one["round"] == state["round"]):
            yield "already_done"
            return


def _against(state: State, standing: dict[str, tuple[str, str]]) -> Iterator[str]:
    hex_, colour, stock = state["hex"], state["colour"], state["stock"]
    if state["action"] == "place":
        if state.get("terrain", {}).get(hex_, COLOUR[hex_]) != colour:
            yield "wrong_colour"
        if hex_ in standing:
            yield "occupied"
        if stock["dwelling"] == 0:
            yield "no_dwelling_left"
    else:
        if standing.get(hex_) != (colour, "dwelling"):
            yield "no_dwelling_there"
        if stock["trading_post"] == 0:
            yield "no_trading_post_left"


# -- scoring -----------------------------------------------------------------------------------


def shared_prize(own: int, others: tuple[int, ...], prizes: tuple[int, ...]) -> int:
    """The prizes of the places that those with the same number take together, shared; fixed values
    differ, so at most one is tied with."""
    first = sum(other > own for other in others)
    taken = [*prizes, 0][first : first + 1 + others.count(own)]
    return sum(taken) // len(taken)


def _network(state: State) -> Answer:
    own, sizes = state["own_network"], NETWORK_SIZES[state["scenario"]]
    return {
        "points": shared_prize(own, sizes, (18, 12, 6)),
        "rank": 1 + sum(size > own for size in sizes),
        "tied": own in sizes,
    }


def _cult_scores(state: State) -> Answer:
    values = CULT_VALUES[state["scenario"]]
    points = {cult: shared_prize(state["cults"][cult], values, (8, 4, 2)) for cult in CULTS}
    return {"points": points, "total": sum(points.values())}


_ASKS: dict[str, Callable[[State], Answer]] = {
    "opponents": _opponents,
    "dwelling_count": _dwelling_count,
    "setup_dwellings": _setup_dwellings,
    "cults": _cults,
    "blocked_actions": _blocked_actions,
    "place_opponent": _place_opponent,
    "network": _network,
    "cult_scores": _cult_scores,
}
