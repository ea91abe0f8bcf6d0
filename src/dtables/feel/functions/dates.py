"""Built-ins on dates, and the clock: an input like any other, unset until a host sets it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from dtables.feel import temporal
from dtables.feel.errors import FeelError
from dtables.feel.functions.arguments import single
from dtables.feel.functions.entry import Builtin, always, takes
from dtables.feel.kinds import Value, kind_of
from dtables.feel.temporal import Date, DateTime
from dtables.feel.types import DATE, DATE_TIME, TEXT, WHOLE

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

_CLOCK: ContextVar[DateTime | None] = ContextVar("clock", default=None)


@contextmanager
def clock_at(moment: DateTime) -> Iterator[None]:
    """`now()` and `today()` answer with this moment inside."""
    token = _CLOCK.set(moment)
    try:
        yield
    finally:
        _CLOCK.reset(token)


def now() -> DateTime:
    moment = _CLOCK.get()
    if moment is None:
        raise FeelError("no clock is set: what depends on the time must be given as input")
    return moment


def today() -> Date:
    return now().date


def day_of_year(date: Value) -> int:
    day = _date_in(date)
    return temporal.day_of_year(day.year, day.month, day.day)


def day_of_week(date: Value) -> str:
    return DAYS[_date_in(date).weekday - 1]


def month_of_year(date: Value) -> str:
    return MONTHS[_date_in(date).month - 1]


def week_of_year(date: Value) -> int:
    day = _date_in(date)
    return temporal.iso_week(day.year, day.month, day.day)


def _date_in(value: Value) -> Date:
    match single(value):
        case DateTime(date=date):
            return date
        case Date() as date:
            return date
        case other:
            raise FeelError(f"a date was wanted, not {kind_of(other)}")


_DATES = (takes(("date", DATE)), takes(("date", DATE_TIME)))

TEMPORAL = (
    Builtin(
        "day of year",
        _DATES,
        always(WHOLE),
        "the number of the day in its year",
        (('day of year(@"2019-09-17")', "260"),),
        day_of_year,
    ),
    Builtin(
        "day of week",
        _DATES,
        always(TEXT),
        "the day's English name",
        (('day of week(@"2019-09-17")', '"Tuesday"'),),
        day_of_week,
    ),
    Builtin(
        "month of year",
        _DATES,
        always(TEXT),
        "the month's English name",
        (('month of year(@"2019-09-17")', '"September"'),),
        month_of_year,
    ),
    Builtin(
        "week of year",
        _DATES,
        always(WHOLE),
        "the number of the week (ISO 8601)",
        (('week of year(@"2019-09-17")', "38"), ('week of year(@"2005-01-01")', "53")),
        week_of_year,
    ),
    Builtin(
        "now", (takes(),), always(DATE_TIME), "the clock's date and time; an error if none is set", (), now
    ),
    Builtin("today", (takes(),), always(DATE), "the clock's date; an error if none is set", (), today),
)
