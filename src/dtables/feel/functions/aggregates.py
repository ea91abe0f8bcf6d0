"""Built-ins that make one value of many: `f(list)` or `f(a, b, …)`."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from dtables.feel import numbers
from dtables.feel.errors import FeelError
from dtables.feel.functions.arguments import NUMBER_KINDS, list_in, numbers_in, values_in
from dtables.feel.functions.entry import (
    Builtin,
    Signature,
    always,
    any_null,
    best_of,
    items_of,
    may_be_empty,
    number_of,
    number_or_null,
    takes,
)
from dtables.feel.kinds import Value
from dtables.feel.numbers import Number
from dtables.feel.operators import less
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    NUMBER,
    WHOLE,
    ListType,
    Type,
    optional,
)


def count_of(list_: Value) -> int:
    return len(list_in(list_))


def min_of(*values: Value) -> Value:
    items = values_in(values)
    if _alike(items):
        return min(items) if items else None
    return _foremost(items, less)


def max_of(*values: Value) -> Value:
    items = values_in(values)
    if _alike(items):
        return max(items) if items else None
    return _foremost(items, lambda one, other: less(other, one))


def _foremost(items: list[Value], before: Callable[[Value, Value], bool]) -> Value:
    best = items[0]
    for item in items:
        if before(item, best):
            best = item
    return best


def _alike(items: list[Value]) -> bool:
    """Numbers only or texts only: Python orders them as the standard does. Also of none at all."""
    kinds = set(map(type, items))
    return kinds <= NUMBER_KINDS or kinds == {str}


def sum_of(*values: Value) -> Number | None:
    """Null of an empty list, as the standard wants; `total` is 0."""
    items = numbers_in(values)
    return _sum(items) if items else None


def total(*values: Value) -> Number:
    return _sum(numbers_in(values))


def _sum(items: list[Number]) -> Number:
    if Decimal not in set(map(type, items)):
        return sum(items)
    result: Number = 0
    for item in items:
        result = numbers.add(result, item)
    return result


def product_of(*values: Value) -> Number | None:
    items = numbers_in(values)
    result: Number = 1
    for item in items:
        result = numbers.multiply(result, item)
    return result if items else None


def mean_of(*values: Value) -> Number | None:
    items = numbers_in(values)
    return numbers.divide(_sum(items), len(items)) if items else None


def median_of(*values: Value) -> Number | None:
    """The middle one; of an even count the mean of the two in the middle."""
    items = sorted(numbers_in(values))
    middle, has_middle = divmod(len(items), 2)
    if not items or has_middle:
        return items[middle] if items else None
    return numbers.divide(numbers.add(items[middle - 1], items[middle]), 2)


def stddev_of(*values: Value) -> Number | None:
    """Of a sample (divided by one less than the count); null of fewer than two."""
    items = numbers_in(values)
    if len(items) < 2:
        return None
    mean = numbers.divide(_sum(items), len(items))
    distances = (numbers.subtract(item, mean) for item in items)
    squares = _sum([numbers.multiply(distance, distance) for distance in distances])
    return numbers.square_root(numbers.divide(squares, len(items) - 1))


def mode_of(*values: Value) -> list[Number]:
    """The most frequent ones, rising."""
    counts: dict[Number, int] = {}
    for item in numbers_in(values):
        counts[item] = counts.get(item, 0) + 1
    most = max(counts.values(), default=0)
    return sorted(item for item, count in counts.items() if count == most)


def all_of(*values: Value) -> bool | None:
    """Three-valued: one false is enough; null where it hangs on a null."""
    items = _booleans(values)
    if False in items:
        return False
    return None if None in items else True


def any_of(*values: Value) -> bool | None:
    items = _booleans(values)
    if True in items:
        return True
    return None if None in items else False


def _booleans(values: tuple[Value, ...]) -> list[bool | None]:
    items = values_in(values)
    if any(item is not None and item is not True and item is not False for item in items):
        raise FeelError("true or false was wanted for each")
    return items


def _either(parameter: str, item: Type) -> tuple[Signature, ...]:
    return takes(("list", ListType(item))), takes((f"{parameter}...", item))


def _fraction(types: tuple[Type, ...]) -> Type:
    return optional(NUMBER) if may_be_empty(types) else NUMBER


def _most_frequent(types: tuple[Type, ...]) -> Type:
    return ListType(items_of(types))


def _three_valued(types: tuple[Type, ...]) -> Type:
    return optional(BOOLEAN) if any_null(types) else BOOLEAN


_COMPARABLE = _either("c", ANY)
_NUMBERS = _either("n", NUMBER)
_BOOLEANS = (takes(("list", ListType(optional(BOOLEAN)))), takes(("b...", optional(BOOLEAN))))

AGGREGATES = (
    Builtin(
        "count",
        (takes(("list", ListType(ANY))),),
        always(WHOLE),
        "how many items a list has",
        (("count([1, 2, 3])", "3"), ("count([])", "0")),
        count_of,
    ),
    Builtin(
        "min",
        _COMPARABLE,
        best_of,
        "the least of a list or of the arguments; null of an empty list",
        (("min([1, 2, 3])", "1"), ("min(3, 1)", "1"), ("min([])", "null")),
        min_of,
    ),
    Builtin(
        "max",
        _COMPARABLE,
        best_of,
        "the greatest of a list or of the arguments; null of an empty list",
        (("max([1, 2, 3])", "3"), ("max(3, 1)", "3"), ("max([])", "null")),
        max_of,
    ),
    Builtin(
        "sum",
        _NUMBERS,
        number_or_null,
        "the sum of a list or of the arguments; null of an empty list (see total)",
        (("sum([1, 2, 3])", "6"), ("sum([])", "null")),
        sum_of,
    ),
    Builtin(
        "total",
        _NUMBERS,
        number_of,
        "the sum of a list or of the arguments; 0 of an empty list",
        (("total([1, 2, 3])", "6"), ("total([])", "0")),
        total,
        standard=False,
    ),
    Builtin(
        "mean",
        _NUMBERS,
        _fraction,
        "the average; null of an empty list",
        (("mean([1, 2, 3])", "2"),),
        mean_of,
    ),
    Builtin(
        "product",
        _NUMBERS,
        number_or_null,
        "all multiplied; null of an empty list",
        (("product([2, 3, 4])", "24"),),
        product_of,
    ),
    Builtin(
        "median",
        _NUMBERS,
        _fraction,
        "the middle value, or the mean of the two in the middle; null of an empty list",
        (("median([8, 2, 5, 3, 4])", "4"), ("median([6, 1, 2, 3])", "2.5")),
        median_of,
    ),
    Builtin(
        "stddev",
        _NUMBERS,
        always(optional(NUMBER)),
        "the standard deviation of a sample; null of fewer than two numbers",
        (("stddev([2, 4])", "1.414213562373095048801688724209698"),),
        stddev_of,
    ),
    Builtin(
        "mode",
        _NUMBERS,
        _most_frequent,
        "the most frequent numbers, rising",
        (("mode([6, 3, 9, 6, 6])", "[6]"), ("mode([6, 1, 9, 6, 1])", "[1, 6]")),
        mode_of,
    ),
    Builtin(
        "all",
        _BOOLEANS,
        _three_valued,
        "are all true? null where a null leaves it open",
        (("all([true, false])", "false"), ("all([])", "true")),
        all_of,
    ),
    Builtin(
        "any",
        _BOOLEANS,
        _three_valued,
        "is one true? null where a null leaves it open",
        (("any([true, false])", "true"), ("any([])", "false")),
        any_of,
    ),
)
