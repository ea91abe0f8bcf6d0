"""One record, field by field: known keys, right types, known names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.games.duel.facts import POSITIONS, RESOURCES, SWITCHES

from benchmarks.duel_by_hand import names
from benchmarks.duel_by_hand.jsonlines import Rejected
from benchmarks.duel_by_hand.names import Names

Reader = Callable[[Any, str], Any]


def read_object(given: Any, path: str, fields: dict[str, Reader]) -> dict[str, Any]:
    """Its fields that are not null; no other keys are known."""
    if not isinstance(given, dict):
        raise Rejected(path, given, "an object")
    found = {}
    for key, value in given.items():
        reader = fields.get(key)
        if reader is None:
            raise Rejected(f"{path}.{key}", key, "a known key")
        if value is not None:
            found[key] = reader(value, f"{path}.{key}")
    return found


def read_items(given: Any, path: str, fields: dict[str, Reader], needed: str) -> list[dict[str, Any]]:
    """A list of objects, each with the field `needed`."""
    if not isinstance(given, list):
        raise Rejected(path, given, "a list")
    items = [read_object(item, f"{path}[{i}]", fields) for i, item in enumerate(given)]
    for i, item in enumerate(items):
        if needed not in item:
            raise Rejected(f"{path}[{i}].{needed}", None, "a value")
    return items


def name(of: Names) -> Reader:
    known = of.known

    def read(value: Any, path: str) -> str:
        id_ = known.get(value) if isinstance(value, str) else None
        return id_ or of.read(value, path)

    return read


def some(of: Names) -> Reader:
    known = of.known

    def read(value: Any, path: str) -> list[str]:
        if not isinstance(value, list):
            raise Rejected(path, value, "a list")
        return [
            (known.get(item) if isinstance(item, str) else None) or of.read(item, f"{path}[{i}]")
            for i, item in enumerate(value)
        ]

    return read


def whole(low: int, high: int) -> Reader:
    def read(value: Any, path: str) -> int:
        if type(value) is not int or not low <= value <= high:
            raise Rejected(path, value, f"a whole number from {low} to {high}")
        return value

    return read


def truth(value: Any, path: str) -> bool:
    if not isinstance(value, bool):
        raise Rejected(path, value, "true or false")
    return value


def position(value: Any, path: str) -> str:
    if not isinstance(value, str) or value not in POSITIONS:
        raise Rejected(path, value, "a position")
    return value


def cost(value: Any, path: str) -> dict[str, int]:
    return read_object(value, path, COST)


def house_rules(value: Any, path: str) -> dict[str, str]:
    if not isinstance(value, dict):
        raise Rejected(path, value, "an object")
    for switch, setting in value.items():
        if switch not in SWITCHES or (setting is not None and setting not in SWITCHES[switch]):
            raise Rejected(f"{path}.{switch}", setting, "a switch and one of its values")
    return {switch: setting for switch, setting in value.items() if setting is not None}


def decks(value: Any, path: str) -> dict[str, list[str]]:
    if not isinstance(value, dict):
        raise Rejected(path, value, "an object")
    read, found = some(names.GOD), {}
    for key, gods in value.items():
        mythology = names.MYTHOLOGY.read(key, f"{path}.{key}")
        if mythology in found:
            raise Rejected(f"{path}.{key}", key, "each mythology once")
        if gods is not None:
            found[mythology] = read(gods, f"{path}.{key}")
    return found


def side(value: Any, path: str) -> dict[str, Any]:
    return read_object(value, path, SIDE)


def wonders(value: Any, path: str) -> list[dict[str, Any]]:
    return read_items(value, path, PROJECT, "wonder")


def structure(value: Any, path: str) -> list[dict[str, Any]]:
    return read_items(value, path, PLACE, "at")


def pantheon(value: Any, path: str) -> list[dict[str, Any]]:
    return read_items(value, path, SHRINE, "slot")


COST = {part: whole(0, 99) for part in ("coins", *RESOURCES)}
PROJECT: dict[str, Reader] = {
    "wonder": name(names.WONDER), "built": truth, "card": name(names.CARD), "cost": cost,
}  # fmt: skip
PLACE: dict[str, Reader] = {"at": position, "card": name(names.CARD), "token": name(names.TOKEN)}
SHRINE: dict[str, Reader] = {
    "slot": whole(1, 6), "god": name(names.PANTHEON_CARD), "mythology": name(names.MYTHOLOGY),
}  # fmt: skip
SIDE: dict[str, Reader] = {
    "coins": whole(0, 999), "wonders": wonders, "cards": some(names.CARD), "progress": some(names.PROGRESS),
    "gods": some(names.GOD), "nisaba_symbol": name(names.SYMBOL), "offering_tokens": some(names.OFFERING),
    "mythology_tokens": some(names.MYTHOLOGY),
}  # fmt: skip
STATE: dict[str, Reader] = {
    "age": whole(1, 3), "level": name(names.LEVEL), "direction": name(names.DIRECTION),
    "conflict": whole(-8, 8), "minerva": whole(-9, 9), "military_tokens": some(names.MILITARY), "solo": side,
    "player": side, "structure": structure, "discard_pile": some(names.CARD), "box_cards": some(names.CARD),
    "pantheon": pantheon, "mythology_decks": decks, "progress_row": some(names.PROGRESS),
    "progress_offer": some(names.PROGRESS), "house_rules": house_rules, "first_wonder": name(names.WONDER),
    "offer": some(names.WONDER), "mythology": name(names.MYTHOLOGY), "source": name(names.SOURCE),
    "pool": name(names.POOL), "wonder": name(names.WONDER), "card": name(names.CARD),
    "god": name(names.PANTHEON_CARD), "slot": whole(1, 6), "side": name(names.SIDE),
    "last_active": name(names.SIDE), "drawn_card": name(names.CARD), "drawn_god": name(names.GOD),
    "gate_reveal": some(names.GOD), "player_choice": name(names.SIDE),
}  # fmt: skip


def read_state(given: Any) -> dict[str, Any]:
    """The state with ids for names, and all that the ask `turn` needs."""
    state = read_object(given, "state", STATE)
    for field in ("age", "direction", "conflict"):
        if field not in state:
            raise Rejected(f"state.{field}", None, "a value")
    if "coins" not in state.get("solo", {}):
        raise Rejected("state.solo.coins", None, "a whole number")
    if not state.get("structure"):
        raise Rejected("state.structure", None, "places")
    return state
