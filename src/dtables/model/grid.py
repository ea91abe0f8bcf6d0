"""Rows of cells as boxes of classes, and which of them may fire together.

A grid is made of lines and of what each row lets through on each of them; it knows nothing of the table that
they come from. Sets of rows are bits, so that ten thousand rows are one number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from dtables.limits import LIMITS
from dtables.model.regions import Axis, Bits, Line, Region, axis

Box = tuple[Bits, ...]
"""For each line the classes that a row takes."""


@dataclass(frozen=True)
class RowGrid:
    """`full` is what can come on each line, and `rows` have what they let through of it. Where only
    evaluation can tell, that may be anything: `opaque` has, of each row, the lines of such cells."""

    axes: tuple[Axis, ...]
    full: tuple[Region, ...]
    rows: tuple[tuple[Region, ...], ...]
    opaque: tuple[frozenset[int], ...]

    @property
    def fineness(self) -> int:
        """How many bits all boxes have: of a table too large for that `boxes` is not to be asked for."""
        return len(self.rows) * sum(one.count for one in self.axes)

    @cached_property
    def whole(self) -> Box:
        """The box of everything that can come."""
        return tuple(one.bits(region) for one, region in zip(self.axes, self.full, strict=True))

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The box of each row, in their order; computed at once for all."""
        known: list[dict[Region, Bits]] = [{} for _ in self.axes]
        return tuple(tuple(self._bits(known[n], n, cell) for n, cell in enumerate(row)) for row in self.rows)

    def _bits(self, known: dict[Region, Bits], line: int, cell: Region) -> Bits:
        if cell not in known:
            known[cell] = self.axes[line].bits(cell)
        return known[cell]


def grid(
    lines: Sequence[Line], rows: Iterable[Sequence[Region | None]], full: Sequence[Region] | None = None
) -> RowGrid:
    """Each row has a region for each line, None where only evaluation can tell. `full` is what can come, if
    that is not everything."""
    written = [tuple(row) for row in rows]
    whole = tuple(line.full for line in lines) if full is None else tuple(full)
    limits = [None if on == line.full else on for line, on in zip(lines, whole, strict=True)]
    clipped = tuple(tuple(map(_clipped, row, whole, limits)) for row in written)
    opaque = tuple(frozenset(n for n, cell in enumerate(row) if cell is None) for row in written)
    cut_by = zip(*clipped, strict=True) if clipped else ((),) * len(lines)
    axes = tuple(axis(line, {*regions, on}) for line, regions, on in zip(lines, cut_by, whole, strict=True))
    return RowGrid(axes, whole, clipped, opaque)


def _clipped(cell: Region | None, full: Region, limit: Region | None) -> Region:
    """All regions lie on their line."""
    if cell is None or cell is full:
        return full
    return cell if limit is None else cell & limit


# -- sets as bits --------------------------------------------------------------------------------


def members(bits: Bits) -> Iterator[int]:
    """Go through the numbers of a set, the smallest first."""
    digits = f"{bits:b}"[::-1]
    place = digits.find("1")
    while place >= 0:
        yield place
        place = digits.find("1", place + 1)


def bits_of(numbers: Iterable[int], most: int) -> Bits:
    """The set of some of the numbers from 0 to `most`."""
    found = bytearray(most // 8 + 1)
    for number in numbers:
        found[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(found, "little")


# -- rows that may fire together -----------------------------------------------------------------

BLOCK = 8_192
"""Rows that are looked at together: what is known of them for each class has to fit into memory."""


class Meeting(NamedTuple):
    """For each row the other rows that may fire when it does. Not `complete`: those that were found until it
    became too much."""

    rows: list[Bits]
    complete: bool

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Each once, the earlier row first."""
        for row, others in enumerate(self.rows):
            yield from ((row, row + 1 + other) for other in members(others >> (row + 1)))


def meeting(grid: RowGrid, block: int = BLOCK) -> Meeting:
    """Two rows may fire together when every line has a value that both let through; of values without a key
    nothing is said. A pair that is found counts twice towards the most."""
    found, bits, pairs = [0] * len(grid.rows), 0, 0
    for start in range(0, len(grid.rows), block):
        some = _Block(grid, grid.rows[start : start + block])
        for row, cells in enumerate(grid.rows):
            others = some.touching(cells) << start
            if others:
                others &= ~(1 << row)
                found[row] |= others
                bits += others.bit_length()
                pairs += others.bit_count()
            if bits > LIMITS.grid_bits or pairs > LIMITS.meeting_pairs:
                return Meeting(found, False)
    return Meeting(found, True)


class _Block:
    """Some rows, and for each line those that a cell touches."""

    def __init__(self, grid: RowGrid, rows: Sequence[Sequence[Region]]) -> None:
        self._alive = bits_of((n for n, row in enumerate(rows) if all(row)), len(rows))
        self._full = grid.full
        self._lines = [_Touched(on, [row[n] for row in rows]) for n, on in enumerate(grid.axes)]

    def touching(self, cells: Sequence[Region]) -> Bits:
        found = self._alive
        for line, cell, full in zip(self._lines, cells, self._full, strict=True):
            if cell != full:
                found &= line[cell]
            if not found:
                break
        return found


class _Touched(dict[Region, Bits]):
    """Of one line, the rows whose cells share a class with a cell: worked out when it is asked for."""

    def __init__(self, on: Axis, cells: Sequence[Region]) -> None:
        super().__init__()
        self._axis = on
        self._tree = _tree(_rows_by_class(on, cells))

    def __missing__(self, cell: Region) -> Bits:
        size = self._axis.count
        found = 0
        for run in self._axis.runs(cell):
            found |= _any_in(self._tree, run.start + size, run.stop + size)
        self[cell] = found
        return found


def _rows_by_class(on: Axis, cells: Sequence[Region]) -> list[Bits]:
    """For each class the rows that take it: where a run of a cell starts and ends, its rows change."""
    takers: dict[Region, list[int]] = {}
    for row, cell in enumerate(cells):
        takers.setdefault(cell, []).append(row)
    changes = [0] * (on.count + 1)
    for cell, numbers in takers.items():
        rows = bits_of(numbers, numbers[-1]) if len(numbers) > 1 else 1 << numbers[0]
        for run in on.runs(cell):
            changes[run.start] ^= rows
            changes[run.stop] ^= rows
    taking, found = 0, []
    for change in changes[: on.count]:
        taking ^= change
        found.append(taking)
    return found


def _tree(leaves: list[Bits]) -> list[Bits]:
    """Each node is what its two children take together, the leaves last."""
    size = len(leaves)
    tree = [0] * size + leaves
    for node in range(size - 1, 0, -1):
        tree[node] = tree[2 * node] | tree[2 * node + 1]
    return tree


def _any_in(tree: list[Bits], low: int, high: int) -> Bits:
    """What the leaves from `low` to before `high` take together: of a long run few nodes are looked at."""
    found = 0
    while low < high:
        if low & 1:
            found |= tree[low]
            low += 1
        if high & 1:
            high -= 1
            found |= tree[high]
        low >>= 1
        high >>= 1
    return found
