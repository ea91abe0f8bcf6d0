"""The quick reading of a record: a line of JSON becomes the very objects that the rules read.

msgspec looks at keys, types and names while it parses. It would say yes to too much where a number or a date
is wanted: such values have types of ours, and are read as the careful reader reads them. Whatever the types
do not say, or say no to, is left to that one, which words the finding: what is quick only ever says yes.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from functools import partial
from importlib.util import find_spec
from threading import local
from types import GenericAlias
from typing import Annotated, Any

from dtables.feel.types import (
    DATE,
    DATE_TIME,
    DAYS_DURATION,
    NUMBER,
    TIME,
    YEARS_DURATION,
    BooleanType,
    DateTimeType,
    DateType,
    DaysDurationType,
    ListType,
    MapType,
    NumberType,
    OptionalType,
    RecordType,
    RestrictedType,
    TextType,
    TimeType,
    Type,
    VocabularyType,
    YearsDurationType,
    describe,
)
from dtables.feel.values import Date, DateTime, DaysDuration, Fields, Time, Value, YearsDuration
from dtables.records.classes import Stored, WorkedOut, WorkedOutAside
from dtables.records.findings import Refused
from dtables.records.json import decimal_of
from dtables.records.scalars import UNFIT, read_scalar
from dtables.records.shapes import FieldShape, Misread, Names, RecordShape, Shapes

LARGEST = 2**63 - 1
"""Larger numbers are left to the careful way: nobody knows how long they are."""
FIELDS_OF_TURN = " turn"
"""What no key says: a record's way to its turn."""


@dataclass(frozen=True)
class TypedRecords:
    """`refusals` are how it says no; `absent` stands where no key was."""

    decode: Callable[[bytes], Any]
    refusals: tuple[type[Exception], ...]
    absent: object

    def line(self, raw: bytes) -> tuple[Any, int]:
        """A record's envelope, and how many colons stand in texts that have become values of another kind."""
        _colons.count = 0
        return self.decode(raw), _colons.count


def typed_records(shapes: Shapes) -> TypedRecords | None:
    """None where msgspec is missing, looks names up in another way, or cannot have a key of that name."""
    if find_spec("msgspec") is None:
        return None
    import msgspec

    types = _Types(msgspec, shapes)
    if not types.knows_names():
        return None
    try:
        decode = msgspec.json.Decoder(types.envelope(), dec_hook=_read, float_hook=decimal_of).decode
    except ValueError:
        return None
    refusals = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, Misread, Refused)
    return TypedRecords(decode, refusals, msgspec.UNSET)


# -- values that msgspec does not read ---------------------------------------------------------


class _Colons(local):
    """Counted while a line is decoded."""

    count = 0


_colons = _Colons()


def _as_scalar(expected: Type) -> Callable[[object], Value]:
    def read(value: object) -> Value:
        if type(value) is str:
            _colons.count += value.count(":")
        elif type(value) is int and not -LARGEST <= value <= LARGEST:
            raise Misread
        typed = read_scalar(value, expected)
        if typed is UNFIT:
            raise Misread
        return typed

    return read


def _as_number(value: object) -> Value:
    return value if type(value) is int and -LARGEST <= value <= LARGEST else _any_number(value)


def _as_played(value: object) -> object:
    """Single values and lists of them: whether they can be answers, the careful reader says."""
    items = value if type(value) is list else [value]
    if not all(type(one) in _PLAYED and (type(one) is not int or abs(one) <= LARGEST) for one in items):
        raise Misread
    return value


def _marker(name: str, read: Callable[[object], object], *kinds: type) -> type:
    """A type that msgspec does not know: it hands over what stands there, and takes what is made of it."""
    marker = ABCMeta(name, (), {"read": staticmethod(read)})
    for kind in kinds:
        marker.register(kind)
    return marker


def _read(marker: Any, value: object) -> object:
    return marker.read(value)


_any_number = _as_scalar(NUMBER)
_PLAYED = (int, str, bool, Decimal, type(None))
_ANY_PLAYED = _marker("played", _as_played, int, str, Decimal, list)
_NUMBER = _marker("number", _as_number, int, Decimal)
_TEMPORAL = {
    type(temporal): _marker(describe(temporal), _as_scalar(temporal), kind)
    for temporal, kind in (
        (DATE, Date),
        (TIME, Time),
        (DATE_TIME, DateTime),
        (DAYS_DURATION, DaysDuration),
        (YEARS_DURATION, YearsDuration),
    )
}


# -- types -------------------------------------------------------------------------------------


