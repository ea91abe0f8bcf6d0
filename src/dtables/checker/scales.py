"""Scales: ordered criteria that narrow candidates to one."""

from __future__ import annotations

from dtables.checker import function_problems, scale_problems
from dtables.checker.criteria import Reader, lower_criteria, others_of
from dtables.checker.deciding import check_decides, first_unsettled
from dtables.checker.draft import Draft, FunctionDraft
from dtables.checker.functions import declared_result, settle_result
from dtables.checker.written import column_name, columns, filled_rows, heading, name_cell
from dtables.feel.types import UNKNOWN, ListType, Type, UnknownType, optional, plain, surely_fits
from dtables.model.tables import Criterion, Others, Prefer, Scale
from dtables.provenance import Location
from dtables.workbook.tables import TableText


def check_scale(draft: Draft, function: FunctionDraft) -> Scale:
    table = function.table
    parameters = draft.parameters[function.name]
    candidate = _candidate(draft, function)
    scope = draft.scope(p.variable for p in parameters)
    item = draft.numbers.variable("item", candidate)
    listed = parameters[0].variable if parameters else draft.numbers.variable("candidates", ListType(UNKNOWN))
    rows = list(filled_rows(table))
    if not rows:
        draft.error(table.marker.cell, function_problems.table_without_rows())
    _tell_stray_names(draft, table)
    criteria = lower_criteria(Reader(draft, table, scope, listed, item, (function.name,), draft.sink), rows)
    _tell_unreached(draft, criteria)
    others = others_of(draft, table)
    if others is None:
        unsettled = first_unsettled(criteria)
        if unsettled is not None:
            draft.error(table.marker.cell, scale_problems.others_open(unsettled.number, unsettled.where))
    decides = check_decides(draft, function, criteria)
    result: Type = ListType(candidate) if ends_in_chance(criteria) else optional(candidate)
    _hold_to_declared(draft, function, result)
    settle_result(draft, function.name, result)
    return Scale(heading(table), parameters, item, others or Others.LAST, decides, criteria, result)


def _candidate(draft: Draft, function: FunctionDraft) -> Type:
    parameters = draft.parameters[function.name]
    if not parameters:
        draft.error(function.name_text, scale_problems.scale_without_candidates(function.name))
        return UNKNOWN
    type_ = plain(parameters[0].type)
    if isinstance(type_, ListType):
        return type_.item
    if not isinstance(type_, UnknownType):
        draft.error(function.parameters[0].name, scale_problems.candidates_no_list(parameters[0].name, type_))
    return UNKNOWN


def ends_in_chance(criteria: tuple[Criterion, ...]) -> bool:
    """Somewhere in these rows chance may decide: the value is the list of equals."""
    return any(
        c.prefer is Prefer.CHANCE or (c.embedded is not None and ends_in_chance(c.embedded.criteria))
        for c in criteria
    )


def _tell_stray_names(draft: Draft, table: TableText) -> None:
    """Names stand over `only for` columns; over others they are a criterion that was taken for names."""
    for n in columns(table, "prefer", "by", "only if"):
        if column_name(table.columns[n]):
            draft.error(name_cell(table.columns[n]), scale_problems.stray_name(table.columns[n].role))


def _tell_unreached(draft: Draft, criteria: tuple[Criterion, ...]) -> None:
    for n, criterion in enumerate(criteria[:-1]):
        if criterion.prefer in (Prefer.FIRST, Prefer.CHANCE) and criterion.for_everybody:
            later = criteria[n + 1]
            wording = scale_problems.never_reached(later.number, criterion.number)
            draft.warning_at(Location(later.where), None, wording)
            return


def _hold_to_declared(draft: Draft, function: FunctionDraft, result: Type) -> None:
    declared = declared_result(draft, function)
    if declared is not None and function.result is not None and not surely_fits(result, optional(declared)):
        draft.error(function.result, scale_problems.scale_gives(function.name, result))
