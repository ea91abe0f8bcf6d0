"""What a cell wants of a value, in constants alone; a cell that says more is opaque here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from dtables.feel.values import (
    FeelError,
    Value,
    negate,
)
from dtables.model.expressions import (
    Belongs,
    Compared,
    Constant,
    EqualTo,
    Expression,
    Guard,
    Holds,
    InList,
    MakeList,
    MakeRange,
    NameOf,
    Negation,
    NoneOf,
    Test,
    Within,
)


@dataclass(frozen=True, slots=True)
class Is:
    value: Value


@dataclass(frozen=True, slots=True)
class Against:
    """`< 12`: an operator and what is compared with."""

    operator: str
    value: Value


@dataclass(frozen=True, slots=True)
class Between:
    low: Value
    high: Value
    low_included: bool
    high_included: bool


@dataclass(frozen=True, slots=True)
class NotAny:
    of: tuple[Wanted, ...]


Wanted = Is | Against | Between | NotAny


def wanted(tests: Iterable[Test]) -> tuple[Wanted, ...] | None:
    """None where a test says what only the evaluator can know."""
    found: list[Wanted] = []
    for test in tests:
        read = _wanted(test)
        if read is None:
            return None
        found += read
    return tuple(found)


def _wanted(test: Test) -> tuple[Wanted, ...] | None:
    match test:
        case EqualTo(value=value):
            known = constant(value)
            return None if known is None else (Is(known[0]),)
        case InList(list=MakeList(items=items)):
            listed = [_item(item) for item in items]
            return None if None in listed else tuple(one for one in listed if one is not None)
        case Compared(operator=operator, value=value):
            known = constant(value)
            return None if known is None or known[0] is None else (Against(operator, known[0]),)
        case Within(low=low, high=high, low_included=low_included, high_included=high_included):
            between = _between(low, high, low_included, high_included)
            return None if between is None else (between,)
        case NoneOf(tests=tests):
            inner = wanted(tests)
            return None if inner is None else (NotAny(inner),)
        case InList() | Holds() | Belongs():
            return None
        case _:
            assert_never(test)


def _item(item: Expression) -> Wanted | None:
    if isinstance(item, MakeRange):
        return _between(item.low, item.high, item.low_included, item.high_included)
    known = constant(item)
    return None if known is None else Is(known[0])


def _between(
    low: Expression | None, high: Expression | None, low_included: bool, high_included: bool
) -> Between | None:
    ends = [(None,) if end is None else constant(end) for end in (low, high)]
    if ends[0] is None or ends[1] is None:
        return None
    if (low is not None and ends[0][0] is None) or (high is not None and ends[1][0] is None):
        return None
    return Between(ends[0][0], ends[1][0], low_included, high_included)


def constant(expression: Expression) -> tuple[Value] | None:
    """The value that an expression has by itself; of a name its id."""
    match expression:
        case Constant(value=value):
            return (value,)
        case NameOf(id=id_):
            return (id_,)
        case Guard(operand=operand):
            return constant(operand)
        case Negation(operand=operand):
            known = constant(operand)
            return None if known is None else _negative(known[0])
        case _:
            return None


def _negative(value: Value) -> tuple[Value] | None:
    try:
        return (negate(value),)
    except FeelError:
        return None


def values_in(tests: Iterable[Wanted]) -> Iterator[Value]:
    """The values at which the tests change their minds."""
    for test in tests:
        match test:
            case Is(value=value) | Against(value=value):
                yield value
            case Between(low=low, high=high):
                yield from (low, high)
            case NotAny(of=of):
                yield from values_in(of)
            case _:
                assert_never(test)
