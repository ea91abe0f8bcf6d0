"""Reading a record of Concordia by hand: fields, what each ask needs, what cannot be."""

from __future__ import annotations

from typing import Any

from tests.games.concordia_facts import LABELS, MAPS
from tests.games.reading import (
    Reader,
    State,
    each,
    map_of,
    name,
    or_null,
    read_state,
    reject_if,
    switches,
    whole,
)

SWITCHES = {"PAIR": ("PREFER_PAIR", "GREEDY_RIGHT"), "PAY": ("TYPE", "HIGHEST", "MATCH")}

FIELDS: dict[str, Reader] = {
    "dice_mode": name(LABELS["dice_mode"]),
    "map": name(LABELS["map"]),
    "action_roll": whole(1, 12),
    "goods_rolls": each(whole(1, 12)),
    "goods": map_of(name(LABELS["good"]), whole(0, 12)),
    "colonists_stored": whole(0, 4),
    "city_goods": map_of(name(LABELS["city"]), name(LABELS["good"])),
    "ai_houses": each(name(LABELS["city"])),
    "player_houses": each(name(LABELS["city"])),
    "display": each(or_null(name(LABELS["card"]))),
    "city_pick": name(LABELS["city"]),
    "end_triggered_by": name(LABELS["side"]),
    "took": name(LABELS["prefect choice"]),
    "last_card": name(LABELS["played card"]),
    "table": name(LABELS["dice table"]),
    "roll": whole(1, 12),
    "house_rules": switches(SWITCHES),
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
    state = read_state(given, FIELDS, NEEDS[ask])
    if "city_goods" in NEEDS[ask]:
        for city in MAPS[state["map"]]:
            reject_if(city not in state["city_goods"], f"state.city_goods.{city}")
    complete = {**DEFAULTS, **state}
    _check(complete)
    return complete


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
