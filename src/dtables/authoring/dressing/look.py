"""How the cells of one table look: band, properties, roles, names, rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from openpyxl.cell.cell import MergedCell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.styles.cell_style import StyleArray
from openpyxl.utils import get_column_letter

from dtables.authoring.dressing.languages import role_of
from dtables.provenance import CellRef
from dtables.workbook.kinds import BY_NAME
from dtables.workbook.language import ReadAs
from dtables.workbook.tables import Cell, ColumnText, TableText

BAND_HEIGHT = 22.0
MOST_EMPTY_COLUMNS = 12
MANY_COLUMNS = 12
"""Data of so many columns have narrow ones, under heads that fold."""
GAP = 1.3
"""Of a column's width, between two columns."""
LINE_HEIGHT = 13.5
TALLEST = 405.0
"""A row is no taller in a spreadsheet."""
LETTERS_A_WIDTH = 1.25
"""Letters that go into one unit of a column's width, cautiously."""

_HEX = re.compile(r"#([0-9A-Fa-f]{6})")


Shown = Mapping[CellRef, str]
"""What cells look like that show more than they hold."""


def paint(sheet: Any, table: TableText, shown: Shown, painter: Painter) -> None:
    shades = hue(table.kind)
    _band(sheet, table, shades, painter)
    _properties(sheet, table, shades, painter)
    _header(sheet, table, shades, painter)
    for column in table.columns:
        _column(sheet, table, column, painter)
    heads = tuple(column.role_cell for column in table.columns)
    names = tuple(column.name for column in table.columns if column.name is not None)
    gap = 0.0 if has_narrow_columns(table) else GAP
    for cells in (heads, names, *(row.cells for row in table.rows)):
        _grow(sheet, cells, shown, gap)


# -- looks -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Look:
    """What a cell looks like. Its own fill, number format and protection stay where none is said.

    Lines do not: those of an earlier dressing would stay where a table had other rows.
    """

    size: int
    ink: str
    bold: bool = False
    italic: bool = False
    fill: str | None = None
    line: tuple[str, str] | None = None
    edge: tuple[str, str] | None = None
    wrap: bool = False
    left: bool = False
    apart: bool = False
    """It begins a little to the right of where the column before may end."""
    locked: bool = False
    text: bool = True
    """Nothing typed there is turned into a date. A number keeps its format, which may be what it says."""


class Painter:
    """Gives cells of one workbook their looks.

    A spreadsheet keeps each font, fill and line once. The library looks for them again for every cell, which
    takes ten times as long as to remember their numbers.
    """

    def __init__(self, book: Any) -> None:
        self._book = book
        self._known: dict[Look, Mapping[str, int]] = {}
        self._free = book._protections.add(FREE)
        self.locks = True
        """Whether it locks and unlocks cells: not on a sheet that its author has locked."""

    def paint(self, cell: Any, look: Look) -> None:
        known = self._known.get(look)
        if known is None:
            known = self._known[look] = self._numbers(look)
        style = cell._style
        if style is None:
            style = cell._style = StyleArray()
        for name, number in known.items():
            setattr(style, name, number)
        if self.locks:
            style.protectionId = 0 if look.locked else self._free
        if look.text and (cell.data_type in ("s", "inlineStr") or cell.value is None):
            style.numFmtId = _TEXT_FORMAT

    def free(self, cell: Any) -> None:
        """Unlock a cell; it looks as it looked."""
        if cell._style is None:
            cell._style = StyleArray()
        cell._style.protectionId = self._free

    def clear(self, cell: Any) -> None:
        """Give a cell the look of one that nobody has painted."""
        cell._style = StyleArray()
        if self.locks:
            self.free(cell)

    def _numbers(self, look: Look) -> Mapping[str, int]:
        book = self._book
        across = "left" if look.left or look.apart else None
        numbers = {
            "fontId": book._fonts.add(letters(look.size, look.ink, bold=look.bold, italic=look.italic)),
            "alignmentId": book._alignments.add(
                Alignment(
                    vertical="center", wrap_text=look.wrap or None, horizontal=across, indent=int(look.apart)
                )
            ),
            "borderId": 0,
        }
        if look.fill is not None:
            numbers["fillId"] = book._fills.add(fill(look.fill))
        if look.line is not None:
            numbers["borderId"] = book._borders.add(underline(*look.line))
        if look.edge is not None:
            style, colour = look.edge
            numbers["borderId"] = book._borders.add(Border(top=Side(style=style, color=colour)))
        return numbers


