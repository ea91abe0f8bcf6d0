"""Places of the state in a turn, and of which type they are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from dtables.evaluator.state import Turn
from dtables.feel.names import Spelled
from dtables.feel.types import MapType, Type, plain
from dtables.model import reach
from dtables.model.tables import Place
from dtables.places import Found, items_of, walked


def values_at(place: Place, turn: Turn) -> Iterator[Found]:
    assert turn.state is not None
    return walked(Found(turn.path, turn.state), place.fields, turn.field_of)


def items_at(place: Place, turn: Turn) -> Iterator[Found]:
    kind = plain(type_at(place, turn))
    named = partial(turn.name, kind.key.root) if isinstance(kind, MapType) else str
    for found in values_at(place, turn):
        yield from items_of(found, named)


def spelled_on_the_way(place: Place, turn: Turn) -> tuple[tuple[Spelled, ...], ...]:
    index = turn.index
    named = reach.named_on_the_way(place, index.ruleset.input.state, index.records)
    return tuple(tuple(index.spellings[name] for name in some) for some in named)


def type_at(place: Place, turn: Turn) -> Type:
    return reach.type_at(place, turn.index.ruleset.input.state, turn.index.records)
