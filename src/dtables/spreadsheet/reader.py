"""Sheets as rows of plain values, each with its place, one after another; what a table is, others say."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, time
from itertools import islice
from pathlib import Path
from typing import IO, Any

from openpyxl.styles.numbers import is_datetime
from openpyxl.worksheet.cell_range import CellRange

from dtables.diagnostics import Diagnostic
from dtables.spreadsheet import messages
from dtables.spreadsheet.guard import guard_rows
from dtables.spreadsheet.library import UNREADABLE, open_cells

ROWS = 1_000
"""Read at a time."""


class SheetBroken(Exception):
    """A sheet that cannot be read to its end. What it says is for people."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A cell that holds no value of its own: a formula, an error. `shown` quotes it."""

    shown: str


@dataclass(frozen=True, slots=True)
class SheetRow:
    """`number` counts from 1, as a person does. Empty cells are None, those at the end are left out."""

    number: int
    cells: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class PlainSheet:
    """`_merged` are the areas that show the value of their first cell."""

    title: str
    _sheet: Any = field(repr=False)
    _merged: tuple[CellRange, ...]

    def rows(self) -> Iterator[SheetRow]:
        """Go through the rows from the first one each time. Blank rows are left out; what a formula came to
        is not believed. SheetBroken where the library gives up."""
        # What a file says of its own size may be wrong, and rows beyond would be passed over.
        self._sheet.reset_dimensions()
        rows = enumerate(self._sheet.iter_rows(), 1)
        shown = _Shown(self._merged)
        while some := self._read(rows):
            for number, cells in some:
                values = shown.in_row(number, [_value(cell) for cell in cells])
                while values and values[-1] is None:
                    values.pop()
                if values:
                    yield SheetRow(number, tuple(values))

    def _read(self, rows: Iterable[tuple[int, Any]]) -> list[tuple[int, Any]]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            try:
                return list(islice(rows, ROWS))
            except UNREADABLE as error:
                raise SheetBroken(f"sheet {self.title} cannot be read to its end: {error}") from error


class _Shown:
    """What merged cells show, row after row: a person sees one value in all of them, the file has it in the
    first. Of those without a value nothing is shown."""

    def __init__(self, merged: Iterable[CellRange]) -> None:
        self._coming = sorted(merged, key=lambda area: area.min_row, reverse=True)
        self._open: list[tuple[CellRange, bool]] = []

    def in_row(self, row: int, values: list[object]) -> list[object]:
        while self._coming and self._coming[-1].min_row <= row:
            area = self._coming.pop()
            first = values[area.min_col - 1] if area.min_col <= len(values) else None
            self._open.append((area, area.min_row == row and first is not None))
        for area, filled in self._open:
            self._cover(area, Unreadable(f"the merged cells {area.coord}") if filled else None, row, values)
        self._open = [(area, filled) for area, filled in self._open if area.max_row > row]
        return values

    def _cover(self, area: CellRange, value: object, row: int, values: list[object]) -> None:
        values.extend([None] * (area.max_col - len(values)))
        start = area.min_col if row == area.min_row else area.min_col - 1
        values[start : area.max_col] = [value] * (area.max_col - start)


@contextmanager
def opened_sheets(path: Path) -> Iterator[tuple[PlainSheet, ...] | Diagnostic]:
    """Open the sheets of a workbook; of none of them more than some rows is held at a time."""
    file = guard_rows(path)
    if isinstance(file, Diagnostic):
        yield file
        return
    with file.stream:
        book = _opened(file.stream)
        if book is None:
            yield messages.damaged(path.name, "its parts contradict each other")
            return
        with closing(book):
            found = {sheet.title: sheet for sheet in book.worksheets}
            if not found.keys() >= set(file.worksheets):
                yield messages.damaged(path.name, "its parts contradict each other")
                return
            yield tuple(_plain_sheet(found[name], file.merged) for name in file.worksheets)


def _plain_sheet(sheet: Any, merged: Mapping[str, tuple[str, ...]]) -> PlainSheet:
    return PlainSheet(sheet.title, sheet, tuple(map(CellRange, merged.get(_part(sheet), ()))))


def _part(sheet: Any) -> str:
    name: str = sheet._worksheet_path
    return name


def _opened(stream: IO[bytes]) -> Any:
    try:
        return open_cells(stream)
    except UNREADABLE:
        return None


def _value(cell: Any) -> object:
    match cell.data_type:
        case "f":
            return Unreadable(f"the formula {getattr(cell.value, 'text', cell.value)}")
        case "e":
            return Unreadable(f"the error {cell.value}")
        case _:
            return None if cell.value == "" else _dated(cell.value, cell)


def _dated(value: object, cell: Any) -> object:
    """A spreadsheet has days with a time alone; where its format shows the day and it is midnight, it is a
    date."""
    if not isinstance(value, datetime) or value.time() != time() or is_datetime(cell.number_format) != "date":
        return value
    return value.date()
