"""Rows of a decision that can never fire together, as far as their constants tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from types import NoneType

from dtables.feel.values import Date
from dtables.model.expressions import (
    Compared,
    Constant,
    EqualTo,
    Expression,
    InList,
    MakeList,
    NameOf,
    Test,
    Within,
)
from dtables.model.tables import Condition, Rule

Point = str | int | Decimal | bool | Date | None


@dataclass(frozen=True, slots=True)
class Stretch:
    """Values between two ends; None is open. A single value is a stretch of its own."""

    low: Point
    high: Point
    low_included: bool
    high_included: bool


Column = Sequence[Sequence[Stretch] | None]
"""What each row lets through in a column; None where that cannot be told, or is everything."""


def may_meet(rules: Sequence[Rule]) -> list[tuple[int, int]]:
    """The pairs of rows that constants do not prove apart, by their places. Rows that stand in different
    places of a column are never compared."""
    columns = [
        [stretches(condition) for condition in column] for column in zip(*_conditions(rules), strict=True)
    ]
    pairs = {pair for group in _together(range(len(rules)), columns) for pair in _crossing(group, columns)}
    return [(a, b) for a, b in sorted(pairs) if not any(_apart(column[a], column[b]) for column in columns)]


def points(condition: Condition) -> list[Point] | None:
    """The values that pass; None where the tests are others than values that are written out."""
    told = stretches(condition)
    return [one.low for one in told] if told is not None and all(map(_is_point, told)) else None


def _conditions(rules: Sequence[Rule]) -> list[tuple[Condition, ...]]:
    return [rule.conditions for rule in rules]


def stretches(condition: Condition) -> Sequence[Stretch] | None:
    """What passes; None where that cannot be told, or is everything."""
    return stretches_in(condition.tests) if condition.tests else None


def _apart(mine: Sequence[Stretch] | None, theirs: Sequence[Stretch] | None) -> bool:
    return mine is not None and theirs is not None and all(_never_meet(a, b) for a in mine for b in theirs)


def _together(rows: Iterable[int], columns: Sequence[Column]) -> Iterator[list[int]]:
    """Groups of rows that share a value in every column of which all of them name the values."""
    if not columns:
        yield list(rows)
        return
    (first, *others), among = columns, list(rows)
    if not all(_names_values(first[row]) for row in among):
        yield from _together(among, others)
        return
    groups: dict[tuple[str, Point], list[int]] = {}
    for row in among:
        for value in dict.fromkeys(_value_of(stretch.low) for stretch in first[row] or ()):
            groups.setdefault(value, []).append(row)
    for group in groups.values():
        yield from _together(group, others)


def _names_values(told: Sequence[Stretch] | None) -> bool:
    return told is not None and all(map(_is_point, told))


def _value_of(point: Point) -> tuple[str, Point]:
    """Numbers are the same whatever their type, and no number is a truth."""
    is_number = isinstance(point, (int, Decimal)) and not isinstance(point, bool)
    return ("number" if is_number else type(point).__name__, point)


def _crossing(rows: list[int], columns: Sequence[Column]) -> Iterator[tuple[int, int]]:
    """Pairs of them; where a column has ranges of numbers, those that begin before another ends."""
    ranges = next((column for column in columns if all(_is_range(column[row]) for row in rows)), None)
    if ranges is None:
        yield from combinations(rows, 2)
        return
    open_: list[int] = []
    for row in sorted(rows, key=lambda row: _low(ranges[row])):
        open_ = [other for other in open_ if _high(ranges[other]) >= _low(ranges[row])]
        yield from ((min(row, other), max(row, other)) for other in open_)
        open_.append(row)


def _is_range(told: Sequence[Stretch] | None) -> bool:
    ends = [] if told is None else [end for one in told for end in (one.low, one.high)]
    kinds = (int, Decimal, Date, NoneType)
    numbers = all(isinstance(end, kinds) and not isinstance(end, bool) for end in ends)
    return bool(ends) and numbers and not any(map(_is_null, told or ()))


def _low(told: Sequence[Stretch] | None) -> Decimal:
    ends = [_number(one.low) for one in told or ()]
    return min(Decimal("-inf") if end is None else Decimal(end) for end in ends)


def _high(told: Sequence[Stretch] | None) -> Decimal:
    ends = [_number(one.high) for one in told or ()]
    return max(Decimal("inf") if end is None else Decimal(end) for end in ends)


def _number(end: Point) -> int | Decimal | None:
    """Days by their number; None of what is no number."""
    if isinstance(end, Date):
        return end.number
    return end if isinstance(end, (int, Decimal)) else None


def stretches_in(tests: tuple[Test, ...]) -> list[Stretch] | None:
    """None where a test is none that can be told."""
    found: list[Stretch] = []
    for test in tests:
        told = _stretch(test)
        if told is None:
            return None
        found += told
    return found


def _stretch(test: Test) -> list[Stretch] | None:
    match test:
        case EqualTo(value=value):
            return _points([value])
        case InList(list=MakeList(items=items)):
            return _points(items)
        case Compared(operator="<" | "<=" as operator, value=value) if _known(value):
            return [Stretch(None, _point(value), False, operator == "<=")]
        case Compared(operator=">" | ">=" as operator, value=value) if _known(value):
            return [Stretch(_point(value), None, operator == ">=", False)]
        case Within(low=low, high=high) if (low is None or _known(low)) and (high is None or _known(high)):
            ends = (None if low is None else _point(low), None if high is None else _point(high))
            return [Stretch(*ends, test.low_included, test.high_included)]
        case _:
            return None


def _points(items: tuple[Expression, ...] | list[Expression]) -> list[Stretch] | None:
    if not all(isinstance(item, (Constant, NameOf)) for item in items):
        return None
    return [Stretch(_point(item), _point(item), True, True) for item in items]


def _known(item: Expression) -> bool:
    return isinstance(item, Constant) and isinstance(item.value, (int, Decimal, str, Date))


def _point(item: Expression) -> Point:
    match item:
        case NameOf(id=id):
            return id
        case Constant(value=value):
            known: Point = value
            return known
        case _:
            return None


def _never_meet(a: Stretch, b: Stretch) -> bool:
    if _is_null(a) or _is_null(b):
        return a != b
    if _is_point(a) and _is_point(b):
        return type(a.low) is type(b.low) and a.low != b.low
    return _ends_before(a, b) or _ends_before(b, a)


def _is_null(stretch: Stretch) -> bool:
    """Null lies in no range and is equal to null only."""
    return _is_point(stretch) and stretch.low is None


def _is_point(stretch: Stretch) -> bool:
    return stretch.low_included and stretch.high_included and stretch.low == stretch.high


def _ends_before(a: Stretch, b: Stretch) -> bool:
    high, low = a.high, b.low
    if high is None or low is None or isinstance(high, bool):
        return False
    touching = a.high_included and b.low_included
    last, first = _number(high), _number(low)
    if last is not None and first is not None:
        return last < first or (last == first and not touching)
    if isinstance(high, str) and isinstance(low, str):
        return high < low or (high == low and not touching)
    return False
