"""Reading a record with care: plain values become typed ones, and everything that does not fit is found, in
the record's own order, depth first. A null is as if the key were not there; inside a list it is a finding.

It is the same in every engine: what a record, a name or a named type is, its shapes say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from dtables.feel.names import Spelled, matching_fields
from dtables.feel.numbers import DIGITS
from dtables.feel.types import (
    AnyType,
    ContextType,
    ListType,
    MapType,
    NumberType,
    OptionalType,
    RecordType,
    RestrictedType,
    Type,
    UnknownType,
    VocabularyType,
    describe,
    may_be_null,
)
from dtables.feel.values import Fields, Row, Value
from dtables.provenance import Location
from dtables.records.findings import (
    Findings,
    RecordError,
    ambiguous_name,
    key_in_path,
    missing,
    no_value_of_a_log,
    not_allowed,
    null_in_list,
    of_digits,
    repeated_key,
    unknown_key,
    unknown_name,
    wrong_state,
    wrong_type,
)
from dtables.records.scalars import UNFIT, anything, key_text, plain_text, read_scalar
from dtables.records.shapes import Allowed, FieldShape, Fixed, Misread, RecordShape, Shapes, located


@dataclass(frozen=True, slots=True)
class At:
    """Where a value stands: its path, the workbook's cell that says what it must be, what is fixed there."""

    path: str
    where: Location | None = None
    fixed: Fixed = field(default_factory=dict)

    def key(self, name: str) -> At:
        shown = key_in_path(name)
        return At(f"{self.path}.{shown}" if self.path else shown, self.where)

    def item(self, position: int) -> At:
        return replace(self, path=f"{self.path}[{position}]")


