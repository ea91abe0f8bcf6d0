"""Boxes against every point, and a table of a thousand rows."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.model.grid import Box, members
from dtables.verifier.boxes import Boxes, Budget, Exhausted, runs, stretch, uncovered
from tests.support.thinned import draws

FULL = (0b1111, 0b111, 0b11011)
boxes = st.tuples(*(st.one_of(st.just(full), st.integers(0, 31).map(full.__and__)) for full in FULL))


def points(box: Box) -> set[tuple[int, ...]]:
    return set(product(*map(members, box)))


@settings(max_examples=draws(100), deadline=None)
@given(st.lists(boxes, max_size=8))
def test_uncovered__every_point_that_no_box_holds_once(rows: list[Box]) -> None:
    held = set().union(*map(points, rows)) if rows else set()
    found = list(uncovered(Boxes(FULL, tuple(rows)), Budget(10_000)))
    assert sum(len(points(box)) for box in found) == len(points(FULL) - held)
    assert set().union(*map(points, found)) == points(FULL) - held if found else held == points(FULL)


@settings(max_examples=draws(100), deadline=None)
@given(st.lists(boxes, max_size=8))
def test_uncovered__counted_or_searched_it_is_the_same(rows: list[Box]) -> None:
    grid = Boxes(FULL, tuple(rows))
    meet = [
        sum(1 << n for n, other in enumerate(rows) if n != row and points(box) & points(other))
        for row, box in enumerate(rows)
    ]
    searched = [points(box) for box in uncovered(grid, Budget(10_000))]
    counted = [points(box) for box in uncovered(grid, Budget(10_000), meet)]
    assert set().union(*searched) == set().union(*counted)
    assert sum(map(len, searched)) == sum(map(len, counted))


@settings(max_examples=draws(200), deadline=None)
@given(st.lists(boxes, max_size=16))
def test_uncovered__of_rows_that_do_not_meet_it_is_counted_column_by_column(drawn: list[Box]) -> None:
    rows: list[Box] = []
    for row in drawn:
        if not any(points(row) & points(other) for other in rows):
            rows.append(row)
    held = set().union(*map(points, rows)) if rows else set()
    found = list(uncovered(Boxes(FULL, tuple(rows)), Budget(10_000), [0] * len(rows)))
    assert sum(len(points(box)) for box in found) == len(points(FULL) - held)
    assert set().union(*map(points, found)) == points(FULL) - held


@given(st.integers(0, 2**70))
def test_runs__are_the_members(bits: int) -> None:
    assert sum(stretch(start, end) for start, end in runs(bits)) == bits


def partition(rows: int) -> Boxes:
    """For each of some names the numbers cut at other places."""
    names = 20
    each = rows // names
    full = (stretch(0, names), stretch(0, rows * 3), *(0b11111,) * 4)
    made = []
    for name in range(names):
        cuts = [0, *(n * 3 * names + name + 1 for n in range(1, each)), rows * 3]
        made += [(1 << name, stretch(a, b), *full[2:]) for a, b in pairwise(cuts)]
    return Boxes(full, tuple(made))


@pytest.mark.parametrize("rows", [1_000, 4_000])
def test_uncovered__looks_at_a_large_table_only_about_once(rows: int) -> None:
    grid = partition(rows)
    budget = Budget(20 * rows)
    assert not any(True for _ in uncovered(grid, budget))
    one_less = Boxes(grid.full, grid.rows[:700] + grid.rows[701:])
    assert list(uncovered(one_less, Budget(20 * rows))) == [grid.rows[700]]


@pytest.mark.parametrize("rows", [1_000, 4_000])
def test_uncovered__counts_the_rows_once_for_each_column_that_it_cuts(rows: int) -> None:
    grid = partition(rows)
    gaps = Boxes(grid.full, tuple(row for n, row in enumerate(grid.rows) if n % (rows // 4) != 7))
    apart = [0] * len(gaps.rows)
    assert set(uncovered(gaps, Budget(6 * rows), apart)) == set(grid.rows) - set(gaps.rows)


def test_uncovered__says_when_it_is_too_much() -> None:
    with pytest.raises(Exhausted):
        list(uncovered(partition(1_000), Budget(100)))
