"""The spreadsheet library, asked for cells."""

from __future__ import annotations

import struct
import warnings
import zipfile
import zlib
from typing import IO, Any
from xml.etree.ElementTree import ParseError

from openpyxl.reader.excel import ExcelReader
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
