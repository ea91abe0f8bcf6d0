"""Where blocks go: order kept, nothing lost, nothing too high, the lowest arrangement."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.pages.document import Block, Grid, Paper, Sheet, StepRow, Steps, plain
from dtables.pages.imposition import LaidOutSheet, chosen_ways
from dtables.pages.layout import (
    CARD_SCALES,
    DENSITIES,
    Band,
    Lane,
    Measures,
    PageLayout,
    TooBig,
    aired,
    lay_out,
    narrowest,
)
from dtables.provenance import CellRef, Location
from tests.pages.books import depot
from tests.support.thinned import draws

GAP = 10.0


def measures(*blocks: tuple[float, ...]) -> Measures:
    """Each block's height by columns filled, at density 1; larger type is higher."""
    return Measures(lambda k: [[height * k if height else None for height in block] for block in blocks], GAP)


def arrangement(layout: tuple[PageLayout, ...] | TooBig) -> list[list[list[tuple[int, tuple[int, ...]]]]]:
    assert not isinstance(layout, TooBig)
    return [[[(lane.units, lane.blocks) for lane in band.lanes] for band in page.bands] for page in layout]


def test_scales_and_densities_stay_readable() -> None:
    assert DENSITIES[-1] * 9.6 >= 7.8
    assert (CARD_SCALES[0], CARD_SCALES[-1]) == (1.12, 0.8)


def test_two_blocks_stand_side_by_side() -> None:
    found = lay_out(measures((100, 60), (100, 60)), [None, None], 2, 400)
    assert arrangement(found) == [[[(1, (0,)), (1, (1,))]]]
    assert not isinstance(found, TooBig) and found[0].density == DENSITIES[0]


def test_a_wide_block_stands_alone() -> None:
    """Block 1 needs both columns: the others go above and below."""
    found = lay_out(measures((100, 90), (0, 50), (40, 40), (40, 40)), [None] * 4, 2, 400)
    assert arrangement(found) == [[[(2, (0,))], [(2, (1,))], [(1, (2,)), (1, (3,))]]]


def test_a_narrow_lane_beside_a_wide_one() -> None:
    tall = (400.0, 320.0, 200.0, 190.0)
    small = (60.0, 50.0, 45.0, 45.0)
    found = lay_out(measures(small, small, small, tall), [None, None, None, 3], 4, 300)
    assert arrangement(found) == [[[(1, (0, 1, 2)), (3, (3,))]]]


def test_type_shrinks_before_a_second_page() -> None:
    found = lay_out(measures((100, 100), (100, 100), (100, 100)), [2, 2, 2], 2, 290)
    assert not isinstance(found, TooBig)
    assert [len(page.bands) for page in found] == [3]
    # 3 · 100 · k + 2 · 10 must be at most 290.
    assert found[0].density == 0.88


def test_as_many_pages_as_it_takes() -> None:
    found = lay_out(measures((300, 300), (300, 300), (100, 100)), [2, 2, 2], 2, 400)
    assert arrangement(found) == [[[(2, (0,))]], [[(2, (1,))], [(2, (2,))]]] or len(found) == 2


def test_too_big() -> None:
    assert lay_out(measures((100, 100), (900, 900)), [None, None], 2, 400) == TooBig((1,))


@st.composite
def problems(draw: st.DrawFn) -> tuple[Measures, int]:
    units = draw(st.sampled_from([1, 2, 4]))
    blocks = draw(st.lists(st.floats(20, 300), min_size=1, max_size=6))
    return measures(*(tuple(height / (1 + 0.3 * u) for u in range(units)) for height in blocks)), units


@settings(deadline=None, max_examples=draws(60))
@given(problems(), st.floats(300, 600))
def test_nothing_is_lost_and_nothing_is_too_high(problem: tuple[Measures, int], room: float) -> None:
    measured, units = problem
    count = len(measured.heights(1.0))
    found = lay_out(measured, [None] * count, units, room)
    assert not isinstance(found, TooBig)
    order = [n for page in found for band in page.bands for lane in band.lanes for n in lane.blocks]
    assert order == list(range(count))
    for page in found:
        heights = measured.heights(page.density)
        total = GAP * (len(page.bands) - 1)
        for band in page.bands:
            assert sum(lane.units for lane in band.lanes) == units
            total += max(
                sum(heights[n][lane.units - 1] or 0 for n in lane.blocks) + GAP * (len(lane.blocks) - 1)
                for lane in band.lanes
            )
        assert total <= room + 0.1


