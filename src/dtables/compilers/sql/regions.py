"""Columns of ranges: the numbers or days that they name cut the line into regions, and a value's region is
found by halving. Every range is some regions side by side."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil, floor

from sqlglot import exp

from dtables.compilers.sql.apart import Point, Stretch, stretches
from dtables.compilers.sql.neutral import XBucket, XCuts, XDaysBetween
from dtables.compilers.sql.plan import Scope
from dtables.compilers.sql.sizes import is_plain, size_of
from dtables.compilers.sql.terms import Term, Tree, case, literal, not_null, paren, typed
from dtables.compilers.sql.types import WHOLE_NUMBER, decimal, list_of
from dtables.feel.types import DateType, NumberType, Type, plain
from dtables.feel.values import Date
from dtables.model.tables import Condition

EPOCH = Date(1970, 1, 1)

Boundary = tuple[Decimal, bool]
"""A number, and whether it lies in front of the boundary itself, or behind it."""


@dataclass(frozen=True, slots=True)
class Regions:
    """Region 0 is in front of all boundaries; `whole` where values are whole numbers, or days."""

    boundaries: tuple[Boundary, ...]
    whole: bool

    def __len__(self) -> int:
        return len(self.boundaries) + 1

    def of(self, condition: Condition) -> list[int]:
        """Those that a cell lets through."""
        told = [_ALL] if not condition.tests else stretches(condition) or []
        return sorted({region for one in told for region in self._between(one)})

    def _between(self, one: Stretch) -> range:
        low, high = _ends(one, self.whole)
        first = 0 if low is None else bisect_left(self.boundaries, low) + 1
        return range(first, len(self) if high is None else bisect_left(self.boundaries, high) + 1)


_ALL = Stretch(None, None, False, False)


def regions_of(column: Sequence[Condition], of: Type) -> Regions | None:
    """None where a cell is no range of numbers or days."""
    kind = plain(of)
    whole = isinstance(kind, DateType) or (isinstance(kind, NumberType) and kind.whole)
    if not isinstance(kind, (NumberType, DateType)):
        return None
    told = [stretches(condition) for condition in column if condition.tests]
    known = [one for some in told if some is not None for one in some]
    if any(some is None for some in told) or not all(map(_is_range, known)):
        return None
    found = tuple(sorted(set(_boundaries(known, whole))))
    return Regions(found, whole) if all(is_plain(size_of(literal(number))) for number, _ in found) else None


def _is_range(one: Stretch) -> bool:
    """Null is no place on the line."""
    ends = (one.low, one.high)
    return ends != (None, None) and not any(isinstance(end, (str, bool)) for end in ends)


def _boundaries(told: Iterable[Stretch], whole: bool) -> Iterator[Boundary]:
    for one in told:
        yield from (end for end in _ends(one, whole) if end is not None)


def _ends(one: Stretch, whole: bool) -> tuple[Boundary | None, Boundary | None]:
    """The boundary that a range begins behind, and the one it ends in front of."""
    low = None if one.low is None else _boundary(one.low, not one.low_included, whole)
    high = None if one.high is None else _boundary(one.high, one.high_included, whole)
    return low, high


def _boundary(end: Point, behind: bool, whole: bool) -> Boundary:
    assert isinstance(end, (int, Decimal, Date))
    number = Decimal(end.number if isinstance(end, Date) else end)
    if not whole:
        return number, behind
    return Decimal(floor(number) + 1 if behind else ceil(number)), False


# -- the region of a value ------------------------------------------------------------------------


def region(name: str, seen: Term, among: Regions, scope: Scope) -> Tree:
    """Null of null."""
    value = seen.value
    if isinstance(plain(seen.type), DateType):
        value = typed(XDaysBetween(this=value, expression=literal(EPOCH)), WHOLE_NUMBER)
    kind = WHOLE_NUMBER if among.whole else decimal()
    passed = [number for number, behind in among.boundaries if not behind]
    made = _passed(name, value, passed, kind, scope)
    left = [-number for number, behind in reversed(among.boundaries) if behind]
    if left:
        negative = exp.Neg(this=paren(value))
        ahead = _passed(f"{name} upper", negative, left, kind, scope)
        made = exp.Add(this=made, expression=exp.Sub(this=literal(len(left)), expression=ahead))
    return case([(not_null(seen.value), made)]) if seen.may_be_null else made


def _passed(name: str, value: Tree, numbers: Sequence[Decimal], kind: exp.DataType, scope: Scope) -> Tree:
    """How many of the numbers are not above the value."""
    if not numbers:
        return literal(0)
    cuts = typed(XCuts(expressions=[literal(_plain(number)) for number in numbers]), list_of(kind))
    column = scope.plan.column(f"{name} cuts", cuts, list_of(kind))
    found = XBucket(this=value, expression=column, size=literal(len(numbers)))
    return typed(found, WHOLE_NUMBER)


def _plain(number: Decimal) -> int | Decimal:
    return int(number) if number == int(number) else number
