"""Values from outside and to outside: Python's own where it has them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

from dtables.feel.values import (
    Date,
    DateTime,
    DaysDuration,
    Time,
    Value,
    YearsDuration,
    add,
    parse_temporal,
)

NANOS = 1_000_000_000
MOST_DAYS = 999_999_999


@dataclass(frozen=True, slots=True)
class IsoText:
    """A date, time or duration that Python has no type for: years outside 1 to 9999, nanoseconds,
    times in a named zone, years and months. `str` is its ISO 8601 text."""

    text: str

    def __str__(self) -> str:
        return self.text


def value_in(given: object) -> Value:
    """FeelError for what the language has no value for. Anything else whose `str` is a date, a time
    or a duration counts as one."""
    match given:
        case None | bool() | str() | int():
            return given
        case Decimal():
            return add(given, 0)
        case float():
            return add(Decimal(repr(given)), 0)
        case list() | tuple():
            return [value_in(item) for item in given]
        case dict():
            return {str(key): value_in(item) for key, item in given.items()}
        case Date() | Time() | DateTime() | DaysDuration() | YearsDuration():
            return given
        case datetime():
            return parse_temporal(given.isoformat())
        case date() | time():
            return parse_temporal(given.isoformat())
        case timedelta():
            return DaysDuration(given // timedelta(microseconds=1) * 1000)
        case _:
            return parse_temporal(str(given))


def value_out(value: Value) -> Any:
    match value:
        case list():
            return [value_out(item) for item in value]
        case dict():
            return {key: value_out(item) for key, item in value.items()}
        case Date() | Time() | DateTime() | DaysDuration() | YearsDuration():
            return _temporal(value)
        case _:
            return value


def _temporal(value: Date | Time | DateTime | DaysDuration | YearsDuration) -> Any:
    match value:
        case Date() if 1 <= value.year <= 9999:
            return date(value.year, value.month, value.day)
        case Time() if _fits(value):
            return _time(value)
        case DateTime() if 1 <= value.date.year <= 9999 and _fits(value.time):
            day = value.date
            return datetime.combine(date(day.year, day.month, day.day), _time(value.time))
        case DaysDuration() if value.nanos % 1000 == 0 and abs(value.nanos) < MOST_DAYS * 86400 * NANOS:
            return timedelta(microseconds=value.nanos // 1000)
        case _:
            return IsoText(str(value))


def _fits(value: Time) -> bool:
    return value.nanos % 1000 == 0 and value.zone is None


def _time(value: Time) -> time:
    zone = None if value.offset is None else timezone(timedelta(seconds=value.offset))
    return time(value.hour, value.minute, value.second, value.nanos // 1000, zone)
