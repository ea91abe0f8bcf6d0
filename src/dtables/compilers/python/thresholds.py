"""Rows that differ in ranges of numbers only: one question after another, each halving what is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from dtables.compilers.python.boxes import Bound, Intervals, Part, first_whole, overlap
from dtables.compilers.python.code import indented

MOST_LEAVES = 4
"""So many ends per row a tree may have; else the rows are read one after another."""

Cut = tuple[int, Bound]


@dataclass(frozen=True)
class Row:
    """What a row of the table lets through, column by column, and the line that it ends with."""

    cells: tuple[Intervals, ...]
    ending: str


@dataclass(frozen=True)
class Columns:
    """How each column is spelled, and where whole numbers alone stand."""

    names: tuple[str, ...]
    whole: tuple[bool, ...]


class TooManyLeaves(Exception):
    """The rows overlap too much."""


def write_tree(
    rows: list[Row], columns: Columns, limits: tuple[Part, ...], without_hit: Callable[[], list[str]]
) -> list[str] | None:
    """Lines that end in a row's ending or without a hit; None where the tree would be too large."""
    leaves = iter(range(MOST_LEAVES * len(rows) + 4))
    sharpened = [replace(row, cells=_sharpened(row.cells, columns)) for row in rows]
    try:
        return list(_grow(sharpened, columns, _sharp_parts(limits, columns), leaves, without_hit))
    except TooManyLeaves:
        return None


def _sharpened(cells: tuple[Intervals, ...], columns: Columns) -> tuple[Intervals, ...]:
    return tuple(
        Intervals(_sharp_parts(cell.parts, replace(columns, whole=(whole,) * len(cell.parts))))
        for cell, whole in zip(cells, columns.whole, strict=True)
    )


def _sharp_parts(parts: tuple[Part, ...], columns: Columns) -> tuple[Part, ...]:
    """Of whole numbers a cut after 3 is one before 4."""
    return tuple(
        (_sharp(low), _sharp(high)) if whole else (low, high)
        for (low, high), whole in zip(parts, columns.whole, strict=True)
    )


def _sharp(cut: Bound | None) -> Bound | None:
    return None if cut is None else (first_whole(cut), 0)


def _grow(
    rows: list[Row],
    columns: Columns,
    box: tuple[Part, ...],
    leaves: Iterator[int],
    without_hit: Callable[[], list[str]],
) -> Iterator[str]:
    live = _live(rows, box)
    if not live or _covers(live[0], box):
        if next(leaves, None) is None:
            raise TooManyLeaves
        yield from [live[0].ending] if live else without_hit()
        return
    column, cut = _best_cut(live, box)
    number, after = cut
    yield f"if {columns.names[column]} {'<=' if after else '<'} {number}:"
    yield from indented(
        _grow(live, columns, _with_part(box, column, (box[column][0], cut)), leaves, without_hit)
    )
    yield from _grow(live, columns, _with_part(box, column, (cut, box[column][1])), leaves, without_hit)


def _with_part(box: tuple[Part, ...], column: int, part: Part) -> tuple[Part, ...]:
    return (*box[:column], part, *box[column + 1 :])


def _live(rows: list[Row], box: tuple[Part, ...]) -> list[Row]:
    """The rows that can fire in the box, up to one that certainly does."""
    live = []
    for row in rows:
        if all(any(overlap(p, part) for p in cell.parts) for cell, part in zip(row.cells, box, strict=True)):
            live.append(row)
            if _covers(row, box):
                break
    return live


def _covers(row: Row, box: tuple[Part, ...]) -> bool:
    return all(any(_holds(p, part) for p in cell.parts) for cell, part in zip(row.cells, box, strict=True))


def _holds(outer: Part, inner: Part) -> bool:
    low = outer[0] is None or (inner[0] is not None and outer[0] <= inner[0])
    high = outer[1] is None or (inner[1] is not None and inner[1] <= outer[1])
    return low and high


def _best_cut(live: list[Row], box: tuple[Part, ...]) -> Cut:
    """The one that leaves the fewest rows on its fuller side; among equals the one nearest the middle."""
    cuts = {
        (column, cut)
        for row in live
        for column, cell in enumerate(row.cells)
        for part in cell.parts
        for cut in part
        if cut is not None and _lies_in(cut, box[column])
    }

    def weight(found: Cut) -> tuple[int, float, int, Bound]:
        column, cut = found
        low, high = box[column]
        left = len(_live(live, _with_part(box, column, (low, cut))))
        right = len(_live(live, _with_part(box, column, (cut, high))))
        return max(left, right), _off_middle(cut, box[column]), column, cut

    return min(cuts, key=weight)


def _lies_in(cut: Bound, part: Part) -> bool:
    return (part[0] is None or part[0] < cut) and (part[1] is None or cut < part[1])


def _off_middle(cut: Bound, part: Part) -> float:
    low, high = part
    if low is None or high is None:
        return 0.5
    width = float(high[0] - low[0]) or 1.0
    return abs(float(cut[0] - low[0]) / width - 0.5)
