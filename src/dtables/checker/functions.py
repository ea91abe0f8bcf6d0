"""Tables that are called: their signatures, and which others they name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dtables.checker import function_problems
from dtables.checker.draft import Draft, FunctionDraft
from dtables.checker.lookup import known_names, names_of, read
from dtables.checker.lower import lower_expression
from dtables.checker.scope import FunctionSymbol, Scope
from dtables.checker.signatures import typed_parameters
from dtables.checker.types import lower_type
from dtables.checker.written import column_name, filled_rows, text_of
from dtables.feel.knownnames import Names
from dtables.feel.parser import names_read, parse_expression, parse_tests
from dtables.feel.types import UNKNOWN, Type
from dtables.model.expressions import Constant, Expression
from dtables.provenance import CellRef, Location
from dtables.workbook.tables import Cell

TESTED = ("only for",)
"""Columns whose cells are tests; named `if` columns too."""
READ = ("is", "if", "then", "take", "only if", "by", "prefer", *TESTED)


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


def outcome_value(draft: Draft, cell: Cell, scope: Scope, wanted: Type | None) -> Expression:
    """What a cell says that is the outcome of a row."""
    if cell.empty:
        draft.error(cell, function_problems.blank_outcome())
        return unknown_at(cell.ref)
    return lower_expression(text_of(cell), scope, draft.sink, wanted)


def unknown_at(ref: CellRef) -> Expression:
    """Stands for what a cell does not say, or says wrongly."""
    return Constant(None, type=UNKNOWN, where=Location(ref))


# -- what they read ----------------------------------------------------------------------------


def mentions(draft: Draft) -> dict[str, tuple[str, ...]]:
    """The tables that each table names; a field of the same name looks the same here."""
    named = Names(draft.function_drafts)
    return {name: tuple(_mentions(draft, f, named)) for name, f in draft.function_drafts.items()}


def _mentions(draft: Draft, function: FunctionDraft, named: Names) -> Iterator[str]:
    if function.kind == "scale":
        yield from (name for name in _embedded(draft, function) if name != function.name)
    inside = [p.name.text for p in function.parameters] + list(_steps(function))
    names = known_names(draft.symbols) | names_of(draft.symbols, inside)
    for text, tests in _texts(function):
        if not named.any_begins_in(text):
            continue
        node, _ = read(draft.symbols, parse_tests if tests else parse_expression, text, names)
        for part in node if isinstance(node, tuple) else (node,):
            if part is None:
                continue
            for name, _ in names_read(part):
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
    for cell in _cells(function, "step"):
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
            code = _expression_of(column.role, row.cells[n].code)
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
