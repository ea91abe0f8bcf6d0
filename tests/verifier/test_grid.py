"""Boxes against every point, and a table of a thousand rows."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.verifier import meeting as meetings
from dtables.verifier.grid import (
    Box,
    Budget,
    Exhausted,
    Grid,
    members,
    runs,
    stretch,
    uncovered,
)
from dtables.verifier.meeting import meeting
from tests.support.thinned import draws

FULL = (0b1111, 0b111, 0b11011)
boxes = st.tuples(*(st.one_of(st.just(full), st.integers(0, 31).map(full.__and__)) for full in FULL))


def points(box: Box) -> set[tuple[int, ...]]:
    return set(product(*map(members, box)))


@settings(max_examples=draws(100), deadline=None)
@given(st.lists(boxes, max_size=8))
def test_uncovered__every_point_that_no_box_holds_once(rows: list[Box]) -> None:
    held = set().union(*map(points, rows)) if rows else set()
    found = list(uncovered(Grid(FULL, tuple(rows)), Budget(10_000)))
    assert sum(len(points(box)) for box in found) == len(points(FULL) - held)
    assert set().union(*map(points, found)) == points(FULL) - held if found else held == points(FULL)


@settings(max_examples=draws(100), deadline=None)
@given(st.lists(boxes, max_size=8))
def test_uncovered__counted_or_searched_it_is_the_same(rows: list[Box]) -> None:
    grid = Grid(FULL, tuple(rows))
    searched = [points(box) for box in uncovered(grid, Budget(10_000))]
    counted = [points(box) for box in uncovered(grid, Budget(10_000), meeting(grid).rows)]
    assert set().union(*searched) == set().union(*counted)
    assert sum(map(len, searched)) == sum(map(len, counted))


@settings(max_examples=draws(100), deadline=None)
@given(st.lists(boxes, max_size=8))
def test_meeting__boxes_with_a_point_in_common(rows: list[Box]) -> None:
    found = meeting(Grid(FULL, tuple(rows))).rows
    for a, b in product(range(len(rows)), repeat=2):
        assert a == b or bool(found[a] >> b & 1) == bool(points(rows[a]) & points(rows[b]))


@given(st.integers(0, 2**70))
def test_runs__are_the_members(bits: int) -> None:
    assert sum(stretch(start, end) for start, end in runs(bits)) == bits


def partition(rows: int) -> Grid:
    """For each of some names the numbers cut at other places."""
    names = 20
    each = rows // names
    full = (stretch(0, names), stretch(0, rows * 3), *(0b11111,) * 4)
    made = []
    for name in range(names):
        cuts = [0, *(n * 3 * names + name + 1 for n in range(1, each)), rows * 3]
        made += [(1 << name, stretch(a, b), *full[2:]) for a, b in pairwise(cuts)]
    return Grid(full, tuple(made))


@pytest.mark.parametrize("rows", [1_000, 4_000])
def test_uncovered__looks_at_a_large_table_only_about_once(rows: int) -> None:
    grid = partition(rows)
    budget = Budget(20 * rows)
    assert not any(True for _ in uncovered(grid, budget))
    assert not any(meeting(grid).rows)
    one_less = Grid(grid.full, grid.rows[:700] + grid.rows[701:])
    assert list(uncovered(one_less, Budget(20 * rows))) == [grid.rows[700]]


def test_uncovered__says_when_it_is_too_much() -> None:
    with pytest.raises(Exhausted):
        list(uncovered(partition(1_000), Budget(100)))


def test_meeting__in_blocks_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    overlapping = tuple((1 << n % 4, stretch(0, n % 3 + 1), 1 << n % 2) for n in range(40))
    grid = Grid(FULL, overlapping)
    wanted = meeting(grid)
    assert wanted.whole
    for block in (1, 7, 16):
        monkeypatch.setattr(meetings, "BLOCK", block)
        assert meeting(grid) == wanted


def test_meeting__says_when_it_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = Grid(FULL, (FULL,) * 40)
    monkeypatch.setattr(meetings, "MOST_PAIRS", 100)
    found = meeting(grid)
    assert not found.whole and any(found.rows)
