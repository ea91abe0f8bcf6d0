"""Examples: the workbook's own tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field

from dtables.checker import messages
from dtables.checker.expressions.lower import refused_date
from dtables.checker.expressions.types import fields_of, item_of
from dtables.checker.messages import Wording, beside_date
from dtables.checker.report import Text
from dtables.checker.rows import (
    cell_of,
    column_name,
    columns,
    filled_rows,
    first_cell,
    heading,
    name_cell,
    part,
    property_text,
    row_number,
    stripped,
    text_of,
    words_at,
)
from dtables.checker.symbols import Draft, ids_of, known_names, read, spellings_of
from dtables.checker.tables.asks import NEXT, known_asks, read_place, stored_fields
from dtables.diagnostics import Problem
from dtables.feel.operators import negate
from dtables.feel.syntax import ast
from dtables.feel.syntax.parser import parse_expression, parse_list
from dtables.feel.types import (
    UNKNOWN,
    AnyType,
    ContextType,
    ListType,
    MapType,
    RecordType,
    Type,
    UnknownType,
    VocabularyType,
    describe,
    plain,
    without_null,
)
from dtables.feel.values import Plain
from dtables.model.tables import AnswerField, Ask, Example, Examples, Expected
from dtables.provenance import Span
from dtables.workbook.tables import Cell, ColumnText, RowText, TableText

EMPTY = "[]"


@dataclass(frozen=True, slots=True)
class ExampleSubject:
    """What the examples are of: an ask or a table, with what it takes and gives."""

    ask: str | None
    table: str | None
    parameters: Mapping[str, Type]
    answers: Mapping[str, Type]
    whole: Type
    any_of: Mapping[str, Type] = field(default_factory=dict)


def check_examples(draft: Draft, table: TableText, asks: Mapping[str, Ask]) -> Examples | None:
    tried = _tried(draft, table, asks)
    if tried is None:
        return None
    given = {n: _given(draft, table.columns[n], tried) for n in columns(table, "given")}
    if not columns(table, "expect", "expect any_of", "expect next", "rejected at"):
        draft.error(table.marker.cell, messages.example_expects_nothing())
    expected = {
        n: _expected(draft, table.columns[n], tried, len(columns(table, table.columns[n].role)) == 1)
        for n in columns(table, "expect", "expect any_of")
    }
    if tried.ask is None:
        for n in columns(table, "expect next"):
            draft.error(name_cell(table.columns[n]), messages.next_of_table())
    common = _common(draft, table)
    rows = tuple(_example(draft, table, row, common, given, expected) for row in filled_rows(table))
    return Examples(heading(table), tried.ask, tried.table, rows)


def _tried(draft: Draft, table: TableText, asks: Mapping[str, Ask]) -> ExampleSubject | None:
    ask, of_table = property_text(table, "ask"), property_text(table, "table")
    if (ask is None) == (of_table is None):
        draft.error(table.marker.cell, messages.example_of_what())
        return None
    if ask is not None:
        return _tried_ask(draft, ask, asks)
    assert of_table is not None
    symbol = draft.functions.get(of_table.text)
    if symbol is None or symbol.kind == "ask":
        draft.error(of_table, messages.unknown_table(of_table.text, draft.functions))
        return None
    fields = fields_of(draft.symbols, symbol.result) or {}
    return ExampleSubject(None, of_table.text, dict(symbol.parameters), fields, symbol.result)


def _tried_ask(draft: Draft, ask: Text, asks: Mapping[str, Ask]) -> ExampleSubject | None:
    found = asks.get(ask.text)
    if found is None:
        draft.error(ask, messages.unknown_ask(ask.text, asks))
        return None
    rows = [row for row in found.rows if isinstance(row, AnswerField)]
    answers = {row.name: row.value.type for row in rows}
    any_of = {row.name: row.listed.type for row in rows if row.listed is not None}
    return ExampleSubject(
        ask.text, None, {p.name: p.type for p in found.parameters}, answers, UNKNOWN, any_of
    )


# -- columns -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GivenColumn:
    """A parameter, or a path into the state (empty: the whole state)."""

    parameter: str | None
    path: tuple[str, ...]
    type: Type


def _given(draft: Draft, column: ColumnText, tried: ExampleSubject) -> GivenColumn | None:
    cell = name_cell(column)
    name = column_name(column)
    if not name:
        draft.error(cell, messages.column_without_name())
        return None
    if name in tried.parameters:
        return GivenColumn(name, (), tried.parameters[name])
    if name == draft.symbols.state:
        return GivenColumn(None, (), RecordType(name))
    if tried.table is not None and tried.parameters and name.partition(".")[0] not in draft.inputs:
        draft.error(cell, messages.unknown_given(name, [*tried.parameters, *draft.inputs]))
        return None
    found = read_place(draft, stripped(text_of(cell)))
    return GivenColumn(None, found.place.fields, found.type) if found else None


def _expected(
    draft: Draft, column: ColumnText, tried: ExampleSubject, alone: bool
) -> tuple[str | None, Type] | None:
    """The answer field that the column is about (None: the whole answer, of one that is alone), and the type
    of its cells."""
    answer = _answer_column(draft, column, tried, alone)
    if answer is None or column.role != "expect any_of":
        return answer
    name, type_ = answer
    return name, tried.any_of.get(name or "", ListType(type_))


def _answer_column(
    draft: Draft, column: ColumnText, tried: ExampleSubject, alone: bool
) -> tuple[str | None, Type] | None:
    name = column_name(column)
    if not name and not alone:
        draft.error(name_cell(column), messages.column_without_name())
        return None
    if name in tried.answers:
        return name, tried.answers[name]
    if not name or (tried.table is not None and (name == tried.table or not tried.answers)):
        return None, tried.whole
    draft.error(name_cell(column), messages.unknown_answer(name, tried.answers))
    return None


def _common(draft: Draft, table: TableText) -> dict[str, Plain]:
    """What the records of all rows hold."""
    written = property_text(table, "common")
    if written is None:
        return {}
    record = ContextType(tuple((name, symbol.type) for name, symbol in draft.inputs.items()))
    try:
        value = plain_value(draft, written, record, True)
    except NoPlainValue:
        return {}
    if not isinstance(value, dict):
        draft.error(written, messages.common_no_record())
        return {}
    return value


# -- rows ----------------------------------------------------------------------------------------


def _example(
    draft: Draft,
    table: TableText,
    row: RowText,
    common: Mapping[str, Plain],
    given: Mapping[int, GivenColumn | None],
    expected: Mapping[int, tuple[str | None, Type] | None],
) -> Example:
    rejected = cell_of(table, row, "rejected at")
    state: dict[str, Plain] = deepcopy(dict(common))
    arguments: list[tuple[str, Plain]] = []
    values = sorted(_values(draft, row, given, rejected is None), key=lambda one: len(one[0].path))
    for column, value in values:
        if column.parameter is not None:
            arguments.append((column.parameter, value))
        elif column.path:
            _store(state, column.path, value)
        elif isinstance(value, dict):
            state.update(value)
    found: dict[str, list[Expected]] = {"expect": [], "expect any_of": []}
    for n, answer in expected.items():
        role = table.columns[n].role
        one = _expectation(draft, row.cells[n], answer)
        if one is not None:
            found[role].append(one)
    following = _next(draft, cell_of(table, row, "expect next"))
    if rejected is None and expected and following is None and all(row.cells[n].empty for n in expected):
        draft.error(row.cells[0], messages.row_expects_nothing())
    return Example(
        row_number(table, row), state, tuple(arguments),
        tuple(found["expect"]), tuple(found["expect any_of"]),
        rejected.code.strip() if rejected else None, first_cell(row), words_at(table, row, "text"),
        following,
    )  # fmt: skip


def _values(
    draft: Draft, row: RowText, given: Mapping[int, GivenColumn | None], known: bool
) -> Iterator[tuple[GivenColumn, Plain]]:
    for n, column in given.items():
        cell = row.cells[n]
        if column is None or cell.empty:
            continue
        try:
            yield column, plain_value(draft, text_of(cell), column.type, known)
        except NoPlainValue:
            continue


def _expectation(draft: Draft, cell: Cell, column: tuple[str | None, Type] | None) -> Expected | None:
    if column is None or cell.empty:
        return None
    name, type_ = column
    try:
        return Expected(name, plain_value(draft, text_of(cell), type_, True), cell.ref)
    except NoPlainValue:
        return None


def _next(draft: Draft, cell: Cell | None) -> Expected | None:
    if cell is None:
        return None
    names = () if cell.code.strip() == EMPTY else known_asks(draft, text_of(cell))
    return Expected(NEXT, list(names), cell.ref)


def _store(state: dict[str, Plain], path: tuple[str, ...], value: Plain) -> None:
    """`north.cards` stands in the record at `north`, whichever column comes first."""
    for name in path[:-1]:
        if not isinstance(state.get(name), dict):
            state[name] = {}
        state = state[name]
    state[path[-1]] = value


# -- plain values --------------------------------------------------------------------------------
# Cells of examples as a log would write them: ids, numbers, lists, contexts.


class NoPlainValue(Exception):
    """Something that no log could hold; it was reported where it stands."""


@dataclass(frozen=True, slots=True)
class Writing:
    """`known` names must exist: in what is expected, and in records that are not to be rejected."""

    draft: Draft
    text: Text
    known: bool

    def fails(self, span: Span, wording: Wording) -> NoPlainValue:
        piece = part(self.text, span.start, span.end)
        self.draft.error(piece, wording)
        return NoPlainValue()


def plain_value(draft: Draft, text: Text, type_: Type, known: bool) -> Plain:
    """The cell's literal. A list needs no brackets where one is expected."""
    writing = Writing(draft, text, known)
    names = known_names(draft.symbols)
    kind = plain(type_)
    if refused_date(text, type_, draft.sink):
        raise NoPlainValue
    if isinstance(kind, ListType):
        items, problems = read(draft.symbols, parse_list, text.text, names)
        _report(draft, text, problems)
        if items is None or problems:
            raise NoPlainValue
        return _list(writing, items, kind)
    node, problems = read(draft.symbols, parse_expression, text.text, names)
    if problems and isinstance(kind, UnknownType):
        raise NoPlainValue
    _report(draft, text, problems)
    if node is None or problems:
        raise NoPlainValue
    return _plain(writing, node, type_)


