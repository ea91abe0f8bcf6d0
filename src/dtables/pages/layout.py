"""Where blocks go on a page: bands of lanes, as large in type as they fit.

A page is so many columns wide. Blocks keep the workbook's order: it is cut into bands, a band into
lanes that stand side by side, and a lane holds blocks under one another. Of all ways the lowest is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

from dtables.pages.document import (
    Block,
    Body,
    Document,
    Entries,
    Grid,
    GridRow,
    GridSection,
    Icon,
    Inline,
    Mark,
    Orders,
    Procedure,
    Run,
    Sheet,
    StepRow,
    Steps,
    drawn_text,
    text_of,
    texts_in,
)
from dtables.pages.letters import text_width
from dtables.pages.words import furniture

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
        asked for so narrow."""
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
        case body:
            return max([16.0, *(4 + _width_in(text, 0.0) for text in texts_in(body))])


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
    return sum(
        BADGE_WIDTH if isinstance(part, (Mark, Icon)) else text_width(drawn_text((part,))) for part in inline
    )


def _width_in(inline: Inline, whole: float) -> float:
    """All of a short text; of a longer one its longest word, with its badge."""
    width = _width(inline)
    if width <= whole:
        return width
    marks = BADGE_WIDTH + 0.2 if any(isinstance(part, (Mark, Icon)) for part in inline) else 0.0
    texts = tuple(part for part in inline if isinstance(part, Run))
    return marks + max((text_width(word) for word in text_of(texts).split()), default=0.0)


# -- room at the foot -------------------------------------------------------------------------------
# Room that is left at the foot of a page, given to its rows: tables end where the page ends, if they can.

MOST_AIR = 0.42
"""In ems, above and below each row: about as much again as a row has anyway."""
EVEN_AIR = 0.2
"""So much more, where the tables side by side end at the same height with it."""

Blocks = Sequence[Block]
PageHeights = Sequence[Sequence[float | None]]
"""In the page's size of type: by block, by how many columns it fills (from 1)."""


def aired(
    page: PageLayout, blocks: Blocks, heights: PageHeights, gap: float, room: float, em: float
) -> PageLayout:
    """Rows further apart, as far as the page has room for them; `em` is the page's size of type."""
    share = _air_that_fits(page, blocks, heights, gap, room, MOST_AIR * em)
    bands = tuple(_even(band, blocks, heights, gap, share, EVEN_AIR * em) for band in page.bands)
    return replace(page, bands=bands)


def rows_in(block: Block) -> int:
    """How many rows a block is high, with its heads."""
    match block.body:
        case Steps(rows=rows):
            return len(rows)
        case Grid(sections=sections, folded=folded) as grid:
            headed = bool(grid.corner) or any(column.head for column in grid.columns)
            if folded:
                return headed + max(len(section.rows) for section in sections)
            return headed + sum(len(section.rows) + bool(section.title) for section in sections)
        case Procedure(rows=rows):
            return len(rows)
        case Entries(rows=rows):
            return len(rows)
        case Orders(lists=lists):
            return len(lists) + 1


def _air_that_fits(
    page: PageLayout, blocks: Blocks, heights: PageHeights, gap: float, room: float, most: float
) -> float:
    """The height of a page grows with the air, by halves of what is still open."""
    low, high = 0.0, most
    if _page_height(page, blocks, heights, gap, high) <= room:
        return high
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if _page_height(page, blocks, heights, gap, middle) <= room else (low, middle)
        )
    return low


def _page_height(page: PageLayout, blocks: Blocks, heights: PageHeights, gap: float, air: float) -> float:
    bands = [max(_lane_height(lane, blocks, heights, gap, air) for lane in band.lanes) for band in page.bands]
    return sum(bands) + gap * (len(bands) - 1)


def _lane_height(lane: Lane, blocks: Blocks, heights: PageHeights, gap: float, air: float) -> float:
    own = sum(heights[n][lane.units - 1] or 0.0 for n in lane.blocks)
    return own + gap * (len(lane.blocks) - 1) + 2 * air * _rows(lane, blocks)


