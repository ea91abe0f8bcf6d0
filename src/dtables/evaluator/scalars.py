"""Numbers, texts, booleans and dates of a record: exactly what was wanted, or unfit."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from math import isfinite

from dtables.feel.types import (
    BooleanType,
    DateTimeType,
    DateType,
    DaysDurationType,
    NullType,
    NumberType,
    TextType,
    TimeType,
    Type,
    YearsDurationType,
)
from dtables.feel.values import (
    FeelError,
    Value,
    add,
    instance_of,
    parse_date,
    parse_date_time,
    parse_duration,
    parse_time,
)

UNFIT = object()
"""Stands where a value did not fit; a finding says why."""


def read_scalar(value: object, wanted: Type) -> Value:
    match wanted:
        case NumberType(whole=whole):
            return _number(value, whole)
        case TextType():
            return value if isinstance(value, str) else UNFIT
        case BooleanType():
            return value if isinstance(value, bool) else UNFIT
        case NullType():
            return None if value is None else UNFIT
        case DateType():
            return _temporal(value, wanted, parse_date)
        case TimeType():
            return _temporal(value, wanted, parse_time)
        case DateTimeType():
            return _temporal(value, wanted, parse_date_time)
        case DaysDurationType() | YearsDurationType():
            return _temporal(value, wanted, parse_duration)
        case _:
            return UNFIT


def _number(value: object, whole: bool) -> Value:
    """A boolean is no number; a whole number is written without a point. Never a binary float inside."""
    match value:
        case bool():
            return UNFIT
        case int():
            return value
        case float() if not whole and isfinite(value):
            return add(Decimal(repr(value)), 0)
        case Decimal() if not whole and value.is_finite():
            return add(value, 0)
        case _:
            return UNFIT


def _temporal(value: object, wanted: Type, parse: Callable[[str], Value]) -> Value:
    """Its ISO text, or the value itself where a reader knows dates."""
    if not isinstance(value, str):
        return value if value is not None and instance_of(value, wanted) else UNFIT
    try:
        parsed = parse(value)
    except FeelError:
        return UNFIT
    return parsed if instance_of(parsed, wanted) else UNFIT
