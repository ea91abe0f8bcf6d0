"""Reads the cells of Excel workbooks as an author means them.

Never runs a formula: a formula counts as the result its spreadsheet saved."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import isfinite
from os import PathLike
from pathlib import Path

from dtables.collector import held_back
from dtables.diagnostics import Diagnostic
from dtables.provenance import CellRef
from dtables.spreadsheet.cells import CellKind, RawCell, RawSheet, read_cells
from dtables.spreadsheet.formats import shown_date, shows_time
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


@held_back()
def read_workbook(path: str | PathLike[str]) -> tuple[BookText | None, tuple[Diagnostic, ...]]:
    """All tables of a workbook; those on hidden sheets count too."""
    sheets, found = read_sheets(path)
    return (None, found) if sheets is None else book_of(Path(path).name, sheets, found)


def read_sheets(path: str | PathLike[str]) -> tuple[tuple[Sheet, ...] | None, tuple[Diagnostic, ...]]:
    """Read the sheets of a workbook, in which nobody has looked for tables yet."""
    path = Path(path)
    found = read_cells(path)
    if isinstance(found, Diagnostic):
        return None, (found,)
    hidden = [sheet.name for sheet in found if sheet.hidden and _has_tables(sheet)]
    sheets = tuple(_sheet(path.name, sheet) for sheet in found)
    return sheets, tuple(messages.hidden_sheet(path.name, name) for name in hidden)


def _has_tables(sheet: RawSheet) -> bool:
    firsts = (str(_shown_first(raw)).split(":") for raw in sheet.cells.values())
    return any(len(words) > 1 and find_kind(words[0]) for words in firsts)


def _shown_first(raw: RawCell) -> object:
    return raw.formula or raw.value or ""


def _sheet(book: str, sheet: RawSheet) -> Sheet:
    cells: dict[Position, Cell] = {}
    troubles: dict[Position, Diagnostic] = {}
    merges = tuple(Merge(*area) for area in sheet.merges)
    covered = {place for merge in merges for place in merge.positions() if place != merge.first}
    for position, raw in sorted(sheet.cells.items()):
        if position in covered:
            continue
        row, column = position
        ref = CellRef(book, sheet.name, row, column)
        read: _Read | None
        if raw.kind is CellKind.TEXT and raw.formula is None and isinstance(raw.value, str):
            read = text_cell(ref, raw.value)
        else:
            read = _read(ref, raw)
        cell = read.cell if isinstance(read, _Troubled) else read
        if cell is None or blank(cell):
            continue
        cells[position] = cell
        if isinstance(read, _Troubled):
            troubles[position] = read.trouble
    width = max((column for _, column in cells), default=0)
    hidden = frozenset(n for first, last in sheet.hidden_columns for n in range(first, min(last, width) + 1))
    return Sheet(book, sheet.name, cells, sheet.hidden_rows, hidden, merges, troubles)


# -- cells -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Troubled:
    """A cell about which something is to be said."""

    cell: Cell
    trouble: Diagnostic


_Read = Cell | _Troubled


def _read(ref: CellRef, raw: RawCell) -> _Read | None:
    return _value(ref, raw) if raw.formula is None else _formula(ref, raw, raw.formula)


def _value(ref: CellRef, raw: RawCell) -> _Read | None:
    value = raw.value
    match value:
        case None:
            return None
        case bool():
            return boolean_cell(ref, value)
        case str() if raw.kind is CellKind.ERROR:
            return _error(ref, value)
        case str():
            return text_cell(ref, value)
        case datetime() if not shows_time(raw.format) and value.time() == time():
            return _date(ref, value.date(), raw)
        case datetime() | date() | time():
            return _date(ref, value, raw)
        case timedelta():
            return date_cell(ref, _EPOCH + value, str(value))
        case float() if not isfinite(value):
            return _error(ref, "#NUM!")
        case _:
            return _number(number_cell(ref, value), raw.format)


def _date(ref: CellRef, value: date | time | datetime, raw: RawCell) -> _Read:
    return date_cell(ref, value, shown_date(value, raw.format))


def _error(ref: CellRef, error: str) -> _Read:
    cell = Cell(ref, None, "", error)
    return _Troubled(cell, messages.error_value(cell))


def _number(cell: Cell, number_format: str) -> _Read:
    plain = _QUOTED_IN_FORMAT.sub("", number_format).upper()
    assert isinstance(cell.value, int | Decimal)
    if not -MOST_DIGITS < cell.value < MOST_DIGITS:
        return _Troubled(cell, messages.rounded_number(cell))
    if "E+" in plain or "E-" in plain:
        return _Troubled(cell, messages.scientific_number(cell))
    if "%" in plain:
        cell = replace(cell, typed=f"{cell.value * 100:f}".rstrip("0").rstrip(".") + "%")
        return _Troubled(cell, messages.percentage(cell))
    return cell


def _formula(ref: CellRef, raw: RawCell, source: str) -> _Read | None:
    truth = _TRUTH.fullmatch(source)
    if truth:
        return boolean_cell(ref, _TRUTHS[truth.group(1).upper()])
    if _EMPTY_TEXT.fullmatch(source):
        return None
    if _ERROR.fullmatch(source[1:]):
        return _error(ref, source[1:])
    return _saved_result(ref, source, raw)


def _saved_result(ref: CellRef, source: str, saved: RawCell) -> _Read | None:
    broken = Cell(ref, None, "", source)
    if saved.value is None:
        # A saved empty text still has the type of a text.
        return None if saved.kind is CellKind.TEXT else _Troubled(broken, messages.no_saved_result(broken))
    if isinstance(saved.value, str) and (saved.kind is CellKind.ERROR or _ERROR.fullmatch(saved.value)):
        name = saved.value == "#NAME?"
        trouble = messages.broken_formula(broken) if name else messages.error_formula(broken, saved.value)
        return _Troubled(broken, trouble)
    read = _value(ref, saved)
    if read is None or isinstance(read, _Troubled):
        return read
    return _Troubled(read, messages.formula(read, source))
