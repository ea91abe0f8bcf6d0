"""Reading from values, asking what they are, and turning them into what a log can hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from dtables.feel import numbers, types
from dtables.feel.errors import FeelError
from dtables.feel.kinds import Fields, Function, Plain, Range, Row, Value, kind_of
from dtables.feel.temporal import (
    MIDNIGHT_UTC,
    NANOS,
    Date,
    DateTime,
    DaysDuration,
    Time,
    YearsDuration,
    offset_at,
)

# -- entries -------------------------------------------------------------------------------------


def entry(value: Value, name: str) -> Value:
    """`value.name`: of a context, a record, a date…; of a list the list of its items' entries. A
    context without such an entry has null there, as the standard wants."""
    kind = type(value)
    if kind is dict:
        return value.get(name)
    if value is None:
        return None
    if kind is list:
        return [_entry_of_item(item, name) for item in value]
    if isinstance(value, Fields):
        return _field(value, name)
    properties = _PROPERTIES.get(kind)
    if properties is None or name not in properties:
        raise FeelError(f"{kind_of(value)} has no {name}")
    return properties[name](value)


def has_entry(value: Value, name: str) -> bool:
    """Say whether an item of a filter brings this name along."""
    if type(value) is dict:
        return name in value
    if isinstance(value, Fields):
        return _has_field(value, name)
    return name in _PROPERTIES.get(type(value), {})


def _entry_of_item(item: Value, name: str) -> Value:
    try:
        return entry(item, name)
    except FeelError:
        return None


def _field(record: Fields, name: str) -> Value:
    try:
        return record.field(name)
    except KeyError:
        raise FeelError(f"{record.record_type} has no {name}") from None


def _has_field(record: Fields, name: str) -> bool:
    try:
        record.field(name)
    except KeyError:
        return False
    return True


def item_at(items: Value, position: Value) -> Value:
    """Count items from 1, from the end when negative; null when there is none. Any other value is a list of
    one."""
    if type(items) is not list:
        items = [] if items is None else [items]
    if type(position) is not int:
        if not numbers.is_number(position):
            raise FeelError(f"a position is a number, not {kind_of(position)}")
        position = int(position)
    if 0 < position <= len(items):
        return items[position - 1]
    return items[position] if -len(items) <= position < 0 else None


def _moment_offset(value: DateTime) -> DaysDuration | None:
    offset = offset_at(value)
    return None if offset is None else DaysDuration(offset * NANOS)


def _time_offset(value: Time) -> DaysDuration | None:
    return None if value.offset is None else DaysDuration(value.offset * NANOS)


def _part(unit: int, most: int) -> Callable[[DaysDuration], int]:
    """One part of a duration, with the duration's sign."""

    def read(value: DaysDuration) -> int:
        amount = abs(value.nanos) // NANOS // unit % most
        return -amount if value.nanos < 0 else amount

    return read


def _months(value: YearsDuration) -> int:
    return value.months % 12 if value.months >= 0 else -(-value.months % 12)


def _seconds(value: Time) -> int:
    return value.second


_DATE_PROPERTIES: dict[str, Callable[[Any], Value]] = {
    "year": lambda value: value.year,
    "month": lambda value: value.month,
    "day": lambda value: value.day,
    "weekday": lambda value: value.weekday,
}
_TIME_PROPERTIES: dict[str, Callable[[Any], Value]] = {
    "hour": lambda value: value.hour,
    "minute": lambda value: value.minute,
    "second": _seconds,
    "time offset": _time_offset,
    "timezone": lambda value: value.zone,
}
_PROPERTIES: dict[type, dict[str, Callable[[Any], Value]]] = {
    Date: _DATE_PROPERTIES,
    Time: _TIME_PROPERTIES,
    DateTime: {name: (lambda value, read=read: read(value.date)) for name, read in _DATE_PROPERTIES.items()}
    | {name: (lambda value, read=read: read(value.time)) for name, read in _TIME_PROPERTIES.items()}
    | {
        "time offset": _moment_offset,
        "date": lambda value: value.date,
        "time": lambda value: value.time,
    },
    DaysDuration: {
        "days": _part(86_400, 10**12),
        "hours": _part(3600, 24),
        "minutes": _part(60, 60),
        "seconds": _part(1, 60),
    },
    YearsDuration: {
        "years": lambda value: int(value.months / 12) if abs(value.months) < 10**9 else value.months // 12,
        "months": _months,
    },
    Range: {
        "start": lambda value: value.low,
        "end": lambda value: value.high,
        "start included": lambda value: value.low_included,
        "end included": lambda value: value.high_included,
    },
}


# -- types ---------------------------------------------------------------------------------------

Names = Mapping[str, Mapping[str, Value]]
"""The values of vocabularies, by their roots and ids."""


