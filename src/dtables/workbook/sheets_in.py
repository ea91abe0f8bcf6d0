"""Sheets as rows of plain values, each with its place; what a table is, others say."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl

from dtables.diagnostics import Diagnostic
from dtables.workbook.guard import guard


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
    title: str
    rows: tuple[SheetRow, ...]


def read_sheets(path: Path) -> tuple[PlainSheet, ...] | Diagnostic:
    """Blank rows are left out; what a formula came to is not believed."""
    content = guard(path)
    if isinstance(content, Diagnostic):
        return content
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        book = openpyxl.load_workbook(BytesIO(content))
    return tuple(PlainSheet(sheet.title, tuple(_rows(sheet))) for sheet in book.worksheets)


def _rows(sheet: Any) -> Iterator[SheetRow]:
    for number, cells in enumerate(sheet.iter_rows(), 1):
        values = [_value(cell) for cell in cells]
        while values and values[-1] is None:
            values.pop()
        if values:
            yield SheetRow(number, tuple(values))


def _value(cell: Any) -> object:
    match cell.data_type:
        case "f":
            return Unreadable(f"the formula {getattr(cell.value, 'text', cell.value)}")
        case "e":
            return Unreadable(f"the error {cell.value}")
        case _:
            return None if cell.value == "" else cell.value