@dataclass
class _Types:
    """msgspec's types for a workbook's; `refused` is a type that nothing has."""

    msgspec: Any
    shapes: Shapes
    known: dict[tuple[str, tuple[str, ...]], Any] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        meta = self.msgspec.Meta
        self.whole = Annotated[int, meta(ge=-LARGEST, le=LARGEST)]
        self.refused = Annotated[int, meta(ge=1, le=0)]

    def knows_names(self) -> bool:
        value = object()
        try:
            names = _looked_up({"name": value}, {"Name": value}.get)
            read = self.msgspec.json.decode(b'["name", "Name"]', type=_of(list, names))
            return all(one is value for one in read)
        except self.msgspec.MsgspecError:
            return False

    def envelope(self) -> Any:
        unset = self.msgspec.UNSET
        text = str | None | self.msgspec.UnsetType
        fields = [
            ("state", self._state()),
            ("turn", self.whole | str),
            ("game", text, unset),
            ("ask", text, unset),
            ("played", _of(dict, str, _ANY_PLAYED | None) | None | self.msgspec.UnsetType, unset),
        ]
        return self.msgspec.defstruct("Envelope", fields, forbid_unknown_fields=True)

    # -- records -------------------------------------------------------------------------------

    def _state(self) -> Any:
        shape = self.shapes.records[self.shapes.state]
        fields = [self._state_field(f, shape.kind.STORED[f.name]) for f in shape.fields]
        return self.msgspec.defstruct("State", fields, forbid_unknown_fields=True)

    def _state_field(self, shape: FieldShape, attribute: str) -> tuple[str, Any, Any]:
        fixed = tuple(self.shapes.fixed.get(shape.name, ()))
        absent = self.msgspec.field(default=self.msgspec.UNSET, name=shape.name)
        return attribute, self._field(shape.type, fixed) | None | self.msgspec.UnsetType, absent

    def _record(self, name: str, fixed: tuple[str, ...] = ()) -> Any:
        """One that holds others of its own kind has no type here."""
        if name in self.open:
            return self.refused
        if (name, fixed) not in self.known:
            self.open.add(name)
            self.known[name, fixed] = self._struct(self.shapes.records[name], fixed)
            self.open.remove(name)
        return self.known[name, fixed]

    def _struct(self, shape: RecordShape, fixed: tuple[str, ...]) -> Any:
        """A class like the module's own for these records, which msgspec can fill."""
        own, slots = shape.kind, shape.kind.__slots__
        fields = [self._record_field(f, own.STORED[f.name], fixed) for f in shape.fields]
        if "turn" in slots:
            fields.append(("turn", self.refused, self.msgspec.field(default=None, name=FIELDS_OF_TURN)))
        class_ = self.msgspec.defstruct(
            own.__name__,
            fields,
            bases=(Stored, self.msgspec.Struct),
            namespace=_namespace(own),
            dict="__dict__" in slots,
            eq=False,
            kw_only=True,
            forbid_unknown_fields=True,
        )
        Fields.register(class_)
        return class_

    def _record_field(
        self, shape: FieldShape, attribute: str, fixed: tuple[str, ...]
    ) -> tuple[str, Any, Any]:
        unset = self.msgspec.UNSET
        if shape.name in fixed:
            return attribute, self.refused, self.msgspec.field(default=unset, name=shape.name)
        of = self._field(shape.type, ())
        if shape.default is None and not isinstance(shape.type, OptionalType):
            return attribute, of, self.msgspec.field(name=shape.name)
        absent = self.msgspec.field(default=unset, name=shape.name)
        return attribute, of | None | self.msgspec.UnsetType, absent

    # -- values --------------------------------------------------------------------------------

    def _field(self, type_: Type, fixed: tuple[str, ...]) -> Any:
        """Only here a map can be put in order, and only here something is fixed."""
        match type_:
            case OptionalType(of=of):
                return self._field(of, fixed) | None
            case RecordType(name=name):
                return self._record(name, fixed)
            case MapType(key=key, value=of):
                names = self.shapes.vocabularies[key.name]
                ids = self._names({id_: id_ for id_ in names}, partial(_id, names))
                return _of(dict, ids, self._value(of))
            case _:
                return self._value(type_)

    def _value(self, type_: Type) -> Any:
        match type_:
            case OptionalType(of=of):
                return self._value(of) | None
            case NumberType(whole=True):
                return self.whole
            case NumberType():
                return _NUMBER
            case TextType():
                return str
            case BooleanType():
                return bool
            case VocabularyType(name=name):
                names = self.shapes.vocabularies[name]
                return self._names(names, partial(_value_named, names))
            case RestrictedType(of=of):
                return self._value(of)
            case ListType(item=item):
                return _of(list, self._value(item))
            case DateType() | TimeType() | DateTimeType() | DaysDurationType() | YearsDurationType():
                return _TEMPORAL[type(type_)]
            case RecordType(name=name):
                return self._record(name)
            case _:
                return self.refused

    def _names(self, values: Mapping[str, object], otherwise: Callable[[str], object]) -> Any:
        return _looked_up(values, otherwise) if values else self.refused


def _namespace(own: type[Stored]) -> dict[str, object]:
    """What the class says of its records, and what it works out."""
    attributes = {name: value for name, value in vars(own).items() if not name.startswith(("__", "_abc"))}
    worked_out = {
        n: WorkedOutAside(v.attribute, v.compute) for n, v in attributes.items() if isinstance(v, WorkedOut)
    }
    slots = vars(own)["__slots__"]
    return {name: value for name, value in (attributes | worked_out).items() if name not in slots}


def _of(kind: type, *parts: Any) -> Any:
    return GenericAlias(kind, parts)


def _id(names: Names, spelling: str) -> str | None:
    matches = names.matches(spelling)
    return matches[0] if len(matches) == 1 else None


def _value_named(names: Names, spelling: str) -> object:
    id_ = _id(names, spelling)
    return None if id_ is None else names[id_]


def _looked_up(values: Mapping[str, object], otherwise: Callable[[str], object]) -> Any:
    """msgspec looks a text up in an enumeration's map from values to members and takes what stands there; of
    what does not stand there it asks the enumeration, to which None is no."""
    make: Any = Enum
    kind = make("Name", {f"name_{number}": spelling for number, spelling in enumerate(values)})
    kind._value2member_map_ = dict(values)
    kind._missing_ = otherwise
    return kind
