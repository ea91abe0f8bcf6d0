"""Rows as data, however they are searched: what an index finds is what a look through all rows finds."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable
from decimal import Decimal
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.runtime import (
    RowTable,
    column_of_names,
    column_of_numbers,
    column_of_texts,
    column_of_whole_numbers,
)
from tests.support.limits import limited
from tests.support.thinned import draws

Rows = list[list[Any]]

NAMES = ("red", "green", "blue", None)
KINDS: dict[str, Any] = {
    "names": column_of_names(*NAMES),
    "flag": column_of_names(True, False),
    "whole": column_of_whole_numbers(),
    "whole or null": column_of_whole_numbers(empty=True),
    "number": column_of_numbers(),
    "number or null": column_of_numbers(empty=True),
}
ASKED: dict[str, list[Any]] = {
    "names": list(NAMES),
    "flag": [True, False],
    "whole": [-1, 0, 3, 4, 7, 99],
    "whole or null": [None, -1, 0, 3, 4],
    "number": [-1, 0, Decimal("0.5"), 3, Decimal("3.2"), 4, 7],
    "number or null": [None, 0, Decimal("0.5"), 3, Decimal("3.2"), 4],
}
SMALL = st.integers(-1, 8)


def stretch(kind: str) -> st.SearchStrategy[Any]:
    low, high = st.none() | SMALL, st.none() | SMALL
    pairs = st.tuples(low, high).filter(lambda ends: None in ends or ends[0] < ends[1])
    if kind.startswith("whole"):
        return pairs.map(list)
    return st.builds(lambda ends, shut: [*ends, shut], pairs, st.sampled_from(["[]", "[)", "(]", "()"]))


def cell(kind: str) -> st.SearchStrategy[Any]:
    if kind in ("names", "flag"):
        known = list(KINDS[kind].names or ())
        return st.none() | st.lists(st.sampled_from(known), min_size=1, max_size=3, unique=True)
    one = stretch(kind)
    apart = st.tuples(SMALL, SMALL).filter(lambda ends: ends[0] < ends[1]).map(_two)
    if not kind.startswith("whole"):
        apart = apart.map(lambda parts: [[*part, "[)"] for part in parts])
    return st.none() | one | one | apart | st.just([])


def _two(ends: tuple[int, int]) -> list[Any]:
    return [[None, ends[0] - 1], [ends[1] + 1, None]]


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], Rows]:
    kinds = draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=4))
    row = st.tuples(*(cell(kind) for kind in kinds)).map(list)
    return kinds, draw(st.lists(row, min_size=1, max_size=12))


def passes(kind: str, wanted: Any, value: Any) -> bool:
    if wanted is None:
        return True
    if kind in ("names", "flag"):
        return any(value is one or value == one for one in wanted)
    if value is None:
        return False
    parts = [wanted] if wanted and not isinstance(wanted[0], list) else wanted
    return any(_lies_in(part, value) for part in parts)


def _lies_in(part: list[Any], value: Any) -> bool:
    low, high, shut = [*part, "[]"][:3]
    above = low is None or (low <= value if shut[0] == "[" else low < value)
    return above and (high is None or (value <= high if shut[1] == "]" else value < high))


def scanned(kinds: list[str], rows: Rows, values: tuple[Any, ...]) -> list[int]:
    return [n for n, row in enumerate(rows) if all(map(passes, kinds, row, values))]


def table(kinds: list[str], rows: Rows, keys: int) -> RowTable:
    """The first `keys` columns of names are dicts."""
    dicts = [n for n, kind in enumerate(kinds) if kind in ("names", "flag")][:keys]
    rest = tuple(n for n in range(len(kinds)) if n not in dicts)
    lines = "\n".join(json.dumps([f"A{n + 1}", "", *row, n % 3]) for n, row in enumerate(rows))
    return RowTable("book.xlsx!Sheet!", tuple(KINDS[k] for k in kinds), tuple(dicts), rest, f"\n{lines}\n")


def looked_up(made: RowTable, index: Any, values: tuple[Any, ...]) -> Any:
    for key in made.keys:
        index = index[values[key]]
    return index(*(values[n] for n in made.rest)) if made.rest else index


def looked_up_flat(made: RowTable, index: Any, values: tuple[Any, ...]) -> Any:
    for key in made.keys:
        index = index[values[key]]
    if not made.rest:
        return index
    (column,) = made.rest
    cuts, between = index
    return between[bisect_right(cuts, values[column])]


def flat_agrees(made: RowTable, kinds: list[str], rows: Rows, points: Iterable[tuple[Any, ...]]) -> None:
    last_first = list(range(len(rows)))[::-1]
    first, reverse = made.first(-1, flat=True), made.first(None, last_first, flat=True)
    only, agreed = made.only(-1, flat=True), made.agreed(flat=True)
    for values in points:
        wanted = scanned(kinds, rows, values)
        alike = len({row % 3 for row in wanted}) == 1
        assert looked_up_flat(made, first, values) == (wanted[0] if wanted else -1)
        assert looked_up_flat(made, reverse, values) == (wanted[-1] if wanted else None)
        assert looked_up_flat(made, only, values) == (
            (wanted[0] if len(wanted) == 1 else None) if wanted else -1
        )
        assert looked_up_flat(made, agreed, values) == (wanted[0] if alike else None)


@settings(max_examples=draws(80), deadline=None)
@given(tables(), st.lists(st.none() | SMALL | st.tuples(SMALL, SMALL).map(sorted).map(_two), max_size=12))
def test_one_column_of_whole_numbers_in_cuts(drawn: tuple[list[str], Rows], cells: list[Any]) -> None:
    """Behind names or alone, however much the rows overlap."""
    named = [n for n, kind in enumerate(drawn[0]) if kind in ("names", "flag")]
    kinds = [*(drawn[0][n] for n in named), "whole"]
    listed = [cell if cell is None or isinstance(cell, list) else [cell, cell + 2] for cell in cells]
    rows = [[*(row[n] for n in named), cell] for row, cell in zip(drawn[1], listed, strict=False)]
    flat_agrees(table(kinds, rows, len(named)), kinds, rows, product(*(ASKED[kind] for kind in kinds)))


@settings(max_examples=draws(80), deadline=None)
@given(SMALL, SMALL, st.lists(st.none() | st.tuples(SMALL, SMALL).map(sorted), min_size=1, max_size=8))
def test_beyond_the_limits_nothing_is_found(low: int, high: int, cells: list[Any]) -> None:
    low, high = sorted((low, high))
    rows = [[None if cell is None else [max(low, cell[0]), max(low, min(high, cell[1]))]] for cell in cells]
    column = column_of_whole_numbers(limits=(low, high))
    lines = "\n".join(json.dumps([f"A{n}", "", *row, n]) for n, row in enumerate(rows))
    made = RowTable("b!S!", (column,), (), (0,), f"\n{lines}\n")
    first = made.first(-1, flat=True)
    for value in range(-3, 12):
        wanted = scanned(["whole"], rows, (value,))
        found = (wanted[0] if wanted else -1) if low <= value <= high else None
        assert looked_up_flat(made, first, (value,)) == found


def test_answers_stand_in_the_dicts() -> None:
    """Where no single row fires nothing does; a text that no cell names is no key where it has no row."""
    lines = '["A1", "", ["a"], 7]\n["A2", "", ["b", "c"], 8]\n["A3", "", ["c"], 9]\n'
    made = RowTable("b!S!", (column_of_texts(),), (0,), (), f"\n{lines}")
    answers = [*made.answers(), None]
    assert made.only(answers=answers) == {"a": 7, "b": 8}
    assert made.first(answers=answers) == {"a": 7, "b": 8, "c": 8}
    found = made.first(-1, answers=answers)
    assert (found["c"], found["z"]) == (8, None)


def agrees(kinds: list[str], rows: Rows, keys: int) -> None:
    agrees_at(kinds, rows, product(*(ASKED[kind] for kind in kinds)), keys)


def agrees_at(kinds: list[str], rows: Rows, points: Iterable[tuple[Any, ...]], keys: int = 0) -> None:
    made = table(kinds, rows, keys)
    last_first = list(range(len(rows)))[::-1]
    first, reverse = made.first(-1), made.first(None, last_first)
    only, agreed, every = made.only(-1), made.agreed(), made.every()
    handed = [[n % 2] for n in range(len(rows))]
    given = made.every(handed)
    for values in points:
        wanted = scanned(kinds, rows, values)
        alike = len({row % 3 for row in wanted}) == 1
        assert looked_up(made, every, values) == wanted
        assert list(map(id, looked_up(made, given, values))) == [id(handed[n]) for n in wanted]
        assert made.firing(*values) == wanted
        assert looked_up(made, first, values) == (wanted[0] if wanted else -1)
        assert looked_up(made, reverse, values) == (wanted[-1] if wanted else None)
        assert looked_up(made, only, values) == ((wanted[0] if len(wanted) == 1 else None) if wanted else -1)
        assert looked_up(made, agreed, values) == (wanted[0] if alike else None)


@settings(max_examples=draws(80), deadline=None)
@given(tables(), st.integers(0, 2))
def test_slabs(drawn: tuple[list[str], Rows], keys: int) -> None:
    agrees(*drawn, keys)


MASKS = {"slab_entries_per_row": 0, "slab_entries": 0}
CELLS = {**MASKS, "masked_rows": 0, "crowded": 1}


@limited(**MASKS)
@settings(max_examples=draws(80), deadline=None)
@given(tables(), st.integers(0, 2))
def test_masks(drawn: tuple[list[str], Rows], keys: int) -> None:
    agrees(*drawn, keys)


@limited(**CELLS, crowd=2)
@settings(max_examples=draws(40), deadline=None)
@given(tables(), st.integers(0, 2))
def test_cells(drawn: tuple[list[str], Rows], keys: int) -> None:
    agrees(*drawn, keys)


@limited(**CELLS, crowd=0)
@settings(max_examples=draws(40), deadline=None)
@given(tables(), st.integers(0, 2))
def test_cells_in_cells(drawn: tuple[list[str], Rows], keys: int) -> None:
    agrees(*drawn, keys)


@pytest.mark.parametrize("columns", [2, 3, 4])
def test_cells_in_cells_in_cells(columns: int) -> None:
    """Rows crowd ever closer round one corner, here and there one is as large as all of it."""
    chance = Random(columns)
    rows: Rows = []
    for _ in range(100):
        scale = 10 ** chance.randint(0, 5)
        starts = [chance.randrange(5) * scale for _ in range(columns)]
        ends = [[low, low + chance.randint(0, 2) * scale] for low in starts]
        rows.append([chance.choice([end, end, end, None]) if scale > 100 else end for end in ends])
    kinds = ["whole"] * columns
    near = sorted({end + more for row in rows for cell in row if cell for end in cell for more in (-1, 0, 1)})
    points = [tuple(chance.choice(near) for _ in kinds) for _ in range(500)]
    points += [tuple(chance.randrange(6) * 10 ** chance.randint(0, 2) for _ in kinds) for _ in range(500)]
    with limited(**CELLS, crowd=4):
        agrees_at(kinds, rows, points)


def test_answers__stand_in_the_rows() -> None:
    made = RowTable("b!S!", (column_of_whole_numbers(),), (), (0,), '\n["A1", "7", [1, 2], 0.50, "x"]\n')
    assert made.answers("rate", "word") == [{"rate": Decimal("0.50"), "word": "x"}]
    assert made.names == (("7", "b!S!A1"),)


def test_answers__of_different_ones_each_is_written_once() -> None:
    made = RowTable(
        "b!S!", (column_of_whole_numbers(),), (), (0,), '\n["A1", "", [1, 2], 1]\n["A2", "", null, 1]\n'
    )
    assert made.answers_of(("a", "b")) == ["b", "b"]
    assert made.names == (("A1", "b!S!A1"), ("A2", "b!S!A2"))


@pytest.mark.parametrize("count", [3000])
def test_a_crowd_in_a_corner_is_cut_finer(count: int) -> None:
    """Nearly all rows lie in a hundredth of the plane: no cell that is looked through holds many of them."""
    lines = [[f"A{n}", "", [n % 60, n % 60], [n // 60, n // 60], n] for n in range(count)]
    lines += [[f"B{n}", "", [n * 999, n * 999 + 999], [0, 10**6], -n] for n in range(1, 400)]
    lines += [[f"C{n}", "", [0, 10**6], [n * 999, n * 999 + 999], -n] for n in range(1, 400)]
    text = "\n".join(map(json.dumps, lines))
    made = RowTable("b!S!", (column_of_whole_numbers(), column_of_whole_numbers()), (), (0, 1), text)
    find = made.first(-1)
    assert find(7, 13) == 13 * 60 + 7
    assert find(10**5, 10**5) == count + 99
    assert find(-1, 5) == -1
