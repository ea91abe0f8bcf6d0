"""Records of the Age of Comics solo game read by hand: what a state may hold, and where it is wrong."""

from __future__ import annotations

from typing import Any

from tests.games.comics_facts import LABELS, SWITCHES
from tests.games.reading import (
    Reader,
    Rejected,
    State,
    each,
    map_of,
    name,
    or_null,
    read_state,
    switches,
    truth,
    whole,
    whole_object,
)


def _rules(given: Any, path: str) -> dict[str, str]:
    return {key: values[0] for key, values in SWITCHES.items()} | switches(SWITCHES)(given, path)


_GENRE = name(LABELS["genre"])
_VALUE = whole(1, 3)
_FANS = whole(0, 99)
_ON_DISPLAY = each(or_null(whole_object({"genre": _GENRE, "value": _VALUE})))

FIELDS: dict[str, Reader] = {
    "level": whole(1, 3),
    "round": whole(1, 5),
    "card": each(name(LABELS["card action"])),
    "priority": each(_GENRE),
    "editors": each(
        whole_object({"action": name(LABELS["action"]), "space": whole(1, 3), "owner": name(LABELS["side"])})
    ),
    "writers": _ON_DISPLAY,
    "artists": _ON_DISPLAY,
    "comics": each(or_null(_GENRE)),
    "ideas_on_board": each(_GENRE),
    "automa_creatives": each(
        whole_object({"type": name(LABELS["creative"]), "genre": _GENRE, "value": _VALUE})
    ),
    "automa_comics": each(_GENRE),
    "automa_printed": each(whole_object({"genre": _GENRE, "kind": name(LABELS["kind"]), "fans": _FANS})),
    "player_printed": each(
        whole_object(
            {"genre": _GENRE, "kind": name(LABELS["kind"]), "ripped": truth, "fans": _FANS, "hype": truth},
            ripped=False,
            fans=0,
            hype=False,
        )
    ),
    "mastery": map_of(_GENRE, name(LABELS["owner"])),
    "orders": each(whole_object({"genre": _GENRE, "value": whole(3, 6), "up": truth}, value=None)),
    "automa_chart_points": whole(0, 200),
    "player_points": whole(-100, 400),
    "challenges": each(name(LABELS["challenge"])),
    "money": whole(0, 999),
    "orders_filled": whole(0, 999),
    "points": whole(-400, 400),
    "house_rules": _rules,
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
    state = read_state(given, FIELDS, NEEDS[ask])
    _check(state)
    return {**DEFAULTS, **state}


def _check(state: State) -> None:
    for field, length in (("card", 3), ("priority", 6)):
        if field in state and (len(state[field]) != length or len(set(state[field])) != length):
            raise Rejected(f"state.{field}")
    for field in ("ideas_on_board", "challenges"):
        named = state.get(field, [])
        for n, one in enumerate(named):
            if one in named[:n]:
                raise Rejected(f"state.{field}[{n}]")
    places = [(e["action"], e["space"]) for e in state.get("editors", [])]
    for n, place in enumerate(places):
        if place in places[:n]:
            raise Rejected(f"state.editors[{n}].space")
    for n, order in enumerate(state.get("orders", [])):
        if order["up"] and order["value"] is None:
            raise Rejected(f"state.orders[{n}].value")
