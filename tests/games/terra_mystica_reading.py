"""Reading a record of Terra Mystica by hand: fields, kinds of values, what is missing.

`read` gives the state with ids in place of labels, or raises `Rejected` with the path.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from tests.games.terra_mystica_board import HEXES
from tests.games.terra_mystica_facts import CULTS, LABELS

State = Mapping[str, Any]
Reader = Callable[[Any, str], Any]


class Rejected(Exception):
    """The record is no good at `path`."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(path)


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c) and c not in " _")


def name(kind: str) -> Reader:
    labels = LABELS[kind] if kind != "hex" else dict.fromkeys(HEXES, ())
    known = {_folded(spelling): id_ for id_, more in labels.items() for spelling in (id_, *more)}

    def read(value: Any, path: str) -> str:
        if not isinstance(value, str) or _folded(value) not in known:
            raise Rejected(path)
        return known[_folded(value)]

    return read


def whole(low: int, high: int) -> Reader:
    def read(value: Any, path: str) -> int:
        if type(value) is not int or not low <= value <= high:
            raise Rejected(path)
        return value

    return read


def each(item: Reader) -> Reader:
    def read(value: Any, path: str) -> list[Any]:
        if not isinstance(value, list):
            raise Rejected(path)
        return [item(element, f"{path}[{n}]") for n, element in enumerate(value)]

    return read


def unless_null(reader: Reader) -> Reader:
    return lambda value, path: None if value is None else reader(value, path)


def whole_object(fields: Mapping[str, Reader]) -> Reader:
    """Every key is needed, no other is known."""

    def read(given: Any, path: str) -> dict[str, Any]:
        found = some_object(fields)(given, path)
        for key in fields:
            if key not in found:
                raise Rejected(f"{path}.{key}")
        return found

    return read


def some_object(fields: Mapping[str, Reader]) -> Callable[[Any, str], dict[str, Any]]:
    def read(given: Any, path: str) -> dict[str, Any]:
        if not isinstance(given, dict):
            raise Rejected(path)
        found = {}
        for key, value in given.items():
            if key not in fields:
                raise Rejected(f"{path}.{key}")
            if value is not None:
                found[key] = fields[key](value, f"{path}.{key}")
        return found

    return read


def _terrain(given: Any, path: str) -> dict[str, str]:
    if not isinstance(given, dict):
        raise Rejected(path)
    found = {}
    for key, value in given.items():
        hex_ = name("hex")(key, f"{path}.{key}")
        if value is not None:
            found[hex_] = name("colour")(value, f"{path}.{key}")
    return found


def _limit(value: Any, path: str) -> str:
    if value not in ("ROUND", "GAME"):
        raise Rejected(path)
    return str(value)


_DIE = whole(1, 6)
FIELDS: dict[str, Reader] = {
    "own_race": name("race"),
    "mode": name("mode"),
    "third_colour": name("colour"),
    "own_dwellings": each(name("hex")),
    "colours": each(name("colour")),
    "picks": each(whole_object({"colour": name("colour"), "near": name("hex"), "hex": name("hex")})),
    "scenario": name("scenario"),
    "power_variant": name("power_variant"),
    "rolls": each(_DIE),
    "plan": each(unless_null(each(_DIE))),
    "round": whole(1, 6),
    "action": name("action"),
    "colour": name("colour"),
    "hex": name("hex"),
    "stock": whole_object({"dwelling": whole(0, 8), "trading_post": whole(0, 4)}),
    "done": each(whole_object({"round": whole(1, 6), "action": name("action"), "colour": name("colour")})),
    "buildings": each(
        whole_object({"hex": name("hex"), "colour": name("colour"), "building": name("building")})
    ),
    "terrain": _terrain,
    "own_network": whole(0, 17),
    "cults": whole_object({cult: whole(0, 10) for cult in CULTS}),
    "house_rules": some_object({"LIMIT": _limit}),
}


def read(given: Any) -> dict[str, Any]:
    return some_object(FIELDS)(given, "state")
