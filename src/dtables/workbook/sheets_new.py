"""A new workbook out of plain rows: numbers are number cells, everything else is text that no spreadsheet
turns into something else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import IO, Any

from openpyxl import Workbook

from dtables.workbook.sheets_out import set_text

_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,14})")


@dataclass(frozen=True, slots=True)
class NewSheet:
    """Rows from the first on; an empty text is an empty cell."""

    name: str
    rows: tuple[tuple[str, ...], ...]


def write_sheets(to: IO[bytes], sheets: tuple[NewSheet, ...]) -> None:
    book = Workbook()
    book.remove(book.worksheets[0])
    for sheet in sheets:
        _fill(book.create_sheet(sheet.name), sheet)
    book.save(to)


def _fill(made: Any, sheet: NewSheet) -> None:
    for row, cells in enumerate(sheet.rows, 1):
        for column, text in enumerate(cells, 1):
            if text:
                _write(made.cell(row, column), text)


def _write(cell: Any, text: str) -> None:
    if _WHOLE.fullmatch(text):
        cell.value = int(text)
        return
    set_text(cell, text)
