"""What the reader hands on: tables as they are written, nothing yet understood.

Words of the language are already canonical here (kinds, roles and properties in English, whatever
the sheet is written in); everything else is the author's text with its cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal

from dtables.provenance import CellRef, Location, Span

CellValue = None | bool | int | Decimal | str | date | time | datetime


@dataclass(frozen=True, slots=True)
class Cell:
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
    """`Scale: choice(candidates: list of place) -> place`"""

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
class Column:
    """A role and, in kinds whose columns the author names, the name under it (None elsewhere)."""

    role: str
    language: str | None
    name: Cell | None
    role_cell: Cell

    @property
    def number(self) -> int:
        return self.role_cell.ref.column


@dataclass(frozen=True, slots=True)
class Row:
    """Cells in the order of the table's columns, one for each."""

    number: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class TableText:
    kind: str
    marker: Marker
    properties: tuple[Property, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    last: CellRef

    @property
    def name(self) -> str:
        return self.marker.name.text

    @property
    def where(self) -> Location:
        return Location(self.marker.cell.ref, last=self.last)


@dataclass(frozen=True, slots=True)
class BookText:
    """All tables of a workbook, sheets in their order."""

    name: str
    sheets: tuple[str, ...]
    tables: tuple[TableText, ...]


def whole(cell: Cell) -> Location:
    return Location(cell.ref, Span(0, len(cell.typed)))
