"""Places of the state, in every engine: from field to field, through records, lists and maps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dtables.feel.values import Fields, Value

ReadField = Callable[[Value, str], Value]
"""The field of a record by its name."""


@dataclass(frozen=True, slots=True)
class Found:
    """A value where it stands; `key` is the name under which it stands in a map, `position` its place,
    counted from 1, in a list."""

    path: str
    value: Value
    key: Value = None
    position: int | None = None


def walked(found: Found, fields: tuple[str, ...], read: ReadField) -> Iterator[Found]:
    """The value of the last field, in every list on its way; nothing where a record on the way is missing."""
    if not fields:
        yield found
        return
    for one in items_of(found):
        if isinstance(one.value, Fields):
            value = read(one.value, fields[0])
            path = f"{one.path}.{fields[0]}" if one.path else fields[0]
            yield from walked(Found(path, value, one.key, one.position), fields[1:], read)


def items_of(found: Found, named: Callable[[str], Value] = str) -> Iterator[Found]:
    """Element by element where a list or a map stands there; without nulls. `named` makes a map's key of what
    stands in the record."""
    match found.value:
        case None:
            return
        case list() as items:
            for n, item in enumerate(items):
                yield from items_of(Found(f"{found.path}[{n}]", item, found.key, n + 1), named)
        case dict() as entries:
            for name, item in entries.items():
                yield from items_of(Found(f"{found.path}.{name}", item, named(name), found.position), named)
        case _:
            yield found
