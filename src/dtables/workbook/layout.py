"""Where tables sit on a sheet: marker, properties, roles, names, rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dtables.diagnostics import Diagnostic
from dtables.workbook import problems
from dtables.workbook.cells import Sheet, blank, single_spaced
from dtables.workbook.columns import Header, read_header, role_width
from dtables.workbook.contents import read_cell
from dtables.workbook.lookup import find_kind, find_property, find_role, known_role, nearest_kind, roles_of
from dtables.workbook.markers import (
    Start,
    apart,
    lacks_colon,
    marker_start,
    property_start,
    read_marker,
    read_property,
    start_without_colon,
    starts_table,
)
from dtables.workbook.roles import KINDS
from dtables.workbook.surroundings import Block, Taken, around, inside
from dtables.workbook.tables import Cell, Marker, Property, Row, TableText
from dtables.workbook.words import Kind

LAST_COLUMN = 16_384
MOST_CELLS = 3_000_000
"""All rows of all tables of a workbook, blank cells too: a wide and nearly empty table has many."""
_MOST_PROPERTIES = 12
_KINDS_OFFERED = tuple(f"{kind.en[0]}:" for kind in KINDS)


def find_tables(sheet: Sheet, room: int = MOST_CELLS) -> tuple[tuple[TableText, ...], tuple[Diagnostic, ...]]:
    """Every table of the sheet, from the top and from the left, up to `room` cells in all.

    Says what is wrong with a table's shape and its surroundings; what cells mean is left to others.
    """
    tables: list[TableText] = []
    found: list[Diagnostic] = []
    taken = Taken(sheet)
    for row, columns in sheet.seen.items():
        for column in columns:
            cell = sheet.cell(row, column)
            read = None if taken.holds(row, column) else _table_at(sheet, cell, room)
            if read is not None:
                room -= area(read.table) if read.table else 0
                taken.add(read.block)
                found += read.found
                tables += [read.table] if read.table else []
    return tuple(tables), (*found, *inside(sheet, taken), *around(sheet, taken))


def area(table: TableText) -> int:
    """How many cells the table's rows have, blank ones too."""
    return len(table.rows) * len(table.columns)


@dataclass(frozen=True, slots=True)
class _Read:
    table: TableText | None
    block: Block
    found: tuple[Diagnostic, ...]


def _table_at(sheet: Sheet, cell: Cell, room: int) -> _Read | None:
    cell = single_spaced(cell)
    start = marker_start(cell)
    if start is not None and start.kind is not None:
        return _marked(sheet, cell, start, start.kind, (), room)
    return _nearly_a_table(sheet, cell, start, room)


def _marked(
    sheet: Sheet, cell: Cell, start: Start, kind: Kind, said: tuple[Diagnostic, ...], room: int
) -> _Read:
    alone, behind = apart(cell)
    marker, found = read_marker(alone, start, kind)
    found = (*said, *found, *(problems.property_behind(cell, piece) for piece in behind))
    return _table(sheet, kind, marker, behind, found, room)


def _table(
    sheet: Sheet,
    kind: Kind,
    marker: Marker,
    behind: tuple[Cell, ...],
    found: tuple[Diagnostic, ...],
    room: int,
) -> _Read:
    top, left = marker.cell.ref.row, marker.cell.ref.column
    limit = _right_limit(sheet, kind, marker.cell)
    cells, roles_row = _property_cells(sheet, kind, marker.cell, limit)
    properties, said = _properties(kind, marker.cell, (*behind, *cells))
    beside = frozenset((cell.ref.row, cell.ref.column) for cell in cells)
    right = role_width(sheet, roles_row, left, limit)
    if right < left:
        said = (*said, problems.no_roles(marker.cell, sheet.ref(roles_row, left), roles_of(kind)))
        return _Read(
            None, Block(kind, (top, left), (roles_row - 1, left), roles_row, beside), (*found, *said)
        )
    header, more = read_header(sheet, kind, marker, properties, roles_row, right)
    rows, last_row, most = _rows(sheet, header, left, right, room)
    table = TableText(kind.name, marker, properties, header.columns, rows, sheet.ref(last_row, right))
    block = Block(kind, (top, left), (last_row, right), roles_row, beside)
    return _Read(table, block, (*found, *said, *more, *most))


def _right_limit(sheet: Sheet, kind: Kind, marker: Cell) -> int:
    """A table ends at the next marker of its row, also without an empty column between."""
    later = sheet.row(marker.ref.row, marker.ref.column + 1, LAST_COLUMN)
    return next((cell.ref.column - 1 for cell in later if _begins_another(sheet, kind, cell)), LAST_COLUMN)


def _begins_another(sheet: Sheet, kind: Kind, cell: Cell) -> bool:
    """Some words are kinds and properties (`ask: turn`): the roles under it tell which is meant."""
    start = marker_start(cell)
    if start is None or start.kind is None:
        return False
    if find_property(kind, cell.code[start.word.start : start.word.end]) is None:
        return True
    under = sheet.cell(cell.ref.row + 1, cell.ref.column).code
    return find_role(start.kind, under, None) is not None and find_role(kind, under, None) is None


