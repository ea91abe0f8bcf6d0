"""Rows of a decision that can never fire together, as far as their constants tell."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

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


def certainly_apart(first: Rule, second: Rule) -> bool:
    pairs = zip(first.conditions, second.conditions, strict=True)
    return any(_apart(a, b) for a, b in pairs if a.tests and b.tests)


def _apart(first: Condition, second: Condition) -> bool:
    mine, theirs = _stretches(first.tests), _stretches(second.tests)
    if mine is None or theirs is None:
        return False
    return all(_never_meet(a, b) for a in mine for b in theirs)


def _stretches(tests: tuple[Test, ...]) -> list[Stretch] | None:
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
            raise AssertionError("no constant")


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
    if high is None or low is None or isinstance(high, bool) or isinstance(low, bool):
        return False
    touching = a.high_included and b.low_included
    if isinstance(high, (int, Decimal)) and isinstance(low, (int, Decimal)):
        return high < low or (high == low and not touching)
    if isinstance(high, str) and isinstance(low, str):
        return high < low or (high == low and not touching)
    return False
