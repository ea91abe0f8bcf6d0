"""Built-ins that make a value of one kind from others, and `not` and `is`."""

from __future__ import annotations

import re
from decimal import Decimal

from dtables.feel import numbers, operators, temporal
from dtables.feel import temporal as temporal_text
from dtables.feel.errors import FeelError, LimitError
from dtables.feel.functions.arguments import number_in, single, text_in
from dtables.feel.functions.entry import Builtin, always, takes
from dtables.feel.kinds import Range, Value, kind_of
from dtables.feel.numbers import Number
from dtables.feel.operators import less
from dtables.feel.spelling import to_text
from dtables.feel.temporal import (
    MIDNIGHT_UTC,
    NANOS,
    Date,
    DateTime,
    DaysDuration,
    Duration,
    Time,
    YearsDuration,
)
from dtables.feel.temporal_arithmetic import months_between
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

MOST_DIGITS = 400
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,5})?")


def date_from(*arguments: Value) -> Date:
    """From a text or a date (and time), or from year, month and day."""
    if len(arguments) == 3:
        year, month, day = (_whole(argument) for argument in arguments)
        return temporal.make_date(year, month, day)
    match _only(arguments):
        case Date() as date:
            return date
        case DateTime(date=date):
            return date
        case other:
            return temporal_text.parse_date(text_in(other))


def time_from(*arguments: Value) -> Time:
    """From a text, a time or a date (and time), or from hour, minute, second and perhaps an offset."""
    if len(arguments) > 1:
        return _time_of_parts(*arguments)
    match _only(arguments):
        case Time() as time:
            return time
        case DateTime(time=time):
            return time
        case Date():
            return MIDNIGHT_UTC
        case other:
            return temporal_text.parse_time(text_in(other))


def _time_of_parts(hour: Value, minute: Value, second: Value, offset: Value = None) -> Time:
    seconds, nanos = temporal_text.seconds_and_nanos(number_in(second))
    if offset is None:
        return temporal.make_time(_whole(hour), _whole(minute), seconds, nanos)
    if not isinstance(offset, DaysDuration):
        raise FeelError(f"an offset is a days and time duration, not {kind_of(offset)}")
    whole, rest = divmod(abs(offset.nanos), NANOS)
    if rest:
        raise FeelError("an offset is a number of whole seconds")
    return temporal.make_time(
        _whole(hour), _whole(minute), seconds, nanos, -whole if offset.nanos < 0 else whole
    )


def date_and_time_from(*arguments: Value) -> DateTime:
    """From a text, or from a date (and time) and a time."""
    if len(arguments) == 2:
        return DateTime(_date_part(arguments[0]), _time_part(arguments[1]))
    match _only(arguments):
        case DateTime() as moment:
            return moment
        case Date() as date:
            return DateTime(date, MIDNIGHT_UTC)
        case other:
            return temporal_text.parse_date_time(text_in(other))


def duration_from(from_: Value) -> Duration:
    if isinstance(from_, (DaysDuration, YearsDuration)):
        return from_
    return temporal_text.parse_duration(text_in(from_))


def years_and_months_between(from_: Value, to: Value) -> YearsDuration:
    return YearsDuration(months_between(_date_part(from_), _date_part(to)))


def number_from(from_: Value, *separators: Value) -> Number:
    """Perhaps with a grouping separator and a decimal one; null for one that does not occur."""
    text = text_in(from_)
    if separators:
        text = _plain_number(text, *separators)
    if not _NUMBER.fullmatch(text):
        raise FeelError(f'"{text[:60]}" is no number')
    if len(text) > MOST_DIGITS:
        raise LimitError(f"a text is read as a number up to {MOST_DIGITS} characters")
    return numbers.from_text(text)


def _plain_number(text: str, grouping: Value, decimal: Value) -> str:
    if grouping is not None and grouping not in (" ", ",", "."):
        raise FeelError("a grouping separator is a space, a comma or a full stop")
    if decimal is not None and decimal not in (",", "."):
        raise FeelError("a decimal separator is a comma or a full stop")
    if grouping is not None and grouping == (decimal or "."):
        raise FeelError("the two separators are the same")
    if grouping is not None:
        text = text.replace(grouping, "")
    if decimal == ",":
        if "." in text:
            raise FeelError(f'"{text[:60]}" is no number')
        text = text.replace(",", ".")
    return text


def string_from(from_: Value) -> str | None:
    return None if from_ is None else to_text(from_)


def range_from(from_: Value) -> Range:
    return parse_range(text_in(from_))


def negation_of(negand: Value) -> bool | None:
    return operators.negation(single(negand))


def is_same(value1: Value, value2: Value) -> bool:
    """Of one kind and equal; of times also with the same offset or zone, or both without."""
    if _clock_of(value1) != _clock_of(value2):
        return False
    return operators.same(value1, value2)


