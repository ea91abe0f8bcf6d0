"""Built-ins that make lists of lists, and look for things in them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import cmp_to_key

from dtables.feel.errors import FeelError, LimitError
from dtables.feel.functions.arguments import boolean_in, function_in, list_in, number_in, whole_in
from dtables.feel.kinds import Function, Value
from dtables.feel.limits import MOST_ITEMS
from dtables.feel.numbers import Number
from dtables.feel.operators import distinct, is_in, same


def list_contains(list_: Value, element: Value) -> bool:
    return is_in(element, list_in(list_))


def sublist(list_: Value, start: Value, *length: Value) -> list[Value]:
    items = list_in(list_)
    begin = _index(items, start)
    if not length:
        return items[begin:]
    count = whole_in(length[0])
    if count < 0 or begin + count > len(items):
        raise FeelError(f"there are no {count} items from position {whole_in(start)} on")
    return items[begin : begin + count]


def append(list_: Value, *items: Value) -> list[Value]:
    return [*list_in(list_), *items]


def concatenate(*lists: Value) -> list[Value]:
    joined: list[Value] = []
    for given in lists:
        joined += list_in(given)
    return _bounded(joined)


def insert_before(list_: Value, position: Value, new_item: Value) -> list[Value]:
    items = list_in(list_)
    at = _index(items, position)
    return [*items[:at], new_item, *items[at:]]


def remove_at(list_: Value, position: Value) -> list[Value]:
    items = list_in(list_)
    at = _index(items, position)
    return [*items[:at], *items[at + 1 :]]


def list_replace(list_: Value, where: Value, new_item: Value) -> list[Value]:
    """`where` is a position, or a function of the item and the new item that says which to replace."""
    items = list_in(list_)
    if isinstance(where, Function):
        matches = function_in(where, 2)
        return [new_item if boolean_in(matches(item, new_item)) else item for item in items]
    at = _index(items, where)
    return [*items[:at], new_item, *items[at + 1 :]]


def reverse(list_: Value) -> list[Value]:
    return list_in(list_)[::-1]


def index_of(list_: Value, match: Value) -> list[Value]:
    return [n for n, item in enumerate(list_in(list_), 1) if same(item, match)]


def union(*lists: Value) -> list[Value]:
    return distinct_values(concatenate(*lists))


def distinct_values(list_: Value) -> list[Value]:
    """The first of equal items stays. Numbers and texts are looked up, everything else is counted."""
    items = list_in(list_)
    if _LOOKED_UP.issuperset(map(type, items)):
        return list(dict.fromkeys(items))
    return distinct(items)


_LOOKED_UP = frozenset((int, str, Decimal))


def flatten(list_: Value) -> list[Value]:
    flat: list[Value] = []
    waiting = list_in(list_)[::-1]
    while waiting:
        item = waiting.pop()
        if type(item) is list:
            waiting.extend(reversed(item))
        else:
            flat.append(item)
        if len(flat) + len(waiting) > MOST_ITEMS:
            return _bounded(flat + waiting)
    return flat


def repeat(x: Value, n: Value) -> list[Value]:
    count = whole_in(n)
    if count < 0:
        raise FeelError(f"{count} repetitions")
    if count > MOST_ITEMS:
        raise LimitError(f"{count:,} repetitions: a list has at most {MOST_ITEMS:,} items")
    return [x] * count


def drop_highest(list_: Value, n: Value) -> list[Value]:
    numbers = [number_in(item) for item in list_in(list_)]
    return _without(numbers, n, lambda number: -number)


def drop_lowest(list_: Value, n: Value) -> list[Value]:
    numbers = [number_in(item) for item in list_in(list_)]
    return _without(numbers, n, lambda number: number)


def sort_by(list_: Value, precedes: Value) -> list[Value]:
    """Items of which none precedes the other stay in their order."""
    before = function_in(precedes, 2)

    def comparison(a: Value, b: Value) -> int:
        if boolean_in(before(a, b)):
            return -1
        return int(boolean_in(before(b, a)))

    return sorted(list_in(list_), key=cmp_to_key(comparison))


def _bounded(items: list[Value]) -> list[Value]:
    """A loop that doubles a list must end before memory does."""
    if len(items) > MOST_ITEMS:
        raise LimitError(f"a list has at most {MOST_ITEMS:,} items")
    return items


def _index(items: list[Value], position: Value) -> int:
    at = whole_in(position)
    if not 0 < abs(at) <= len(items):
        raise FeelError(f"there is no position {at} in a list of {len(items)}")
    return at - 1 if at > 0 else len(items) + at


def _without(numbers: list[Number], n: Value, rank: Callable[[Number], Number]) -> list[Value]:
    """Without the n numbers of the least rank, of equals the first; what stays keeps its order."""
    count = whole_in(n)
    if count < 0:
        raise FeelError(f"{count} items cannot be dropped")
    if count == 0 or not numbers:
        return numbers
    dropped = set(sorted(range(len(numbers)), key=lambda at: rank(numbers[at]))[:count])
    return [number for at, number in enumerate(numbers) if at not in dropped]
