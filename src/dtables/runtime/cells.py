"""Many rows that overlap: the space is laid out in cells, in each stand the rows that reach into it.

The borders of cells are drawn where the rows' own stretches begin and end, so that a crowd is cut finer; a
cell that is still crowded is searched in turn.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import product
from math import inf, prod
from typing import Any

from dtables.runtime.boxes import Aim, Box, Find, Part, Wanted

CELL_ENTRIES = 16
"""So many entries for each row, at most: large rows want larger cells."""

CROWD = 48
CROWDED = 8
"""So many rows, and so many times more than in other cells."""

Entry = tuple[Any, ...]
"""Where each column's stretch begins and ends, one after another, and the row."""

Search = Callable[[list[Box], int, Aim], Find]


class Deeper(tuple[Any, ...]):
    """A cell in which nothing stands: what is in it another search finds."""

    find: Find


def through_cells(boxes: list[Box], columns: int, aim: Aim, search: Search) -> Find:
    """The boxes stand in the order in which rows count. `search` is for what lies in a crowded cell."""
    plain = [Box(box.row, tuple((part,) for part in parts)) for box in boxes for parts in box.plain()]
    borders = _borders(plain, columns)
    cells = _filled(plain, borders)
    usual = sum(map(len, cells)) / len(cells)
    made = [
        _deeper(inside, around, columns, aim, search)
        if len(inside) > max(CROWD, CROWDED * usual)
        else tuple(_entry(box) for box in inside)
        for inside, around in zip(cells, _bounds(borders), strict=True)
    ]
    return _finder(_shared(made), borders, aim)


def _entry(box: Box) -> Entry:
    return (*(end for parts in box.parts for end in parts[0]), box.row)


def _shared(cells: list[Entry]) -> list[Entry]:
    """What stands in several cells is there once."""
    known: dict[Entry, Entry] = {}
    return [
        cell if isinstance(cell, Deeper) else tuple([known.setdefault(one, one) for one in cell])
        for cell in cells
    ]


def _deeper(inside: list[Box], around: tuple[Part, ...], columns: int, aim: Aim, search: Search) -> Deeper:
    clipped = [Box(box.row, tuple(map(_clipped, box.parts, around))) for box in inside]
    cell = Deeper()
    cell.find = search(clipped, columns, aim)
    return cell


def _clipped(parts: tuple[Part, ...], around: Part) -> tuple[Part, ...]:
    """What reaches beyond the cell has no end in it."""
    return tuple((-inf if low <= around[0] else low, inf if end >= around[1] else end) for low, end in parts)


# -- laying out --------------------------------------------------------------------------------


def _borders(boxes: list[Box], columns: int) -> list[list[Any]]:
    """About as many cells as rows, fewer where rows are large."""
    ends = [
        sorted(end for box in boxes for end in box.parts[column][0] if -inf < end < inf)
        for column in range(columns)
    ]
    wanted = float(len(boxes))
    while True:
        borders = _drawn(ends, wanted)
        entries = sum(
            prod(_span(part, cuts) for part, cuts in zip(_parts(box), borders, strict=True)) for box in boxes
        )
        if wanted < 2 or entries <= CELL_ENTRIES * len(boxes):
            return borders
        wanted /= 2


def _drawn(ends: list[list[Any]], wanted: float) -> list[list[Any]]:
    """Columns with few different ends first: what they leave over the others may use."""
    different = [sorted(set(column)) for column in ends]
    borders: list[list[Any]] = [[] for _ in ends]
    left = wanted
    for place, column in enumerate(sorted(range(len(ends)), key=lambda c: len(different[c]))):
        share = max(1, round(left ** (1 / (len(ends) - place))))
        own = different[column]
        if len(own) >= share:
            step = len(ends[column]) / share
            own = sorted({ends[column][int(step * number)] for number in range(1, share)})
        borders[column] = own
        left = max(1.0, left / (len(own) + 1))
    return borders


def _parts(box: Box) -> Iterator[Part]:
    return (parts[0] for parts in box.parts)


def _span(part: Part, cuts: list[Any]) -> int:
    return bisect_left(cuts, part[1]) - bisect_right(cuts, part[0]) + 1


def _filled(boxes: list[Box], borders: list[list[Any]]) -> list[list[Box]]:
    """Cells one after another, the last column's neighbours side by side."""
    sizes = [len(cuts) + 1 for cuts in borders]
    widths = [prod(sizes[column + 1 :]) for column in range(len(sizes))]
    cells: list[list[Box]] = [[] for _ in range(prod(sizes))]
    for box in boxes:
        ranges = [
            range(bisect_right(cuts, low) * width, (bisect_left(cuts, end) + 1) * width, width)
            for (low, end), cuts, width in zip(_parts(box), borders, widths, strict=True)
        ]
        for place in map(sum, product(*ranges)):
            cells[place].append(box)
    return cells


def _bounds(borders: list[list[Any]]) -> Iterator[tuple[Part, ...]]:
    return product(*(list(zip([-inf, *cuts], [*cuts, inf], strict=True)) for cuts in borders))


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

    return {Wanted.FIRST: first, Wanted.ONLY: only, Wanted.ALL: every}[aim.wanted]


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

    return {Wanted.FIRST: first, Wanted.ONLY: only, Wanted.ALL: every}[aim.wanted]


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
