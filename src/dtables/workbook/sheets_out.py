"""Sheets of plain values, written so that none of them can run: a text is a text, whatever it begins with."""

from __future__ import annotations

import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font
from openpyxl.utils.exceptions import IllegalCharacterError

from dtables.files import temporary_folder

AS_TEXT = "@"
MOST_ROWS = 1_048_576
MOST_CHARACTERS = 32_767
_MODIFIED = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")


class SheetError(ValueError):
    """What a sheet cannot hold; nothing is cut."""


def write_sheet(to: IO[bytes], title: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """One sheet with a head that stays in sight; rows are written as they come."""
    with _aside():
        book = Workbook(write_only=True)
        sheet = book.create_sheet(title)
        sheet.freeze_panes = "A2"
        sheet.append([_head(sheet, head) for head in heads])
        for number, row in enumerate(rows, 2):
            if number > MOST_ROWS:
                raise SheetError(f"a sheet holds {MOST_ROWS} rows")
            sheet.append([plain_cell(sheet, value) for value in row])
        save_without_clock(book, to)


@contextmanager
def _aside() -> Iterator[None]:
    """The library keeps rows in a temporary file, which it leaves there when it is killed."""
    before = tempfile.tempdir
    with temporary_folder() as folder:
        tempfile.tempdir = str(folder.path)
        try:
            yield
        finally:
            tempfile.tempdir = before


def plain_cell(sheet: Any, value: object) -> Any:
    if isinstance(value, str) and len(value) > MOST_CHARACTERS:
        raise SheetError(f"a cell holds {MOST_CHARACTERS} characters")
    try:
        cell = WriteOnlyCell(sheet, value)
    except IllegalCharacterError:
        raise SheetError(f"a cell cannot hold the control characters of {value!r}") from None
    if isinstance(value, str):
        keep_text(cell)
    return cell


def keep_text(cell: Any) -> None:
    """A text in a cell is a text, whatever it begins with, and stays one when somebody edits it. The library
    would make a formula of what begins with an equals sign, and an error of `#N/A`."""
    cell.data_type = "s"
    cell.quotePrefix = True
    cell.number_format = AS_TEXT


def set_text(cell: Any, text: str) -> None:
    """`keep_text`, of a text that may hold what no cell can: controls are left out, and the end of what is
    too long."""
    cell.value = ILLEGAL_CHARACTERS_RE.sub("", text)[:MOST_CHARACTERS]
    keep_text(cell)


def save_without_clock(book: Any, to: IO[bytes]) -> None:
    """The same content, the same bytes: the library notes when it wrote."""
    with tempfile.TemporaryFile() as file:
        book.save(file)
        with zipfile.ZipFile(file) as written, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as kept:
            for entry in written.infolist():
                info = zipfile.ZipInfo(entry.filename)
                info.compress_type = zipfile.ZIP_DEFLATED
                with written.open(entry) as content, kept.open(info, "w", force_zip64=True) as place:
                    if entry.filename == "docProps/core.xml":
                        place.write(_MODIFIED.sub(rb"\g<1>2000-01-01T00:00:00Z", content.read()))
                    else:
                        shutil.copyfileobj(content, place)


def _head(sheet: Any, text: str) -> Any:
    cell = plain_cell(sheet, text)
    cell.font = Font(bold=True)
    return cell
