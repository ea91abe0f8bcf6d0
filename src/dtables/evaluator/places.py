"""Places of the state as paths: walking records, lists and maps from field to field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dtables.evaluator.state import DataRow, RecordValue, Turn
from dtables.feel.types import MapType, Type, plain
from dtables.feel.values import Value
from dtables.model import places
from dtables.model.tables import Place


@dataclass(frozen=True, slots=True)
class Found:
    """A value where it stands; `key` is the name under which it stands in a map, `position` its place,
    counted from 1, in a list."""

    path: str
    value: Value
    key: Value = None
    position: int | None = None


def values_at(place: Place, turn: Turn) -> Iterator[Found]:
    """The value of the place's last field, in every list on its way; nothing where a record on the way
    is missing."""
    assert turn.state is not None
    yield from _walk(Found(turn.path, turn.state), place.fields, turn)


def items_at(place: Place, turn: Turn) -> Iterator[Found]:
    """The same, element by element where a list or a map stands there; without nulls."""
    for found in values_at(place, turn):
        yield from _items(found, _map_key(place, turn), turn)


def _walk(found: Found, fields: tuple[str, ...], turn: Turn) -> Iterator[Found]:
    if not fields:
        yield found
        return
    for one in _items(found, None, turn):
        if isinstance(one.value, (RecordValue, DataRow)):
            value = turn.field_of(one.value, fields[0])
            path = f"{one.path}.{fields[0]}" if one.path else fields[0]
            yield from _walk(Found(path, value, one.key, one.position), fields[1:], turn)


def _items(found: Found, key: str | None, turn: Turn) -> Iterator[Found]:
    match found.value:
        case None:
            return
        case list() as items:
            for n, item in enumerate(items):
                yield from _items(Found(f"{found.path}[{n}]", item, found.key, n + 1), key, turn)
        case dict() as entries:
            for name, item in entries.items():
                named = name if key is None else turn.name(key, name)
                yield from _items(Found(f"{found.path}.{name}", item, named, found.position), key, turn)
        case _:
            yield found


def _map_key(place: Place, turn: Turn) -> str | None:
    """The vocabulary of the map's keys, where a map stands at the place."""
    match plain(type_at(place, turn)):
        case MapType(key=key):
            return key.root
        case _:
            return None


def type_at(place: Place, turn: Turn) -> Type:
    return places.type_at(place, turn.index.ruleset.input.state, turn.index.records)
