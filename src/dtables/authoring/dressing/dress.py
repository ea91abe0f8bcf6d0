"""A copy of a workbook that is pleasant to work in: styles, drop-downs, help, a map of its tables.

Meaning never lives in any of it: the copy says in every cell what the original says. The author's own
file is never written to.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

from dtables.authoring.dressing.choices import DeclaredNames, add_choices, known_names
from dtables.authoring.dressing.help import add_help
from dtables.authoring.dressing.look import paint, set_up
from dtables.authoring.dressing.map import add_map, without_map
from dtables.diagnostics import Diagnostic
from dtables.files import whole_file
from dtables.spreadsheet.library import open_whole
from dtables.spreadsheet.writer import keep_text
from dtables.workbook.cells import read_workbook
from dtables.workbook.tables import BookText, TableText


def dress(source: Path, target: Path) -> tuple[BookText | None, tuple[Diagnostic, ...]]:
    """Writes a dressed copy of `source` to `target`; what was read, and what is wrong with it.

    Nothing is written where the workbook cannot be read at all.
    """
    book, text, found = dressed(source)
    if book is not None:
        save(book, target)
    return text, found


def dressed(source: Path) -> tuple[Any, BookText | None, tuple[Diagnostic, ...]]:
    """The copy is None where the workbook cannot be read at all."""
    text, found = read_workbook(source)
    if text is None:
        return None, None, found
    book = open_whole(source)
    if isinstance(book, Diagnostic):
        return None, None, (*found, book)
    dress_book(book, text)
    return book, text, found


def dress_book(book: Any, text: BookText) -> None:
    """Dresses an open workbook, in place."""
    without_map(book)
    tables = tuple(table for table in text.tables if table.columns)
    names = known_names(tables)
    for sheet, here in _by_sheet(tables):
        _dress_sheet(book[sheet], here, names)
    add_map(book, text)


def save(book: Any, target: Path) -> None:
    """Write a workbook of openpyxl whole, or leave what stands at the target."""
    with whole_file(target) as file:
        book.save(file)


def _by_sheet(tables: tuple[TableText, ...]) -> list[tuple[str, tuple[TableText, ...]]]:
    grouped = groupby(tables, key=lambda table: table.marker.cell.ref.sheet)
    return [(sheet, tuple(here)) for sheet, here in grouped]


def _dress_sheet(sheet: Any, tables: tuple[TableText, ...], names: DeclaredNames) -> None:
    set_up(sheet, tables)
    for table in tables:
        settle(sheet, table)
        paint(sheet, table)
        add_help(sheet, table)
    add_choices(sheet, tables, names)


def settle(sheet: Any, table: TableText) -> None:
    """Saving drops the results of formulas: what a formula said stands in the copy instead of it."""
    named = tuple(column.name for column in table.columns if column.name is not None)
    roles = tuple(column.role_cell for column in table.columns)
    properties = tuple(p.cell for p in table.properties)
    for cells in ((table.marker.cell,), properties, roles, named, *(row.cells for row in table.rows)):
        for cell in cells:
            target = sheet.cell(cell.ref.row, cell.ref.column)
            if target.data_type == "f" and not cell.empty:
                target.value = cell.value
                if isinstance(cell.value, str):
                    keep_text(target)
