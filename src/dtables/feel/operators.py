"""What values do to each other: arithmetic, comparison, three-valued logic, membership.

A wrong operand raises FeelError. `equal` alone answers None where two values have nothing in common
(`1 = "1"` is null by the standard), so that it can be used in loops.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from decimal import Decimal
from typing import Any

from dtables.feel import numbers
from dtables.feel import temporal_arithmetic as temporal
from dtables.feel.errors import FeelError, LimitError
from dtables.feel.kinds import Fields, Function, Range, Row, Value, kind_of
from dtables.feel.limits import MOST_TEXT, text_too_long
from dtables.feel.temporal import Date, DateTime, DaysDuration, Time, YearsDuration

# -- arithmetic ----------------------------------------------------------------------------------


def add(a: Value, b: Value) -> Value:
    """`a + b` of numbers, texts, dates and durations; FeelError where there is no sum."""
    left, right = type(a), type(b)
    if left is int and right is int:
        return a + b
    if left in _NUMBERS and right in _NUMBERS:
        return numbers.add(a, b)
    if left is str and right is str:
        return _joined(a, b)
    return _dispatch(temporal.ADDITIONS, "+", a, b)


def subtract(a: Value, b: Value) -> Value:
    """`a - b` of numbers, dates and durations; FeelError where there is no difference."""
    left, right = type(a), type(b)
    if left is int and right is int:
        return a - b
    if left in _NUMBERS and right in _NUMBERS:
        return numbers.subtract(a, b)
    return _dispatch(temporal.SUBTRACTIONS, "-", a, b)


def multiply(a: Value, b: Value) -> Value:
    """`a * b` of numbers and durations; FeelError where there is no product."""
    if type(a) in _NUMBERS and type(b) in _NUMBERS:
        return numbers.multiply(a, b)
    return _dispatch(temporal.MULTIPLICATIONS, "*", a, b)


def divide(a: Value, b: Value) -> Value:
    """`a / b` of numbers and durations; FeelError where there is no result."""
    if type(a) in _NUMBERS and type(b) in _NUMBERS:
        return numbers.divide(a, b)
    return _dispatch(temporal.DIVISIONS, "/", a, b)


def power(a: Value, b: Value) -> Value:
    """`a ** b` of numbers; FeelError where there is no result."""
    if type(a) in _NUMBERS and type(b) in _NUMBERS:
        return numbers.power(a, b)
    raise _unfit("**", a, b)


def negate(a: Value) -> Value:
    """`-a` of a number or duration; FeelError of anything else."""
    if type(a) in _NUMBERS:
        return numbers.negate(a)
    if isinstance(a, (DaysDuration, YearsDuration)):
        return temporal.negative(a)
    raise FeelError(f"{kind_of(a)} has no negative")


def arithmetic(operator: str, a: Value, b: Value) -> Value:
    """Apply one of `+ - * / **`; FeelError where there is no result."""
    return ARITHMETIC[operator](a, b)


ARITHMETIC: dict[str, Callable[[Value, Value], Value]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "**": power,
}

_NUMBERS = frozenset((int, Decimal))


def _joined(a: str, b: str) -> str:
    if len(a) + len(b) > MOST_TEXT:
        raise LimitError(text_too_long())
    return a + b


def _dispatch(table: dict[tuple[type, type], temporal.Operation], operator: str, a: Value, b: Value) -> Value:
    operation = table.get((type(a), type(b)))
    if operation is None:
        raise _unfit(operator, a, b)
    return operation(a, b)


def _unfit(operator: str, a: Value, b: Value) -> FeelError:
    return FeelError(f"{kind_of(a)} {operator} {kind_of(b)} has no result")


# -- equality ------------------------------------------------------------------------------------

Equality = Callable[[Value, Value], bool | None]


def equal(a: Value, b: Value) -> bool | None:
    """Null equals null only. None where the kinds differ, also of items of two lists."""
    if a is b:
        return True
    if a is None or b is None:
        return False
    kind = type(a)
    if kind is type(b):
        compare_kind = _EQUALITIES.get(kind)
        if compare_kind is not None:
            return compare_kind(a, b)
    return _equal_of_two_kinds(a, b)


def not_equal(a: Value, b: Value) -> bool | None:
    """`a != b` by the standard: None where the kinds differ."""
    return negation(equal(a, b))


def same(a: Value, b: Value) -> bool:
    """Equal, and certainly so: what lists and distinct values go by, and `=` in a workbook, where values of
    different kinds are not equal."""
    return equal(a, b) is True


def unlike(a: Value, b: Value) -> bool:
    """Say whether the values are not `same`: what `!=` is in a workbook."""
    return equal(a, b) is not True


def _equal_of_two_kinds(a: Value, b: Value) -> bool | None:
    if type(a) in _NUMBERS and type(b) in _NUMBERS:
        return bool(a == b)
    if isinstance(a, Row) or isinstance(b, Row):
        return False if isinstance(a, Row) and isinstance(b, Row) else None
    if isinstance(a, (Fields, dict)) and isinstance(b, (Fields, dict)):
        return _equal_records(a, b)
    return None


def _equal_records(a: Fields | dict[str, Value], b: Fields | dict[str, Value]) -> bool | None:
    if isinstance(a, Fields) and isinstance(b, Fields) and a.record_type != b.record_type:
        return False
    return _equal_contexts(_entries(a), _entries(b))


def _entries(record: Fields | dict[str, Value]) -> dict[str, Value]:
    return dict(record.stored()) if isinstance(record, Fields) else record


def _equal_lists(a: list[Value], b: list[Value]) -> bool | None:
    if len(a) != len(b):
        return False
    return _all_equal(zip(a, b, strict=True))


def _equal_contexts(a: dict[str, Value], b: dict[str, Value]) -> bool | None:
    if a.keys() != b.keys():
        return False
    return _all_equal((value, b[key]) for key, value in a.items())


def _all_equal(pairs: Any) -> bool | None:
    result: bool | None = True
    for x, y in pairs:
        match equal(x, y):
            case False:
                return False
            case None:
                result = None
    return result


def _equal_ranges(a: Range, b: Range) -> bool | None:
    if (a.low_included, a.high_included, a.operator) != (b.low_included, b.high_included, b.operator):
        return False
    return _all_equal(((a.low, b.low), (a.high, b.high)))


_EQUALITIES: dict[type, Callable[[Any, Any], bool | None]] = {
    int: lambda a, b: a == b,
    str: lambda a, b: a == b,
    bool: lambda a, b: a == b,
    Decimal: lambda a, b: a == b,
    Date: lambda a, b: a == b,
    Time: lambda a, b: temporal.time_key(a) == temporal.time_key(b),
    DateTime: lambda a, b: temporal.moment_key(a) == temporal.moment_key(b),
    DaysDuration: lambda a, b: a.nanos == b.nanos,
    YearsDuration: lambda a, b: a.months == b.months,
    Range: _equal_ranges,
    Function: lambda a, b: a is b,
    list: _equal_lists,
    dict: _equal_contexts,
}


class Tally:
    """Counts values, the same ones together, in a time that grows with their number and no faster."""

    __slots__ = ("_counts",)

    def __init__(self) -> None:
        self._counts: dict[Hashable, list[tuple[Value, list[int]]]] = {}

    def add(self, value: Value) -> int:
        """How many of the same came before."""
        alike = self._counts.setdefault(_mark(value), [])
        for other, count in alike:
            if same(value, other):
                count[0] += 1
                return count[0] - 1
        alike.append((value, [1]))
        return 0


def distinct(values: Iterable[Value]) -> list[Value]:
    """The first of the same stays."""
    tally = Tally()
    return [value for value in values if not tally.add(value)]


def _mark(value: Value) -> Hashable:
    """The same for what is the same, and different for nearly everything else."""
    kind = type(value)
    if kind is str or kind in _NUMBERS or isinstance(value, Row):
        mark: Hashable = value
        return mark
    if kind is list:
        return ("list", *map(_mark, value))
    if isinstance(value, (Fields, dict)):
        return frozenset((key, _mark(one)) for key, one in _entries(value).items())
    order = _ORDERS.get(kind)
    return kind, None if order is None else order(value), value if kind is bool else None


# -- order ---------------------------------------------------------------------------------------


def compare(operator: str, a: Value, b: Value) -> bool | None:
    """Apply one of `= != < <= > >=` by the standard: None where values of two kinds are held to be equal."""
    return COMPARISONS[operator](a, b)


def less(a: Value, b: Value) -> bool:
    """`a < b`; FeelError where the values have no order."""
    if type(a) is int and type(b) is int:
        return a < b
    a, b = _ordered(a, b)
    return bool(a < b)


def less_or_equal(a: Value, b: Value) -> bool:
    """`a <= b`; FeelError where the values have no order."""
    if type(a) is int and type(b) is int:
        return a <= b
    a, b = _ordered(a, b)
    return bool(a <= b)


def greater(a: Value, b: Value) -> bool:
    """`a > b`; FeelError where the values have no order."""
    return less(b, a)


def greater_or_equal(a: Value, b: Value) -> bool:
    """`a >= b`; FeelError where the values have no order."""
    return less_or_equal(b, a)


COMPARISONS: dict[str, Callable[[Value, Value], bool | None]] = {
    "=": equal,
    "!=": not_equal,
    "<": less,
    "<=": less_or_equal,
    ">": greater,
    ">=": greater_or_equal,
}


WORKBOOK_COMPARISONS: dict[str, Callable[[Value, Value], bool]] = {
    "=": same,
    "!=": unlike,
    "<": less,
    "<=": less_or_equal,
    ">": greater,
    ">=": greater_or_equal,
}


def order_key(value: Value) -> Any:
    """What values of one kind are ordered by; FeelError for a kind that has no order."""
    key = _ORDERS.get(type(value))
    if key is None:
        raise FeelError(f"{kind_of(value)} has no order")
    return key(value)


_ORDERS: dict[type, Callable[[Any], Any]] = {
    int: lambda value: value,
    Decimal: lambda value: value,
    str: lambda value: value,
    Date: temporal.date_key,
    Time: temporal.time_key,
    DateTime: temporal.moment_key,
    DaysDuration: lambda value: value.nanos,
    YearsDuration: lambda value: value.months,
}


def _ordered(a: Value, b: Value) -> tuple[Any, Any]:
    left, right = type(a), type(b)
    if left is not right and not (left in _NUMBERS and right in _NUMBERS):
        raise FeelError(f"{kind_of(a)} and {kind_of(b)} have no order")
    first, second = order_key(a), order_key(b)
    if left in (Time, DateTime) and first[0] != second[0]:
        raise FeelError(f"{kind_of(a)} with an offset and without have no order")
    return first, second


# -- logic ---------------------------------------------------------------------------------------


def conjunction(a: Value, b: Value) -> bool | None:
    """A value that is no boolean counts as null."""
    if a is False or b is False:
        return False
    return True if a is True and b is True else None


def disjunction(a: Value, b: Value) -> bool | None:
    """`a or b`: true where one is, false where both are, else null; also for what is no boolean."""
    if a is True or b is True:
        return True
    return False if a is False and b is False else None


def negation(a: Value) -> bool | None:
    """`not(a)`; null for a value that is no boolean."""
    if a is True:
        return False
    return True if a is False else None


def truth(value: Value) -> bool | None:
    """True, false or null; nothing else is a condition."""
    if value is None or value is True or value is False:
        return value
    raise FeelError(f"a condition is true or false, not {kind_of(value)}")


# -- membership ----------------------------------------------------------------------------------


def within(value: Value, low: Value, high: Value, low_included: bool, high_included: bool) -> bool:
    """An end that is None is open."""
    if low is not None and not (less_or_equal(low, value) if low_included else less(low, value)):
        return False
    return high is None or (less_or_equal(value, high) if high_included else less(value, high))


def in_range(value: Value, range_: Range) -> bool:
    """Say whether the value lies in the range; FeelError where it has no order with an end."""
    if range_.operator == "!=":
        return not same(value, range_.low)
    return within(value, range_.low, range_.high, range_.low_included, range_.high_included)


def belongs(value: Value, test: Value) -> bool | None:
    """`value in test`: equal to it, one of its items (or within one that is a range), or within it."""
    if isinstance(test, Range):
        return in_range(value, test)
    if type(test) is list:
        return _in_list(value, test)
    return equal(value, test)


def meets(value: Value, test: Value, alike: Equality = same) -> bool | None:
    """The same where nobody knows what a cell holds before it runs. A condition that says nothing of the
    value lets it through when it is true; only where the value is itself a truth value are the two
    compared. Null lies in no range, and out of none."""
    if isinstance(test, bool) and not isinstance(value, bool):
        return test
    if isinstance(test, Range):
        return None if value is None else in_range(value, test)
    return _in_list(value, test) if type(test) is list else alike(value, test)


def is_in(value: Value, items: list[Value]) -> bool:
    """Is one of the items equal to it? A text and a row equal for Python just what they equal here,
    and a number the same number and a boolean."""
    kind = type(value)
    if kind is str:
        return value in items
    if kind in _NUMBERS:
        return value in items and any(item == value and type(item) is not bool for item in items)
    if isinstance(value, Row):
        return value in items
    return any(same(value, item) for item in items)


def _in_list(value: Value, items: list[Value]) -> bool:
    if is_in(value, items):
        return True
    if type(value) is list and same(value, items):
        return True
    return not isinstance(value, Range) and any(
        type(item) is Range and _lies_in(value, item) for item in items
    )


def _lies_in(value: Value, range_: Range) -> bool:
    """Among other items a range of another kind is simply not met."""
    try:
        return in_range(value, range_)
    except FeelError:
        return False