def test_lanes_as_low_as_others_are_even() -> None:
    """The first block is as high as the page needs; the three small ones stand 2 and 1, not 1 and 2."""
    found = lay_out(measures((300,) * 3, (50,) * 3, (40,) * 3, (100,) * 3), [1, 1, 1, 1], 3, 400)
    assert arrangement(found) == [[[(1, (0,)), (1, (1, 2)), (1, (3,))]]]


# -- room that is left -------------------------------------------------------------------------


def block(rows: int) -> Block:
    where = CellRef("b.xlsx", "S", 1, 1)
    step = StepRow("", (), (), plain("x"), (), where)
    return Block("b", "B", "", "", Steps((step,) * rows), Location(where))


def page_of(*lanes: tuple[int, ...]) -> PageLayout:
    return PageLayout(1.0, (Band(tuple(Lane(1, blocks) for blocks in lanes), 0.0),))


def airs(page: PageLayout) -> list[float]:
    return [round(lane.air, 2) for lane in page.bands[0].lanes]


def test_aired__rows_share_what_is_left() -> None:
    # 10 rows have 2 · 10 · air more: 20 points of 120 − 100.
    assert airs(aired(page_of((0,)), [block(10)], [[100.0]], GAP, 120.0, 9.6)) == [1.0]
    # No more than is good to look at: 0.42 · 10.
    assert airs(aired(page_of((0,)), [block(10)], [[100.0]], GAP, 900.0, 10.0)) == [4.2]


def test_aired__tables_side_by_side_end_together_where_little_is_wanting() -> None:
    blocks = [block(10), block(10), block(10)]
    page = aired(page_of((0,), (1,), (2,)), blocks, [[100.0], [80.0], [20.0]], GAP, 100.0, 10.0)
    assert airs(page) == [0.0, 1.0, 0.0], "the last would need 4 points above and below each row"


@settings(deadline=None, max_examples=draws(60))
@given(st.lists(st.integers(1, 20), min_size=1, max_size=4), st.floats(1.0, 3.0))
def test_aired__never_more_than_the_page_has(rows: list[int], spare: float) -> None:
    heights = [[20.0 * n] for n in rows]
    room = spare * sum(h for (h,) in heights) + GAP * len(rows)
    page = aired(page_of(tuple(range(len(rows)))), [block(n) for n in rows], heights, GAP, room, 9.6)
    air = page.bands[0].lanes[0].air
    assert sum(20.0 * n + 2 * air * n for n in rows) + GAP * (len(rows) - 1) <= room + 0.01


def test_chosen_ways__pages_lie_alike_where_that_costs_little() -> None:
    def way(landscape: bool, density: float) -> LaidOutSheet:
        sheet = Sheet("1", "", Paper.A4, landscape, True, (block(2),), block(1).where, ())
        return sheet, (PageLayout(density, (Band((Lane(1, (0,)),), 50.0),)),)

    def lies(*sheets: list[LaidOutSheet]) -> list[bool]:
        return [sheet.landscape for sheet, _ in chosen_ways(sheets)]

    only_lying = [way(True, 1.0)]
    assert lies(only_lying, [way(False, 1.3), way(True, 1.2)]) == [True, True]
    assert lies(only_lying, [way(False, 1.3), way(True, 1.0)]) == [True, False]


def test_narrowest__grows_with_the_columns() -> None:
    from dtables.pages.compose import print_view

    document, _ = print_view(depot(), "en")
    by_title = {block.title: block for sheet in document.sheets for block in sheet.blocks}
    grid, steps = by_title["Read only your column"], by_title["Toll"]
    assert isinstance(grid.body, Grid) and isinstance(steps.body, Steps)
    assert narrowest(grid) > narrowest(steps) >= 16
