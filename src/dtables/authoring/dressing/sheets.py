"""A whole sheet: how wide its columns are, what stays in sight, folds, is locked, and how it is printed."""

from __future__ import annotations

from collections import defaultdict
from math import ceil
from typing import Any

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.pagebreak import Break, RowBreak
from openpyxl.worksheet.views import Selection

from dtables.authoring.dressing.look import (
    FREE,
    GAP,
    LETTERS_A_WIDTH,
    LINE_HEIGHT,
    TALLEST,
    Painter,
    Shown,
    crowded,
    has_narrow_columns,
    holds_of,
    hue,
    stands_apart,
)
from dtables.workbook.language import ReadAs
from dtables.workbook.tables import ColumnText, TableText

NARROWEST, WIDEST = 5.0, 60.0
SHEET_WIDTH = 185.0
"""What still prints readably across a landscape page."""
READABLE_PROSE, READABLE, READABLE_EXAMPLE = 34.0, 20.0, 17.0
"""No column becomes narrower for the page's sake: a larger sheet of paper is taken."""
MARKER_WIDTH = 24.0
"""Of a marker beside which a property stands: it folds."""


def set_up(sheet: Any, tables: tuple[TableText, ...], shown: Shown, painter: Painter) -> None:
    """What painting needs: widths decide where cells fold, and what it locks is free before."""
    _forget_the_rest(sheet)
    _widths(sheet, tables, shown)
    painter.locks = not _locked_by_author(sheet)
    if painter.locks:
        for cell in sheet._cells.values():
            painter.free(cell)


def finish(sheet: Any, tables: tuple[TableText, ...]) -> None:
    """What is known when everything has its height."""
    _view(sheet, tables)
    _outline(sheet, tables)
    _protect(sheet)
    _print(sheet, tables)


# -- widths ------------------------------------------------------------------------------------


def _widths(sheet: Any, tables: tuple[TableText, ...], shown: Shown) -> None:
    """Tables on one sheet share their columns: each gets what its fullest table needs."""
    needed: dict[int, float] = defaultdict(lambda: NARROWEST)
    least: dict[int, float] = defaultdict(float)
    for table in tables:
        for place, column in enumerate(table.columns):
            width = _width_for(table, column, place, shown)
            needed[column.number] = max(needed[column.number], width)
            prose = holds_of(table.kind, column.role) is ReadAs.PROSE
            readable = min(width, READABLE_PROSE if prose else _readable(table, place))
            least[column.number] = max(least[column.number], readable, _least(table, column, place))
        if crowded(sheet, table):
            first = table.marker.cell.ref.column
            least[first] = max(least[first], MARKER_WIDTH)
    cap = _cap(list(needed.values()))
    for number, width in needed.items():
        width = max(min(width, cap), least[number])
        sheet.column_dimensions[get_column_letter(number)].width = round(width, 1)


def _readable(table: TableText, place: int) -> float:
    """Examples have many columns: no wider than their words, which paths can be, ask for."""
    if table.kind != "examples":
        return READABLE
    name = table.columns[place].name
    cells = (row.cells[place] for row in table.rows)
    typed = (*(cell.typed for cell in cells), name.typed if name else "")
    word = max((len(w) for text in typed for w in text.split()), default=0)
    return max(READABLE_EXAMPLE, min(word, 26) + GAP)


def _width_for(table: TableText, column: ColumnText, place: int, shown: Shown) -> float:
    """Prose and expressions may fold, short cells and the longest word may not."""
    cells = [shown.get(row.cells[place].ref, row.cells[place].typed) for row in table.rows]
    heads = [column.role_cell.typed, column.name.typed if column.name else ""]
    longest = max((len(line) for text in cells for line in text.split("\n")), default=0)
    word = max((len(w) for text in (*cells, *heads) for w in text.split()), default=0)
    folded = _folded(longest, holds_of(table.kind, column.role))
    if has_narrow_columns(table):
        return max(min(longest, 34 if place == 0 else 26), min(word, 12)) + (3 if place == 0 else 1.5)
    # Examples have many columns of short cells.
    margin = 2 + (GAP if stands_apart(table, place) and table.kind != "examples" else 0)
    return min(WIDEST, max(folded, min(word, 30), len(column.role_cell.typed) * 0.85) + margin)


