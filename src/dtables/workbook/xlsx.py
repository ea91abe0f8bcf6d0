"""Reads Excel workbooks: the only door of the spreadsheet library's reader.

Never touches `cell.style` (it fails on files that LibreOffice saved) and never runs a formula: a
formula counts as the result its spreadsheet saved.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from io import BytesIO
from math import isfinite
from os import PathLike
from pathlib import Path

from openpyxl.cell.cell import Cell as RawCell
from openpyxl.workbook import Workbook
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.worksheet import Worksheet

from dtables.collector import held_back
from dtables.diagnostics import Diagnostic
from dtables.provenance import CellRef
from dtables.workbook import problems
from dtables.workbook.book import book_of
from dtables.workbook.cells import (
    Merge,
    Position,
    Sheet,
    blank,
    boolean_cell,
    date_cell,
    number_cell,
    text_cell,
)
from dtables.workbook.guard import guard
from dtables.workbook.library import UNREADABLE, open_cells
from dtables.workbook.lookup import find_kind
from dtables.workbook.merges import merges_apart
from dtables.workbook.shown import shown_date, shows_time
from dtables.workbook.tables import BookText, Cell

MOST_DIGITS = 10**15
_EPOCH = datetime(1899, 12, 30)
_TRUTHS = {"TRUE": True, "VERO": True, "FALSE": False, "FALSO": False}
_TRUTH = re.compile(r"=\s*(TRUE|VERO|FALSE|FALSO)\s*(?:\(\s*\))?\s*", re.IGNORECASE)
_EMPTY_TEXT = re.compile(r'=\s*""\s*')
_ERROR = re.compile(r"#(?:N/A|REF!|NAME\?|VALUE!|DIV/0!|NUM!|NULL!|[A-Z_]+[!?]?)")
_QUOTED_IN_FORMAT = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')

Saved = Mapping[str, Worksheet]


@held_back()
def read_workbook(path: str | PathLike[str]) -> tuple[BookText | None, tuple[Diagnostic, ...]]:
    """All tables of a workbook; those on hidden sheets count too."""
    sheets, found = read_sheets(path)
    return (None, found) if sheets is None else book_of(Path(path).name, sheets, found)


def read_sheets(path: str | PathLike[str]) -> tuple[tuple[Sheet, ...] | None, tuple[Diagnostic, ...]]:
    """Read the sheets of a workbook, in which nobody has looked for tables yet."""
    path = Path(path)
    file = guard(path)
    if isinstance(file, Diagnostic):
        return None, (file,)
    try:
        apart = merges_apart(file.content)
        worksheets, saved = _worksheets(apart.content, file.worksheets)
    except UNREADABLE:
        return None, (problems.damaged(path.name, "its parts contradict each other"),)
    sheets = tuple(_sheet(path.name, ws, saved, apart.merges.get(ws.title, ())) for ws in worksheets)
    hidden = [ws for ws in worksheets if ws.sheet_state != "visible" and _has_tables(ws)]
    return sheets, tuple(problems.hidden_sheet(path.name, ws.title) for ws in hidden)


def _has_tables(ws: Worksheet) -> bool:
    firsts = (str(raw.value or "").split(":") for raw in _cells(ws).values())
    return any(len(words) > 1 and find_kind(words[0]) for words in firsts)


def _worksheets(content: bytes, names: tuple[str, ...]) -> tuple[list[Worksheet], Saved]:
    """The file is read again, for the saved results, only where there are formulas."""
    worksheets = _named(open_cells(BytesIO(content)), names)
    if not any(cell.data_type == "f" for ws in worksheets for cell in _cells(ws).values()):
        return worksheets, {}
    return worksheets, {ws.title: ws for ws in _named(open_cells(BytesIO(content), data_only=True), names)}


def _named(book: Workbook, names: tuple[str, ...]) -> list[Worksheet]:
    """All of them: the library leaves out what it does not like, and gives names of its own."""
    found = {ws.title: ws for ws in book.worksheets}
    return [found[name] for name in names]


def _cells(ws: Worksheet) -> Mapping[Position, RawCell]:
    """The cells that are there; iterating over the sheet would make all those between them too."""
    cells: Mapping[Position, RawCell] = ws._cells
    return cells


def _sheet(book: str, ws: Worksheet, saved: Saved, apart: tuple[Merge, ...]) -> Sheet:
    cells: dict[Position, Cell] = {}
    troubles: dict[Position, Diagnostic] = {}
    covered = {place for merge in apart for place in merge.positions() if place != merge.first}
    for position, raw in sorted(_cells(ws).items()):
        if position in covered:
            continue
        read = _read(CellRef(book, ws.title, *position), raw, saved)
        if read is not None and not blank(read.cell):
            cells[position] = read.cell
            if read.trouble is not None:
                troubles[position] = read.trouble
    width = max((column for _, column in cells), default=0)
    return Sheet(
        book, ws.title, cells, _hidden_rows(ws), _hidden_columns(ws, width), apart or _merges(ws), troubles
    )


def _hidden_rows(ws: Worksheet) -> frozenset[int]:
    return frozenset(row for row, dimension in ws.row_dimensions.items() if dimension.hidden)


def _hidden_columns(ws: Worksheet, width: int) -> frozenset[int]:
    """One dimension stands for a run of columns."""
    hidden = [d for d in ws.column_dimensions.values() if d.hidden]
    return frozenset(n for d in hidden for n in range(d.min or 1, min(d.max or 0, width) + 1))


def _merges(ws: Worksheet) -> tuple[Merge, ...]:
    ranges = ws.merged_cells.ranges
    return tuple(sorted(Merge((r.min_row, r.min_col), (r.max_row, r.max_col)) for r in ranges))


# -- cells -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _ReadCell:
    cell: Cell
    trouble: Diagnostic | None = None


def _read(ref: CellRef, raw: RawCell, saved: Saved) -> _ReadCell | None:
    if raw.data_type == "f":
        return _formula(ref, raw, saved)
    return _value(ref, raw)


def _value(ref: CellRef, raw: RawCell) -> _ReadCell | None:
    value = raw.value
    match value:
        case None:
            return None
        case bool():
            return _ReadCell(boolean_cell(ref, value))
        case str() if raw.data_type == "e":
            return _error(ref, value)
        case str():
            return _ReadCell(text_cell(ref, value))
        case datetime() if not shows_time(_format(raw)) and value.time() == time():
            return _date(ref, value.date(), raw)
        case datetime() | date() | time():
            return _date(ref, value, raw)
        case timedelta():
            return _ReadCell(date_cell(ref, _EPOCH + value, str(value)))
        case float() if not isfinite(value):
            return _error(ref, "#NUM!")
        case _:
            return _number(number_cell(ref, value), _format(raw))


def _format(raw: RawCell) -> str:
    return str(raw.number_format)


def _date(ref: CellRef, value: date | time | datetime, raw: RawCell) -> _ReadCell:
    return _ReadCell(date_cell(ref, value, shown_date(value, _format(raw))))


def _error(ref: CellRef, error: str) -> _ReadCell:
    cell = Cell(ref, None, "", error)
    return _ReadCell(cell, problems.error_value(cell))


def _number(cell: Cell, number_format: str) -> _ReadCell:
    plain = _QUOTED_IN_FORMAT.sub("", number_format).upper()
    assert isinstance(cell.value, int | Decimal)
    if not -MOST_DIGITS < cell.value < MOST_DIGITS:
        return _ReadCell(cell, problems.rounded_number(cell))
    if "E+" in plain or "E-" in plain:
        return _ReadCell(cell, problems.scientific_number(cell))
    if "%" in plain:
        cell = replace(cell, typed=f"{cell.value * 100:f}".rstrip("0").rstrip(".") + "%")
        return _ReadCell(cell, problems.percentage(cell))
    return _ReadCell(cell)


def _formula(ref: CellRef, raw: RawCell, saved: Saved) -> _ReadCell | None:
    source = str(raw.value.text if isinstance(raw.value, ArrayFormula) else raw.value)
    truth = _TRUTH.fullmatch(source)
    if truth:
        return _ReadCell(boolean_cell(ref, _TRUTHS[truth.group(1).upper()]))
    if _EMPTY_TEXT.fullmatch(source):
        return None
    if _ERROR.fullmatch(source[1:]):
        return _error(ref, source[1:])
    return _saved_result(ref, source, _cells(saved[ref.sheet]).get((ref.row, ref.column)))


def _saved_result(ref: CellRef, source: str, saved: RawCell | None) -> _ReadCell | None:
    broken = Cell(ref, None, "", source)
    if saved is None or saved.value is None:
        # A saved empty text still has the type of a text.
        empty_text = saved is not None and saved.data_type == "str"
        return None if empty_text else _ReadCell(broken, problems.no_saved_result(broken))
    if saved.data_type == "e" or (isinstance(saved.value, str) and _ERROR.fullmatch(saved.value)):
        name = saved.value == "#NAME?"
        trouble = problems.broken_formula(broken) if name else problems.error_formula(broken, saved.value)
        return _ReadCell(broken, trouble)
    read = _value(ref, saved)
    if read is None or read.trouble is not None:
        return read
    return _ReadCell(read.cell, problems.formula(read.cell, source))
