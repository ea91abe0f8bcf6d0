"""What the reader hands on: tables as they are written, nothing yet understood.

Words of the language are already canonical here (kinds, roles and properties in English, whatever
the sheet is written in); everything else is the author's text with its cell."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from functools import cached_property
from itertools import product
from typing import NamedTuple

from dtables.diagnostics import Diagnostic
from dtables.provenance import CellRef, Location, Span
from dtables.workbook.tidy import spare_spaces, typed_and_code

CellValue = None | bool | int | Decimal | str | date | time | datetime


class Cell(NamedTuple):
    """One cell.

    `value` is what the spreadsheet holds: None for an empty cell, a Decimal or int for a number cell.
    `code` is its text for the expression language: quotes, dashes, spaces and accents as people's
    keyboards and spreadsheets leave them are made the plain ones; a number as it would be written in
    an expression, a boolean `true`/`false`; "" when empty. `code` has as many characters as `typed`
    wherever a caret may point.
    `typed` is what the author sees, kept to be quoted and to be printed.
    """

    ref: CellRef
    value: CellValue
    code: str
    typed: str

    @property
    def empty(self) -> bool:
        """No code is in it: it is blank, or it has no value that could be read."""
        return self.code == ""


@dataclass(frozen=True, slots=True)
class Word:
    """A piece of a cell: its text and which characters of which cell it is."""

    text: str
    where: Location


@dataclass(frozen=True, slots=True)
class ParameterText:
    """`name: type` in a marker's parentheses."""

    name: Word
    type: Word


@dataclass(frozen=True, slots=True)
class Marker:
    """`Scale: choice(candidates: list of place) -> place`."""

    kind: str
    name: Word
    parameters: tuple[ParameterText, ...]
    result: Word | None
    cell: Cell


@dataclass(frozen=True, slots=True)
class Property:
    """`policy: first`, beside or under the marker; `language` for `title it`."""

    word: str
    language: str | None
    value: Word
    cell: Cell


@dataclass(frozen=True, slots=True)
class ColumnText:
    """A role and, in kinds whose columns the author names, the name under it (None elsewhere)."""

    role: str
    language: str | None
    name: Cell | None
    role_cell: Cell

    @property
    def number(self) -> int:
        """The column of the worksheet, from 1."""
        return self.role_cell.ref.column


@dataclass(frozen=True, slots=True)
class RowText:
    """Cells in the order of the table's columns, one for each."""

    number: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class TableText:
    """One table as it is written: its rows are those under its head, without blank ones at the end."""

    kind: str
    marker: Marker
    properties: tuple[Property, ...]
    columns: tuple[ColumnText, ...]
    rows: tuple[RowText, ...]
    last: CellRef

    @property
    def name(self) -> str:
        """The name in the marker, "" where it has none."""
        return self.marker.name.text

    @property
    def where(self) -> Location:
        """The marker's cell, with the table's last cell as the end."""
        return Location(self.marker.cell.ref, last=self.last)


@dataclass(frozen=True, slots=True)
class BookText:
    """All tables of a workbook, sheets in their order."""

    name: str
    sheets: tuple[str, ...]
    tables: tuple[TableText, ...]


def whole(cell: Cell) -> Location:
    """Return the place of all that is typed in a cell."""
    return Location(cell.ref, Span(0, len(cell.typed)))


# -- cells ---------------------------------------------------------------------------------------
# A sheet as it is read: cells with what they hold, and what the spreadsheet says around them.

Position = tuple[int, int]
"""Row and column, from 1."""

_DIGITS_SHOWN = 15
"""A spreadsheet calculates with binary numbers but shows and means 15 digits."""


@dataclass(frozen=True, slots=True, order=True)
class Merge:
    """Merged cells; the first one holds their value."""

    first: Position
    last: Position

    def positions(self) -> Iterator[Position]:
        """Go through its cells row by row, the first one included."""
        rows = range(self.first[0], self.last[0] + 1)
        return product(rows, range(self.first[1], self.last[1] + 1))


