"""Random records of Concordia that the contract allows, with every rule within reach."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tests.games import concordia_oracle as oracle
from tests.games.concordia_facts import CARDS, GOODS, LABELS, MAPS
from tests.games.concordia_state import NEEDS, STORAGE

State = dict[str, Any]
Record = tuple[str, State]

ASKS = (*("turn",) * 12, *("final_action",) * 4, "prefect", "diplomat", "dice")


def good(random: Random) -> Record:
    ask = random.choice(ASKS)
    state = _BY_ASK[ask](random)
    if random.random() < 0.3:
        state["house_rules"] = _house_rules(random)
    if random.random() < 0.2:
        state |= _of_no_matter(random)
    if ask in ("turn", "final_action"):
        state |= _picked(random, ask, state)
    if random.random() < 0.1:
        state |= dict.fromkeys((f for f in ("took", "last_card", "roll") if f not in state), None)
    return ask, {field: state[field] for field in random.sample(sorted(state), len(state))}


# -- parts -------------------------------------------------------------------------------------


def spelled(random: Random, kind: str, name: str) -> str:
    """The id, or now and then one of its labels."""
    labels = LABELS[kind][name]
    if not labels or random.random() < 0.8:
        return name
    return random.choice((str.upper, str.lower, str.title))(random.choice(labels))


def _house_rules(random: Random) -> State:
    rules = {"PAIR": random.choice(("GREEDY_RIGHT", "PREFER_PAIR", None)), "PAY": None}
    return random.choice(
        (rules, {"PAY": "HIGHEST"}, {"PAY": "MATCH"}, {"PAY": "TYPE", "PAIR": "GREEDY_RIGHT"}, {})
    )


def _total(random: Random, state: State) -> int:
    return random.randint(2 if state.get("dice_mode") == "2d6" else 1, 12)


def _dice_mode(random: Random) -> State:
    return random.choice(({}, {"dice_mode": "d12"}, {"dice_mode": "2d6"}))


def _goods(random: Random, room: int) -> State:
    """Often none, few, only cheap ones, or as many as there is room for."""
    kinds: Sequence[str] = random.choice((GOODS, GOODS, GOODS[:2], GOODS[:1], random.sample(GOODS, 2)))
    count = random.choice((0, random.randint(0, 3), random.randint(0, room), room, room, max(0, room - 1)))
    taken = [random.choice(kinds) for _ in range(count)]
    counts = {g: taken.count(g) for g in random.sample(GOODS, len(GOODS))}
    return {spelled(random, "good", g): n for g, n in counts.items() if n or random.random() < 0.1}


def _city_goods(random: Random, board: str) -> State:
    """All types, or so few that a type may run out of cities."""
    kinds: Sequence[str] = random.choice((GOODS, GOODS, random.sample(GOODS, 2), GOODS[3:], GOODS[:2]))
    rare = random.choice(GOODS)
    cities = [(city, random.choice(kinds)) for city in MAPS[board]]
    for n in random.sample(range(len(cities)), random.randint(0, 2)):
        cities[n] = (cities[n][0], rare)
    random.shuffle(cities)
    return {city: spelled(random, "good", g) for city, g in cities}


def _houses(random: Random, board: str, cities: State) -> State:
    """None, some, or all of some types of city."""
    names = list(MAPS[board])
    full = [c for c in names if cities[c] in random.sample(GOODS, random.randint(0, 5))]
    many = random.choice(((), random.sample(names, random.randint(0, 8)), full, full))
    others = random.choice(((), random.sample(names, random.randint(0, 12)), names, full))
    return {
        "ai_houses": random.sample(sorted(many), len(many)),
        "player_houses": random.sample(sorted(others), len(others)),
    }


def _display(random: Random) -> list[str | None]:
    filled = random.choice((0.2, 0.6, 1.0))
    count = random.choice((0, random.randint(0, 7), 7))
    cards = (random.choice(list(CARDS)) for _ in range(count))
    return [spelled(random, "card", card) if random.random() < filled else None for card in cards]


def _table(random: Random) -> State:
    board = random.choice(tuple(MAPS))
    stored = random.choice((0, 0, random.randint(0, 4)))
    cities = _city_goods(random, board)
    state = {"map": board, "colonists_stored": stored, "city_goods": cities}
    state["goods"] = _goods(random, STORAGE - stored)
    if random.random() < 0.8:
        state |= _houses(random, board, cities)
    if random.random() < 0.8:
        state["display"] = _display(random)
    return state


# -- asks --------------------------------------------------------------------------------------


def _turn(random: Random) -> State:
    state = _table(random) | _dice_mode(random)
    if random.random() < 0.95:
        state["action_roll"] = _total(random, state)
    if random.random() < 0.6:
        state["goods_rolls"] = [_total(random, state) for _ in range(random.randint(0, 3))]
    return state


def _final_action(random: Random) -> State:
    return _table(random) | {"end_triggered_by": random.choice(("player", "player", "player", "ai"))}


def _prefect(random: Random) -> State:
    took = random.choice(("money", "goods"))
    return {"map": random.choice(tuple(MAPS)), "took": took, "colonists_stored": random.randint(0, 4)}


def _diplomat(random: Random) -> State:
    played = LABELS["played card"]
    card = random.choice(("diplomat", *played))
    return random.choice(({}, {"last_card": None}, {"last_card": spelled(random, "played card", card)}))


def _dice(random: Random) -> State:
    state = _dice_mode(random) | {"table": random.choice(("action", "good"))}
    return state | {"roll": _total(random, state)}


def _of_no_matter(random: Random) -> State:
    """Fields that the ask does not read, or that make no difference to it."""
    fields: State = {"took": "goods", "last_card": "senator", "table": "good", "roll": 12}
    return (
        {field: fields[field] for field in random.sample(sorted(fields), 1)} if random.random() < 0.5 else {}
    )


def _picked(random: Random, ask: str, state: State) -> State:
    """A city that may be picked, where there is a choice; any other where no house is built."""
    house = oracle.answer(ask, state)["house"]
    if house is None:
        return {"city_pick": random.choice(list(MAPS[state["map"]]))} if random.random() < 0.2 else {}
    cities = house["any_of"]["city"] if "any_of" in house else [house["city"]]
    return {"city_pick": random.choice(cities)} if random.random() < 0.4 else {}


_BY_ASK: dict[str, Callable[[Random], State]] = {
    "turn": _turn,
    "final_action": _final_action,
    "prefect": _prefect,
    "diplomat": _diplomat,
    "dice": _dice,
}
assert set(_BY_ASK) == set(NEEDS)
