"""Decision tables to measure with, and rows to ask them: neutral, so that every contestant writes them its
own way. The same seed, the same table.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Given = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """What a column of whole numbers stands for: `type` as a workbook spells it, `given` and `written` what a
    number is in a dict and in a cell."""

    type: str
    given: Callable[[int], Any] = field(repr=False)
    written: Callable[[int], str] = field(repr=False)


@dataclass(frozen=True)
class Stretch:
    """Whole numbers from `low` to `high`, both with it."""

    low: int
    high: int


@dataclass(frozen=True)
class Between:
    """Texts from `low` to `high`, without `high`."""

    low: str
    high: str


@dataclass(frozen=True)
class Except:
    """Everything that another cell does not let through."""

    cell: tuple[str, ...] | Stretch


@dataclass(frozen=True)
class Above:
    """Greater than what another column is given."""

    column: str


Cell = tuple[str, ...] | Stretch | Between | Except | Above | None
"""Names, a stretch of numbers or texts, all but such, what only a turn can tell, or anything."""


@dataclass(frozen=True)
class Column:
    """A closed list of names, texts of which only some are `known`, or whole numbers from `low` to `high`,
    perhaps standing for values of another `kind`."""

    name: str
    names: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    known: tuple[str, ...] = ()
    kind: Kind | None = None

    def given(self, value: Any) -> Any:
        return value if self.kind is None else self.kind.given(value)


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
        columns = not any(column.known or column.kind for column in self.columns)
        others = (Between, Except, Above)
        return columns and not any(isinstance(cell, others) for row in self.rows for cell in row.cells)

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
        case Except(other):
            return not passes(other, value)
        case Stretch(low, high):
            return bool(low <= value <= high)
        case Between(low, high):
            return bool(low <= value < high)
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
    """Rows of values, each inside some row of the grid, so that narrow ones are met. Numbers stand for what
    their column's kind says: `given_as` gives that."""
    shuffler = random.Random(seed)
    return [
        {c.name: _inside(c, cell, shuffler) for c, cell in zip(grid.columns, cells, strict=True)}
        for cells in (shuffler.choice(grid.rows).cells for _ in range(count))
    ]


def given_as(grid: Grid, rows: list[Given]) -> list[Given]:
    """As a caller has them."""
    return [{c.name: c.given(row[c.name]) for c in grid.columns} for row in rows]


def _inside(column: Column, cell: Cell, shuffler: random.Random) -> Any:
    match cell:
        case None | Above():
            return _anything(column, shuffler)
        case Except():
            found = _anything(column, shuffler)
            while not passes(cell, found):
                found = _anything(column, shuffler)
            return found
        case Stretch(low, high):
            return shuffler.randint(low, high)
        case Between(low):
            return f"{low} and more"
        case _:
            return shuffler.choice(cell)


def _anything(column: Column, shuffler: random.Random) -> Any:
    names = column.names or column.known
    return shuffler.choice(names) if names else shuffler.randint(column.low, column.high)


def checked(name: str, decide: Callable[[Given], Any], rows: list[Given], wanted: list[Any]) -> None:
    """A contestant that answers wrongly is not measured: it is an error."""
    for given, answer in zip(rows, wanted, strict=True):
        found = decide(given)
        if found != answer:
            raise AssertionError(f"{name} of {given} is {found}, not {answer}")
