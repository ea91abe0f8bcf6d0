"""Loops, lists and lazily read values, for what Python's own words do not say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from dtables import failures
from dtables.feel.functions.lists import flatten, repeat
from dtables.feel.limits import MOST_ITEMS, MOST_ITERATIONS
from dtables.feel.values import (
    Range,
    Value,
    conjunction,
    disjunction,
    elements,
    item_at,
    kind_of,
    steps,
    truth,
)
from dtables.runtime.failing import attempt, failed


def once(work: Callable[[], Value]) -> Callable[[], Any]:
    """A value that is worked out when it is first read."""
    known: list[Value] = []

    def value() -> Value:
        if not known:
            known.append(work())
        return known[0]

    return value


# -- going through lists -----------------------------------------------------------------------


def joined(lists: list[Any], table: str | None, place: str) -> list[Any]:
    """The items of lists of lists."""
    items = list(chain.from_iterable(lists))
    return items if len(items) <= MOST_ITEMS else attempt(table, place, flatten, lists)


def bounded(items: list[Any], table: str | None, place: str) -> list[Any]:
    """Return the items; an error with its cell where they are too many."""
    return items if len(items) <= MOST_ITEMS else attempt(table, place, flatten, items)


def grouped(rows: list[Any], attribute: str) -> dict[Value, list[Any]]:
    """Rows by what they have in an attribute, each group in their order."""
    groups: dict[Value, list[Any]] = {}
    for row in rows:
        groups.setdefault(getattr(row, attribute), []).append(row)
    return groups


def without_highest(numbers: list[int], count: int) -> list[int]:
    """Of equals the first ones are dropped; what stays keeps its order."""
    if not count or not numbers:
        return numbers
    dropped = sorted(range(len(numbers)), key=lambda at: -numbers[at])[:count]
    return [number for at, number in enumerate(numbers) if at not in dropped]


def without_lowest(numbers: list[int], count: int) -> list[int]:
    """Leave out the lowest numbers, the first of equal ones; the others keep their order."""
    if not count or not numbers:
        return numbers
    dropped = sorted(range(len(numbers)), key=numbers.__getitem__)[:count]
    return [number for at, number in enumerate(numbers) if at not in dropped]


def repeated(value: Value, times: int, table: str | None, place: str) -> list[Any]:
    """Return the value so many times; an error with its cell where that is negative or too often."""
    return [value] * times if 0 <= times <= MOST_ITEMS else attempt(table, place, repeat, value, times)


def listed(value: Value, table: str | None, place: str) -> Iterable[Value]:
    """What a loop goes through, where its type does not say that it is a list."""
    if type(value) is list:
        return value
    if isinstance(value, Range):
        return _bounded(attempt(table, place, elements, value), table, place)
    raise failed(f"{kind_of(value)} is no list to go through", table, place)


def counting(start: Value, end: Value, table: str | None, place: str) -> Iterable[Value]:
    """Return what a loop goes through from `start` to `end`, also downwards; an error past the limit."""
    return _bounded(attempt(table, place, steps, start, end), table, place)


def _bounded(values: Sequence[Value], table: str | None, place: str) -> Iterable[Value]:
    return values if _length(values) <= MOST_ITERATIONS else _first_ones(values, table, place)


def _length(values: Sequence[Value]) -> int:
    try:
        return len(values)
    except OverflowError:
        return MOST_ITERATIONS + 1


def _first_ones(values: Sequence[Value], table: str | None, place: str) -> Iterator[Value]:
    yield from values[:MOST_ITERATIONS]
    raise failed(failures.too_many_iterations(MOST_ITERATIONS), table, place)


def rounds(table: str | None, place: str) -> tuple[Callable[[Iterable[Value]], Iterable[Value]]]:
    """A function that counts the rounds of loops within loops. It comes in a tuple, for a comprehension
    can name it only by going through something: `for rounds in (…,)`."""
    left = MOST_ITERATIONS

    def counted(values: Iterable[Value]) -> Iterator[Value]:
        nonlocal left
        for value in values:
            if left == 0:
                raise failed(failures.too_many_iterations(MOST_ITERATIONS), table, place)
            left -= 1
            yield value

    return (counted,)


def some(conditions: Iterable[Value]) -> bool | None:
    """Three-valued, as a chain of `or`; ends where it is settled."""
    result: bool | None = False
    for condition in conditions:
        result = disjunction(result, truth(condition))
        if result is True:
            break
    return result


def every(conditions: Iterable[Value]) -> bool | None:
    """Join conditions by and: the first that is false ends it, and a null among true ones makes it null."""
    result: bool | None = True
    for condition in conditions:
        result = conjunction(result, truth(condition))
        if result is False:
            break
    return result


def boolean_or_null(value: Value) -> bool | None:
    """Return a boolean as it is, everything else as null."""
    return value if isinstance(value, bool) else None


def select(value: Value, condition: Callable[[Value], Value], table: str | None, place: str) -> Value:
    """A number is an index, whichever item it was worked out for; anything else is a condition."""
    items = value if isinstance(value, list) else [value]
    kept: list[Value] = []
    for item in items or [None]:
        held = condition(item)
        if kind_of(held) == "number":
            return attempt(table, place, item_at, items, held)
        if attempt(table, place, truth, held) is True and items:
            kept.append(item)
    return kept
