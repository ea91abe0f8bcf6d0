"""Built-ins that make a value of one kind from others, and `not` and `is`."""

from __future__ import annotations

import re
from decimal import Decimal

from dtables.feel import numbers, operators, temporal, temporal_text
from dtables.feel.errors import FeelError, LimitError
from dtables.feel.functions.arguments import number_in, single, text_in
from dtables.feel.functions.range_text import parse_range
from dtables.feel.kinds import Range, Value, kind_of
from dtables.feel.numbers import Number
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
from dtables.feel.value_text import to_text

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
