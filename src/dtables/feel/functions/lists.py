"""Built-ins that make lists of lists, and look for things in them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import cmp_to_key

from dtables.feel.errors import FeelError, LimitError
from dtables.feel.functions.arguments import boolean_in, function_in, list_in, number_in, whole_in
from dtables.feel.functions.entry import Builtin, always, first_as_list, item_or_itself, list_of_all, takes
from dtables.feel.kinds import Function, Value
from dtables.feel.limits import MOST_ITEMS
from dtables.feel.numbers import Number
from dtables.feel.operators import distinct, is_in, same
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    NUMBER,
    WHOLE,
    FunctionType,
    ListType,
    NullType,
    Type,
    join,
    may_be_null,
    optional,
    plain,
)


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


# -- the built-ins ----------------------------------------------------------------------------------
# The entries of the built-ins on lists; their meanings stand in `lists`.

_LIST = ListType(ANY)
_NUMBERS = ListType(NUMBER)


def _appended(types: tuple[Type, ...]) -> Type:
    return ListType(join([item_or_itself(types[0]), *types[1:]])) if types else _LIST


def _replaced(types: tuple[Type, ...]) -> Type:
    """The new item is the third argument."""
    return ListType(join([item_or_itself(types[0]), *types[2:3]])) if types else _LIST


def _flattened(types: tuple[Type, ...]) -> Type:
    return ListType(_innermost(types[0])) if types else _LIST


def _innermost(given: Type) -> Type:
    item = item_or_itself(given)
    if not isinstance(plain(item), ListType):
        return item
    return optional(_innermost(item)) if may_be_null(item) else _innermost(item)


def _repeated(types: tuple[Type, ...]) -> Type:
    return ListType(types[0]) if types and not isinstance(types[0], NullType) else _LIST


LISTS = (
    Builtin(
        "list contains",
        (takes(("list", _LIST), ("element", ANY)),),
        always(BOOLEAN),
        "is the element in the list? null can be one",
        (("list contains([1, 2, 3], 2)", "true"), ("list contains([1, null], null)", "true")),
        list_contains,
    ),
    Builtin(
        "sublist",
        (
            takes(("list", _LIST), ("start position", WHOLE)),
            takes(("list", _LIST), ("start position", WHOLE), ("length", WHOLE)),
        ),
        first_as_list,
        "`length` items (or all) from a position on; -1 is the last position",
        (("sublist([4, 5, 6], 1, 2)", "[4, 5]"), ("sublist([4, 5, 6], -2)", "[5, 6]")),
        sublist,
    ),
    Builtin(
        "append",
        (takes(("list", _LIST), ("item...", ANY)),),
        _appended,
        "the list with further items at its end",
        (("append([1], 2, 3)", "[1, 2, 3]"),),
        append,
    ),
    Builtin(
        "concatenate",
        (takes(("list...", _LIST)),),
        list_of_all,
        "the lists one after another",
        (("concatenate([1, 2], [3])", "[1, 2, 3]"),),
        concatenate,
    ),
    Builtin(
        "insert before",
        (takes(("list", _LIST), ("position", WHOLE), ("newItem", ANY)),),
        _replaced,
        "the list with a new item at the position, the others after it",
        (("insert before([1, 3], 2, 2)", "[1, 2, 3]"),),
        insert_before,
    ),
    Builtin(
        "remove",
        (takes(("list", _LIST), ("position", WHOLE)),),
        first_as_list,
        "the list without the item at the position",
        (("remove([1, 2, 3], 2)", "[1, 3]"),),
        remove_at,
    ),
    Builtin(
        "list replace",
        (
            takes(("list", _LIST), ("position", WHOLE), ("newItem", ANY)),
            takes(("list", _LIST), ("match", FunctionType((ANY, ANY), BOOLEAN)), ("newItem", ANY)),
        ),
        _replaced,
        "the list with a new item in place of the one at the position, or of all that match",
        (
            ("list replace([2, 4, 7, 8], 3, 6)", "[2, 4, 6, 8]"),
            ("list replace([2, 4, 7], function(item, newItem) item < newItem, 5)", "[5, 5, 7]"),
        ),
        list_replace,
    ),
    Builtin(
        "reverse",
        (takes(("list", _LIST)),),
        first_as_list,
        "the list from its end",
        (("reverse([1, 2, 3])", "[3, 2, 1]"),),
        reverse,
    ),
    Builtin(
        "index of",
        (takes(("list", _LIST), ("match", ANY)),),
        always(ListType(WHOLE)),
        "the positions at which the list has the value",
        (("index of([1, 2, 3, 2], 2)", "[2, 4]"), ("index of([1], 5)", "[]")),
        index_of,
    ),
    Builtin(
        "union",
        (takes(("list...", _LIST)),),
        list_of_all,
        "the lists one after another, each value once",
        (("union([1, 2], [2, 3])", "[1, 2, 3]"),),
        union,
    ),
    Builtin(
        "distinct values",
        (takes(("list", _LIST)),),
        first_as_list,
        "the list, each value once",
        (("distinct values([1, 2, 3, 2, 1])", "[1, 2, 3]"),),
        distinct_values,
    ),
    Builtin(
        "flatten",
        (takes(("list", _LIST)),),
        _flattened,
        "the list with the items of its lists, and of theirs, in their place",
        (("flatten([[1, 2], [[3]], 4])", "[1, 2, 3, 4]"),),
        flatten,
    ),
    Builtin(
        "sort",
        (takes(("list", _LIST), ("precedes", FunctionType((ANY, ANY), BOOLEAN))),),
        first_as_list,
        "the list in the order of a function that says whether one item comes before another",
        (("sort([3, 1, 5, 4], function(x, y) x < y)", "[1, 3, 4, 5]"),),
        sort_by,
    ),
    Builtin(
        "repeat",
        (takes(("x", ANY), ("n", WHOLE)),),
        _repeated,
        "a list of n times the same",
        (("repeat(0, 3)", "[0, 0, 0]"), ("repeat(7, 0)", "[]")),
        repeat,
        standard=False,
    ),
    Builtin(
        "drop highest",
        (takes(("list", _NUMBERS), ("n", WHOLE)),),
        first_as_list,
        "the numbers without the n highest, in their order",
        (("drop highest([3, 9, 4, 9], 1)", "[3, 4, 9]"), ("drop highest([1], 5)", "[]")),
        drop_highest,
        standard=False,
    ),
    Builtin(
        "drop lowest",
        (takes(("list", _NUMBERS), ("n", WHOLE)),),
        first_as_list,
        "the numbers without the n lowest, in their order",
        (("drop lowest([3, 9, 4, 3], 2)", "[9, 4]"),),
        drop_lowest,
        standard=False,
    ),
)
