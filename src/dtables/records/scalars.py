"""What plain values of a record mean, in every engine: numbers, texts, dates, names, lists, maps.

Everything that does not fit is found, in the record's own order, depth first. A null is as if the key
were not there; inside a list it is a finding. What a record, a name or a named type is inside, each
engine says itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from decimal import Decimal
from math import isfinite
from typing import Any

from dtables.feel.names import NumberNames, Spelled, fields_meant
from dtables.feel.numbers import DIGITS
from dtables.feel.types import (
    DATE,
    DATE_TIME,
    DAYS_DURATION,
    NUMBER,
    TEXT,
    TIME,
    YEARS_DURATION,
    AnyType,
    BooleanType,
    ContextType,
    DateTimeType,
    DateType,
    DaysDurationType,
    ListType,
    MapType,
    NullType,
    NumberType,
    OptionalType,
    RecordType,
    RestrictedType,
    TextType,
    TimeType,
    Type,
    UnknownType,
    VocabularyType,
    YearsDurationType,
    describe,
    may_be_null,
)
from dtables.feel.values import (
    DateTime,
    FeelError,
    Value,
    add,
    instance_of,
    parse_date_time,
    parse_day,
    parse_duration,
    parse_time,
)
from dtables.provenance import Location
from dtables.records.findings import (
    Findings,
    ambiguous_name,
    key_in_path,
    missing,
    null_in_list,
    repeated_key,
    unknown_key,
    unknown_name,
    wrong_type,
)

UNFIT = object()
"""Stands where a value did not fit; a finding says why."""

Fixed = Mapping[str, Value]
"""Fields that the place gives, where a record stands in it."""


@dataclass(frozen=True, slots=True)
class At:
    """Where a value stands: its path, the workbook's cell that says what it must be, what is fixed there."""

    path: str
    where: Location | None = None
    fixed: Fixed = field(default_factory=dict)

    def key(self, name: str) -> At:
        shown = key_in_path(name)
        return At(f"{self.path}.{shown}" if self.path else shown, self.where)

    def item(self, position: int) -> At:
        return replace(self, path=f"{self.path}[{position}]")


