"""What types are called, which fields they have, and which of them can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dtables.checker import messages
from dtables.checker.report import Sink, Text
from dtables.checker.symbols import FieldSymbol, RecordSymbol, Symbols, known_names, read
from dtables.diagnostics import Severity
from dtables.feel.syntax import ast
from dtables.feel.syntax.parser import Dialect, parse_type
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    DATE,
    DAYS_DURATION,
    NAMED_TYPES,
    NULL,
    NUMBER,
    TEXT,
    TIME,
    UNKNOWN,
    WHOLE,
    AnyType,
    ContextType,
    DateTimeType,
    DateType,
    DaysDurationType,
    FunctionType,
    ListType,
    MapType,
    NullType,
    NumberType,
    RangeType,
    RecordType,
    TextType,
    TimeType,
    Type,
    UnknownType,
    VocabularyType,
    YearsDurationType,
    optional,
    plain,
)

# The standard's models spell some types in their own way.
STANDARD_TYPES: dict[str, Type] = {
    "string": TEXT,
    "Any": ANY,
    "dateTime": NAMED_TYPES["date and time"],
    "dayTimeDuration": NAMED_TYPES["days and time duration"],
    "yearMonthDuration": NAMED_TYPES["years and months duration"],
    "Null": NULL,
    "list": ListType(ANY),
    "context": ContextType(()),
}


def lower_type(piece: Text, symbols: Symbols, sink: Sink) -> Type:
    """A type as written in a marker or a `type` cell; UNKNOWN when it is none."""
    node, found = read(symbols, parse_type, piece.text, known_names(symbols))
    for problem in found:
        sink.problem(piece.cell, problem, piece.start)
    return UNKNOWN if node is None else type_of(node, symbols, piece, sink)


def type_of(node: ast.TypeName, symbols: Symbols, piece: Text, sink: Sink) -> Type:
    """The type that a surface type names."""

    def inner(part: ast.TypeName) -> Type:
        return type_of(part, symbols, piece, sink)

    match node:
        case ast.NamedType(name=name):
            return named_type(name, symbols) or _unknown_type(node, symbols, piece, sink)
        case ast.ListOfType(item=item):
            return ListType(inner(item))
        case ast.RangeOfType(item=item):
            return RangeType(inner(item))
        case ast.OptionalOfType(of=of):
            return optional(inner(of))
        case ast.ContextOfType(fields=fields):
            return ContextType(tuple((name, inner(type_)) for name, type_ in fields))
        case ast.FunctionOfType(parameters=parameters, result=result):
            return FunctionType(tuple(inner(p) for p in parameters), inner(result))
        case ast.ByType(value=value, key=key):
            return _map_type(inner(value), key, symbols, piece, sink)
        case _:
            assert_never(node)


def named_type(name: str, symbols: Symbols) -> Type | None:
    """Keyed data and their record may share a name: its values are the rows."""
    if name in symbols.restrictions:
        return symbols.restrictions[name]
    if name in symbols.vocabularies:
        return vocabulary_type(symbols, name)
    if name in symbols.records:
        return RecordType(name)
    if symbols.dialect is Dialect.STANDARD and name in STANDARD_TYPES:
        return STANDARD_TYPES[name]
    return NAMED_TYPES.get(name)


def vocabulary_type(symbols: Symbols, name: str) -> VocabularyType:
    return VocabularyType(name, symbols.vocabularies[name].root)


def type_names(symbols: Symbols) -> tuple[str, ...]:
    return (*symbols.restrictions, *symbols.vocabularies, *symbols.records, *NAMED_TYPES)


def _unknown_type(node: ast.NamedType, symbols: Symbols, piece: Text, sink: Sink) -> Type:
    sink.report(piece, node.span, Severity.ERROR, messages.unknown_type(node.name, type_names(symbols)))
    return UNKNOWN


def _map_type(value: Type, key: ast.NamedType, symbols: Symbols, piece: Text, sink: Sink) -> Type:
    if key.name not in symbols.vocabularies:
        words = messages.not_a_vocabulary(key.name, symbols.vocabularies)
        sink.report(piece, key.span, Severity.ERROR, words)
        return UNKNOWN
    return MapType(vocabulary_type(symbols, key.name), value)


# -- fields ------------------------------------------------------------------------------------

_CALENDAR: dict[str, Type] = {"year": WHOLE, "month": WHOLE, "day": WHOLE, "weekday": WHOLE}
_CLOCK: dict[str, Type] = {
    "hour": WHOLE,
    "minute": WHOLE,
    "second": NUMBER,
    "time offset": optional(DAYS_DURATION),
    "timezone": optional(TEXT),
}
_DAYS: dict[str, Type] = {"days": WHOLE, "hours": WHOLE, "minutes": WHOLE, "seconds": NUMBER}
_YEARS: dict[str, Type] = {"years": WHOLE, "months": WHOLE}
_PARTS: dict[str, Type] = {"date": DATE, "time": TIME}


def fields_of(symbols: Symbols, of: Type) -> dict[str, Type] | None:
    """The fields of a value that is not null, by name; None for what has none or unknown ones."""
    of = plain(of)
    match of:
        case RecordType() | VocabularyType():
            record = record_of(symbols, of)
            return None if record is None else {f.name: f.type for f in record.fields.values()}
        case ContextType(fields=fields):
            return dict(fields)
        case DateType():
            return dict(_CALENDAR)
        case TimeType():
            return dict(_CLOCK)
        case DateTimeType():
            return {**_CALENDAR, **_CLOCK, **_PARTS}
        case DaysDurationType():
            return dict(_DAYS)
        case YearsDurationType():
            return dict(_YEARS)
        case RangeType(item=item):
            ends: dict[str, Type] = {"start": optional(item), "end": optional(item)}
            return {**ends, "start included": BOOLEAN, "end included": BOOLEAN}
        case _:
            return None


def record_of(symbols: Symbols, of: Type) -> RecordSymbol | None:
    match plain(of):
        case RecordType(name=name):
            return symbols.records.get(name)
        case VocabularyType(name=name, root=root):
            record = symbols.record_of.get(name) or symbols.record_of.get(root)
            return None if record is None else symbols.records.get(record)
        case _:
            return None


def field_symbol(symbols: Symbols, of: Type, name: str) -> FieldSymbol | None:
    record = record_of(symbols, of)
    return None if record is None else record.fields.get(name)


def readable_value(symbols: Symbols, of: Type, vocabulary: str) -> Type | None:
    """What `of(r)` gives for a name of the vocabulary; None where it cannot be read so."""
    match plain(of):
        case MapType(key=key, value=value):
            return optional(value) if _root(symbols, key.name) == _root(symbols, vocabulary) else None
        case RecordType() | VocabularyType():
            record = record_of(symbols, of)
            if record is None:
                return None
            roots = {_root(symbols, v) for v in record.readable_by}
            if _root(symbols, vocabulary) not in roots:
                return None
            return record.fields[symbols.vocabularies[vocabulary].names[0].id].type
        case _:
            return None


def keys_of(symbols: Symbols, of: Type) -> Iterator[VocabularyType]:
    """The vocabularies by which a value can be read."""
    match plain(of):
        case MapType(key=key):
            yield key
        case RecordType() | VocabularyType():
            record = record_of(symbols, of)
            for name in record.readable_by if record else ():
                yield vocabulary_type(symbols, name)
        case _:
            return


def _root(symbols: Symbols, vocabulary: str) -> str:
    known = symbols.vocabularies.get(vocabulary)
    return vocabulary if known is None else known.root


# -- comparing ---------------------------------------------------------------------------------


def vocabulary_in(type_: Type | None) -> VocabularyType | None:
    """The vocabulary whose names stand in such a value or in such a list."""
    if type_ is None:
        return None
    match plain(type_):
        case VocabularyType() as vocabulary:
            return vocabulary
        case ListType(item=item) | RangeType(item=item):
            return vocabulary_in(item)
        case _:
            return None


def item_of(type_: Type | None) -> Type | None:
    """What a list of that type holds; None of what is no list."""
    listed = None if type_ is None else plain(type_)
    return listed.item if isinstance(listed, ListType) else None


def is_dynamic(type_: Type) -> bool:
    """Nothing can be said against a value of this type."""
    return isinstance(type_, (AnyType, UnknownType))


def comparable(a: Type, b: Type) -> bool:
    """Can two such values be equal? Null may stand on either side."""
    a, b = plain(a), plain(b)
    if is_dynamic(a) or is_dynamic(b) or isinstance(a, NullType) or isinstance(b, NullType):
        return True
    return _comparable_plain(a, b)


def _comparable_plain(a: Type, b: Type) -> bool:
    match a, b:
        case VocabularyType(root=left), VocabularyType(root=right):
            return left == right
        case RecordType(name=one), RecordType(name=other):
            return one == other
        case ListType(item=mine), ListType(item=theirs):
            return comparable(mine, theirs)
        case RangeType(item=mine), RangeType(item=theirs):
            return comparable(mine, theirs)
        case (MapType(), MapType() | ContextType()) | (ContextType(), MapType()):
            return True
        case _:
            return type(a) is type(b)


def ordered(type_: Type) -> bool:
    """Does `<` mean something?"""
    simple = (
        NumberType, TextType, DateType, TimeType, DateTimeType, DaysDurationType, YearsDurationType,
    )  # fmt: skip
    return is_dynamic(plain(type_)) or isinstance(plain(type_), simple)
