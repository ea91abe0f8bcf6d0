"""The AI of Concordia by hand: what the contract wants, without any table.

Written from the contract alone, so that tables and engines are compared with something that shares
nothing with them. `answer` gives the answer of one ask or raises `Rejected` with the path.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

from tests.games.concordia_facts import ACTIONS, CARDS, GOODS, MAPS, SLOTS, STARTS
from tests.games.concordia_state import NEEDS, STORAGE, read
from tests.games.reading import State, reject_if

Answer = dict[str, Any]
FIELDS = ("action", "path", "goods_taken", "house", "paid", "cards", "colonist")

ACTION_DICE = {"2d6": ((2, 5), (6, 8), (9, 12)), "d12": ((1, 4), (8, 12), (5, 7))}
"""Totals of build, take and buy."""
GOODS_DICE = {
    "2d6": ((2, 4), (5, 6), (7, 8), (9, 10), (11, 12)),
    "d12": ((1, 4), (5, 6), (7, 8), (9, 10), (11, 12)),
}


def answer(ask: str | None, given: Any) -> Answer:
    """The answer to one ask; None asks for the turn."""
    asked = "turn" if ask is None else ask
    reject_if(asked not in NEEDS, "ask")
    state = read(asked, given)
    match asked:
        case "turn":
            return _turn(state)
        case "final_action":
            return _final_action(state)
        case "prefect":
            return _prefect(state)
        case "diplomat":
            last = state.get("last_card")
            return {"copies": None if last == "diplomat" else last}
        case _:
            return _dice(state)


# -- dice --------------------------------------------------------------------------------------


def action_of(state: State, roll: int) -> str:
    ranges = ACTION_DICE[state["dice_mode"]]
    return next(a for a, (low, high) in zip(ACTIONS, ranges, strict=True) if low <= roll <= high)


def good_of(state: State, roll: int) -> str:
    ranges = GOODS_DICE[state["dice_mode"]]
    return next(g for g, (low, high) in zip(GOODS, ranges, strict=True) if low <= roll <= high)


def lower(good: str) -> str:
    return GOODS[max(0, GOODS.index(good) - 1)]


def _dice(state: State) -> Answer:
    if state["table"] == "action":
        return {"table": "action", "result": action_of(state, state["roll"]), "second": None}
    good = good_of(state, state["roll"])
    return {"table": "good", "result": good, "second": lower(good)}


# -- the storehouse ----------------------------------------------------------------------------


def held(state: State) -> Counter[str]:
    return Counter({g: n for g, n in state["goods"].items() if n})


def free(state: State) -> int:
    stored: int = state["colonists_stored"] + sum(state["goods"].values())
    return STORAGE - stored


def cheapest(stock: Counter[str]) -> str | None:
    return next((g for g in GOODS if stock[g] > 0), None)


# -- BUILD -------------------------------------------------------------------------------------


def build(state: State) -> Answer | None:
    """House and payment; None where nothing can be built."""
    stock = held(state)
    if not stock:
        return None
    highest = max(stock, key=GOODS.index)
    for good in reversed(GOODS[: GOODS.index(highest) + 1]):
        cities = [c for c in MAPS[state["map"]] if state["city_goods"][c] == good]
        empty = [c for c in cities if c not in state["ai_houses"] and c not in state["player_houses"]]
        shared = [c for c in cities if c in state["player_houses"] and c not in state["ai_houses"]]
        reading = state["house_rules"].get("PAY", "TYPE")
        if reading == "MATCH" and not stock[good]:
            continue
        paid = [good if reading != "HIGHEST" and stock[good] else highest]
        if empty:
            return {"house": _house(state, good, False, empty), "paid": dict(Counter(paid))}
        second = cheapest(stock - Counter(paid))
        if shared and second is not None:
            return {"house": _house(state, good, True, shared), "paid": dict(Counter([*paid, second]))}
    return None


def _house(state: State, good: str, occupied: bool, cities: list[str]) -> Answer:
    found = best_cities(state, cities)
    pick = state.get("city_pick")
    reject_if(pick is not None and pick not in found, "state.city_pick")
    house: Answer = {"city": None, "type": good, "occupied": occupied}
    if pick is not None or len(found) == 1:
        return house | {"city": pick or found[0]}
    return house | {"any_of": {"city": found}}


def best_cities(state: State, cities: list[str]) -> list[str]:
    board = MAPS[state["map"]]
    settled = {board[c].province for c in state["ai_houses"]}
    left = [c for c in cities if board[c].province not in settled] or cities
    nearest = min(board[c].paths for c in left)
    return [c for c in left if board[c].paths == nearest]


# -- BUY ---------------------------------------------------------------------------------------


def pay(state: State, slots: list[int]) -> Counter[str] | None:
    """What the cards of these slots cost together; None where the goods are not enough."""
    named = Counter(good for slot in slots for good in CARDS[state["display"][slot]])
    named["cloth"] += sum(SLOTS[slot][1] for slot in slots)
    left = held(state)
    for good, count in named.items():
        if left[good] < count:
            return None
        left[good] -= count
    paid = +named
    for _ in range(sum(SLOTS[slot][0] for slot in slots)):
        cheap = cheapest(left)
        if cheap is None:
            return None
        left[cheap] -= 1
        paid[cheap] += 1
    return paid


def buy(state: State, most: int) -> Answer | None:
    """Cards in the order bought, and payment; None where no card can be bought."""
    slots = choose(state, most)
    if not slots:
        return None
    paid = pay(state, slots)
    assert paid is not None
    cards = [{"slot": slot + 1, "card": state["display"][slot]} for slot in slots]
    return {"cards": cards, "paid": {g: paid[g] for g in GOODS if paid[g]}}


def choose(state: State, most: int) -> list[int]:
    full = [slot for slot in reversed(range(len(state["display"]))) if state["display"][slot] is not None]
    single = next((slot for slot in full if pay(state, [slot]) is not None), None)
    if single is None:
        return []
    if most == 2:
        rights = full
        if state["house_rules"].get("PAIR", "PREFER_PAIR") == "GREEDY_RIGHT":
            rights = [single]
        for right, left in product(rights, full):
            if left < right and pay(state, [right, left]) is not None:
                return [right, left]
    return [single]


# -- turn --------------------------------------------------------------------------------------


def _result(action: str | None, path: list[str], **more: Any) -> Answer:
    nothing: Answer = {"goods_taken": [], "house": None, "paid": {}, "cards": [], "colonist": None}
    return {"action": action, "path": path, **nothing, **more}


def _turn(state: State) -> Answer:
    if "action_roll" not in state:
        return {**dict.fromkeys(FIELDS), "any_of": {"action": list(ACTIONS)}}
    match action_of(state, state["action_roll"]):
        case "build":
            if not held(state):
                return _rolled(state, "build", ["build", "take_bonus"], 2)
            return _built(state, "build", ["build"])
        case "take":
            return _take(state)
        case _:
            bought = buy(state, 2)
            if bought is not None:
                return _result("buy", ["buy"], **bought)
            if free(state) == 0:
                return _built(state, "buy", ["buy", "build"])
            return _rolled(state, "buy", ["buy", "two_goods"], 2)


def _take(state: State) -> Answer:
    if free(state) > 0:
        return _rolled(state, "take", ["take"], 1)
    if state["colonists_stored"] > 0:
        return _result("take", ["take", "colonist"], colonist=STARTS[state["map"]])
    bought = buy(state, 1)
    if bought is not None:
        return _result("take", ["take", "buy_one"], **bought)
    return _built(state, "take", ["take", "buy_one", "build"])


def _built(state: State, action: str, path: list[str]) -> Answer:
    built = build(state)
    return _result(action, [*path, "none"]) if built is None else _result(action, path, **built)


def _rolled(state: State, action: str, path: list[str], count: int) -> Answer:
    room = min(count, free(state))
    if state["goods_rolls"]:
        good = good_of(state, state["goods_rolls"][0])
        return _result(action, path, goods_taken=[good, lower(good)][:room])
    possible = [[good, lower(good)][:room] for good in GOODS]
    return _result(action, path, goods_taken=None, any_of={"goods_taken": possible})


def _final_action(state: State) -> Answer:
    if state["end_triggered_by"] == "ai":
        return _result(None, ["none"])
    bought = buy(state, 2)
    if bought is not None:
        return _result("buy", ["buy"], **bought)
    built = build(state)
    if built is not None:
        return _result("build", ["build"], **built)
    if free(state) > 0:
        return _result("take", ["take_cloth"], goods_taken=["cloth"])
    return _result(None, ["none"])


def _prefect(state: State) -> Answer:
    stored = state["colonists_stored"]
    if state["took"] == "money" and stored > 0:
        return {"colonist": STARTS[state["map"]], "stored_after": stored - 1}
    return {"colonist": None, "stored_after": stored}


def following(ask: str | None, given: Any) -> list[str]:
    """What the player's own card demands of the AI."""
    return ["prefect"] if ask == "diplomat" and answer(ask, given)["copies"] == "prefect" else []