@dataclass(frozen=True, slots=True)
class ValueReading(ABC):
    findings: Findings = field(default_factory=Findings, kw_only=True)

    @abstractmethod
    def spelled(self, vocabulary: str) -> Spelled: ...

    @abstractmethod
    def number_names(self, restriction: str) -> NumberNames | None: ...

    @abstractmethod
    def ids(self, vocabulary: str) -> Iterable[str]:
        """In the vocabulary's order."""

    @abstractmethod
    def named(self, wanted: VocabularyType, id_: str) -> Value: ...

    @abstractmethod
    def record(self, given: Mapping[Any, object], name: str, at: At) -> Value: ...

    @abstractmethod
    def restricted(self, value: object, typed: Value, wanted: RestrictedType, at: At) -> Value:
        """`typed` is `value` as the type under the restriction has it."""

    # -- values --------------------------------------------------------------------------------

    def value(self, value: object, wanted: Type, at: At) -> Value:
        """UNFIT where something was found."""
        match wanted:
            case OptionalType(of=of):
                return None if value is None else self.value(value, of, at)
            case RestrictedType(of=of):
                number = self._number_named(value, wanted, at)
                typed = UNFIT if number is UNFIT else self.value(number, of, at)
                return UNFIT if typed is UNFIT else self.restricted(value, typed, wanted, at)
            case VocabularyType() if isinstance(value, str):
                id_ = self._meant(_text(value), wanted.name, at)
                return UNFIT if id_ is None else self.named(wanted, id_)
            case ListType(item=item) if isinstance(value, list):
                return [self._item(one, item, at.item(position)) for position, one in enumerate(value)]
            case MapType() if isinstance(value, dict):
                return self._map(value, wanted, at)
            case RecordType(name=name) if isinstance(value, dict):
                return self.record(value, name, at)
            case ContextType() if isinstance(value, dict):
                return self._context(value, wanted, at)
            case AnyType() | UnknownType():
                return self._anything(value, at)
            case _:
                typed = read_scalar(value, wanted)
                if typed is UNFIT:
                    self.findings.add(wrong_type, at.path, value, _wanted(value, wanted), at.where)
                return typed

    def _meant(self, typed: str, vocabulary: str, at: At) -> str | None:
        spelled = self.spelled(vocabulary)
        meant = spelled.meant(typed)
        if len(meant) == 1:
            return meant[0]
        if meant:
            self.findings.add(ambiguous_name, at.path, typed, meant, at.where)
        else:
            self.findings.add(unknown_name, at.path, typed, vocabulary, spelled.known, at.where)
        return None

    def _number_named(self, value: object, wanted: RestrictedType, at: At) -> object:
        """Where numbers have names, a text is one of them."""
        names = self.number_names(wanted.name)
        if names is None or not isinstance(value, str):
            return value
        meant = names.meant(value)
        if len(meant) == 1:
            return meant[0]
        if meant:
            self.findings.add(ambiguous_name, at.path, value, map(str, meant), at.where)
        else:
            self.findings.add(unknown_name, at.path, value, describe(wanted.of), names.known, at.where)
        return UNFIT

    def _item(self, value: object, wanted: Type, at: At) -> Value:
        if value is None and not may_be_null(wanted):
            self.findings.add(null_in_list, at.path, describe(wanted), at.where)
            return UNFIT
        return self.value(value, wanted, at)

    def _anything(self, value: object, at: At) -> Value:
        typed = anything(value)
        if typed is UNFIT:
            path, part = _unfit(value, at)
            self.findings.add(wrong_type, path, part, "a value that a log can hold", at.where)
        return typed

    def _map(self, given: Mapping[Any, object], wanted: MapType, at: At) -> Value:
        """In the order of the vocabulary, whatever the record's."""
        read: dict[str, Value] = {}
        for key, entry in given.items():
            inner = replace(at.key(str(key)), where=at.where)
            id_ = self._meant(str(key), wanted.key.name, inner)
            if id_ is None or entry is None:
                continue
            if id_ in read:
                self.findings.add(repeated_key, inner.path, str(key), at.where)
            read[id_] = self.value(entry, wanted.value, inner)
        return {id_: read[id_] for id_ in self.ids(wanted.key.name) if id_ in read}

    def field_meant(
        self, key: str, fields: Mapping[str, Any], named_by: Iterable[str], at: At, also: Iterable[str] = ()
    ) -> str | None:
        """Of a record, whose fields may be names of vocabularies; None where something was found. `also` are
        further keys to suggest."""
        spelled = [self.spelled(vocabulary) for vocabulary in named_by]
        meant = fields_meant(key, fields, spelled)
        if len(meant) == 1:
            return meant[0]
        path = at.key(key).path
        if meant:
            self.findings.add(ambiguous_name, path, key, meant, at.where)
        else:
            near = (text for one in spelled for text in one.known if set(one.meant(text)) <= fields.keys())
            self.findings.add(unknown_key, path, key, (*also, *fields), at.where, tuple(near))
        return None

    def _context(self, given: Mapping[Any, object], wanted: ContextType, at: At) -> Value:
        types = dict(wanted.fields)
        read: dict[str, Value] = dict.fromkeys(types)
        for key, entry in given.items():
            inner = replace(at.key(str(key)), where=at.where)
            if key not in types:
                self.findings.add(unknown_key, inner.path, str(key), types, at.where)
            elif entry is not None:
                read[key] = self.value(entry, types[key], inner)
        for name, of in types.items():
            if read[name] is None and not may_be_null(of):
                self.lacks(at.key(name).path, of, at.where)
        return read

    def lacks(self, path: str, of: Type, where: Location | None) -> None:
        """Nothing stands where a record or a context must have something."""
        self.findings.add(missing, path, describe(of), where)


def left_out(given: object, fields: Sequence[str], named: Sequence[Sequence[Spelled]] = ()) -> bool:
    """Whether a record as it was given says nothing at a place, whatever stands there by default. `named` has
    for each field the vocabularies by whose names it may be spelled."""
    for place, name in enumerate(fields):
        if not isinstance(given, dict):
            return False
        entry = given.get(name)
        if entry is None and named and named[place]:
            spelled = (k for k in given if fields_meant(str(k), (name,), named[place]))
            entry = next((given[key] for key in spelled if given[key] is not None), None)
        if entry is None:
            return True
        given = entry
    return False