def _folded(longest: int, holds: ReadAs) -> float:
    """About two lines for what is long."""
    room = 34.0 if holds is ReadAs.PROSE else 30.0
    return longest if longest <= room else max(room, min(WIDEST, longest / 1.5))


def _least(table: TableText, column: ColumnText, place: int) -> float:
    """What the longest cell needs so that its row is no taller than a row can be; some programs do not fold
    links, which ids of rules are."""
    lines = TALLEST / LINE_HEIGHT - 2
    longest = max((len(row.cells[place].typed) for row in table.rows), default=0)
    if column.role == "source":
        return min(longest, 30) + 2
    return longest / lines / LETTERS_A_WIDTH + 2 if longest > lines * 20 else 0


def _cap(widths: list[float]) -> float:
    """How wide the widest columns may be so that the sheet still fits."""
    cap = WIDEST
    while cap > 18 and sum(min(width, cap) for width in widths) > SHEET_WIDTH:
        cap -= 2
    return cap


# -- in sight ----------------------------------------------------------------------------------

MOST_FROZEN_HEIGHT, MOST_FROZEN_WIDTH = 280.0, 60.0
"""Points, and units of width: what stays in sight leaves room for the rest on a small screen."""

_NAMES_A_ROW = ("#", "key", "name", "field", "switch", "parameter", "step", "rank", "role", "term", "id")


def _view(sheet: Any, tables: tuple[TableText, ...]) -> None:
    """Of one table its head stays in sight, of several the column that names their rows."""
    sheet.sheet_view.showGridLines = False
    largest = max(tables, key=lambda table: len(table.rows) * len(table.columns))
    sheet.sheet_properties.tabColor = hue(largest.kind).band
    row = header_end(tables[0]) + 1 if len(tables) == 1 else 1
    if sum(map(height_of(sheet), range(1, row))) > MOST_FROZEN_HEIGHT:
        row = 1
    column = _frozen_columns(sheet, tables) + 1
    sheet.sheet_view.pane, sheet.sheet_view.selection = None, [Selection()]
    sheet.freeze_panes = sheet.cell(row, column) if (row, column) != (1, 1) else None


def _frozen_columns(sheet: Any, tables: tuple[TableText, ...]) -> int:
    """How many columns name the rows of all tables alike."""
    firsts = {(table.columns[0].number, table.columns[0].role in _NAMES_A_ROW) for table in tables}
    last = tables[0].columns[0].number
    if firsts != {(last, True)} and len(tables) > 1:
        return 0
    width = sum(width_of(sheet, column) for column in range(1, last + 1))
    return last if width <= MOST_FROZEN_WIDTH else 0


def header_end(table: TableText) -> int:
    """The last row of a table's head."""
    named = [column.name.ref.row for column in table.columns if column.name is not None]
    return max(named, default=table.columns[0].role_cell.ref.row)


def width_of(sheet: Any, column: int) -> float:
    return float(sheet.column_dimensions[get_column_letter(column)].width)


def height_of(sheet: Any) -> Any:
    """Return what says how tall a row is, in points."""
    known = sheet.row_dimensions
    return lambda row: (known[row].height if row in known else None) or _ROW


_ROW = 15.0


# -- what folds --------------------------------------------------------------------------------


def _outline(sheet: Any, tables: tuple[TableText, ...]) -> None:
    """Columns that hold nothing but notes fold away, and the rows of examples under their head."""
    sheet.sheet_properties.outlinePr.summaryBelow = False
    sheet.sheet_properties.outlinePr.summaryRight = False
    roles: dict[int, set[str]] = defaultdict(set)
    for table in tables:
        for column in table.columns:
            roles[column.number].add(column.role)
    for number, found in roles.items():
        sheet.column_dimensions[get_column_letter(number)].outlineLevel = int(
            found == {"note"} and number > 1
        )
    for table in tables:
        level = int(table.kind == "examples")
        for row in table.rows:
            sheet.row_dimensions[row.number].outlineLevel = level


# -- what is locked ----------------------------------------------------------------------------

MOST_COLUMNS = 16_384
_REST_WIDTH = 10.0


def _protect(sheet: Any) -> None:
    """Markers and roles are locked, without a password; everything else may be done."""
    if _locked_by_author(sheet):
        return
    lock = sheet.protection
    lock.sheet = True
    for forbidden in _FORBIDDEN:
        setattr(lock, forbidden, False)
    _free_columns(sheet)


