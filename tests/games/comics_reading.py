"""Records of the Age of Comics solo game read by hand: what a state may hold, and where it is wrong."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from tests.games.comics_facts import LABELS, SWITCHES

State = Mapping[str, Any]
Reader = Callable[[Any, str], Any]


class Rejected(Exception):
    """The record is no good at `path`."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(path)


# -- readers -----------------------------------------------------------------------------------


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c) and c not in " _")


def _name(kind: str) -> Reader:
    known = {_folded(spelling): id_ for id_, labels in LABELS[kind].items() for spelling in (id_, *labels)}

    def read(value: Any, path: str) -> str:
        if not isinstance(value, str) or _folded(value) not in known:
            raise Rejected(path)
        return known[_folded(value)]

    return read


def _whole(low: int, high: int) -> Reader:
    def read(value: Any, path: str) -> int:
        if type(value) is not int or not low <= value <= high:
            raise Rejected(path)
        return value

    return read


def _truth(value: Any, path: str) -> bool:
    if not isinstance(value, bool):
        raise Rejected(path)
    return value


def _or_null(item: Reader) -> Reader:
    def read(value: Any, path: str) -> Any:
        return None if value is None else item(value, path)

    return read


def _list(item: Reader) -> Reader:
    def read(value: Any, path: str) -> list[Any]:
        if not isinstance(value, list):
            raise Rejected(path)
        return [item(element, f"{path}[{n}]") for n, element in enumerate(value)]

    return read


def _object(**fields: Reader | tuple[Reader, Any]) -> Reader:
    """Fields with a default stand with it; the others are needed."""

    def read(value: Any, path: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Rejected(path)
        for key in value:
            if key not in fields:
                raise Rejected(f"{path}.{key}")
        found = {}
        for key, field in fields.items():
            reader, default = field if isinstance(field, tuple) else (field, _NEEDED)
            if value.get(key) is not None:
                found[key] = reader(value[key], f"{path}.{key}")
            elif default is _NEEDED:
                raise Rejected(f"{path}.{key}")
            else:
                found[key] = default
        return found

    return read


_NEEDED = object()


def _map(key: Reader, value: Reader) -> Reader:
    def read(given: Any, path: str) -> dict[str, Any]:
        if not isinstance(given, dict):
            raise Rejected(path)
        return {key(k, f"{path}.{k}"): value(v, f"{path}.{k}") for k, v in given.items() if v is not None}

    return read


def _switches(given: Any, path: str) -> dict[str, str]:
    if not isinstance(given, dict):
        raise Rejected(path)
    for key, value in given.items():
        if key not in SWITCHES or (value is not None and value not in SWITCHES[key]):
            raise Rejected(f"{path}.{key}")
    defaults = {key: values[0] for key, values in SWITCHES.items()}
    return defaults | {key: value for key, value in given.items() if value is not None}


# -- the state ---------------------------------------------------------------------------------

_GENRE = _name("genre")
_VALUE = _whole(1, 3)
_FANS = _whole(0, 99)
_ON_DISPLAY = _list(_or_null(_object(genre=_GENRE, value=_VALUE)))

FIELDS: dict[str, Reader] = {
    "level": _whole(1, 3),
    "round": _whole(1, 5),
    "card": _list(_name("card action")),
    "priority": _list(_GENRE),
    "editors": _list(_object(action=_name("action"), space=_whole(1, 3), owner=_name("side"))),
    "writers": _ON_DISPLAY,
    "artists": _ON_DISPLAY,
    "comics": _list(_or_null(_GENRE)),
    "ideas_on_board": _list(_GENRE),
    "automa_creatives": _list(_object(type=_name("creative"), genre=_GENRE, value=_VALUE)),
    "automa_comics": _list(_GENRE),
    "automa_printed": _list(_object(genre=_GENRE, kind=_name("kind"), fans=_FANS)),
    "player_printed": _list(
        _object(
            genre=_GENRE, kind=_name("kind"), ripped=(_truth, False), fans=(_FANS, 0), hype=(_truth, False)
        )
    ),
    "mastery": _map(_GENRE, _name("owner")),
    "orders": _list(_object(genre=_GENRE, value=(_whole(3, 6), None), up=_truth)),
    "automa_chart_points": _whole(0, 200),
    "player_points": _whole(-100, 400),
    "challenges": _list(_name("challenge")),
    "money": _whole(0, 999),
    "orders_filled": _whole(0, 999),
    "points": _whole(-400, 400),
    "house_rules": _switches,
}

_LISTS = (
    *("editors", "writers", "artists", "comics", "ideas_on_board", "orders", "challenges"),
    *("automa_creatives", "automa_comics", "automa_printed", "player_printed"),
)

DEFAULTS: State = {
    **{field: [] for field in _LISTS},
    "mastery": {},
    "money": 0,
    "orders_filled": 0,
    "house_rules": {key: values[0] for key, values in SWITCHES.items()},
}

NEEDS = {
    "turn": ("level", "round", "card", "priority"),
    "reshuffle": ("round",),
    "challenges": ("challenges",),
    "final": ("level", "player_points", "automa_chart_points"),
    "title": ("points",),
}


def read(ask: str, given: Any) -> State:
    """The whole state with its defaults, or Rejected."""
    if not isinstance(given, dict):
        raise Rejected("state")
    state = {}
    for key, value in given.items():
        if key not in FIELDS:
            raise Rejected(f"state.{key}")
        if value is not None:
            state[key] = FIELDS[key](value, f"state.{key}")
    for field in NEEDS[ask]:
        if field not in state:
            raise Rejected(f"state.{field}")
    _check(state)
    return {**DEFAULTS, **state}


def _check(state: State) -> None:
    for field, length in (("card", 3), ("priority", 6)):
        if field in state and (len(state[field]) != length or len(set(state[field])) != length):
            raise Rejected(f"state.{field}")
    for field in ("ideas_on_board", "challenges"):
        names = state.get(field, [])
        for n, name in enumerate(names):
            if name in names[:n]:
                raise Rejected(f"state.{field}[{n}]")
    places = [(e["action"], e["space"]) for e in state.get("editors", [])]
    for n, place in enumerate(places):
        if place in places[:n]:
            raise Rejected(f"state.editors[{n}].space")
    for n, order in enumerate(state.get("orders", [])):
        if order["up"] and order["value"] is None:
            raise Rejected(f"state.orders[{n}].value")
