"""One call of a table: a dict goes in, is checked, a plain value comes out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time
from functools import partial
from typing import Any

from benchmarks import by_hand, own, peers, workloads
from benchmarks.grids import Given, Grid, Kind, answer_of, asked, checked, given_as
from benchmarks.rounds import Comparison, Contestant, Field

ROWS_ASKED = 2000
ROWS_TRIED = 200
"""A plain scan of 100,000 rows takes long: so many answers are held against it."""

Decide = Callable[[Given], Any]
Decides = Callable[[Grid], Decide]
By = dict[str, Decides]


def entered(make: Callable[[], Grid], by: By, answer: str = "then") -> Field:
    grid = make()
    numbers = asked(grid, ROWS_ASKED, seed=3)
    given = given_as(grid, numbers)
    wanted = [_wanted(answer_of(grid, row), answer) for row in numbers[:ROWS_TRIED]]
    decides: dict[str, Decide] = {name: write(grid) for name, write in by.items()}
    decides["dtables"] = own.loaded(grid, answer).tables[own.TABLE]
    notes: list[str] = []
    fits = answer == "then" and grid.is_plain and grid.policy in ("first", "unique", "collect")
    peer = peers.zen(grid) if fits else ""
    if callable(peer):
        decides["zen, static loader"] = peer
    elif peer:
        notes.append(peer)
    for name, decide in decides.items():
        checked(name, decide, given[:ROWS_TRIED], wanted)
    contestants = tuple(
        Contestant(name, partial(_all, decide, given), ROWS_ASKED, limit=name in by)
        for name, decide in decides.items()
    )
    return Field(contestants, tuple(notes))


def _wanted(answer: Any, kind: str) -> Any:
    return answer if kind == "then" else {"answer": answer, "twice": 2 * answer}


def _all(decide: Decide, given: list[Given]) -> None:
    for row in given:
        decide(row)


def _two(answer: int) -> str:
    return f"{{'answer': {answer}, 'twice': {2 * answer}}}"


def few() -> tuple[Comparison, ...]:
    dispatch: By = {"dict, then ifs": by_hand.dict_dispatch}
    two: By = {"dict, then ifs": partial(by_hand.dict_dispatch, answer=_two)}
    made = {"first": workloads.overlapping_rows, "unique": workloads.splitting_rows}
    return (
        *(_of(f"24 rows, {policy}", make, dispatch) for policy, make in made.items()),
        *(_of(f"24 rows, {policy}, answer of two", make, two, "two") for policy, make in made.items()),
        _of("cross table 5 x 6, answer a list", workloads.cross_table, {"nested dict": by_hand.nested_dict}),
    )


def many() -> tuple[Comparison, ...]:
    found: list[Comparison] = []
    for count in (1_000, 10_000, 100_000):
        rows, large = f"{count:,} rows", count > 10_000
        slabs: By = {"dict, then searches": by_hand.keyed_slabs}
        searches: By = {"searches": by_hand.plain_slabs}
        make = partial(workloads.keyed_rows, count)
        found.append(_of(f"{rows}, two names and two stretches, unique", make, slabs, large=large))
        for columns in (2, 3):
            plain = partial(workloads.plain_rows, count, columns)
            found.append(_of(f"{rows}, {columns} stretches, unique", plain, searches, large=large))
        for policy in ("first", "collect", "priority"):
            over = partial(workloads.keyed_overlapping_rows, count, policy)
            masks: By = {"dict, then masks": by_hand.keyed_masks}
            found.append(_of(f"{rows}, two names, overlapping, {policy}", over, masks, large=large))
        for columns in (2, 3):
            for policy in ("first", "collect"):
                tiles: By = {"tree of cuts": by_hand.tiles, "even cells": by_hand.even_cells}
                if count < 10_000:
                    tiles["masks"] = by_hand.plain_masks
                plain = partial(workloads.plain_overlapping_rows, count, columns, policy)
                title = f"{rows}, {columns} stretches, overlapping, {policy}"
                found.append(_of(title, plain, tiles, large=large))
    return tuple(found)


def _reading(read: str, **known: Any) -> Decides:
    return partial(by_hand.keyed_search, read=read, **known)


KINDS: tuple[tuple[str, Kind, int, Decides], ...] = (
    ("numbers", workloads.NUMBERS, workloads.LENGTH, by_hand.keyed_search),
    ("dates", workloads.DATES, workloads.LENGTH, by_hand.keyed_search),
    ("times", workloads.TIMES, workloads.DAY, by_hand.keyed_search),
    ("dates and times", workloads.MOMENTS, workloads.LENGTH, by_hand.keyed_search),
    ("days durations", workloads.DAYS, workloads.LENGTH, _reading("hours_of({})", hours_of=by_hand.hours_of)),
    (
        "months durations",
        workloads.MONTHS,
        workloads.LENGTH,
        _reading("months_of({})", months_of=by_hand.months_of),
    ),
    (
        "dates as texts",
        workloads.in_json(workloads.DATES),
        workloads.LENGTH,
        _reading("parse({})", parse=date.fromisoformat),
    ),
    (
        "times as texts",
        workloads.in_json(workloads.TIMES),
        workloads.DAY,
        _reading("parse({})", parse=time.fromisoformat),
    ),
    (
        "dates and times as texts",
        workloads.in_json(workloads.MOMENTS),
        workloads.LENGTH,
        _reading("parse({})", parse=datetime.fromisoformat),
    ),
)
"""What a column of stretches holds, how far it reaches, and how it is read by hand."""


def of_other_types() -> tuple[Comparison, ...]:
    found: list[Comparison] = []
    for count in (1_000, 100_000):
        rows, large = f"{count:,} rows", count > 10_000
        for name, kind, length, decide in KINDS:
            make = partial(workloads.of_kind, kind, count, length)
            found.append(
                _of(f"{rows}, a name and {name}, unique", make, {"dict, then a search": decide}, large=large)
            )
        others: list[tuple[str, Callable[[int], Grid], By]] = [
            ("texts, first", workloads.texts, {"dict": by_hand.plain_dict}),
            (
                "texts and stretches of texts, first",
                workloads.texts_in_order,
                {"dict, then a search": by_hand.singles_then_search},
            ),
            (
                "a text, a number or `!=` it, unique",
                partial(workloads.this_or_not, workloads.one_number),
                {"dict, then if": by_hand.keyed_either},
            ),
            (
                "a text, a stretch or `not` it, unique",
                partial(workloads.this_or_not, workloads.some_numbers),
                {"dict, then if": by_hand.keyed_either},
            ),
            (
                "a name, a text, dates and numbers, unique",
                workloads.of_many_types,
                {"dicts, then a search": by_hand.keyed_days},
            ),
            (
                "a name, a stretch and a limit, first",
                workloads.rows_with_limits,
                {"dict, then a search": by_hand.keyed_pairs},
            ),
        ]
        found += [
            _of(f"{rows}, {title}", partial(make, count), by, large=large) for title, make, by in others
        ]
    return tuple(found)


def _of(
    title: str, make: Callable[[], Grid], by: By, answer: str = "then", large: bool = False
) -> Comparison:
    return Comparison(title, "decision", partial(entered, make, by, answer), large)


COMPARISONS = (*few(), *many(), *of_other_types())
