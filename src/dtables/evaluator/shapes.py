"""What a record can hold, made of the model: the evaluator reads records as compiled modules do."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dtables.evaluator.state import RecordValue, Turn
from dtables.feel.values import Value
from dtables.model.expressions import Expression, Test, Variable
from dtables.model.reach import named_fields
from dtables.model.tables import Field, Record
from dtables.provenance import Location
from dtables.records.shapes import Allowed, FieldShape, Fixed, Misread, Names, RecordShape, Shapes


def shapes_of(home: Turn) -> Shapes:
    """`home` is a turn without state, in which rows of data are."""
    index = home.index
    return Shapes(
        state=index.state,
        records={record.name: _record(record, home) for record in index.records.values()},
        vocabularies={
            v.name: Names(
                {label.id: home.name(v.root, label.id) for label in v.names}, index.spellings[v.name]
            )
            for v in index.vocabularies.values()
        },
        restrictions={
            r.name: (_allowed(r.subject, r.tests, home), r.written) for r in index.restrictions.values()
        },
        fixed=_fixed(home),
        number_names=index.number_names,
    )


def _record(record: Record, home: Turn) -> RecordShape:
    names = tuple(field.name for field in record.stored)

    def make(turn: Turn, *values: Value) -> RecordValue:
        return RecordValue(record.name, dict(zip(names, values, strict=True)), turn)

    fields = tuple(_field(field, home) for field in record.stored)
    named_by = named_fields(record, home.index.ruleset.input.state)
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
    return lambda turn: turn.planner.worked_out(default, turn)


def _allowed(subject: Variable, tests: tuple[Test, ...], home: Turn) -> Allowed:
    passes = home.planner.test(tests, (subject,))

    def allowed(value: Value) -> Value:
        if passes(home, value) is not True:
            raise Misread
        return value

    return allowed


def _fixed(home: Turn) -> Mapping[str, Fixed]:
    places: dict[str, dict[str, Value]] = {}
    for fixed in home.index.ruleset.input.fixed:
        places.setdefault(fixed.input, {})[fixed.field] = home.planner.worked_out(fixed.value, home)
    return places
