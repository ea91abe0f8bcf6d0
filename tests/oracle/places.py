"""Places of the state: from field to field, through records, lists and maps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from dtables.feel.names import Spelled, matching_fields
from dtables.feel.types import MapType, Type, plain
from dtables.feel.values import Fields, Value
from dtables.model import reach
from dtables.model.tables import Place
from tests.oracle.values import DataRow, RecordValue, Turn


@dataclass(frozen=True, slots=True)
class Found:
    """A value where it stands; `key` is the name under which it stands in a map, `position` its place,
    counted from 1, in a list."""

    path: str
    value: Value
    key: Value = None
    position: int | None = None


def values_at(place: Place, turn: Turn) -> Iterator[Found]:
    """The values of the place's last field."""
    assert turn.state is not None
    return _walked(Found(turn.path, turn.state), place.fields, turn)


def items_at(place: Place, turn: Turn) -> Iterator[Found]:
    """The same, element by element."""
    kind = plain(type_at(place, turn))
    named = partial(turn.name, kind.key.root) if isinstance(kind, MapType) else str
    for found in values_at(place, turn):
        yield from _items_of(found, named)


def type_at(place: Place, turn: Turn) -> Type:
    return reach.type_at(place, turn.index.ruleset.input.state, turn.index.records)


def _walked(found: Found, fields: tuple[str, ...], turn: Turn) -> Iterator[Found]:
    """In every list on the way; nothing where a record on the way is missing."""
    if not fields:
        yield found
        return
    for one in _items_of(found):
        if isinstance(one.value, Fields):
            assert isinstance(one.value, (RecordValue, DataRow))
            value = turn.field_of(one.value, fields[0])
            path = f"{one.path}.{fields[0]}" if one.path else fields[0]
            yield from _walked(Found(path, value, one.key, one.position), fields[1:], turn)


def _items_of(found: Found, named: Callable[[str], Value] = str) -> Iterator[Found]:
    """Element by element where a list or a map stands there; without nulls. `named` makes a map's key of what
    stands in the record."""
    match found.value:
        case None:
            return
        case list() as items:
            for n, item in enumerate(items):
                yield from _items_of(Found(f"{found.path}[{n}]", item, found.key, n + 1), named)
        case dict() as entries:
            for name, item in entries.items():
                inner = Found(f"{found.path}.{name}", item, named(name), found.position)
                yield from _items_of(inner, named)
        case _:
            yield found


def is_plainly_there(place: Place, turn: Turn, some: bool) -> bool:
    """Whether the record as it was given says something there, in the workbook's own words. `some`: an empty
    list is nothing."""
    given = turn.given
    for name in place.fields:
        if type(given) is not dict:
            return False
        given = given.get(name)
    return given is not None and not (some and given == [])


def is_left_out(place: Place, turn: Turn) -> bool:
    """Whether the record as it was given says nothing there, whatever stands there by default."""
    spelled = _spelled_on_the_way(place, turn)
    given = turn.given
    for name, named in zip(place.fields, spelled, strict=True):
        if not isinstance(given, dict):
            return False
        entry = given.get(name)
        if entry is None and named:
            meant = (key for key in given if matching_fields(str(key), (name,), named))
            entry = next((given[key] for key in meant if given[key] is not None), None)
        if entry is None:
            return True
        given = entry
    return False


def _spelled_on_the_way(place: Place, turn: Turn) -> tuple[tuple[Spelled, ...], ...]:
    index = turn.index
    named = reach.named_on_the_way(place, index.ruleset.input.state, index.records)
    return tuple(tuple(index.spellings[name] for name in some) for some in named)
