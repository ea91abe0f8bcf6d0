"""The entries of the built-ins that convert; their meanings stand in `conversion`."""

from __future__ import annotations

from dtables.feel.functions import conversion
from dtables.feel.functions.entry import Builtin, always, takes
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    DATE,
    DATE_TIME,
    DAYS_DURATION,
    NUMBER,
    TEXT,
    TIME,
    WHOLE,
    YEARS_DURATION,
    DaysDurationType,
    RangeType,
    Type,
    YearsDurationType,
    may_be_null,
    optional,
    plain,
)

_OFFSET = optional(DAYS_DURATION)


def _duration(types: tuple[Type, ...]) -> Type:
    """Only the text tells which kind it is."""
    given = plain(types[0]) if types else ANY
    return given if isinstance(given, (DaysDurationType, YearsDurationType)) else ANY


def _text(types: tuple[Type, ...]) -> Type:
    return optional(TEXT) if types and may_be_null(types[0]) else TEXT


def _three_valued(types: tuple[Type, ...]) -> Type:
    return optional(BOOLEAN) if types and may_be_null(types[0]) else BOOLEAN


CONVERSIONS = (
    Builtin(
        "date",
        (
            takes(("from", TEXT)),
            takes(("from", DATE_TIME)),
            takes(("from", DATE)),
            takes(("year", WHOLE), ("month", WHOLE), ("day", WHOLE)),
        ),
        always(DATE),
        "a date from a text, from a date and time, or from its parts",
        (('date("2012-12-25")', '@"2012-12-25"'), ("date(2012, 12, 25)", '@"2012-12-25"')),
        conversion.date_from,
    ),
    Builtin(
        "time",
        (
            takes(("from", TEXT)),
            takes(("from", DATE_TIME)),
            takes(("from", TIME)),
            takes(("from", DATE)),
            takes(("hour", WHOLE), ("minute", WHOLE), ("second", NUMBER), ("offset?", _OFFSET)),
        ),
        always(TIME),
        "a time from a text, from a date and time, or from its parts",
        (
            ('time("23:59:00")', '@"23:59:00"'),
            ('time(23, 59, 0, duration("-PT1H"))', '@"23:59:00-01:00"'),
        ),
        conversion.time_from,
    ),
    Builtin(
        "date and time",
        (
            takes(("from", TEXT)),
            takes(("from", DATE_TIME)),
            takes(("from", DATE)),
            takes(("date", DATE), ("time", TIME)),
            takes(("date", DATE_TIME), ("time", TIME)),
        ),
        always(DATE_TIME),
        "a date and time from a text, or from a date and a time",
        (
            ('date and time("2012-12-24T23:59:00")', '@"2012-12-24T23:59:00"'),
            ('date and time(@"2012-12-24", @"23:59:00")', '@"2012-12-24T23:59:00"'),
        ),
        conversion.date_and_time_from,
    ),
    Builtin(
        "duration",
        (takes(("from", TEXT)), takes(("from", DAYS_DURATION)), takes(("from", YEARS_DURATION))),
        _duration,
        "a duration from a text: days and time, or years and months",
        (('duration("P1DT2H")', '@"P1DT2H"'), ('duration("P14M")', '@"P1Y2M"')),
        conversion.duration_from,
    ),
    Builtin(
        "years and months duration",
        (
            takes(("from", DATE), ("to", DATE)),
            takes(("from", DATE_TIME), ("to", DATE_TIME)),
            takes(("from", DATE), ("to", DATE_TIME)),
            takes(("from", DATE_TIME), ("to", DATE)),
        ),
        always(YEARS_DURATION),
        "the whole months from one date to another",
        (('years and months duration(@"2011-12-22", @"2013-08-24")', '@"P1Y8M"'),),
        conversion.years_and_months_between,
    ),
    Builtin(
        "number",
        (
            takes(("from", TEXT)),
            takes(
                ("from", TEXT),
                ("grouping separator", optional(TEXT)),
                ("decimal separator", optional(TEXT)),
            ),
        ),
        always(NUMBER),
        "the number a text says; null for a separator that does not occur",
        (('number("1500.5")', "1500.5"), ('number("1.000,25", ".", ",")', "1000.25")),
        conversion.number_from,
    ),
    Builtin(
        "string",
        (takes(("from", ANY)),),
        _text,
        "a value as text",
        (("string(1.1)", '"1.1"'), ('string([1, "a"])', '"[1, \\"a\\"]"'), ("string(null)", "null")),
        conversion.string_from,
    ),
    Builtin(
        "range",
        (takes(("from", TEXT)),),
        always(RangeType(ANY)),
        "the range a text says",
        (('range("[18..21)")', "[18..21)"),),
        conversion.range_from,
    ),
    Builtin(
        "not",
        (takes(("negand", optional(BOOLEAN))),),
        _three_valued,
        "the opposite; null of null",
        (("not(true)", "false"), ("not(null)", "null")),
        conversion.negation_of,
    ),
    Builtin(
        "is",
        (takes(("value1", ANY), ("value2", ANY)),),
        always(BOOLEAN),
        "are the two the same, also in kind and in their offset?",
        (('is(@"2012-12-25", @"23:00:50")', "false"), ("is(1, 1.0)", "true")),
        conversion.is_same,
    ),
)
