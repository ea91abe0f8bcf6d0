"""What a built-in does first: see whether its arguments are what it expects.

The standard lets a list of one stand for its item and an item for a list of one.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from dtables.feel.errors import FeelError
from dtables.feel.kinds import Function, Range, Row, Value, kind_of
from dtables.feel.numbers import Number, bounded


def text_in(value: Value) -> str:
    if type(value) is str:
        return value
    if _is_single(value):
        return text_in(value[0])
    raise _wrong(value, "text")


def number_in(value: Value) -> Number:
    kind = type(value)
    if kind is int or kind is Decimal:
        number: Number = value
        return number
    if _is_single(value):
        return number_in(value[0])
    raise _wrong(value, "a number")


def whole_in(value: Value) -> int:
    """A position or a count; what stands after the point is dropped."""
    return bounded(value if type(value) is int else int(number_in(value)))


def boolean_in(value: Value) -> bool:
    if value is True or value is False:
        return bool(value)
    if _is_single(value):
        return boolean_in(value[0])
    raise _wrong(value, "true or false")


def list_in(value: Value) -> list[Value]:
    if type(value) is list:
        return value
    if value is None:
        raise _wrong(value, "a list")
    return [value]


def function_in(value: Value, parameters: int) -> Function:
    value = single(value)
    if not isinstance(value, Function):
        raise _wrong(value, "a function")
    if len(value.parameters) != parameters and not value.variadic:
        raise FeelError(f"a function of {parameters} parameters was wanted, not of {len(value.parameters)}")
    return value


def range_in(value: Value) -> Range:
    value = single(value)
    if isinstance(value, Range):
        return value
    raise _wrong(value, "a range")


def key_in(value: Value) -> str:
    """The key of a context; a row of keyed data goes by its id."""
    return value.id if isinstance(value, Row) else text_in(value)


def values_in(arguments: tuple[Value, ...]) -> list[Value]:
    """Of `f(list)` or `f(a, b, …)`."""
    if len(arguments) == 1:
        return list_in(arguments[0])
    if not arguments:
        raise FeelError("no argument")
    return list(arguments)


def numbers_in(arguments: tuple[Value, ...]) -> list[Number]:
    values = values_in(arguments)
    if not NUMBER_KINDS.issuperset(map(type, values)):
        raise _wrong(next(value for value in values if type(value) not in NUMBER_KINDS), "a number")
    return values


NUMBER_KINDS = frozenset((int, Decimal))


def single(value: Value) -> Value:
    """A list of one counts as its item."""
    return value[0] if _is_single(value) else value


def _is_single(value: Any) -> bool:
    return type(value) is list and len(value) == 1


def _wrong(value: Value, expected: str) -> FeelError:
    return FeelError(f"{expected} was wanted, not {kind_of(value)}")