def _locked_by_author(sheet: Any) -> bool:
    """A sheet that has a password stays as it is."""
    return bool(sheet.protection.password or sheet.protection.hashValue)


def _free_columns(sheet: Any) -> None:
    """What is typed where nothing stands yet is free too, down to the last row and column."""
    columns = sheet.column_dimensions
    last = sheet.max_column
    for number in range(1, last + 1):
        columns[get_column_letter(number)].protection = FREE
    rest = columns[get_column_letter(last + 1)]
    rest.min, rest.max, rest.width = last + 1, MOST_COLUMNS, _REST_WIDTH
    rest.protection = FREE


def _forget_the_rest(sheet: Any) -> None:
    """What an earlier dressing says of all further columns is not said of one that has got cells since."""
    columns = sheet.column_dimensions
    for letter in [letter for letter, known in columns.items() if known.max == MOST_COLUMNS]:
        del columns[letter]


_FORBIDDEN = (
    "formatCells", "formatColumns", "formatRows", "insertColumns", "insertRows", "insertHyperlinks",
    "deleteColumns", "deleteRows", "sort", "autoFilter", "pivotTables", "objects", "scenarios",
    "selectLockedCells", "selectUnlockedCells",
)  # fmt: skip
"""What a spreadsheet would forbid on a locked sheet, and is allowed."""


# -- on paper ----------------------------------------------------------------------------------

_MARGIN = 0.5
"""Inches."""
_PAPERS = ((9, "portrait", 523.0, 770.0), (9, "landscape", 770.0, 523.0), (8, "landscape", 1118.0, 770.0))
"""A4 upright, A4 across, A3 across: what a spreadsheet calls them, and what is printed on, in points."""
_READABLE = 0.72
_STILL_READABLE = 0.62
"""How small letters get before a larger sheet is taken, and before two stand beside one another."""
_SHARE_OF_A_PAGE = 0.15
"""So little does not go onto a page of its own."""


def _print(sheet: Any, tables: tuple[TableText, ...]) -> None:
    """All columns on one page, if they can be read there; tables that fit on a page are not torn apart."""
    last = max(table.last.column for table in tables)
    width = sum(5.25 * width_of(sheet, column) + 3.75 for column in range(1, last + 1))
    fitting = (paper for paper in _PAPERS if paper[2] >= width * _READABLE)
    number, orientation, across, down = next(fitting, _PAPERS[-1])
    pages = max(1, ceil(width * _STILL_READABLE / across - _SHARE_OF_A_PAGE))
    setup = sheet.page_setup
    setup.paperSize, setup.orientation, setup.fitToWidth, setup.fitToHeight = number, orientation, pages, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    for side in ("left", "right", "top", "bottom"):
        setattr(sheet.page_margins, side, _MARGIN)
    sheet.oddHeader.left.text, sheet.oddHeader.right.text = "&A", "&F"
    sheet.oddFooter.right.text = "&P / &N"
    _breaks(sheet, tables, down * max(1.0, width / across / pages))
    _titles(sheet, tables, pages)


def _titles(sheet: Any, tables: tuple[TableText, ...], pages: int) -> None:
    """On every page: the head of the only table, and beside one another what names its rows.

    Of several tables the markers would be repeated too, cut off where the column ends.
    """
    vars(sheet).update(_print_rows=None, _print_cols=None)  # The library has no other way to take them away.
    if len(tables) > 1:
        return
    sheet.print_title_rows = f"{tables[0].columns[0].role_cell.ref.row}:{header_end(tables[0])}"
    frozen = _frozen_columns(sheet, tables)
    if pages > 1 and frozen:
        sheet.print_title_cols = f"A:{get_column_letter(frozen)}"


def _breaks(sheet: Any, tables: tuple[TableText, ...], page: float) -> None:
    """A table begins a page where it would be torn apart, and would not be on a page of its own."""
    sheet.row_breaks = RowBreak()
    height = height_of(sheet)
    used, below = 0.0, 1
    for table in sorted(tables, key=lambda table: table.marker.cell.ref.row):
        top, last = table.marker.cell.ref.row, table.last.row
        if top < below:
            continue
        between = sum(map(height, range(below, top)))
        own = sum(map(height, range(top, last + 1)))
        if used and used + between + own > page and (own <= page or used > page / 2):
            sheet.row_breaks.append(Break(id=top - 1))
            used = between = 0.0
        used, below = (used + between + own) % page, last + 1
