"""Record types: fields from `Record:`, data columns, levels, switches and the steps of formulas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dtables.checker import table_problems
from dtables.checker.declare import TYPE_SPACE, VALUE_SPACE, claim, good_name, good_value_name, named_rows
from dtables.checker.draft import Draft, FieldDraft, RecordDraft
from dtables.checker.scope import FieldSymbol, RecordSymbol
from dtables.checker.sink import Text
from dtables.checker.types import lower_type
from dtables.checker.vocabularies import key_name
from dtables.checker.written import (
    cell_of,
    column_name,
    columns,
    filled_rows,
    marker_name,
    part,
    parts,
    property_text,
    stripped,
    text_at,
    text_of,
    words_at,
)
from dtables.feel.types import NAMED_TYPES, UNKNOWN, ListType, Type, UnknownType, optional, without_null
from dtables.provenance import Location
from dtables.workbook.tables import Column, TableText
from dtables.workbook.words import NEEDED, closed_word


def declare_records(draft: Draft) -> None:
    """All record types by name, with the fields they are told to have; no types yet."""
    for table in draft.tables("record"):
        _declare_record(draft, table)
    for table in draft.tables("data"):
        _declare_data(draft, table)


def _declare_record(draft: Draft, table: TableText) -> None:
    name = marker_name(table)
    earlier = draft.record_drafts.get(name.text)
    if earlier is not None and (name.text not in draft.plus or earlier.table is not None):
        draft.error(name, table_problems.name_taken(name.text, earlier.where))
        return
    keyed = draft.vocabularies.get(name.text)
    if (keyed is None or keyed.record != name.text) and not claim(draft, TYPE_SPACE, name):
        return
    fields = dict(earlier.fields) if earlier else {}
    for field in fields_of_rows(draft, table):
        if field.name in fields:
            draft.error(
                field.name_cell or name,
                table_problems.double_field(field.name, Location(fields[field.name].where)),
            )
            continue
        fields[field.name] = _held_to_be_there(field)
    draft.record_drafts[name.text] = RecordDraft(name.text, table.where, fields, table)


def _held_to_be_there(field: FieldDraft) -> FieldDraft:
    """`needed` stands where the default would."""
    if field.default is None or closed_word(NEEDED, field.default.code) is None:
        return field
    return replace(field, default=None, needed=True)


def fields_of_rows(draft: Draft, table: TableText) -> Iterable[FieldDraft]:
    """The rows of a `Record:` or `Input:` table; each name once."""
    for row, name in named_rows(draft, table, "field"):
        if not good_value_name(draft, name):
            continue
        label = words_at(table, row, "label")
        yield FieldDraft(
            name.text,
            name.cell.ref,
            name.cell,
            text_at(table, row, "type"),
            default=cell_of(table, row, "default"),
            formula=cell_of(table, row, "is"),
            allowed=cell_of(table, row, "allowed"),
            words=label or words_at(table, row, "text"),
            help=words_at(table, row, "help"),
        )


# -- data --------------------------------------------------------------------------------------


def record_of_data(table: TableText) -> str:
    return key_name(table).text if columns(table, "key") else table.name


def _declare_data(draft: Draft, table: TableText) -> None:
    name = record_of_data(table)
    if not columns(table, "key"):
        if not claim(draft, VALUE_SPACE, marker_name(table)):
            return
        draft.data[table.name] = name
    record = draft.record_drafts.setdefault(name, RecordDraft(name, table.where, {}))
    for field in _data_fields(draft, table):
        told = record.fields.get(field.name)
        record.fields[field.name] = field if told is None else _told_twice(draft, told, field)


def _told_twice(draft: Draft, told: FieldDraft, column: FieldDraft) -> FieldDraft:
    """A stored field of `Record:` and a data column are one field: the record gives default and
    wording, the column the values."""
    if told.formula is not None:
        assert column.name_cell is not None
        draft.error(
            column.name_cell, table_problems.column_of_computed_field(told.name, Location(told.where))
        )
        return told
    return replace(
        told, type=told.type or column.type, column_type=column.type, data=True, blank=column.blank
    )


def data_columns(table: TableText) -> dict[str, list[tuple[int, str | None]]]:
    """Columns by field: their places in a row, and the name below the field (`cost.wood`)."""
    found: dict[str, list[tuple[int, str | None]]] = {}
    for n in columns(table, "type"):
        name, _, below = column_name(table.columns[n]).partition(".")
        found.setdefault(name.strip(), []).append((n, below.strip() or None))
    return found


def _data_fields(draft: Draft, table: TableText) -> Iterable[FieldDraft]:
    for name, places in data_columns(table).items():
        first = table.columns[places[0][0]]
        if first.name is None or first.name.empty:
            draft.error(first.role_cell, table_problems.column_without_name())
            continue
        if not good_name(draft, part(text_of(first.name), 0, len(name))):
            continue
        below = [name for _, name in places]
        if len(set(below)) < len(below) or (None in below and len(below) > 1):
            draft.error(first.name, table_problems.double_column(name))
            continue
        blank = any(all(row.cells[n].empty for n, _ in places) for row in filled_rows(table))
        yield FieldDraft(name, first.role_cell.ref, first.name, type_text(first), data=True, blank=blank)


def type_text(column: Column) -> Text:
    return stripped(text_of(column.role_cell))


# -- types -------------------------------------------------------------------------------------


def name_records(draft: Draft) -> None:
    """Records and their fields by name, so that texts can be read; types come later."""
    for record in draft.record_drafts.values():
        fields = {f.name: FieldSymbol(f.name, UNKNOWN, f.where) for f in record.fields.values()}
        draft.records[record.name] = RecordSymbol(record.name, fields)


def type_records(draft: Draft) -> None:
    for record in draft.record_drafts.values():
        fields = {f.name: field_symbol(draft, f) for f in record.fields.values()}
        draft.records[record.name] = RecordSymbol(record.name, fields)
    settle_readable(draft)


def field_symbol(draft: Draft, field: FieldDraft) -> FieldSymbol:
    type_ = written_type(draft, field)
    if field.formula is not None:
        if field.default is not None:
            draft.error(field.default, table_problems.default_of_computed_field(field.name))
        return FieldSymbol(field.name, type_, field.where, computed=True)
    has_default = field.default is not None or isinstance(type_, UnknownType)
    return FieldSymbol(field.name, stored_type(field, type_), field.where, has_default=has_default)


def written_type(draft: Draft, field: FieldDraft) -> Type:
    if field.known is not None:
        return field.known
    if field.type is None:
        assert field.name_cell is not None
        draft.error(field.name_cell, table_problems.field_without_type(field.name))
        return UNKNOWN
    type_ = lower_type(field.type, draft.symbols, draft.sink)
    if field.column_type is not None:
        _hold_to_column(draft, field, type_)
    return ListType(type_) if field.many else type_


def _hold_to_column(draft: Draft, field: FieldDraft, type_: Type) -> None:
    """A field that is told of twice has one type."""
    assert field.column_type is not None
    column_type = lower_type(field.column_type, draft.symbols, draft.sink)
    if UNKNOWN not in (type_, column_type) and without_null(column_type) != without_null(type_):
        wording = table_problems.two_types(field.name, column_type, type_, Location(field.where))
        draft.error(field.column_type, wording)


def stored_type(field: FieldDraft, type_: Type) -> Type:
    """A stored field without default may be null, unless it is needed, or every row of its data, or
    the place its record stands in, gives it. A blank list of data is an empty one."""
    if field.default is not None:
        return optional(type_) if field.default.code.strip() == "null" else type_
    if field.fixed or field.needed:
        return type_
    if field.data and (not field.blank or isinstance(type_, ListType)):
        return type_
    return optional(type_)


def settle_readable(draft: Draft) -> None:
    """Which records are maps too: those with a field of one type for every name of a vocabulary."""
    for name, symbol in list(draft.records.items()):
        readable = tuple(v for v in draft.vocabularies if _reads(draft, symbol, v))
        draft.records[name] = replace(symbol, readable_by=readable)
        _hold_to_claim(draft, name, readable)


def _reads(draft: Draft, symbol: RecordSymbol, vocabulary: str) -> bool:
    ids = draft.vocabularies[vocabulary].ids
    if not ids or any(i not in symbol.fields for i in ids):
        return False
    types = {symbol.fields[i].type for i in ids}
    return len(types) == 1 and not isinstance(next(iter(types)), UnknownType)


def _hold_to_claim(draft: Draft, name: str, readable: tuple[str, ...]) -> None:
    table = draft.record_drafts[name].table
    claimed = property_text(table, "readable by") if table is not None else None
    for vocabulary in parts(claimed) if claimed else ():
        if vocabulary.text not in draft.vocabularies:
            draft.error(vocabulary, table_problems.unknown_vocabulary(vocabulary.text, draft.vocabularies))
        elif vocabulary.text not in readable:
            draft.error(vocabulary, table_problems.not_readable(name, vocabulary.text))


# -- records that no table is called after --------------------------------------------------------


def declare_result_records(draft: Draft) -> None:
    """`Formula: offer(…) -> price of a thing` without a row `result`: the record of its steps."""
    for function in list(draft.function_drafts.values()):
        result = function.result
        if function.kind != "formula" or function.row is not None or result is None:
            continue
        if not _is_new(draft, result):
            continue
        steps = dict(_steps(function.table))
        if "result" in steps or not good_name(draft, result):
            continue
        claim(draft, TYPE_SPACE, result)
        draft.record_drafts[result.text] = RecordDraft(result.text, function.where, steps)


def _steps(table: TableText) -> Iterable[tuple[str, FieldDraft]]:
    for row in filled_rows(table):
        cell = cell_of(table, row, "step")
        if cell is None:
            continue
        name = stripped(text_of(cell))
        if "(" in name.text:
            continue
        type_ = text_at(table, row, "type")
        yield name.text, FieldDraft(name.text, cell.ref, cell, type_, data=True)


def _is_new(draft: Draft, result: Text) -> bool:
    """A plain name that no type has; anything more is no new record."""
    if (TYPE_SPACE, result.text) in draft.terms or result.text in draft.record_drafts:
        return False
    words_of_types = ("list of ", "lista di ", "list<", "range<", "context<", "function<")
    text = result.text
    composed = text.endswith("?") or text.startswith(words_of_types) or " by " in text
    return text not in NAMED_TYPES and not composed
