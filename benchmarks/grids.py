"""Decision tables to measure with, and rows to ask them: neutral, so that every contestant writes them its
own way. The same seed, the same table.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

Given = dict[str, Any]


Point = Any
"""A whole number, or a date."""


@dataclass(frozen=True)
class Stretch:
    """Whole numbers or dates from `low` to `high`, both with it."""

    low: Point
    high: Point


@dataclass(frozen=True)
class Above:
    """Greater than what another column is given."""

    column: str


Cell = tuple[str, ...] | Stretch | Above | None
"""Names, a stretch of numbers, what only a turn can tell, or anything."""


@dataclass(frozen=True)
class Column:
    """A closed list of names, texts of which only some are `known`, or whole numbers or dates from `low` to
    `high`."""

    name: str
    names: tuple[str, ...] = ()
    low: Point = 0
    high: Point = 0
    known: tuple[str, ...] = ()

    @property
    def has_days(self) -> bool:
        return isinstance(self.low, date)


@dataclass(frozen=True)
class Row:
    cells: tuple[Cell, ...]
    answer: Any


@dataclass(frozen=True)
class Grid:
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    policy: str

    @property
    def is_plain(self) -> bool:
        """Names and whole numbers only, and nothing that only a turn can tell."""
        columns = not any(column.known or column.has_days for column in self.columns)
        return columns and not any(isinstance(cell, Above) for row in self.rows for cell in row.cells)

    def firing(self, given: Given) -> list[Any]:
        """The answers of all rows that let the values through, in order: a plain scan, slow and sure."""
        values = [given[column.name] for column in self.columns]
        return [
            row.answer
            for row in self.rows
            if all(passes(c, v, given) for c, v in zip(row.cells, values, strict=True))
        ]


def passes(cell: Cell, value: Any, given: Given | None = None) -> bool:
    match cell:
        case None:
            return True
        case Above(column):
            return bool(given is not None and value > given[column])
        case Stretch(low, high):
            return bool(low <= value <= high)
        case _:
            return value in cell


def answer_of(grid: Grid, given: Given) -> Any:
    """What the grid's policy makes of the rows that fire."""
    found = grid.firing(given)
    match grid.policy:
        case "first" | "unique":
            return found[0]
        case "collect":
            return found
        case _:
            return min(found)


def asked(grid: Grid, count: int, seed: int) -> list[Given]:
    """Rows of values, each inside some row of the grid, so that narrow ones are met."""
    shuffler = random.Random(seed)
    return [
        {c.name: _inside(c, cell, shuffler) for c, cell in zip(grid.columns, cells, strict=True)}
        for cells in (shuffler.choice(grid.rows).cells for _ in range(count))
    ]


def _inside(column: Column, cell: Cell, shuffler: random.Random) -> Any:
    match cell:
        case None | Above():
            names = column.names or column.known
            return shuffler.choice(names) if names else _between(column.low, column.high, shuffler)
        case Stretch(low, high):
            return _between(low, high, shuffler)
        case _:
            return shuffler.choice(cell)


def _between(low: Point, high: Point, shuffler: random.Random) -> Point:
    if isinstance(low, date):
        return date.fromordinal(shuffler.randint(low.toordinal(), high.toordinal()))
    return shuffler.randint(low, high)


def checked(name: str, decide: Callable[[Given], Any], rows: list[Given], wanted: list[Any]) -> None:
    """A contestant that answers wrongly is not measured: it is an error."""
    for given, answer in zip(rows, wanted, strict=True):
        found = decide(given)
        if found != answer:
            raise AssertionError(f"{name} of {given} is {found}, not {answer}")
