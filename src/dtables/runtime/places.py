"""Places of the state as paths: walking records, lists and maps from field to field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dtables.feel.values import Fields, Value
from dtables.runtime.records import Names, Turn, field_named


@dataclass(frozen=True, slots=True)
class Place:
    """Field by field; `keys` are the names of the map that stands at its end, if one does."""

    fields: tuple[str, ...]
    keys: Names | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A value where it stands; `key` is the name under which it stands in a map, `position` its place,
    counted from 1, in a list."""

    path: str
    value: Value
    key: Value = None
    position: int | None = None


def values_at(fields: tuple[str, ...], turn: Turn) -> Iterator[Found]:
    """The value of the last field, in every list on its way; nothing where a record on the way is missing."""
    yield from _walk(Found(turn.path, turn), fields, turn)


def items_at(place: Place, turn: Turn) -> Iterator[Found]:
    """The same, element by element where a list or a map stands there; without nulls."""
    for found in values_at(place.fields, turn):
        yield from _items(found, place.keys)


def _walk(found: Found, fields: tuple[str, ...], turn: Turn) -> Iterator[Found]:
    if not fields:
        yield found
        return
    for one in _items(found, None):
        if isinstance(one.value, Fields):
            value = field_named(turn, one.value, fields[0])
            path = f"{one.path}.{fields[0]}" if one.path else fields[0]
            yield from _walk(Found(path, value, one.key, one.position), fields[1:], turn)


def _items(found: Found, keys: Names | None) -> Iterator[Found]:
    match found.value:
        case None:
            return
        case list() as items:
            for n, item in enumerate(items):
                yield from _items(Found(f"{found.path}[{n}]", item, found.key, n + 1), keys)
        case dict() as entries:
            for name, item in entries.items():
                key = name if keys is None else keys[name]
                yield from _items(Found(f"{found.path}.{name}", item, key, found.position), keys)
        case _:
            yield found
