"""Formulas: one expression with a name, or named steps and a result that reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dtables.checker import messages
from dtables.checker.expressions.fit import require
from dtables.checker.expressions.lower import lower_expression
from dtables.checker.expressions.types import lower_type, named_type
from dtables.checker.report import Text
from dtables.checker.rows import (
    cell_of,
    column_name,
    columns,
    filled_rows,
    first_cell,
    heading,
    part,
    pieces,
    place,
    text_at,
    text_of,
    worded_at,
    words_at,
)
from dtables.checker.symbols import (
    VALUE_SPACE,
    Draft,
    FunctionDraft,
    FunctionSymbol,
    Local,
    ParameterDraft,
    Scope,
    claim,
    expression_in,
    good_name,
    hides,
    known_names,
    name_in,
    names_of,
    read,
)
from dtables.feel.builtins import BY_NAME
from dtables.feel.syntax.parser import names_read, parse_expression, parse_tests
from dtables.feel.syntax.scanner import KnownNames
from dtables.feel.types import UNKNOWN, ContextType, RecordType, Type, fits, may_be_null
from dtables.model.expressions import Constant, Entry, Expression, MakeContext, MakeRecord, Read
from dtables.model.tables import Formula, Heading, Parameter, Step
from dtables.provenance import CellRef, Location
from dtables.workbook.tables import Cell, RowText, TableText, Word

RESULT = "result"


def check_formula(draft: Draft, function: FunctionDraft) -> Formula:
    return _one_expression(draft, function) if function.row is not None else _in_steps(draft, function)


def _one_expression(draft: Draft, function: FunctionDraft) -> Formula:
    table, row = function.table, function.row
    assert row is not None
    parameters = draft.parameters[function.name]
    expected = declared_result(draft, function)
    cell, value = _value(draft, table, row, draft.scope(p.variable for p in parameters), expected)
    result = value.type if expected is None else expected
    settle_result(draft, function.name, result)
    group = heading(table)
    label = words_at(table, row, "label")
    own = Heading(function.name, function.where, label, (), group.source, group.printed)
    return Formula(
        own, parameters, result, (), value, cell or first_cell(row),
        words_at(table, row, "text"), group.name or None,
    )  # fmt: skip


def _value(
    draft: Draft, table: TableText, row: RowText, scope: Scope, expected: Type | None
) -> tuple[CellRef | None, Expression]:
    """What the row says under `is`, and where."""
    cell = expression_in(draft, table, row)
    if cell is None:
        return None, unknown_at(first_cell(row))
    return cell.ref, lower_expression(text_of(cell), scope, draft.sink, expected)


# -- steps -------------------------------------------------------------------------------------


def _in_steps(draft: Draft, function: FunctionDraft) -> Formula:
    table, own = function.table, heading(function.table)
    parameters = draft.parameters[function.name]
    scope = draft.scope(p.variable for p in parameters)
    steps: list[Step] = []
    result: tuple[Type, Expression, CellRef] | None = None
    declared = declared_result(draft, function)
    for row in filled_rows(table):
        if result is not None:
            draft.error(row.cells[0], messages.row_after_result(table.name))
        cell = cell_of(table, row, "step")
        if cell is not None and cell.code.strip() == RESULT:
            result = _result(draft, table, row, cell, scope, declared)
            continue
        step, scope = lower_step(draft, table, row, scope, [s.variable.name for s in steps])
        steps += [step] if step is not None else []
    if result is None:
        record = _record_of_steps(draft, function, declared, steps)
        result = record.type, record, table.marker.cell.ref
    settle_result(draft, function.name, result[0])
    return Formula(own, parameters, result[0], tuple(steps), *result[1:])


def _result(
    draft: Draft, table: TableText, row: RowText, cell: Cell, scope: Scope, declared: Type | None
) -> tuple[Type, Expression, CellRef]:
    """Of the row `result`: its type, what it says, and where."""
    type_ = _row_type(draft, table, row)
    if declared is not None and type_ is not None and not fits(type_, declared):
        draft.error(cell_of(table, row, "type") or cell, messages.two_results(type_, declared))
        type_ = declared
    where, value = _value(draft, table, row, scope, type_ or declared)
    if declared is not None:
        value = require(value, declared)
    return declared or type_ or value.type, value, where or cell.ref


def _row_type(draft: Draft, table: TableText, row: RowText) -> Type | None:
    written = text_at(table, row, "type")
    return None if written is None else lower_type(written, draft.symbols, draft.sink)


def lower_step(
    draft: Draft, table: TableText, row: RowText, scope: Scope, taken: list[str], role: str = "step"
) -> tuple[Step | None, Scope]:
    """A row as a local name that later rows can read; a broken name is not in their scope."""
    cell = name_in(draft, table, row, role)
    if cell is None:
        return None, scope
    name, drafts = read_signature(draft, cell)
    if not new_local(draft, name, scope, taken):
        return None, scope
    parameters = typed_parameters(draft, drafts, "step")
    expected = _row_type(draft, table, row)
    inner = scope
    for parameter in parameters:
        inner = inner.with_local(Local(parameter.variable))
    where, value = _value(draft, table, row, inner, expected)
    variable = draft.numbers.variable(name.text, expected or value.type)
    types = tuple(p.type for p in parameters) if parameters else None
    words = worded_at(table, row)
    step = Step(variable, parameters, value, first_cell(row), where or cell.ref, words)
    return step, scope.with_local(Local(variable, types))


def new_local(draft: Draft, name: Text, scope: Scope, taken: list[str]) -> bool:
    """May a step, draw or answer of this table be called so?"""
    if not good_name(draft, name) or hides(draft, name):
        return False
    if name.text in scope.locals or name.text in taken:
        draft.error(name, messages.double_step(name.text))
        return False
    return True


def _record_of_steps(
    draft: Draft, function: FunctionDraft, expected: Type | None, steps: list[Step]
) -> Expression:
    where = Location(function.table.marker.cell.ref)
    read = [
        (s.variable.name, Read(s.variable, type=s.variable.type, where=Location(s.cell)))
        for s in steps
        if not s.parameters
    ]
    if not read:
        draft.error(function.name_text, messages.formula_without_rows())
    if not isinstance(expected, RecordType) or expected.name not in draft.records:
        if expected is not None and expected != UNKNOWN and function.result is not None:
            draft.error(function.result, messages.no_result_row(expected))
        entries = tuple(Entry(n, draft.numbers.variable(n, r.type), r) for n, r in read)
        type_ = ContextType(tuple((n, r.type) for n, r in read))
        return MakeContext(entries, type=type_, where=where)
    return _as_record(draft, function, expected, read, where)


def _as_record(
    draft: Draft, function: FunctionDraft, expected: RecordType, read: list[tuple[str, Read]], where: Location
) -> Expression:
    given = dict(read)
    fields: list[tuple[str, Expression]] = []
    for field in draft.records[expected.name].stored:
        step = given.get(field.name)
        if step is not None and not fits(step.type, field.type):
            wording = messages.step_does_not_fit(field.name, step.type, expected.name, field.type)
            draft.error_at(step.where, None, wording)
        if step is None and field.default is None and not may_be_null(field.type):
            draft.error(function.name_text, messages.no_step_for_field(field.name, expected.name))
        given_step = None if step is None else require(step, field.type)
        fields.append((field.name, field.else_default(given_step, where)))
    return MakeRecord(expected.name, tuple(fields), type=expected, where=where)


# -- parameters and results -------------------------------------------------------------------------
# Tables that are called: their signatures, and which others they name.

TESTED = ("only for",)
"""Columns whose cells are tests; named `if` columns too."""
READ = ("is", "if", "then", "take", "only if", "by", "prefer", "each", *TESTED)


def type_functions(draft: Draft) -> None:
    """Give every function its parameters and, where it is written, its result."""
    for name, function in draft.function_drafts.items():
        draft.functions[name] = FunctionSymbol(function.kind, name, (), UNKNOWN, function.where)
    for name, function in draft.function_drafts.items():
        parameters = typed_parameters(draft, function.parameters, function.kind)
        draft.parameters[name] = parameters
        result: Type = UNKNOWN
        if function.result is not None:
            result = lower_type(function.result, draft.symbols, draft.sink)
        draft.functions[name] = FunctionSymbol(
            function.kind, name, tuple((p.name, p.type) for p in parameters), result, function.where
        )


def settle_result(draft: Draft, name: str, result: Type) -> None:
    """What a call gives, found out from the table itself."""
    draft.functions[name] = replace(draft.functions[name], result=result)


def declared_result(draft: Draft, function: FunctionDraft) -> Type | None:
    return None if function.result is None else draft.functions[function.name].result


def outcome_value(draft: Draft, cell: Cell, scope: Scope, expected: Type | None) -> Expression:
    """What a cell says that is the outcome of a row."""
    if cell.empty:
        draft.error(cell, messages.blank_outcome())
        return unknown_at(cell.ref)
    return lower_expression(text_of(cell), scope, draft.sink, expected)


def unknown_at(ref: CellRef) -> Expression:
    """Stands for what a cell does not say, or says wrongly."""
    return Constant(None, type=UNKNOWN, where=Location(ref))


# -- what they read ----------------------------------------------------------------------------


def mentions(draft: Draft) -> dict[str, tuple[str, ...]]:
    """The tables that each table names; a field of the same name looks the same here."""
    named = KnownNames(draft.function_drafts)
    return {name: tuple(_mentions(draft, f, named)) for name, f in draft.function_drafts.items()}


def _mentions(draft: Draft, function: FunctionDraft, named: KnownNames) -> Iterator[str]:
    if function.kind == "scale":
        yield from (name for name in _embedded(draft, function) if name != function.name)
    inside = [p.name.text for p in function.parameters] + list(_steps(function))
    names = known_names(draft.symbols) | names_of(draft.symbols, inside)
    for text, tests in dict.fromkeys(_texts(function)):
        if not named.any_begins_in(text):
            continue
        node, _ = read(draft.symbols, parse_tests if tests else parse_expression, text, names)
        for tree in node if isinstance(node, tuple) else (node,):
            if tree is None:
                continue
            for name, _ in names_read(tree):
                if name in draft.function_drafts and name != function.name:
                    yield name


def _embedded(draft: Draft, function: FunctionDraft) -> Iterator[str]:
    """`scale | choice 2..6`: the scale that is named is read, whatever rows of it."""
    written = [cell.code for cell in _cells(function, "by")]
    written += [cell.code.strip().partition(" ")[2] for cell in _cells(function, "prefer")]
    for text in written:
        target = scale_named(draft, text.strip())
        if target is not None:
            yield target.name


def scale_named(draft: Draft, text: str) -> FunctionDraft | None:
    """The longest name of a scale with which the text begins."""
    scales = (f for f in draft.function_drafts.values() if f.kind == "scale" and text.startswith(f.name))
    fitting = [f for f in scales if text[len(f.name) : len(f.name) + 1] in ("", " ", "(")]
    return max(fitting, key=lambda f: len(f.name), default=None)


def _steps(function: FunctionDraft) -> Iterator[str]:
    """Of a formula: those of a turn are no names that cells read."""
    for cell in _cells(function, "step") if function.kind == "formula" else ():
        yield cell.code.partition("(")[0].strip()


def _texts(function: FunctionDraft) -> Iterator[tuple[str, bool]]:
    """Everything a table reads, and whether it is written as tests."""
    for n, column in enumerate(function.table.columns):
        if column.role not in READ:
            continue
        named = column.name is not None and column.role in ("if", *TESTED) and bool(column_name(column))
        if named:
            yield column_name(column), False
        for row in [function.row] if function.row else filled_rows(function.table):
            cell = row.cells[n]
            if not isinstance(cell.value, str):
                continue  # A number, a truth or a date: no name is one.
            code = _expression_of(column.role, cell.code)
            if code:
                yield code, named
    for word in ("otherwise", "priorities"):
        for found in function.table.properties:
            if found.word == word:
                yield found.value.text, False


def _expression_of(role: str, code: str) -> str:
    """`first in L` reads L."""
    if role != "prefer":
        return code
    for lead in (" in ",):
        if lead in code:
            return code.partition(lead)[2]
    return ""


def _cells(function: FunctionDraft, role: str) -> Iterator[Cell]:
    for n, column in enumerate(function.table.columns):
        if column.role == role:
            yield from (row.cells[n] for row in filled_rows(function.table) if not row.cells[n].empty)


# -- signatures ----------------------------------------------------------------------------------
# Names with parameters: `need(r: resource, owner: city)`, in a marker or in a cell.

CALLED_BY_KEY = ("matrix", "dice")
"""Their parameters are keys, read by no expression: they can hide nothing."""


def read_signature(draft: Draft, cell: Cell) -> tuple[Text, tuple[ParameterDraft, ...]]:
    text = text_of(cell)
    opening = text.text.find("(")
    if opening < 0:
        return part(text, 0, len(text.text)), ()
    closing = text.text.rfind(")")
    if closing < opening or text.text[closing + 1 :].strip():
        draft.error(cell, messages.unclosed_parameters())
    if closing < opening:
        closing = len(text.text)
    inside = part(text, opening + 1, closing)
    found = pieces(inside, ",") if inside.text else ()
    if not all(piece.text for piece in found):
        draft.error(cell, messages.blank_parameter())
    return part(text, 0, opening), tuple(_parameter(piece) for piece in found if piece.text)


def _parameter(piece: Text) -> ParameterDraft:
    colon = piece.text.find(":")
    if colon < 0:
        return ParameterDraft(piece, None)
    return ParameterDraft(part(piece, 0, colon), part(piece, colon + 1, len(piece.text)))


def declare_functions(draft: Draft) -> None:
    for table in draft.book.tables:
        match table.kind:
            case "formulas":
                for row in filled_rows(table):
                    cell = name_in(draft, table, row)
                    if cell is None:
                        continue
                    name, parameters = read_signature(draft, cell)
                    result, where = text_at(table, row, "type"), place(name)
                    _declare(
                        draft,
                        FunctionDraft("formula", name.text, name, where, parameters, result, table, row),
                    )
            case "formula" | "decision" | "scale" | "matrix" | "dice":
                _declare(draft, _from_marker(table))
            case "turn" if columns(table, "then"):
                _declare(draft, _from_marker(table))
            case "ask" if table.marker.parameters:
                _declare(draft, _from_marker(table))
            case _:
                pass


def _declare(draft: Draft, function: FunctionDraft) -> None:
    if function.parameters and function.name in BY_NAME:
        draft.error(function.name_text, messages.name_of_builtin(function.name))
    elif claim(draft, VALUE_SPACE, function.name_text):
        draft.function_drafts[function.name] = function


def _from_marker(table: TableText) -> FunctionDraft:
    marker = table.marker

    def text(word: Word) -> Text:
        return Text.of_word(word, marker.cell)

    parameters = tuple(
        ParameterDraft(text(p.name), text(p.type) if p.type.text.strip() else None) for p in marker.parameters
    )
    result = text(marker.result) if marker.result else None
    return FunctionDraft(table.kind, table.name, text(marker.name), table.where, parameters, result, table)


# -- types -------------------------------------------------------------------------------------


def typed_parameters(draft: Draft, parameters: Iterable[ParameterDraft], kind: str) -> tuple[Parameter, ...]:
    """Also those whose name is wrong: whoever calls gives all of them."""
    found: list[Parameter] = []
    for parameter in parameters:
        name, good = parameter.name.text, good_name(draft, parameter.name)
        if good:
            if any(name == earlier.name for earlier in found):
                draft.error(parameter.name, messages.double_parameter(name))
            elif kind not in CALLED_BY_KEY:
                hides(draft, parameter.name)
        type_ = parameter_type(draft, parameter) if good or parameter.type is not None else UNKNOWN
        found.append(Parameter(name, draft.numbers.variable(name, type_)))
    return tuple(found)


def parameter_type(draft: Draft, parameter: ParameterDraft) -> Type:
    """A parameter without type is of the type it is named after: `ranking(season)`."""
    if parameter.type is not None:
        return lower_type(parameter.type, draft.symbols, draft.sink)
    type_ = named_type(parameter.name.text, draft.symbols)
    if type_ is not None:
        return type_
    draft.error(parameter.name, messages.parameter_without_type(parameter.name.text))
    return UNKNOWN