def plainly_there(given: object, fields: Iterable[str], some: bool) -> bool:
    """Whether a record as it was given says something at a place: a look at its objects only, that needs no
    rule. `some`: an empty list is nothing."""
    for name in fields:
        if type(given) is not dict:
            return False
        given = given.get(name)
    return given is not None and not (some and given == [])


# -- one value ---------------------------------------------------------------------------------


def read_scalar(value: object, wanted: Type) -> Value:
    """A number, text, boolean or date: exactly what was wanted, or unfit."""
    match wanted:
        case NumberType(whole=whole):
            return _number(value, whole)
        case TextType():
            return _text(value) if isinstance(value, str) else UNFIT
        case BooleanType():
            return value if isinstance(value, bool) else UNFIT
        case NullType():
            return None if value is None else UNFIT
        case DateType():
            return _temporal(value, wanted, parse_day)
        case TimeType():
            return _temporal(value, wanted, parse_time)
        case DateTimeType():
            return _temporal(value, wanted, parse_date_time)
        case DaysDurationType() | YearsDurationType():
            return _temporal(value, wanted, parse_duration)
        case _:
            return UNFIT


def anything(value: object) -> Value:
    """Where nothing is known of the type, a value is what it looks like; unfit where it, or a part of it, is
    none of the language's."""
    match value:
        case None | bool():
            return value
        case str():
            return read_scalar(value, TEXT)
        case int() | float() | Decimal():
            return read_scalar(value, NUMBER)
        case list():
            items = [anything(item) for item in value]
            return UNFIT if any(item is UNFIT for item in items) else items
        case dict():
            entries = {str(key): anything(item) for key, item in value.items()}
            return UNFIT if any(item is UNFIT for item in entries.values()) else entries
        case _:
            return _moment(value)


def _moment(value: object) -> Value:
    """Python's own dates and times, and those of the language, which readers of files know."""
    days = (DATE_TIME, DATE) if isinstance(value, (datetime, DateTime)) else (DATE, DATE_TIME)
    found = (read_scalar(value, kind) for kind in (*days, TIME, DAYS_DURATION, YEARS_DURATION))
    return next((typed for typed in found if typed is not UNFIT), UNFIT)


def _unfit(value: object, at: At) -> tuple[str, object]:
    """The first part that is no value, and where it stands."""
    parts: Iterable[tuple[At, object]] = ()
    match value:
        case list():
            parts = ((at.item(place), item) for place, item in enumerate(value))
        case dict():
            parts = ((at.key(str(key)), item) for key, item in value.items())
    for inner, part in parts:
        if anything(part) is UNFIT:
            return _unfit(part, inner)
    return at.path, value


def _text(value: str) -> str:
    """Other libraries' kinds of texts are texts."""
    return value if type(value) is str else str.__str__(value)


def _number(value: object, whole: bool) -> Value:
    """A boolean is no number; a whole number is written without a point. Never a binary float inside."""
    match value:
        case bool():
            return UNFIT
        case int():
            return value if type(value) is int else int(value)
        case float() if not whole and isfinite(value):
            return add(Decimal(float.__repr__(value)), 0)
        case Decimal() if not whole and value.is_finite():
            return _in_bounds(value)
        case _:
            return UNFIT


def _in_bounds(value: Decimal) -> Value:
    """What 34 digits cannot hold would be another number."""
    try:
        held = add(value, 0)
    except FeelError:
        return UNFIT
    return held if held == value else UNFIT


def _wanted(value: object, wanted: Type) -> str:
    told = describe(wanted)
    numbers = isinstance(value, Decimal) and isinstance(wanted, NumberType) and not wanted.whole
    return f"{told} of at most {DIGITS} digits" if numbers else told


def _temporal(value: object, wanted: Type, parse: Callable[[str], Value]) -> Value:
    """Its ISO text, Python's own date or time of that kind, or the value itself where a reader knows it."""
    text = value.isoformat() if isinstance(value, date | time) else value
    if not isinstance(text, str):
        return value if value is not None and instance_of(value, wanted) else UNFIT
    try:
        parsed = parse(text)
    except FeelError:
        return UNFIT
    return parsed if instance_of(parsed, wanted) else UNFIT
