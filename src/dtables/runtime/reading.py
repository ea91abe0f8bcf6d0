"""The careful reading of a record, when the quick one gave up: labels are understood, and whatever does not
fit is found, in the record's own order, depth first. A null is as if the key were not there; inside a
list it is a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from math import isfinite
from typing import Any

from dtables.feel.types import (
    NUMBER,
    AnyType,
    BooleanType,
    ContextType,
    DateTimeType,
    DateType,
    DaysDurationType,
    ListType,
    MapType,
    NullType,
    NumberType,
    OptionalType,
    RecordType,
    RestrictedType,
    TextType,
    TimeType,
    Type,
    UnknownType,
    VocabularyType,
    YearsDurationType,
    describe,
    may_be_null,
)
from dtables.feel.values import (
    FeelError,
    Value,
    add,
    instance_of,
    parse_date,
    parse_date_time,
    parse_duration,
    parse_time,
)
from dtables.findings import (
    Finding,
    ambiguous_name,
    missing,
    not_allowed,
    null_in_list,
    repeated_key,
    unknown_key,
    unknown_name,
    wrong_type,
)
from dtables.provenance import Location
from dtables.runtime.failing import location
from dtables.runtime.records import Misread, Names, Record

UNFIT = object()
"""Stands where a value did not fit; a finding says why."""

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
    """`make` makes a record of the turn and its stored fields in order."""

    name: str
    make: Callable[..., Any]
    place: str
    fields: tuple[FieldShape, ...]


@dataclass(frozen=True, slots=True)
class Shapes:
    """What a record can hold: all records by name, vocabularies, named types with their tests, and the
    fields that a place in the state gives."""

    state: str
    records: Mapping[str, RecordShape]
    vocabularies: Mapping[str, Names]
    restrictions: Mapping[str, tuple[Allowed, str]]
    fixed: Mapping[str, Mapping[str, Value]]


@dataclass(frozen=True, slots=True)
class At:
    """Where a value stands: its path, the workbook's cell that says what it must be, what is fixed there."""

    path: str
    where: Location | None = None
    fixed: Mapping[str, Value] = field(default_factory=dict)

    def key(self, name: str) -> At:
        return At(f"{self.path}.{name}" if self.path else name, self.where)

    def item(self, position: int) -> At:
        return replace(self, path=f"{self.path}[{position}]")


