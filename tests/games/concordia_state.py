"""Reading a record of Concordia by hand: fields, what each ask needs, what cannot be."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from tests.games.concordia_facts import LABELS, MAPS

State = Mapping[str, Any]
Reader = Callable[[Any, str], Any]


class Rejected(Exception):
    """The record is no good at `path`."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(path)


def reject_if(wrong: bool, path: str) -> None:
    if wrong:
        raise Rejected(path)


# -- kinds of values ---------------------------------------------------------------------------


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c) and c not in " _")


def _name(kind: str) -> Reader:
    known = {_folded(spelling): id_ for id_, labels in LABELS[kind].items() for spelling in (id_, *labels)}

    def read(value: Any, path: str) -> str:
        reject_if(not isinstance(value, str) or _folded(value) not in known, path)
        return known[_folded(value)]

    return read


def _whole(low: int, high: int) -> Reader:
    def read(value: Any, path: str) -> int:
        reject_if(type(value) is not int or not low <= value <= high, path)
        return int(value)

    return read


def _list(item: Reader) -> Reader:
    def read(value: Any, path: str) -> list[Any]:
        reject_if(not isinstance(value, list), path)
        return [item(element, f"{path}[{n}]") for n, element in enumerate(value)]

    return read


def _or_null(item: Reader) -> Reader:
    return lambda value, path: None if value is None else item(value, path)


def _map(key: Reader, value: Reader) -> Reader:
    def read(given: Any, path: str) -> dict[str, Any]:
        reject_if(not isinstance(given, dict), path)
        return {key(k, f"{path}.{k}"): value(v, f"{path}.{k}") for k, v in given.items() if v is not None}

    return read


SWITCHES = {"PAIR": ("PREFER_PAIR", "GREEDY_RIGHT"), "PAY": ("TYPE", "HIGHEST")}


def _switches(given: Any, path: str) -> dict[str, str]:
    reject_if(not isinstance(given, dict), path)
    for key, value in given.items():
        reject_if(key not in SWITCHES or value not in (*SWITCHES[key], None), f"{path}.{key}")
    return {key: value for key, value in given.items() if value is not None}


# -- the record --------------------------------------------------------------------------------

FIELDS: dict[str, Reader] = {
    "dice_mode": _name("dice_mode"),
    "map": _name("map"),
    "action_roll": _whole(1, 12),
    "goods_rolls": _list(_whole(1, 12)),
    "goods": _map(_name("good"), _whole(0, 12)),
    "colonists_stored": _whole(0, 4),
    "city_goods": _map(_name("city"), _name("good")),
    "ai_houses": _list(_name("city")),
    "player_houses": _list(_name("city")),
    "display": _list(_or_null(_name("card"))),
    "city_pick": _name("city"),
    "end_triggered_by": _name("side"),
    "took": _name("prefect choice"),
    "last_card": _name("played card"),
    "table": _name("dice table"),
    "roll": _whole(1, 12),
    "house_rules": _switches,
}

DEFAULTS: State = {
    "dice_mode": "d12",
    "goods_rolls": [],
    "goods": {},
    "ai_houses": [],
    "player_houses": [],
    "display": [],
    "house_rules": {},
}

NEEDS = {
    "turn": ("map", "colonists_stored", "city_goods"),
    "final_action": ("map", "colonists_stored", "city_goods", "end_triggered_by"),
    "prefect": ("map", "took", "colonists_stored"),
    "diplomat": (),
    "dice": ("table", "roll"),
}
STORAGE = 12


def read(ask: str, given: Any) -> State:
    """The record with its defaults, or the place where it is wrong."""
    reject_if(not isinstance(given, dict), "state")
    state = {}
    for key, value in given.items():
        reject_if(key not in FIELDS, f"state.{key}")
        if value is not None:
            state[key] = FIELDS[key](value, f"state.{key}")
    for field in NEEDS[ask]:
        reject_if(field not in state, f"state.{field}")
    if "city_goods" in NEEDS[ask]:
        for city in MAPS[state["map"]]:
            reject_if(city not in state["city_goods"], f"state.city_goods.{city}")
    whole = {**DEFAULTS, **state}
    _check(whole)
    return whole


def _check(state: State) -> None:
    for field in ("ai_houses", "player_houses"):
        for n, city in enumerate(state[field]):
            elsewhere = "map" in state and city not in MAPS[state["map"]]
            reject_if(elsewhere or city in state[field][:n], f"state.{field}[{n}]")
    for city in state.get("city_goods", {}):
        reject_if("map" in state and city not in MAPS[state["map"]], f"state.city_goods.{city}")
    stored = sum(state["goods"].values()) + state.get("colonists_stored", 0)
    reject_if(stored > STORAGE, "state.goods")
    reject_if(len(state["display"]) > 7, "state.display")
    if state["dice_mode"] == "2d6":
        reject_if(state.get("action_roll") == 1, "state.action_roll")
        reject_if(state.get("roll") == 1, "state.roll")
        for n, roll in enumerate(state["goods_rolls"]):
            reject_if(roll == 1, f"state.goods_rolls[{n}]")
