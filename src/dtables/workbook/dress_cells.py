"""How the cells of one table look: band, properties, roles, names, rows."""

from __future__ import annotations

import re
from decimal import Decimal
from math import ceil
from typing import Any

from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter

from dtables.workbook.dress_palette import HAIRLINE, INK, MUTED, WHITE, Hue, hue, letters_on
from dtables.workbook.dress_sheets import holds_of
from dtables.workbook.tables import Cell, Column, TableText
from dtables.workbook.words import Holds

AS_TEXT = "@"
AS_NUMBER = "General"
BAND_HEIGHT = 22.0
LINE_HEIGHT = 13.5
_HEX = re.compile(r"#([0-9A-Fa-f]{6})")


def paint(sheet: Any, table: TableText) -> None:
    shades = hue(table.kind)
    _band(sheet, table, shades)
    _properties(sheet, table, shades)
    _header(sheet, table, shades)
    for column in table.columns:
        _column(sheet, table, column)


# -- above the rows ----------------------------------------------------------------------------


def _band(sheet: Any, table: TableText, shades: Hue) -> None:
    marker = table.marker.cell.ref
    sheet.row_dimensions[marker.row].height = BAND_HEIGHT
    for column in range(marker.column, table.last.column + 1):
        cell = sheet.cell(marker.row, column)
        size = 13 if column == marker.column else 10
        cell.font = Font(bold=column == marker.column, size=size, color=WHITE)
        cell.fill = _fill(shades.band)
        cell.alignment = Alignment(vertical="center")
        cell.number_format = AS_TEXT


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
            sheet.cell(word.cell.ref.row, word.cell.ref.column).font = Font(bold=True, size=10, color=INK)


def _property(cell: Any, shades: Hue) -> None:
    cell.font = Font(size=9, color=MUTED)
    cell.fill = _fill(shades.roles)
    cell.alignment = Alignment(vertical="center", wrap_text=True)
    cell.number_format = AS_TEXT


def _spread(sheet: Any, row: int, left: int, right: int) -> None:
    """A line of prose takes the whole width; merged cells do not find their own height."""
    if right > left and not any(sheet.cell(row, left).coordinate in merged for merged in sheet.merged_cells):
        sheet.merge_cells(start_row=row, end_row=row, start_column=left, end_column=right)
    width = sum(sheet.column_dimensions[get_column_letter(c)].width for c in range(left, right + 1))
    lines = ceil(len(str(sheet.cell(row, left).value or "")) / max(8.0, width * 1.12))
    sheet.row_dimensions[row].height = LINE_HEIGHT * max(1, lines) + 1.5


def _header(sheet: Any, table: TableText, shades: Hue) -> None:
    for column in table.columns:
        role = sheet.cell(column.role_cell.ref.row, column.number)
        role.font = Font(italic=True, size=9, color=MUTED)
        role.fill = _fill(shades.roles)
        role.alignment = Alignment(vertical="center")
        role.number_format = AS_TEXT
        last = role
        if column.name is not None:
            last = sheet.cell(column.name.ref.row, column.number)
            last.font = Font(bold=True, size=10, color=INK)
            last.fill = _fill(shades.names)
            last.alignment = Alignment(vertical="center", wrap_text=True)
            last.number_format = AS_TEXT
        last.border = Border(bottom=Side(style="medium", color=shades.band))


# -- rows --------------------------------------------------------------------------------------


def _column(sheet: Any, table: TableText, column: Column) -> None:
    place = table.columns.index(column)
    cells = [row.cells[place] for row in table.rows]
    numbers = _numbers_only(cells)
    for cell in cells:
        _row_cell(sheet.cell(cell.ref.row, cell.ref.column), cell, column, table.kind)
        if cell.empty and numbers:
            sheet.cell(cell.ref.row, cell.ref.column).number_format = AS_NUMBER


def _numbers_only(cells: list[Cell]) -> bool:
    filled = [cell for cell in cells if not cell.empty]
    return bool(filled) and all(_is_number(cell) for cell in filled)


def _is_number(cell: Cell) -> bool:
    return isinstance(cell.value, (int, Decimal)) and not isinstance(cell.value, bool)


def _row_cell(target: Any, cell: Cell, column: Column, kind: str) -> None:
    target.font = _row_font(column, kind)
    target.border = Border(bottom=Side(style="thin", color=HAIRLINE))
    target.alignment = Alignment(
        vertical="top", wrap_text=True, horizontal="left" if _is_number(cell) else None
    )
    target.number_format = AS_NUMBER if _is_number(cell) else AS_TEXT
    badge = _HEX.fullmatch(cell.typed) if column.role == "colour" else None
    if badge:
        target.fill = _fill(badge[1].upper())
        target.font = Font(size=10, color=letters_on(badge[1].upper()))


def _row_font(column: Column, kind: str) -> Any:
    """What people read is dark, what only the tables read is a little lighter, remarks are quiet."""
    holds = holds_of(kind, column.role)
    if column.role in ("note", "#"):
        return Font(size=9, italic=column.role == "note", color=MUTED)
    if column.role in ("key", "name", "field", "switch", "parameter", "step", "id"):
        return Font(size=10, bold=True, color=INK)
    return Font(size=10, color=INK if holds is Holds.PROSE else "34495E")


def _fill(colour: str) -> Any:
    return PatternFill("solid", start_color=colour, end_color=colour)
