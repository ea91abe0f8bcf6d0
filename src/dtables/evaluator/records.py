"""Reading a record: plain values become typed ones, and everything that does not fit is found.

The record's own keys in the record's order, depth first. A null is as if the key were not there;
inside a list it is a finding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dtables.evaluator.scalars import UNFIT, read_scalar
from dtables.evaluator.state import RecordValue, Scope, Turn
from dtables.feel.types import (
    NUMBER,
    AnyType,
    ContextType,
    ListType,
    MapType,
    OptionalType,
    RecordType,
    RestrictedType,
    Type,
    UnknownType,
    VocabularyType,
    describe,
    may_be_null,
)
from dtables.feel.values import Value
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
from dtables.model.expressions import Test, Variable
from dtables.model.tables import Field, Parameter, Record
from dtables.provenance import Location

Fixed = Mapping[str, Value]
"""Fields that the place gives, where a record stands in it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: its path, the workbook's cell that says what it must be, what is fixed there."""

    path: str
    where: Location | None = None
    fixed: Fixed = field(default_factory=dict)

    def key(self, name: str) -> Place:
        return Place(f"{self.path}.{name}" if self.path else name, self.where)

    def item(self, position: int) -> Place:
        return replace(self, path=f"{self.path}[{position}]")


def read_state(state: object, turn: Turn) -> tuple[RecordValue | None, tuple[Finding, ...]]:
    """The typed state, or what is wrong with it. Fields that nothing was said about are their default,
    or null: whether an ask needs them is not looked at here."""
    place = Place(turn.path)
    if state is None:
        return None, (missing(turn.path, "an object"),)
    if not isinstance(state, dict):
        return None, (wrong_type(turn.path, state, "an object"),)
    reading = Reading(turn)
    values = reading.entries(state, turn.index.ruleset.input.state, place, reading.fixed_places())
    return RecordValue(turn.index.state, values, turn), tuple(reading.findings)


def read_arguments(
    given: Mapping[str, object], parameters: Sequence[Parameter], where: Location, turn: Turn
) -> tuple[list[Value], RecordValue, tuple[Finding, ...]]:
    """What a single table is called with: its parameters, and input fields by name."""
    reading = Reading(turn)
    wanted = {p.name: p for p in parameters}
    record = turn.index.ruleset.input.state
    fixed = reading.fixed_places()
    arguments: dict[str, Value] = {}
    state: dict[str, object] = {}
    for name, value in given.items():
        if name in wanted and value is not None:
            arguments[name] = reading.value(value, wanted[name].type, Place(name, where))
        elif name not in wanted:
            state[name] = value
    values = reading.entries(state, record, Place(turn.path), fixed, tuple(wanted))
    for name, parameter in wanted.items():
        if name not in arguments and not may_be_null(parameter.type):
            reading.findings.append(missing(name, describe(parameter.type), where))
    return (
        [arguments.get(name) for name in wanted],
        RecordValue(record.name, values, turn),
        tuple(reading.findings),
    )


