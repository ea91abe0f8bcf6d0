"""Many rows that overlap: the space is laid out in cells, in each stand the rows that reach into it.

The borders of cells are drawn where the rows' own stretches begin and end, so that a crowd is cut finer; a
cell that is still crowded is searched in turn.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import chain, product
from math import inf, prod
from typing import Any

from dtables.limits import LIMITS
from dtables.runtime.boxes import Aim, Box, Find, Part, Take

CELL_ENTRIES = 16
"""So many entries for each row, at most: large rows want larger cells."""

SOME = 1000
"""So many rows tell how far the others reach."""

UNROLLED = (2, 3)
"""So many columns are looked up without a loop."""

Entry = tuple[Any, ...]
"""Where each column's stretch begins and ends, one after another, and the row."""

Search = Callable[[list[Box], int, Aim], Find]


class Deeper(tuple[Any, ...]):
    """A crowded cell: it holds no entries itself, `find` searches what lies in it."""

    find: Find


def through_cells(boxes: list[Box], columns: int, aim: Aim, search: Search) -> Find:
    """The boxes stand in the order in which rows count. `search` is for what lies in a crowded cell."""
    entries = [(*chain(*parts), box.row) for box in boxes for parts in box.plain()]
    borders = _borders(entries, columns)
    cells = _filled(entries, borders)
    crowd = max(LIMITS.crowd, LIMITS.crowded * sum(map(len, cells)) / len(cells))
    crowded = [place for place, cell in enumerate(cells) if len(cell) > crowd]
    filled = _handed(cells, entries, aim) if columns in UNROLLED else [tuple(cell) for cell in cells]
    for place in crowded:
        clipped = _clipped(cells[place], _bounds(place, borders))
        filled[place] = _deeper(search(clipped, columns, aim))
    return _finder(filled, borders, aim)


def _handed(cells: list[list[Entry]], entries: list[Entry], aim: Aim) -> list[Entry]:
    """An entry is one and the same in all cells that it reaches into."""
    by_entry = {id(entry): (*entry[:-1], aim.answer_for(entry[-1])) for entry in entries}
    return [tuple(by_entry[id(entry)] for entry in cell) for cell in cells]


def _deeper(find: Find) -> Deeper:
    cell = Deeper()
    cell.find = find
    return cell


def _clipped(entries: list[Entry], around: list[Part]) -> list[Box]:
    """What reaches beyond the cell has no end in it."""
    return [
        Box(
            row,
            tuple(
                ((-inf if low <= first else low, inf if end >= last else end),)
                for low, end, (first, last) in zip(ends[::2], ends[1::2], around, strict=True)
            ),
        )
        for *ends, row in entries
    ]


# -- laying out --------------------------------------------------------------------------------


