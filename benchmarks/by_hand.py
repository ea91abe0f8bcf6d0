"""What a careful person would write for one table, as fast as plain Python goes: nothing is checked.

Each function takes a grid and gives a function of a dict. `exec` stands for the typing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from itertools import product
from typing import Any

from benchmarks.grids import Between, Cell, Column, Except, Given, Grid, Row, Stretch, passes

Decide = Callable[[Given], Any]


def typed(lines: list[str], known: dict[str, Any]) -> Decide:
    """The function `decide` of a text, with what it reads from around it."""
    space = dict(known)
    exec(compile("\n".join(lines), "<by hand>", "exec"), space)
    decide: Decide = space["decide"]
    return decide


# -- few rows ----------------------------------------------------------------------------------


def dict_dispatch(grid: Grid, answer: Callable[[Any], str] = repr) -> Decide:
    """A dict on the two columns of names, a short chain of ifs behind each pair."""
    first, second, *others = grid.columns
    handed = ", ".join(column.name for column in others)
    lines: list[str] = []
    for i, a in enumerate(first.names):
        for j, b in enumerate(second.names):
            left = [r for r in grid.rows if passes(r.cells[0], a) and passes(r.cells[1], b)]
            lines += [f"def case_{i}_{j}({handed}):", *_chain(left, others, answer)]
    entries = (
        f"{a!r}: {{{', '.join(f'{b!r}: case_{i}_{j}' for j, b in enumerate(second.names))}}}"
        for i, a in enumerate(first.names)
    )
    read = ", ".join(f"row[{column.name!r}]" for column in others)
    lines += [f"CASES = {{{', '.join(entries)}}}", "def decide(row):"]
    lines.append(f"    return CASES[row[{first.name!r}]][row[{second.name!r}]]({read})")
    return typed(lines, {})


def _chain(rows: list[Row], columns: list[Column], answer: Callable[[Any], str]) -> list[str]:
    lines: list[str] = []
    for row in rows:
        tests = [
            f"{cell.low} <= {column.name} <= {cell.high}"
            for cell, column in zip(row.cells[2:], columns, strict=True)
            if isinstance(cell, Stretch) and cell != Stretch(column.low, column.high)
        ]
        if not tests:
            return [*lines, f"    return {answer(row.answer)}"]
        lines.append(f"    if {' and '.join(tests)}: return {answer(row.answer)}")
    return lines


def nested_dict(grid: Grid) -> Decide:
    """The list that stands in the dict is handed out as it is: a caller who changes it changes the table."""
    table: dict[Any, dict[Any, Any]] = {}
    for row in grid.rows:
        a, b = (name_of(cell) for cell in row.cells)
        table.setdefault(a, {})[b] = row.answer
    first, second = (column.name for column in grid.columns)
    return typed(["def decide(row):", f"    return TABLE[row[{first!r}]][row[{second!r}]]"], {"TABLE": table})


# -- thousands of rows that never meet ---------------------------------------------------------


def keyed_slabs(grid: Grid) -> Decide:
    """A dict on the names, a search along one column, a search along the other; rows where the first name
    does not count stand in a dict of their own."""
    code, area, length, width = (column.name for column in grid.columns)
    exact: dict[Any, list[Row]] = {}
    any_code: dict[Any, list[Row]] = {}
    for row in grid.rows:
        codes, areas, *_ = row.cells
        if codes is None:
            any_code.setdefault(name_of(areas), []).append(row)
        else:
            exact.setdefault((name_of(areas), name_of(codes)), []).append(row)
    known = {
        "EXACT": {a: {c: _slabs(exact[a, c], 2) for b, c in exact if b == a} for a, _ in exact},
        "ANY_CODE": {area: _slabs(rows, 2) for area, rows in any_code.items()},
        "search": bisect_right,
    }
    return typed(
        [
            "def decide(row):",
            f"    area = row[{area!r}]",
            "    codes = EXACT.get(area)",
            f"    found = ANY_CODE.get(area) if codes is None else codes.get(row[{code!r}])",
            "    cuts, slabs = found",
            f"    lows, answers = slabs[search(cuts, row[{length!r}]) - 1]",
            f"    return answers[search(lows, row[{width!r}]) - 1]",
        ],
        known,
    )


def plain_slabs(grid: Grid) -> Decide:
    """A search along each column: what stands in a slab is divided again by itself."""
    names = [column.name for column in grid.columns]
    lines = ["def decide(row):", "    found = TABLE"]
    for name in names[:-1]:
        lines += ["    cuts, slabs = found", f"    found = slabs[search(cuts, row[{name!r}]) - 1]"]
    lines += ["    lows, answers = found", f"    return answers[search(lows, row[{names[-1]!r}]) - 1]"]
    return typed(lines, {"TABLE": _slabs(list(grid.rows), len(names)), "search": bisect_right})


def plain_dict(grid: Grid) -> Decide:
    """One column of single texts; a last row takes all."""
    *rows, last = grid.rows
    (name,) = (column.name for column in grid.columns)
    known = {"TABLE": {name_of(row.cells[0]): row.answer for row in rows}, "LAST": last.answer}
    return typed(["def decide(row):", f"    return TABLE.get(row[{name!r}], LAST)"], known)


def keyed_search(grid: Grid, read: str = "{}", **known: Any) -> Decide:
    """A dict on the codes, a search along the values as they are given, or as `read` makes them of it."""
    code, value = grid.columns
    found: dict[str, list[tuple[Any, Any]]] = {}
    as_read = eval(f"lambda given: {read.format('given')}", dict(known))
    for row in grid.rows:
        start = as_read(value.given(_stretch(row.cells[1])[0]))
        found.setdefault(name_of(row.cells[0]), []).append((start, row.answer))
    parts = {name: tuple(zip(*sorted(pairs), strict=True)) for name, pairs in found.items()}
    return typed(
        [
            "def decide(row):",
            f"    starts, answers = TABLE[row[{code.name!r}]]",
            f"    given = row[{value.name!r}]",
            f"    return answers[search(starts, {read.format('given')}) - 1]",
        ],
        {"TABLE": parts, "search": bisect_right, **known},
    )


_HOURS = re.compile(r"P(\d+)DT(\d+)H")
_MONTHS = re.compile(r"P(\d+)Y(\d+)M")


def hours_of(text: str) -> int:
    days, hours = _HOURS.fullmatch(text).groups()  # type: ignore[union-attr]
    return int(days) * 24 + int(hours)


def months_of(text: str) -> int:
    years, months = _MONTHS.fullmatch(text).groups()  # type: ignore[union-attr]
    return int(years) * 12 + int(months)


def singles_then_search(grid: Grid) -> Decide:
    """A dict of the single texts; a search along the texts where stretches start for all others."""
    (name,) = (column.name for column in grid.columns)
    single = {name_of(r.cells[0]): r.answer for r in grid.rows if not isinstance(r.cells[0], Between)}
    starts = sorted((r.cells[0].low, r.answer) for r in grid.rows if isinstance(r.cells[0], Between))
    known = {"SINGLE": single, "STARTS": [low for low, _ in starts], "ANSWERS": [a for _, a in starts]}
    return typed(
        [
            "def decide(row):",
            f"    text = row[{name!r}]",
            "    if text in SINGLE: return SINGLE[text]",
            "    return ANSWERS[search(STARTS, text) - 1]",
        ],
        {**known, "search": bisect_right},
    )


def keyed_either(grid: Grid) -> Decide:
    """A dict of the articles; of each the stretch, what it gives, and what all other numbers give."""
    article, number = (column.name for column in grid.columns)
    inside = {name_of(r.cells[0]): r for r in grid.rows if isinstance(r.cells[1], Stretch)}
    outside = {name_of(r.cells[0]): r.answer for r in grid.rows if isinstance(r.cells[1], Except)}
    table = {name: (*_stretch(r.cells[1]), r.answer, outside[name]) for name, r in inside.items()}
    return typed(
        [
            "def decide(row):",
            f"    low, high, inside, outside = TABLE[row[{article!r}]]",
            f"    return inside if low <= row[{number!r}] <= high else outside",
        ],
        {"TABLE": table},
    )


def keyed_days(grid: Grid) -> Decide:
    """Dicts of codes and articles, a search along the dates; in each stretch of them one of numbers."""
    code, article, day, size = grid.columns
    found: dict[str, dict[str, dict[Any, list[Any]]]] = {}
    for row in grid.rows:
        starts = found.setdefault(name_of(row.cells[0]), {}).setdefault(name_of(row.cells[1]), {})
        pair = starts.setdefault(day.given(_stretch(row.cells[2])[0]), [0, 0, None, None])
        if isinstance(row.cells[3], Stretch):
            pair[:3] = [*_stretch(row.cells[3]), row.answer]
        else:
            pair[3] = row.answer
    table = {
        name: {
            text: (cuts := sorted(starts), [tuple(starts[cut]) for cut in cuts])
            for text, starts in some.items()
        }
        for name, some in found.items()
    }
    return typed(
        [
            "def decide(row):",
            f"    starts, parts = TABLE[row[{code.name!r}]][row[{article.name!r}]]",
            f"    low, high, inside, outside = parts[search(starts, row[{day.name!r}]) - 1]",
            f"    return inside if low <= row[{size.name!r}] <= high else outside",
        ],
        {"TABLE": table, "search": bisect_right},
    )


def keyed_pairs(grid: Grid) -> Decide:
    """A dict on the names, a search along the stretches; in each stretch a row for what lies above the limit
    and one for all others."""
    found: dict[str, dict[int, list[Any]]] = {}
    for row in grid.rows:
        starts = found.setdefault(name_of(row.cells[0]), {})
        starts.setdefault(_stretch(row.cells[1])[0], []).append(row.answer)
    known = {
        "TABLE": {
            code: (cuts := sorted(starts), [starts[cut] for cut in cuts]) for code, starts in found.items()
        },
        "search": bisect_right,
    }
    return typed(
        [
            "def decide(row):",
            "    cuts, pairs = TABLE[row['code']]",
            "    above, other = pairs[search(cuts, row['length']) - 1]",
            "    return above if row['weight'] > row['limit'] else other",
        ],
        known,
    )


def _slabs(rows: list[Row], columns: int) -> Any:
    """Only for rows of which no two share a part of a stretch: the last `columns` are stretches."""
    starts: dict[int, list[Row]] = {}
    for row in rows:
        starts.setdefault(_stretch(row.cells[-columns])[0], []).append(row)
    cuts = sorted(starts)
    if columns == 1:
        return cuts, [starts[cut][0].answer for cut in cuts]
    return cuts, [_slabs(starts[cut], columns - 1) for cut in cuts]


def name_of(cell: Cell) -> str:
    assert isinstance(cell, tuple)
    return cell[0]


def _stretch(cell: Cell) -> tuple[int, int]:
    assert isinstance(cell, Stretch)
    return cell.low, cell.high


# -- thousands of rows that overlap ------------------------------------------------------------


def keyed_masks(grid: Grid) -> Decide:
    """A dict on the names; under each pair the rows are bits, and each stretch between two cuts of a column
    has a mask of those that let it through. The last row of the grid takes all."""
    code, area, length, width = (column.name for column in grid.columns)
    pairs: dict[Any, list[Row]] = {}
    for row in grid.rows[:-1]:
        pairs.setdefault((name_of(row.cells[1]), name_of(row.cells[0])), []).append(row)
    last = grid.rows[-1]
    made = {pair: _masks(_best_first([*rows, last], grid.policy)) for pair, rows in pairs.items()}
    known = {
        "EXACT": {b: {c: made[a, c] for a, c in made if a == b} for b, _ in made},
        "search": bisect_right,
    }
    return typed(
        [
            "def decide(row):",
            f"    lows, masks, tops, others, answers = EXACT[row[{area!r}]][row[{code!r}]]",
            f"    left = masks[search(lows, row[{length!r}])] & others[search(tops, row[{width!r}])]",
            *_ENDINGS[grid.policy],
        ],
        known,
    )


def _best_first(rows: list[Row], policy: str) -> list[Row]:
    return sorted(rows, key=lambda row: row.answer) if policy == "priority" else rows


_FIRST = ["    return answers[(left & -left).bit_length() - 1]"]
_ENDINGS = {
    "first": _FIRST,
    "priority": _FIRST,
    "collect": [
        "    found = []",
        "    while left:",
        "        low = left & -left",
        "        found.append(answers[low.bit_length() - 1])",
        "        left ^= low",
        "    return found",
    ],
}


def _masks(rows: list[Row]) -> tuple[Any, ...]:
    lists = [_column_masks([row.cells[n] for row in rows]) for n in (2, 3)]
    return (*lists[0], *lists[1], [row.answer for row in rows])


def _column_masks(cells: list[Cell]) -> tuple[list[int], list[int]]:
    stretches = [None if cell is None else _stretch(cell) for cell in cells]
    cuts = sorted({cut for s in stretches if s is not None for cut in (s[0], s[1] + 1)})
    places = {cut: place for place, cut in enumerate(cuts, 1)}
    masks = [0] * (len(cuts) + 1)
    for number, stretch in enumerate(stretches):
        low, high = (0, len(masks)) if stretch is None else (places[stretch[0]], places[stretch[1] + 1])
        for place in range(low, high):
            masks[place] |= 1 << number
    return cuts, masks


def plain_masks(grid: Grid) -> Decide:
    """Stretches only, as bits: quick, and much memory: the masks grow with the square of the rows."""
    columns = range(len(grid.columns))
    axes = [_column_masks([row.cells[n] for row in grid.rows]) for n in columns]
    known: dict[str, Any] = {"answers": [row.answer for row in grid.rows], "search": bisect_right}
    for n, (cuts, masks) in enumerate(axes):
        known |= {f"cuts_{n}": cuts, f"masks_{n}": masks}
    meet = " & ".join(
        f"masks_{n}[search(cuts_{n}, row[{column.name!r}])]" for n, column in enumerate(grid.columns)
    )
    return typed(["def decide(row):", f"    left = {meet}", *_ENDINGS[grid.policy]], known)


def even_cells(grid: Grid) -> Decide:
    """Stretches only: the space in even cells, about as many as rows, and what lies in a cell is scanned. The
    last row of the grid takes all."""
    names = [column.name for column in grid.columns]
    side = max(1, round(len(grid.rows) ** (1 / len(names))))
    step = (grid.columns[0].high + 1) // side + 1
    places = product(range(side), repeat=len(names))
    cells: dict[tuple[int, ...], list[Any]] = {place: [] for place in places}
    for row in grid.rows[:-1]:
        ends = [_stretch(cell) for cell in row.cells]
        entry = (*(end for pair in ends for end in pair), row.answer)
        for cell in product(*(range(low // step, high // step + 1) for low, high in ends)):
            cells[cell].append(entry)
    place = " + ".join(f"row[{name!r}] // {step} * {side**n}" for n, name in enumerate(names[::-1]))
    lines = [
        "def decide(row):",
        f"    {', '.join(names)} = {', '.join(f'row[{name!r}]' for name in names)}",
        *(["    found = []"] if grid.policy == "collect" else []),
        f"    for {_bounds(names)}, answer in CELLS[{place}]:",
        *_scan(names, grid.policy),
    ]
    return typed(lines, {"CELLS": list(cells.values()), "LAST": grid.rows[-1].answer})


def _bounds(names: list[str]) -> str:
    return ", ".join(f"l{n}, h{n}" for n in range(len(names)))


def _scan(names: list[str], policy: str) -> list[str]:
    tests = " and ".join(f"l{n} <= {name} <= h{n}" for n, name in enumerate(names))
    return {
        "first": [f"        if {tests}: return answer", "    return LAST"],
        "collect": [f"        if {tests}: found.append(answer)", "    return [*found, LAST]"],
    }[policy]


def tiles(grid: Grid, most: int = 4) -> Decide:
    """Stretches only: a tree of cuts, tried column by column, down to a handful of rows that are scanned.
    The last row of the grid takes all."""
    names = [column.name for column in grid.columns]
    rows = [
        (number, *[_stretch(c) for c in row.cells], row.answer) for number, row in enumerate(grid.rows[:-1])
    ]
    tree = _tree(rows, len(names), most)
    values = ", ".join(f"row[{name!r}]" for name in names)
    lines = [
        "def decide(row):",
        f"    given = {', '.join(names)} = {values}",
        "    column, cut, below, above = TREE",
        "    while column is not None:",
        "        column, cut, below, above = below if given[column] < cut else above",
        *(["    found = []"] if grid.policy == "collect" else []),
        f"    for {_bounds(names)}, answer in below:",
        *_scan(names, grid.policy),
    ]
    return typed(lines, {"TREE": tree, "LAST": grid.rows[-1].answer})


def _tree(rows: list[Any], columns: int, most: int) -> Any:
    best = None if len(rows) <= most else _best_cut(rows, columns)
    if best is None:
        flat = [(*(end for stretch in row[1:-1] for end in stretch), row[-1]) for row in rows]
        return (None, None, flat, None)
    column, cut, below, above = best
    return (column, cut, _tree(below, columns, most), _tree(above, columns, most))


def _best_cut(rows: list[Any], columns: int) -> Any:
    """The middle of one column's ends: the one that leaves the fewest rows on both sides together."""
    best: Any = None
    for column in range(columns):
        ends = sorted(end for row in rows for end in (row[column + 1][0], row[column + 1][1] + 1))
        cut = ends[len(ends) // 2]
        below = [row for row in rows if row[column + 1][0] < cut]
        above = [row for row in rows if row[column + 1][1] >= cut]
        fuller = max(len(below), len(above))
        if fuller < len(rows) and (best is None or fuller < best[0]):
            best = (fuller, column, cut, below, above)
    return None if best is None or best[0] > 0.9 * len(rows) else best[1:]
