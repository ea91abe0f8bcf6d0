"""A cell under its role: what the role says about how its text is read."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, time
from typing import assert_never

from dtables.diagnostics import Diagnostic
from dtables.workbook import problems
from dtables.workbook.cells import single_spaced
from dtables.workbook.tables import Cell, Column
from dtables.workbook.tidy import with_decimal_point
from dtables.workbook.words import Holds

_ANYTHING = "-"
_NUMBER_TYPES = ("number", "number?")


def read_cell(cell: Cell, column: Column, holds: Holds) -> tuple[Cell, tuple[Diagnostic, ...]]:
    """Dates among expressions are left to the checker, which knows where one is wanted."""
    cell = cell if holds is Holds.PROSE else single_spaced(cell)
    match holds:
        case Holds.TESTS:
            return (replace(cell, code=_ANYTHING) if cell.code == "*" else cell), ()
        case Holds.EXPRESSION:
            number = column.role == "type" and column.role_cell.code in _NUMBER_TYPES
            return _in_number_column(cell) if number else (cell, ())
        case Holds.TYPE | Holds.NAME | Holds.NAMES | Holds.WORD | Holds.PLACE | Holds.NUMBER | Holds.PROSE:
            return cell, ((problems.converted_to_date(cell),) if is_date(cell) else ())
        case _:
            assert_never(holds)


def is_date(cell: Cell) -> bool:
    return isinstance(cell.value, date | time)


def _in_number_column(cell: Cell) -> tuple[Cell, tuple[Diagnostic, ...]]:
    read = with_decimal_point(cell.code)
    if read is None:
        return cell, ()
    return replace(cell, code=read), (problems.decimal_comma(cell, read),)
