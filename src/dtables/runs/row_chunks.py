"""Rows of a table as a piece of a log: made into records by whom they reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from dtables.runs.columns import Column, Row
from dtables.runs.jsonlines import Line

ROWS = 1_000
WEIGHT = 1024 * 1024
"""Of the rows of a piece: about the bytes of what stands in them."""
EACH = 64
"""What a value takes besides."""

Read = Callable[[Row, tuple[Column, ...]], Line]


@dataclass(frozen=True, slots=True)
class RowChunk:
    """`read` is the reading of a row: of text, or of cells that have types of their own."""

    file: str | None
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    read: Read
    weight: int

    @property
    def records(self) -> int:
        return len(self.rows)

    def lines(self) -> Iterator[Line]:
        return (self.read(row, self.columns) for row in self.rows)


def row_chunks(
    file: str | None, columns: tuple[Column, ...], rows: Iterable[tuple[Row, int]], read: Read
) -> Iterator[RowChunk]:
    """Of rows with their weights."""
    some: list[Row] = []
    weight = 0
    for row, more in rows:
        some.append(row)
        weight += more
        if len(some) == ROWS or weight >= WEIGHT:
            yield RowChunk(file, columns, tuple(some), read, weight)
            some, weight = [], 0
    if some:
        yield RowChunk(file, columns, tuple(some), read, weight)
