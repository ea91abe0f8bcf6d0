"""Decisions whose outcome columns are the fields of a record."""

from __future__ import annotations

from collections.abc import Mapping

from dtables.checker import function_problems
from dtables.checker.draft import Draft, FunctionDraft
from dtables.feel.types import ContextType, RecordType, Type, plain
from dtables.model.expressions import MakeRecord
from dtables.model.tables import Outcome, OutcomeColumn, OutcomeKind
from dtables.provenance import Location

Heads = tuple[OutcomeColumn, ...]
Columns = list[tuple[Outcome, ...]]


def given_fields(draft: Draft, wanted: Type) -> Mapping[str, Type] | None:
    """What several outcome columns may be called, if they are to make a value of this type."""
    match plain(wanted):
        case ContextType(fields=fields):
            return dict(fields)
        case RecordType(name=name) if name in draft.records:
            return {f.name: f.type for f in draft.records[name].stored}
        case _:
            return None


def as_records(
    draft: Draft, function: FunctionDraft, wanted: Type | None, heads: Heads, outcomes: Columns
) -> tuple[Heads, Columns]:
    """Where a record is wanted, the cells of a row are one outcome that makes it."""
    record = None if wanted is None else plain(wanted)
    if not isinstance(record, RecordType) or record.name not in draft.records or len(heads) < 2:
        return heads, outcomes
    if any(head.kind is not OutcomeKind.THEN for head in heads):
        return heads, outcomes
    _tell_missing(draft, function, record, heads)
    rows = list(zip(*outcomes, strict=True))
    made = tuple(_made(draft, record, heads, row) for row in rows)
    head = OutcomeColumn(function.name, OutcomeKind.THEN, record, heads[0].where)
    return (head,), [made]


def _tell_missing(draft: Draft, function: FunctionDraft, record: RecordType, heads: Heads) -> None:
    given = {head.name for head in heads}
    for field in draft.records[record.name].stored:
        if field.name not in given and not field.may_be_left_out:
            draft.error(function.name_text, function_problems.no_column_for_field(field.name, record.name))


def _made(draft: Draft, record: RecordType, heads: Heads, row: tuple[Outcome, ...]) -> Outcome:
    where = Location(row[0].cell)
    told = {head.name: outcome.value for head, outcome in zip(heads, row, strict=True)}
    stored = draft.records[record.name].stored
    fields = tuple((field.name, field.else_default(told.get(field.name), where)) for field in stored)
    value = MakeRecord(record.name, fields, type=record, where=where)
    return Outcome(value, row[0].cell, ", ".join(outcome.written for outcome in row))
