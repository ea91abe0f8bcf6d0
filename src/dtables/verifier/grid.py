"""Rows as boxes: what no box covers, and which boxes share a point.

Every column of a table is cut into atoms, sets of values that no cell tells apart. A row takes some atoms
of each column, one bit per atom; sets of rows are bits too, so that ten thousand rows are one number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import prod
from operator import and_

Bits = int
Box = tuple[Bits, ...]
"""Per column the atoms that belong to it."""


@dataclass(frozen=True)
class Grid:
    """`full` has all atoms of each column; a row without any atom in some column is never in force."""

    full: Box
    rows: tuple[Box, ...]

    @cached_property
    def columns(self) -> range:
        return range(len(self.full))

    @cached_property
    def counts(self) -> tuple[tuple[int, ...], ...]:
        """How many atoms each row has in each column."""
        return tuple(tuple(bits.bit_count() for bits in row) for row in self.rows)


@dataclass
class Budget:
    """How much may still be looked at: counted, not timed, so that the same table gets the same answer."""

    left: int

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise Exhausted


class Exhausted(Exception):
    """The budget is spent before the search came to its end."""


def members(bits: Bits) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def runs(bits: Bits) -> Iterator[tuple[int, int]]:
    """Stretches [start, end) of neighbouring members."""
    start = 0
    while bits:
        gap = (bits & -bits).bit_length() - 1
        bits >>= gap
        length = ((bits + 1) & ~bits).bit_length() - 1
        yield start + gap, start + gap + length
        bits >>= length
        start += gap + length


def stretch(start: int, end: int) -> Bits:
    return ((1 << (end - start)) - 1) << start


# -- rows by what they take --------------------------------------------------------------------


def rows_of(numbers: Iterable[int], rows: int) -> Bits:
    """The set of some of so many rows."""
    found = bytearray(rows // 8 + 1)
    for row in numbers:
        found[row >> 3] |= 1 << (row & 7)
    return int.from_bytes(found, "little")


def rows_by_atom(cells: Sequence[Bits], atoms: int) -> list[Bits]:
    """For each atom the rows that take it: where a stretch of a cell starts and ends, its rows change."""
    takers: dict[Bits, list[int]] = {}
    for row, cell in enumerate(cells):
        takers.setdefault(cell, []).append(row)
    changes = [0] * (atoms + 1)
    for cell, numbers in takers.items():
        rows = rows_of(numbers, numbers[-1]) if len(numbers) > 1 else 1 << numbers[0]
        for start, end in runs(cell):
            changes[start] ^= rows
            changes[end] ^= rows
    taking, found = 0, []
    for change in changes[:atoms]:
        taking ^= change
        found.append(taking)
    return found


# -- points that no box holds ------------------------------------------------------------------


def uncovered(grid: Grid, budget: Budget, meet: Sequence[Bits] = ()) -> Iterator[Box]:
    """Boxes that together are all the points no row holds; no two of them share one. `meet` has, for each
    row, the others that share a point with it: rows that share none are counted, which is sooner done
    than searching."""
    if all(grid.full) and not (meet and _add_up(grid, meet)):
        search = _Search(grid, budget, meet)
        yield from search.below((1 << len(grid.rows)) - 1, tuple(grid.columns), {})


COUNTING = 300_000
"""What counting may cost before the search is tried."""


def _add_up(grid: Grid, meet: Sequence[Bits]) -> bool:
    """Are the points that each row holds, and no row before it, as many as there are?"""
    held, budget = 0, Budget(COUNTING)
    for row, box in enumerate(grid.rows):
        earlier = meet[row] & ((1 << row) - 1)
        try:
            budget.spend(earlier.bit_count())
            alone = [box] if not earlier else uncovered(within(grid, box, members(earlier)), budget)
            held += sum(map(size, alone))
        except Exhausted:
            return False
    return held == size(grid.full)


def within(grid: Grid, box: Box, rows: Iterable[int]) -> Grid:
    """Some rows, seen inside a box only."""
    clipped = (tuple(map(and_, grid.rows[row], box)) for row in rows)
    return Grid(box, tuple(dict.fromkeys(row for row in clipped if all(row))))


def size(box: Box) -> int:
    """How many points it has."""
    return prod(bits.bit_count() for bits in box)


def holds(outer: Box, inner: Box) -> bool:
    return all(a & b == b for a, b in zip(outer, inner, strict=True))


def takes_all(boxes: Sequence[Box], other: int, row: int) -> bool:
    """Does the other row take all of this one? Of two equal rows the earlier one does."""
    return holds(boxes[other], boxes[row]) and (other < row or boxes[other] != boxes[row])


@dataclass
class _Search:
    """Splits column by column and keeps the rows still in question; what was found covered once is not
    searched again."""

    grid: Grid
    budget: Budget
    meet: Sequence[Bits]
    covered: set[tuple[Bits, tuple[int, ...]]] = field(default_factory=set)

    def below(self, alive: Bits, columns: tuple[int, ...], chosen: dict[int, Bits]) -> Iterator[Box]:
        """Where `chosen` says which atoms of some columns are looked at, the rows in `alive` take these, and
        the other `columns` are left to look at."""
        if not alive:
            yield tuple(chosen.get(column, full) for column, full in enumerate(self.grid.full))
            return
        if self._one_covers(alive, columns) or (alive, columns) in self.covered:
            return
        if self._counted(alive, columns):
            return
        column = min(columns, key=lambda c: (alive & self.indifferent[c]).bit_count())
        rest = tuple(c for c in columns if c != column)
        clean = True
        for rows, atoms in self._split(alive, column).items():
            for box in self.below(rows, rest, {**chosen, column: atoms}):
                clean = False
                yield box
        if clean:
            self.covered.add((alive, columns))

    def _one_covers(self, alive: Bits, columns: tuple[int, ...]) -> bool:
        """Does some row take all of the columns that are left?"""
        for column in columns:
            alive &= self.indifferent[column]
        return bool(alive)

    def _counted(self, alive: Bits, columns: tuple[int, ...]) -> bool:
        """Rows that do not meet hold everything where their points are as many as there are."""
        if not self.meet:
            return False
        held, counts = 0, self.grid.counts
        for row in members(alive):
            if self.meet[row] & alive:
                return False
            own = counts[row]
            held += prod([own[column] for column in columns])
            self.budget.spend(1)
        return held == prod([self.grid.full[column].bit_count() for column in columns])

    def _split(self, alive: Bits, column: int) -> dict[Bits, Bits]:
        """The atoms of a column, grouped by the rows that are left with them."""
        stretches = self.stretches[column]
        few = alive.bit_count()
        parts = self._own_stretches(alive, column) if 4 * few < len(stretches) else stretches
        self.budget.spend(len(parts) + len(self.grid.full))
        groups: dict[Bits, Bits] = {}
        for start, end, rows in parts:
            left = rows & alive
            groups[left] = groups.get(left, 0) | stretch(start, end)
        return groups

    def _own_stretches(self, alive: Bits, column: int) -> list[tuple[int, int, Bits]]:
        """The same for few rows, without going through all atoms."""
        changes: dict[int, Bits] = {}
        for row in members(alive):
            for start, end in runs(self.grid.rows[row][column]):
                changes[start] = changes.get(start, 0) ^ 1 << row
                changes[end] = changes.get(end, 0) ^ 1 << row
        return _swept(changes, self.grid.full[column])

    @cached_property
    def indifferent(self) -> list[Bits]:
        """Per column the rows that take all of it."""
        return [
            rows_of((n for n, row in enumerate(self.grid.rows) if row[column] == full), len(self.grid.rows))
            for column, full in enumerate(self.grid.full)
        ]

    @cached_property
    def stretches(self) -> list[list[tuple[int, int, Bits]]]:
        found = []
        for column, full in enumerate(self.grid.full):
            by_atom = rows_by_atom([row[column] for row in self.grid.rows], full.bit_length())
            changes = {n: by_atom[n] ^ (by_atom[n - 1] if n else 0) for n in range(len(by_atom))}
            found.append(_swept(changes, full))
        return found


def _swept(changes: dict[int, Bits], full: Bits) -> list[tuple[int, int, Bits]]:
    """Stretches of the atoms in `full` between the places where rows begin or end."""
    edges = sorted({*(n for n, rows in changes.items() if rows), *(e for run in runs(full) for e in run)})
    rows, found = 0, []
    for start, end in pairwise(edges):
        rows ^= changes.get(start, 0)
        if full >> start & 1:
            found.append((start, end, rows))
    return found
