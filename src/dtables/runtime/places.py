"""The state of a turn and its places, in every engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from dtables.feel.values import Value
from dtables.places import Found, items_of, walked
from dtables.runtime.records import Turn, field_named


class Place(NamedTuple):
    """Field by field; `keys` are the names of the map that stands at its end, if one does."""

    fields: tuple[str, ...]
    keys: Mapping[str, Value] | None = None


class State:
    """The state as an engine has it: where it stands in the record, what stands there, what was read of that;
    `field` gives a field of any value by its name."""

    __slots__ = ("field", "given", "path", "value")

    def __init__(self, path: str, given: object, value: Value, field: Callable[[Value, str], Value]) -> None:
        self.path = path
        self.given = given
        self.value = value
        self.field = field

    def values_at(self, fields: tuple[str, ...]) -> Iterator[Found]:
        return walked(Found(self.path, self.value), fields, self.field)

    def items_at(self, place: Place) -> Iterator[Found]:
        named = str if place.keys is None else place.keys.__getitem__
        for found in self.values_at(place.fields):
            yield from items_of(found, named)


def state_of(turn: Turn) -> State:
    """The state of a compiled module's turn, which is the turn itself."""
    return State(turn.path, turn.given, turn, partial(field_named, turn))
