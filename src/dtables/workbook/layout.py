"""Where tables sit on a sheet: marker, properties, roles, names, rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date, time
from typing import assert_never

from dtables.diagnostics import Diagnostic, errors_in, in_order
from dtables.workbook import messages
from dtables.workbook.kinds import (
    KINDS,
    RoleFound,
    find_kind,
    find_property,
    find_role,
    known_role,
    nearest_kind,
    nearest_role,
    roles_of,
)
from dtables.workbook.language import (
    PREFER,
    Kind,
    NamesRow,
    OtherRoles,
    ReadAs,
    Role,
    Times,
    closed_word,
    plain,
)
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
from dtables.workbook.surroundings import TableArea, Taken, around, inside
from dtables.workbook.tables import (
    BookText,
    Cell,
    ColumnText,
    Marker,
    Property,
    RowText,
    Sheet,
    TableText,
    blank,
    single_spaced,
)
from dtables.workbook.tidy import with_decimal_point

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
    taken = Taken()
    for row, columns in sheet.seen.items():
        for column in taken.without(row, columns):
            read = None if taken.holds(row, column) else _table_at(sheet, sheet.cell(row, column), room)
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
    block: TableArea
    found: tuple[Diagnostic, ...]


def _table_at(sheet: Sheet, cell: Cell, room: int) -> _Read | None:
    cell = single_spaced(cell)
    start = marker_start(cell)
    if start is not None and start.kind is not None:
        return _marked(sheet, cell, start, start.kind, (), room)
    return _nearly_a_table(sheet, cell, start, room)


def _marked(
    sheet: Sheet, cell: Cell, start: Start, kind: Kind, earlier: tuple[Diagnostic, ...], room: int
) -> _Read:
    alone, behind = apart(cell)
    marker, found = read_marker(alone, start, kind)
    found = (*earlier, *found, *(messages.property_behind(cell, piece) for piece in behind))
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
    properties, diagnostics = _properties(kind, marker.cell, (*behind, *cells))
    beside = frozenset((cell.ref.row, cell.ref.column) for cell in cells)
    right = role_width(sheet, roles_row, left, limit)
    if right < left:
        diagnostics = (
            *diagnostics,
            messages.no_roles(marker.cell, sheet.ref(roles_row, left), roles_of(kind)),
        )
        return _Read(
            None,
            TableArea(kind, (top, left), (roles_row - 1, left), roles_row, beside),
            (*found, *diagnostics),
        )
    header, more = read_header(sheet, kind, marker, properties, roles_row, right)
    rows, last_row, most = _rows(sheet, header, left, right, room)
    table = TableText(kind.name, marker, properties, header.columns, rows, sheet.ref(last_row, right))
    block = TableArea(kind, (top, left), (last_row, right), roles_row, beside)
    return _Read(table, block, (*found, *diagnostics, *more, *most))


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
            found.append(messages.repeated_property(cell, read.word, first[read.word, read.language].cell))
        else:
            first[read.word, read.language] = read
    return tuple(first.values()), tuple(found)


def _rows(
    sheet: Sheet, header: Header, left: int, right: int, room: int
) -> tuple[tuple[RowText, ...], int, tuple[Diagnostic, ...]]:
    """The rows down to the first blank one, the last row's number, and what is wrong with cells."""
    rows: list[RowText] = []
    found: list[Diagnostic] = []
    number = header.last_row + 1
    columns = [
        (column.number - left, column, holds, _is_as_it_is(column, holds))
        for column, holds in zip(header.columns, header.holds, strict=True)
    ]
    while line := _row_at(sheet, number, left, right):
        cells = []
        for place, column, holds, as_it_is in columns:
            cell = line[place]
            if not as_it_is or "  " in cell.code or cell.code == _ANY_CELL:
                cell, further = read_cell(cell, column, holds)
                found += further
            cells.append(cell)
        room -= right - left + 1
        if room < 0:
            return (), number, (messages.too_large_a_table(sheet.cell(number, left)),)
        rows.append(RowText(number, tuple(cells)))
        number += 1
    return tuple(rows), number - 1, tuple(found)


