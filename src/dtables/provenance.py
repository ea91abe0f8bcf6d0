"""Where things stand: a cell of a workbook, a stretch of characters in its text.

A large table has a million of them: they are tuples, which are made in half the time."""

from __future__ import annotations

import re
from typing import NamedTuple


class CellRef(NamedTuple):
    """One cell of one sheet; row and column count from 1, as a person does. Without a sheet: the book."""

    book: str
    sheet: str
    row: int
    column: int

    @property
    def address(self) -> str:
        """`C7`; "" where the whole workbook is meant."""
        return f"{column_letters(self.column)}{self.row}" if self.sheet else ""

    def __str__(self) -> str:
        return f"{self.book}!{quoted_sheet(self.sheet)}!{self.address}" if self.sheet else self.book


def whole_book(book: str) -> CellRef:
    """The place of what concerns a workbook and no cell of it."""
    return CellRef(book, "", 0, 0)


class Span(NamedTuple):
    """Characters [start, end) of a text."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """Return the span from the first character of both to the last."""
        return Span(min(self.start, other.start), max(self.end, other.end))


class Location(NamedTuple):
    """A cell, perhaps with the characters meant in it, or a block of cells up to `last`."""

    cell: CellRef
    span: Span | None = None
    last: CellRef | None = None

    def __str__(self) -> str:
        if self.last is None or self.last == self.cell:
            return str(self.cell)
        return f"{self.cell}:{self.last.address}"


def column_letters(column: int) -> str:
    """Return the letters of a column's number, from 1: 28 is `AB`."""
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def quoted_sheet(sheet: str) -> str:
    """Excel's own rule, near enough: a sheet name that is not one plain word stands in quotes."""
    if sheet.replace("_", "a").isalnum() and not sheet[0].isdigit():
        return sheet
    return "'" + sheet.replace("'", "''") + "'"


# -- places as text ------------------------------------------------------------------------------

_PLACE = re.compile(
    r"(?P<book>.*)!(?:'(?P<quoted>(?:[^']|'')*)'|(?P<sheet>[^'!]*))!"
    r"(?P<cell>[A-Z]+[0-9]+)(?::(?P<last>[A-Z]+[0-9]+))?(?:@(?P<start>[0-9]+)-(?P<end>[0-9]+))?",
    re.DOTALL,
)


Written = Location | str
"""A place, or its text: `book.xlsx!Turn!C7`, `…!C7:D12`, `…!C7@3-9`. Compiled modules have texts."""


def location(place: Written) -> Location:
    """Return the place that a text names; a place is itself."""
    if isinstance(place, Location):
        return place
    found = _PLACE.fullmatch(place)
    assert found is not None, place
    sheet = found["sheet"] if found["quoted"] is None else found["quoted"].replace("''", "'")
    span = Span(int(found["start"]), int(found["end"])) if found["start"] else None
    last = _cell(found["book"], sheet, found["last"]) if found["last"] else None
    return Location(_cell(found["book"], sheet, found["cell"]), span, last)


def _cell(book: str, sheet: str, address: str) -> CellRef:
    letters = address.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    return CellRef(book, sheet, int(address[len(letters) :]), column)
