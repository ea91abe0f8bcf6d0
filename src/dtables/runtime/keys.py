"""The keys of values that stand on a line, as `dtables.model.regions` has them, of values as they come.

Null has none, and is handed on.
"""

from __future__ import annotations

from datetime import date

from dtables.feel.values import Date, DateTime, DaysDuration, Time, YearsDuration, order_key

PythonDate = date
DAY_ZERO = date(1970, 1, 1).toordinal()


class NoKey(Exception):
    """A value that has no place on its column's line: only its rows, one by one, can tell what it passes."""


def day_of(value: Date | None) -> int | None:
    return None if value is None else value.number


def day_of_python(value: date) -> int:
    """Of Python's own dates."""
    return value.toordinal() - DAY_ZERO


def second_of(value: Time | DateTime | None) -> int | None:
    """Of times, and dates with times, that have no offset."""
    return _second(value, False)


def second_with_offset_of(value: Time | DateTime | None) -> int | None:
    """Of those that have one."""
    return _second(value, True)


def _second(value: Time | DateTime | None, offset: bool) -> int | None:
    if value is None:
        return None
    has_offset, second = order_key(value)
    if has_offset is not offset:
        raise NoKey
    return int(second)


def nanoseconds_of(value: DaysDuration | None) -> int | None:
    return None if value is None else value.nanos


def months_of(value: YearsDuration | None) -> int | None:
    return None if value is None else value.months