def instance_of(value: Value, expected: types.Type, names: Names | None = None) -> bool:
    """Null is an instance of nothing but null and of what may be null. Without vocabularies every text may be
    a name of one."""
    match expected:
        case types.NullType():
            return value is None
        case types.OptionalType(of=of):
            return value is None or instance_of(value, of, names)
        case _ if value is None:
            return False
        case types.AnyType() | types.UnknownType():
            return True
        case types.NumberType(whole=whole):
            return type(value) is int or (not whole and type(value) is Decimal)
        case types.RestrictedType(of=of):
            return instance_of(value, of, names)
        case types.VocabularyType(root=root):
            return is_name(value, root, names)
        case types.RecordType(name=name):
            return isinstance(value, Fields) and value.record_type == name
        case types.ContextType(fields=fields):
            return _is_context(value, fields, names)
        case types.MapType(value=of):
            return type(value) is dict and all(v is None or instance_of(v, of, names) for v in value.values())
        case types.ListType(item=item):
            return type(value) is list and all(_item_fits(v, item, names) for v in value)
        case types.RangeType(item=item):
            return isinstance(value, Range) and all(
                end is None or instance_of(end, item, names) for end in (value.low, value.high)
            )
        case types.FunctionType():
            return isinstance(value, Function) and _is_function(value, expected)
        case _:
            return type(value) is SIMPLE_KINDS[type(expected)]


SIMPLE_KINDS: dict[type, type] = {
    types.TextType: str,
    types.BooleanType: bool,
    types.DateType: Date,
    types.TimeType: Time,
    types.DateTimeType: DateTime,
    types.DaysDurationType: DaysDuration,
    types.YearsDurationType: YearsDuration,
}


def is_name(value: Value, root: str, names: Names | None) -> bool:
    """A name of keyed data is its row, and its id a text like any other."""
    if isinstance(value, Row):
        return value.vocabulary == root
    return type(value) is str and (names is None or names[root].get(value) == value)


def _item_fits(value: Value, item: types.Type, names: Names | None) -> bool:
    """A null inside conforms to every type."""
    return value is None or instance_of(value, item, names)


def _is_context(value: Value, fields: tuple[tuple[str, types.Type], ...], names: Names | None) -> bool:
    if type(value) is dict:
        return all(
            name in value and (value[name] is None or instance_of(value[name], of, names))
            for name, of in fields
        )
    return (
        isinstance(value, Fields)
        and not isinstance(value, Row)
        and all(_has_field(value, name) and instance_of(value.field(name), of, names) for name, of in fields)
    )


def _is_function(value: Function, expected: types.FunctionType) -> bool:
    """Parameters may take more than is expected, and the result be less."""
    if len(value.parameters) != len(expected.parameters):
        return False
    takes = all(_conforms(w, g) for w, g in zip(expected.parameters, value.types, strict=False))
    return takes and (value.result == types.ANY or _conforms(value.result, expected.result))


def _conforms(given: types.Type, expected: types.Type) -> bool:
    """Everything conforms to Any, and Any to nothing else; null conforms to everything."""
    if expected == types.ANY or isinstance(given, types.NullType):
        return True
    return given != types.ANY and types.fits(types.plain(given), expected)


def coerce(value: Value, expected: types.Type) -> Value:
    """The standard's implicit conversions: a list of one for its item, an item for a list of one, a
    date for its midnight in UTC. FeelError where the value does not conform after that."""
    if value is None or instance_of(value, expected):
        return value
    if type(value) is list and len(value) == 1 and instance_of(value[0], expected):
        return value[0]
    if isinstance(expected, types.ListType) and instance_of(value, expected.item):
        return [value]
    if isinstance(expected, types.DateTimeType) and isinstance(value, Date):
        return DateTime(value, MIDNIGHT_UTC)
    raise FeelError(f"{kind_of(value)} is no {types.describe(expected)}")


def conforming(
    function: Value,
    expected: tuple[types.Type, ...],
    convert: Callable[[Value, types.Type], Value] = coerce,
) -> Function:
    """The function, whose arguments are converted first; a call with one that does not conform fails."""
    if not isinstance(function, Function):
        raise FeelError(f"{kind_of(function)} cannot be called")

    def body(*arguments: Value) -> Value:
        return function(*(convert(a, t) for a, t in zip(arguments, expected, strict=True)))

    return replace(function, body=body, types=expected)


# -- outside -------------------------------------------------------------------------------------


def as_plain(value: Value) -> Plain:
    """What can stand in JSON: a row is its id, a date its text. Numbers stay exact: int or Decimal."""
    kind = type(value)
    if value is None or kind is str or kind is bool:
        return value
    if kind is int:
        return numbers.bounded(value)
    if kind is list:
        return [as_plain(item) for item in value]
    if kind is dict:
        return {key: as_plain(item) for key, item in value.items()}
    if kind is Decimal:
        whole = numbers.normal(value)
        return whole if type(whole) is int else numbers.plain_decimal(value)
    if isinstance(value, Row):
        return value.id
    if isinstance(value, Fields):
        return {key: as_plain(item) for key, item in value.stored().items()}
    if isinstance(value, (Date, Time, DateTime, DaysDuration, YearsDuration)):
        return str(value)
    raise FeelError(f"{kind_of(value)} cannot leave the rules")