@dataclass(frozen=True, slots=True)
class Reading:
    shapes: Shapes
    turn: Any
    path: str
    findings: list[Finding] = field(default_factory=list)

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
        fixed: Mapping[str, Mapping[str, Value]],
        also: tuple[str, ...] = (),
    ) -> dict[str, Value]:
        """The stored fields in the order of the record's type. `also` are further keys to suggest."""
        known = {f.name: f for f in shape.fields if f.name not in at.fixed}
        read: dict[str, Value] = {}
        for key, value in given.items():
            name = str(key)
            if name not in known:
                path = at.key(name).path
                self.findings.append(unknown_key(path, name, (*also, *known), location(shape.place)))
            elif value is not None:
                read[name] = self._field(value, known[name], at, fixed.get(name, {}))
        return {f.name: self._stored(f, read, at, fixed.get(f.name, {})) for f in shape.fields}

    def _field(self, value: object, shape: FieldShape, at: At, fixed: Mapping[str, Value]) -> Value:
        inner = replace(at.key(shape.name), where=location(shape.place), fixed=fixed)
        typed = self.value(value, shape.type, inner)
        if shape.allowed is None or typed is UNFIT:
            return typed
        return self._tested(value, typed, shape.allowed, describe(shape.type), inner)

    def _stored(
        self, shape: FieldShape, read: Mapping[str, Value], at: At, fixed: Mapping[str, Value]
    ) -> Value:
        name = shape.name
        if name in at.fixed:
            return at.fixed[name]
        if name in read:
            return read[name]
        if shape.default is not None:
            return self._fixed_in(shape.default(self.turn), fixed)
        if not may_be_null(shape.type) and at.path != self.path:
            self.findings.append(missing(at.key(name).path, describe(shape.type), location(shape.place)))
        return None

    def _fixed_in(self, value: Value, fixed: Mapping[str, Value]) -> Value:
        if isinstance(value, Record):
            for name, given in fixed.items():
                setattr(value, value.STORED[name], given)
        return value

    # -- values --------------------------------------------------------------------------------

    def value(self, value: object, wanted: Type, at: At) -> Value:
        """UNFIT where something was found."""
        match wanted:
            case OptionalType(of=of):
                return None if value is None else self.value(value, of, at)
            case RestrictedType(name=name, of=of):
                typed = self.value(value, of, at)
                allowed = self.shapes.restrictions[name]
                return UNFIT if typed is UNFIT else self._tested(value, typed, allowed, describe(of), at)
            case VocabularyType(name=name):
                return (
                    self._name(value, name, at) if isinstance(value, str) else self._unfit(value, wanted, at)
                )
            case ListType(item=item):
                return self._list(value, wanted, item, at)
            case MapType():
                return self._map(value, wanted, at)
            case RecordType():
                return self._record(value, wanted, at)
            case ContextType():
                return self._context(value, wanted, at)
            case AnyType() | UnknownType():
                return anything(value)
            case _:
                typed = read_scalar(value, wanted)
                return self._unfit(value, wanted, at) if typed is UNFIT else typed

    def _unfit(self, value: object, wanted: Type, at: At) -> Value:
        self.findings.append(wrong_type(at.path, value, describe(wanted), at.where))
        return UNFIT

    def _tested(self, value: object, typed: Value, allowed: tuple[Allowed, str], of: str, at: At) -> Value:
        test, written = allowed
        try:
            return test(typed)
        except Misread:
            self.findings.append(not_allowed(at.path, value, of, written, at.where))
            return UNFIT

    def _name(self, value: str, vocabulary: str, at: At) -> Value:
        id_ = self._meant(value, vocabulary, at)
        return UNFIT if id_ is None else self.shapes.vocabularies[vocabulary][id_]

    def _meant(self, typed: str, vocabulary: str, at: At) -> str | None:
        names = self.shapes.vocabularies[vocabulary]
        meant = names.meant(typed)
        if len(meant) == 1:
            return meant[0]
        if meant:
            self.findings.append(ambiguous_name(at.path, typed, meant, at.where))
        else:
            self.findings.append(unknown_name(at.path, typed, vocabulary, names.known, at.where))
        return None

    def _list(self, value: object, wanted: ListType, item: Type, at: At) -> Value:
        if not isinstance(value, list):
            return self._unfit(value, wanted, at)
        return [self._item(one, item, at.item(position)) for position, one in enumerate(value)]

    def _item(self, value: object, wanted: Type, at: At) -> Value:
        if value is None and not may_be_null(wanted):
            self.findings.append(null_in_list(at.path, describe(wanted), at.where))
            return UNFIT
        return self.value(value, wanted, at)

    def _map(self, value: object, wanted: MapType, at: At) -> Value:
        """In the order of the vocabulary, whatever the record's."""
        if not isinstance(value, dict):
            return self._unfit(value, wanted, at)
        read: dict[str, Value] = {}
        for key, one in value.items():
            inner = replace(at.key(str(key)), where=at.where)
            id_ = self._meant(str(key), wanted.key.name, inner)
            if id_ is None or one is None:
                continue
            if id_ in read:
                self.findings.append(repeated_key(inner.path, str(key), at.where))
            read[id_] = self.value(one, wanted.value, inner)
        return {id_: read[id_] for id_ in self.shapes.vocabularies[wanted.key.name] if id_ in read}

    def _record(self, value: object, wanted: RecordType, at: At) -> Value:
        if not isinstance(value, dict):
            return self._unfit(value, wanted, at)
        shape = self.shapes.records[wanted.name]
        return shape.make(self.turn, *self._entries(value, shape, at, {}).values())

    def _context(self, value: object, wanted: ContextType, at: At) -> Value:
        if not isinstance(value, dict):
            return self._unfit(value, wanted, at)
        types = dict(wanted.fields)
        read: dict[str, Value] = dict.fromkeys(types)
        for key, one in value.items():
            inner = replace(at.key(str(key)), where=at.where)
            if key not in types:
                self.findings.append(unknown_key(inner.path, str(key), types, at.where))
            elif one is not None:
                read[key] = self.value(one, types[key], inner)
        for name, of in types.items():
            if read[name] is None and not may_be_null(of):
                self.findings.append(missing(at.key(name).path, describe(of), at.where))
        return read


# -- scalars -----------------------------------------------------------------------------------


def read_scalar(value: object, wanted: Type) -> Value:
    match wanted:
        case NumberType(whole=whole):
            return _number(value, whole)
        case TextType():
            return value if isinstance(value, str) else UNFIT
        case BooleanType():
            return value if isinstance(value, bool) else UNFIT
        case NullType():
            return None if value is None else UNFIT
        case DateType():
            return _temporal(value, wanted, parse_date)
        case TimeType():
            return _temporal(value, wanted, parse_time)
        case DateTimeType():
            return _temporal(value, wanted, parse_date_time)
        case DaysDurationType() | YearsDurationType():
            return _temporal(value, wanted, parse_duration)
        case _:
            return UNFIT


def _number(value: object, whole: bool) -> Value:
    """A boolean is no number; a whole number is written without a point. Never a binary float inside."""
    match value:
        case bool():
            return UNFIT
        case int():
            return value
        case float() if not whole and isfinite(value):
            return add(Decimal(repr(value)), 0)
        case Decimal() if not whole and value.is_finite():
            return add(value, 0)
        case _:
            return UNFIT


def _temporal(value: object, wanted: Type, parse: Callable[[str], Value]) -> Value:
    """Its ISO text, or the value itself where a reader knows dates."""
    if not isinstance(value, str):
        return value if value is not None and instance_of(value, wanted) else UNFIT
    try:
        parsed = parse(value)
    except FeelError:
        return UNFIT
    return parsed if instance_of(parsed, wanted) else UNFIT


def anything(value: object) -> Value:
    """Where nothing is known of the type, a value is what it looks like."""
    match value:
        case list():
            return [anything(item) for item in value]
        case dict():
            return {str(key): anything(item) for key, item in value.items()}
        case float():
            return read_scalar(value, NUMBER)
        case _:
            return value


# -- quick reading -----------------------------------------------------------------------------


def read_number(value: object) -> Value:
    typed = read_scalar(value, NUMBER)
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
