"""Rows that differ in ranges of numbers only: one question after another, each halving what is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dtables.compilers.python.code import indented
from dtables.model.regions import Cut, Region, Span

MOST_LEAVES = 4
"""So many ends per row a tree may have; else the rows are read one after another."""


@dataclass(frozen=True)
class ThresholdRow:
    """What a row of the table lets through, column by column, and the line that it ends with."""

    cells: tuple[Region, ...]
    ending: str


class TooManyLeaves(Exception):
    """The rows overlap too much."""


def write_tree(
    rows: list[ThresholdRow],
    names: tuple[str, ...],
    limits: tuple[Span, ...],
    without_hit: Callable[[], list[str]],
) -> list[str] | None:
    """Lines that end in a row's ending or without a hit; None where the tree would be too large. Cuts have
    whole keys. `names` are how each column is spelled."""
    leaves = iter(range(MOST_LEAVES * len(rows) + 4))
    try:
        return list(_grow(rows, names, limits, leaves, without_hit))
    except TooManyLeaves:
        return None


def _grow(
    rows: list[ThresholdRow],
    names: tuple[str, ...],
    box: tuple[Span, ...],
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
    below, above = _parts(box, column, cut)
    yield f"if {names[column]} {'<=' if cut.behind else '<'} {cut.key}:"
    yield from indented(_grow(live, names, below, leaves, without_hit))
    yield from _grow(live, names, above, leaves, without_hit)


def _parts(box: tuple[Span, ...], column: int, cut: Cut) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The box below the cut, and above it."""
    low, high = box[column]
    before, after = box[:column], box[column + 1 :]
    return (*before, Span(low, cut), *after), (*before, Span(cut, high), *after)


def _live(rows: list[ThresholdRow], box: tuple[Span, ...]) -> list[ThresholdRow]:
    """The rows that can fire in the box, up to one that certainly does."""
    live = []
    for row in rows:
        if all(any(_meet(p, part) for p in cell.spans) for cell, part in zip(row.cells, box, strict=True)):
            live.append(row)
            if _covers(row, box):
                break
    return live


def _covers(row: ThresholdRow, box: tuple[Span, ...]) -> bool:
    return all(any(_holds(p, part) for p in cell.spans) for cell, part in zip(row.cells, box, strict=True))


def _meet(a: Span, b: Span) -> bool:
    return _before(a.low, b.high) and _before(b.low, a.high)


def _before(low: Cut | None, high: Cut | None) -> bool:
    return low is None or high is None or low < high


def _holds(outer: Span, inner: Span) -> bool:
    low = outer.low is None or (inner.low is not None and outer.low <= inner.low)
    high = outer.high is None or (inner.high is not None and inner.high <= outer.high)
    return low and high


def _best_cut(live: list[ThresholdRow], box: tuple[Span, ...]) -> tuple[int, Cut]:
    """The one that leaves the fewest rows on its fuller side; among equals the one nearest the middle."""
    cuts = {
        (column, cut)
        for row in live
        for column, cell in enumerate(row.cells)
        for span in cell.spans
        for cut in span
        if cut is not None and _lies_in(cut, box[column])
    }

    def weight(found: tuple[int, Cut]) -> tuple[int, float, int, Cut]:
        column, cut = found
        fuller = max(len(_live(live, part)) for part in _parts(box, column, cut))
        return fuller, _off_middle(cut, box[column]), column, cut

    return min(cuts, key=weight)


def _lies_in(cut: Cut, span: Span) -> bool:
    return (span.low is None or span.low < cut) and (span.high is None or cut < span.high)


def _off_middle(cut: Cut, span: Span) -> float:
    if span.low is None or span.high is None:
        return 0.5
    low, high, middle = (float(end.key) for end in (span.low, span.high, cut))
    return abs((middle - low) / ((high - low) or 1.0) - 0.5)
