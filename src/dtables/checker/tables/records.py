"""Record types: fields from `Record:`, data columns, levels, switches and the steps of formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dtables.checker import messages
from dtables.checker.expressions.constants import constant_text, hold_to_restrictions, passes
from dtables.checker.expressions.lower import lower_tests
from dtables.checker.expressions.types import lower_type
from dtables.checker.report import Sink, Text
from dtables.checker.rows import (
    cell_of,
    column_name,
    columns,
    filled_rows,
    heading,
    marker_name,
    part,
    parts,
    property_text,
    stripped,
    text_at,
    text_of,
    words_at,
)
from dtables.checker.symbols import (
    TYPE_SPACE,
    VALUE_SPACE,
    Draft,
    FieldDraft,
    FieldSymbol,
    RecordDraft,
    RecordSymbol,
    claim,
    good_name,
    good_value_name,
    named_rows,
)
from dtables.checker.tables.vocabularies import Derived, key_name, types_rows
from dtables.feel.types import (
    NAMED_TYPES,
    UNKNOWN,
    ListType,
    MapType,
    RecordType,
    RestrictedType,
    Type,
    UnknownType,
    VocabularyType,
    optional,
    plain,
    without_null,
)
from dtables.model.expressions import Arithmetic, Constant, Expression, MakeRecord, NameOf, Negation
from dtables.model.reach import nodes
from dtables.model.tables import Allowed, Field, Fixed, Input, Record, Restriction
from dtables.model.vocabularies import Row
from dtables.provenance import CellRef, Location
from dtables.workbook.language import NEEDED, closed_word
from dtables.workbook.tables import Cell, ColumnText, TableText


def declare_records(draft: Draft) -> None:
    """All record types by name, with the fields that are declared for them; no types yet."""
    for table in draft.tables("record"):
        _declare_record(draft, table)
    for table in draft.tables("data"):
        _declare_data(draft, table)


def _declare_record(draft: Draft, table: TableText) -> None:
    name = marker_name(table)
    earlier = draft.record_drafts.get(name.text)
    if earlier is not None and (name.text not in draft.plus or earlier.table is not None):
        draft.error(name, messages.name_taken(name.text, earlier.where))
        return
    keyed = draft.vocabularies.get(name.text)
    if (keyed is None or keyed.record != name.text) and not claim(draft, TYPE_SPACE, name):
        return
    fields = dict(earlier.fields) if earlier else {}
    for field in fields_of_rows(draft, table):
        if field.name in fields:
            draft.error(
                field.name_cell or name,
                messages.double_field(field.name, Location(fields[field.name].where)),
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
        declared = record.fields.get(field.name)
        record.fields[field.name] = field if declared is None else _merged_field(draft, declared, field)


def _merged_field(draft: Draft, declared: FieldDraft, column: FieldDraft) -> FieldDraft:
    """A stored field of `Record:` and a data column are one field: the record gives default and
    wording, the column the values."""
    if declared.formula is not None:
        assert column.name_cell is not None
        draft.error(
            column.name_cell, messages.column_of_computed_field(declared.name, Location(declared.where))
        )
        return declared
    return replace(
        declared, type=declared.type or column.type, column_type=column.type, data=True, blank=column.blank
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
            draft.error(first.role_cell, messages.column_without_name())
            continue
        if not good_name(draft, part(text_of(first.name), 0, len(name))):
            continue
        below = [name for _, name in places]
        if len(set(below)) < len(below) or (None in below and len(below) > 1):
            draft.error(first.name, messages.double_column(name))
            continue
        blank = any(all(row.cells[n].empty for n, _ in places) for row in filled_rows(table))
        yield FieldDraft(name, first.role_cell.ref, first.name, type_text(first), data=True, blank=blank)


def type_text(column: ColumnText) -> Text:
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
            draft.error(field.default, messages.default_of_computed_field(field.name))
        return FieldSymbol(field.name, type_, field.where, computed=True)
    has_default = field.default is not None or isinstance(type_, UnknownType)
    return FieldSymbol(field.name, stored_type(field, type_), field.where, has_default=has_default)


def written_type(draft: Draft, field: FieldDraft) -> Type:
    if field.known is not None:
        return field.known
    if field.type is None:
        assert field.name_cell is not None
        draft.error(field.name_cell, messages.field_without_type(field.name))
        return UNKNOWN
    type_ = lower_type(field.type, draft.symbols, draft.sink)
    if field.column_type is not None:
        _hold_to_column(draft, field, type_)
    return ListType(type_) if field.many else type_


def _hold_to_column(draft: Draft, field: FieldDraft, type_: Type) -> None:
    """A field that is declared twice has one type."""
    assert field.column_type is not None
    column_type = lower_type(field.column_type, draft.symbols, draft.sink)
    if UNKNOWN not in (type_, column_type) and without_null(column_type) != without_null(type_):
        wording = messages.two_types(field.name, column_type, type_, Location(field.where))
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
            draft.error(vocabulary, messages.unknown_vocabulary(vocabulary.text, draft.vocabularies))
        elif vocabulary.text not in readable:
            draft.error(vocabulary, messages.not_readable(name, vocabulary.text))


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


# -- inputs --------------------------------------------------------------------------------------
# The turn's state: the fields of all `Input:` tables make one record.


def declare_inputs(draft: Draft) -> None:
    for table in draft.tables("input"):
        for field in fields_of_rows(draft, table):
            cell = field.name_cell
            assert cell is not None
            if field.formula is not None:
                draft.error(field.formula, messages.computed_input(field.name))
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


# -- defaults ------------------------------------------------------------------------------------
# What stands in a record that leaves a field out, and fields that a place gives.


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
    cells = dict(_fixed_cells(draft))
    for name, field in draft.input_drafts.items():
        symbol = draft.inputs[name]
        mine = {f.field: f.value for f in given if f.input == name}
        complete = name not in cells or len(list(fixed_entries(cells[name]))) == len(mine)
        default = _with_fixed(draft if complete else replace(draft, sink=Sink()), field, symbol, mine)
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
                declared = record.fields.get(name.text)
                if declared is not None and declared.formula is None:
                    record.fields[name.text] = replace(declared, fixed=True)


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
        draft.error(text, messages.fixed_of_no_record(name))
        return
    fields = draft.records[record.name].fields
    for field, value in fixed_entries(text):
        symbol = fields.get(field.text)
        if symbol is None:
            draft.error(field, messages.unknown_fixed_field(field.text, record.name, fields))
        elif symbol.computed:
            draft.error(field, messages.fixed_computed_field(field.text, Location(symbol.where)))
        elif value is None or not value.text:
            draft.error(field, messages.fixed_without_value(field.text))
        else:
            yield Fixed(name, field.text, constant_text(draft, value, symbol.type))


# -- restrictions --------------------------------------------------------------------------------
# Restricted types and fields: `age | number | [1..3]`.


def declare_restrictions(draft: Draft, derived: Iterable[Derived]) -> None:
    """Rows whose `of` is a type; one may restrict another that stands above it, or only be its other name."""
    of_vocabularies = {id(d.row) for d in derived}
    for table, row, name in types_rows(draft):
        base = cell_of(table, row, "of")
        if base is None or id(row) in of_vocabularies:
            continue
        extra = cell_of(table, row, "plus")
        if extra is not None:
            draft.error(extra, messages.names_for_no_vocabulary(base.code.strip()))
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
        draft.error(field.allowed, messages.allowed_of_computed_field(field.name))
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
    placed = [
        (record.name, f.name, f.default) for record in listed for f in record.fields if f.default is not None
    ]
    placed += [(record, name, value) for record, row in rows for name, value in row.values]
    found: dict[Location, Field] = {}
    for record, name, value in placed:
        for field, given in _fields_in(fields, record, name, value):
            if field.allowed is not None and passes(draft, field.allowed.tests, given) is False:
                found.setdefault(given.where, field)
    for where, field in found.items():
        assert field.allowed is not None
        wording = messages.not_allowed_there(field.name, field.allowed.written, Location(field.where))
        draft.error_at(where, None, wording)


def _fields_in(
    fields: dict[tuple[str, str], Field], record: str, name: str, value: Expression
) -> Iterator[tuple[Field, Expression]]:
    """The field and what it is given, and those of records inside; a null is nothing that is given."""
    given = [(record, name, value)]
    given += [
        (node.record, *one) for node in nodes(value) if isinstance(node, MakeRecord) for one in node.fields
    ]
    for of, at, node in given:
        is_there = isinstance(node, NameOf | Negation | Arithmetic)
        if (of, at) in fields and (is_there or (isinstance(node, Constant) and node.value is not None)):
            yield fields[(of, at)], node
