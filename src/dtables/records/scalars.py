"""Single plain values by their type: numbers, texts, dates; exactly of the type, or unfit."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from math import isfinite

from dtables.feel.types import (
    DATE,
    DATE_TIME,
    DAYS_DURATION,
    NUMBER,
    TEXT,
    TIME,
    YEARS_DURATION,
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
    DateTime,
    FeelError,
    Value,
    add,
    instance_of,
    parse_date_time,
    parse_day,
    parse_duration,
    parse_time,
)

UNFIT = object()
"""Stands where a value did not fit; a finding says why."""


# -- one value ---------------------------------------------------------------------------------


def read_scalar(value: object, expected: Type) -> Value:
    """A number, text, boolean or date: exactly of the type, or unfit."""
    match expected:
        case NumberType(whole=whole):
            return _number(value, whole)
        case TextType():
            return plain_text(value) if isinstance(value, str) else UNFIT
        case BooleanType():
            return value if isinstance(value, bool) else UNFIT
        case NullType():
            return None if value is None else UNFIT
        case DateType():
            return _temporal(value, expected, parse_day)
        case TimeType():
            return _temporal(value, expected, parse_time)
        case DateTimeType():
            return _temporal(value, expected, parse_date_time)
        case DaysDurationType() | YearsDurationType():
            return _temporal(value, expected, parse_duration)
        case _:
            return UNFIT


def anything(value: object) -> Value:
    """Where nothing is known of the type, a value is what it looks like; unfit where it, or a part of it, is
    none of the language's."""
    match value:
        case None | bool():
            return value
        case str():
            return read_scalar(value, TEXT)
        case int() | float() | Decimal():
            return read_scalar(value, NUMBER)
        case list() | tuple():
            items = [anything(item) for item in value]
            return UNFIT if any(item is UNFIT for item in items) else items
        case dict():
            entries = {key_text(key): anything(item) for key, item in value.items()}
            return UNFIT if any(item is UNFIT for item in entries.values()) else entries
        case _:
            return _moment(value)


def _moment(value: object) -> Value:
    """Python's own dates and times, and those of the language, which readers of files know."""
    days = (DATE_TIME, DATE) if isinstance(value, (datetime, DateTime)) else (DATE, DATE_TIME)
    found = (read_scalar(value, kind) for kind in (*days, TIME, DAYS_DURATION, YEARS_DURATION))
    return next((typed for typed in found if typed is not UNFIT), UNFIT)


def plain_text(value: str) -> str:
    """Other libraries' kinds of texts are texts."""
    return value if type(value) is str else str.__str__(value)


def key_text(key: object) -> str:
    """Of an object's key: a text is what it holds, whatever it calls itself."""
    return plain_text(key) if isinstance(key, str) else str(key)


def _number(value: object, whole: bool) -> Value:
    """A boolean is no number; a whole number is written without a point. Never a binary float inside."""
    match value:
        case bool():
            return UNFIT
        case int():
            return value if type(value) is int else int(value)
        case float() if not whole and isfinite(value):
            return add(Decimal(float.__repr__(value)), 0)
        case Decimal() if not whole and value.is_finite():
            return _in_bounds(value)
        case _:
            return UNFIT


def _in_bounds(value: Decimal) -> Value:
    """What 34 digits cannot hold would be another number."""
    try:
        held = add(value, 0)
    except FeelError:
        return UNFIT
    return held if held == value else UNFIT


def _temporal(value: object, expected: Type, parse: Callable[[str], Value]) -> Value:
    """Its ISO text, Python's own date or time of that kind, or the value itself where a reader knows it."""
    text = value.isoformat() if isinstance(value, date | time) else value
    if not isinstance(text, str):
        return value if value is not None and instance_of(value, expected) else UNFIT
    try:
        parsed = parse(text)
    except FeelError:
        return UNFIT
    return parsed if instance_of(parsed, expected) else UNFIT
