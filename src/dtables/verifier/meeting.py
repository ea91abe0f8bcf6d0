"""Which rows share a point with which others: rows meet when they meet in every column."""

from __future__ import annotations

from typing import NamedTuple

from dtables.verifier.grid import Bits, Box, Grid, rows_by_atom, rows_of, runs

BLOCK = 8_192
"""Rows that are looked at together: what is known of them for each cell has to fit into memory."""
MOST_BITS = 1 << 31
"""Of all that is found: a quarter of a gigabyte."""
MOST_PAIRS = 10_000_000
"""What looking at each of them may cost: half a minute at most."""


class Meeting(NamedTuple):
    """For each row the other rows that share a point with it. Not `whole`: those that were found until it
    became too much."""

    rows: list[Bits]
    whole: bool


def meeting(grid: Grid) -> Meeting:
    found, bits, pairs = [0] * len(grid.rows), 0, 0
    for start in range(0, len(grid.rows), BLOCK):
        block = _Block(grid, grid.rows[start : start + BLOCK])
        for row, box in enumerate(grid.rows):
            others = block.touching(box) << start
            if others:
                others &= ~(1 << row)
                found[row] |= others
                bits += others.bit_length()
                pairs += others.bit_count()
            if bits > MOST_BITS or pairs > MOST_PAIRS:
                return Meeting(found, False)
    return Meeting(found, True)


class _Block:
    """Some rows, and for each column those that a cell touches."""

    def __init__(self, grid: Grid, rows: tuple[Box, ...]) -> None:
        self._alive = rows_of((row for row, box in enumerate(rows) if all(box)), len(rows))
        self._full = grid.full
        self._columns = [
            _Touched([box[n] for box in rows], full.bit_length()) for n, full in enumerate(grid.full)
        ]

    def touching(self, box: Box) -> Bits:
        found = self._alive
        for column, bits, full in zip(self._columns, box, self._full, strict=True):
            if bits != full:
                found &= column[bits]
            if not found:
                break
        return found


class _Touched(dict[Bits, Bits]):
    """Of one column, the rows whose cells share an atom with a cell: worked out when it is asked for."""

    def __init__(self, cells: list[Bits], atoms: int) -> None:
        super().__init__({0: 0})
        self._atoms = atoms
        self._tree = _tree(rows_by_atom(cells, atoms))

    def __missing__(self, cell: Bits) -> Bits:
        found = self[cell] = _any_in(self._tree, self._atoms, cell)
        return found


def _tree(leaves: list[Bits]) -> list[Bits]:
    """Each node is what its two children take together, the leaves last."""
    size = len(leaves)
    tree = [0] * size + leaves
    for node in range(size - 1, 0, -1):
        tree[node] = tree[2 * node] | tree[2 * node + 1]
    return tree


def _any_in(tree: list[Bits], size: int, cell: Bits) -> Bits:
    """What the leaves of a cell's atoms take together; of a long stretch few nodes are looked at."""
    found = 0
    for start, end in runs(cell):
        low, high = start + size, end + size
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
