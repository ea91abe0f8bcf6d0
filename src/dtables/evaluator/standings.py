"""Who is left after a row of a scale, as the runtime gives it: positions in the list of candidates."""

from __future__ import annotations

from typing import assert_never

from dtables.feel.values import Value
from dtables.model.tables import Prefer
from dtables.runtime import scales


def best_of(
    prefer: Prefer,
    values: dict[int, Value],
    order: list[Value] | None,
    left: list[int],
    worst: frozenset[int],
) -> list[int]:
    """Of those left the ones that nobody is better than, by their `values`."""
    marks = [None if one in worst else values[one] for one in left]
    match prefer:
        case Prefer.YES:
            return scales.those_true(left, marks)
        case Prefer.NO:
            return scales.those_false(left, marks)
        case Prefer.HIGHEST:
            return scales.the_highest_in_order(left, marks)
        case Prefer.LOWEST:
            return scales.the_lowest_in_order(left, marks)
        case Prefer.FIRST_IN:
            return scales.the_earliest(left, marks, order)
        case Prefer.LAST_IN:
            return scales.the_latest(left, marks, order)
        case Prefer.FIRST:
            return scales.the_first(left, [None if one in worst else True for one in left])
        case Prefer.SCALE | Prefer.CHANCE:
            raise AssertionError(f"{prefer} compares nobody")
        case _:
            assert_never(prefer)
