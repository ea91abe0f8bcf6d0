"""Adding, subtracting and comparing dates, times and durations.

By the standard a date in an operation with a date and time counts as its midnight in UTC; a value
with an offset and one without have no difference.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from dtables.feel import numbers, temporal
from dtables.feel.errors import FeelError
from dtables.feel.numbers import Number
from dtables.feel.temporal import (
    DAY_NANOS,
    MIDNIGHT_UTC,
    NANOS,
    Date,
    DateTime,
    DaysDuration,
    Time,
    YearsDuration,
    at_instant,
    date_of,
    days_duration,
    instant,
    make_date,
    offset_at,
    offset_of_time,
    time_of,
    years_duration,
)

Operation = Callable[[Any, Any], Any]


def add_months(date: Date, months: int) -> Date:
    """The last day of the month where the month has no such day."""
    year, month = divmod(date.year * 12 + date.month - 1 + months, 12)
    return make_date(year, month + 1, min(date.day, temporal.days_in_month(year, month + 1)))


def date_plus_days(date: Date, duration: DaysDuration) -> Date:
    """Hours count: an hour before midnight is the day before."""
    return date_of((date.number * DAY_NANOS + duration.nanos) // DAY_NANOS)


def date_plus_years(date: Date, duration: YearsDuration) -> Date:
    return add_months(date, duration.months)


def moment_plus_days(moment: DateTime, duration: DaysDuration) -> DateTime:
    return at_instant(instant(moment) + duration.nanos, moment.time)


def moment_plus_years(moment: DateTime, duration: YearsDuration) -> DateTime:
    return DateTime(add_months(moment.date, duration.months), moment.time)


def time_plus_days(time: Time, duration: DaysDuration) -> Time:
    return time_of(time.seconds * NANOS + time.nanos + duration.nanos, time)


def midnight(date: Date) -> DateTime:
    return DateTime(date, MIDNIGHT_UTC)


def moment_minus_moment(a: DateTime, b: DateTime) -> DaysDuration:
    if (offset_at(a) is None) != (offset_at(b) is None):
        raise FeelError("a date and time with an offset and one without have no difference")
    return days_duration(instant(a) - instant(b))


def date_minus_date(a: Date, b: Date) -> DaysDuration:
    return DaysDuration((a.number - b.number) * DAY_NANOS)


def time_minus_time(a: Time, b: Time) -> DaysDuration:
    if a.local != b.local:
        raise FeelError("a time with an offset and one without have no difference")
    return DaysDuration(_time_nanos(a) - _time_nanos(b))


def _time_nanos(time: Time) -> int:
    return (time.seconds - (offset_of_time(time) or 0)) * NANOS + time.nanos


def scale_days(duration: DaysDuration, factor: Number) -> DaysDuration:
    return days_duration(int(numbers.multiply(duration.nanos, factor)))


def scale_years(duration: YearsDuration, factor: Number) -> YearsDuration:
    return years_duration(int(numbers.multiply(duration.months, factor)))


def days_over_number(duration: DaysDuration, divisor: Number) -> DaysDuration:
    return days_duration(int(numbers.divide(duration.nanos, divisor)))


def years_over_number(duration: YearsDuration, divisor: Number) -> YearsDuration:
    return years_duration(int(numbers.divide(duration.months, divisor)))


def negative(duration: DaysDuration | YearsDuration) -> DaysDuration | YearsDuration:
    match duration:
        case DaysDuration():
            return DaysDuration(-duration.nanos)
        case YearsDuration():
            return YearsDuration(-duration.months)


def months_between(start: Date, end: Date) -> int:
    """Whole months, cut towards nothing."""
    if (start.year, start.month, start.day) > (end.year, end.month, end.day):
        return -months_between(end, start)
    months = (end.year - start.year) * 12 + end.month - start.month
    return months - (end.day < start.day)


# -- comparing -----------------------------------------------------------------------------------


def moment_key(moment: DateTime) -> tuple[bool, int]:
    """Whether it knows its offset, and its second."""
    return offset_at(moment) is not None, instant(moment) // NANOS


def time_key(time: Time) -> tuple[bool, int]:
    return not time.local, time.seconds - (offset_of_time(time) or 0)


def date_key(date: Date) -> tuple[int, int, int]:
    return date.year, date.month, date.day


# -- tables of what can be done with what --------------------------------------------------------


def _swapped(operation: Operation) -> Operation:
    return lambda a, b: operation(b, a)


ADDITIONS: dict[tuple[type, type], Operation] = {
    (Date, DaysDuration): date_plus_days,
    (Date, YearsDuration): date_plus_years,
    (DateTime, DaysDuration): moment_plus_days,
    (DateTime, YearsDuration): moment_plus_years,
    (Time, DaysDuration): time_plus_days,
    (DaysDuration, DaysDuration): lambda a, b: days_duration(a.nanos + b.nanos),
    (YearsDuration, YearsDuration): lambda a, b: years_duration(a.months + b.months),
}
ADDITIONS |= {
    (right, left): _swapped(add) for (left, right), add in list(ADDITIONS.items()) if left is not right
}

SUBTRACTIONS: dict[tuple[type, type], Operation] = {
    (Date, Date): date_minus_date,
    (DateTime, DateTime): moment_minus_moment,
    (Date, DateTime): lambda a, b: moment_minus_moment(midnight(a), b),
    (DateTime, Date): lambda a, b: moment_minus_moment(a, midnight(b)),
    (Time, Time): time_minus_time,
    (Date, DaysDuration): lambda a, b: date_plus_days(a, DaysDuration(-b.nanos)),
    (Date, YearsDuration): lambda a, b: add_months(a, -b.months),
    (DateTime, DaysDuration): lambda a, b: moment_plus_days(a, DaysDuration(-b.nanos)),
    (DateTime, YearsDuration): lambda a, b: moment_plus_years(a, YearsDuration(-b.months)),
    (Time, DaysDuration): lambda a, b: time_plus_days(a, DaysDuration(-b.nanos)),
    (DaysDuration, DaysDuration): lambda a, b: days_duration(a.nanos - b.nanos),
    (YearsDuration, YearsDuration): lambda a, b: years_duration(a.months - b.months),
}

MULTIPLICATIONS: dict[tuple[type, type], Operation] = {
    (kind, number): scale
    for kind, scale in ((DaysDuration, scale_days), (YearsDuration, scale_years))
    for number in (int, Decimal)
}
MULTIPLICATIONS |= {
    (number, kind): _swapped(scale) for (kind, number), scale in list(MULTIPLICATIONS.items())
}

DIVISIONS: dict[tuple[type, type], Operation] = {
    (kind, number): divide
    for kind, divide in ((DaysDuration, days_over_number), (YearsDuration, years_over_number))
    for number in (int, Decimal)
}
DIVISIONS |= {
    (DaysDuration, DaysDuration): lambda a, b: numbers.divide(a.nanos, b.nanos),
    (YearsDuration, YearsDuration): lambda a, b: numbers.divide(a.months, b.months),
}
