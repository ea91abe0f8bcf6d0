"""Narrowing: who is left after a row of a scale. `marks` are what the row sees in each of those left;
None counts as the worst, and where all are the worst, all stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dtables import failures
from dtables.feel.values import Value, less, same
from dtables.runtime.failing import failed

Left = list[Value]


def those_true(left: Left, marks: Left) -> Left:
    """Keep the candidates marked true; all, where none is."""
    return [one for one, mark in zip(left, marks, strict=True) if mark is True] or left


def those_false(left: Left, marks: Left) -> Left:
    """Keep the candidates marked false; all, where none is."""
    return [one for one, mark in zip(left, marks, strict=True) if mark is False] or left


def the_highest(left: Left, marks: Left) -> Left:
    """Keep the candidates with the highest number; all, where each has null."""
    return _those_with(max(_known(marks), default=None), left, marks)


def the_lowest(left: Left, marks: Left) -> Left:
    """Keep the candidates with the lowest number; all, where each has null."""
    return _those_with(min(_known(marks), default=None), left, marks)


def _known(marks: Left) -> Left:
    return [mark for mark in marks if mark is not None] if None in marks else marks


def _those_with(best: Value, left: Left, marks: Left) -> Left:
    if best is None:
        return left
    return [one for one, mark in zip(left, marks, strict=True) if mark == best]


def the_highest_in_order(left: Left, marks: Left) -> Left:
    """Of texts, dates and durations."""
    return _best_in_order(left, marks, lambda a, b: less(b, a))


def the_lowest_in_order(left: Left, marks: Left) -> Left:
    """Keep those with the lowest text, date or duration; all, where each has null."""
    return _best_in_order(left, marks, less)


def _best_in_order(left: Left, marks: Left, better: Callable[[Value, Value], bool]) -> Left:
    kept: Left = []
    best: Value = None
    for one, mark in zip(left, marks, strict=True):
        if mark is None:
            continue
        if best is None or better(mark, best):
            kept, best = [one], mark
        elif not better(best, mark):
            kept.append(one)
    return kept or left


def the_earliest(left: Left, marks: Left, order: Left | None) -> Left:
    """Those whose mark stands earliest in the list; what does not stand there counts as the worst."""
    for listed in order or ():
        kept = [one for one, mark in zip(left, marks, strict=True) if mark is not None and same(listed, mark)]
        if kept:
            return kept
    return left


def the_latest(left: Left, marks: Left, order: Left | None) -> Left:
    """Keep those whose mark stands latest in the list; what is not in it counts as the worst."""
    return the_earliest(left, marks, (order or [])[::-1])


def the_earliest_plain(left: Left, marks: Left, order: Left | None) -> Left:
    """The same where Python itself tells the marks apart: names, texts, numbers."""
    for listed in order or ():
        if listed in marks and listed is not None:
            return [one for one, mark in zip(left, marks, strict=True) if mark == listed]
    return left


def the_latest_plain(left: Left, marks: Left, order: Left | None) -> Left:
    """Keep those whose mark stands latest in the list, by Python's own equality."""
    return the_earliest_plain(left, marks, (order or [])[::-1])


def the_first(left: Left, marks: Left) -> Left:
    """Keep the first candidate whose mark is not null; all, where each has none."""
    return next(([one] for one, mark in zip(left, marks, strict=True) if mark is not None), left)


def rejoined(left: Left, compared: list[bool], kept: Left) -> Left:
    """Those that were not compared stay; of the others the kept ones."""
    waiting = iter([*kept, None])
    following = next(waiting)
    result: Left = []
    for one, was_compared in zip(left, compared, strict=True):
        if not was_compared:
            result.append(one)
        elif one is following:
            result.append(one)
            following = next(waiting)
    return result


def the_one(left: Left, table: str, place: str) -> Any:
    """The best candidate; null of an empty list."""
    if len(left) > 1:
        raise failed(failures.undecided(left), table, place)
    return left[0] if left else None


def tiers(candidates: Left, equals: Callable[[Left], Left]) -> list[Left]:
    """The best of all, then the best of the rest."""
    rest, result = candidates, []
    while rest:
        best = equals(rest)
        result.append(list(best))
        rest = _without(rest, best)
    return result


def _without(rest: Left, chosen: Left) -> Left:
    waiting = list(chosen)
    kept: Left = []
    for one in rest:
        if waiting and one is waiting[0]:
            del waiting[0]
        else:
            kept.append(one)
    return kept
