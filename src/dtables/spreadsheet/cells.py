"""What the cells of a workbook hold: texts, numbers, truths, dates, each under its format; formulas with the
results that were saved. All of it was met on the way through the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from dtables.diagnostics import Diagnostic
from dtables.provenance import column_letters
from dtables.spreadsheet.formats import date_of, duration_of, shows_dates, shows_durations
from dtables.spreadsheet.guard import WholeFile, guard
from dtables.spreadsheet.library import UNREADABLE, date_in, shared_formula
from dtables.spreadsheet.messages import damaged
from dtables.spreadsheet.written import WrittenFormula, WrittenSheet, area_of

Position = tuple[int, int]
"""Row and column, from 1."""

CellContent = None | bool | int | float | str | date | time | datetime | timedelta

_OUTSIDE_CALENDAR = "#VALUE!"
_ESCAPE = "x005F_"


class CellKind(Enum):
    """What a cell says it holds."""

    TEXT = "text"
    ERROR = "error"
    OTHER = "other"


class RawCell(NamedTuple):
    """`formula` begins with an equals sign; `value` is then what it came to when it was saved."""

    value: CellContent
    kind: CellKind
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
        reading = _Reading(file)
        return tuple(
            _sheet(name, name in file.hidden, written, reading) for name, written in file.worksheets.items()
        )
    except UNREADABLE:
        return damaged(path.name, "its parts contradict each other")


def _sheet(name: str, hidden: bool, written: WrittenSheet, reading: _Reading) -> RawSheet:
    if not written.numbered:
        raise ValueError(name)
    return RawSheet(
        name,
        hidden,
        frozenset(written.hidden_rows),
        tuple(written.hidden_columns.items()),
        tuple(sorted(map(area_of, written.merged))),
        reading.cells(written),
    )


class _Reading:
    """Of the cells of one workbook, which share texts and formats."""

    def __init__(self, file: WholeFile) -> None:
        self._file = file
        self._texts = [text.replace(_ESCAPE, "") for text in file.texts]
        self._styles: dict[str, _Style] = {}
        self._shared: dict[str | None, Callable[[str], str]] = {}

    def cells(self, written: WrittenSheet) -> Mapping[Position, RawCell]:
        """What was written of them is taken from the sheet, and let go of cell by cell."""
        self._shared = {}
        cells: dict[Position, Any] = written.cells
        written.cells = {}
        for position, one in cells.items():
            style = self._styles.get(one.style)
            if style is None:
                style = self._styles[one.style] = _Style(
                    self._file.formats.of_style(one.style), self._file.epoch
                )
            formula = None if one.formula is None else self._formula(position, one.formula)
            value, kind = self._value(one.type, one.text, style)
            cells[position] = RawCell(value, kind, style.format, formula)
        return cells

    def _value(self, type_: str, text: str, style: _Style) -> tuple[CellContent, CellKind]:
        if type_ == "inlineStr" and text:
            return text, CellKind.TEXT
        match type_:
            case "str" if not text:
                return None, CellKind.TEXT
            case _ if not text:
                return None, CellKind.OTHER
            case "s":
                return self._texts[int(text)], CellKind.TEXT
            case "str":
                return text, CellKind.TEXT
            case "n":
                return style.number(text)
            case "b":
                return bool(int(text)), CellKind.OTHER
            case "d":
                return date_in(text), CellKind.OTHER
            case _:
                return text, CellKind.ERROR

    def _formula(self, position: Position, formula: WrittenFormula) -> str:
        """Those that repeat another one are written as they would stand in their own cell."""
        source = f"={formula.text}"
        if formula.kind != "shared":
            return source
        address = f"{column_letters(position[1])}{position[0]}"
        known = self._shared.get(formula.shared)
        if known is not None:
            return known(address)
        if formula.text:
            self._shared[formula.shared] = shared_formula(source, address)
        return source


class _Style:
    """How numbers under a style are meant."""

    def __init__(self, number_format: str, epoch: datetime) -> None:
        self.format = number_format
        self._epoch = epoch
        self._is_date, self._is_duration = shows_dates(number_format), shows_durations(number_format)
        self._dates: dict[str, tuple[CellContent, CellKind]] = {}

    def number(self, text: str) -> tuple[CellContent, CellKind]:
        number = float(text) if "." in text or "E" in text or "e" in text else int(text)
        return self._dated(text, number) if self._is_date else (number, CellKind.OTHER)

    def _dated(self, text: str, number: float) -> tuple[CellContent, CellKind]:
        """Few days, and many cells of them."""
        found = self._dates.get(text)
        if found is None:
            try:
                dated = duration_of(number) if self._is_duration else date_of(number, self._epoch)
                found = dated, CellKind.OTHER
            except (OverflowError, ValueError):
                found = _OUTSIDE_CALENDAR, CellKind.ERROR
            self._dates[text] = found
        return found
