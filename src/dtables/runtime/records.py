"""Records, rows of keyed data, the turn, and how fields are read by name where types do not tell them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, ClassVar

from dtables.feel.functions.contexts import get_value
from dtables.feel.values import Fields, Row, Value, entry, has_entry
from dtables.provenance import location
from dtables.records.classes import NamedAttributes
from dtables.records.findings import RecordError, missing
from dtables.runtime.failing import attempt


class Record(NamedAttributes, Fields):
    """A record; two of one type are equal when their stored fields are."""

    __slots__ = ()

    def with_stored(self, values: Mapping[str, Value]) -> Fields:
        for name, value in values.items():
            setattr(self, self.STORED[name], value)
        return self


class KeyedRow(NamedAttributes, Row):
    """A row of keyed data, the same object in every turn."""

    __slots__ = ()


class Turn(Record):
    """The state of one turn. A field that is missing has no attribute; reading it rejects the record.
    `path` is where the state stands in the record, `given` what stands there, `kept` what constants come
    to in this turn."""

    __slots__ = ("__dict__", "given", "kept", "path")
    REQUIRED: ClassVar[Mapping[str, str]] = {}
    """Attributes of fields that may be missing: empty then, where `STORED` has None."""
    MISSING: ClassVar[Mapping[str, tuple[str, str, str]]] = {}
    SWITCHES: ClassVar[tuple[tuple[str, str, str, str], ...]] = ()
    """Attribute, field of the state, name and default of each switch that a record may override."""
    CARRIERS: ClassVar[tuple[str, ...]] = ()
    """Attributes with records that know the turn."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.given: object = None
        self.kept: dict[Any, Value] = {}

    def __getattr__(self, name: str) -> Any:
        lacking = self.MISSING.get(name)
        if lacking is None:
            raise AttributeError(name)
        field, wanted, place = lacking
        path = f"{self.path}.{field}" if self.path else field
        raise RecordError([missing(path, wanted, location(place))])

    def release(self) -> None:
        """Nobody needs it any more: what knows the turn is let go, so that all of it goes at once."""
        for attribute in self.CARRIERS:
            setattr(self, attribute, None)
        self.__dict__.clear()
        self.kept.clear()

    def fill(self, values: Mapping[str, Value]) -> None:
        """All stored fields by name."""
        for name, value in values.items():
            setattr(self, self.STORED[name], value)
            if name in self.REQUIRED and value is not None:
                setattr(self, self.REQUIRED[name], value)
        for attribute, field, name, default in self.SWITCHES:
            setattr(self, attribute, entries_of(self.field(field)).get(name) or default)


def with_fields(record: Any, **values: Value) -> Any:
    """A record that was just made, with the fields that its place gives; null stays null."""
    if record is not None:
        for attribute, value in values.items():
            setattr(record, attribute, value)
    return record


# -- rows of data -----------------------------------------------------------------------------


def rows(kind: type[KeyedRow], vocabulary: str, ids: Iterable[str]) -> dict[str, KeyedRow]:
    """Make the rows of keyed data, by id and in order; `fill` gives them their fields."""
    return {id_: kind(id_, order, vocabulary) for order, id_ in enumerate(ids)}


def fill(vocabulary: Mapping[str, Any], attributes: tuple[str, ...], cells: list[tuple[Value, ...]]) -> None:
    """The rows' fields, when all rows are there: their cells may name one another."""
    for row, values in zip(vocabulary.values(), cells, strict=True):
        for attribute, value in zip(attributes, values, strict=True):
            setattr(row, attribute, value)


# -- fields by name ----------------------------------------------------------------------------


def field_named(turn: Any, value: Value, name: str) -> Value:
    """FeelError where there is no such field."""
    if isinstance(value, NamedAttributes):
        by_turn = value.BY_TURN.get(name)
        if by_turn is not None:
            return by_turn(turn, value)
    if isinstance(value, list):
        return [field_named(turn, item, name) for item in value]
    return entry(value, name)


def entry_of(turn: Any, value: Value, name: str, table: str | None, place: str) -> Any:
    """Return a field of a value whose type is unknown; an error with its cell where it has none."""
    return attempt(table, place, field_named, turn, value, name)


def value_of(turn: Any, of: Value, key: Value, table: str | None, place: str) -> Any:
    """`get value`, which may lead to a row whose fields are worked out from the turn."""
    return attempt(table, place, get_value, of, key, partial(field_named, turn))


def by_key(turn: Any, value: Value, key: Value, table: str | None, place: str) -> Any:
    """Return the field that a key names; null where the value or the key is null."""
    if value is None or key is None:
        return None
    return entry_of(turn, value, key.id if isinstance(key, Row) else key, table, place)


def item_entry(turn: Any, item: Value, name: str, otherwise: Callable[[], Value]) -> Any:
    """Return an item's field, or what the name means otherwise where the item has none of that name."""
    known = isinstance(item, NamedAttributes) and name in item.BY_TURN
    return field_named(turn, item, name) if known or has_entry(item, name) else otherwise()


def entries_of(value: Value) -> Mapping[str, Value]:
    """The entries of a record, a context or a map; none of null."""
    if value is None:
        return {}
    return value.stored() if isinstance(value, Fields) else value
