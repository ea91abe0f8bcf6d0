"""How the cells of one table look: band, properties, roles, names, rows."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from typing import Any

from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter

from dtables.workbook.kinds import BY_NAME, KINDS
from dtables.workbook.language import ReadAs
from dtables.workbook.tables import Cell, ColumnText, TableText

AS_TEXT = "@"
AS_NUMBER = "General"
BAND_HEIGHT = 22.0
MOST_EMPTY_COLUMNS = 12
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
    needed = len(table.marker.cell.typed) * BAND / BODY
    while (
        end - marker.column < MOST_EMPTY_COLUMNS
        and sum(_width(sheet, column) for column in range(marker.column, end + 1)) < needed
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


def _column(sheet: Any, table: TableText, column: ColumnText) -> None:
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


def _row_cell(target: Any, cell: Cell, column: ColumnText, kind: str) -> None:
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


def _row_font(column: ColumnText, kind: str) -> Any:
    """What people read is dark, what only the tables read is a little lighter, remarks are quiet."""
    holds = holds_of(kind, column.role)
    if column.role in ("note", "#"):
        return letters(BODY, MUTED, italic=column.role == "note")
    if column.role in ("key", "name", "field", "switch", "parameter", "step", "id"):
        return letters(BODY, INK, bold=True)
    return letters(BODY, INK if holds is ReadAs.PROSE else "34495E")


# -- colours ----------------------------------------------------------------------------------------
# Colours: one hue for each kind of table, dark for its band, light for its names.

INK = "1F2933"
MUTED = "6B7280"
WHITE = "FFFFFF"
HAIRLINE = "E3E6EA"


@dataclass(frozen=True, slots=True)
class Hue:
    """`band` carries white letters, `names` and `roles` dark ones."""

    band: str
    names: str
    roles: str


_BANDS = {
    "decision": "1F6F6B",
    "scale": "3F5493",
    "matrix": "3D6B47",
    "dice": "74466B",
    "settings": "7D6122",
    "formulas": "4A647E",
    "formula": "4A647E",
    "ask": "2C4560",
    "input": "2F6489",
    "checks": "8A4B3C",
    "examples": "57685A",
    "data": "6A5D4D",
    "types": "5D5D70",
    "record": "5D5D70",
    "turn": "1D6470",
    "cases": "66553A",
    "terms": "5F5A78",
    "glossary": "6D5A74",
    "pages": "5B6470",
}


def hue(kind: str) -> Hue:
    band = _BANDS[kind]
    return Hue(band, lighter(band, 0.84), lighter(band, 0.94))


def lighter(colour: str, share: float) -> str:
    """Mixed with white: 0 is the colour itself, 1 is white."""
    return "".join(f"{round(c + (255 - c) * share):02X}" for c in _channels(colour))


def contrast(one: str, other: str) -> float:
    """How well one colour is read on another, from 1 to 21 (WCAG 2.1)."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def letters_on(colour: str) -> str:
    """White or ink, whichever is read better on the colour."""
    return max((WHITE, INK), key=lambda ink: contrast(ink, colour))


def _luminance(colour: str) -> float:
    parts = (c / 255 for c in _channels(colour))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[0:2], 16), int(colour[2:4], 16), int(colour[4:6], 16)


assert set(_BANDS) == {kind.name for kind in KINDS}


# -- fonts and fills --------------------------------------------------------------------------------
# Letters, fills and lines as the dressed cells have them.

FACE = "Calibri"
BODY, SMALL, BAND, HEADLINE = 10, 9, 13, 18


def letters(size: int, colour: str, **more: Any) -> Any:
    return Font(name=FACE, size=size, color=colour, **more)


def fill(colour: str) -> Any:
    return PatternFill("solid", start_color=colour, end_color=colour)


def underline(style: str, colour: str) -> Any:
    return Border(bottom=Side(style=style, color=colour))


# -- sheets -----------------------------------------------------------------------------------------
# A whole sheet: how wide its columns are, what stays in sight, how it is printed.

NARROWEST, WIDEST = 5.0, 56.0
SHEET_WIDTH = 185.0
"""What still prints readably across a landscape page."""

_A4 = 9
_WIDE_ROOM = 1.5


def set_up(sheet: Any, tables: tuple[TableText, ...]) -> None:
    _widths(sheet, tables)
    _view(sheet, tables)
    _print(sheet, tables)


def holds_of(kind: str, role: str) -> ReadAs:
    found = (known.holds for known in BY_NAME[kind].roles if known.name == role)
    return next(found, ReadAs.EXPRESSION)


# -- widths ------------------------------------------------------------------------------------


def _widths(sheet: Any, tables: tuple[TableText, ...]) -> None:
    """Tables on one sheet share their columns: each gets what its fullest table needs."""
    needed: dict[int, float] = defaultdict(lambda: NARROWEST)
    for table in tables:
        for place, column in enumerate(table.columns):
            needed[column.number] = max(needed[column.number], _width_for(table, column, place))
    cap = _cap(list(needed.values()))
    for number, width in needed.items():
        sheet.column_dimensions[get_column_letter(number)].width = round(min(width, cap), 1)


def _width_for(table: TableText, column: ColumnText, place: int) -> float:
    """Prose and expressions may fold, short cells and the longest word may not."""
    cells = [row.cells[place].typed for row in table.rows]
    head = [column.role_cell.typed, column.name.typed if column.name else ""]
    longest = max((len(line) for text in cells for line in text.split("\n")), default=0)
    word = max((len(w) for text in (*cells, *head) for w in text.split()), default=0)
    folded = _folded(longest, holds_of(table.kind, column.role))
    return min(WIDEST, max(folded, min(word, 30), len(column.role_cell.typed) * 0.85) + 2)


def _folded(longest: int, holds: ReadAs) -> float:
    """About two lines for what is long."""
    room = 34.0 if holds is ReadAs.PROSE else 30.0
    return longest if longest <= room else max(room, min(WIDEST, longest / _WIDE_ROOM))


def _cap(widths: list[float]) -> float:
    """How wide the widest columns may be so that the sheet still fits."""
    cap = WIDEST
    while cap > 18 and sum(min(width, cap) for width in widths) > SHEET_WIDTH:
        cap -= 2
    return cap


# -- view and print ----------------------------------------------------------------------------


def _view(sheet: Any, tables: tuple[TableText, ...]) -> None:
    """Headers stay in sight where there is one table; of several none could."""
    sheet.sheet_view.showGridLines = False
    sheet.sheet_properties.tabColor = hue(tables[0].kind).band
    sheet.freeze_panes = None
    if len(tables) == 1:
        sheet.freeze_panes = sheet.cell(_header_end(tables[0]) + 1, tables[0].columns[0].number + 1)


def _header_end(table: TableText) -> int:
    named = [column.name.ref.row for column in table.columns if column.name is not None]
    return max(named, default=table.columns[0].role_cell.ref.row)


def _print(sheet: Any, tables: tuple[TableText, ...]) -> None:
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = _A4
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    for side in ("left", "right", "top", "bottom"):
        setattr(sheet.page_margins, side, 0.5)
    sheet.oddHeader.left.text, sheet.oddHeader.right.text = "&A", "&F"
    sheet.oddFooter.right.text = "&P / &N"
    if len(tables) == 1:
        first = tables[0].columns[0].role_cell.ref.row
        sheet.print_title_rows = f"{first}:{_header_end(tables[0])}"
