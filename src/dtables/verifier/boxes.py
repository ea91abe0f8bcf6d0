"""Rows as boxes of classes: what no box covers, and which boxes lie inside others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import prod
from operator import and_
from types import MappingProxyType

from dtables.model.grid import Box, bits_of, members
from dtables.model.regions import Bits


@dataclass(frozen=True)
class Boxes:
    """`full` has all classes of each column; a row without any class of some column is never in force."""

    full: Box
    rows: tuple[Box, ...]
    ranks: tuple[Sequence[int], ...] = ()
    """Of columns whose classes are not looked at as they lie, the place of each class."""

    @cached_property
    def columns(self) -> range:
        return range(len(self.full))

    @cached_property
    def counts(self) -> tuple[tuple[int, ...], ...]:
        """How many classes each row has of each column."""
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


# -- points that no box holds ------------------------------------------------------------------


def uncovered(boxes: Boxes, budget: Budget, meet: Sequence[Bits] = ()) -> Iterator[Box]:
    """Boxes that together are all the points no row holds; no two of them share one. `meet` has, for each
    row, the others that share a point with it: rows that share none are counted, which is sooner done
    than searching."""
    if all(boxes.full) and not (meet and _add_up(boxes, meet)):
        search = _Search(boxes, budget, meet)
        yield from search.below((1 << len(boxes.rows)) - 1, tuple(boxes.columns), {})


COUNTING = 300_000
"""What counting may cost before the search is tried."""


def _add_up(boxes: Boxes, meet: Sequence[Bits]) -> bool:
    """Are the points that each row holds, and no row before it, as many as there are?"""
    held, budget = 0, Budget(COUNTING)
    for row, box in enumerate(boxes.rows):
        earlier = meet[row] & ((1 << row) - 1)
        try:
            budget.spend(earlier.bit_count())
            alone = [box] if not earlier else uncovered(within(boxes, box, members(earlier)), budget)
            held += sum(map(size, alone))
        except Exhausted:
            return False
    return held == size(boxes.full)


def within(boxes: Boxes, box: Box, rows: Iterable[int]) -> Boxes:
    """Some rows, seen inside a box only."""
    clipped = (tuple(map(and_, boxes.rows[row], box)) for row in rows)
    return Boxes(box, tuple(dict.fromkeys(row for row in clipped if all(row))))


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

    boxes: Boxes
    budget: Budget
    meet: Sequence[Bits]
    covered: set[tuple[Bits, tuple[int, ...]]] = field(default_factory=set)
    sizes: dict[tuple[int, ...], dict[int, int]] = field(default_factory=dict)
    """Of some columns, how many points rows have of them."""

    def below(
        self, alive: Bits, columns: tuple[int, ...], chosen: dict[int, Bits], short: bool = False
    ) -> Iterator[Box]:
        """Where `chosen` says which classes of some columns are looked at, the rows in `alive` take these,
        and the other `columns` are left to look at. `short`: it has been counted that the rows, which do
        not meet, hold less than there is."""
        if not alive:
            yield tuple(chosen.get(column, full) for column, full in enumerate(self.boxes.full))
            return
        if not short:
            if self._one_covers(alive, columns) or (alive, columns) in self.covered:
                return
            if self._apart(alive):
                if self._held(alive, columns) == self._points(columns):
                    return
                short = True
        column = min(columns, key=lambda c: (alive & self.indifferent[c]).bit_count())
        rest = tuple(c for c in columns if c != column)
        clean = True
        for rows, classes in self._split(alive, column, rest if short else None).items():
            for box in self.below(rows, rest, {**chosen, column: classes}, short):
                clean = False
                yield box
        if clean:
            self.covered.add((alive, columns))

    def _one_covers(self, alive: Bits, columns: tuple[int, ...]) -> bool:
        """Does some row take all of the columns that are left?"""
        for column in columns:
            alive &= self.indifferent[column]
        return bool(alive)

    def _apart(self, alive: Bits) -> bool:
        """Is it known that no two of the rows meet?"""
        for row in members(alive & self.meeting):
            if self.meet[row] & alive:
                return False
            self.budget.spend(1)
        return bool(self.meet)

    @cached_property
    def meeting(self) -> Bits:
        """The rows that share a point with some other row."""
        return bits_of((row for row, others in enumerate(self.meet) if others), len(self.meet))

    def _held(self, alive: Bits, columns: tuple[int, ...]) -> int:
        """How many points of some columns rows hold that do not meet."""
        self.budget.spend(alive.bit_count())
        sizes = self.sizes.setdefault(columns, {})
        return sum([sizes.get(row) or self._size(row, columns) for row in members(alive)])

    def _size(self, row: int, columns: tuple[int, ...]) -> int:
        own = self.boxes.counts[row]
        found = self.sizes[columns][row] = prod([own[column] for column in columns])
        return found

    def _points(self, columns: tuple[int, ...]) -> int:
        return prod([self.boxes.full[column].bit_count() for column in columns])

    def _split(self, alive: Bits, column: int, short_of: tuple[int, ...] | None) -> dict[Bits, Bits]:
        """The classes of a column, grouped by the rows that are left with them. Of rows that do not meet only
        those with which they hold less than there is of the columns that they are `short_of`."""
        stretches = self.stretches[column]
        if short_of is not None:
            parts = self._short_stretches(alive, column, short_of)
        elif 4 * alive.bit_count() < len(stretches):
            parts = self._own_stretches(alive, column)
        else:
            parts = stretches
        if self.boxes.ranks and (ranks := self.boxes.ranks[column]):
            parts = sorted(parts, key=lambda part: min(ranks[part[0] : part[1]]))
        self.budget.spend(len(parts) + len(self.boxes.full))
        groups: dict[Bits, Bits] = {}
        for start, end, rows in parts:
            left = rows & alive
            groups[left] = groups.get(left, 0) | stretch(start, end)
        return groups

    def _own_stretches(self, alive: Bits, column: int) -> list[tuple[int, int, Bits]]:
        """The same for few rows, without going through all classes."""
        changes: dict[int, Bits] = {}
        for row in members(alive):
            for edge in self._edges(row, column):
                changes[edge] = changes.get(edge, 0) ^ 1 << row
        return _swept(changes, self.boxes.full[column])

    def _short_stretches(
        self, alive: Bits, column: int, rest: tuple[int, ...]
    ) -> list[tuple[int, int, Bits]]:
        """The same for rows that do not meet, without stretches where they hold all of the `rest`: what they
        hold is counted along, as rows begin and end."""
        self.budget.spend(alive.bit_count())
        changes: dict[int, Bits] = {}
        gains: dict[int, int] = {}
        sizes = self.sizes.setdefault(rest, {})
        for row in members(alive):
            bit, gain = 1 << row, sizes.get(row) or self._size(row, rest)
            for edge in self._edges(row, column):
                changes[edge] = changes.get(edge, 0) ^ bit
                gains[edge] = gains.get(edge, 0) + gain
                gain = -gain
        return _swept(changes, self.boxes.full[column], gains, self._points(rest))

    def _edges(self, row: int, column: int) -> tuple[int, ...]:
        """Where the stretches of a cell start and end, in turns."""
        cell = self.boxes.rows[row][column]
        known = self.edges[column]
        if cell not in known:
            known[cell] = tuple(edge for run in runs(cell) for edge in run)
        return known[cell]

    @cached_property
    def edges(self) -> list[dict[Bits, tuple[int, ...]]]:
        return [{} for _ in self.boxes.full]

    @cached_property
    def indifferent(self) -> list[Bits]:
        """Per column the rows that take all of it."""
        rows = self.boxes.rows
        return [
            bits_of((n for n, row in enumerate(rows) if row[column] == full), len(rows))
            for column, full in enumerate(self.boxes.full)
        ]

    @cached_property
    def stretches(self) -> list[list[tuple[int, int, Bits]]]:
        return [
            _swept(_changes([row[column] for row in self.boxes.rows]), full)
            for column, full in enumerate(self.boxes.full)
        ]


def _changes(cells: Sequence[Bits]) -> dict[int, Bits]:
    """The classes with which some rows begin or end, and which rows these are."""
    takers: dict[Bits, list[int]] = {}
    for row, cell in enumerate(cells):
        takers.setdefault(cell, []).append(row)
    found: dict[int, Bits] = {}
    for cell, numbers in takers.items():
        rows = bits_of(numbers, numbers[-1]) if len(numbers) > 1 else 1 << numbers[0]
        for edge in (edge for run in runs(cell) for edge in run):
            found[edge] = found.get(edge, 0) ^ rows
    return found


def _swept(
    changes: dict[int, Bits], full: Bits, gains: Mapping[int, int] = MappingProxyType({}), whole: int = -1
) -> list[tuple[int, int, Bits]]:
    """Stretches of the classes in `full` between the places where rows begin or end. `gains` has how much
    more rows hold from there on; stretches where they hold the `whole` are left out."""
    edges = sorted({*(n for n, rows in changes.items() if rows), *(e for run in runs(full) for e in run)})
    rows, held, found = 0, 0, []
    for start, end in pairwise(edges):
        rows ^= changes.get(start, 0)
        held += gains.get(start, 0)
        if held != whole and full >> start & 1:
            found.append((start, end, rows))
    return found
