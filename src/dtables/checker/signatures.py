"""Names with parameters: `need(r: resource, owner: city)`, in a marker or in a cell."""

from __future__ import annotations

from collections.abc import Iterable

from dtables.checker import table_problems
from dtables.checker.declare import VALUE_SPACE, claim, good_name, hides
from dtables.checker.draft import Draft, FunctionDraft, ParameterDraft
from dtables.checker.sink import Text
from dtables.checker.types import lower_type, named_type
from dtables.checker.wanted import name_in
from dtables.checker.written import filled_rows, part, pieces, place, text_at, text_of
from dtables.feel.builtins import BY_NAME
from dtables.feel.types import UNKNOWN, Type
from dtables.model.tables import Parameter
from dtables.workbook.tables import Cell, TableText, Word

CALLED_BY_KEY = ("matrix", "dice")
"""Their parameters are keys, read by no expression: they can hide nothing."""


def read_signature(draft: Draft, cell: Cell) -> tuple[Text, tuple[ParameterDraft, ...]]:
    text = text_of(cell)
    opening = text.text.find("(")
    if opening < 0:
        return part(text, 0, len(text.text)), ()
    closing = text.text.rfind(")")
    if closing < opening or text.text[closing + 1 :].strip():
        draft.error(cell, table_problems.unclosed_parameters())
    if closing < opening:
        closing = len(text.text)
    inside = part(text, opening + 1, closing)
    found = pieces(inside, ",") if inside.text else ()
    if not all(piece.text for piece in found):
        draft.error(cell, table_problems.blank_parameter())
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
            case "ask" if table.marker.parameters:
                _declare(draft, _from_marker(table))
            case _:
                pass


def _declare(draft: Draft, function: FunctionDraft) -> None:
    if function.parameters and function.name in BY_NAME:
        draft.error(function.name_text, table_problems.name_of_builtin(function.name))
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
                draft.error(parameter.name, table_problems.double_parameter(name))
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
    draft.error(parameter.name, table_problems.parameter_without_type(parameter.name.text))
    return UNKNOWN
