"""Rows of a decision as boxes: which values each cell lets through, where that can be said beforehand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, assert_never

from dtables.compilers.python.ground import Ground
from dtables.feel.types import BooleanType, NumberType, Type, VocabularyType, may_be_null, plain
from dtables.model.expressions import (
    Belongs,
    Compared,
    Constant,
    EqualTo,
    Expression,
    Holds,
    InList,
    MakeList,
    NameOf,
    NoneOf,
    Test,
    Within,
)

Number = int | Decimal
Bound = tuple[Number, int]
"""A number and whether the cut lies before (0) or after (1) it."""

Part = tuple[Bound | None, Bound | None]
"""A stretch of numbers; an end that is None is open."""


@dataclass(frozen=True, slots=True)
class Names:
    """Some of a closed list of values: ids, or true and false; None where null may stand there too."""

    values: frozenset[str | bool | None]


@dataclass(frozen=True, slots=True)
class Intervals:
    """Stretches of numbers, sorted and apart."""

    parts: tuple[Part, ...]


Cell = Names | Intervals
EVERYTHING = Intervals(((None, None),))
UNKNOWN = object()


def domain(type_: Type, ground: Ground) -> Cell | None:
    """All values of a type that has a closed list of them, or all numbers (null apart)."""
    null = (None,) if may_be_null(type_) else ()
    match plain(type_):
        case VocabularyType(name=name):
            return Names(frozenset((*(label.id for label in ground.vocabularies[name].names), *null)))
        case BooleanType():
            return Names(frozenset((True, False, *null)))
        case NumberType():
            return EVERYTHING
        case _:
            return None


def row_cell(tests: tuple[Test, ...], type_: Type, whole: Cell | None) -> Cell | None:
    """What a cell lets through of a column of the type, null aside where that is a number: it passes an
    empty cell only."""
    if whole is None:
        return None
    if not (tests and isinstance(whole, Intervals) and may_be_null(type_)):
        return cell_box(tests, whole)
    box = None if any(isinstance(test, NoneOf) for test in tests) else cell_box(tests, whole)
    return None if box == EVERYTHING else box


def cell_box(tests: tuple[Test, ...], whole: Cell) -> Cell | None:
    """What the tests let through of a column whose values are `whole`; None where it cannot be said."""
    if not tests:
        return whole
    boxes = [_test_box(test, whole) for test in tests]
    return None if None in boxes else _union([box for box in boxes if box is not None], whole)


def _test_box(test: Test, whole: Cell) -> Cell | None:
    match test:
        case EqualTo(value=value):
            return _values_box((value,), whole)
        case InList(list=MakeList(items=items)):
            return _values_box(items, whole)
        case Compared(operator="!=", value=value):
            return _unlike_box(value, whole)
        case Compared(operator=operator, value=value):
            return _compared_box(operator, value, whole)
        case Within():
            return _within_box(test, whole)
        case NoneOf(tests=tests):
            inner = cell_box(tests, whole)
            return None if inner is None or _speaks_not_of_null(tests, whole) else _without(whole, inner)
        case InList() | Holds() | Belongs():
            return None
        case _:
            assert_never(test)


def _values_box(values: tuple[Expression, ...], whole: Cell) -> Cell | None:
    constants = [constant(value) for value in values]
    match whole:
        case Names():
            names = [c for c in constants if c is None or isinstance(c, (str, bool))]
            return Names(frozenset(names) & whole.values) if len(names) == len(constants) else None
        case Intervals():
            numbers: list[Any] = [c for c in constants if _is_number(c)]
            if len(numbers) < len(constants):
                return None
            return _union([Intervals((((n, 0), (n, 1)),)) for n in numbers], whole)
        case _:
            assert_never(whole)


def constant(node: Expression) -> object:
    """An id, a boolean, a number, null; UNKNOWN for everything else."""
    match node:
        case NameOf(id=id_):
            return id_
        case Constant(value=value):
            return value
        case _:
            return UNKNOWN


def _is_number(value: object) -> bool:
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def _speaks_not_of_null(tests: tuple[Test, ...], whole: Cell) -> bool:
    """Neither they nor `not` of them let null through."""
    has_null = isinstance(whole, Names) and None in whole.values
    return has_null and any(isinstance(test, Compared) for test in tests)


def _unlike_box(value: Expression, whole: Cell) -> Cell | None:
    """Null is not let through, whatever it is compared with."""
    if isinstance(whole, Intervals):
        number: Any = constant(value)
        return Intervals(((None, (number, 0)), ((number, 1), None))) if _is_number(number) else None
    alike = _values_box((value,), whole)
    return Names(whole.values - alike.values - {None}) if isinstance(alike, Names) else None


def _compared_box(operator: str, value: Expression, whole: Cell) -> Cell | None:
    number: Any = constant(value)
    if isinstance(whole, Names) or not _is_number(number):
        return None
    match operator:
        case "<":
            return Intervals(((None, (number, 0)),))
        case "<=":
            return Intervals(((None, (number, 1)),))
        case ">":
            return Intervals((((number, 1), None),))
        case ">=":
            return Intervals((((number, 0), None),))
        case _:
            return None


def _within_box(test: Within, whole: Cell) -> Cell | None:
    low: Any = None if test.low is None else constant(test.low)
    high: Any = None if test.high is None else constant(test.high)
    for end, given in ((test.low, low), (test.high, high)):
        if end is not None and not _is_number(given):
            return None
    if isinstance(whole, Names):
        return None
    start = None if low is None else (low, 0 if test.low_included else 1)
    end_ = None if high is None else (high, 1 if test.high_included else 0)
    if start is not None and end_ is not None and start >= end_:
        return Intervals(())
    return Intervals(((start, end_),))


# -- sets --------------------------------------------------------------------------------------


def _union(boxes: list[Cell], whole: Cell) -> Cell:
    if isinstance(whole, Names):
        return Names(frozenset(v for box in boxes if isinstance(box, Names) for v in box.values))
    parts = sorted(
        (part for box in boxes if isinstance(box, Intervals) for part in box.parts), key=_start_key
    )
    joined: list[Part] = []
    for low, high in parts:
        if joined and _reaches(joined[-1][1], low):
            joined[-1] = (joined[-1][0], _later(joined[-1][1], high))
        else:
            joined.append((low, high))
    return Intervals(tuple(joined))


def _start_key(part: Part) -> tuple[int, Bound]:
    return (0, (0, 0)) if part[0] is None else (1, part[0])


def _reaches(high: Bound | None, low: Bound | None) -> bool:
    return high is None or low is None or low <= high


def _later(a: Bound | None, b: Bound | None) -> Bound | None:
    return None if a is None or b is None else max(a, b)


def _without(whole: Cell, taken: Cell) -> Cell:
    if isinstance(whole, Names):
        return Names(whole.values - (taken.values if isinstance(taken, Names) else frozenset()))
    assert isinstance(taken, Intervals)
    gaps: list[Part] = []
    start: Bound | None = None
    for low, high in taken.parts:
        if low is not None and (start is None or start < low):
            gaps.append((start, low))
        if high is None:
            return Intervals(tuple(gaps))
        start = high
    return Intervals((*gaps, (start, None)))


def meet(a: Cell, b: Cell) -> bool:
    """Does any value lie in both?"""
    if isinstance(a, Names) and isinstance(b, Names):
        return bool(a.values & b.values)
    if isinstance(a, Intervals) and isinstance(b, Intervals):
        return any(overlap(x, y) for x in a.parts for y in b.parts)
    return True


def overlap(a: Part, b: Part) -> bool:
    return _before(a[0], b[1]) and _before(b[0], a[1])


def _before(low: Bound | None, high: Bound | None) -> bool:
    return low is None or high is None or low < high


def first_whole(cut: Bound) -> int:
    """The least whole number behind a cut."""
    number, after = cut
    least = int(number) + (1 if number > int(number) else 0)
    return least + 1 if after and least == number else least


def apart(rows: Iterable[tuple[Cell | None, ...]]) -> bool:
    """No two rows let the same values through, as far as can be said."""
    listed = list(rows)
    return all(
        any(x is not None and y is not None and not meet(x, y) for x, y in zip(a, b, strict=True))
        for number, a in enumerate(listed)
        for b in listed[number + 1 :]
    )
