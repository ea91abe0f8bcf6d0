"""Rows as boxes of whole numbers: what of each column a row lets through, as stretches.

Names, numbers with a point and null become whole numbers too: the places they have among the cuts of their
column. So one kind of search serves every column.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain, product
from math import inf
from typing import Any

from dtables.runtime.keys import Clock

Part = tuple[float, float]
"""From the first to the second, without it."""

ANYTHING: tuple[Part, ...] = ((-inf, inf),)

Read = Callable[[Any], int]
"""The place of a value among the cuts of its column."""


Find = Callable[..., Any]
"""A function of a decision's numbers: what it is asked for of the rows that let them through."""


NOWHERE = object()
"""No single row is found, and nothing is known that would stand for it."""


class Take(Enum):
    """Of the rows that fire the first, the only one, or all of them."""

    FIRST = "first"
    ONLY = "only"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Aim:
    """What a search gives: the number of the row, or `nobody` where none fires. Take.ONLY gives None where
    several fire, unless `alike` has the same text for all of them. Take.ALL gives a list. In place of a row's
    number stands what `handed` has for it, and NOWHERE in place of None. `flat`: no function is wanted but
    the cuts of the one column that is searched, and what is found between them."""

    take: Take
    nobody: int | None = None
    alike: Sequence[str] | None = None
    handed: Sequence[Any] | None = None
    flat: bool = False

    def answer_for(self, row: int) -> Any:
        return row if self.handed is None else self.handed[row]

    def settled(self, rows: list[int]) -> Any:
        if self.take is Take.ALL:
            return [self.answer_for(row) for row in rows]
        row = self._one(rows)
        if self.handed is None:
            return row
        return NOWHERE if row is None else self.handed[row]

    def _one(self, rows: list[int]) -> int | None:
        if not rows:
            return self.nobody
        if self.take is Take.FIRST or len(rows) == 1:
            return rows[0]
        return rows[0] if self.alike and len({self.alike[row] for row in rows}) == 1 else None


@dataclass(frozen=True, slots=True)
class Box:
    """A row by number; for each column the stretches that it lets through, sorted and apart."""

    row: int
    parts: tuple[tuple[Part, ...], ...]

    def plain(self) -> Iterable[tuple[Part, ...]]:
        """With one stretch in each column: together they are the same box."""
        return product(*self.parts)


def cuts_of(parts: Iterable[Part]) -> tuple[list[Any], dict[float, int]]:
    """Where stretches begin and end, sorted; and by each end the number of the stretch between two cuts that
    begins there."""
    cuts = sorted({end for part in parts for end in part} - {-inf, inf})
    places: dict[float, int] = {cut: place for place, cut in enumerate(cuts, 1)}
    places[-inf], places[inf] = 0, len(cuts) + 1
    return cuts, places


OTHER = object()
"""All texts that no cell of a column names."""


@dataclass(frozen=True, slots=True)
class IndexColumn:
    """`names` are all values of a column of names, `texts` are named by its cells; else it holds keys: whole
    ones, or any. `empty`: null may stand there too. `clock`: its keys are seconds, and it is asked for
    Python's own times. Values lie between `limits`, both with them: what is beyond leads nowhere."""

    names: tuple[Any, ...] | None = None
    whole: bool = True
    empty: bool = False
    texts: bool = False
    clock: Clock | None = None
    limits: tuple[int | None, int | None] = (None, None)

    @property
    def is_direct(self) -> bool:
        """Is a value its own place?"""
        return self.names is None and self.whole and not (self.empty or self.texts or self.clock)

    def domain(self, cells: Sequence[Any]) -> tuple[Any, ...]:
        """All that its names may be."""
        if not self.texts:
            return self.names or ()
        lists = (cell["not"] if isinstance(cell, dict) else cell for cell in cells if cell)
        null = {None: None} if self.empty else {}
        return tuple({OTHER: None, **null, **dict.fromkeys(chain.from_iterable(lists))})

    def stretches(self, cells: Sequence[Any]) -> list[tuple[Part, ...]]:
        """What each cell lets through, where a value is its own place, or a time that stands for it."""
        if self.whole:
            return [_plain(cell) or _whole(cell) for cell in cells]
        return [_text(cell) for cell in cells]

    def places(self, cells: Sequence[Any]) -> tuple[Read, list[tuple[Part, ...]]]:
        """How values of the column are read, and what each cell lets through."""
        if self.names is not None or self.texts:
            return _names(self.domain(cells), cells)
        if not self.whole:
            return _numbers(cells, self.empty)
        if self.empty:
            return _whole_or_null(cells, self.clock)
        read = int if self.clock is None else self.clock.second
        return read, self.stretches(cells)