def _property_cells(sheet: Sheet, kind: Kind, marker: Cell, limit: int) -> tuple[tuple[Cell, ...], int]:
    """Those beside the marker, those in the rows under it, and the number of the row that comes next."""
    top, left = marker.ref.row, marker.ref.column
    cells = sheet.row(top, left + 1, limit)
    row = top + 1
    while _is_property(sheet, kind, cell := sheet.cell(row, left)) and not _begins_another(sheet, kind, cell):
        cells += sheet.row(row, left, limit)
        row += 1
    return tuple(cells), row


def _is_property(sheet: Sheet, kind: Kind, cell: Cell) -> bool:
    """Also one whose colon was forgotten, where roles or properties follow."""
    if property_start(cell) or known_role(cell.code) or lacks_colon(cell, kind) is None:
        return property_start(cell) is not None
    under = sheet.cell(cell.ref.row + 1, cell.ref.column)
    return known_role(under.code) or property_start(under) is not None


def _properties(
    kind: Kind, marker: Cell, cells: tuple[Cell, ...]
) -> tuple[tuple[Property, ...], tuple[Diagnostic, ...]]:
    found: list[Diagnostic] = []
    first: dict[tuple[str, str | None], Property] = {}
    for cell in cells:
        read = read_property(cell, kind, marker)
        if isinstance(read, Diagnostic):
            found.append(read)
        elif (read.word, read.language) in first:
            found.append(problems.repeated_property(cell, read.word, first[read.word, read.language].cell))
        else:
            first[read.word, read.language] = read
    return tuple(first.values()), tuple(found)


def _rows(
    sheet: Sheet, header: Header, left: int, right: int, room: int
) -> tuple[tuple[Row, ...], int, tuple[Diagnostic, ...]]:
    """The rows down to the first blank one, the last row's number, and what is wrong with cells."""
    rows: list[Row] = []
    found: list[Diagnostic] = []
    number = header.last_row + 1
    while _continues(sheet, number, left, right):
        cells = []
        for column, holds in zip(header.columns, header.holds, strict=True):
            cell, said = read_cell(sheet.spread(number, column.number), column, holds)
            cells.append(cell)
            found += said
        room -= right - left + 1
        if room < 0:
            return (), number, (problems.too_large_a_table(sheet.cell(number, left)),)
        rows.append(Row(number, tuple(cells)))
        number += 1
    return tuple(rows), number - 1, tuple(found)


def _continues(sheet: Sheet, row: int, left: int, right: int) -> bool:
    if starts_table(sheet.cell(row, left)):
        return False
    return any(not blank(sheet.spread(row, column)) for column in range(left, right + 1))


# -- what is nearly a table --------------------------------------------------------------------


def _nearly_a_table(sheet: Sheet, cell: Cell, start: Start | None, room: int) -> _Read | None:
    """A misspelled kind is told from other text by the roles that stand under it, and read as the kind it is
    near, so that whoever calls the table finds it."""
    bare = None if start else start_without_colon(cell)
    if start is None and bare is None:
        return None
    row, column = cell.ref.row + 1, cell.ref.column
    last = row + _MOST_PROPERTIES
    while row < last and property_start(sheet.cell(row, column)):
        row += 1
    known = _known_roles_from(sheet, row, column)
    if not known:
        return None
    if bare is not None:
        return _without_colon(sheet, cell, bare, row, known, room)
    assert start is not None
    near = nearest_kind(cell.code[start.word.start : start.word.end])
    if near is None and known < 2:
        return None
    said = problems.unknown_kind(cell, start.word, near, _KINDS_OFFERED)
    meant = find_kind(near) if near else None
    if meant is None or find_role(meant, sheet.cell(row, column).code, None) is None:
        return _skipped(sheet, cell, row, said)
    return _marked(sheet, cell, replace(start, kind=meant), meant, (said,), room)


def _without_colon(sheet: Sheet, cell: Cell, start: Start, row: int, known: int, room: int) -> _Read | None:
    """`Decision price` is read as meant; a sentence may begin so too, and has no roles under it."""
    said = problems.no_colon(cell, start.word)
    if start.kind is None or start.rest >= len(cell.code):
        return _skipped(sheet, cell, row, said)
    return _marked(sheet, cell, start, start.kind, (said,), room) if known > 1 else None


def _known_roles_from(sheet: Sheet, row: int, column: int) -> int:
    """Counts to two: more makes nothing surer."""
    known = 0
    while known < 2 and not blank(cell := sheet.cell(row, column)):
        known += known_role(cell.code)
        column += 1
    return known


def _skipped(sheet: Sheet, cell: Cell, roles_row: int, said: Diagnostic) -> _Read:
    """The whole block is passed over, so that one mistake has one message."""
    left = cell.ref.column
    right = max(left, role_width(sheet, roles_row, left, LAST_COLUMN))
    last = roles_row
    while _continues(sheet, last + 1, left, right):
        last += 1
    beside = frozenset((c.ref.row, c.ref.column) for c in sheet.row(cell.ref.row, left, LAST_COLUMN))
    block = Block(None, (cell.ref.row, left), (last, right), roles_row, beside)
    return _Read(None, block, (said,))
