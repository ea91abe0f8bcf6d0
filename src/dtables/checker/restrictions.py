"""Restricted types and fields: `age | number | [1..3]`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dtables.checker import table_problems
from dtables.checker.constants import passes
from dtables.checker.declare import TYPE_SPACE, claim
from dtables.checker.draft import Draft, FieldDraft
from dtables.checker.lower import lower_tests
from dtables.checker.types import lower_type
from dtables.checker.vocabularies import Derived, types_rows
from dtables.checker.written import cell_of, text_of
from dtables.feel.types import RestrictedType, Type, without_null
from dtables.model.expressions import Arithmetic, Constant, Expression, MakeRecord, NameOf, Negation
from dtables.model.tables import Allowed, Field, Record, Restriction
from dtables.model.vocabularies import Row
from dtables.model.walk import nodes
from dtables.provenance import Location
from dtables.workbook.tables import Cell


def declare_restrictions(draft: Draft, derived: Iterable[Derived]) -> None:
    """Rows whose `of` is a type; one may restrict another that stands above it, or only be its other name."""
    of_vocabularies = {id(d.row) for d in derived}
    for table, row, name in types_rows(draft):
        base = cell_of(table, row, "of")
        if base is None or id(row) in of_vocabularies:
            continue
        extra = cell_of(table, row, "plus")
        if extra is not None:
            draft.error(extra, table_problems.names_for_no_vocabulary(base.code.strip()))
        of = lower_type(text_of(base), draft.symbols, draft.sink)
        if claim(draft, TYPE_SPACE, name):
            restricted = cell_of(table, row, "allowed") is not None
            draft.restrictions[name.text] = RestrictedType(name.text, of) if restricted else of


def settle_restrictions(draft: Draft) -> None:
    for table, row, name in types_rows(draft):
        type_ = draft.restrictions.get(name.text)
        cell = cell_of(table, row, "allowed")
        if not isinstance(type_, RestrictedType) or cell is None or name.text in draft.restriction_models:
            continue
        allowed = allowed_values(draft, cell, type_.of)
        draft.restriction_models[name.text] = Restriction(
            name.text, type_.of, allowed.subject, allowed.tests, cell.ref, allowed.written
        )


def allowed_values(draft: Draft, cell: Cell, type_: Type) -> Allowed:
    subject = draft.numbers.variable("value", without_null(type_))
    tests = lower_tests(text_of(cell), subject, draft.scope(), draft.sink)
    return Allowed(subject, tests, cell.typed.strip())


def allowed_of(draft: Draft, owner: str, field: FieldDraft, type_: Type) -> Allowed | None:
    if field.allowed is None:
        return None
    if field.formula is not None:
        draft.error(field.allowed, table_problems.allowed_of_computed_field(field.name))
        return None
    key = (owner, field.name)
    if key not in draft.allowed:
        draft.allowed[key] = allowed_values(draft, field.allowed, type_)
    return draft.allowed[key]


# -- what the workbook itself says -------------------------------------------------------------


def hold_to_allowed(draft: Draft, records: Iterable[Record], rows: Iterable[tuple[str, Row]]) -> None:
    """Defaults and data must pass the tests of their field, as what a log says must."""
    listed = tuple(records)
    fields = {(record.name, field.name): field for record in listed for field in record.fields}
    said = [
        (record.name, f.name, f.default) for record in listed for f in record.fields if f.default is not None
    ]
    said += [(record, name, value) for record, row in rows for name, value in row.values]
    found: dict[Location, Field] = {}
    for record, name, value in said:
        for field, part in _fields_in(fields, record, name, value):
            if field.allowed is not None and passes(field.allowed.tests, part) is False:
                found.setdefault(part.where, field)
    for where, field in found.items():
        assert field.allowed is not None
        wording = table_problems.not_allowed_there(field.name, field.allowed.written, Location(field.where))
        draft.error_at(where, None, wording)


def _fields_in(
    fields: dict[tuple[str, str], Field], record: str, name: str, value: Expression
) -> Iterator[tuple[Field, Expression]]:
    """The field and what it is given, and those of records inside; a null is nothing that is given."""
    given = [(record, name, value)]
    given += [
        (node.record, *one) for node in nodes(value) if isinstance(node, MakeRecord) for one in node.fields
    ]
    for of, at, part in given:
        plain = isinstance(part, NameOf | Negation | Arithmetic)
        if (of, at) in fields and (plain or (isinstance(part, Constant) and part.value is not None)):
            yield fields[(of, at)], part
