"""Sheets of plain values, written so that none of them can run: a text is a text, whatever it begins with."""

from __future__ import annotations

import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from typing import IO, Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter, quote_sheetname
from openpyxl.utils.exceptions import IllegalCharacterError
from openpyxl.worksheet.datavalidation import DataValidation

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
        try:
            sheet.append([_head(sheet, head) for head in heads])
            for number, row in enumerate(rows, 2):
                if number > MOST_ROWS:
                    raise SheetError(f"a sheet holds {MOST_ROWS} rows")
                sheet.append([plain_cell(sheet, value) for value in row])
        except BaseException:
            # Else the library ends its sheet when its file is gone already, and prints a traceback.
            with suppress(OSError, ValueError):
                sheet.close()
            raise
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
    """Make a cell whose text stays text; SheetError where no cell can hold the value."""
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
    cell.value = writable(text)
    keep_text(cell)


def writable(text: str) -> str:
    """What of a text a cell or a comment can hold."""
    held: str = ILLEGAL_CHARACTERS_RE.sub("", text)
    return held[:MOST_CHARACTERS]


def save_without_clock(book: Any, to: IO[bytes]) -> None:
    """Save a workbook so that the same content makes the same bytes: the library notes when it wrote."""
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


# -- new workbooks ----------------------------------------------------------------------------------
# A new workbook out of plain rows: numbers are number cells, everything else is text that no spreadsheet
# turns into something else.

_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,14})")


@dataclass(frozen=True, slots=True)
class NewSheet:
    """Rows from the first on; an empty text is an empty cell."""

    name: str
    rows: tuple[tuple[str, ...], ...]


def write_sheets(to: IO[bytes], sheets: tuple[NewSheet, ...]) -> None:
    """Write a workbook of these sheets in order; texts that are whole numbers become number cells."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for sheet in sheets:
        _fill(book.create_sheet(sheet.name), sheet)
    book.save(to)


def _fill(worksheet: Any, sheet: NewSheet) -> None:
    for row, cells in enumerate(sheet.rows, 1):
        for column, text in enumerate(cells, 1):
            if text:
                _write(worksheet.cell(row, column), text)


def _write(cell: Any, text: str) -> None:
    if _WHOLE.fullmatch(text):
        cell.value = int(text)
        return
    set_text(cell, text)


# -- forms to fill in -------------------------------------------------------------------------------
# A workbook to be filled in by hand: sheets of named columns with help and drop-downs.

NAMES = "names"
ROWS = 2_000
"""How far down help and drop-downs go; a text column is one to its end."""
_HELP_LENGTH, _TITLE_LENGTH = 250, 30
"""A little less than what a spreadsheet shows beside a selected cell."""


class CellFormat(Enum):
    """What a column of a form takes, besides what its list offers."""

    TEXT = "text"
    NUMBER = "number"
    WHOLE = "whole"
    ANYTHING = "anything"


@dataclass(frozen=True, slots=True)
class FormColumn:
    """`choices` names a list of the form."""

    head: str
    title: str
    help: str
    holds: CellFormat
    choices: str | None = None


@dataclass(frozen=True, slots=True)
class FormSheet:
    """One sheet of a form; its columns stand side by side from A on."""

    title: str
    columns: tuple[FormColumn, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """A workbook to fill in, and the named lists that its columns offer."""

    sheets: tuple[FormSheet, ...]
    lists: tuple[tuple[str, tuple[object, ...]], ...]


def write_form(to: IO[bytes], form: Form) -> None:
    """The lists stand on a sheet of their own, last: long ones fit nowhere else."""
    book = Workbook()
    book.remove(book.active)
    places = _places(form)
    for sheet in form.sheets:
        _sheet(book.create_sheet(sheet.title), sheet, places)
    _lists(book.create_sheet(NAMES), form)
    save_without_clock(book, to)


def _places(form: Form) -> dict[str, str]:
    """Where each list stands."""
    sheet = quote_sheetname(NAMES)
    return {
        name: f"{sheet}!${get_column_letter(column)}$2:${get_column_letter(column)}${len(values) + 1}"
        for column, (name, values) in enumerate(form.lists, 1)
        if values
    }


def _sheet(sheet: Any, form: FormSheet, places: dict[str, str]) -> None:
    sheet.freeze_panes = "B2"
    for number, column in enumerate(form.columns, 1):
        letter = get_column_letter(number)
        _form_head(sheet.cell(1, number), column)
        sheet.column_dimensions[letter].width = max(10, min(28, len(column.head) + 3))
        if column.holds is CellFormat.TEXT:
            sheet.column_dimensions[letter].number_format = "@"
        sheet.add_data_validation(_validation(column, places, f"{letter}2:{letter}{ROWS}"))


def _form_head(cell: Any, column: FormColumn) -> None:
    set_text(cell, column.head)
    cell.font = Font(bold=True)
    cell.fill = PatternFill("solid", "EDF0F4")
    cell.alignment = Alignment(vertical="top")
    cell.comment = Comment(f"{column.title}\n{column.help}", "dtables", width=320, height=120)


def _validation(column: FormColumn, places: dict[str, str], cells: str) -> DataValidation:
    place = places.get(column.choices or "")
    if place is not None:
        validation = DataValidation(type="list", formula1=place)
    elif column.holds is CellFormat.WHOLE:
        validation = DataValidation(
            type="whole", operator="between", formula1="-1000000000", formula2="1000000000"
        )
    elif column.holds is CellFormat.NUMBER:
        validation = DataValidation(type="decimal", operator="between", formula1="-1E+15", formula2="1E+15")
    else:
        validation = DataValidation()
    validation.allow_blank, validation.showErrorMessage, validation.showInputMessage = (
        True,
        validation.type is not None,
        True,
    )
    validation.promptTitle, validation.prompt = (
        column.title[:_TITLE_LENGTH],
        column.help[:_HELP_LENGTH] or None,
    )
    validation.add(cells)
    return validation


def _lists(sheet: Any, form: Form) -> None:
    for column, (name, values) in enumerate(form.lists, 1):
        for row, value in enumerate((name, *values), 1):
            cell = sheet.cell(row, column)
            if isinstance(value, str):
                set_text(cell, value)
            else:
                cell.value = value
        sheet.cell(1, column).font = Font(bold=True)
