"""Dates, times and durations: own types, because Python's end at the years 1 and 9999 and at
microseconds, and know neither a time with a named zone nor a duration in months.

Two times or dates and times are equal when they are the same second (the standard counts their
value in whole seconds); a value with an offset and one without cannot be compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

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
    """A day of the Gregorian calendar, which reaches further than Python's; made by `make_date`."""

    year: int
    month: int
    day: int

    @property
    def number(self) -> int:
        """Days since 1970-01-01."""
        return day_number(self.year, self.month, self.day)

    @property
    def weekday(self) -> int:
        """1 is Monday, 7 Sunday."""
        return weekday(self.number)

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
        """Whether it has neither an offset nor a zone."""
        return self.offset is None and self.zone is None

    def __str__(self) -> str:
        fraction = f".{self.nanos:09d}".rstrip("0") if self.nanos else ""
        return f"{self.hour:02d}:{self.minute:02d}:{self.second:02d}{fraction}{_zone_text(self)}"


@dataclass(frozen=True, slots=True)
class DateTime:
    """A day and a time on a clock; the time has the offset or zone."""

    date: Date
    time: Time

    def __str__(self) -> str:
        return f"{self.date}T{self.time}"


@dataclass(frozen=True, slots=True, order=True)
class DaysDuration:
    """A `days and time duration`, in nanoseconds."""

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
    """A `years and months duration`, in months."""

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
    """Of seconds east of Greenwich: `Z` for none, else `+01:00`, with its seconds where it has any."""
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
    if not (1 <= month <= 12 and 1 <= day <= days_in_month(year, month)):
        raise FeelError(f"there is no day {year}-{month}-{day}")
    return Date(year, month, day)


def date_of(number: int) -> Date:
    """The date of a day number."""
    if abs(number) > MOST_YEARS * 366:
        raise FeelError("the date is out of reach")
    year, month, day = from_day_number(number)
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


# -- calendar ------------------------------------------------------------------------------------
# Days of the Gregorian calendar, also before 1582 and beyond the years Python's dates know.
#
# Years count as ISO 8601 does: there is a year 0. Day 0 is 1970-01-01.

DAYS_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


def is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year: int, month: int) -> int:
    if month == 2:
        return 29 if is_leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def day_number(year: int, month: int, day: int) -> int:
    """Howard Hinnant's `days_from_civil`: years begin in March, so that the leap day stands last."""
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146_097 + day_of_era - 719_468