@dataclass(frozen=True, slots=True)
class Reading:
    turn: Turn
    findings: list[Finding] = field(default_factory=list)

    @property
    def scope(self) -> Scope:
        return self.turn.scope(None)

    def fixed_places(self) -> Mapping[str, Fixed]:
        places: dict[str, dict[str, Value]] = {}
        for fixed in self.turn.index.ruleset.input.fixed:
            places.setdefault(fixed.input, {})[fixed.field] = self.scope.value(fixed.value)
        return places

    # -- records -------------------------------------------------------------------------------

    def entries(
        self,
        given: Mapping[Any, object],
        record: Record,
        place: Place,
        fixed_places: Mapping[str, Fixed],
        also: tuple[str, ...] = (),
    ) -> dict[str, Value]:
        """The stored fields of a record in the order of its type. `also` are further keys to suggest."""
        known = {f.name: f for f in record.fields if f.computed is None and f.name not in place.fixed}
        read: dict[str, Value] = {}
        for key, value in given.items():
            name = str(key)
            if name not in known:
                path = place.key(name).path
                self.findings.append(unknown_key(path, name, (*also, *known), record.where))
            elif value is not None:
                read[name] = self.field(value, known[name], place, fixed_places.get(name, {}))
        stored = [f for f in record.fields if f.computed is None]
        return {f.name: self._stored(f, read, place, fixed_places.get(f.name, {})) for f in stored}

    def field(self, value: object, declared: Field, place: Place, fixed: Fixed) -> Value:
        inner = replace(place.key(declared.name), where=Location(declared.where), fixed=fixed)
        typed = self.value(value, declared.type, inner)
        if declared.allowed is None or typed is UNFIT:
            return typed
        allowed = declared.allowed
        of = describe(declared.type)
        return self._tested(value, typed, allowed.subject, allowed.tests, of, allowed.written, inner)

    def _stored(self, declared: Field, read: Mapping[str, Value], place: Place, fixed: Fixed) -> Value:
        name = declared.name
        if name in place.fixed:
            return place.fixed[name]
        if name in read:
            return read[name]
        if declared.default is not None:
            return self._fixed_in(self.scope.value(declared.default), fixed)
        if not may_be_null(declared.type) and self._is_required(place):
            wanted = describe(declared.type)
            self.findings.append(missing(place.key(name).path, wanted, Location(declared.where)))
        return None

    def _is_required(self, place: Place) -> bool:
        """A field of the state itself may be missing until something reads it."""
        return place.path != self.turn.path

    def _fixed_in(self, value: Value, fixed: Fixed) -> Value:
        if not fixed or not isinstance(value, RecordValue):
            return value
        return RecordValue(value.record, {**value.values, **fixed}, value.turn)

    # -- values --------------------------------------------------------------------------------

    def value(self, value: object, wanted: Type, place: Place) -> Value:
        """UNFIT where something was found."""
        match wanted:
            case OptionalType(of=of):
                return None if value is None else self.value(value, of, place)
            case RestrictedType():
                return self._restricted(value, wanted, place)
            case VocabularyType():
                return self._name(value, wanted, place)
            case ListType(item=item):
                return self._list(value, wanted, item, place)
            case MapType():
                return self._map(value, wanted, place)
            case RecordType():
                return self._record(value, wanted, place)
            case ContextType():
                return self._context(value, wanted, place)
            case AnyType() | UnknownType():
                return _anything(value)
            case _:
                typed = read_scalar(value, wanted)
                if typed is UNFIT:
                    self.findings.append(wrong_type(place.path, value, describe(wanted), place.where))
                return typed

    def _unfit(self, value: object, wanted: Type, place: Place) -> Value:
        self.findings.append(wrong_type(place.path, value, describe(wanted), place.where))
        return UNFIT

    def _restricted(self, value: object, wanted: RestrictedType, place: Place) -> Value:
        typed = self.value(value, wanted.of, place)
        if typed is UNFIT:
            return UNFIT
        restriction = self.turn.index.restrictions[wanted.name]
        of, written = describe(wanted.of), restriction.written
        return self._tested(value, typed, restriction.subject, restriction.tests, of, written, place)

    def _tested(
        self,
        value: object,
        typed: Value,
        subject: Variable,
        tests: tuple[Test, ...],
        of: str,
        written: str,
        place: Place,
    ) -> Value:
        scope = self.scope.bind(subject, typed)
        if self.turn.meaning.passes(tests, typed, scope) is True:
            return typed
        self.findings.append(not_allowed(place.path, value, of, written, place.where))
        return UNFIT

    def _name(self, value: object, wanted: VocabularyType, place: Place) -> Value:
        if not isinstance(value, str):
            return self._unfit(value, wanted, place)
        id = self._meant(value, wanted.name, place)
        return UNFIT if id is None else self.turn.name(wanted.root, id)

    def _meant(self, typed: str, vocabulary: str, place: Place) -> str | None:
        spellings = self.turn.index.spellings[vocabulary]
        meant = spellings.meant(typed)
        if len(meant) == 1:
            return meant[0]
        if meant:
            self.findings.append(ambiguous_name(place.path, typed, meant, place.where))
        else:
            self.findings.append(unknown_name(place.path, typed, vocabulary, spellings.known, place.where))
        return None

    def _list(self, value: object, wanted: ListType, item: Type, place: Place) -> Value:
        if not isinstance(value, list):
            return self._unfit(value, wanted, place)
        return [self._item(one, item, place.item(position)) for position, one in enumerate(value)]

    def _item(self, value: object, wanted: Type, place: Place) -> Value:
        if value is None and not may_be_null(wanted):
            self.findings.append(null_in_list(place.path, describe(wanted), place.where))
            return UNFIT
        return self.value(value, wanted, place)

    def _map(self, value: object, wanted: MapType, place: Place) -> Value:
        """In the order of the vocabulary, whatever the record's."""
        if not isinstance(value, dict):
            return self._unfit(value, wanted, place)
        read: dict[str, Value] = {}
        for key, entry in value.items():
            inner = replace(place.key(str(key)), where=place.where)
            id = self._meant(str(key), wanted.key.name, inner)
            if id is None or entry is None:
                continue
            if id in read:
                self.findings.append(repeated_key(inner.path, str(key), place.where))
            read[id] = self.value(entry, wanted.value, inner)
        names = self.turn.index.vocabularies[wanted.key.name].names
        return {label.id: read[label.id] for label in names if label.id in read}

    def _record(self, value: object, wanted: RecordType, place: Place) -> Value:
        if not isinstance(value, dict):
            return self._unfit(value, wanted, place)
        record = self.turn.index.records[wanted.name]
        return RecordValue(record.name, self.entries(value, record, place, {}), self.turn)

    def _context(self, value: object, wanted: ContextType, place: Place) -> Value:
        if not isinstance(value, dict):
            return self._unfit(value, wanted, place)
        types = dict(wanted.fields)
        read: dict[str, Value] = dict.fromkeys(types)
        for key, entry in value.items():
            inner = replace(place.key(str(key)), where=place.where)
            if key not in types:
                self.findings.append(unknown_key(inner.path, str(key), types, place.where))
            elif entry is not None:
                read[key] = self.value(entry, types[key], inner)
        for name, of in types.items():
            if read[name] is None and not may_be_null(of):
                self.findings.append(missing(place.key(name).path, describe(of), place.where))
        return read


def _anything(value: object) -> Value:
    """Where nothing is known of the type, a value is what it looks like."""
    match value:
        case list():
            return [_anything(item) for item in value]
        case dict():
            return {str(key): _anything(item) for key, item in value.items()}
        case float():
            return read_scalar(value, NUMBER)
        case _:
            return value
