"""Workbooks drawn as text, for tests and tools.

    # Sheet: Turn
    Decision: discount(age: number) ; policy: first
      if | then
      age | discount
      < 12 | 50
      - | 0

The first line of a table is its marker. `|` stands between the cells of a line, in the marker's also
` ; `; `⏎` is a new line inside a cell and `¦` a bar. A blank line ends a table. In a text with fences only
what stands between ```table and ``` is drawn. What looks like a number is a number cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

import openpyxl

from dtables.diagnostics import Diagnostic
from dtables.provenance import CellRef
from dtables.workbook.layout import book_of
from dtables.workbook.tables import BookText, Cell, Position, Sheet, number_cell, text_cell

Drawn = int | Decimal | str

_SHEET = re.compile(r"#+\s*Sheet(?::|\s+\d+)\s*(?:`([^`]+)`.*|([^`]+))")
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d{1,14})?")


@dataclass
class DrawnSheet:
    name: str
    cells: dict[Position, Drawn] = field(default_factory=dict)
    next_row: int = 1

    def add(self, lines: list[str]) -> None:
        """A table, and a blank row under it."""
        for offset, line in enumerate(lines):
            texts = re.split(r"\s[;|]\s", line) if offset == 0 else line.split("|")
            for column, text in enumerate(texts, start=1):
                value = _drawn(text.strip())
                if value != "":
                    self.cells[self.next_row + offset, column] = value
        self.next_row += len(lines) + 1


def book_text(text: str, name: str = "book.xlsx") -> tuple[BookText, tuple[Diagnostic, ...]]:
    return book_of(name, tuple(in_memory(name, sheet.name, sheet.cells) for sheet in drawn_sheets(text)))


def in_memory(book: str, name: str, cells: Mapping[Position, Drawn]) -> Sheet:
    return Sheet(book, name, {p: _cell(CellRef(book, name, *p), value) for p, value in cells.items()})


def write_book(text: str, path: Path) -> None:
    """The same as a real workbook, its text cells formatted as text."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for drawn in drawn_sheets(text):
        sheet = book.create_sheet(drawn.name)
        for (row, column), value in drawn.cells.items():
            cell = sheet.cell(row, column)
            cell.value = value
            if isinstance(value, str):
                # The library takes what begins with `=` for a formula.
                cell.data_type = "s"
                cell.number_format = "@"
    book.save(path)


def drawn_sheets(text: str) -> tuple[DrawnSheet, ...]:
    sheets: list[DrawnSheet] = []
    for block in _blocks(text):
        if isinstance(block, str):
            sheets.append(DrawnSheet(block))
        else:
            if not sheets:
                sheets.append(DrawnSheet("Sheet1"))
            sheets[-1].add(block)
    return tuple(sheet for sheet in sheets if sheet.cells)


def _blocks(text: str) -> Iterator[str | list[str]]:
    """Sheet names and the lines of each table."""
    fenced = "```" in text
    inside = not fenced
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        sheet = None if fenced and inside else _SHEET.fullmatch(line.strip())
        fence = line.strip().startswith("```")
        if inside and not (fence or sheet or not line.strip()):
            lines.append(line)
        elif lines:
            yield lines
            lines = []
        if sheet:
            yield (sheet.group(1) or sheet.group(2)).strip()
        if fence:
            inside = line.strip() == "```table"


def _drawn(text: str) -> Drawn:
    if not _NUMBER.fullmatch(text):
        return text.replace("⏎", "\n").replace("¦", "|")
    number = Decimal(text)
    return int(number) if number == number.to_integral_value() else number


def _cell(ref: CellRef, value: Drawn) -> Cell:
    return text_cell(ref, value) if isinstance(value, str) else number_cell(ref, value)
