"""The entries of the built-ins on ranges; their meanings stand in `ranges`."""

from __future__ import annotations

from dtables.feel.functions import ranges
from dtables.feel.functions.entry import Builtin, Signature, always, takes
from dtables.feel.types import ANY, BOOLEAN, RangeType

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
    meaning: ranges.Relation,
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
        ranges.before,
    ),
    _relation(
        "after",
        _ANY_TWO,
        "does the first begin after the second ends?",
        (("after(10, [1..5])", "true"), ("after([5..10], [1..5])", "false")),
        ranges.after,
    ),
    _relation(
        "meets",
        (_TWO_RANGES,),
        "does the second begin with the point the first ends with?",
        (("meets([1..5], [5..10])", "true"), ("meets([1..5), [5..10])", "false")),
        ranges.meets,
    ),
    _relation(
        "met by",
        (_TWO_RANGES,),
        "does the first begin with the point the second ends with?",
        (("met by([5..10], [1..5])", "true"),),
        ranges.met_by,
    ),
    _relation(
        "overlaps",
        (_TWO_RANGES,),
        "have the two a point in common?",
        (("overlaps([1..5], [3..8])", "true"), ("overlaps([1..5), [5..8])", "false")),
        ranges.overlaps,
    ),
    _relation(
        "overlaps before",
        (_TWO_RANGES,),
        "does the first begin earlier, reach into the second and not end after it?",
        (("overlaps before([1..5], [3..8])", "true"), ("overlaps before([1..5], [6..8])", "false")),
        ranges.overlaps_before,
    ),
    _relation(
        "overlaps after",
        (_TWO_RANGES,),
        "does the second begin earlier, reach into the first and not end after it?",
        (("overlaps after([3..8], [1..5])", "true"),),
        ranges.overlaps_after,
    ),
    _relation(
        "finishes",
        _INNER_FIRST,
        "do the two end alike, and does the first begin no earlier?",
        (("finishes(10, [1..10])", "true"), ("finishes([5..10], [1..10])", "true")),
        ranges.finishes,
    ),
    _relation(
        "finished by",
        _OUTER_FIRST,
        "do the two end alike, and does the second begin no earlier?",
        (("finished by([1..10], 10)", "true"), ("finished by([1..10], [5..10])", "true")),
        ranges.finished_by,
    ),
    _relation(
        "includes",
        _OUTER_FIRST,
        "does the second lie in the first?",
        (("includes([1..10], 5)", "true"), ("includes([1..10], [4..12])", "false")),
        ranges.includes,
    ),
    _relation(
        "during",
        _INNER_FIRST,
        "does the first lie in the second?",
        (("during(5, [1..10])", "true"), ("during([4..6], [1..10))", "true")),
        ranges.during,
    ),
    _relation(
        "starts",
        _INNER_FIRST,
        "do the two begin alike, and does the first end no later?",
        (("starts(1, [1..10])", "true"), ("starts([1..5], [1..10])", "true")),
        ranges.starts,
    ),
    _relation(
        "started by",
        _OUTER_FIRST,
        "do the two begin alike, and does the second end no later?",
        (("started by([1..10], 1)", "true"),),
        ranges.started_by,
    ),
    _relation(
        "coincides",
        (_TWO_RANGES, _POINTS),
        "are the two the same points?",
        (("coincides(5, 5)", "true"), ("coincides([1..5], [1..5))", "false")),
        ranges.coincides,
    ),
)
