"""How the rows that fire are found among many: functions of a decision's numbers, each the quickest for the
rows it is made for.

Rows that never meet are cut along one column, then what lies in each slab along the next. Some hundred rows
that overlap are bits: every stretch between two cuts has a mask, and the masks' meet is the answer. More rows
are laid out in cells, and what lies in a cell is looked through.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import accumulate
from operator import xor
from typing import Any

from dtables.limits import LIMITS
from dtables.runtime.boxes import Aim, Box, Find, Take, cuts_of
from dtables.runtime.cells import through_cells

Mask = int


def search(boxes: list[Box], columns: int, aim: Aim) -> Find:
    """A function of the columns' numbers. The boxes stand in the order in which rows count."""
    if columns == 0:
        value = aim.settled([box.row for box in boxes])
        return lambda: value
    try:
        room = Room(LIMITS.slab_entries_per_row * len(boxes) + LIMITS.slab_entries)
        return _through_slabs(_slabs(boxes, 0, columns, aim, room), columns)
    except TooManyEntries:
        pass
    if len(boxes) <= LIMITS.masked_rows:
        return _through_masks(boxes, columns, aim)
    return through_cells(boxes, columns, aim, search)


class TooManyEntries(Exception):
    """The rows overlap too much to be cut into slabs."""


@dataclass
class Room:
    """For so many entries more."""

    left: int

    def take(self, entries: int) -> None:
        self.left -= entries
        if self.left < 0:
            raise TooManyEntries


# -- slabs -------------------------------------------------------------------------------------


def _slabs(boxes: list[Box], column: int, columns: int, aim: Aim, room: Room) -> tuple[list[Any], list[Any]]:
    """The cuts of a column, and for each stretch between them what is behind it."""
    stretches = [(box, part) for box in boxes for part in box.parts[column]]
    cuts, places = cuts_of(part for _, part in stretches)
    room.take(sum(places[end] - places[low] for _, (low, end) in stretches))
    inside: list[list[Box]] = [[] for _ in range(len(cuts) + 1)]
    for box, (low, end) in stretches:
        for slab in range(places[low], places[end]):
            inside[slab].append(box)
    if column + 1 < columns:
        return cuts, [_slabs(part, column + 1, columns, aim, room) for part in inside]
    rows = [[box.row for box in part] for part in inside]
    if aim.take is not Take.ALL:
        return _merged(cuts, [aim.settled(some) for some in rows])
    # What stands for rows may be equal and still not the same: 1 and 1.0.
    cuts, rows = _merged(cuts, rows)
    return cuts, [aim.settled(some) for some in rows]


def _merged(cuts: list[Any], values: list[Any]) -> tuple[list[Any], list[Any]]:
    """A cut between two alike is none."""
    kept = [place for place, cut in enumerate(cuts) if values[place] != values[place + 1]]
    return [cuts[place] for place in kept], [values[0], *(values[place + 1] for place in kept)]


def _through_slabs(found: tuple[list[Any], list[Any]], columns: int) -> Find:
    cuts, slabs = found

    def by_one(x: int) -> Any:
        return slabs[bisect_right(cuts, x)]

    def by_two(x: int, y: int) -> Any:
        lows, answers = slabs[bisect_right(cuts, x)]
        return answers[bisect_right(lows, y)]

    def by_three(x: int, y: int, z: int) -> Any:
        lows, parts = slabs[bisect_right(cuts, x)]
        lows, answers = parts[bisect_right(lows, y)]
        return answers[bisect_right(lows, z)]

    def by_more(*values: int) -> Any:
        part: Any = (cuts, slabs)
        for value in values:
            lows, parts = part
            part = parts[bisect_right(lows, value)]
        return part

    by_number: dict[int, Find] = {1: by_one, 2: by_two, 3: by_three}
    return by_number.get(columns, by_more)


# -- one column ----------------------------------------------------------------------------------


