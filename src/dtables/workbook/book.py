"""All sheets of a workbook together."""

from __future__ import annotations

from dtables.diagnostics import Diagnostic, errors_in, in_order
from dtables.workbook import problems
from dtables.workbook.cells import Sheet
from dtables.workbook.layout import MOST_CELLS, area, find_tables
from dtables.workbook.tables import BookText, TableText


def book_of(
    name: str, sheets: tuple[Sheet, ...], found: tuple[Diagnostic, ...] = ()
) -> tuple[BookText, tuple[Diagnostic, ...]]:
    """`found` is what reading has said already; everything comes back in the order of the sheets."""
    tables: list[TableText] = []
    diagnostics = list(found)
    for sheet in sheets:
        read, said = find_tables(sheet, MOST_CELLS - sum(map(area, tables)))
        tables += read
        diagnostics += said
    if not tables and not errors_in(diagnostics):
        diagnostics.append(problems.no_tables(name))
    names = tuple(sheet.name for sheet in sheets)
    return BookText(name, names, tuple(tables)), in_order(diagnostics, names)
