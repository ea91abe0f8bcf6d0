"""Dates, times and durations: own types, because Python's end at the years 1 and 9999 and at
microseconds, and know neither a time with a named zone nor a duration in months.

Two times or dates and times are equal when they are the same second (the standard counts their
value in whole seconds); a value with an offset and one without cannot be compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dtables.feel import calendar
from dtables.feel.errors import FeelError, LimitError

MOST_YEARS = 999_999_999
DAY_SECONDS = 86_400
NANOS = 1_000_000_000
DAY_NANOS = DAY_SECONDS * NANOS
MOST_OFFSET = 18 * 3600
MOST_DURATION_NANOS = 10**9 * 366 * DAY_NANOS
MOST_MONTHS = 2 * 12 * MOST_YEARS


@dataclass(frozen=True, slots=True)
class Date:
    year: int
    month: int
    day: int

    @property
    def number(self) -> int:
        """Days since 1970-01-01."""
        return calendar.day_number(self.year, self.month, self.day)

    @property
    def weekday(self) -> int:
        return calendar.weekday(self.number)

    def __str__(self) -> str:
        return f"{'-' if self.year < 0 else ''}{abs(self.year):04d}-{self.month:02d}-{self.day:02d}"


@dataclass(frozen=True, slots=True)
class Time:
    """`offset` is in seconds east of UTC; `zone` the IANA name of a zone; at most one of them is set."""

    hour: int
    minute: int
    second: int
    nanos: int = 0
    offset: int | None = None
    zone: str | None = None

    @property
    def seconds(self) -> int:
        """Since midnight, on the clock."""
        return self.hour * 3600 + self.minute * 60 + self.second

    @property
    def local(self) -> bool:
        return self.offset is None and self.zone is None

    def __str__(self) -> str:
        fraction = f".{self.nanos:09d}".rstrip("0") if self.nanos else ""
        return f"{self.hour:02d}:{self.minute:02d}:{self.second:02d}{fraction}{_zone_text(self)}"


@dataclass(frozen=True, slots=True)
class DateTime:
    date: Date
    time: Time

    def __str__(self) -> str:
        return f"{self.date}T{self.time}"


@dataclass(frozen=True, slots=True, order=True)
class DaysDuration:
    nanos: int

    def __str__(self) -> str:
        days, rest = divmod(abs(self.nanos), DAY_NANOS)
        hours, rest = divmod(rest, 3600 * NANOS)
        minutes, rest = divmod(rest, 60 * NANOS)
        seconds, fraction = divmod(rest, NANOS)
        tail = f".{fraction:09d}".rstrip("0") if fraction else ""
        time = f"{hours}H" if hours else ""
        time += f"{minutes}M" if minutes else ""
        time += f"{seconds}{tail}S" if seconds or fraction else ""
        text = (f"{days}D" if days else "") + (f"T{time}" if time else "")
        return ("-" if self.nanos < 0 else "") + "P" + (text or "T0S")


@dataclass(frozen=True, slots=True, order=True)
class YearsDuration:
    months: int

    def __str__(self) -> str:
        years, months = divmod(abs(self.months), 12)
        text = (f"{years}Y" if years else "") + (f"{months}M" if months else "")
        return ("-" if self.months < 0 else "") + "P" + (text or "0M")


Duration = DaysDuration | YearsDuration
Temporal = Date | Time | DateTime | DaysDuration | YearsDuration


def _zone_text(time: Time) -> str:
    if time.zone is not None:
        return f"@{time.zone}"
    return "" if time.offset is None else offset_text(time.offset)


def offset_text(offset: int) -> str:
    if offset == 0:
        return "Z"
    hours, rest = divmod(abs(offset), 3600)
    minutes, seconds = divmod(rest, 60)
    text = f"{'-' if offset < 0 else '+'}{hours:02d}:{minutes:02d}"
    return f"{text}:{seconds:02d}" if seconds else text


# -- making them ----------------------------------------------------------------------------------


def make_date(year: int, month: int, day: int) -> Date:
    if abs(year) > MOST_YEARS:
        raise FeelError(f"the year {year} is out of reach")
    if not (1 <= month <= 12 and 1 <= day <= calendar.days_in_month(year, month)):
        raise FeelError(f"there is no day {year}-{month}-{day}")
    return Date(year, month, day)


def date_of(number: int) -> Date:
    """The date of a day number."""
    if abs(number) > MOST_YEARS * 366:
        raise FeelError("the date is out of reach")
    year, month, day = calendar.from_day_number(number)
    return make_date(year, month, day)


def make_time(
    hour: int, minute: int, second: int, nanos: int = 0, offset: int | None = None, zone: str | None = None
) -> Time:
    if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60):
        raise FeelError(f"there is no time {hour}:{minute}:{second}")
    if offset is not None and abs(offset) > MOST_OFFSET:
        raise FeelError("an offset is at most 18 hours")
    return Time(hour, minute, second, nanos, offset, zone)


def days_duration(nanos: int) -> DaysDuration:
    if abs(nanos) > MOST_DURATION_NANOS:
        raise LimitError("the duration is too long: at most a thousand million years")
    return DaysDuration(nanos)


def years_duration(months: int) -> YearsDuration:
    if abs(months) > MOST_MONTHS:
        raise LimitError("the duration is too long: at most two thousand million years")
    return YearsDuration(months)


MIDNIGHT = Time(0, 0, 0)
MIDNIGHT_UTC = Time(0, 0, 0, 0, 0)


def seconds_of(duration: DaysDuration) -> int | Decimal:
    """Its length; whole where it is."""
    whole, rest = divmod(duration.nanos, NANOS)
    return Decimal(duration.nanos).scaleb(-9) if rest else whole


# -- zones ----------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def zone_called(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise FeelError(f"there is no time zone {name[:60]}") from None


def offset_at(value: DateTime) -> int | None:
    """In seconds; None where the value has neither offset nor zone."""
    time = value.time
    if time.zone is None:
        return time.offset
    return _zone_offset(time.zone, value.date, time)


def offset_of_time(time: Time) -> int | None:
    """A time alone has no day: its zone is read as on 1970-01-01, so that the answer is always the same."""
    if time.zone is None:
        return time.offset
    return _zone_offset(time.zone, Date(1970, 1, 1), time)


def _in_known_years(date: Date) -> Date:
    """Zone rules repeat with the calendar, every 400 years. Python's first and last year leave no room for
    an offset."""
    if 2 <= date.year <= 9998:
        return date
    year = 2000 + date.year % 400 if date.year > 9998 else 400 + date.year % 400
    return Date(year, date.month, date.day)


def _zone_offset(zone: str, date: Date, time: Time) -> int:
    return _seconds(zone_called(zone).utcoffset(_python_moment(DateTime(date, time), zone)))


def _python_moment(moment: DateTime, zone: str) -> datetime:
    day, time = _in_known_years(moment.date), moment.time
    return datetime(
        day.year, day.month, day.day, time.hour, time.minute, time.second, tzinfo=zone_called(zone)
    )


def _seconds(offset: timedelta | None) -> int:
    return 0 if offset is None else int(offset / timedelta(seconds=1))


def instant(value: DateTime) -> int:
    """Nanoseconds since 1970-01-01T00:00:00, in UTC where the value knows its offset."""
    local = (value.date.number * DAY_SECONDS + value.time.seconds) * NANOS + value.time.nanos
    return local - (offset_at(value) or 0) * NANOS


def at_instant(nanos: int, like: Time) -> DateTime:
    """The date and time of an instant, on the clock that `like` is read from."""
    if like.zone is not None:
        return _at_zone(nanos, like)
    return _at_local(nanos + (like.offset or 0) * NANOS, like)


def _at_local(nanos: int, like: Time) -> DateTime:
    days, rest = divmod(nanos, DAY_NANOS)
    return DateTime(date_of(days), time_of(rest, like))


def _at_zone(nanos: int, like: Time) -> DateTime:
    """On the clock of the zone at that instant: in spring it passes over an hour."""
    assert like.zone is not None
    utc = _at_local(nanos, MIDNIGHT)
    offset = zone_called(like.zone).fromutc(_python_moment(utc, like.zone)).utcoffset()
    return _at_local(nanos + _seconds(offset) * NANOS, like)


def time_of(nanos: int, like: Time) -> Time:
    """The time so long after midnight, on the clock that `like` is read from."""
    seconds, fraction = divmod(nanos % DAY_NANOS, NANOS)
    hour, rest = divmod(seconds, 3600)
    return Time(hour, rest // 60, rest % 60, fraction, like.offset, like.zone)
