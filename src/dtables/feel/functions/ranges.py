"""How points and ranges lie to each other: the standard's thirteen relations after Allen."""

from __future__ import annotations

from collections.abc import Callable

from dtables.feel.errors import FeelError
from dtables.feel.functions.arguments import range_in
from dtables.feel.kinds import Range, Value
from dtables.feel.operators import equal, in_range, less, same


def before(a: Value, b: Value) -> bool:
    """Of a the last point stands before the first of b. A point is a range of one."""
    return _ends_before(_as_range(a), _as_range(b))


def after(a: Value, b: Value) -> bool:
    return before(b, a)


def meets(range1: Value, range2: Value) -> bool:
    a, b = range_in(range1), range_in(range2)
    return a.high_included and b.low_included and _order(a.high, b.low, 1, -1) == 0


def met_by(range1: Value, range2: Value) -> bool:
    return meets(range2, range1)


def overlaps(range1: Value, range2: Value) -> bool:
    a, b = range_in(range1), range_in(range2)
    return _reaches(a, b) and _reaches(b, a)


def overlaps_before(range1: Value, range2: Value) -> bool:
    a, b = range_in(range1), range_in(range2)
    starts_earlier = _low(a, b) < 0 or (_low(a, b) == 0 and a.low_included and not b.low_included)
    return starts_earlier and _reaches(a, b) and _ends_not_after(a, b)


def overlaps_after(range1: Value, range2: Value) -> bool:
    return overlaps_before(range2, range1)


def finishes(a: Value, range2: Value) -> bool:
    b = range_in(range2)
    if not isinstance(a, Range):
        return b.high_included and b.high is not None and same(a, b.high)
    return a.high_included == b.high_included and _high(a, b) == 0 and _starts_not_before(a, b)


def finished_by(range1: Value, b: Value) -> bool:
    return finishes(b, range1)


def includes(range1: Value, b: Value) -> bool:
    a = range_in(range1)
    if not isinstance(b, Range):
        return in_range(b, a)
    return _starts_not_before(b, a) and _ends_not_after(b, a)


def during(a: Value, range2: Value) -> bool:
    return includes(range2, a)


def starts(a: Value, range2: Value) -> bool:
    b = range_in(range2)
    if not isinstance(a, Range):
        return b.low_included and b.low is not None and same(a, b.low)
    return a.low_included == b.low_included and _low(a, b) == 0 and _ends_not_after(a, b)


def started_by(range1: Value, b: Value) -> bool:
    return starts(b, range1)


def coincides(a: Value, b: Value) -> bool:
    if isinstance(a, Range) != isinstance(b, Range):
        raise FeelError("a point and a range were given; two of a kind were wanted")
    result = equal(a, b)
    if result is None:
        raise FeelError("the two have nothing in common")
    return result


# -- ends ----------------------------------------------------------------------------------------
# An open end lies beyond all values: side -1 for a low one, +1 for a high one.


def _order(a: Value, b: Value, side_of_a: int, side_of_b: int) -> int:
    """-1, 0 or 1."""
    if a is None or b is None:
        first, second = (side_of_a if a is None else 0), (side_of_b if b is None else 0)
        return (first > second) - (first < second)
    if less(a, b):
        return -1
    return 1 if less(b, a) else 0


def _low(a: Range, b: Range) -> int:
    return _order(a.low, b.low, -1, -1)


def _high(a: Range, b: Range) -> int:
    return _order(a.high, b.high, 1, 1)


def _as_range(value: Value) -> Range:
    if isinstance(value, Range):
        return value
    if value is None:
        raise FeelError("a point or a range was wanted, not null")
    return Range(value, value)


def _ends_before(a: Range, b: Range) -> bool:
    order = _order(a.high, b.low, 1, -1)
    return order < 0 or (order == 0 and not (a.high_included and b.low_included))


def _reaches(a: Range, b: Range) -> bool:
    """a's end is not before b's start."""
    order = _order(a.high, b.low, 1, -1)
    return order > 0 or (order == 0 and a.high_included and b.low_included)


def _starts_not_before(a: Range, b: Range) -> bool:
    order = _low(a, b)
    return order > 0 or (order == 0 and (b.low_included or not a.low_included))


def _ends_not_after(a: Range, b: Range) -> bool:
    order = _high(a, b)
    return order < 0 or (order == 0 and (b.high_included or not a.high_included))


Relation = Callable[[Value, Value], bool]
