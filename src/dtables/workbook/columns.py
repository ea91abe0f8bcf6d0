"""The row of roles and the row of names under it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from dtables.diagnostics import Diagnostic
from dtables.workbook import problems
from dtables.workbook.cells import Sheet, blank, single_spaced
from dtables.workbook.contents import is_date
from dtables.workbook.lookup import RoleFound, find_role, nearest_role, roles_of
from dtables.workbook.markers import starts_table
from dtables.workbook.tables import Cell, Column, Marker, Property
from dtables.workbook.words import PREFER, Holds, Kind, Names, OtherRoles, Role, Times, closed_word, plain

_LEVEL = "level"
_FIRST_OF_LEVELS = "parameter"
_KEY = "key"


@dataclass(frozen=True, slots=True)
class Header:
    """The columns, what each holds, and the last row that belongs to the header."""

    columns: tuple[Column, ...]
    holds: tuple[Holds, ...]
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
    left = marker.cell.ref.column
    cells = [sheet.spread(row, column) for column in range(left, right + 1)]
    headed, found = _roles(kind, marker, {said.word for said in properties}, cells)
    covered = {cell.ref for cell in cells if blank(sheet.cell(row, cell.ref.column))}
    found = tuple(d for d in found if d.where.cell not in covered)
    found = (*found, *_repeated(headed))
    named = _has_names(kind, headed)
    if named and kind.name == "scale" and _is_criterion(sheet, headed, row + 1):
        named = False
        if any(h.found.role.holds is Holds.TESTS for h in headed):
            found = (*found, problems.names_missing(sheet.cell(row + 1, left)))
    columns = tuple(_column(sheet, kind, h, row + 1 if named else None) for h in headed)
    dates = (problems.converted_to_date(c.name) for c in columns if c.name and is_date(c.name))
    header = Header(columns, tuple(h.found.role.holds for h in headed), row + named)
    return header, (*found, *dates)


def _roles(
    kind: Kind, marker: Marker, said: Collection[str], cells: Iterable[Cell]
) -> tuple[tuple[_Headed, ...], tuple[Diagnostic, ...]]:
    """An unknown role is read as the one it is near, else its column is left out."""
    listed = list(cells)
    result = marker.result.text if marker.result else None
    headed: list[_Headed] = []
    found: list[Diagnostic] = []
    levels = _by_levels(kind, listed)
    key = _misspelt_key(kind, said, listed)
    for cell in listed:
        role = levels.get(cell.ref.column) or find_role(kind, cell.code, result)
        if role is None or cell is key:
            near = nearest_role(kind, cell.code)
            found.append(problems.unknown_role(cell, kind.name, near, roles_of(kind)))
            role = find_role(kind, near, result) if near else None
        headed += [_Headed(cell, role)] if role else []
    return tuple(headed), tuple(found)


def _misspelt_key(kind: Kind, said: Collection[str], cells: list[Cell]) -> Cell | None:
    """Data that say what their keys are called, and have none: of all words only this one is no type."""
    if (
        kind.other_roles is not OtherRoles.TYPES
        or _KEY not in said
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
            found.append(problems.repeated_role(head.cell, role.name, earlier))
    return tuple(found)


def _has_names(kind: Kind, headed: tuple[_Headed, ...]) -> bool:
    match kind.names:
        case Names.NONE:
            return False
        case Names.ROW:
            return True
        case Names.LEVELS:
            return any(_says_level(h) for h in headed)


def _says_level(head: _Headed) -> bool:
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


def _column(sheet: Sheet, kind: Kind, head: _Headed, names_row: int | None) -> Column:
    number = head.cell.ref.column
    role = head.found.role
    match kind.names:
        case Names.NONE:
            name = None
        case Names.ROW:
            at = head.cell.ref
            name = single_spaced(sheet.spread(names_row, number)) if names_row else Cell(at, None, "", "")
        case Names.LEVELS:
            under = single_spaced(sheet.spread(names_row, number)) if names_row else head.cell
            name = under if role.name == _LEVEL else None
    return Column(role.name, head.found.language, name, head.cell)
