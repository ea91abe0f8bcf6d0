"""The careful reading of a record, when the quick one gave up: labels are understood, and whatever does not
fit is found. What single values mean is in the toolkit's `reading`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dtables.feel.names import NumberNames
from dtables.feel.types import NUMBER, RestrictedType, Type, VocabularyType, describe, may_be_null
from dtables.feel.values import Value
from dtables.provenance import Location
from dtables.records.findings import not_allowed, repeated_key
from dtables.records.scalars import UNFIT, At, Fixed, ValueReading, anything, read_scalar
from dtables.runtime.failing import location
from dtables.runtime.records import Misread, Names, Record

Allowed = Callable[[Value], Value]


@dataclass(frozen=True, slots=True)
class FieldShape:
    """`allowed` gives the value back or misreads, and says how the workbook writes it."""

    name: str
    type: Type
    place: str
    default: Callable[[Any], Value] | None
    allowed: tuple[Allowed, str] | None


@dataclass(frozen=True, slots=True)
class RecordShape:
    """`kind` is its class; `make` makes a record of the turn and its stored fields in order. `named_by` are
    vocabularies whose names are fields."""

    name: str
    kind: type[Any]
    make: Callable[..., Any]
    place: str
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


@dataclass(frozen=True, slots=True)
class Reading(ValueReading):
    shapes: Shapes
    turn: Any
    path: str

    def state(self, given: Mapping[Any, object], also: tuple[str, ...] = ()) -> dict[str, Value]:
        self.turn.given = given
        shape = self.shapes.records[self.shapes.state]
        return self._entries(given, shape, At(self.path), self.shapes.fixed, also)

    # -- records -------------------------------------------------------------------------------

    def _entries(
        self,
        given: Mapping[Any, object],
        shape: RecordShape,
        at: At,
        fixed: Mapping[str, Fixed],
        also: tuple[str, ...] = (),
    ) -> dict[str, Value]:
        """The stored fields in the order of the record's type. `also` are further keys to suggest."""
        known = {f.name: f for f in shape.fields if f.name not in at.fixed}
        where = location(shape.place)
        read: dict[str, Value] = {}
        for key, value in given.items():
            name = self.field_meant(str(key), known, shape.named_by, At(at.path, where), also)
            if name is None or value is None:
                continue
            inner = at.key(str(key))
            if name in read:
                self.findings.add(repeated_key, inner.path, str(key), where)
            read[name] = self._field(value, known[name], inner, fixed.get(name, {}))
        return {f.name: self._stored(f, read, at, fixed.get(f.name, {})) for f in shape.fields}

    def _field(self, value: object, shape: FieldShape, at: At, fixed: Fixed) -> Value:
        inner = replace(at, where=location(shape.place), fixed=fixed)
        typed = self.value(value, shape.type, inner)
        if shape.allowed is None or typed is UNFIT:
            return typed
        return self._tested(value, typed, shape.allowed, describe(shape.type), inner)

    def _stored(self, shape: FieldShape, read: Mapping[str, Value], at: At, fixed: Fixed) -> Value:
        name = shape.name
        if name in at.fixed:
            return at.fixed[name]
        if name in read:
            return read[name]
        if shape.default is not None:
            return self._fixed_in(shape.default(self.turn), fixed)
        if not may_be_null(shape.type) and at.path != self.path:
            self.lacks(at.key(name).path, shape.type, location(shape.place))
        return None

    def _fixed_in(self, value: Value, fixed: Fixed) -> Value:
        if isinstance(value, Record):
            for name, given in fixed.items():
                setattr(value, value.STORED[name], given)
        return value

    # -- what values are ---------------------------------------------------------------------

    def spelled(self, vocabulary: str) -> Names:
        return self.shapes.vocabularies[vocabulary]

    def number_names(self, restriction: str) -> NumberNames | None:
        return self.shapes.number_names.get(restriction)

    def ids(self, vocabulary: str) -> Iterable[str]:
        return self.shapes.vocabularies[vocabulary]

    def named(self, wanted: VocabularyType, id_: str) -> Value:
        return self.shapes.vocabularies[wanted.name][id_]

    def record(self, given: Mapping[Any, object], name: str, at: At) -> Value:
        shape = self.shapes.records[name]
        return shape.make(self.turn, *self._entries(given, shape, at, {}).values())

    def restricted(self, value: object, typed: Value, wanted: RestrictedType, at: At) -> Value:
        return self._tested(value, typed, self.shapes.restrictions[wanted.name], describe(wanted.of), at)

    def _tested(self, value: object, typed: Value, allowed: tuple[Allowed, str], of: str, at: At) -> Value:
        test, written = allowed
        try:
            return test(typed)
        except Misread:
            self.findings.add(not_allowed, at.path, value, of, written, at.where)
            return UNFIT


class PartialReading(Reading):
    """Of what was played, parts may be left out: only what is there has to fit."""

    def lacks(self, path: str, of: Type, where: Location | None) -> None:
        del path, of, where


# -- quick reading -----------------------------------------------------------------------------


def read_number(value: object) -> Value:
    typed = read_scalar(value, NUMBER)
    if typed is UNFIT:
        raise Misread
    return typed


def read_anything(value: object) -> Value:
    typed = anything(value)
    if typed is UNFIT:
        raise Misread
    return typed


def read_temporal(value: object, wanted: Type) -> Value:
    typed = read_scalar(value, wanted)
    if typed is UNFIT:
        raise Misread
    return typed


def read_map(value: object, names: Names, read: Callable[[Any], Value]) -> dict[str, Value]:
    """In the order of the vocabulary."""
    if type(value) is not dict or not value.keys() <= names.keys():
        raise Misread
    return {id_: read(value[id_]) for id_ in names if value.get(id_) is not None}
