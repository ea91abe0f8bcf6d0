"""The spreadsheet library, asked for cells."""

from __future__ import annotations

import struct
import warnings
import zipfile
import zlib
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import IO, Any
from xml.etree.ElementTree import ParseError

from openpyxl.cell.read_only import ReadOnlyCell
from openpyxl.reader.excel import ExcelReader
from openpyxl.styles.stylesheet import apply_stylesheet
from openpyxl.utils.exceptions import InvalidFileException

UNREADABLE = (
    InvalidFileException, zipfile.BadZipFile, zlib.error, ParseError, EOFError, struct.error,
    KeyError, IndexError, ValueError, TypeError, AttributeError, AssertionError, OverflowError,
    RuntimeError, OSError,
)  # fmt: skip
"""How it gives up where a workbook contradicts itself: it has no error of its own."""


def open_cells(file: IO[bytes], *, data_only: bool = False, read_only: bool = False) -> Any:
    """A workbook without its sheets that are charts: they have no cells, and not all that spreadsheets draw
    can be read."""
    reader: Any = ExcelReader(file, data_only=data_only, read_only=read_only, keep_links=False)
    reader.read_chartsheet = lambda _sheet, _link: None
    with warnings.catch_warnings():
        # It warns of what it cannot write back; nothing is written back.
        warnings.simplefilter("ignore", UserWarning)
        reader.read()
    return reader.wb


@dataclass(frozen=True)
class Formats:
    """What the styles of a workbook's cells make of their numbers, and which sheets are hidden."""

    _book: Any
    _hidden: frozenset[str]

    def is_hidden(self, sheet: str) -> bool:
        return sheet in self._hidden

    @property
    def epoch(self) -> datetime:
        epoch: datetime = self._book.epoch
        return epoch

    def of_style(self, style: int) -> str:
        """The number format, as it is written."""
        return str(ReadOnlyCell(self._sheet, 1, 1, None, style_id=style).number_format)

    def is_date(self, style: int) -> bool:
        return style in self._book._date_formats

    def is_duration(self, style: int) -> bool:
        return style in self._book._timedelta_formats

    @cached_property
    def _sheet(self) -> Any:
        return _Sheet(self._book)


@dataclass(frozen=True)
class _Sheet:
    parent: Any


def open_formats(file: IO[bytes]) -> Formats:
    """Of all that a workbook is made of only the list of its sheets and its styles are read."""
    reader: Any = ExcelReader(file, read_only=True, keep_links=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        reader.read_manifest()
        reader.read_workbook()
        apply_stylesheet(reader.archive, reader.wb)
        states = [(sheet.name, sheet.state) for sheet, _ in reader.parser.find_sheets()]
    return Formats(reader.wb, frozenset(name for name, state in states if state != "visible"))
