"""What the cells of a workbook hold: texts, numbers, truths, dates, each under its format; formulas with the
results that were saved. All of it was met on the way through the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from enum import Enum
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from openpyxl.formula.translate import Translator
from openpyxl.utils.datetime import from_excel, from_ISO8601
from openpyxl.worksheet.cell_range import CellRange

from dtables.diagnostics import Diagnostic
from dtables.provenance import column_letters
from dtables.spreadsheet.guard import guard
from dtables.spreadsheet.library import UNREADABLE, Formats, open_formats
from dtables.spreadsheet.messages import damaged
from dtables.spreadsheet.written import Written, WrittenFormula, WrittenSheet

Position = tuple[int, int]
"""Row and column, from 1."""

CellContent = None | bool | int | float | str | date | time | datetime | timedelta

_OUTSIDE_CALENDAR = "#VALUE!"
_ESCAPE = "x005F_"


class Kind(Enum):
    """What a cell says it holds."""

    TEXT = "text"
    ERROR = "error"
    OTHER = "other"


class RawCell(NamedTuple):
    """`formula` begins with an equals sign; `value` is then what it came to when it was saved."""

    value: CellContent
    kind: Kind
    format: str
    formula: str | None = None


@dataclass(frozen=True, slots=True)
class RawSheet:
    """`hidden_columns` are runs, first and last; `merges` the first and last cell of each area."""

    name: str
    hidden: bool
    hidden_rows: frozenset[int]
    hidden_columns: tuple[tuple[int, int], ...]
    merges: tuple[tuple[Position, Position], ...]
    cells: Mapping[Position, RawCell] = field(repr=False)


def read_cells(path: Path) -> tuple[RawSheet, ...] | Diagnostic:
    """All sheets with cells, in their order."""
    file = guard(path)
    if isinstance(file, Diagnostic):
        return file
    try:
        formats = open_formats(BytesIO(file.content))
        reading = _Reading(formats, [text.replace(_ESCAPE, "") for text in file.texts])
        return tuple(_sheet(name, written, reading) for name, written in file.worksheets.items())
    except UNREADABLE:
        return damaged(path.name, "its parts contradict each other")


def _sheet(name: str, written: WrittenSheet, reading: _Reading) -> RawSheet:
    if not written.numbered:
        raise ValueError(name)
    return RawSheet(
        name,
        reading.formats.is_hidden(name),
        frozenset(written.hidden_rows),
        tuple(written.hidden_columns.items()),
        tuple(sorted(map(_area, written.merged))),
        dict(reading.cells(written)),
    )


def _area(reference: str) -> tuple[Position, Position]:
    found = CellRange(reference)
    return (found.min_row, found.min_col), (found.max_row, found.max_col)


class _Reading:
    """Of the cells of one workbook, which share texts and formats."""

    def __init__(self, formats: Formats, texts: list[str]) -> None:
        self.formats = formats
        self._texts = texts
        self._styles: dict[str, _Style] = {}
        self._shared: dict[str | None, Translator] = {}

    def cells(self, written: WrittenSheet) -> Iterator[tuple[Position, RawCell]]:
        """In reading order. What was written of a cell is let go of when the cell is made."""
        self._shared = {}
        cells = written.cells
        for position in list(cells):
            yield position, self._cell(position, cells.pop(position))

    def _cell(self, position: Position, written: Written) -> RawCell:
        style = self._styles.get(written.style)
        if style is None:
            style = self._styles[written.style] = _Style(self.formats, int(written.style))
        formula = None if written.formula is None else self._formula(position, written.formula)
        value, kind = self._value(written.type, written.text, style)
        return RawCell(value, kind, style.format, formula)

    def _value(self, type_: str, text: str, style: _Style) -> tuple[CellContent, Kind]:
        match type_:
            case "str" if not text:
                return None, Kind.TEXT
            case _ if not text:
                return None, Kind.OTHER
            case "s":
                return self._texts[int(text)], Kind.TEXT
            case "str" | "inlineStr":
                return text, Kind.TEXT
            case "n":
                return style.number(text)
            case "b":
                return bool(int(text)), Kind.OTHER
            case "d":
                return from_ISO8601(text), Kind.OTHER
            case _:
                return text, Kind.ERROR

    def _formula(self, position: Position, formula: WrittenFormula) -> str:
        """Those that repeat another one are written as they would stand in their own cell."""
        source = f"={formula.text}"
        if formula.kind != "shared":
            return source
        address = f"{column_letters(position[1])}{position[0]}"
        known = self._shared.get(formula.shared)
        if known is not None:
            return str(known.translate_formula(address))
        if formula.text:
            self._shared[formula.shared] = Translator(source, address)
        return source


class _Style:
    """How numbers under a style are meant."""

    def __init__(self, formats: Formats, number: int) -> None:
        self.format = formats.of_style(number)
        self._epoch = formats.epoch
        self._is_date, self._is_duration = formats.is_date(number), formats.is_duration(number)
        self._dates: dict[str, tuple[CellContent, Kind]] = {}

    def number(self, text: str) -> tuple[CellContent, Kind]:
        number = float(text) if "." in text or "E" in text or "e" in text else int(text)
        return self._dated(text, number) if self._is_date else (number, Kind.OTHER)

    def _dated(self, text: str, number: float) -> tuple[CellContent, Kind]:
        """Few days, and many cells of them."""
        found = self._dates.get(text)
        if found is None:
            try:
                found = from_excel(number, self._epoch, timedelta=self._is_duration), Kind.OTHER
            except (OverflowError, ValueError):
                found = _OUTSIDE_CALENDAR, Kind.ERROR
            self._dates[text] = found
        return found
