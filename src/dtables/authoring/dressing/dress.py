"""A copy of a workbook that is pleasant to work in: styles, drop-downs, help, a map of its tables.

Meaning never lives in any of it: the copy says in every cell what the original says, but for the words of
the table language where another language is asked for. The author's own file is never written to.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from openpyxl.cell.cell import MergedCell

from dtables.authoring.dressing.choices import DeclaredNames, Lists, add_choices, known_names
from dtables.authoring.dressing.help import add_help
from dtables.authoring.dressing.labels import Labels
from dtables.authoring.dressing.languages import own_language
from dtables.authoring.dressing.look import Painter, paint
from dtables.authoring.dressing.map import add_map, without_map
from dtables.authoring.dressing.rules import add_rules, taken_rules
from dtables.authoring.dressing.sheets import finish, set_up
from dtables.authoring.dressing.translation import edits, translated
from dtables.diagnostics import Diagnostic
from dtables.files import whole_file
from dtables.spreadsheet.library import open_whole
from dtables.spreadsheet.writer import keep_text, save_without_clock
from dtables.workbook.cells import read_workbook
from dtables.workbook.tables import BookText, TableText


def dress(
    source: Path, target: Path, language: str | None = None
) -> tuple[BookText | None, tuple[Diagnostic, ...]]:
    """Writes a dressed copy of `source` to `target`; what was read, and what is wrong with it.

    With a language the words of its tables are in it. Nothing is written where the workbook cannot be read
    at all.
    """
    book, text, found = dressed(source, language)
    if book is not None:
        save(book, target)
    return text, found


def dressed(source: Path, language: str | None = None) -> tuple[Any, BookText | None, tuple[Diagnostic, ...]]:
    """The copy is None where the workbook cannot be read at all."""
    text, found = read_workbook(source)
    if text is None:
        return None, None, found
    book = open_whole(source)
    if isinstance(book, Diagnostic):
        return None, None, (*found, book)
    dress_book(book, text, language)
    return book, text, found


def dress_book(book: Any, text: BookText, language: str | None = None) -> None:
    """Dresses an open workbook, in place."""
    without_map(book)
    rules = taken_rules(book)
    # A sentence on the sheet of rules may begin as a table does.
    left = tuple(t for t in text.tables if t.marker.cell.ref.sheet in book.sheetnames)
    text = replace(text, tables=left)
    for table in text.tables:
        settle(book[table.marker.cell.ref.sheet], table)
    if language is not None:
        text = _translate(book, text, language)
    spoken = language or own_language(text)
    tables = tuple(table for table in text.tables if table.columns)
    dresser = _Dresser(book, tables, spoken)
    for sheet, here in _by_sheet(tables):
        dresser.dress(book[sheet], here)
    cited = add_rules(book, text, rules, spoken)
    dresser.lists.write()
    add_map(book, text, cited, spoken)


def save(book: Any, target: Path) -> None:
    """Write a workbook of openpyxl whole, or leave what is there. The same makes the same bytes."""
    for sheet in book.worksheets:
        # The library keeps them in a set, which has another order in every process.
        vars(sheet.merged_cells)["ranges"] = sheet.merged_cells.sorted()
    with whole_file(target) as file:
        save_without_clock(book, file)


def _by_sheet(tables: tuple[TableText, ...]) -> list[tuple[str, tuple[TableText, ...]]]:
    grouped = groupby(tables, key=lambda table: table.marker.cell.ref.sheet)
    return [(sheet, tuple(here)) for sheet, here in grouped]


class _Dresser:
    """What the sheets of one workbook share while they are dressed."""

    def __init__(self, book: Any, tables: tuple[TableText, ...], language: str) -> None:
        self.painter = Painter(book)
        self.names: DeclaredNames = known_names(tables)
        self.lists = Lists(book)
        self.labels = Labels(tables, self.names, language)
        self.language = language

    def dress(self, sheet: Any, tables: tuple[TableText, ...]) -> None:
        shown = self.labels.shown(tables)
        set_up(sheet, tables, shown, self.painter)
        for table in tables:
            paint(sheet, table, shown, self.painter)
            add_help(sheet, table, self.language)
        add_choices(sheet, tables, self.names, self.lists)
        self.labels.add(sheet, tables)
        finish(sheet, tables)


def _translate(book: Any, text: BookText, language: str) -> BookText:
    spoken = translated(text, language)
    for ref, typed in edits(text, spoken).items():
        cell = book[ref.sheet].cell(ref.row, ref.column)
        if not isinstance(cell, MergedCell):
            cell.value = typed
            keep_text(cell)
    return spoken


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