def _report(draft: Draft, text: Text, problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        draft.sink.problem(text.cell, problem, text.start)


def _list(writing: Writing, items: tuple[ast.Expression, ...], kind: ListType) -> Plain:
    # Brackets around the cell are read already: `[[a, b]]` holds one list, `[null]` one null.
    if writing.text.text.strip() == "null":
        return None
    return [_plain(writing, item, kind.item) for item in items]


def _plain(writing: Writing, node: ast.Expression, type_: Type) -> Plain:
    match node:
        case ast.NumberLiteral(value=value) | ast.BooleanLiteral(value=value):
            return value
        case ast.NullLiteral():
            return None
        case ast.Negation(operand=ast.NumberLiteral(value=number)):
            return negate(number)
        case ast.TextLiteral(value=text):
            named = isinstance(plain(type_), VocabularyType)
            return _name(writing, text, node.span, type_) if named else text
        case ast.Name(name=name):
            return _name(writing, name, node.span, type_)
        case ast.AtLiteral(text=text):
            return text
        case ast.ListLiteral(items=items):
            item = item_of(type_) or UNKNOWN
            return [_plain(writing, one, item) for one in items]
        case ast.ContextLiteral(entries=entries):
            return _context(writing, entries, type_)
        case _:
            words = beside_date(messages.no_literal(), writing.text.written(node.span))
            raise writing.fails(node.span, words)


def _context(writing: Writing, entries: tuple[ast.ContextEntry, ...], type_: Type) -> Plain:
    fields = _entry_types(writing.draft, type_)
    for entry in entries:
        if writing.known and fields and entry.name not in fields:
            wording = messages.unknown_place(entry.name, _owner(type_), fields)
            raise writing.fails(entry.span, wording)
    return {e.name: _plain(writing, e.value, fields.get(e.name, UNKNOWN)) for e in entries}


def _owner(type_: Type) -> str:
    """The state has too many fields to be described by them."""
    return "the state" if isinstance(plain(type_), ContextType) else describe(without_null(type_))


def _entry_types(draft: Draft, type_: Type) -> Mapping[str, Type]:
    kind = plain(type_)
    if isinstance(kind, MapType):
        return dict.fromkeys(draft.vocabularies[kind.key.name].ids, kind.value)
    return stored_fields(draft, kind) or {}


def _name(writing: Writing, name: str, span: Span, type_: Type) -> Plain:
    """Its id, where the vocabulary is known; else the word as it stands."""
    kind = plain(type_)
    if not isinstance(kind, VocabularyType):
        if isinstance(kind, (UnknownType, AnyType)) or not writing.known:
            return name
        raise writing.fails(span, messages.name_for_no_vocabulary(name, type_))
    ids = ids_of(writing.draft.symbols, kind.name, name)
    if len(ids) == 1 and writing.known:
        return ids[0]
    if not writing.known:
        return name
    if ids:
        raise writing.fails(span, messages.shared_label(name, ids))
    spelled = tuple(spellings_of(writing.draft.symbols, kind.name))
    raise writing.fails(span, messages.unknown_name_in(name, kind.name, spelled))
