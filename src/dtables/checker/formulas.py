"""Formulas: one expression with a name, or named steps and a result that reads them."""

from __future__ import annotations

from dtables.checker import function_problems
from dtables.checker.declare import good_name, hides
from dtables.checker.draft import Draft, FunctionDraft
from dtables.checker.fit import require
from dtables.checker.functions import declared_result, settle_result, unknown_at
from dtables.checker.lower import lower_expression
from dtables.checker.scope import Local, Scope
from dtables.checker.signatures import read_signature, typed_parameters
from dtables.checker.sink import Text
from dtables.checker.types import lower_type
from dtables.checker.wanted import expression_in, name_in
from dtables.checker.written import cell_of, filled_rows, first_cell, heading, text_at, text_of, words_at
from dtables.feel.types import UNKNOWN, ContextType, RecordType, Type, fits, may_be_null
from dtables.model.expressions import Entry, Expression, MakeContext, MakeRecord, Read
from dtables.model.tables import Formula, Heading, Step
from dtables.provenance import CellRef, Location
from dtables.workbook.tables import Cell, Row, TableText

RESULT = "result"


def check_formula(draft: Draft, function: FunctionDraft) -> Formula:
    return _one_expression(draft, function) if function.row is not None else _in_steps(draft, function)


def _one_expression(draft: Draft, function: FunctionDraft) -> Formula:
    table, row = function.table, function.row
    assert row is not None
    parameters = draft.parameters[function.name]
    wanted = declared_result(draft, function)
    cell, value = _value(draft, table, row, draft.scope(p.variable for p in parameters), wanted)
    result = value.type if wanted is None else wanted
    settle_result(draft, function.name, result)
    group = heading(table)
    own = Heading(function.name, function.where, words_at(table, row, "label"), (), group.source)
    return Formula(
        own, parameters, result, (), value, cell or first_cell(row),
        words_at(table, row, "text"), group.name or None,
    )  # fmt: skip


def _value(
    draft: Draft, table: TableText, row: Row, scope: Scope, wanted: Type | None
) -> tuple[CellRef | None, Expression]:
    """What the row says under `is`, and where."""
    cell = expression_in(draft, table, row)
    if cell is None:
        return None, unknown_at(first_cell(row))
    return cell.ref, lower_expression(text_of(cell), scope, draft.sink, wanted)


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
            draft.error(row.cells[0], function_problems.row_after_result(table.name))
        cell = cell_of(table, row, "step")
        if cell is not None and cell.code.strip() == RESULT:
            result = _result(draft, table, row, cell, scope, declared)
            continue
        step, scope = lower_step(draft, table, row, scope, [s.variable.name for s in steps])
        steps += [step] if step is not None else []
    if result is None:
        made = _record_of_steps(draft, function, declared, steps)
        result = made.type, made, table.marker.cell.ref
    settle_result(draft, function.name, result[0])
    return Formula(own, parameters, result[0], tuple(steps), *result[1:])


def _result(
    draft: Draft, table: TableText, row: Row, cell: Cell, scope: Scope, declared: Type | None
) -> tuple[Type, Expression, CellRef]:
    """Of the row `result`: its type, what it says, and where."""
    type_ = _row_type(draft, table, row)
    if declared is not None and type_ is not None and not fits(type_, declared):
        draft.error(cell_of(table, row, "type") or cell, function_problems.two_results(type_, declared))
        type_ = declared
    where, value = _value(draft, table, row, scope, type_ or declared)
    if declared is not None:
        value = require(value, declared)
    return declared or type_ or value.type, value, where or cell.ref


def _row_type(draft: Draft, table: TableText, row: Row) -> Type | None:
    written = text_at(table, row, "type")
    return None if written is None else lower_type(written, draft.symbols, draft.sink)


def lower_step(
    draft: Draft, table: TableText, row: Row, scope: Scope, taken: list[str], role: str = "step"
) -> tuple[Step | None, Scope]:
    """A row as a local name that later rows can read; a broken name is not in their scope."""
    cell = name_in(draft, table, row, role)
    if cell is None:
        return None, scope
    name, drafts = read_signature(draft, cell)
    if not new_local(draft, name, scope, taken):
        return None, scope
    parameters = typed_parameters(draft, drafts, "step")
    wanted = _row_type(draft, table, row)
    inner = scope
    for parameter in parameters:
        inner = inner.with_local(Local(parameter.variable))
    where, value = _value(draft, table, row, inner, wanted)
    variable = draft.numbers.variable(name.text, wanted or value.type)
    types = tuple(p.type for p in parameters) if parameters else None
    words = words_at(table, row, "text")
    step = Step(variable, parameters, value, first_cell(row), where or cell.ref, words)
    return step, scope.with_local(Local(variable, types))


def new_local(draft: Draft, name: Text, scope: Scope, taken: list[str]) -> bool:
    """May a step, draw or answer of this table be called so?"""
    if not good_name(draft, name) or hides(draft, name):
        return False
    if name.text in scope.locals or name.text in taken:
        draft.error(name, function_problems.double_step(name.text))
        return False
    return True


def _record_of_steps(
    draft: Draft, function: FunctionDraft, wanted: Type | None, steps: list[Step]
) -> Expression:
    where = Location(function.table.marker.cell.ref)
    read = [
        (s.variable.name, Read(s.variable, type=s.variable.type, where=Location(s.cell)))
        for s in steps
        if not s.parameters
    ]
    if not read:
        draft.error(function.name_text, function_problems.formula_without_rows())
    if not isinstance(wanted, RecordType) or wanted.name not in draft.records:
        if wanted is not None and wanted != UNKNOWN and function.result is not None:
            draft.error(function.result, function_problems.no_result_row(wanted))
        entries = tuple(Entry(n, draft.numbers.variable(n, r.type), r) for n, r in read)
        type_ = ContextType(tuple((n, r.type) for n, r in read))
        return MakeContext(entries, type=type_, where=where)
    return _as_record(draft, function, wanted, read, where)


def _as_record(
    draft: Draft, function: FunctionDraft, wanted: RecordType, read: list[tuple[str, Read]], where: Location
) -> Expression:
    given = dict(read)
    fields: list[tuple[str, Expression]] = []
    for field in draft.records[wanted.name].stored:
        step = given.get(field.name)
        if step is not None and not fits(step.type, field.type):
            wording = function_problems.step_does_not_fit(field.name, step.type, wanted.name, field.type)
            draft.error_at(step.where, None, wording)
        if step is None and field.default is None and not may_be_null(field.type):
            draft.error(function.name_text, function_problems.no_step_for_field(field.name, wanted.name))
        given_step = None if step is None else require(step, field.type)
        fields.append((field.name, field.else_default(given_step, where)))
    return MakeRecord(wanted.name, tuple(fields), type=wanted, where=where)