def _borders(entries: list[Entry], columns: int) -> list[list[Any]]:
    """About as many cells as rows, fewer where rows are large."""
    ends = [
        sorted(e for entry in entries for e in entry[2 * n : 2 * n + 2] if -inf < e < inf)
        for n in range(columns)
    ]
    some = entries[:: max(1, len(entries) // SOME)]
    target = float(len(entries))
    while True:
        borders = _drawn(ends, target)
        if target < 2 or sum(_cells_of(entry, borders) for entry in some) <= CELL_ENTRIES * len(some):
            return borders
        target /= 2


def _drawn(ends: list[list[Any]], target: float) -> list[list[Any]]:
    """Columns with few different ends first: what they leave over the others may use."""
    different = [len(set(column)) for column in ends]
    borders: list[list[Any]] = [[] for _ in ends]
    left = target
    for place, column in enumerate(sorted(range(len(ends)), key=lambda c: different[c])):
        share = max(1, round(left ** (1 / (len(ends) - place))))
        if different[column] < share:
            borders[column] = sorted(set(ends[column]))
        else:
            step = len(ends[column]) / share
            borders[column] = sorted({ends[column][int(step * number)] for number in range(1, share)})
        left = max(1.0, left / (len(borders[column]) + 1))
    return borders


def _cells_of(entry: Entry, borders: list[list[Any]]) -> int:
    """How many cells an entry reaches into."""
    return prod(
        bisect_left(cuts, end) + 1 - bisect_right(cuts, low)
        for low, end, cuts in zip(entry[:-1:2], entry[1::2], borders, strict=True)
    )


def _filled(entries: list[Entry], borders: list[list[Any]]) -> list[list[Entry]]:
    """Cells one after another, the last column's neighbours side by side."""
    widths = _widths(borders)
    cells: list[list[Entry]] = [[] for _ in range(widths[0] * (len(borders[0]) + 1))]
    *outer, (at, last, _) = zip(range(0, 2 * len(borders), 2), borders, widths, strict=True)
    for entry in entries:
        ranges = [
            range(bisect_right(cuts, entry[n]) * width, (bisect_left(cuts, entry[n + 1]) + 1) * width, width)
            for n, cuts, width in outer
        ]
        first, end = bisect_right(last, entry[at]), bisect_left(last, entry[at + 1]) + 1
        for start in map(sum, product(*ranges)):
            for cell in cells[start + first : start + end]:
                cell.append(entry)
    return cells


def _widths(borders: list[list[Any]]) -> list[int]:
    """How far apart neighbours of each column are."""
    sizes = [len(cuts) + 1 for cuts in borders]
    return [prod(sizes[number + 1 :]) for number in range(len(sizes))]


def _bounds(place: int, borders: list[list[Any]]) -> list[Part]:
    bounds = []
    for cuts, width in zip(borders, _widths(borders), strict=True):
        number, place = divmod(place, width)
        bounds.append(([-inf, *cuts][number], [*cuts, inf][number]))
    return bounds


# -- looking up --------------------------------------------------------------------------------


def _finder(cells: list[Entry], borders: list[list[Any]], aim: Aim) -> Find:
    match len(borders):
        case 2:
            return _by_two(cells, borders, aim)
        case 3:
            return _by_three(cells, borders, aim)
        case _:
            return _by_more(cells, borders, aim)


def _by_two(cells: list[Any], borders: list[list[Any]], aim: Aim) -> Find:
    xs, ys = borders
    width = len(ys) + 1
    nobody, settled = aim.nobody, aim.settled

    def first(x: int, y: int) -> Any:
        cell = cells[bisect_right(xs, x) * width + bisect_right(ys, y)]
        for a, b, c, d, row in cell:
            if a <= x < b and c <= y < d:
                return row
        return nobody if type(cell) is tuple else cell.find(x, y)

    def only(x: int, y: int) -> Any:
        cell = cells[bisect_right(xs, x) * width + bisect_right(ys, y)]
        if type(cell) is not tuple:
            return cell.find(x, y)
        found = [row for a, b, c, d, row in cell if a <= x < b and c <= y < d]
        return found[0] if len(found) == 1 else settled(found)

    def every(x: int, y: int) -> list[Any]:
        cell = cells[bisect_right(xs, x) * width + bisect_right(ys, y)]
        if type(cell) is not tuple:
            return list(cell.find(x, y))
        return [row for a, b, c, d, row in cell if a <= x < b and c <= y < d]

    return {Take.FIRST: first, Take.ONLY: only, Take.ALL: every}[aim.take]


def _by_three(cells: list[Any], borders: list[list[Any]], aim: Aim) -> Find:
    xs, ys, zs = borders
    deep = len(zs) + 1
    width = (len(ys) + 1) * deep
    nobody, settled = aim.nobody, aim.settled

    def first(x: int, y: int, z: int) -> Any:
        cell = cells[bisect_right(xs, x) * width + bisect_right(ys, y) * deep + bisect_right(zs, z)]
        for a, b, c, d, e, f, row in cell:
            if a <= x < b and c <= y < d and e <= z < f:
                return row
        return nobody if type(cell) is tuple else cell.find(x, y, z)

    def only(x: int, y: int, z: int) -> Any:
        cell = cells[bisect_right(xs, x) * width + bisect_right(ys, y) * deep + bisect_right(zs, z)]
        if type(cell) is not tuple:
            return cell.find(x, y, z)
        found = [row for a, b, c, d, e, f, row in cell if a <= x < b and c <= y < d and e <= z < f]
        return found[0] if len(found) == 1 else settled(found)

    def every(x: int, y: int, z: int) -> list[Any]:
        cell = cells[bisect_right(xs, x) * width + bisect_right(ys, y) * deep + bisect_right(zs, z)]
        if type(cell) is not tuple:
            return list(cell.find(x, y, z))
        return [row for a, b, c, d, e, f, row in cell if a <= x < b and c <= y < d and e <= z < f]

    return {Take.FIRST: first, Take.ONLY: only, Take.ALL: every}[aim.take]


def _by_more(cells: list[Any], borders: list[list[Any]], aim: Aim) -> Find:
    """Any number of columns, in a loop."""

    def find(*values: int) -> Any:
        place = 0
        for value, cuts in zip(values, borders, strict=True):
            place = place * (len(cuts) + 1) + bisect_right(cuts, value)
        cell = cells[place]
        if type(cell) is not tuple:
            return cell.find(*values)
        return aim.settled([one[-1] for one in cell if _holds(one, values)])

    return find


def _holds(entry: Entry, values: tuple[int, ...]) -> bool:
    return all(entry[2 * n] <= value < entry[2 * n + 1] for n, value in enumerate(values))
