"""Sheets that dressing adds: a title, heads, and a line for each thing, with links to where it stands.

A reader of tables passes them by: nothing on them looks like one. The second line says which sheet it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from openpyxl.comments import Comment
from openpyxl.styles import Alignment
from openpyxl.utils import quote_sheetname
from openpyxl.worksheet.hyperlink import Hyperlink

from dtables.authoring.dressing.look import BODY, HEADLINE, INK, LINK, MUTED, SMALL, letters, underline
from dtables.spreadsheet.writer import set_text, writable

TOP = 4
"""The row of heads."""
LONGEST_TIP = 255
"""What a spreadsheet shows beside a link."""

_WIDTH, _LINE, _LETTERS_A_LINE = 420, 17, 62
_A4 = 9


def first_sheet(book: Any, name: str, title: str, subtitle: str, heads: Sequence[tuple[str, float]]) -> Any:
    """A listing that comes first and is shown when the workbook is opened."""
    sheet = listing(book, name, title, subtitle, heads, 0)
    book.active = 0
    for other in book.worksheets:
        other.sheet_view.tabSelected = other is sheet
    return sheet


def listing(
    book: Any, name: str, title: str, subtitle: str, heads: Sequence[tuple[str, float]], place: int | None
) -> Any:
    """Empty below its heads, which come with the widths of their columns."""
    sheet = book.create_sheet(free_name(book, name), place)
    set_text(sheet["A1"], title)
    set_text(sheet["A2"], subtitle)
    sheet["A1"].font, sheet["A2"].font = letters(HEADLINE, INK, bold=True), letters(BODY, MUTED)
    for column, (head, width) in enumerate(heads, 1):
        cell = sheet.cell(TOP, column)
        set_text(cell, head)
        cell.font = letters(SMALL, MUTED, italic=True)
        cell.border = underline("medium", MUTED)
        cell.alignment = aligned(column)
        sheet.column_dimensions[cell.column_letter].width = width
    sheet.freeze_panes = sheet.cell(TOP + 1, 1)
    sheet.sheet_view.showGridLines = False
    sheet.sheet_properties.tabColor = MUTED
    sheet.print_title_rows = f"{TOP}:{TOP}"
    sheet.page_setup.orientation, sheet.page_setup.paperSize = "landscape", _A4
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    for side in ("left", "right", "top", "bottom"):
        setattr(sheet.page_margins, side, 0.5)
    return sheet


def aligned(column: int, **more: Any) -> Any:
    """How a cell of a listing is set: each column apart from the one before it."""
    return Alignment(indent=int(column > 1), horizontal="left", **more)


def free_name(book: Any, first: str) -> str:
    taken = {name.casefold() for name in book.sheetnames}
    names = (first, *(f"{first} {n}" for n in range(2, len(taken) + 3)))
    return next(name for name in names if name.casefold() not in taken)


def without_listing(book: Any, subtitles: Iterable[str]) -> None:
    """Take away what was made before, which its subtitle tells, and the links to it."""
    known = set(subtitles)
    for sheet in list(book.worksheets):
        if sheet["A2"].value in known and len(book.worksheets) > 1:
            book.remove(sheet)
            _unlink(book, f"{quote_sheetname(sheet.title)}!")


def _unlink(book: Any, target: str) -> None:
    for sheet in book.worksheets:
        for cell in sheet._cells.values():
            if cell.hyperlink is not None and (cell.hyperlink.location or "").startswith(target):
                cell.hyperlink = None


def link(cell: Any, sheet: str, address: str, tip: str | None = None) -> None:
    """Lead from a cell to a place, in the letters of a link."""
    lead(cell, sheet, address, tip)
    cell.font = letters(int(cell.font.size), LINK, bold=cell.font.bold, underline="single")


def lead(cell: Any, sheet: str, address: str, tip: str | None = None) -> None:
    """Lead from a cell to a place; it looks as it looked."""
    target = f"{quote_sheetname(sheet)}!{address}"
    shown = writable(tip)[:LONGEST_TIP] if tip else None
    cell.hyperlink = Hyperlink(ref=cell.coordinate, location=target, tooltip=shown)


def shortened(listed: str, letters: int) -> str:
    """Some programs do not fold a link: a long list is cut between two of what it lists."""
    end = listed.rfind(",", 0, letters)
    return listed if len(listed) <= letters or end < 0 else f"{listed[: end + 1]} …"


def comment(text: str, author: str) -> Comment:
    """Large enough for its text."""
    lines = sum(1 + len(line) // _LETTERS_A_LINE for line in text.split("\n"))
    return Comment(writable(text), author, width=_WIDTH, height=_LINE * (lines + 1))
