"""What a record can hold, as data that every engine makes of the workbook: records with their fields, the
names of vocabularies, named types with their tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dtables.feel.names import NumberNames, Spellings
from dtables.feel.types import Type
from dtables.feel.values import Value
from dtables.provenance import Location, location

Fixed = Mapping[str, Value]
"""Fields that the place gives, where a record stands in it."""

Allowed = Callable[[Value], Value]
Place = str | Location
"""Compiled modules have places as text, which are read only where something is found."""


def located(place: Place) -> Location:
    return location(place) if isinstance(place, str) else place


@dataclass(frozen=True, slots=True)
class FieldShape:
    """`allowed` gives the value back or misreads, and says how the workbook writes it."""

    name: str
    type: Type
    place: Place
    default: Callable[[Any], Value] | None
    allowed: tuple[Allowed, str] | None


@dataclass(frozen=True, slots=True)
class RecordShape:
    """`kind` is its class; `make` makes a record of the turn and its stored fields in order. `named_by` are
    vocabularies whose names are fields."""

    name: str
    kind: type[Any]
    make: Callable[..., Any]
    place: Place
    fields: tuple[FieldShape, ...]
    named_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shapes:
    """What a record can hold: all records by name, vocabularies, named types with their tests, and the
    fields that a place in the state gives."""

    state: str
    records: Mapping[str, RecordShape]
    vocabularies: Mapping[str, Names]
    restrictions: Mapping[str, tuple[Allowed, str]]
    fixed: Mapping[str, Fixed]
    number_names: Mapping[str, NumberNames] = field(default_factory=dict)


# -- vocabularies ------------------------------------------------------------------------------


class Misread(Exception):
    """What a record holds cannot be read at once."""


def misread() -> Any:
    """Raise Misread, where an expression stands and a statement cannot."""
    raise Misread


class Names(dict[str, Any]):
    """The values of a vocabulary by id, in its order; looked up by any spelling of a name."""

    def __init__(self, values: Mapping[str, Any], spellings: Spellings) -> None:
        super().__init__(values)
        self.known, self.matches = spellings.known, spellings.matches

    def __missing__(self, spelling: object) -> Any:
        matches = self.matches(spelling) if isinstance(spelling, str) else ()
        if len(matches) != 1:
            raise Misread
        return self[matches[0]]


def names(values: Mapping[str, Any], labels: Mapping[str, tuple[str, ...]] | None = None) -> Names:
    """Make the values of a vocabulary to be found by id, or by a label in `labels`."""
    others = labels or {}
    return Names(values, Spellings({id_: others.get(id_, ()) for id_ in values}))


def plain_names(ids: Iterable[str]) -> dict[str, str]:
    """The value of a name without a row is its id."""
    return {id_: id_ for id_ in ids}


def some_of(root: Names, ids: Iterable[str]) -> dict[str, Any]:
    """The names of a narrowed vocabulary."""
    return {id_: root[id_] for id_ in ids}


def exact_names(values: Mapping[str, Any]) -> Names:
    """They are spelled as the workbook has them."""
    return Names(values, Spellings(dict.fromkeys(values, ()), exact=True))
