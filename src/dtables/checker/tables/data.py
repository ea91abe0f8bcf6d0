"""Rows of data, and the records whose fields they fill."""

from __future__ import annotations

from dataclasses import replace

from dtables.checker import messages
from dtables.checker.expressions.constants import constant_cell
from dtables.checker.expressions.lower import lower_expression
from dtables.checker.rows import column, filled_rows, first_cell, heading, text_of
from dtables.checker.symbols import Draft, FieldSymbol
from dtables.checker.tables.records import allowed_of, data_columns, record_of_data
from dtables.feel.types import (
    AnyType,
    ListType,
    MapType,
    OptionalType,
    RecordType,
    Type,
    UnknownType,
    VocabularyType,
    optional,
    plain,
    without_null,
)
from dtables.model.expressions import Constant, Expression, MakeContext, MakeRecord, NameOf
from dtables.model.expressions import Entry as ContextEntry
from dtables.model.tables import Data, Field, Label, Record, Row
from dtables.provenance import Location
from dtables.workbook.tables import RowText, TableText

Places = list[tuple[int, str | None]]
"""Cells of a row that tell one field, and the names below the field."""


def fill_data(draft: Draft) -> tuple[Data, ...]:
    """Give keyed vocabularies their rows; the other data tables are lists of records."""
    found = []
    for table in draft.tables("data"):
        name = record_of_data(table)
        if name not in draft.records:
            continue
        rows = {id(row): data_row(draft, table, row, name) for row in filled_rows(table)}
        key = column(table, "key")
        if key is None:
            found.append(Data(heading(table), name, tuple(rows.values())))
        elif name in draft.vocabularies:
            keyed = {row.cells[key].code.strip(): rows[id(row)] for row in reversed(list(filled_rows(table)))}
            vocabulary = draft.vocabularies[name]
            mine = tuple(keyed[label.id] for label in vocabulary.names if label.id in keyed)
            draft.vocabularies[name] = replace(vocabulary, rows=mine)
    fill_plus(draft)
    return tuple(found)


def data_row(draft: Draft, table: TableText, row: RowText, record: str) -> Row:
    by_field = data_columns(table)
    values: list[tuple[str, Expression]] = []
    for symbol in draft.records[record].stored:
        places = by_field.get(symbol.name, [])
        if all(row.cells[n].empty for n, _ in places) and _must_be_there(symbol):
            cell = row.cells[places[0][0]] if places else row.cells[0]
            draft.error(cell, messages.blank_needed(symbol.name, Location(symbol.where)))
        values.append((symbol.name, _value(draft, row, places, symbol)))
    return Row(tuple(values), first_cell(row))


def _value(draft: Draft, row: RowText, places: Places, symbol: FieldSymbol) -> Expression:
    """Of one cell, of several (`cost.wood | cost.clay`), or of no column at all."""
    if not places:
        return symbol.else_default(None, Location(first_cell(row)))
    place, below = places[0]
    if below is None:
        return constant_cell(draft, row.cells[place], symbol.type, symbol.default)
    return _nested(draft, row, places, symbol)


def _must_be_there(symbol: FieldSymbol) -> bool:
    """No null, no default, and no list, which is empty when blank."""
    given = symbol.has_default or isinstance(symbol.type, (ListType, OptionalType, UnknownType, AnyType))
    return not given


def _nested(draft: Draft, row: RowText, places: Places, symbol: FieldSymbol) -> Expression:
    """`cost.wood | cost.clay`: one record of several cells; all blank: the default or null."""
    where, type_ = Location(row.cells[places[0][0]].ref), without_null(symbol.type)
    below = {name: row.cells[n] for n, name in places if name is not None}
    if all(cell.empty for cell in below.values()):
        return symbol.else_default(None, where)
    match plain(type_):
        case RecordType(name=record) if record in draft.records:
            given = []
            for field in draft.records[record].stored:
                cell = below.get(field.name)
                constant = None if cell is None else constant_cell(draft, cell, field.type, field.default)
                given.append((field.name, field.else_default(constant, where)))
            return MakeRecord(record, tuple(given), type=type_, where=where)
        case MapType(value=value):
            entries = []
            for name, cell in below.items():
                if not cell.empty:
                    variable = draft.numbers.variable(name, value)
                    entries.append(ContextEntry(name, variable, constant_cell(draft, cell, value, None)))
            return MakeContext(tuple(entries), type=type_, where=where)
        case _:
            return Constant(None, type=optional(type_), where=where)


def check_nested_columns(draft: Draft) -> None:
    """Columns `field.below`: the field is a record or a map that has such a field or name."""
    for table in draft.tables("data"):
        symbols = draft.records.get(record_of_data(table))
        for name, places in data_columns(table).items():
            symbol = symbols.fields.get(name) if symbols else None
            if symbol is None:
                continue
            for n, below in places:
                cell = table.columns[n].name
                if below is None or cell is None:
                    continue
                known = _names_below(draft, symbol.type)
                if known is None:
                    draft.error(cell, messages.nested_in_no_record(name, symbol.type))
                    break
                if below not in known:
                    draft.error(cell, messages.unknown_nested_field(below, symbol.type, known))


def _names_below(draft: Draft, type_: Type) -> tuple[str, ...] | None:
    match plain(type_):
        case RecordType(name=record) if record in draft.records:
            return tuple(field.name for field in draft.records[record].stored)
        case MapType(key=key):
            return draft.vocabularies[key.name].ids
        case _:
            return None


def fill_plus(draft: Draft) -> None:
    """The rows of `top = card plus empty`: a card's row holds the card, that of `empty` null."""
    for name, base in draft.plus.items():
        vocabulary = draft.vocabularies[name]
        ids = set(draft.vocabularies[base].ids)
        rows = tuple(_plus_row(draft, name, base, label, label.id in ids) for label in vocabulary.names)
        draft.vocabularies[name] = replace(vocabulary, rows=rows)


def _plus_row(draft: Draft, name: str, base: str, label: Label, of_base: bool) -> Row:
    root, where = draft.vocabularies[base].root, Location(label.where)
    held = NameOf(root, label.id, type=VocabularyType(base, root), where=where)
    values = (
        (s.name, s.else_default(held if of_base and s.name == base else None, where))
        for s in draft.records[name].stored
    )
    return Row(tuple(values), label.where)


# -- record models -------------------------------------------------------------------------------


def record_models(draft: Draft) -> tuple[Record, ...]:
    """With computed fields lowered: they read their own fields, `this`, data, the input and formulas."""
    return tuple(_record_model(draft, name) for name in draft.record_drafts if name in draft.records)


def _record_model(draft: Draft, name: str) -> Record:
    draft_record = draft.record_drafts[name]
    vocabulary = draft.vocabularies.get(name)
    of_rows = vocabulary is not None and vocabulary.record == name
    own: Type = VocabularyType(name, name) if of_rows else RecordType(name)
    this = draft.numbers.variable("this", own)
    symbol = draft.records[name]
    scope = draft.scope().with_item(this)
    models = []
    for field in draft_record.fields.values():
        found, formula = symbol.fields[field.name], field.formula
        computed = (
            None if formula is None else lower_expression(text_of(formula), scope, draft.sink, found.type)
        )
        allowed = allowed_of(draft, name, field, found.type)
        models.append(
            Field(
                field.name, found.type, field.where, found.default, computed, allowed, field.words, field.help
            )
        )
    headed = heading(draft_record.table) if draft_record.table else None
    return Record(name, tuple(models), this, draft_record.where, headed, symbol.readable_by)