@dataclass(frozen=True, slots=True)
class RecordReader:
    """`turn` is what defaults are worked out for; `path` says where the state stands in the record."""

    shapes: Shapes
    turn: Any
    path: str
    findings: Findings = field(default_factory=Findings, kw_only=True)

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
        where = located(shape.place)
        read: dict[str, Value] = {}
        for key, value in given.items():
            name = self.matching_field(key_text(key), known, shape.named_by, At(at.path, where), also)
            if name is None or value is None:
                continue
            inner = at.key(key_text(key))
            if name in read:
                self.findings.add(repeated_key, inner.path, key_text(key), where)
            read[name] = self._field(value, known[name], inner, fixed.get(name, {}))
        return {f.name: self._stored(f, read, at, fixed.get(f.name, {})) for f in shape.fields}

    def _field(self, value: object, shape: FieldShape, at: At, fixed: Fixed) -> Value:
        inner = replace(at, where=located(shape.place), fixed=fixed)
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
            self.lacks(at.key(name).path, shape.type, located(shape.place))
        return None

    def _fixed_in(self, value: Value, fixed: Fixed) -> Value:
        if not fixed or not isinstance(value, Fields) or isinstance(value, Row):
            return value
        return value.with_stored(fixed)

    # -- what values are ---------------------------------------------------------------------

    def record(self, given: Mapping[Any, object], name: str, at: At) -> Value:
        shape = self.shapes.records[name]
        return shape.make(self.turn, *self._entries(given, shape, at, {}).values())

    def restricted(self, value: object, typed: Value, expected: RestrictedType, at: At) -> Value:
        return self._tested(value, typed, self.shapes.restrictions[expected.name], describe(expected.of), at)

    def _tested(self, value: object, typed: Value, allowed: tuple[Allowed, str], of: str, at: At) -> Value:
        test, written = allowed
        try:
            return test(typed)
        except Misread:
            self.findings.add(not_allowed, at.path, value, of, written, at.where)
            return UNFIT

    # -- values --------------------------------------------------------------------------------

    def value(self, value: object, expected: Type, at: At) -> Value:
        """UNFIT where something was found."""
        match expected:
            case OptionalType(of=of):
                return None if value is None else self.value(value, of, at)
            case RestrictedType(of=of):
                number = self._number_named(value, expected, at)
                typed = UNFIT if number is UNFIT else self.value(number, of, at)
                return UNFIT if typed is UNFIT else self.restricted(value, typed, expected, at)
            case VocabularyType() if isinstance(value, str):
                id_ = self._matching_id(plain_text(value), expected.name, at)
                return UNFIT if id_ is None else self.shapes.vocabularies[expected.name][id_]
            case ListType(item=item) if isinstance(value, (list, tuple)):
                return [self._item(one, item, at.item(position)) for position, one in enumerate(value)]
            case MapType() if isinstance(value, dict):
                return self._map(value, expected, at)
            case RecordType(name=name) if isinstance(value, dict):
                return self.record(value, name, at)
            case ContextType() if isinstance(value, dict):
                return self._context(value, expected, at)
            case AnyType() | UnknownType():
                return self._anything(value, at)
            case _:
                typed = read_scalar(value, expected)
                if typed is UNFIT:
                    self.findings.add(wrong_type, at.path, value, _expected(value, expected), at.where)
                return typed

    def _matching_id(self, typed: str, vocabulary: str, at: At) -> str | None:
        spelled = self.shapes.vocabularies[vocabulary]
        matches = spelled.matches(typed)
        if len(matches) == 1:
            return matches[0]
        if matches:
            self.findings.add(ambiguous_name, at.path, typed, matches, at.where)
        else:
            self.findings.add(unknown_name, at.path, typed, vocabulary, spelled.known, at.where)
        return None

    def _number_named(self, value: object, expected: RestrictedType, at: At) -> object:
        """Where numbers have names, a text is one of them."""
        names = self.shapes.number_names.get(expected.name)
        if names is None or not isinstance(value, str):
            return value
        matches = names.matches(value)
        if len(matches) == 1:
            return matches[0]
        if matches:
            self.findings.add(ambiguous_name, at.path, value, map(str, matches), at.where)
        else:
            self.findings.add(unknown_name, at.path, value, describe(expected.of), names.known, at.where)
        return UNFIT

    def _item(self, value: object, expected: Type, at: At) -> Value:
        if value is None and not may_be_null(expected):
            self.findings.add(null_in_list, at.path, describe(expected), at.where)
            return UNFIT
        return self.value(value, expected, at)

    def _anything(self, value: object, at: At) -> Value:
        typed = anything(value)
        if typed is UNFIT:
            path, part = _unfit(value, at)
            self.findings.add(no_value_of_a_log, path, part, at.where)
        return typed

    def _map(self, given: Mapping[Any, object], expected: MapType, at: At) -> Value:
        """In the order of the vocabulary, whatever the record's."""
        read: dict[str, Value] = {}
        for key, entry in given.items():
            inner = replace(at.key(key_text(key)), where=at.where)
            id_ = self._matching_id(key_text(key), expected.key.name, inner)
            if id_ is None or entry is None:
                continue
            if id_ in read:
                self.findings.add(repeated_key, inner.path, key_text(key), at.where)
            read[id_] = self.value(entry, expected.value, inner)
        return {id_: read[id_] for id_ in self.shapes.vocabularies[expected.key.name] if id_ in read}

    def matching_field(
        self, key: str, fields: Mapping[str, Any], named_by: Iterable[str], at: At, also: Iterable[str] = ()
    ) -> str | None:
        """Of a record, whose fields may be names of vocabularies; None where something was found. `also` are
        further keys to suggest."""
        spelled = [self.shapes.vocabularies[vocabulary] for vocabulary in named_by]
        matches = matching_fields(key, fields, spelled)
        if len(matches) == 1:
            return matches[0]
        path = at.key(key).path
        if matches:
            self.findings.add(ambiguous_name, path, key, matches, at.where)
        else:
            near = (text for one in spelled for text in one.known if set(one.matches(text)) <= fields.keys())
            self.findings.add(unknown_key, path, key, (*also, *fields), at.where, tuple(near))
        return None

    def _context(self, given: Mapping[Any, object], expected: ContextType, at: At) -> Value:
        types = dict(expected.fields)
        read: dict[str, Value] = dict.fromkeys(types)
        for key, entry in given.items():
            inner = replace(at.key(key_text(key)), where=at.where)
            if key not in types:
                self.findings.add(unknown_key, inner.path, key_text(key), types, at.where)
            elif entry is not None:
                read[key] = self.value(entry, types[key], inner)
        for name, of in types.items():
            if read[name] is None and not may_be_null(of):
                self.lacks(at.key(name).path, of, at.where)
        return read

    def lacks(self, path: str, of: Type, where: Location | None) -> None:
        """Nothing stands where a record or a context must have something."""
        self.findings.add(missing, path, describe(of), where)


