"""How good a candidate of a scale is: the smaller its standing, the better."""

from __future__ import annotations

from functools import cmp_to_key
from typing import assert_never

from dtables.feel.values import Value, less, same
from dtables.model.tables import Prefer

Standing = tuple[int, Value]

WORST: Standing = (1, 0)
"""The standing of a null, of a name that the list does not hold, and of those a row does not concern."""


def best_of(
    prefer: Prefer,
    values: dict[int, Value],
    order: list[Value] | None,
    left: list[int],
    worst: frozenset[int],
) -> list[int]:
    """Of those left, as positions, the ones that nobody is better than, by their `values`."""
    standings = {q: WORST if q in worst else standing_of(prefer, values[q], order, q) for q in left}
    best = min(standings.values(), key=cmp_to_key(compared))
    return [q for q in left if compared(standings[q], best) == 0]


def standing_of(prefer: Prefer, value: Value, order: list[Value] | None, position: int) -> Standing:
    match prefer:
        case Prefer.YES:
            return (0, 0) if value is True else WORST
        case Prefer.NO:
            return (0, 0) if value is False else WORST
        case Prefer.HIGHEST:
            return WORST if value is None else (-1, value)
        case Prefer.LOWEST:
            return WORST if value is None else (0, value)
        case Prefer.FIRST_IN:
            return _in_list(value, order or [])
        case Prefer.LAST_IN:
            return _in_list(value, (order or [])[::-1])
        case Prefer.FIRST:
            return (0, position)
        case Prefer.SCALE | Prefer.CHANCE:
            raise AssertionError(f"{prefer} has no standing")
        case _:
            assert_never(prefer)


def _in_list(value: Value, order: list[Value]) -> Standing:
    for place, listed in enumerate(order):
        if value is not None and same(listed, value):
            return (0, place)
    return WORST


def compared(a: Standing, b: Standing) -> int:
    """Values of one kind are in their own order; for `highest` (-1) the other way round."""
    if a[0] != b[0]:
        return -1 if a[0] < b[0] else 1
    better, other = (b, a) if a[0] == -1 else (a, b)
    if less(better[1], other[1]):
        return -1
    return int(less(other[1], better[1]))
