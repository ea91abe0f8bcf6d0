"""Where blocks go: order kept, nothing lost, nothing too high, the lowest arrangement."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.printing.view_layout import (
    CARD_SCALES,
    DENSITIES,
    Measures,
    PageLayout,
    TooBig,
    lay_out,
    narrowest,
)
from dtables.printing.view_parts import Grid, Steps
from tests.printing.books import depot

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


@settings(deadline=None, max_examples=60)
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


def test_narrowest__grows_with_the_columns() -> None:
    from dtables.printing.view import print_view

    document, _ = print_view(depot(), "en")
    by_title = {block.title: block for sheet in document.sheets for block in sheet.blocks}
    grid, steps = by_title["Read only your column"], by_title["Shift"]
    assert isinstance(grid.body, Grid) and isinstance(steps.body, Steps)
    assert narrowest(grid) > narrowest(steps) >= 16