def from_day_number(number: int) -> tuple[int, int, int]:
    """Year, month and day."""
    era, day_of_era = divmod(number + 719_468, 146_097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    year = era * 400 + year_of_era + (month <= 2)
    return year, month, day_of_year - (153 * shifted + 2) // 5 + 1


def day_of_year(year: int, month: int, day: int) -> int:
    return DAYS_BEFORE[month - 1] + day + (month > 2 and is_leap(year))


def weekday(number: int) -> int:
    """1 is Monday, 7 Sunday."""
    return (number + 3) % 7 + 1


def iso_week(year: int, month: int, day: int) -> int:
    """The week belongs to the year that its Thursday stands in."""
    number = day_number(year, month, day)
    thursday = number + 4 - weekday(number)
    first = day_number(from_day_number(thursday)[0], 1, 1)
    return (thursday - first) // 7 + 1


# -- as text ----------------------------------------------------------------------------------------
# How dates, times and durations are spelled: reading `@"..."`, `date("...")` and their like.

MOST_CHARACTERS = 120

# A year has at least four digits and no needless zero in front; there is no plus sign (XML Schema).
_DATE = r"(-?(?:[1-9][0-9]{4,8}|[0-9]{4}))-([0-9]{2})-([0-9]{2})"
_OFFSET = r"(?P<sign>[+-])(?P<oh>[0-9]{2}):(?P<om>[0-9]{2})(?::(?P<os>[0-9]{2}))?"
_TIME = (
    r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    rf"(?:(?P<utc>[zZ])|{_OFFSET}|@(?P<zone>[A-Za-z][\w+/-]*))?"
)
_DATE_ALONE = re.compile(_DATE, re.ASCII)
_TIME_ALONE = re.compile(_TIME, re.ASCII)
_DATE_TIME = re.compile(f"(?P<date>{_DATE})T(?P<time>{_TIME})", re.ASCII)
_YEARS = re.compile(r"(-)?P(?:([0-9]+)Y)?(?:([0-9]+)M)?")
_DAYS = re.compile(r"(-)?P(?:([0-9]+)D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)(?:\.([0-9]*))?S)?)?")


def parse_temporal(text: str) -> Temporal:
    """What `@"..."` means."""
    if _DATE_ALONE.fullmatch(text):
        return parse_date(text)
    if _TIME_ALONE.fullmatch(text):
        return parse_time(text)
    if _DATE_TIME.fullmatch(text):
        return parse_date_time(text)
    if text.startswith(("P", "-P")):
        return parse_duration(text)
    raise FeelError(f"{_quoted(text)} is no date, time or duration")


def parse_date(text: str) -> Date:
    """Read a day without a time, `2026-11-18`; FeelError where it is none."""
    match = _DATE_ALONE.fullmatch(text)
    if match is None:
        raise FeelError(f"{_quoted(text)} is no date")
    return _date(match)


def parse_day(text: str) -> Date:
    """As data say it: a date, or the midnight at which it begins, in no zone. Many sources have no other."""
    try:
        return parse_date(text)
    except FeelError:
        moment = parse_date_time(text)
        if moment.time != MIDNIGHT:
            raise
        return moment.date


def day_text(number: int) -> str:
    """Of the day so long after 1970-01-01: also of those that Python's calendar has not."""
    return str(date_of(number))


def moment_text(number: int, nanos: int) -> str:
    """Of the moment so many times `nanos` after 1970-01-01, in no zone."""
    return str(at_instant(number * nanos, MIDNIGHT))


def parse_time(text: str) -> Time:
    """Midnight may be written `24:00:00`."""
    match = _TIME_ALONE.fullmatch(text)
    if match is None:
        raise FeelError(f"{_quoted(text)} is no time")
    return _time(match)[0]


def parse_date_time(text: str) -> DateTime:
    """A date alone is its midnight; `24:00:00` is the midnight of the next day."""
    if (day := _DATE_ALONE.fullmatch(text)) is not None:
        return DateTime(_date(day), MIDNIGHT)
    match = _DATE_TIME.fullmatch(text)
    if match is None:
        raise FeelError(f"{_quoted(text)} is no date and time")
    date = parse_date(match["date"])
    clock = _TIME_ALONE.fullmatch(match["time"])
    assert clock is not None
    time, later = _time(clock)
    return DateTime(date_of(date.number + later) if later else date, time)


def parse_duration(text: str) -> Duration:
    """Read a duration of either kind, `P1Y2M` or `P1DT2H`; FeelError where it is none."""
    years = _YEARS.fullmatch(text)
    if years is not None and len(text) <= MOST_CHARACTERS and text[-1] != "P":
        return _years(years)
    days = _DAYS.fullmatch(text)
    if days is not None and len(text) <= MOST_CHARACTERS and text[-1] not in "PT":
        return _days(days)
    raise FeelError(f"{_quoted(text)} is no duration")


def _date(match: re.Match[str]) -> Date:
    return make_date(int(match[1]), int(match[2]), int(match[3]))


def _time(match: re.Match[str]) -> tuple[Time, int]:
    """The time, and how many days later it is (`24:00:00`)."""
    hour, minute, second = int(match[1]), int(match[2]), int(match[3])
    nanos = int((match[4] or "0")[:9].ljust(9, "0"))
    later = int((hour, minute, second, nanos) == (24, 0, 0, 0))
    if match["zone"]:
        zone_called(match["zone"])
    return make_time(0 if later else hour, minute, second, nanos, _offset(match), match["zone"]), later


def _offset(match: re.Match[str]) -> int | None:
    if match["utc"]:
        return 0
    if not match["sign"]:
        return None
    minutes, seconds = int(match["om"]), int(match["os"] or 0)
    if minutes > 59 or seconds > 59:
        raise FeelError("an offset has at most 59 minutes and 59 seconds")
    offset = int(match["oh"]) * 3600 + minutes * 60 + seconds
    return -offset if match["sign"] == "-" else offset


def _years(match: re.Match[str]) -> YearsDuration:
    months = int(match[2] or 0) * 12 + int(match[3] or 0)
    return years_duration(-months if match[1] else months)


def _days(match: re.Match[str]) -> DaysDuration:
    days, hours, minutes, seconds = (int(match[n] or 0) for n in (2, 3, 4, 5))
    whole = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    nanos = whole * NANOS + int((match[6] or "0")[:9].ljust(9, "0"))
    return days_duration(-nanos if match[1] else nanos)


def seconds_and_nanos(seconds: int | Decimal) -> tuple[int, int]:
    """Parts of a second beyond nanoseconds are dropped."""
    whole = int(seconds)
    return whole, int((seconds - whole) * NANOS)


def _quoted(text: str) -> str:
    return f'"{text}"' if len(text) <= 60 else f'"{text[:59]}…"'
