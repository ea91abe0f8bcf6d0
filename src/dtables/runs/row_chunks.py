"""Rows of a table as a piece of a log: made into records by whom they reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dtables.runs.columns import Column, Row
from dtables.runs.jsonlines import Line

ROWS = 1_000


@dataclass(frozen=True, slots=True)
class RowChunk:
    """`read` is the reading of a row: of text, or of cells that have types of their own."""

    file: str | None
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    read: Callable[[Row, tuple[Column, ...]], Line]

    @property
    def records(self) -> int:
        return len(self.rows)

    def lines(self) -> Iterator[Line]:
        return (self.read(row, self.columns) for row in self.rows)
