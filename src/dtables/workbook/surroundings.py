"""What a sheet says in and around its tables: merges, hidden lines, cells that belong to nobody."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dtables.diagnostics import Diagnostic
from dtables.workbook import messages
from dtables.workbook.kinds import find_role
from dtables.workbook.language import Kind
from dtables.workbook.markers import marker_start
from dtables.workbook.tables import Cell, Merge, Position, Sheet, blank

NEAR_ROWS = 3
"""Text so few rows below a table was perhaps meant to be part of it."""


@dataclass(frozen=True, slots=True)
class TableArea:
    """The cells of one table: from the marker to the last row, and its properties `beside` the marker.
    `kind` is None where the table could not be read."""

    kind: Kind | None
    first: Position
    last: Position
    roles_row: int
    beside: frozenset[Position]

    def covers(self, row: int, column: int) -> bool:
        """Under the marker only as far as there are roles above."""
        right = self.last[1] if row >= self.roles_row else self.first[1]
        rows = self.first[0] <= row <= self.last[0]
        return (rows and self.first[1] <= column <= right) or (row, column) in self.beside


class Taken:
    """Which cells of a sheet belong to a table already."""

    def __init__(self) -> None:
        self.blocks: list[TableArea] = []
        self._in_row: dict[int, tuple[TableArea, ...]] = {}

    def add(self, block: TableArea) -> None:
        self.blocks.append(block)
        alone = (block,)
        for row in range(block.first[0], block.last[0] + 1):
            others = self._in_row.get(row)
            self._in_row[row] = alone if others is None else others + alone

    def owner(self, position: Position) -> TableArea | None:
        """The last one that took it."""
        blocks = self._in_row.get(position[0], ())
        return next((block for block in reversed(blocks) if block.covers(*position)), None)

    def touched(self, merge: Merge) -> TableArea | None:
        """The first table whose roles or rows the merged cells lie in."""
        rows = range(merge.first[0], merge.last[0] + 1)
        blocks = (block for row in rows for block in self._in_row.get(row, ()))
        return next((block for block in blocks if block.kind and _touches(merge, block)), None)

    def holds(self, row: int, column: int) -> bool:
        return any(block.covers(row, column) for block in self._in_row.get(row, ()))

    def without(self, row: int, columns: Iterable[int]) -> Iterable[int]:
        """Those columns of a row that no table has."""
        if row not in self._in_row:
            return columns
        return [column for column in columns if not self.holds(row, column)]


# -- inside ------------------------------------------------------------------------------------


def inside(sheet: Sheet, taken: Taken) -> list[Diagnostic]:
    """What is wrong with cells that tables have; a table that could not be read raises nothing more."""
    owners = ((taken.owner(position), trouble) for position, trouble in sheet.troubles.items())
    found = [trouble for owner, trouble in owners if owner is not None and owner.kind is not None]
    for merge in sheet.merges:
        found += _merge(sheet, taken, merge)
    for block in taken.blocks:
        found += _hidden(sheet, block) if block.kind is not None else []
    return found


def _merge(sheet: Sheet, taken: Taken, merge: Merge) -> list[Diagnostic]:
    """A marker and its properties may be merged: each fills one cell anyway."""
    block = taken.touched(merge)
    if block is None:
        return []
    first, last = sheet.ref(*merge.first), sheet.ref(*merge.last)
    typed = sheet.cell(*merge.first).typed
    down = first.column == last.column and first.row > block.roles_row
    if down and first.column == block.first[1]:
        return [messages.merged_key(first, last, typed)]
    return [messages.merged_cells(first, last, typed)]


def _touches(merge: Merge, block: TableArea) -> bool:
    rows = merge.first[0] <= block.last[0] and merge.last[0] >= block.roles_row
    return rows and merge.first[1] <= block.last[1] and merge.last[1] >= block.first[1]


def _hidden(sheet: Sheet, block: TableArea) -> list[Diagnostic]:
    top, bottom, left, right = block.roles_row, block.last[0], block.first[1], block.last[1]
    rows = _runs(r for r in range(top, bottom + 1) if r in sheet.hidden_rows)
    columns = _runs(c for c in range(left, right + 1) if c in sheet.hidden_columns)
    found = [messages.hidden_rows(sheet.ref(a, left), sheet.ref(b, right)) for a, b in rows]
    return found + [messages.hidden_columns(sheet.ref(top, a), sheet.ref(bottom, b)) for a, b in columns]


def _runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


# -- around ------------------------------------------------------------------------------------


def around(sheet: Sheet, taken: Taken) -> list[Diagnostic]:
    """Cells that no table has, but that stand where an author may think they count."""
    found: list[Diagnostic] = []
    for block in taken.blocks:
        if block.kind is not None:
            found += _gap(sheet, block, block.kind, taken)
            found += _beside(sheet, block, taken)
            found += _below(sheet, block, taken)
    return found


def _stray(sheet: Sheet, taken: Taken, row: int, left: int, right: int) -> list[Cell]:
    return [cell for cell in sheet.row(row, left, right) if not taken.holds(row, cell.ref.column)]


def _gap(sheet: Sheet, block: TableArea, kind: Kind, taken: Taken) -> list[Diagnostic]:
    """A role right of an empty role cell, with no other table between."""
    right = block.last[1]
    gap = sheet.ref(block.roles_row, right + 1)
    for cell in sheet.row(block.roles_row, right + 1, right + NEAR_ROWS):
        if taken.holds(cell.ref.row, cell.ref.column):
            break
        own = find_role(kind, cell.code, None)
        if own is not None and own.role.en:
            return [messages.gap_in_roles(cell, gap)]
    return []


def _beside(sheet: Sheet, block: TableArea, taken: Taken) -> list[Diagnostic]:
    found = []
    for column in (block.first[1] - 1, block.last[1] + 1):
        rows = range(block.roles_row, block.last[0] + 1)
        seen = ((row, sheet.cells.get((row, column))) for row in rows)
        cells = [c for row, c in seen if c and not blank(c) and not taken.holds(row, column)]
        if cells:
            role = sheet.ref(block.roles_row, column)
            found.append(messages.column_without_role(cells[0].ref, cells[-1].ref, role, cells[0].typed))
    return found


def _below(sheet: Sheet, block: TableArea, taken: Taken) -> list[Diagnostic]:
    left, right = block.first[1], block.last[1]
    blank_row = block.last[0] + 1
    cells = [
        cell
        for row in range(blank_row + 1, blank_row + 1 + NEAR_ROWS)
        for cell in _stray(sheet, taken, row, left, right)
        if not _heads_a_table(sheet, taken, row, left, right)
    ]
    if not cells:
        return []
    return [messages.text_below(cells[0].ref, cells[-1].ref, blank_row, cells[0].typed)]


def _heads_a_table(sheet: Sheet, taken: Taken, row: int, left: int, right: int) -> bool:
    """The line right above a marker is its heading."""
    under = sheet.row(row + 1, left, right)
    return any(taken.holds(row + 1, cell.ref.column) and marker_start(cell) for cell in under)
