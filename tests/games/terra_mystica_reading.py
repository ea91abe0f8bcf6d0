"""Reading a record of Terra Mystica by hand: fields, kinds of values, what is missing.

`read` gives the state with ids in place of labels, or raises `Rejected` with the path.
"""

from __future__ import annotations

from typing import Any

from tests.games.reading import Reader, each, map_of, name, or_null, read_state, switches, whole, whole_object
from tests.games.terra_mystica_board import HEXES
from tests.games.terra_mystica_facts import CULTS, LABELS

_HEX = name(dict.fromkeys(HEXES, ()))
_COLOUR = name(LABELS["colour"])
_ACTION = name(LABELS["action"])
_DIE = whole(1, 6)
FIELDS: dict[str, Reader] = {
    "own_race": name(LABELS["race"]),
    "mode": name(LABELS["mode"]),
    "third_colour": _COLOUR,
    "own_dwellings": each(_HEX),
    "colours": each(_COLOUR),
    "picks": each(whole_object({"colour": _COLOUR, "near": _HEX, "hex": _HEX})),
    "scenario": name(LABELS["scenario"]),
    "power_variant": name(LABELS["power_variant"]),
    "rolls": each(_DIE),
    "plan": each(or_null(each(_DIE))),
    "round": whole(1, 6),
    "action": _ACTION,
    "colour": _COLOUR,
    "hex": _HEX,
    "stock": whole_object({"dwelling": whole(0, 8), "trading_post": whole(0, 4)}),
    "done": each(whole_object({"round": whole(1, 6), "action": _ACTION, "colour": _COLOUR})),
    "buildings": each(whole_object({"hex": _HEX, "colour": _COLOUR, "building": name(LABELS["building"])})),
    "terrain": map_of(_HEX, _COLOUR),
    "own_network": whole(0, 17),
    "cults": whole_object({cult: whole(0, 10) for cult in CULTS}),
    "house_rules": switches({"LIMIT": ("ROUND", "GAME")}),
}


def read(given: Any) -> dict[str, Any]:
    return read_state(given, FIELDS)
