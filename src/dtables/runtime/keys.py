"""The keys of values that stand on a line, as `dtables.model.regions` has them, of values as they come.

Null has none, and is handed on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import MAXYEAR, date, datetime, time, timedelta
from typing import Any, NoReturn

from dtables.feel.values import (
    Date,
    DateTime,
    DaysDuration,
    Time,
    YearsDuration,
    less,
    months_in,
    nanoseconds_in,
    order_key,
)
from dtables.records.shapes import Misread
from dtables.runtime.failing import attempt

PythonDate = date
DAY_ZERO = date(1970, 1, 1).toordinal()


class NoKey(Exception):
    """A value that has no place on its column's line: only its rows, one by one, can tell what it passes."""


class Keyless:
    """Stands for such a value beside the keys of others."""

    def __init__(self, value: Time | DateTime) -> None:
        self.value = value


def key_or_keyless(key_of: Callable[[Any], Any], value: Any) -> Any:
    try:
        return key_of(value)
    except NoKey:
        return Keyless(value)


def refuse_order(keyless: Keyless, table: str, place: str) -> NoReturn:
    """Fail as a comparison with a value that has a key does."""
    value = keyless.value
    if isinstance(value, Time):
        other: Time | DateTime = _other_clock(value)
    else:
        other = DateTime(value.date, _other_clock(value.time))
    attempt(table, place, less, value, other)
    raise AssertionError("they have an order")


def _other_clock(clock: Time) -> Time:
    return Time(0, 0, 0, 0, 0) if clock.local else Time(0, 0, 0)


def day_of(value: Date | None) -> int | None:
    return None if value is None else value.number


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


# -- by Python's own clock -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Clock:
    """Python's own times in place of seconds: they compare as quickly, and most that is given are some.
    `shown` gives that of a second, `second` the second of one."""

    shown: Callable[[int], Any]
    second: Callable[[Any], int]


def _shown_time(second: int) -> time:
    return time(second // 3600, second // 60 % 60, second % 60)


def _second_of_day(value: time | datetime) -> int:
    return value.hour * 3600 + value.minute * 60 + value.second


def _shown_moment(second: int) -> datetime:
    return datetime(1970, 1, 1) + timedelta(seconds=second)


def _second_of_moment(value: datetime) -> int:
    return (value.toordinal() - DAY_ZERO) * 86_400 + _second_of_day(value)


TIMES = Clock(_shown_time, _second_of_day)
MOMENTS = Clock(_shown_moment, _second_of_moment)


def time_of(value: Time | None) -> time | None:
    if value is None:
        return None
    if not value.local:
        raise NoKey
    return time(value.hour, value.minute, value.second)


def moment_of(value: DateTime | None) -> datetime | None:
    """Beyond Python's years the last moment that it knows: no cell tells one from another there."""
    if value is None:
        return None
    day, clock = value.date, value.time
    if not clock.local:
        raise NoKey
    if day.year < 1:
        return datetime.min
    if day.year > MAXYEAR:
        return datetime.max
    return datetime(day.year, day.month, day.day, clock.hour, clock.minute, clock.second)


# -- of what is given ------------------------------------------------------------------------------
# Python's own dates and times, and the usual texts; whatever else there may be is left to careful reading:
# Misread says so, and so does the TypeError of what is neither.


def day_given(value: Any) -> int:
    """Of a text: Python's own dates need no call."""
    if value[4::3] == "--" and len(value) == 10:
        try:
            return _parsed_day(value).toordinal() - DAY_ZERO
        except ValueError:
            pass
    raise Misread


def time_given(value: Any) -> time:
    if type(value) is time:
        if value.tzinfo is None:
            return value
    elif value[2::3] == "::" and len(value) == 8:
        try:
            return _parsed_time(value)
        except ValueError:
            pass
    raise Misread


def moment_given(value: Any) -> datetime:
    if type(value) is datetime:
        if value.tzinfo is None:
            return value
    elif value[4::3] == "--T::" and len(value) == 19:
        try:
            return _parsed_moment(value)
        except ValueError:
            pass
    raise Misread


def nanoseconds_given(value: Any) -> int:
    nanoseconds = nanoseconds_in(value)
    if nanoseconds is None:
        raise Misread
    return nanoseconds


def months_given(value: Any) -> int:
    months = months_in(value)
    if months is None:
        raise Misread
    return months


_parsed_day = date.fromisoformat
_parsed_time = time.fromisoformat
_parsed_moment = datetime.fromisoformat
