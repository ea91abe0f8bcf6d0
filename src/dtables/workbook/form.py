"""A workbook to be filled in by hand: sheets of named columns with help and drop-downs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import IO, Any

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter, quote_sheetname
from openpyxl.worksheet.datavalidation import DataValidation

from dtables.workbook.sheets_out import save_without_clock, set_text

NAMES = "names"
ROWS = 2_000
"""How far down help and drop-downs go; a text column is one to its end."""
_HELP_LENGTH, _TITLE_LENGTH = 250, 30
"""A little less than what a spreadsheet shows beside a selected cell."""


class Holds(Enum):
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
    holds: Holds
    choices: str | None = None


@dataclass(frozen=True, slots=True)
class FormSheet:
    title: str
    columns: tuple[FormColumn, ...]


@dataclass(frozen=True, slots=True)
class Form:
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
        _head(sheet.cell(1, number), column)
        sheet.column_dimensions[letter].width = max(10, min(28, len(column.head) + 3))
        if column.holds is Holds.TEXT:
            sheet.column_dimensions[letter].number_format = "@"
        sheet.add_data_validation(_validation(column, places, f"{letter}2:{letter}{ROWS}"))


def _head(cell: Any, column: FormColumn) -> None:
    set_text(cell, column.head)
    cell.font = Font(bold=True)
    cell.fill = PatternFill("solid", "EDF0F4")
    cell.alignment = Alignment(vertical="top")
    cell.comment = Comment(f"{column.title}\n{column.help}", "dtables", width=320, height=120)


def _validation(column: FormColumn, places: dict[str, str], cells: str) -> DataValidation:
    place = places.get(column.choices or "")
    if place is not None:
        made = DataValidation(type="list", formula1=place)
    elif column.holds is Holds.WHOLE:
        made = DataValidation(type="whole", operator="between", formula1="-1000000000", formula2="1000000000")
    elif column.holds is Holds.NUMBER:
        made = DataValidation(type="decimal", operator="between", formula1="-1E+15", formula2="1E+15")
    else:
        made = DataValidation()
    made.allow_blank, made.showErrorMessage, made.showInputMessage = True, made.type is not None, True
    made.promptTitle, made.prompt = column.title[:_TITLE_LENGTH], column.help[:_HELP_LENGTH] or None
    made.add(cells)
    return made


def _lists(sheet: Any, form: Form) -> None:
    for column, (name, values) in enumerate(form.lists, 1):
        for row, value in enumerate((name, *values), 1):
            cell = sheet.cell(row, column)
            if isinstance(value, str):
                set_text(cell, value)
            else:
                cell.value = value
        sheet.cell(1, column).font = Font(bold=True)
