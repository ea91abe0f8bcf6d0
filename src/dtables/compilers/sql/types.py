"""What types are in SQL: neutral data types, and which values a dialect can hold at all."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from dtables.feel.types import (
    BooleanType,
    ContextType,
    DateTimeType,
    DateType,
    DaysDurationType,
    ListType,
    MapType,
    NullType,
    NumberType,
    RecordType,
    TextType,
    Type,
    VocabularyType,
    YearsDurationType,
    plain,
)

WHOLE_NUMBER = exp.DataType(this=exp.DType.BIGINT)
DECIMAL_DIGITS, DECIMAL_PLACES = 38, 10
LARGEST = 10**15
"""A number that is given is smaller: so many digits stand in front of its point, as in a spreadsheet."""
SHORT_DIGITS, SHORT_PLACES = 18, 4
"""A decimal that a database reckons with as quickly as with a whole number."""
TEXT = exp.DataType(this=exp.DType.TEXT)
BOOLEAN = exp.DataType(this=exp.DType.BOOLEAN)
DATE = exp.DataType(this=exp.DType.DATE)
MOMENT = exp.DataType(this=exp.DType.TIMESTAMPNTZ)

FieldTypes = dict[str, tuple[tuple[str, Type], ...]]
"""The stored fields of each record type, in order."""


def data_type(of: Type, records: FieldTypes, inside: tuple[str, ...] = ()) -> exp.DataType | None:
    """None where a value of the type cannot stand in a column."""
    match plain(of):
        case NumberType(whole=whole):
            return WHOLE_NUMBER if whole else decimal()
        case DaysDurationType():
            return decimal()
        case YearsDurationType():
            return WHOLE_NUMBER
        case TextType() | VocabularyType() | NullType():
            return TEXT
        case BooleanType():
            return BOOLEAN
        case DateType():
            return DATE
        case DateTimeType():
            return MOMENT
        case ListType(item=item):
            return _around(exp.DType.ARRAY, [data_type(item, records, inside)])
        case MapType(value=value):
            return _around(exp.DType.MAP, [TEXT, data_type(value, records, inside)])
        case ContextType(fields=fields):
            return _struct(fields, records, inside)
        case RecordType(name=name) if name not in inside:
            return _struct(records[name], records, (*inside, name))
        case _:
            return None


def list_of(item: exp.DataType) -> exp.DataType:
    return exp.DataType(this=exp.DType.ARRAY, expressions=[item], nested=True)


def struct_of(fields: Iterable[tuple[str, exp.DataType]]) -> exp.DataType:
    columns = [exp.ColumnDef(this=exp.to_identifier(name), kind=kind) for name, kind in fields]
    return exp.DataType(this=exp.DType.STRUCT, expressions=columns, nested=True)


def is_whole(of: exp.DataType | None) -> bool:
    return of is not None and of.this == exp.DType.BIGINT


def is_decimal(of: exp.DataType | None) -> bool:
    return of is not None and of.this == exp.DType.DECIMAL


def decimal(places: int = DECIMAL_PLACES, digits: int = DECIMAL_DIGITS) -> exp.DataType:
    sizes = [exp.DataTypeParam(this=exp.Literal.number(n)) for n in (digits, places)]
    return exp.DataType(this=exp.DType.DECIMAL, expressions=sizes)


def _around(kind: exp.DType, inner: list[exp.DataType | None]) -> exp.DataType | None:
    known = [one for one in inner if one is not None]
    return exp.DataType(this=kind, expressions=known, nested=True) if len(known) == len(inner) else None


def _struct(
    fields: Iterable[tuple[str, Type]], records: FieldTypes, inside: tuple[str, ...]
) -> exp.DataType | None:
    typed = [(name, data_type(of, records, inside)) for name, of in fields]
    known = [(name, kind) for name, kind in typed if kind is not None]
    return struct_of(known) if len(known) == len(typed) else None


def is_scalar(of: Type) -> bool:
    return not isinstance(plain(of), (ListType, MapType, RecordType, ContextType))
