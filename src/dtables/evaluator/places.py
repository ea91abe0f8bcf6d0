"""The state of a turn as the runtime reads it, and places of the program as it reads them."""

from __future__ import annotations

from dtables.evaluator.index import Index
from dtables.evaluator.state import Turn
from dtables.feel.names import Spelled
from dtables.feel.types import MapType, plain
from dtables.program import nodes as p
from dtables.runtime import places
from dtables.runtime.places import State


def state_of(turn: Turn) -> State:
    assert turn.state is not None
    return State(turn.path, turn.given, turn.state, turn.read_field)


def with_keys(place: p.Place, turn: Turn) -> places.Place:
    """The place, with the rows that the keys of a map at its end name."""
    kind = plain(place.type)
    return places.Place(place.fields, turn.rows.get(kind.key.root) if isinstance(kind, MapType) else None)


def spelled_on_the_way(place: p.Place, index: Index) -> tuple[tuple[Spelled, ...], ...]:
    if not any(place.named):
        return ()
    return tuple(tuple(index.spellings[name] for name in some) for some in place.named)
