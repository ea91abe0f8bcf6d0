"""Examples: the workbook's own tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field

from dtables.checker import table_problems, turn_problems
from dtables.checker.asks import NEXT, known_asks
from dtables.checker.draft import Draft
from dtables.checker.places import read_place
from dtables.checker.plain_values import NoPlainValue, plain_value
from dtables.checker.sink import Text
from dtables.checker.types import fields_of
from dtables.checker.written import (
    cell_of,
    column_name,
    columns,
    filled_rows,
    first_cell,
    heading,
    name_cell,
    property_text,
    row_number,
    stripped,
    text_of,
    words_at,
)
from dtables.feel.types import UNKNOWN, ContextType, ListType, RecordType, Type
from dtables.feel.values import Plain
from dtables.model.tables import AnswerField, Ask, Example, Examples, Expected
from dtables.workbook.tables import Cell, Column, Row, TableText

EMPTY = "[]"


@dataclass(frozen=True, slots=True)
class Tried:
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
        draft.error(table.marker.cell, turn_problems.example_expects_nothing())
    expected = {
        n: _expected(draft, table.columns[n], tried, len(columns(table, table.columns[n].role)) == 1)
        for n in columns(table, "expect", "expect any_of")
    }
    if tried.ask is None:
        for n in columns(table, "expect next"):
            draft.error(name_cell(table.columns[n]), turn_problems.next_of_table())
    common = _common(draft, table)
    rows = tuple(_example(draft, table, row, common, given, expected) for row in filled_rows(table))
    return Examples(heading(table), tried.ask, tried.table, rows)


def _tried(draft: Draft, table: TableText, asks: Mapping[str, Ask]) -> Tried | None:
    ask, of_table = property_text(table, "ask"), property_text(table, "table")
    if (ask is None) == (of_table is None):
        draft.error(table.marker.cell, turn_problems.example_of_what())
        return None
    if ask is not None:
        return _tried_ask(draft, ask, asks)
    assert of_table is not None
    symbol = draft.functions.get(of_table.text)
    if symbol is None or symbol.kind == "ask":
        draft.error(of_table, table_problems.unknown_table(of_table.text, draft.functions))
        return None
    fields = fields_of(draft.symbols, symbol.result) or {}
    return Tried(None, of_table.text, dict(symbol.parameters), fields, symbol.result)


def _tried_ask(draft: Draft, ask: Text, asks: Mapping[str, Ask]) -> Tried | None:
    found = asks.get(ask.text)
    if found is None:
        draft.error(ask, turn_problems.unknown_ask(ask.text, asks))
        return None
    rows = [row for row in found.rows if isinstance(row, AnswerField)]
    answers = {row.name: row.value.type for row in rows}
    any_of = {row.name: row.listed.type for row in rows if row.listed is not None}
    return Tried(ask.text, None, {p.name: p.type for p in found.parameters}, answers, UNKNOWN, any_of)


# -- columns -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GivenColumn:
    """A parameter, or a path into the state (empty: the whole state)."""

    parameter: str | None
    path: tuple[str, ...]
    type: Type


def _given(draft: Draft, column: Column, tried: Tried) -> GivenColumn | None:
    cell = name_cell(column)
    name = column_name(column)
    if not name:
        draft.error(cell, table_problems.column_without_name())
        return None
    if name in tried.parameters:
        return GivenColumn(name, (), tried.parameters[name])
    if name == draft.symbols.state:
        return GivenColumn(None, (), RecordType(name))
    if tried.table is not None and tried.parameters and name.partition(".")[0] not in draft.inputs:
        draft.error(cell, turn_problems.unknown_given(name, [*tried.parameters, *draft.inputs]))
        return None
    found = read_place(draft, stripped(text_of(cell)))
    return GivenColumn(None, found.place.fields, found.type) if found else None


def _expected(draft: Draft, column: Column, tried: Tried, alone: bool) -> tuple[str | None, Type] | None:
    """The answer field that the column is about (None: the whole answer, of one that is alone), and the type
    of its cells."""
    told = _answer_told(draft, column, tried, alone)
    if told is None or column.role != "expect any_of":
        return told
    name, type_ = told
    return name, tried.any_of.get(name or "", ListType(type_))


def _answer_told(draft: Draft, column: Column, tried: Tried, alone: bool) -> tuple[str | None, Type] | None:
    name = column_name(column)
    if not name and not alone:
        draft.error(name_cell(column), table_problems.column_without_name())
        return None
    if name in tried.answers:
        return name, tried.answers[name]
    if not name or (tried.table is not None and (name == tried.table or not tried.answers)):
        return None, tried.whole
    draft.error(name_cell(column), turn_problems.unknown_answer(name, tried.answers))
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
        draft.error(written, turn_problems.common_no_record())
        return {}
    return value


# -- rows ----------------------------------------------------------------------------------------


def _example(
    draft: Draft,
    table: TableText,
    row: Row,
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
            _put(state, column.path, value)
        elif isinstance(value, dict):
            state.update(value)
    found: dict[str, list[Expected]] = {"expect": [], "expect any_of": []}
    for n, told in expected.items():
        role = table.columns[n].role
        one = _expectation(draft, row.cells[n], told)
        if one is not None:
            found[role].append(one)
    following = _next(draft, cell_of(table, row, "expect next"))
    if rejected is None and expected and following is None and all(row.cells[n].empty for n in expected):
        draft.error(row.cells[0], turn_problems.row_expects_nothing())
    return Example(
        row_number(table, row), state, tuple(arguments),
        tuple(found["expect"]), tuple(found["expect any_of"]),
        rejected.code.strip() if rejected else None, first_cell(row), words_at(table, row, "text"),
        following,
    )  # fmt: skip


def _values(
    draft: Draft, row: Row, given: Mapping[int, GivenColumn | None], known: bool
) -> Iterator[tuple[GivenColumn, Plain]]:
    for n, column in given.items():
        cell = row.cells[n]
        if column is None or cell.empty:
            continue
        try:
            yield column, plain_value(draft, text_of(cell), column.type, known)
        except NoPlainValue:
            continue


def _expectation(draft: Draft, cell: Cell, told: tuple[str | None, Type] | None) -> Expected | None:
    if told is None or cell.empty:
        return None
    name, type_ = told
    try:
        return Expected(name, plain_value(draft, text_of(cell), type_, True), cell.ref)
    except NoPlainValue:
        return None


def _next(draft: Draft, cell: Cell | None) -> Expected | None:
    if cell is None:
        return None
    names = () if cell.code.strip() == EMPTY else known_asks(draft, text_of(cell))
    return Expected(NEXT, list(names), cell.ref)


def _put(state: dict[str, Plain], path: tuple[str, ...], value: Plain) -> None:
    """`north.cards` stands in the record at `north`, whichever column comes first."""
    for name in path[:-1]:
        if not isinstance(state.get(name), dict):
            state[name] = {}
        state = state[name]
    state[path[-1]] = value
