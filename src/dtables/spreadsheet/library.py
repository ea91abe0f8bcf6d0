"""The spreadsheet library, asked for what is not read here: rows of sheets of any size, whole workbooks of
which a copy is made, and what hardly a cell holds. It is imported when it is asked."""

from __future__ import annotations

import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import ParseError

from dtables.diagnostics import Diagnostic
from dtables.spreadsheet.messages import damaged

UNREADABLE = (
    zipfile.BadZipFile, zlib.error, ParseError, EOFError, struct.error,
    KeyError, IndexError, ValueError, TypeError, AttributeError, AssertionError, OverflowError,
    RuntimeError, OSError,
)  # fmt: skip
"""How it gives up where a workbook contradicts itself: it has no error of its own."""


def date_in(text: str) -> date | time | datetime | timedelta:
    """Return what a date is that is written as a text. Raises ValueError where it is none."""
    from openpyxl.utils.datetime import from_ISO8601

    found: date | time | datetime | timedelta = from_ISO8601(text)
    return found


def shared_formula(source: str, address: str) -> Callable[[str], str]:
    """Return what says how a formula of one cell would stand in another. Raises ValueError where the formula
    cannot be read."""
    from openpyxl.formula.tokenizer import TokenizerError
    from openpyxl.formula.translate import Translator

    try:
        moved: Callable[[str], str] = Translator(source, address).translate_formula
    except TokenizerError as error:
        raise ValueError(source) from error
    return moved


def open_cells(file: IO[bytes]) -> Any:
    """A workbook whose rows are gone through, without its sheets that are charts: they have no cells, and not
    all that spreadsheets draw can be read."""
    from openpyxl.reader.excel import ExcelReader

    reader: Any = ExcelReader(file, read_only=True, keep_links=False)
    reader.read_chartsheet = lambda _sheet, _link: None
    with warnings.catch_warnings():
        # It warns of what it cannot write back; nothing is written back.
        warnings.simplefilter("ignore", UserWarning)
        reader.read()
    return reader.wb


def open_whole(path: Path) -> Any | Diagnostic:
    """A workbook with all that the library knows of it, of which a changed copy can be written."""
    import openpyxl

    with path.open("rb") as file:
        try:
            return openpyxl.load_workbook(file, rich_text=True)
        except UNREADABLE:
            return damaged(path.name, "its parts contradict each other")