def _row_at(sheet: Sheet, row: int, left: int, right: int) -> list[Cell]:
    """What the row's cells show; none where the table ends above it."""
    if starts_table(sheet.cell(row, left)):
        return []
    columns = range(left, right + 1)
    seen = [sheet.cells.get((row, column)) for column in columns]
    line = [cell for cell in seen if cell is not None and cell.typed]
    if len(line) == len(seen):
        return line
    line = [sheet.spread(row, column) for column in columns]
    return [] if all(map(blank, line)) else line


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
    known = _count_known_roles(sheet, row, column)
    if not known:
        return None
    if bare is not None:
        return _without_colon(sheet, cell, bare, row, known, room)
    assert start is not None
    near = nearest_kind(cell.code[start.word.start : start.word.end])
    if near is None and known < 2:
        return None
    finding = messages.unknown_kind(cell, start.word, near, _KINDS_OFFERED)
    nearest = find_kind(near) if near else None
    if nearest is None or find_role(nearest, sheet.cell(row, column).code, None) is None:
        return _skipped(sheet, cell, row, finding)
    return _marked(sheet, cell, replace(start, kind=nearest), nearest, (finding,), room)


def _without_colon(sheet: Sheet, cell: Cell, start: Start, row: int, known: int, room: int) -> _Read | None:
    """`Decision price` is read as meant; a sentence may begin so too, and has no roles under it."""
    finding = messages.no_colon(cell, start.word)
    if start.kind is None or start.rest >= len(cell.code):
        return _skipped(sheet, cell, row, finding)
    return _marked(sheet, cell, start, start.kind, (finding,), room) if known > 1 else None


def _count_known_roles(sheet: Sheet, row: int, column: int) -> int:
    """Counts to two: more makes nothing surer."""
    known = 0
    while known < 2 and not blank(cell := sheet.cell(row, column)):
        known += known_role(cell.code)
        column += 1
    return known


def _skipped(sheet: Sheet, cell: Cell, roles_row: int, finding: Diagnostic) -> _Read:
    """The whole block is passed over, so that one mistake has one message."""
    left = cell.ref.column
    right = max(left, role_width(sheet, roles_row, left, LAST_COLUMN))
    last = roles_row
    while _row_at(sheet, last + 1, left, right):
        last += 1
    beside = frozenset((c.ref.row, c.ref.column) for c in sheet.row(cell.ref.row, left, LAST_COLUMN))
    block = TableArea(None, (cell.ref.row, left), (last, right), roles_row, beside)
    return _Read(None, block, (finding,))


# -- columns -------------------------------------------------------------------------------------
# The row of roles and the row of names under it.

_LEVEL = "level"
_FIRST_OF_LEVELS = "parameter"
_KEY = "key"
_OUTCOME = "then"


@dataclass(frozen=True, slots=True)
class Header:
    """The columns, what each holds, and the last row that belongs to the header."""

    columns: tuple[ColumnText, ...]
    holds: tuple[ReadAs, ...]
    last_row: int


@dataclass(frozen=True, slots=True)
class _Headed:
    cell: Cell
    found: RoleFound


def role_width(sheet: Sheet, row: int, left: int, limit: int) -> int:
    """The last column of the roles that stand side by side from `left`; before `left` if there is none."""
    column = left
    while column <= limit and not blank(cell := sheet.spread(row, column)) and not starts_table(cell):
        column += 1
    return column - 1


