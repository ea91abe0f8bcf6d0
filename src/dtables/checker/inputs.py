"""The turn's state: the fields of all `Input:` tables make one record."""

from __future__ import annotations

from dataclasses import replace

from dtables.checker import table_problems
from dtables.checker.constants import hold_to_restrictions
from dtables.checker.declare import VALUE_SPACE, claim
from dtables.checker.draft import Draft, FieldDraft
from dtables.checker.records import fields_of_rows, written_type
from dtables.checker.restrictions import allowed_of
from dtables.checker.scope import FieldSymbol
from dtables.checker.written import heading, stripped, text_of
from dtables.feel.types import RecordType, optional
from dtables.model.tables import Field, Fixed, Input, Record
from dtables.provenance import CellRef, Location


def declare_inputs(draft: Draft) -> None:
    for table in draft.tables("input"):
        for field in fields_of_rows(draft, table):
            cell = field.name_cell
            assert cell is not None
            if field.formula is not None:
                draft.error(field.formula, table_problems.computed_input(field.name))
                field = replace(field, formula=None)
            if claim(draft, VALUE_SPACE, stripped(text_of(cell))):
                draft.input_drafts[field.name] = field


def type_inputs(draft: Draft) -> None:
    """A field without default is what its type says: reading it where it is missing rejects the record."""
    for name, field in draft.input_drafts.items():
        type_ = written_type(draft, field)
        if field.default is not None and field.default.code.strip() == "null":
            type_ = optional(type_)
        draft.inputs[name] = FieldSymbol(name, type_, field.where, has_default=field.default is not None)


def input_model(draft: Draft, fixed: tuple[Fixed, ...]) -> Input:
    tables = draft.tables("input")
    state = draft.symbols.state
    where = tables[0].where if tables else _nowhere(draft)
    record = Record(
        state,
        tuple(_field(draft, f) for f in draft.input_drafts.values()),
        draft.numbers.variable("this", RecordType(state)),
        where,
        heading(tables[0]) if tables else None,
    )
    return Input(tuple(heading(table) for table in tables), record, fixed)


def _field(draft: Draft, field: FieldDraft) -> Field:
    symbol = draft.inputs[field.name]
    default = draft.defaults.get((draft.symbols.state, field.name))
    allowed = allowed_of(draft, draft.symbols.state, field, symbol.type)
    if default is not None and field.default is not None:
        hold_to_restrictions(draft, text_of(field.default), default, symbol.type)
    type_ = symbol.type if default is not None else optional(symbol.type)
    return Field(field.name, type_, field.where, default, None, allowed, field.words, field.help)


def _nowhere(draft: Draft) -> Location:
    """A workbook that reads nothing of a turn still has a state, which no cell tells of."""
    sheet = draft.book.sheets[0] if draft.book.sheets else ""
    return Location(CellRef(draft.book.name, sheet, 1, 1))
