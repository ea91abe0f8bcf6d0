"""Room that is left at the foot of a page, given to its rows: tables end where the page ends, if they can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dtables.printing.view_layout import Band, Lane, PageLayout
from dtables.printing.view_parts import Block, Grid, Steps

MOST_AIR = 0.42
"""In ems, above and below each row: about as much again as a row has anyway."""
EVEN_AIR = 0.2
"""So much more, where the tables side by side end at the same height with it."""

Blocks = Sequence[Block]
Heights = Sequence[Sequence[float | None]]
"""In the page's size of type: by block, by how many columns it fills (from 1)."""


def aired(
    page: PageLayout, blocks: Blocks, heights: Heights, gap: float, room: float, em: float
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


def _air_that_fits(
    page: PageLayout, blocks: Blocks, heights: Heights, gap: float, room: float, most: float
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


def _page_height(page: PageLayout, blocks: Blocks, heights: Heights, gap: float, air: float) -> float:
    bands = [max(_lane_height(lane, blocks, heights, gap, air) for lane in band.lanes) for band in page.bands]
    return sum(bands) + gap * (len(bands) - 1)


def _lane_height(lane: Lane, blocks: Blocks, heights: Heights, gap: float, air: float) -> float:
    own = sum(heights[n][lane.units - 1] or 0.0 for n in lane.blocks)
    return own + gap * (len(lane.blocks) - 1) + 2 * air * _rows(lane, blocks)


def _rows(lane: Lane, blocks: Blocks) -> int:
    return sum(rows_in(blocks[n]) for n in lane.blocks)


def _even(band: Band, blocks: Blocks, heights: Heights, gap: float, air: float, most: float) -> Band:
    """Lanes that are nearly as high as the highest become as high."""
    by_lane = [_lane_height(lane, blocks, heights, gap, air) for lane in band.lanes]
    lanes = []
    for lane, height in zip(band.lanes, by_lane, strict=True):
        more = (max(by_lane) - height) / (2 * _rows(lane, blocks))
        lanes.append(replace(lane, air=air + more if more <= most else air))
    return replace(band, lanes=tuple(lanes))
