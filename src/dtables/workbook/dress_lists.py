"""A sheet of ours that comes first and lists things, each with a link to where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from openpyxl.comments import Comment
from openpyxl.utils import quote_sheetname
from openpyxl.worksheet.hyperlink import Hyperlink

from dtables.workbook.dress_palette import INK, MUTED
from dtables.workbook.dress_styles import BODY, HEADLINE, SMALL, letters, underline
from dtables.workbook.sheets_out import set_text

TOP = 4
"""The row of heads."""
LINK = "2F5D8A"

_WIDTH, _LINE, _LETTERS_A_LINE = 420, 17, 62


def first_sheet(book: Any, name: str, title: str, subtitle: str, heads: Sequence[tuple[str, float]]) -> Any:
    """Empty below its heads, which come with the widths of their columns."""
    sheet = book.create_sheet(_free_name(book, name), 0)
    book.active = 0
    for other in book.worksheets:
        other.sheet_view.tabSelected = other is sheet
    set_text(sheet["A1"], title)
    set_text(sheet["A2"], subtitle)
    sheet["A1"].font, sheet["A2"].font = letters(HEADLINE, INK, bold=True), letters(BODY, MUTED)
    for column, (head, width) in enumerate(heads, 1):
        cell = sheet.cell(TOP, column)
        set_text(cell, head)
        cell.font = letters(SMALL, MUTED, italic=True)
        cell.border = underline("medium", MUTED)
        sheet.column_dimensions[cell.column_letter].width = width
    sheet.freeze_panes = sheet.cell(TOP + 1, 1)
    sheet.sheet_view.showGridLines = False
    sheet.page_setup.orientation, sheet.page_setup.fitToHeight = "landscape", 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    return sheet


def _free_name(book: Any, wanted: str) -> str:
    taken = {name.casefold() for name in book.sheetnames}
    names = (wanted, *(f"{wanted} {n}" for n in range(2, len(taken) + 3)))
    return next(name for name in names if name.casefold() not in taken)


def without_first_sheet(book: Any, subtitles: Sequence[str]) -> None:
    """Takes away the one that was made before, which its subtitle tells."""
    for sheet in list(book.worksheets):
        if sheet["A2"].value in subtitles and len(book.worksheets) > 1:
            book.remove(sheet)


def link(cell: Any, sheet: str, address: str) -> None:
    cell.hyperlink = Hyperlink(ref=cell.coordinate, location=f"{quote_sheetname(sheet)}!{address}")
    cell.font = letters(int(cell.font.size), LINK, bold=cell.font.bold, underline="single")


def comment(text: str, author: str) -> Comment:
    """Large enough for its text."""
    lines = sum(1 + len(line) // _LETTERS_A_LINE for line in text.split("\n"))
    return Comment(text, author, width=_WIDTH, height=_LINE * (lines + 1))
