"""What stands in a record that leaves a field out, and fields that a place gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dtables.checker import table_problems
from dtables.checker.constants import constant_text
from dtables.checker.draft import Draft, FieldDraft
from dtables.checker.scope import FieldSymbol, RecordSymbol
from dtables.checker.sink import Sink, Text
from dtables.checker.written import cell_of, filled_rows, part, parts, stripped, text_of
from dtables.feel.types import ListType, MapType, RecordType, Type, UnknownType, VocabularyType, plain
from dtables.model.expressions import Expression
from dtables.model.tables import Fixed
from dtables.provenance import Location


def settle_defaults(draft: Draft) -> None:
    """Records before those that hold them: a record written as a default takes their defaults."""
    done: set[str] = set()
    for name in draft.record_drafts:
        _settle_record(draft, name, done)


def _settle_record(draft: Draft, name: str, done: set[str]) -> None:
    if name in done or name not in draft.record_drafts:
        return
    done.add(name)
    symbol = draft.records[name]
    for field in symbol.fields.values():
        for inner in _records_in(draft, field.type):
            _settle_record(draft, inner, done)
    for field_draft in draft.record_drafts[name].fields.values():
        default = _default(draft, field_draft, symbol.fields[field_draft.name].type)
        if default is not None:
            draft.defaults[(name, field_draft.name)] = default
    fields = {f.name: replace(f, default=draft.defaults.get((name, f.name))) for f in symbol.fields.values()}
    draft.records[name] = replace(draft.records[name], fields=fields)


def _records_in(draft: Draft, type_: Type) -> Iterator[str]:
    match plain(type_):
        case RecordType(name=name):
            yield name
        case VocabularyType(root=root) if root in draft.record_of:
            yield draft.record_of[root]
        case ListType(item=item) | MapType(value=item):
            yield from _records_in(draft, item)
        case _:
            pass


def _default(draft: Draft, field: FieldDraft, type_: Type) -> Expression | None:
    if field.default is None or field.formula is not None:
        return None
    return constant_text(draft, text_of(field.default), type_)


# -- the state's fields --------------------------------------------------------------------------


def settle_input_defaults(draft: Draft, fixed: Iterable[Fixed]) -> None:
    given = list(fixed)
    wanted = dict(_fixed_cells(draft))
    for name, field in draft.input_drafts.items():
        symbol = draft.inputs[name]
        mine = {f.field: f.value for f in given if f.input == name}
        told = name not in wanted or len(list(fixed_entries(wanted[name]))) == len(mine)
        default = _with_fixed(draft if told else replace(draft, sink=Sink()), field, symbol, mine)
        if default is not None:
            draft.defaults[(draft.symbols.state, name)] = default
            draft.inputs[name] = replace(symbol, default=default)


def _with_fixed(
    draft: Draft, field: FieldDraft, symbol: FieldSymbol, fixed: dict[str, Expression]
) -> Expression | None:
    """The default of a record in whose place some fields are given reads them as defaults."""
    record = plain(symbol.type)
    if not fixed or not isinstance(record, RecordType):
        return _default(draft, field, symbol.type)
    own = draft.records[record.name]
    given: dict[str, FieldSymbol] = {
        n: replace(f, default=fixed[n], has_default=True) if n in fixed else f for n, f in own.fields.items()
    }
    records = {**draft.records, record.name: RecordSymbol(own.name, given, own.readable_by)}
    return _default(replace(draft, symbols=replace(draft.symbols, records=records)), field, symbol.type)


def fixed_names(draft: Draft) -> None:
    """Mark the fields of records that some place gives, before types are settled: they are never null."""
    for table in draft.tables("input"):
        for row in filled_rows(table):
            cell, type_ = cell_of(table, row, "fixed"), cell_of(table, row, "type")
            record = draft.record_drafts.get(type_.code.strip().rstrip("?")) if type_ else None
            if cell is None or record is None:
                continue
            for name, _ in fixed_entries(text_of(cell)):
                told = record.fields.get(name.text)
                if told is not None and told.formula is None:
                    record.fields[name.text] = replace(told, fixed=True)


def fixed_entries(text: Text) -> Iterator[tuple[Text, Text | None]]:
    """`who: north, seat: 1`"""
    for piece in parts(text):
        colon = piece.text.find(":")
        if colon < 0:
            yield stripped(piece), None
        else:
            yield part(piece, 0, colon), part(piece, colon + 1, len(piece.text))


def settle_fixed(draft: Draft) -> tuple[Fixed, ...]:
    return tuple(f for name, text in _fixed_cells(draft) for f in _fixed_of(draft, name, text))


def _fixed_cells(draft: Draft) -> Iterator[tuple[str, Text]]:
    for table in draft.tables("input"):
        for row in filled_rows(table):
            cell, field = cell_of(table, row, "fixed"), cell_of(table, row, "field")
            if cell is not None and field is not None and field.code.strip() in draft.inputs:
                yield field.code.strip(), text_of(cell)


def _fixed_of(draft: Draft, name: str, text: Text) -> Iterator[Fixed]:
    record = plain(draft.inputs[name].type)
    if isinstance(record, UnknownType):
        return
    if not isinstance(record, RecordType) or record.name not in draft.records:
        draft.error(text, table_problems.fixed_of_no_record(name))
        return
    fields = draft.records[record.name].fields
    for field, value in fixed_entries(text):
        symbol = fields.get(field.text)
        if symbol is None:
            draft.error(field, table_problems.unknown_fixed_field(field.text, record.name, fields))
        elif symbol.computed:
            draft.error(field, table_problems.fixed_computed_field(field.text, Location(symbol.where)))
        elif value is None or not value.text:
            draft.error(field, table_problems.fixed_without_value(field.text))
        else:
            yield Fixed(name, field.text, constant_text(draft, value, symbol.type))
