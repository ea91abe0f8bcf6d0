"""Reads Excel workbooks: the only door of the spreadsheet library's reader.

Never touches `cell.style` (it fails on files that LibreOffice saved) and never runs a formula: a
formula counts as the result its spreadsheet saved."""

from __future__ import annotations

import re
import zipfile
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
from openpyxl.worksheet.cell_range import CellRange
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.worksheet import Worksheet

from dtables.collector import held_back
from dtables.diagnostics import Diagnostic
from dtables.limits import LIMITS
from dtables.provenance import CellRef
from dtables.spreadsheet.guard import guard
from dtables.spreadsheet.library import UNREADABLE, open_cells
from dtables.spreadsheet.messages import damaged
from dtables.spreadsheet.package import sheets_of
from dtables.spreadsheet.reader import shown_date, shows_time
from dtables.workbook import messages
from dtables.workbook.kinds import find_kind
from dtables.workbook.layout import book_of
from dtables.workbook.tables import (
    BookText,
    Cell,
    Merge,
    Position,
    Sheet,
    blank,
    boolean_cell,
    date_cell,
    number_cell,
    text_cell,
)

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
        return None, (damaged(path.name, "its parts contradict each other"),)
    sheets = tuple(_sheet(path.name, ws, saved, apart.merges.get(ws.title, ())) for ws in worksheets)
    hidden = [ws for ws in worksheets if ws.sheet_state != "visible" and _has_tables(ws)]
    return sheets, tuple(messages.hidden_sheet(path.name, ws.title) for ws in hidden)


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
    return _ReadCell(cell, messages.error_value(cell))


def _number(cell: Cell, number_format: str) -> _ReadCell:
    plain = _QUOTED_IN_FORMAT.sub("", number_format).upper()
    assert isinstance(cell.value, int | Decimal)
    if not -MOST_DIGITS < cell.value < MOST_DIGITS:
        return _ReadCell(cell, messages.rounded_number(cell))
    if "E+" in plain or "E-" in plain:
        return _ReadCell(cell, messages.scientific_number(cell))
    if "%" in plain:
        cell = replace(cell, typed=f"{cell.value * 100:f}".rstrip("0").rstrip(".") + "%")
        return _ReadCell(cell, messages.percentage(cell))
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
        return None if empty_text else _ReadCell(broken, messages.no_saved_result(broken))
    if saved.data_type == "e" or (isinstance(saved.value, str) and _ERROR.fullmatch(saved.value)):
        name = saved.value == "#NAME?"
        trouble = messages.broken_formula(broken) if name else messages.error_formula(broken, saved.value)
        return _ReadCell(broken, trouble)
    read = _value(ref, saved)
    if read is None or read.trouble is not None:
        return read
    return _ReadCell(read.cell, messages.formula(read.cell, source))


# -- merged cells -----------------------------------------------------------------------------------
# Merged cells, read apart: the spreadsheet library makes a formatted cell of each that they cover.

_ELEMENT = re.compile(rb"<mergeCells\b[^>]*>(.*?)</mergeCells>", re.DOTALL)
_AREA = re.compile(rb'<mergeCell ref="([A-Z0-9:]+)"\s*/>')
_ODD = (b"<!--", b"<![CDATA[")


@dataclass(frozen=True, slots=True)
class Apart:
    """A workbook without merged cells, and by sheet those that were in it."""

    content: bytes
    merges: Mapping[str, tuple[Merge, ...]]


def merges_apart(content: bytes) -> Apart:
    """Where a sheet says it in another way than spreadsheets do, its merged cells stay where they are; so do
    those of very large workbooks, which would be held twice."""
    with zipfile.ZipFile(BytesIO(content)) as given:
        if sum(entry.file_size for entry in given.infolist()) > LIMITS.merges_bytes:
            return Apart(content, {})
        sheets = {sheet.part: sheet.name for sheet in sheets_of(given)}
        thin = {part: _without(given.read(part)) for part in sheets}
        if not any(merges for _, merges in thin.values()):
            return Apart(content, {})
        stream = BytesIO()
        with zipfile.ZipFile(stream, "w") as made:
            for part in given.namelist():
                made.writestr(zipfile.ZipInfo(part), thin[part][0] if part in thin else given.read(part))
    return Apart(stream.getvalue(), {name: thin[part][1] for part, name in sheets.items()})


def _without(part: bytes) -> tuple[bytes, tuple[Merge, ...]]:
    """They stand behind the rows."""
    rows, end, behind = part.rpartition(b"</sheetData>")
    element = _ELEMENT.search(behind)
    if not end or element is None or any(odd in behind for odd in _ODD):
        return part, ()
    areas = _AREA.findall(element[1])
    if _AREA.sub(b"", element[1]).strip():
        return part, ()
    merges = tuple(sorted(_merge(area.decode()) for area in areas))
    return rows + end + behind[: element.start()] + behind[element.end() :], merges


def _merge(area: str) -> Merge:
    found = CellRange(area)
    return Merge((found.min_row, found.min_col), (found.max_row, found.max_col))
