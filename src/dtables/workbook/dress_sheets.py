"""A whole sheet: how wide its columns are, what stays in sight, how it is printed."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from openpyxl.utils import get_column_letter

from dtables.workbook.dress_palette import hue
from dtables.workbook.roles import BY_NAME
from dtables.workbook.tables import Column, TableText
from dtables.workbook.words import Holds

NARROWEST, WIDEST = 5.0, 56.0
SHEET_WIDTH = 185.0
"""What still prints readably across a landscape page."""

_A4 = 9
_WIDE_ROOM = 1.5


def set_up(sheet: Any, tables: tuple[TableText, ...]) -> None:
    _widths(sheet, tables)
    _view(sheet, tables)
    _print(sheet, tables)


def holds_of(kind: str, role: str) -> Holds:
    found = (known.holds for known in BY_NAME[kind].roles if known.name == role)
    return next(found, Holds.EXPRESSION)


# -- widths ------------------------------------------------------------------------------------


def _widths(sheet: Any, tables: tuple[TableText, ...]) -> None:
    """Tables on one sheet share their columns: each gets what its fullest table wants."""
    wanted: dict[int, float] = defaultdict(lambda: NARROWEST)
    for table in tables:
        for place, column in enumerate(table.columns):
            wanted[column.number] = max(wanted[column.number], _wanted(table, column, place))
    cap = _cap(list(wanted.values()))
    for number, width in wanted.items():
        sheet.column_dimensions[get_column_letter(number)].width = round(min(width, cap), 1)


def _wanted(table: TableText, column: Column, place: int) -> float:
    """Prose and expressions may fold, short cells and the longest word may not."""
    cells = [row.cells[place].typed for row in table.rows]
    head = [column.role_cell.typed, column.name.typed if column.name else ""]
    longest = max((len(line) for text in cells for line in text.split("\n")), default=0)
    word = max((len(w) for text in (*cells, *head) for w in text.split()), default=0)
    folded = _folded(longest, holds_of(table.kind, column.role))
    return min(WIDEST, max(folded, min(word, 30), len(column.role_cell.typed) * 0.85) + 2)


def _folded(longest: int, holds: Holds) -> float:
    """About two lines for what is long."""
    room = 34.0 if holds is Holds.PROSE else 30.0
    return longest if longest <= room else max(room, min(WIDEST, longest / _WIDE_ROOM))


def _cap(widths: list[float]) -> float:
    """How wide the widest columns may be so that the sheet still fits."""
    cap = WIDEST
    while cap > 18 and sum(min(width, cap) for width in widths) > SHEET_WIDTH:
        cap -= 2
    return cap


# -- view and print ----------------------------------------------------------------------------


def _view(sheet: Any, tables: tuple[TableText, ...]) -> None:
    """Headers stay in sight where there is one table; of several none could."""
    sheet.sheet_view.showGridLines = False
    sheet.sheet_properties.tabColor = hue(tables[0].kind).band
    sheet.freeze_panes = None
    if len(tables) == 1:
        sheet.freeze_panes = sheet.cell(_header_end(tables[0]) + 1, tables[0].columns[0].number + 1)


def _header_end(table: TableText) -> int:
    named = [column.name.ref.row for column in table.columns if column.name is not None]
    return max(named, default=table.columns[0].role_cell.ref.row)


def _print(sheet: Any, tables: tuple[TableText, ...]) -> None:
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = _A4
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    for side in ("left", "right", "top", "bottom"):
        setattr(sheet.page_margins, side, 0.5)
    sheet.oddHeader.left.text, sheet.oddHeader.right.text = "&A", "&F"
    sheet.oddFooter.right.text = "&P / &N"
    if len(tables) == 1:
        first = tables[0].columns[0].role_cell.ref.row
        sheet.print_title_rows = f"{first}:{_header_end(tables[0])}"
