"""An index of a decision's rows: which rows let a combination of values through, without reading them all.

Rows are gathered in buckets by the columns with names; in a bucket every stretch between two cuts of a
number column has a mask of the rows that let it through, and the answer is the masks' meet.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from operator import xor
from typing import Any

from dtables.feel.values import Value

MOST_COPIES = 40
"""So many buckets may a row stand in, on average; else a column is looked at in the bucket."""

Mask = int
Cut = tuple[Any, int]
"""A number and whether the cut lies before (0) or after (1) it."""


OTHERS = object()


@dataclass(frozen=True, slots=True)
class Bucket:
    """Rows by number. `whole` has, for each column of whole numbers that tells them apart, the borders, the
    masks between them and the one for null; `reads` a function for each other column."""

    rows: list[int]
    whole: tuple[tuple[int, list[int], list[Mask]], ...]
    reads: tuple[tuple[int, Callable[[Value], Mask]], ...]


class RowIndex:
    def __init__(self, kinds: tuple[str, ...], rows: Sequence[tuple[Any, ...]]) -> None:
        self._kinds = kinds
        self._keys = self._key_columns(rows)
        self._rest = [n for n in range(len(kinds)) if n not in self._keys]
        known = [self._known(rows, key) for key in self._keys]
        numbers: dict[tuple[Value, ...], list[int]] = {}
        for number, row in enumerate(rows):
            values = [known[n] if row[key] is None else row[key] for n, key in enumerate(self._keys)]
            for combination in product(*values):
                numbers.setdefault(combination, []).append(number)
        self._known_values = [frozenset(values) for values in known]
        self._buckets = {key: self._bucket(rows, listed) for key, listed in numbers.items()}

    def rows(self, *values: Value) -> list[int]:
        """The rows that let the values through, in order."""
        key = tuple([values[k] for k in self._keys])
        bucket = self._buckets.get(key) or self._buckets.get(self._told_apart(key))
        if bucket is None:
            return []
        mask = -1
        for column, borders, masks in bucket.whole:
            value = values[column]
            mask &= masks[-1] if value is None else masks[bisect_right(borders, value)]
        for column, read in bucket.reads:
            mask &= read(values[column])
        if mask == -1:
            return bucket.rows
        found = []
        while mask:
            low = mask & -mask
            found.append(bucket.rows[low.bit_length() - 1])
            mask ^= low
        return found

    def _told_apart(self, key: tuple[Value, ...]) -> tuple[Value, ...]:
        """Names that no row tells from others are all the same."""
        return tuple(
            value if value in known else OTHERS for value, known in zip(key, self._known_values, strict=True)
        )

    # -- building ------------------------------------------------------------------------------

    def _key_columns(self, rows: Sequence[tuple[Any, ...]]) -> list[int]:
        """Names, the most telling first, as long as rows are not copied too often."""
        names = [n for n, kind in enumerate(self._kinds) if kind == "names"]
        spread = {n: self._spread(rows, n) for n in names}
        chosen: list[int] = []
        copies = 1.0
        for column in sorted(names, key=lambda n: (spread[n], n)):
            if copies * spread[column] <= MOST_COPIES:
                chosen.append(column)
                copies *= spread[column]
        return sorted(chosen)

    def _known(self, rows: Sequence[tuple[Any, ...]], column: int) -> tuple[Value, ...]:
        """The names that some row tells apart, and OTHERS for all that none does."""
        return (*dict.fromkeys(v for row in rows if row[column] is not None for v in row[column]), OTHERS)

    def _spread(self, rows: Sequence[tuple[Any, ...]], column: int) -> float:
        """How many buckets a row stands in, on average."""
        whole = len(self._known(rows, column))
        return sum(whole if row[column] is None else len(row[column]) for row in rows) / len(rows)

    def _bucket(self, rows: Sequence[tuple[Any, ...]], numbers: list[int]) -> Bucket:
        """Columns in which every row of the bucket lets everything through need no reading."""
        whole: list[tuple[int, list[int], list[Mask]]] = []
        reads: list[tuple[int, Callable[[Value], Mask]]] = []
        for column in self._rest:
            cells = [rows[number][column] for number in numbers]
            if all(cell is None for cell in cells):
                continue
            if self._kinds[column] == "whole":
                whole.append((column, *_whole_masks(cells)))
            else:
                reader = _names_reader if self._kinds[column] == "names" else _number_reader
                reads.append((column, reader(cells)))
        return Bucket(numbers, tuple(whole), tuple(reads))


def _names_reader(cells: list[Any]) -> Callable[[Value], Mask]:
    masks: dict[Value, Mask] = {}
    others = 0
    for number, cell in enumerate(cells):
        if cell is None:
            others |= 1 << number
    for number, cell in enumerate(cells):
        for value in cell or ():
            masks[value] = masks.get(value, others) | 1 << number
    return lambda value: masks.get(value, others)


def _whole_masks(cells: list[Any]) -> tuple[list[int], list[Mask]]:
    """Of whole numbers a cut after 3 is a cut before 4."""
    borders = sorted({_whole_cut(cut) for cut in _cuts(cells)})
    places = {border: place for place, border in enumerate(borders, 1)}
    return borders, _masks(cells, len(borders) + 1, lambda cut: places[_whole_cut(cut)])


def _number_reader(cells: list[Any]) -> Callable[[Value], Mask]:
    """Between two numbers, and at each: two searches tell which."""
    numbers = sorted({number for number, _ in _cuts(cells)})
    places = {number: 2 * place + 1 for place, number in enumerate(numbers)}
    masks = _masks(cells, 2 * len(numbers) + 1, lambda cut: places[cut[0]] + cut[1])

    def read(value: Value) -> Mask:
        return masks[-1 if value is None else bisect_left(numbers, value) + bisect_right(numbers, value)]

    return read


def _cuts(cells: list[Any]) -> Iterator[Cut]:
    return (cut for cell in cells for part in cell or () for cut in part if cut is not None)


def _whole_cut(cut: Cut) -> int:
    """The first whole number behind the cut."""
    number, after = cut
    least = int(number) + (1 if number > int(number) else 0)
    return least + 1 if after and least == number else least


def _masks(cells: list[Any], stretches: int, place: Callable[[Cut], int]) -> list[Mask]:
    """The rows of each stretch; a row is switched on where a part begins and off where it ends. Last, those
    that let null through: whose cell is empty."""
    switched = [0] * (stretches + 1)
    for number, cell in enumerate(cells):
        for low, high in ((None, None),) if cell is None else cell:
            switched[0 if low is None else place(low)] ^= 1 << number
            switched[stretches if high is None else place(high)] ^= 1 << number
    empty = sum(1 << number for number, cell in enumerate(cells) if cell is None)
    return [*accumulate(switched[:-1], xor), empty]