def _rows(lane: Lane, blocks: Blocks) -> int:
    return sum(rows_in(blocks[n]) for n in lane.blocks)


def _even(band: Band, blocks: Blocks, heights: PageHeights, gap: float, air: float, most: float) -> Band:
    """Lanes that are nearly as high as the highest become as high."""
    by_lane = [_lane_height(lane, blocks, heights, gap, air) for lane in band.lanes]
    lanes = []
    for lane, height in zip(band.lanes, by_lane, strict=True):
        more = (max(by_lane) - height) / (2 * _rows(lane, blocks))
        lanes.append(replace(lane, air=air + more if more <= most else air))
    return replace(band, lanes=tuple(lanes))


# -- tables longer than a page ----------------------------------------------------------------------
# A table that is longer than a page goes on on the next one, under the same head.

Row = TypeVar("Row")


def in_halves(document: Document, too_big: Sequence[Sequence[int]]) -> Document | None:
    """With those blocks of each sheet cut in two; None where one of them is a single row."""
    sheets = []
    for sheet, blocks in zip(document.sheets, too_big, strict=True):
        halved = _sheet(sheet, frozenset(blocks), document.language)
        if halved is None:
            return None
        sheets.append(halved)
    return replace(document, sheets=tuple(sheets))


def _sheet(sheet: Sheet, too_big: frozenset[int], language: str) -> Sheet | None:
    blocks: list[Block] = []
    for n, block in enumerate(sheet.blocks):
        halves = _halves(block, language) if n in too_big else (block,)
        if not halves:
            return None
        blocks += halves
    return replace(sheet, blocks=tuple(blocks))


def _halves(block: Block, language: str) -> tuple[Block, ...]:
    bodies = _bodies(block.body)
    if not bodies:
        return ()
    first, second = bodies
    goes_on = f" {furniture(language)['goes_on']}"
    title = block.title.removesuffix(goes_on) + goes_on
    return replace(block, body=first), replace(block, body=second, title=title)


def _bodies(body: Body) -> tuple[Body, Body] | None:
    match body:
        case Steps(rows=rows):
            at = _middle(rows, _step_ends)
            return None if at == 0 else (replace(body, rows=rows[:at]), replace(body, rows=rows[at:]))
        case Grid():
            return _grids(body)
        case Procedure(rows=rows) if len(rows) > 1:
            at = len(rows) // 2
            return Procedure(rows[:at]), Procedure(rows[at:])
        case Entries(rows=rows) if len(rows) > 1:
            at = len(rows) // 2
            return replace(body, rows=rows[:at]), replace(body, rows=rows[at:])
        case _:
            return None


def _grids(grid: Grid) -> tuple[Grid, Grid] | None:
    """Sections that stood side by side stand under one another then."""
    rows = [(section, row) for section in grid.sections for row in section.rows]
    at = _middle(rows, _row_ends)
    if at == 0:
        return None
    halves = (_sections(part) for part in (rows[:at], rows[at:]))
    first, second = (replace(grid, sections=sections, folded=False) for sections in halves)
    return first, second


def _sections(rows: Sequence[tuple[GridSection, GridRow]]) -> tuple[GridSection, ...]:
    sections = list(dict.fromkeys(section for section, _ in rows))
    return tuple(replace(s, rows=tuple(row for own, row in rows if own is s)) for s in sections)


# -- where -------------------------------------------------------------------------------------


def _middle(rows: Sequence[Row], ends: Callable[[Row, Row], bool]) -> int:
    """The place nearest to the middle where rows that belong together end; 0 where there is none."""
    places = [n for n in range(1, len(rows)) if ends(rows[n - 1], rows[n])]
    return min(places, key=lambda n: abs(2 * n - len(rows)), default=0)


def _step_ends(row: StepRow, _: StepRow) -> bool:
    return row.ruled


def _row_ends(one: tuple[GridSection, GridRow], other: tuple[GridSection, GridRow]) -> bool:
    """Rows without a label go on under the one above them."""
    return bool(other[1].label) or not one[1].label or one[0] is not other[0]