_TEXT_FORMAT = 49
"""The number of the format `@` in every workbook."""
_GENERAL = 0
FREE = Protection(locked=False)


# -- above the rows ----------------------------------------------------------------------------


def _band(sheet: Any, table: TableText, shades: Hue, painter: Painter) -> None:
    """Light, with a dark edge: a marker leads to the map, and some programs write all links in blue."""
    marker = table.marker.cell.ref
    edge, narrow = ("thick", shades.band), crowded(sheet, table)
    first = Look(BAND, shades.band, True, fill=shades.marker, edge=edge, locked=True, text=False, wrap=narrow)
    rest = replace(first, size=BODY, bold=False, locked=False, text=True, wrap=False)
    room = _width(sheet, marker.column) * _MARGIN * BODY / BAND
    lines = lines_of(table.marker.cell.typed, room) if narrow else 1
    sheet.row_dimensions[marker.row].height = BAND_HEIGHT + (lines - 1) * BAND * 1.4
    end = _band_end(sheet, table)
    for column in range(marker.column, end + 1):
        painter.paint(sheet.cell(marker.row, column), first if column == marker.column else rest)
    _end_band(sheet, marker.row, end + 1, (shades.band, shades.marker), painter)


def crowded(sheet: Any, table: TableText) -> bool:
    """Whether a property stands right beside the marker, which then has no more room than its column."""
    marker = table.marker.cell.ref
    return sheet.cell(marker.row, marker.column + 1).value is not None


def _end_band(sheet: Any, row: int, column: int, bands: tuple[str, str], painter: Painter) -> None:
    """What an earlier, longer band has left over."""
    while (row, column) in sheet._cells:
        cell = sheet.cell(row, column)
        if cell.value is not None or str(cell.fill.start_color.rgb)[-6:] not in bands:
            return
        painter.clear(cell)
        column += 1


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


def _properties(sheet: Any, table: TableText, shades: Hue, painter: Painter) -> None:
    top, left, right = table.marker.cell.ref.row, table.marker.cell.ref.column, table.last.column
    rows = {p.cell.ref.row for p in table.properties if p.cell.ref.row > top}
    look = Look(SMALL, MUTED, fill=shades.roles, wrap=True)
    for row in sorted(rows):
        for column in range(left, right + 1):
            painter.paint(sheet.cell(row, column), look)
        if all(sheet.cell(row, column).value is None for column in range(left + 1, right + 1)):
            _spread(sheet, row, left, right)
    title = replace(look, size=BODY, ink=INK, bold=True)
    for word in table.properties:
        if word.word == "title" and word.cell.ref.row > top:
            painter.paint(sheet.cell(word.cell.ref.row, word.cell.ref.column), title)


def _spread(sheet: Any, row: int, left: int, right: int) -> None:
    """A line of prose takes the whole width; merged cells do not find their own height."""
    if right > left and not isinstance(sheet.cell(row, left + 1), MergedCell):
        sheet.merge_cells(start_row=row, end_row=row, start_column=left, end_column=right)
    width = sum(_width(sheet, column) for column in range(left, right + 1))
    lines = lines_of(str(sheet.cell(row, left).value or ""), width * BODY / SMALL)
    sheet.row_dimensions[row].height = min(TALLEST, LINE_HEIGHT * lines + 2)


def _header(sheet: Any, table: TableText, shades: Hue, painter: Painter) -> None:
    under = ("medium", shades.band)
    named = any(column.name is not None for column in table.columns)
    role = Look(
        SMALL, MUTED, italic=True, fill=shades.roles, wrap=True, locked=True, line=None if named else under
    )
    name = Look(BODY, INK, bold=True, fill=shades.names, wrap=True, line=under, left=True)
    rows = {column.name.ref.row for column in table.columns if column.name is not None}
    for place, column in enumerate(table.columns):
        apart = stands_apart(table, place)
        painter.paint(sheet.cell(column.role_cell.ref.row, column.number), replace(role, apart=apart))
        for row in rows:
            painter.paint(sheet.cell(row, column.number), replace(name, apart=apart))


def stands_apart(table: TableText, place: int) -> bool:
    """Whether a column is set off from the one before it: many narrow ones have no room for that."""
    return place > 0 and not has_narrow_columns(table)


def has_narrow_columns(table: TableText) -> bool:
    return table.kind == "data" and len(table.columns) > MANY_COLUMNS


