"""Where blocks go on a page: bands of lanes, as large in type as they fit.

A page is so many columns wide. Blocks keep the workbook's order: it is cut into bands, a band into
lanes that stand side by side, and a lane holds blocks under one another. Of all ways the lowest is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from dtables.printing.fonts import text_width
from dtables.printing.view_parts import Block, Grid, Inline, Mark, Run, Steps
from dtables.printing.view_text import text_of

DENSITIES = (1.3, 1.25, 1.2, 1.16, 1.12, 1.08, 1.04, 1.0, 0.96, 0.92, 0.88, 0.84, 0.8125)
"""Of 9.6 points; smaller than 7.8 is not read at a table."""
CARD_SCALES = (1.12, 1.08, 1.04, 1.0, 0.96, 0.92, 0.88, 0.84, 0.8)
MOST_LANES = 4
BADGE_WIDTH = 1.45
CELL_MARGIN = 1.06
"""In ems."""


Heights = Callable[[float], Sequence[Sequence[float | None]]]
"""By density: in points by block, by how many columns it fills (from 1). None where the block needs more
width."""


@dataclass(frozen=True, slots=True)
class Measures:
    """`gap` is between blocks."""

    heights: Heights
    gap: float


@dataclass(frozen=True, slots=True)
class Lane:
    """`air` is added above and below every row, in points, so that the page is filled."""

    units: int
    blocks: tuple[int, ...]
    air: float = 0.0


@dataclass(frozen=True, slots=True)
class Band:
    lanes: tuple[Lane, ...]
    height: float


@dataclass(frozen=True, slots=True)
class PageLayout:
    density: float
    bands: tuple[Band, ...]


@dataclass(frozen=True, slots=True)
class TooBig:
    """Blocks that fit no page even in the smallest type."""

    blocks: tuple[int, ...]


def lay_out(
    measures: Measures, wishes: Sequence[int | None], units: int, room: float
) -> tuple[PageLayout, ...] | TooBig:
    """As few pages as the smallest type allows, then the largest type that needs no more of them."""
    smallest = len(DENSITIES) - 1
    least = _pages(measures, wishes, units, room, DENSITIES[smallest])
    if isinstance(least, TooBig):
        return least
    low, high = 0, smallest
    best = least
    while low < high:
        middle = (low + high) // 2
        tried = _pages(measures, wishes, units, room, DENSITIES[middle])
        if not isinstance(tried, TooBig) and len(tried) <= len(least):
            high, best = middle, tried
        else:
            low = middle + 1
    return tuple(PageLayout(DENSITIES[high], page) for page in best)


def _pages(
    measures: Measures, wishes: Sequence[int | None], units: int, room: float, density: float
) -> tuple[tuple[Band, ...], ...] | TooBig:
    """Cut the blocks into pages, then each page into bands."""
    count = len(wishes)
    bands = _Bands(measures, tuple(wishes), units, density)
    too_big = tuple(n for n in range(count) if bands.height(n, n + 1) > room)
    if too_big:
        return TooBig(too_big)
    pages: list[tuple[Band, ...]] = []
    start = 0
    while start < count:
        end = next(e for e in range(count, start, -1) if bands.page_height(start, e) <= room)
        pages.append(bands.page(start, end))
        start = end
    return tuple(pages)


class _Bands:
    """The lowest arrangement of any run of blocks."""

    def __init__(
        self, measures: Measures, wishes: tuple[int | None, ...], units: int, density: float
    ) -> None:
        self.gap = measures.gap
        self.wishes = wishes
        self.units = units
        self._heights = measures.heights(density)
        self.best = cache(self._best)
        self.band = cache(self._band)

    def height(self, start: int, end: int) -> float:
        band = self.band(start, end)
        return float("inf") if band is None else band.height

    def page_height(self, start: int, end: int) -> float:
        return self.best(start, end)[0]

    def page(self, start: int, end: int) -> tuple[Band, ...]:
        return self.best(start, end)[1]

    def _best(self, start: int, end: int) -> tuple[float, tuple[Band, ...]]:
        """Bands that follow one another, lowest in all."""
        if start == end:
            return 0.0, ()
        found: tuple[float, tuple[Band, ...]] = (float("inf"), ())
        for middle in range(start + 1, end + 1):
            band = self.band(start, middle)
            if band is None:
                continue
            rest, bands = self.best(middle, end)
            height = band.height + rest + (self.gap if bands else 0)
            if height < found[0] - 0.01:
                found = (height, (band, *bands))
        return found

    def _band(self, start: int, end: int) -> Band | None:
        """The lowest way to stand these blocks side by side; columns stay empty only where tables are
        wanted so narrow."""
        for used in range(self.units, 0, -1):
            band = self._band_of(start, end, used)
            if band is not None:
                return band
        return None

    def _band_of(self, start: int, end: int, used: int) -> Band | None:
        """The lowest; of those that are as low the one with the most even lanes."""
        best: Band | None = None
        unevenness = float("inf")
        for cut in _cuts(start, end, min(MOST_LANES, used)):
            for widths in _widths(used, len(cut)):
                lanes = [self._lane(a, b, w) for (a, b), w in zip(cut, widths, strict=True)]
                height, squares = max(lanes), sum(lane * lane for lane in lanes)
                if height == float("inf") or (best is not None and height > best.height + 0.01):
                    continue
                if best is None or height < best.height - 0.01 or squares < unevenness - 0.01:
                    best = Band(_lanes(cut, widths), height)
                    unevenness = squares
        return best

    def _lane(self, start: int, end: int, units: int) -> float:
        total = self.gap * (end - start - 1)
        for n in range(start, end):
            height = self._heights[n][units - 1]
            if height is None or self.wishes[n] not in (None, units):
                return float("inf")
            total += height
        return total


def _lanes(cut: tuple[tuple[int, int], ...], widths: tuple[int, ...]) -> tuple[Lane, ...]:
    return tuple(Lane(w, tuple(range(a, b))) for (a, b), w in zip(cut, widths, strict=True))


def _cuts(start: int, end: int, most: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """All ways to cut a run into at most so many runs."""
    if most > 1:
        for middle in range(start + 1, end):
            for rest in _cuts(middle, end, most - 1):
                yield ((start, middle), *rest)
    yield ((start, end),)


@cache
def _widths(units: int, lanes: int) -> tuple[tuple[int, ...], ...]:
    """All ways to give so many columns to so many lanes, all used."""
    if lanes == 1:
        return ((units,),)
    return tuple(
        (first, *rest) for first in range(1, units - lanes + 2) for rest in _widths(units - first, lanes - 1)
    )


# -- how narrow a block may get ----------------------------------------------------------------

LONG_LABEL = 14.0
"""Labels longer than this many ems share the width with the cells and may break."""
LABEL_SHARE = 1.6
"""Of all the cells together."""
NAME_WIDTH = 11.0
"""What is shorter stays on one line, if there is room at all."""
MOST_IN_A_LINE = 40.0
SET_SMALLER = 0.92
"""Names that are a little too wide are set so much smaller, before type is set smaller everywhere."""


def narrowest(block: Block) -> float:
    """In ems: below this, words would run out of their cells."""
    return _narrowest(block, 0.0)


def comfortable(block: Block) -> float:
    """In ems: below this, names in cells would be broken."""
    return max(narrowest(block), SET_SMALLER * _narrowest(block, NAME_WIDTH))


def _narrowest(block: Block, whole: float) -> float:
    match block.body:
        case Steps(rows=rows):
            marks = 1 if any(row.marks for row in rows) else 0
            outcome = max((_width_in(row.outcome, NAME_WIDTH) for row in rows), default=0.0)
            text = max((_width_in(row.text, 0.0) for row in rows), default=0.0)
            return max(16.0, 4 + 1.6 * marks + text + outcome + 2)
        case Grid(sections=sections, folded=folded) as grid:
            return _narrowest_grid(grid, whole) * (len(sections) if folded else 1)


def _narrowest_grid(grid: Grid, whole: float) -> float:
    labels = [row.label for section in grid.sections for row in section.rows]
    label = max([text_width(grid.corner), *(label_width(label) for label in labels)])
    widths = column_widths(grid, whole)
    growing = [width for width, column in zip(widths, grid.columns, strict=True) if column.grow]
    fixed = sum(width for width, column in zip(widths, grid.columns, strict=True) if not column.grow)
    if by_choice(grid):
        growing = [max(growing, default=0.0)] * len(growing)
    if label > LONG_LABEL:
        return max(LONG_LABEL, sum(growing) * (1 + LABEL_SHARE)) + fixed
    return label + CELL_MARGIN + fixed + sum(growing)


def by_choice(grid: Grid) -> bool:
    """Columns to choose from are all as wide; others as what they hold."""
    return any(column.choice is not None for column in grid.columns)


def column_widths(grid: Grid, whole: float = NAME_WIDTH) -> list[float]:
    """Of each column without the labels, in ems."""
    return [max(_width_in(text, whole) for text in column) + CELL_MARGIN for column in _columns(grid)]


def full_widths(grid: Grid) -> list[float]:
    """With no line broken, but of sentences no more than is read easily."""
    return [
        max(min(_width(text), MOST_IN_A_LINE) for text in column) + CELL_MARGIN for column in _columns(grid)
    ]


def _columns(grid: Grid) -> list[list[Inline]]:
    """The texts of each column, its head first."""
    rows = [row for section in grid.sections for row in section.rows if len(row.cells) == len(grid.columns)]
    return [[column.head, *(row.cells[n].text for row in rows)] for n, column in enumerate(grid.columns)]


def label_width(label: Inline) -> float:
    return _width(label)


def _width(inline: Inline) -> float:
    return sum(BADGE_WIDTH if isinstance(part, Mark) else text_width(part.text) for part in inline)


def _width_in(inline: Inline, whole: float) -> float:
    """All of a short text; of a longer one its longest word, with its badge."""
    width = _width(inline)
    if width <= whole:
        return width
    marks = BADGE_WIDTH + 0.2 if any(isinstance(part, Mark) for part in inline) else 0.0
    texts = tuple(part for part in inline if isinstance(part, Run))
    return marks + max((text_width(word) for word in text_of(texts).split()), default=0.0)