@dataclass(frozen=True)
class Sheet:
    """`troubles` are what reading found wrong with a cell; they count where a table wants the cell."""

    book: str
    name: str
    cells: Mapping[Position, Cell]
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    merges: tuple[Merge, ...] = ()
    troubles: Mapping[Position, Diagnostic] = field(default_factory=dict)

    def ref(self, row: int, column: int) -> CellRef:
        """Return the address of a cell, which need not be in use."""
        return CellRef(self.book, self.name, row, column)

    def cell(self, row: int, column: int) -> Cell:
        """Return the cell at a place; a blank one where nothing is stored."""
        found = self.cells.get((row, column))
        return Cell(self.ref(row, column), None, "", "") if found is None else found

    @cached_property
    def seen(self) -> Mapping[int, tuple[int, ...]]:
        """The columns of each row, from the left, in which something is seen."""
        rows: dict[int, list[int]] = defaultdict(list)
        for row, column in sorted(place for place, cell in self.cells.items() if cell.typed != ""):
            rows[row].append(column)
        return {row: tuple(columns) for row, columns in rows.items()}

    @cached_property
    def merged(self) -> Mapping[Position, Merge]:
        """The merged area of each cell that belongs to one."""
        return {position: merge for merge in self.merges for position in merge.positions()}

    def row(self, row: int, left: int, right: int) -> list[Cell]:
        """What is seen in a row between two columns, both included."""
        columns = self.seen.get(row, ())
        between = columns[bisect_left(columns, left) : bisect_right(columns, right)]
        return [self.cells[row, column] for column in between]

    def spread(self, row: int, column: int) -> Cell:
        """The cell, or where a merge covers it, what the merged cells show, at this place."""
        found = self.cells.get((row, column))
        if found is not None and not blank(found):
            return found
        cell, merge = self.cell(row, column), self.merged.get((row, column))
        if merge is None:
            return cell
        shown = self.cell(*merge.first)
        return Cell(cell.ref, shown.value, shown.code, shown.typed)


def blank(cell: Cell) -> bool:
    """Say whether nothing is seen in a cell. One with an error in it has no code and is not blank."""
    return cell.typed == ""


def text_cell(ref: CellRef, raw: str) -> Cell:
    """Make the cell of a text as it was typed."""
    typed, code = typed_and_code(raw)
    return Cell(ref, typed or None, code, typed)


def single_spaced(cell: Cell) -> Cell:
    """Names mean the same with two spaces in them: wherever cells are no prose, and no texts in them."""
    spare = spare_spaces(cell.code) if isinstance(cell.value, str) else None
    if not spare or len(cell.code) != len(cell.typed):
        return cell
    code, typed = (
        "".join(char for n, char in enumerate(text) if n not in spare) for text in (cell.code, cell.typed)
    )
    return cell._replace(code=code, typed=typed)


def number_cell(ref: CellRef, number: int | float | Decimal) -> Cell:
    """Make the cell of a number; a float becomes the decimal of 15 digits that a spreadsheet shows."""
    shown = format(number, f".{_DIGITS_SHOWN}g") if isinstance(number, float) else ""
    if "." in shown and "e" not in shown:
        # No digit of it is spare: it is written as it is.
        return Cell(ref, Decimal(shown), shown, shown)
    exact = _exact(number)
    code = str(exact) if isinstance(exact, int) else format(exact, "f")
    return Cell(ref, exact, code, code)


def boolean_cell(ref: CellRef, value: bool) -> Cell:
    """Make the cell of a boolean, which a spreadsheet shows as TRUE or FALSE."""
    return Cell(ref, value, str(value).lower(), str(value).upper())


def date_cell(ref: CellRef, value: date | time | datetime, shown: str) -> Cell:
    """Make the cell of a date or time, `shown` as its number format has it."""
    return Cell(ref, value, f'@"{value.isoformat()}"', shown)


def _exact(number: int | float | Decimal) -> int | Decimal:
    if isinstance(number, int):
        return number
    decimal = Decimal(format(number, f".{_DIGITS_SHOWN}g")) if isinstance(number, float) else number
    return int(decimal) if decimal == decimal.to_integral_value() else decimal.normalize()
