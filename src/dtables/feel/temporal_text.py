"""How dates, times and durations are spelled: reading `@"..."`, `date("...")` and their like."""

from __future__ import annotations

import re
from decimal import Decimal

from dtables.feel.errors import FeelError
from dtables.feel.temporal import (
    MIDNIGHT,
    NANOS,
    Date,
    DateTime,
    DaysDuration,
    Duration,
    Temporal,
    Time,
    YearsDuration,
    at_instant,
    date_of,
    days_duration,
    make_date,
    make_time,
    years_duration,
    zone_called,
)

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