def read_header(
    sheet: Sheet, kind: Kind, marker: Marker, properties: Iterable[Property], row: int, right: int
) -> tuple[Header, tuple[Diagnostic, ...]]:
    """Read the row of roles from the marker's column to `right`, and the row of names under it, if the kind
    and its columns have one."""
    left = marker.cell.ref.column
    cells = [sheet.spread(row, column) for column in range(left, right + 1)]
    headed, found = _roles(kind, marker, {one.word for one in properties}, cells)
    covered = {cell.ref for cell in cells if blank(sheet.cell(row, cell.ref.column))}
    found = tuple(d for d in found if d.where.cell not in covered)
    found = (*found, *_repeated(headed))
    named = _has_names(kind, headed)
    if named and kind.name == "scale" and _is_criterion(sheet, headed, row + 1):
        named = False
        if any(h.found.holds is ReadAs.TESTS for h in headed):
            found = (*found, messages.names_missing(sheet.cell(row + 1, left)))
    columns = tuple(_column(sheet, kind, h, row + 1 if named else None) for h in headed)
    dates = (messages.converted_to_date(c.name) for c in columns if c.name and is_date(c.name))
    header = Header(columns, tuple(h.found.holds for h in headed), row + named)
    return header, (*found, *dates)


def _roles(
    kind: Kind, marker: Marker, properties: Collection[str], cells: Iterable[Cell]
) -> tuple[tuple[_Headed, ...], tuple[Diagnostic, ...]]:
    """An unknown role is read as the one it is near, else its column is left out."""
    listed = list(cells)
    result = marker.result.text if marker.result else None
    headed: list[_Headed] = []
    found: list[Diagnostic] = []
    levels = _by_levels(kind, listed)
    key = _misspelt_key(kind, properties, listed)
    for cell in listed:
        role = levels.get(cell.ref.column) or find_role(kind, cell.code, result)
        if role is None or cell is key:
            near = nearest_role(kind, cell.code)
            found.append(messages.unknown_role(cell, kind.name, near, roles_of(kind)))
            role = find_role(kind, near, result) if near else None
        headed += [_Headed(cell, role)] if role else []
    return tuple(headed), tuple(found)


def _misspelt_key(kind: Kind, properties: Collection[str], cells: list[Cell]) -> Cell | None:
    """Data that say what their keys are called, and have none: of all words only this one is no type."""
    if (
        kind.other_roles is not OtherRoles.TYPES
        or _KEY not in properties
        or any(_names_key(kind, cell.code) for cell in cells)
    ):
        return None
    return next((cell for cell in cells if _names_key(kind, nearest_role(kind, cell.code))), None)


def _names_key(kind: Kind, text: str | None) -> bool:
    found = find_role(kind, text, None) if text else None
    return found is not None and found.role.name == _KEY


def _by_levels(kind: Kind, cells: list[Cell]) -> dict[int, RoleFound]:
    """Settings by level may have the levels' names themselves as roles; the first column is then the
    parameter, whatever its head says."""
    if kind.other_roles is not OtherRoles.LEVELS or find_role(kind, cells[0].code, None):
        first = find_role(kind, cells[0].code, None)
        if first is None or first.role.name != _FIRST_OF_LEVELS:
            return {}
    elif nearest_role(kind, cells[0].code):
        return {}
    level, parameter = (_role(kind, name) for name in (_LEVEL, _FIRST_OF_LEVELS))
    others = (cell for cell in cells[1:] if find_role(kind, cell.code, None) is None)
    named = {cell.ref.column: RoleFound(level) for cell in others}
    return {cells[0].ref.column: RoleFound(parameter), **named}


def _role(kind: Kind, name: str) -> Role:
    return next(role for role in kind.roles if role.name == name)


def _repeated(headed: tuple[_Headed, ...]) -> tuple[Diagnostic, ...]:
    first: dict[tuple[str, str | None], Cell] = {}
    found: list[Diagnostic] = []
    for head in headed:
        role = head.found.role
        earlier = first.setdefault((role.name, head.found.language), head.cell)
        if earlier is not head.cell and role.times is Times.ONCE:
            found.append(messages.repeated_role(head.cell, role.name, earlier))
    return tuple(found)


def _has_names(kind: Kind, headed: tuple[_Headed, ...]) -> bool:
    match kind.names:
        case NamesRow.NONE:
            return False
        case NamesRow.ROW:
            return True
        case NamesRow.LEVELS:
            return any(_is_level(h) for h in headed)
        case NamesRow.OUTCOMES:
            return any(h.found.role.name == _OUTCOME for h in headed)


