"""Reading a record: plain values become typed ones, and everything that does not fit is found.

What single values mean is in `reading`; here are records, what is tested, what stands by default.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dtables.evaluator.state import RecordValue, Scope, Turn
from dtables.feel.names import NumberNames, Spellings
from dtables.feel.types import RestrictedType, VocabularyType, describe, may_be_null
from dtables.feel.values import Value
from dtables.model.expressions import Test, Variable
from dtables.model.reach import named_fields
from dtables.model.tables import Field, Parameter, Record
from dtables.provenance import Location
from dtables.records.findings import Findings, missing, not_allowed, repeated_key, wrong_type
from dtables.records.scalars import UNFIT, At, Fixed, ValueReading


def read_state(state: object, turn: Turn) -> tuple[RecordValue | None, Findings]:
    """The typed state, or what is wrong with it. Fields that nothing was said about are their default,
    or null: whether an ask needs them is not looked at here."""
    reading = Reading(turn)
    if state is None:
        reading.findings.add(missing, turn.path, "an object")
        return None, reading.findings
    if not isinstance(state, dict):
        reading.findings.add(wrong_type, turn.path, state, "an object")
        return None, reading.findings
    values = reading.entries(state, turn.index.ruleset.input.state, At(turn.path), reading.fixed_places())
    return RecordValue(turn.index.state, values, turn), reading.findings


def read_arguments(
    given: Mapping[str, object], parameters: Sequence[Parameter], where: Location, turn: Turn
) -> tuple[list[Value], RecordValue, Findings]:
    """What a single table is called with: its parameters, and input fields by name."""
    reading = Reading(turn)
    wanted = {p.name: p for p in parameters}
    record = turn.index.ruleset.input.state
    fixed = reading.fixed_places()
    arguments: dict[str, Value] = {}
    state: dict[str, object] = {}
    for name, value in given.items():
        if name in wanted and value is not None:
            arguments[name] = reading.value(value, wanted[name].type, At(name, where))
        elif name not in wanted:
            state[name] = value
    values = reading.entries(state, record, At(turn.path), fixed, tuple(wanted))
    for name, parameter in wanted.items():
        if name not in arguments and not may_be_null(parameter.type):
            reading.findings.add(missing, name, describe(parameter.type), where)
    return (
        [arguments.get(name) for name in wanted],
        RecordValue(record.name, values, turn),
        reading.findings,
    )


@dataclass(frozen=True, slots=True)
class Reading(ValueReading):
    turn: Turn

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
        at: At,
        fixed_places: Mapping[str, Fixed],
        also: tuple[str, ...] = (),
    ) -> dict[str, Value]:
        """The stored fields of a record in the order of its type. `also` are further keys to suggest."""
        known = {f.name: f for f in record.stored if f.name not in at.fixed}
        named_by = named_fields(record, self.turn.index.ruleset.input.state)
        read: dict[str, Value] = {}
        for key, value in given.items():
            name = self.field_meant(str(key), known, named_by, At(at.path, record.where), also)
            if name is None or value is None:
                continue
            inner = at.key(str(key))
            if name in read:
                self.findings.add(repeated_key, inner.path, str(key), record.where)
            read[name] = self.field(value, known[name], inner, fixed_places.get(name, {}))
        return {f.name: self._stored(f, read, at, fixed_places.get(f.name, {})) for f in record.stored}

    def field(self, value: object, declared: Field, at: At, fixed: Fixed) -> Value:
        inner = replace(at, where=Location(declared.where), fixed=fixed)
        typed = self.value(value, declared.type, inner)
        if declared.allowed is None or typed is UNFIT:
            return typed
        allowed = declared.allowed
        of = describe(declared.type)
        return self._tested(value, typed, allowed.subject, allowed.tests, of, allowed.written, inner)

    def _stored(self, declared: Field, read: Mapping[str, Value], at: At, fixed: Fixed) -> Value:
        name = declared.name
        if name in at.fixed:
            return at.fixed[name]
        if name in read:
            return read[name]
        if declared.default is not None:
            return self._fixed_in(self.scope.value(declared.default), fixed)
        if not may_be_null(declared.type) and self._is_required(at):
            wanted = describe(declared.type)
            self.findings.add(missing, at.key(name).path, wanted, Location(declared.where))
        return None

    def _is_required(self, at: At) -> bool:
        """A field of the state itself may be missing until something reads it."""
        return at.path != self.turn.path

    def _fixed_in(self, value: Value, fixed: Fixed) -> Value:
        if not fixed or not isinstance(value, RecordValue):
            return value
        return RecordValue(value.record, {**value.values, **fixed}, value.turn)

    # -- what values are ---------------------------------------------------------------------

    def spelled(self, vocabulary: str) -> Spellings:
        return self.turn.index.spellings[vocabulary]

    def number_names(self, restriction: str) -> NumberNames | None:
        return self.turn.index.number_names.get(restriction)

    def ids(self, vocabulary: str) -> Iterable[str]:
        return (label.id for label in self.turn.index.vocabularies[vocabulary].names)

    def named(self, wanted: VocabularyType, id_: str) -> Value:
        return self.turn.name(wanted.root, id_)

    def record(self, given: Mapping[Any, object], name: str, at: At) -> Value:
        record = self.turn.index.records[name]
        return RecordValue(record.name, self.entries(given, record, at, {}), self.turn)

    def restricted(self, value: object, typed: Value, wanted: RestrictedType, at: At) -> Value:
        restriction = self.turn.index.restrictions[wanted.name]
        of, written = describe(wanted.of), restriction.written
        return self._tested(value, typed, restriction.subject, restriction.tests, of, written, at)

    def _tested(
        self,
        value: object,
        typed: Value,
        subject: Variable,
        tests: tuple[Test, ...],
        of: str,
        written: str,
        at: At,
    ) -> Value:
        scope = self.scope.bind(subject, typed)
        if self.turn.meaning.passes(tests, typed, scope) is True:
            return typed
        self.findings.add(not_allowed, at.path, value, of, written, at.where)
        return UNFIT
