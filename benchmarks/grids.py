"""Decision tables to measure with, and rows to ask them: neutral, so that every contestant writes them its
own way. The same seed, the same table.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Given = dict[str, Any]


@dataclass(frozen=True)
class Stretch:
    """Whole numbers from `low` to `high`, both with it."""

    low: int
    high: int


Cell = tuple[str, ...] | Stretch | None
"""Names, a stretch of numbers, or anything."""


@dataclass(frozen=True)
class Column:
    """A closed list of names, or whole numbers from `low` to `high`."""

    name: str
    names: tuple[str, ...] = ()
    low: int = 0
    high: int = 0


@dataclass(frozen=True)
class Row:
    cells: tuple[Cell, ...]
    answer: Any


@dataclass(frozen=True)
class Grid:
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    policy: str

    def firing(self, given: Given) -> list[Any]:
        """The answers of all rows that let the values through, in order: a plain scan, slow and sure."""
        values = [given[column.name] for column in self.columns]
        return [
            row.answer
            for row in self.rows
            if all(passes(c, v) for c, v in zip(row.cells, values, strict=True))
        ]


def passes(cell: Cell, value: Any) -> bool:
    match cell:
        case None:
            return True
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
        case None:
            return (
                shuffler.choice(column.names) if column.names else shuffler.randint(column.low, column.high)
            )
        case Stretch(low, high):
            return shuffler.randint(low, high)
        case _:
            return shuffler.choice(cell)


def checked(name: str, decide: Callable[[Given], Any], rows: list[Given], wanted: list[Any]) -> None:
    """A contestant that answers wrongly is not measured: it is an error."""
    for given, answer in zip(rows, wanted, strict=True):
        found = decide(given)
        if found != answer:
            raise AssertionError(f"{name} of {given} is {found}, not {answer}")
