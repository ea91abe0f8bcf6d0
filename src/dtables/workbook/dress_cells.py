"""How the cells of one table look: band, properties, roles, names, rows."""

from __future__ import annotations

import re
from decimal import Decimal
from math import ceil
from typing import Any

from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter

from dtables.workbook.dress_palette import HAIRLINE, INK, MUTED, WHITE, Hue, hue, letters_on
from dtables.workbook.dress_sheets import holds_of
from dtables.workbook.dress_styles import BAND, BODY, SMALL, fill, letters, underline
from dtables.workbook.tables import Cell, Column, TableText
from dtables.workbook.words import Holds

AS_TEXT = "@"
AS_NUMBER = "General"
BAND_HEIGHT = 22.0
MOST_BESIDE = 12
LINE_HEIGHT = 13.5
LETTERS_A_WIDTH = 1.25
"""Letters that go into one unit of a column's width, cautiously."""

_HEX = re.compile(r"#([0-9A-Fa-f]{6})")


def paint(sheet: Any, table: TableText) -> None:
    shades = hue(table.kind)
    _band(sheet, table, shades)
    _properties(sheet, table, shades)
    _header(sheet, table, shades)
    for column in table.columns:
        _column(sheet, table, column)
    names = tuple(column.name for column in table.columns if column.name is not None)
    for cells in (names, *(row.cells for row in table.rows)):
        _grow(sheet, cells)


# -- above the rows ----------------------------------------------------------------------------


def as_text(cell: Any) -> None:
    """Nothing typed there is turned into a date. A number keeps its format, which may be what it says."""
    if cell.value is None or cell.data_type in ("s", "inlineStr"):
        cell.number_format = AS_TEXT


def _band(sheet: Any, table: TableText, shades: Hue) -> None:
    marker = table.marker.cell.ref
    sheet.row_dimensions[marker.row].height = BAND_HEIGHT
    for column in range(marker.column, _band_end(sheet, table) + 1):
        cell = sheet.cell(marker.row, column)
        first = column == marker.column
        cell.font = letters(BAND if first else BODY, WHITE, bold=first)
        cell.fill = fill(shades.band)
        cell.alignment = Alignment(vertical="center")
        as_text(cell)


def _band_end(sheet: Any, table: TableText) -> int:
    """White letters must not run out of their band: it goes on over empty cells beside a narrow table."""
    marker, end = table.marker.cell.ref, table.last.column
    wanted = len(table.marker.cell.typed) * BAND / BODY
    while (
        end - marker.column < MOST_BESIDE
        and sum(_width(sheet, column) for column in range(marker.column, end + 1)) < wanted
        and sheet.cell(marker.row, end + 1).value is None
    ):
        end += 1
    return end


def _properties(sheet: Any, table: TableText, shades: Hue) -> None:
    top, left, right = table.marker.cell.ref.row, table.marker.cell.ref.column, table.last.column
    rows = {p.cell.ref.row for p in table.properties if p.cell.ref.row > top}
    for row in sorted(rows):
        for column in range(left, right + 1):
            _property(sheet.cell(row, column), shades)
        if all(sheet.cell(row, column).value is None for column in range(left + 1, right + 1)):
            _spread(sheet, row, left, right)
    for word in table.properties:
        if word.word == "title":
            sheet.cell(word.cell.ref.row, word.cell.ref.column).font = letters(BODY, INK, bold=True)


def _property(cell: Any, shades: Hue) -> None:
    cell.font = letters(SMALL, MUTED)
    cell.fill = fill(shades.roles)
    cell.alignment = Alignment(vertical="center", wrap_text=True)
    as_text(cell)


def _spread(sheet: Any, row: int, left: int, right: int) -> None:
    """A line of prose takes the whole width; merged cells do not find their own height."""
    if right > left and not any(sheet.cell(row, left).coordinate in merged for merged in sheet.merged_cells):
        sheet.merge_cells(start_row=row, end_row=row, start_column=left, end_column=right)
    width = sum(_width(sheet, column) for column in range(left, right + 1))
    lines = _lines(str(sheet.cell(row, left).value or ""), width * BODY / SMALL)
    sheet.row_dimensions[row].height = LINE_HEIGHT * lines + 2


def _header(sheet: Any, table: TableText, shades: Hue) -> None:
    for column in table.columns:
        role = sheet.cell(column.role_cell.ref.row, column.number)
        role.font = letters(SMALL, MUTED, italic=True)
        role.fill = fill(shades.roles)
        role.alignment = Alignment(vertical="center")
        as_text(role)
        last = role
        if column.name is not None:
            last = sheet.cell(column.name.ref.row, column.number)
            last.font = letters(BODY, INK, bold=True)
            last.fill = fill(shades.names)
            last.alignment = Alignment(vertical="center", wrap_text=True)
            as_text(last)
        last.border = underline("medium", shades.band)


def _width(sheet: Any, column: int) -> float:
    return float(sheet.column_dimensions[get_column_letter(column)].width)


def _lines(text: str, width: float) -> int:
    """About how many lines a text takes where it folds."""
    return sum(max(1, ceil(len(line) / max(4.0, width - 1) / LETTERS_A_WIDTH)) for line in text.split("\n"))


# -- rows --------------------------------------------------------------------------------------


def _column(sheet: Any, table: TableText, column: Column) -> None:
    place = table.columns.index(column)
    cells = [row.cells[place] for row in table.rows]
    numbers = _numbers_only(cells)
    for cell in cells:
        _row_cell(sheet.cell(cell.ref.row, cell.ref.column), cell, column, table.kind)
        if cell.empty and numbers:
            sheet.cell(cell.ref.row, cell.ref.column).number_format = AS_NUMBER


def _grow(sheet: Any, cells: tuple[Cell, ...]) -> None:
    """Rows whose cells fold; the others keep finding their own height."""
    lines = max((_lines(c.typed, _width(sheet, c.ref.column)) for c in cells if not c.empty), default=1)
    if lines > 1:
        sheet.row_dimensions[cells[0].ref.row].height = LINE_HEIGHT * lines + 2


def _numbers_only(cells: list[Cell]) -> bool:
    filled = [cell for cell in cells if not cell.empty]
    return bool(filled) and all(_is_number(cell) for cell in filled)


def _is_number(cell: Cell) -> bool:
    return isinstance(cell.value, (int, Decimal)) and not isinstance(cell.value, bool)


def _row_cell(target: Any, cell: Cell, column: Column, kind: str) -> None:
    target.font = _row_font(column, kind)
    target.border = underline("thin", HAIRLINE)
    target.alignment = Alignment(
        vertical="center", wrap_text=True, horizontal="left" if _is_number(cell) else None
    )
    as_text(target)
    badge = _HEX.fullmatch(cell.typed) if column.role == "colour" else None
    if badge:
        target.fill = fill(badge[1].upper())
        target.font = letters(BODY, letters_on(badge[1].upper()))


def _row_font(column: Column, kind: str) -> Any:
    """What people read is dark, what only the tables read is a little lighter, remarks are quiet."""
    holds = holds_of(kind, column.role)
    if column.role in ("note", "#"):
        return letters(BODY, MUTED, italic=column.role == "note")
    if column.role in ("key", "name", "field", "switch", "parameter", "step", "id"):
        return letters(BODY, INK, bold=True)
    return letters(BODY, INK if holds is Holds.PROSE else "34495E")
