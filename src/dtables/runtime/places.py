"""Places of the state in a turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from dtables.places import Found, items_of, walked
from dtables.records.shapes import Names
from dtables.runtime.records import Turn, field_named


@dataclass(frozen=True, slots=True)
class Place:
    """Field by field; `keys` are the names of the map that stands at its end, if one does."""

    fields: tuple[str, ...]
    keys: Names | None = None


def values_at(fields: tuple[str, ...], turn: Turn) -> Iterator[Found]:
    return walked(Found(turn.path, turn), fields, partial(field_named, turn))


def items_at(place: Place, turn: Turn) -> Iterator[Found]:
    named = str if place.keys is None else place.keys.__getitem__
    for found in values_at(place.fields, turn):
        yield from items_of(found, named)
