"""The state of a turn as the runtime reads it, and what the model says of its places."""

from __future__ import annotations

from dtables.evaluator.index import Index
from dtables.evaluator.state import Turn
from dtables.feel.names import Spelled
from dtables.feel.types import MapType, Type, plain
from dtables.model import reach
from dtables.model.tables import Place
from dtables.runtime import places
from dtables.runtime.places import State


def state_of(turn: Turn) -> State:
    assert turn.state is not None
    return State(turn.path, turn.given, turn.state, turn.read_field)


def with_keys(place: Place, turn: Turn) -> places.Place:
    """The place, with the rows that the keys of a map at its end name."""
    kind = plain(type_at(place, turn.index))
    return places.Place(place.fields, turn.rows.get(kind.key.root) if isinstance(kind, MapType) else None)


def spelled_on_the_way(place: Place, index: Index) -> tuple[tuple[Spelled, ...], ...]:
    named = reach.named_on_the_way(place, index.ruleset.input.state, index.records)
    return tuple(tuple(index.spellings[name] for name in some) for some in named) if any(named) else ()


def type_at(place: Place, index: Index) -> Type:
    return reach.type_at(place, index.ruleset.input.state, index.records)