def _width(sheet: Any, column: int) -> float:
    return float(sheet.column_dimensions[get_column_letter(column)].width)


def lines_of(text: str, width: float) -> int:
    """About how many lines a text takes where it folds: between words, and inside one that is too long."""
    room = max(4.0, width - 1) * LETTERS_A_WIDTH
    return sum(_folds(line.split(" "), room) for line in text.split("\n"))


def _folds(words: list[str], room: float) -> int:
    lines, used = 1, 0
    for word in words:
        if used and used + 1 + len(word) > room:
            lines, used = lines + 1, 0
        used += len(word) + bool(used)
        while used > room:
            lines, used = lines + 1, used - int(room)
    return lines


# -- rows --------------------------------------------------------------------------------------


def _column(sheet: Any, table: TableText, column: ColumnText, painter: Painter) -> None:
    place = table.columns.index(column)
    cells = [row.cells[place] for row in table.rows]
    numbers = _numbers_only(cells)
    look = replace(_row_look(column, table.kind, place == 0), apart=stands_apart(table, place))
    number = replace(look, left=True)
    badges = column.role == "colour"
    for cell in cells:
        target = sheet.cell(cell.ref.row, cell.ref.column)
        painter.paint(target, number if _is_number(cell) else look)
        if cell.empty and numbers:
            target._style.numFmtId = _GENERAL
        badge = _HEX.fullmatch(cell.typed) if badges else None
        if badge:
            colour = badge[1].upper()
            painter.paint(target, replace(look, ink=letters_on(colour), fill=colour))


def _grow(sheet: Any, cells: tuple[Cell, ...], shown: Shown, gap: float) -> None:
    """Rows whose cells fold; the others find their own height."""
    if not cells:
        return
    widths = {c.ref.column: (_width(sheet, c.ref.column) - gap) * _MARGIN for c in cells if c.typed}
    texts = ((shown.get(c.ref, c.typed), widths[c.ref.column]) for c in cells if c.typed)
    lines = max((lines_of(text, width) for text, width in texts), default=1)
    height = min(TALLEST, LINE_HEIGHT * lines + 2) if lines > 1 else None
    sheet.row_dimensions[cells[0].ref.row].height = height


_MARGIN = 0.92
"""Bold letters, and those of programs that have not our font, take more room."""


def _numbers_only(cells: list[Cell]) -> bool:
    filled = [cell for cell in cells if not cell.empty]
    return bool(filled) and all(_is_number(cell) for cell in filled)


def _is_number(cell: Cell) -> bool:
    return isinstance(cell.value, (int, Decimal)) and not isinstance(cell.value, bool)


def _row_look(column: ColumnText, kind: str, first: bool) -> Look:
    """What people read is dark, what only the tables read is a little lighter, remarks are quiet."""
    row = Look(BODY, INK, line=("thin", HAIRLINE), wrap=True)
    if column.role in ("note", "#"):
        return replace(row, ink=MUTED, italic=column.role == "note")
    if column.role in _NAMING and (first or kind != "matrix"):
        return replace(row, bold=True)
    return row if holds_of(kind, column.role) is ReadAs.PROSE else replace(row, ink=QUIET)


_NAMING = ("key", "name", "field", "switch", "parameter", "step", "id")


def holds_of(kind: str, role: str) -> ReadAs:
    """What the cells of a column hold; where a role has another in words, words for people."""
    found = role_of(BY_NAME[kind], role)
    if found is None:
        return ReadAs.EXPRESSION
    return found.holds if found.name == role else ReadAs.PROSE


# -- colours ----------------------------------------------------------------------------------------
# Colours: one hue for each kind of table, dark for its band, light for its names.

INK = "1F2933"
MUTED = "6B7280"
QUIET = "34495E"
LINK = "2F5D8A"
WHITE = "FFFFFF"
HAIRLINE = "E3E6EA"


@dataclass(frozen=True, slots=True)
class Hue:
    """`band` is the dark one; the others carry dark letters."""

    band: str
    marker: str
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
    "ticks": "5F5A78",
    "glossary": "6D5A74",
    "pages": "5B6470",
}


_OTHER_BAND = "5B6470"


def hue(kind: str) -> Hue:
    band = _BANDS.get(kind, _OTHER_BAND)
    return Hue(band, lighter(band, 0.79), lighter(band, 0.84), lighter(band, 0.94))


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