def swept(boxes: list[Box], aim: Aim) -> tuple[list[Any], list[Any]]:
    """The cuts of the only column, and which row is found between them, however much the rows overlap."""
    cuts, places = cuts_of(part for box in boxes for part in box.parts[0])
    begins: list[list[int]] = [[] for _ in range(len(cuts) + 2)]
    ends: list[list[int]] = [[] for _ in range(len(cuts) + 2)]
    for number, box in enumerate(boxes):
        for low, end in box.parts[0]:
            begins[places[low]].append(number)
            ends[places[end]].append(number)
    live = _Live(boxes, aim)
    found = []
    for starting, ending in zip(begins[:-1], ends[:-1], strict=True):
        live.change(starting, ending)
        found.append(live.settled())
    return _merged(cuts, found)


class _Live:
    """The rows that lie over one place of a line, by their numbers: the least counts first."""

    def __init__(self, boxes: list[Box], aim: Aim) -> None:
        self._boxes, self._aim = boxes, aim
        self._waiting: list[int] = []
        self._here: set[int] = set()
        self._giving: Counter[str] = Counter()

    def change(self, starting: list[int], ending: list[int]) -> None:
        self._here.difference_update(ending)
        self._here.update(starting)
        for number in starting:
            heappush(self._waiting, number)
        if self._aim.alike is not None:
            self._giving.subtract(self._text(number) for number in ending)
            self._giving.update(self._text(number) for number in starting)

    def settled(self) -> int | None:
        """As the aim settles them, without going through all of them."""
        while self._waiting and self._waiting[0] not in self._here:
            heappop(self._waiting)
        if not self._here:
            return self._aim.nobody
        first = self._boxes[self._waiting[0]].row
        if self._aim.take is Take.FIRST or len(self._here) == 1:
            return first
        alike = self._aim.alike is not None and self._giving[self._text(self._waiting[0])] == len(self._here)
        return first if alike else None

    def _text(self, number: int) -> str:
        assert self._aim.alike is not None
        return self._aim.alike[self._boxes[number].row]


# -- masks -------------------------------------------------------------------------------------


def _through_masks(boxes: list[Box], columns: int, aim: Aim) -> Find:
    """Low bits are rows that count first; a mask without bits ends at the entry behind the last row."""
    axes = [_axis(boxes, column) for column in range(columns)]
    rows: list[Any] = [*(aim.answer_for(box.row) for box in boxes), aim.nobody]
    cuts, masks = axes[0]
    tops, others = axes[1] if columns > 1 else ([], [-1])

    def meet(values: tuple[int, ...]) -> Mask:
        left = -1
        for value, (lows, parts) in zip(values, axes, strict=True):
            left &= parts[bisect_right(lows, value)]
        return left

    def first_by_two(x: int, y: int) -> Any:
        left = masks[bisect_right(cuts, x)] & others[bisect_right(tops, y)]
        return rows[(left & -left).bit_length() - 1]

    def first(*values: int) -> Any:
        left = meet(values)
        return rows[(left & -left).bit_length() - 1]

    def only(*values: int) -> Any:
        left = meet(values)
        return aim.settled(_rows_of(left, rows)) if left & (left - 1) else rows[left.bit_length() - 1]

    def all_by_two(x: int, y: int) -> list[Any]:
        left = masks[bisect_right(cuts, x)] & others[bisect_right(tops, y)]
        found = []
        while left:
            low = left & -left
            found.append(rows[low.bit_length() - 1])
            left ^= low
        return found

    def all_(*values: int) -> list[Any]:
        return _rows_of(meet(values), rows)

    by_two = columns == 2
    return {
        Take.FIRST: first_by_two if by_two else first,
        Take.ONLY: only,
        Take.ALL: all_by_two if by_two else all_,
    }[aim.take]


def _rows_of(mask: Mask, rows: list[Any]) -> list[Any]:
    found = []
    while mask:
        low = mask & -mask
        found.append(rows[low.bit_length() - 1])
        mask ^= low
    return found


def _axis(boxes: list[Box], column: int) -> tuple[list[Any], list[Mask]]:
    """A row is switched on where a stretch begins and off where it ends."""
    cuts, places = cuts_of(part for box in boxes for part in box.parts[column])
    switched = [0] * (len(cuts) + 2)
    for number, box in enumerate(boxes):
        for low, end in box.parts[column]:
            switched[places[low]] ^= 1 << number
            switched[places[end]] ^= 1 << number
    return cuts, list(accumulate(switched[:-1], xor))