def read_state(given: object, shapes: Shapes, turn: Any, path: str) -> dict[str, Value]:
    """The stored fields of the state, by name. RecordError tells all that is wrong with it."""
    if not isinstance(given, dict):
        raise RecordError([wrong_state(path, given)])
    reading = RecordReader(shapes, turn, path)
    values = reading.state(given)
    reading.findings.refuse()
    return values


def read_arguments(
    given: Mapping[str, object], parameters: Mapping[str, Type], where: Location, shapes: Shapes, turn: Any
) -> tuple[list[Value], dict[str, Value]]:
    """What a single table is called with: its parameters in order, and the input fields by name."""
    reading = RecordReader(shapes, turn, "")
    arguments: dict[str, Value] = {}
    state: dict[str, object] = {}
    for name, value in given.items():
        if name not in parameters:
            state[name] = value
        elif value is not None:
            arguments[name] = reading.value(value, parameters[name], At(name, where))
    values = reading.state(state, tuple(parameters))
    for name, type_ in parameters.items():
        if name not in arguments and not may_be_null(type_):
            reading.findings.add(missing, name, describe(type_), where)
    reading.findings.refuse()
    return [arguments.get(name) for name in parameters], values


class PartialReading(RecordReader):
    """Of what was played, parts may be left out: only what is there has to fit."""

    def lacks(self, path: str, of: Type, where: Location | None) -> None:
        del path, of, where


def left_out(given: object, fields: Sequence[str], named: Sequence[Sequence[Spelled]] = ()) -> bool:
    """Whether a record as it was given says nothing at a place, whatever stands there by default. `named` has
    for each field the vocabularies by whose names it may be spelled."""
    for place, name in enumerate(fields):
        if not isinstance(given, dict):
            return False
        entry = given.get(name)
        if entry is None and named and named[place]:
            spelled = (k for k in given if matching_fields(key_text(k), (name,), named[place]))
            entry = next((given[key] for key in spelled if given[key] is not None), None)
        if entry is None:
            return True
        given = entry
    return False


def plainly_there(given: object, fields: Iterable[str], some: bool) -> bool:
    """Whether a record as it was given says something at a place: a look at its objects only, that needs no
    rule. `some`: an empty list is nothing."""
    for name in fields:
        if type(given) is not dict:
            return False
        given = given.get(name)
    return given is not None and not (some and given in ([], ()))


def _unfit(value: object, at: At) -> tuple[str, object]:
    """The first part that is no value, and where it stands."""
    parts: Iterable[tuple[At, object]] = ()
    match value:
        case list() | tuple():
            parts = ((at.item(place), item) for place, item in enumerate(value))
        case dict():
            parts = ((at.key(key_text(key)), item) for key, item in value.items())
    for inner, part in parts:
        if anything(part) is UNFIT:
            return _unfit(part, inner)
    return at.path, value


def _expected(value: object, expected: Type) -> str:
    too_long = isinstance(value, Decimal) and isinstance(expected, NumberType) and not expected.whole
    return of_digits(describe(expected), DIGITS) if too_long else describe(expected)