def _is_level(head: _Headed) -> bool:
    role = head.found.role
    return role.name == _LEVEL and plain(head.cell.code) in map(plain, (*role.en, *role.it))


def _is_criterion(sheet: Sheet, headed: tuple[_Headed, ...], row: int) -> bool:
    """A scale without names: where the names would be stands a word of `prefer`."""
    prefer = next((h.cell.ref.column for h in headed if h.found.role.name == "prefer"), None)
    if prefer is None:
        return False
    typed = sheet.cell(row, prefer).code
    return (
        closed_word(PREFER, typed) is not None or closed_word(PREFER, " ".join(typed.split()[:2])) is not None
    )


def _column(sheet: Sheet, kind: Kind, head: _Headed, names_row: int | None) -> ColumnText:
    number = head.cell.ref.column
    role = head.found.role
    match kind.names:
        case NamesRow.NONE:
            name = None
        case NamesRow.ROW | NamesRow.OUTCOMES:
            at = head.cell.ref
            name = single_spaced(sheet.spread(names_row, number)) if names_row else Cell(at, None, "", "")
        case NamesRow.LEVELS:
            under = single_spaced(sheet.spread(names_row, number)) if names_row else head.cell
            name = under if role.name == _LEVEL else None
    return ColumnText(head.found.name, head.found.language, name, head.cell)


# -- what the cells of a role hold ------------------------------------------------------------------
# A cell under its role: what the role says about how its text is read.

_ANYTHING, _ANY_CELL = "-", "*"
_NUMBER_TYPES = ("number", "number?")


def read_cell(cell: Cell, column: ColumnText, holds: ReadAs) -> tuple[Cell, tuple[Diagnostic, ...]]:
    """Dates among expressions are left to the checker, which knows where one is wanted."""
    cell = cell if holds is ReadAs.PROSE else single_spaced(cell)
    match holds:
        case ReadAs.TESTS:
            return (cell._replace(code=_ANYTHING) if cell.code == _ANY_CELL else cell), ()
        case ReadAs.EXPRESSION:
            return _in_number_column(cell) if _is_of_numbers(column) else (cell, ())
        case (
            ReadAs.TYPE
            | ReadAs.NAME
            | ReadAs.NAMES
            | ReadAs.WORD
            | ReadAs.PLACE
            | ReadAs.NUMBER
            | ReadAs.PROSE
        ):
            return cell, ((messages.converted_to_date(cell),) if is_date(cell) else ())
        case _:
            assert_never(holds)


def _is_as_it_is(column: ColumnText, holds: ReadAs) -> bool:
    """Most cells of such a column are handed on as they are."""
    return holds is ReadAs.TESTS or (holds is ReadAs.EXPRESSION and not _is_of_numbers(column))


def _is_of_numbers(column: ColumnText) -> bool:
    return column.role == "type" and column.role_cell.code in _NUMBER_TYPES


def is_date(cell: Cell) -> bool:
    """Say whether the spreadsheet holds a date or time in the cell."""
    return isinstance(cell.value, date | time)


def _in_number_column(cell: Cell) -> tuple[Cell, tuple[Diagnostic, ...]]:
    read = with_decimal_point(cell.code)
    if read is None:
        return cell, ()
    return cell._replace(code=read), (messages.decimal_comma(cell, read),)


# -- all sheets together ----------------------------------------------------------------------------
# All sheets of a workbook together.


def book_of(
    name: str, sheets: tuple[Sheet, ...], found: tuple[Diagnostic, ...] = ()
) -> tuple[BookText, tuple[Diagnostic, ...]]:
    """`found` is what reading has reported already; everything comes back in the order of the sheets."""
    tables: list[TableText] = []
    diagnostics = list(found)
    for sheet in sheets:
        read, further = find_tables(sheet, MOST_CELLS - sum(map(area, tables)))
        tables += read
        diagnostics += further
    if not tables and not errors_in(diagnostics):
        diagnostics.append(messages.no_tables(name))
    names = tuple(sheet.name for sheet in sheets)
    return BookText(name, names, tuple(tables)), in_order(diagnostics, names)
