"""The oracle asked like an engine: records are read for it, and what it finds is put into words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeVar

from dtables.feel.names import NumberNames
from dtables.feel.values import Plain, Value
from dtables.merging import Reply
from dtables.model.expressions import Expression, Test, Variable
from dtables.model.reach import named_fields
from dtables.model.tables import Ask, Field, Record, Ruleset
from dtables.provenance import Location
from dtables.records.findings import (
    Finding,
    RecordError,
    RuleError,
    broken_check,
    empty,
    missing,
    not_an_option,
    unknown_name,
    wrong_type,
)
from dtables.records.reader import read_arguments, read_state
from dtables.records.shapes import Allowed, FieldShape, Fixed, Misread, Names, RecordShape, Shapes
from tests.oracle import Mode, Oracle
from tests.oracle.failing import Failed, Rejected, Wrong
from tests.oracle.failing import Finding as Found
from tests.oracle.oracle import bounded, state_of
from tests.oracle.values import RecordValue, Turn

Result = TypeVar("Result")


class OracleEngine:
    """Raises RecordError and RuleError, as engines do."""

    def __init__(self, ruleset: Ruleset, mode: Mode = Mode.STRICT) -> None:
        self.oracle = Oracle(ruleset, mode)

    def reply(self, ask: str | None, state: object) -> Reply:
        return Reply(*_in_words(lambda: self._reply(self._ask(ask), state)))

    def answer(self, ask: str | None, state: object) -> dict[str, Any]:
        return self.reply(ask, state).answer

    def call(self, table: str, given: Mapping[str, object]) -> Plain:
        return _in_words(lambda: self._call(table, given))

    def value(self, table: str, arguments: list[Value], inputs: Mapping[str, Value]) -> Value:
        """Typed values in, a typed value out."""
        turn = self.oracle.turn("")
        turn.state = state_of(turn, inputs)
        return _in_words(lambda: self.oracle.value(table, arguments, turn))

    def _reply(self, ask: Ask, state: object) -> Any:
        turn = self.oracle.turn("state")
        turn.state = state_of(turn, read_state(state, self._shapes, turn, turn.path))
        turn.given = state
        return self.oracle.reply(ask, turn)

    def _call(self, name: str, given: Mapping[str, object]) -> Plain:
        table, turn = self.oracle.index.tables[name], self.oracle.turn("")
        parameters = {parameter.name: parameter.type for parameter in table.parameters}
        arguments, values = read_arguments(given, parameters, table.heading.where, self._shapes, turn)
        turn.state = state_of(turn, values)
        return self.oracle.call(name, arguments, turn)

    def _ask(self, name: object) -> Ask:
        if name is not None and not isinstance(name, str):
            raise RecordError([wrong_type("ask", name, "text")])
        asks = {ask.heading.name: ask for ask in self.oracle.ruleset.open_asks}
        for ask in asks.values():
            if name in (None, ask.heading.name):
                return ask
        raise RecordError([unknown_name("ask", name or "", "one of the asks", asks)])

    @cached_property
    def _shapes(self) -> Shapes:
        return _shapes_of(self.oracle)


# -- in words ----------------------------------------------------------------------------------

WORDS: dict[Wrong, Callable[..., Finding]] = {
    Wrong.MISSING: missing,
    Wrong.EMPTY: empty,
    Wrong.NO_OPTION: not_an_option,
    Wrong.BROKEN: broken_check,
}


def _in_words(work: Callable[[], Result]) -> Result:
    try:
        return bounded(work)
    except Rejected as rejected:
        raise RecordError(map(_worded, rejected.findings), rejected.more) from None
    except Failed as failed:
        raise RuleError(failed.message, failed.where, failed.table) from None


def _worded(found: Found) -> Finding:
    return WORDS[found.wrong](found.path, *found.told, found.where)


# -- what a record can hold --------------------------------------------------------------------


def _shapes_of(oracle: Oracle) -> Shapes:
    home, index = oracle.home, oracle.index
    ruleset = oracle.ruleset
    return Shapes(
        state=index.state,
        records={record.name: _record(record, oracle) for record in index.records.values()},
        vocabularies={
            v.name: Names(
                {label.id: home.name(v.root, label.id) for label in v.names}, index.spellings[v.name]
            )
            for v in index.vocabularies.values()
        },
        restrictions={r.name: (_allowed(r.subject, r.tests, home), r.written) for r in ruleset.restrictions},
        fixed=_fixed(oracle),
        number_names={r.name: NumberNames(r.number_names) for r in ruleset.restrictions if r.names},
    )


def _record(record: Record, oracle: Oracle) -> RecordShape:
    names = tuple(field.name for field in record.stored)

    def make(turn: Turn, *values: Value) -> RecordValue:
        return RecordValue(record.name, dict(zip(names, values, strict=True)), turn)

    fields = tuple(_field(field, oracle.home) for field in record.stored)
    named_by = named_fields(record, oracle.ruleset.input.state)
    return RecordShape(record.name, RecordValue, make, record.where, fields, named_by)


def _field(field: Field, home: Turn) -> FieldShape:
    allowed, default = field.allowed, field.default
    return FieldShape(
        field.name,
        field.type,
        Location(field.where),
        None if default is None else _worked_out(default),
        None if allowed is None else (_allowed(allowed.subject, allowed.tests, home), allowed.written),
    )


def _worked_out(default: Expression) -> Callable[[Turn], Value]:
    return lambda turn: turn.scope(None).value(default)


def _allowed(subject: Variable, tests: tuple[Test, ...], home: Turn) -> Allowed:
    def allowed(value: Value) -> Value:
        if home.meaning.passes(tests, value, home.scope(None).bind(subject, value)) is not True:
            raise Misread
        return value

    return allowed


def _fixed(oracle: Oracle) -> Mapping[str, Fixed]:
    places: dict[str, dict[str, Value]] = {}
    for fixed in oracle.ruleset.input.fixed:
        places.setdefault(fixed.input, {})[fixed.field] = oracle.home.scope(None).value(fixed.value)
    return places
