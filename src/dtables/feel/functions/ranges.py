"""How points and ranges lie to each other: the standard's thirteen relations after Allen."""

from __future__ import annotations

from collections.abc import Callable

from dtables.feel.errors import FeelError
from dtables.feel.functions.arguments import range_in
from dtables.feel.functions.entry import Builtin, Signature, always, takes
from dtables.feel.kinds import Range, Value
from dtables.feel.operators import equal, in_range, less, same
from dtables.feel.types import ANY, BOOLEAN, RangeType


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


# -- the built-ins ----------------------------------------------------------------------------------
# The entries of the built-ins on ranges; their meanings stand in `ranges`.

_RANGE = RangeType(ANY)
_POINTS = takes(("point1", ANY), ("point2", ANY))
_POINT_RANGE = takes(("point", ANY), ("range", _RANGE))
_RANGE_POINT = takes(("range", _RANGE), ("point", ANY))
_TWO_RANGES = takes(("range1", _RANGE), ("range2", _RANGE))


def _relation(
    name: str,
    signatures: tuple[Signature, ...],
    doc: str,
    examples: tuple[tuple[str, str], ...],
    meaning: Relation,
) -> Builtin:
    return Builtin(name, signatures, always(BOOLEAN), doc, examples, meaning)


_ANY_TWO = (_TWO_RANGES, _POINT_RANGE, _RANGE_POINT, _POINTS)
_INNER_FIRST = (_TWO_RANGES, _POINT_RANGE)
_OUTER_FIRST = (_TWO_RANGES, _RANGE_POINT)

RANGES = (
    _relation(
        "before",
        _ANY_TWO,
        "does the first end before the second begins?",
        (("before(1, 10)", "true"), ("before([1..5), [5..10])", "true"), ("before([1..5], 5)", "false")),
        before,
    ),
    _relation(
        "after",
        _ANY_TWO,
        "does the first begin after the second ends?",
        (("after(10, [1..5])", "true"), ("after([5..10], [1..5])", "false")),
        after,
    ),
    _relation(
        "meets",
        (_TWO_RANGES,),
        "does the second begin with the point the first ends with?",
        (("meets([1..5], [5..10])", "true"), ("meets([1..5), [5..10])", "false")),
        meets,
    ),
    _relation(
        "met by",
        (_TWO_RANGES,),
        "does the first begin with the point the second ends with?",
        (("met by([5..10], [1..5])", "true"),),
        met_by,
    ),
    _relation(
        "overlaps",
        (_TWO_RANGES,),
        "have the two a point in common?",
        (("overlaps([1..5], [3..8])", "true"), ("overlaps([1..5), [5..8])", "false")),
        overlaps,
    ),
    _relation(
        "overlaps before",
        (_TWO_RANGES,),
        "does the first begin earlier, reach into the second and not end after it?",
        (("overlaps before([1..5], [3..8])", "true"), ("overlaps before([1..5], [6..8])", "false")),
        overlaps_before,
    ),
    _relation(
        "overlaps after",
        (_TWO_RANGES,),
        "does the second begin earlier, reach into the first and not end after it?",
        (("overlaps after([3..8], [1..5])", "true"),),
        overlaps_after,
    ),
    _relation(
        "finishes",
        _INNER_FIRST,
        "do the two end alike, and does the first begin no earlier?",
        (("finishes(10, [1..10])", "true"), ("finishes([5..10], [1..10])", "true")),
        finishes,
    ),
    _relation(
        "finished by",
        _OUTER_FIRST,
        "do the two end alike, and does the second begin no earlier?",
        (("finished by([1..10], 10)", "true"), ("finished by([1..10], [5..10])", "true")),
        finished_by,
    ),
    _relation(
        "includes",
        _OUTER_FIRST,
        "does the second lie in the first?",
        (("includes([1..10], 5)", "true"), ("includes([1..10], [4..12])", "false")),
        includes,
    ),
    _relation(
        "during",
        _INNER_FIRST,
        "does the first lie in the second?",
        (("during(5, [1..10])", "true"), ("during([4..6], [1..10))", "true")),
        during,
    ),
    _relation(
        "starts",
        _INNER_FIRST,
        "do the two begin alike, and does the first end no later?",
        (("starts(1, [1..10])", "true"), ("starts([1..5], [1..10])", "true")),
        starts,
    ),
    _relation(
        "started by",
        _OUTER_FIRST,
        "do the two begin alike, and does the second end no later?",
        (("started by([1..10], 1)", "true"),),
        started_by,
    ),
    _relation(
        "coincides",
        (_TWO_RANGES, _POINTS),
        "are the two the same points?",
        (("coincides(5, 5)", "true"), ("coincides([1..5], [1..5))", "false")),
        coincides,
    ),
)