def _clock_of(value: Value) -> object:
    match value:
        case Time(offset=offset, zone=zone) | DateTime(time=Time(offset=offset, zone=zone)):
            return offset, zone
        case _:
            return None


def _only(arguments: tuple[Value, ...]) -> Value:
    if len(arguments) != 1:
        raise FeelError(f"{len(arguments)} arguments")
    return single(arguments[0])


def _whole(value: Value) -> int:
    number = number_in(value)
    if isinstance(number, Decimal):
        raise FeelError(f"a whole number was wanted, not {numbers.to_text(number)}")
    return numbers.bounded(number)


def _date_part(value: Value) -> Date:
    match single(value):
        case Date() as date:
            return date
        case DateTime(date=date):
            return date
        case _:
            raise FeelError(f"a date was wanted, not {kind_of(value)}")


def _time_part(value: Value) -> Time:
    match single(value):
        case Time() as time:
            return time
        case DateTime(time=time):
            return time
        case _:
            raise FeelError(f"a time was wanted, not {kind_of(value)}")


# -- ranges as text ---------------------------------------------------------------------------------
# What `range("[1..5)")` reads: literals only, no names and no calculation.

MOST_CHARACTERS = 1_000

_END = (
    r'(?P<{0}number>-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+))|"(?P<{0}text>(?:[^"\\]|\\.)*)"|@"(?P<{0}at>[^"\\]*)"'
    r'|(?P<{0}function>date\s+and\s+time|date|time|duration)\s*\(\s*"(?P<{0}argument>[^"\\]*)"\s*\)'
)
_RANGE = re.compile(
    rf"\s*([\[(\]])\s*(?:{_END.format('low_')})\s*\.\.\s*(?:{_END.format('high_')})\s*([\])\[])\s*",
    re.ASCII | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}|.)", re.DOTALL)


def parse_range(text: str) -> Range:
    if len(text) > MOST_CHARACTERS:
        raise LimitError(f"a text is read as a range up to {MOST_CHARACTERS:,} characters")
    match = _RANGE.fullmatch(text)
    if match is None:
        raise FeelError(f'"{text[:60]}" is no range')
    low, high = _end(match, "low_"), _end(match, "high_")
    if less(high, low):
        raise FeelError("the range ends before it begins")
    return Range(low, high, match[1] == "[", match[match.re.groups] == "]")


def _end(match: re.Match[str], side: str) -> Value:
    if match[f"{side}number"] is not None:
        return numbers.from_text(match[f"{side}number"])
    if match[f"{side}text"] is not None:
        return _ESCAPE.sub(_character, match[f"{side}text"])
    if match[f"{side}at"] is not None:
        return temporal.parse_temporal(match[f"{side}at"])
    return _called(match[f"{side}function"], match[f"{side}argument"])


def _called(function: str, argument: str) -> Value:
    match "".join(function.split()):
        case "date":
            return temporal.parse_date(argument)
        case "time":
            return temporal.parse_time(argument)
        case "duration":
            return temporal.parse_duration(argument)
        case _:
            return temporal.parse_date_time(argument)


def _character(match: re.Match[str]) -> str:
    escaped = match[1]
    if escaped[0] in "uU" and len(escaped) > 1:
        return chr(int(escaped[1:], 16))
    return {"n": "\n", "r": "\r", "t": "\t"}.get(escaped, escaped)


# -- the built-ins ----------------------------------------------------------------------------------
# The entries of the built-ins that convert; their meanings stand in `conversion`.

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
        date_from,
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
        time_from,
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
        date_and_time_from,
    ),
    Builtin(
        "duration",
        (takes(("from", TEXT)), takes(("from", DAYS_DURATION)), takes(("from", YEARS_DURATION))),
        _duration,
        "a duration from a text: days and time, or years and months",
        (('duration("P1DT2H")', '@"P1DT2H"'), ('duration("P14M")', '@"P1Y2M"')),
        duration_from,
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
        years_and_months_between,
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
        number_from,
    ),
    Builtin(
        "string",
        (takes(("from", ANY)),),
        _text,
        "a value as text",
        (("string(1.1)", '"1.1"'), ('string([1, "a"])', '"[1, \\"a\\"]"'), ("string(null)", "null")),
        string_from,
    ),
    Builtin(
        "range",
        (takes(("from", TEXT)),),
        always(RangeType(ANY)),
        "the range a text says",
        (('range("[18..21)")', "[18..21)"),),
        range_from,
    ),
    Builtin(
        "not",
        (takes(("negand", optional(BOOLEAN))),),
        _three_valued,
        "the opposite; null of null",
        (("not(true)", "false"), ("not(null)", "null")),
        negation_of,
    ),
    Builtin(
        "is",
        (takes(("value1", ANY), ("value2", ANY)),),
        always(BOOLEAN),
        "are the two the same, also in kind and in their offset?",
        (('is(@"2012-12-25", @"23:00:50")', "false"), ("is(1, 1.0)", "true")),
        is_same,
    ),
)