def listed(cell: Any) -> list[Any]:
    """A single name or stretch stands without a list of its own."""
    if cell and isinstance(cell, list) and isinstance(cell[0], list):
        return cell
    return [cell] if cell else []


def _plain(cell: Any) -> tuple[Part, ...] | None:
    """The usual cell: one stretch with both ends."""
    if cell is not None and len(cell) == 2:
        low, high = cell
        if type(low) is int and type(high) is int:
            return ((low, high + 1),)
    return None


def _whole(cell: Any) -> tuple[Part, ...]:
    if cell is None:
        return ANYTHING
    stretches = (stretch for stretch in listed(cell) if stretch)
    return tuple((-inf if low is None else low, inf if high is None else high + 1) for low, high in stretches)


def _text(cell: Any) -> tuple[Part, ...]:
    """A text with a null character more is the next one there is."""
    if cell is None:
        return ANYTHING
    found: list[tuple[Any, Any]] = []
    for low, high, ends in listed(cell):
        start = low if low is None or ends[0] == "[" else low + "\0"
        end = high if high is None or ends[1] == ")" else high + "\0"
        found.append((-inf if start is None else start, inf if end is None else end))
    return tuple(found)


def _null_in(cell: Any) -> tuple[Part, ...]:
    """An empty stretch stands for null, which has the place before all others."""
    return ((-1, 0),) if cell and [] in cell else ()


def _whole_or_null(cells: Sequence[Any], clock: Clock | None) -> tuple[Read, list[tuple[Part, ...]]]:
    """Null stands before all places: an open stretch begins at the first."""
    stretches = [_whole(cell) for cell in cells]
    cuts, places = cuts_of(part for parts in stretches for part in parts)
    shown = cuts if clock is None else [clock.shown(cut) for cut in cuts]

    def read(value: Any) -> int:
        return -1 if value is None else bisect_right(shown, value)

    return read, [
        parts if parts is ANYTHING else (*_null_in(cell), *((places[low], places[end]) for low, end in parts))
        for cell, parts in zip(cells, stretches, strict=True)
    ]


def names_in(cell: Any, names: tuple[Any, ...]) -> Sequence[Any]:
    """Those that a cell lets through: all, some, or all but some."""
    if cell is None:
        return names
    if isinstance(cell, dict):
        without = set(cell["not"])
        return [name for name in names if name not in without]
    named: list[Any] = cell
    return named


def _names(names: tuple[Any, ...], cells: Sequence[Any]) -> tuple[Read, list[tuple[Part, ...]]]:
    places = {name: place for place, name in enumerate(names)}
    parts = [
        ANYTHING if cell is None else tuple(_joined(sorted(places[name] for name in names_in(cell, names))))
        for cell in cells
    ]
    if OTHER not in places:
        return places.__getitem__, parts
    other = places[OTHER]
    return lambda value: places.get(value, other), parts


def _joined(places: list[int]) -> Iterator[Part]:
    """Neighbours are one stretch."""
    start = 0
    for number, place in enumerate(places):
        if number + 1 == len(places) or places[number + 1] != place + 1:
            yield places[start], place + 1
            start = number + 1


def _numbers(cells: Sequence[Any], empty: bool) -> tuple[Read, list[tuple[Part, ...]]]:
    """Between two numbers is a place, and at each number: two searches tell which. Null stands before all."""
    stretches = [[stretch for stretch in listed(cell) if stretch] for cell in cells]
    numbers = sorted({end for some in stretches for low, high, _ in some for end in (low, high)} - {None})
    place = {number: 2 * at + 1 for at, number in enumerate(numbers)}

    def read(value: Any) -> int:
        return bisect_left(numbers, value) + bisect_right(numbers, value)

    def read_with_null(value: Any) -> int:
        return -1 if value is None else bisect_left(numbers, value) + bisect_right(numbers, value)

    def parts(some: list[Any]) -> Iterator[Part]:
        for low, high, ends in some:
            start = 0 if low is None else place[low] + (ends[0] == "(")
            yield start, inf if high is None else place[high] + (ends[1] == "]")

    return read_with_null if empty else read, [
        ANYTHING if cell is None else (*_null_in(cell), *parts(some))
        for cell, some in zip(cells, stretches, strict=True)
    ]
