"""Rows as boxes against every point, and tables of thousands of rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations, product
from operator import or_
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.feel.types import BOOLEAN, TEXT, WHOLE, VocabularyType, optional
from dtables.model.grid import RowGrid, bits_of, grid, meeting, members
from dtables.model.regions import Line, Region, Span, line_of
from tests.support.limits import limited
from tests.support.thinned import draws

NAMES = {"colour": ("red", "green", "blue")}


def line(type_: object) -> Line:
    found = line_of(type_, NAMES)  # type: ignore[arg-type]
    assert found is not None
    return found


NUMBERS, COLOURS = line(optional(WHOLE)), line(VocabularyType("colour", "colour"))
YES_OR_NO, TEXTS = line(optional(BOOLEAN)), line(TEXT)
LINES = (NUMBERS, COLOURS, YES_OR_NO, TEXTS)
KEYS = (range(-1, 14), range(3), range(2), ("", "a", "b", "c"))
"""Enough to tell all regions apart that are drawn."""


def one_of(on: Line, low: int | str, high: int | str) -> Region:
    """From one key to another."""
    return Region((Span(on.cut(low, False), on.cut(high, True)),))


@st.composite
def regions(draw: st.DrawFn, on: Line, keys: Sequence[int] | Sequence[str]) -> Region | None:
    if draw(st.integers(0, 2)) == 0:
        return draw(st.sampled_from([None, on.full, on.full - Region((), True)]))
    ends = st.sampled_from(keys[1:] if on is NUMBERS else keys)
    parts = [sorted(pair) for pair in draw(st.lists(st.tuples(ends, ends), min_size=1, max_size=2))]
    made = reduce(or_, (one_of(on, low, high) for low, high in parts))
    return made | Region((), on.nullable and draw(st.booleans()))


rows_drawn = st.lists(st.tuples(*(regions(*pair) for pair in zip(LINES, KEYS, strict=True))), max_size=9)
limits = st.tuples(*(regions(*pair) for pair in zip(LINES, KEYS, strict=True)))


def points_of(keys: Sequence[int] | Sequence[str], region: Region) -> set[int | str | None]:
    return {key for key in keys if region.has(key)} | ({None} if region.null else set())


def points(row: Sequence[Region | None], full: Sequence[Region]) -> set[tuple[int | str | None, ...]]:
    cells = [on if cell is None else cell & on for cell, on in zip(row, full, strict=True)]
    return set(product(*map(points_of, KEYS, cells)))


@settings(max_examples=draws(200))
@given(rows_drawn, limits)
def test_meeting__is_what_two_rows_share(
    rows: list[tuple[Region | None, ...]], limit: tuple[Region | None, ...]
) -> None:
    full = tuple(on.full if cell is None else cell for on, cell in zip(LINES, limit, strict=True))
    made = grid(LINES, rows, full)
    held = [points(row, full) for row in rows]
    wanted = [(a, b) for a, b in combinations(range(len(rows)), 2) if held[a] & held[b]]
    found = meeting(made)
    assert found.complete and list(found.pairs()) == wanted
    assert all(found.rows[b] >> a & 1 for a, b in wanted)
    assert sum(map(int.bit_count, found.rows)) == 2 * len(wanted)
    for block in (1, 3):
        assert meeting(made, block=block) == found


@settings(max_examples=draws(200))
@given(rows_drawn)
def test_boxes__hold_the_classes_of_their_points(rows: list[tuple[Region | None, ...]]) -> None:
    made = grid(LINES, rows)
    values = [[on.value(key) for key in keys] for on, keys in zip(LINES, KEYS, strict=True)]
    for row, box, opaque in zip(rows, made.boxes, made.opaque, strict=True):
        for n, (on, cell) in enumerate(zip(LINES, row, strict=True)):
            assert (n in opaque) == (cell is None)
            for value in [*values[n], *([None] if on.nullable else [])]:
                place = made.axes[n].class_of(value)
                assert place is not None
                lets = cell is None or on.passes(cell, value)
                assert bool(box[n] >> place & 1) == lets
    assert made.whole == tuple((1 << on.count) - 1 for on in made.axes)
    assert made.fineness == len(rows) * sum(on.count for on in made.axes)


def test_grid__without_rows_or_lines() -> None:
    assert meeting(grid(LINES, [])).rows == []
    assert [on.count for on in grid(LINES, []).axes] == [2, 1, 2, 1]
    assert list(meeting(grid((), [(), ()])).pairs()) == [(0, 1)]


def chain(count: int) -> RowGrid:
    """Rows of numbers, each beginning where the last one ends."""
    return grid([NUMBERS, COLOURS], [(one_of(NUMBERS, 3 * n, 3 * n + 2), COLOURS.full) for n in range(count)])


def test_meeting__of_many_rows() -> None:
    many = chain(10_000)
    assert not any(meeting(many).rows)
    overlapping = [(one_of(NUMBERS, 3 * n, 3 * n + 3), None) for n in range(10_000)]
    found = meeting(grid([NUMBERS, COLOURS], overlapping))
    assert list(found.pairs()) == [(n, n + 1) for n in range(9_999)]


def test_meeting__of_long_and_short_rows() -> None:
    chance = Random(7)
    ends = [sorted(chance.sample(range(400), 2 + 2 * chance.randrange(3))) for _ in range(300)]
    rows = [
        [reduce(or_, (one_of(NUMBERS, low, high) for low, high in zip(pair[::2], pair[1::2], strict=True)))]
        for pair in ends
    ]
    wanted = [(a, b) for a, b in combinations(range(300), 2) if rows[a][0].meets(rows[b][0])]
    for block in (300, 64, 7):
        assert list(meeting(grid([NUMBERS], rows), block=block).pairs()) == wanted


def test_meeting__counts_a_pair_twice() -> None:
    alike = grid([COLOURS], [(COLOURS.full,)] * 4)
    with limited(meeting_pairs=12):
        assert meeting(alike).complete
    with limited(meeting_pairs=11):
        assert not meeting(alike).complete


def test_meeting__stops_where_it_becomes_too_much() -> None:
    all_alike = grid([COLOURS], [(COLOURS.full,)] * 40)
    with limited(meeting_pairs=100):
        found = meeting(all_alike)
    assert not found.complete and any(found.rows)
    assert meeting(all_alike).complete
    with limited(grid_bits=100):
        assert not meeting(all_alike).complete


@given(st.frozensets(st.integers(0, 70)))
def test_bits__are_sets(numbers: frozenset[int]) -> None:
    assert frozenset(members(bits_of(numbers, 70))) == numbers
