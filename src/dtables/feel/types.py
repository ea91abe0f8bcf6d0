"""Static types of the expression language: what they are, what fits where.

A type says nothing about how a value is stored. `Optional` is the `?` of the workbooks. A
`Restricted` type (`age = whole number, allowed [1..3]`) behaves as what it restricts; only the
reading of records and data looks at its restriction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import assert_never


@dataclass(frozen=True, slots=True)
class AnyType:
    """Nothing is known before it runs (imported DMN models)."""


@dataclass(frozen=True, slots=True)
class NullType:
    """The type of `null` itself."""


@dataclass(frozen=True, slots=True)
class NumberType:
    """Exact: whole numbers are Python ints, the others Decimals. `whole` allows only the first."""

    whole: bool = False


@dataclass(frozen=True, slots=True)
class TextType:
    """Text, without a limit on its length."""


@dataclass(frozen=True, slots=True)
class BooleanType:
    """True or false, never null."""


@dataclass(frozen=True, slots=True)
class DateType:
    """A day, without a time."""


@dataclass(frozen=True, slots=True)
class TimeType:
    """A time of day, with or without an offset or zone."""


@dataclass(frozen=True, slots=True)
class DateTimeType:
    """A day with a time of day; `date and time`."""


@dataclass(frozen=True, slots=True)
class DaysDurationType:
    """`days and time duration`."""


@dataclass(frozen=True, slots=True)
class YearsDurationType:
    """`years and months duration`."""


@dataclass(frozen=True, slots=True)
class VocabularyType:
    """A closed list of names. `root` is the vocabulary whose values these are: a narrowed
    vocabulary (`weekday = day, allowed not(sunday)`) has its base's root, others their own name."""

    name: str
    root: str


@dataclass(frozen=True, slots=True)
class RecordType:
    """A record type of the workbook, by name; its fields stand in the model."""

    name: str


@dataclass(frozen=True, slots=True)
class ContextType:
    """An anonymous record, as a context literal makes one."""

    fields: tuple[tuple[str, Type], ...]


@dataclass(frozen=True, slots=True)
class ListType:
    """A list whose items are all of one type."""

    item: Type


@dataclass(frozen=True, slots=True)
class MapType:
    """`T by V`: one value per name of a vocabulary; a name left out reads as null."""

    key: VocabularyType
    value: Type


@dataclass(frozen=True, slots=True)
class RangeType:
    """A range as a value, with ends of one type."""

    item: Type


@dataclass(frozen=True, slots=True)
class FunctionType:
    """A function as a value."""

    parameters: tuple[Type, ...]
    result: Type
    names: tuple[str, ...] = field(default=(), compare=False)
    """Of the parameters, where they are known: a call may name them."""


@dataclass(frozen=True, slots=True)
class RestrictedType:
    """A named type whose values are some of another's; the tests stand in the model under `name`."""

    name: str
    of: Type


@dataclass(frozen=True, slots=True)
class OptionalType:
    """`of`, or null. Never nested, never around Any, Null or Unknown."""

    of: Type


@dataclass(frozen=True, slots=True)
class UnknownType:
    """What a broken cell has: fits everywhere and raises no second message."""


Type = (
    AnyType | NullType | NumberType | TextType | BooleanType | DateType | TimeType | DateTimeType
    | DaysDurationType | YearsDurationType | VocabularyType | RecordType | ContextType | ListType
    | MapType | RangeType | FunctionType | RestrictedType | OptionalType | UnknownType
)  # fmt: skip

ANY = AnyType()
NULL = NullType()
NUMBER = NumberType()
WHOLE = NumberType(whole=True)
TEXT = TextType()
BOOLEAN = BooleanType()
DATE = DateType()
TIME = TimeType()
DATE_TIME = DateTimeType()
DAYS_DURATION = DaysDurationType()
YEARS_DURATION = YearsDurationType()
UNKNOWN = UnknownType()

NAMED_TYPES: dict[str, Type] = {
    "any": ANY,
    "number": NUMBER,
    "whole number": WHOLE,
    "text": TEXT,
    "boolean": BOOLEAN,
    "date": DATE,
    "time": TIME,
    "date and time": DATE_TIME,
    "days and time duration": DAYS_DURATION,
    "years and months duration": YEARS_DURATION,
}


def optional(of: Type) -> Type:
    """Return the type that also has null; types that have it already come back as they are."""
    match of:
        case OptionalType() | AnyType() | NullType() | UnknownType():
            return of
        case _:
            return OptionalType(of)


def without_null(of: Type) -> Type:
    """Return the type inside `?`. `any` and the type of null come back as they are."""
    return of.of if isinstance(of, OptionalType) else of


def may_be_null(of: Type) -> bool:
    """Say whether null is a value of the type."""
    return isinstance(of, (OptionalType, NullType, AnyType))


def plain(of: Type) -> Type:
    """The type without its restriction and without `?`: what operators look at."""
    of = without_null(of)
    while isinstance(of, RestrictedType):
        of = without_null(of.of)
    return of


def item_type(of: Type) -> Type:
    """Return the type of a list's items; of anything else the type itself, plain."""
    match plain(of):
        case ListType(item=item):
            return item
        case other:
            return other


def vocabulary_of(of: Type) -> str | None:
    """The vocabulary whose ids the values of a type are."""
    match plain(of):
        case VocabularyType(root=root):
            return root
        case _:
            return None


def fits(given: Type, expected: Type) -> bool:
    """Can a value of type `given` stand where `expected` is asked for? Null is looked at too:
    an optional value does not fit a type without `?` (the checker puts a guard there)."""
    return _fits(given, expected, fits)


def surely_fits(given: Type, expected: Type) -> bool:
    """Say whether it `fits` and nothing is left to be seen when it runs: no Any stands where more is asked
    for."""
    if isinstance(given, AnyType):
        return isinstance(expected, (UnknownType, AnyType))
    return _fits(given, expected, surely_fits)


Fits = Callable[[Type, Type], bool]


def _fits(given: Type, expected: Type, inside: Fits) -> bool:
    if isinstance(given, (UnknownType, AnyType)) or isinstance(expected, (UnknownType, AnyType)):
        return True
    if may_be_null(given) and not may_be_null(expected):
        return False
    if isinstance(given, NullType):
        return True
    return _fits_plain(plain(given), plain(expected), inside)


def _fits_plain(given: Type, expected: Type, fits: Fits) -> bool:
    """`fits` is asked of what stands inside."""
    match given, expected:
        case NumberType(), NumberType(whole=whole):
            return given.whole or not whole
        case VocabularyType(), VocabularyType(root=root):
            return given.root == root
        case ListType(), ListType(item=item):
            return fits(given.item, item)
        case RangeType(), RangeType(item=item):
            return fits(given.item, item)
        case MapType(), MapType(key=key, value=value):
            return given.key.root == key.root and fits(given.value, value)
        case ContextType(), ContextType(fields=fields):
            mine = dict(given.fields)
            return all(name in mine and fits(mine[name], type_) for name, type_ in fields)
        case FunctionType(), FunctionType(parameters=parameters, result=result):
            return (
                len(given.parameters) == len(parameters)
                and all(fits(w, g) for g, w in zip(given.parameters, parameters, strict=True))
                and fits(given.result, result)
            )
        case ((UnknownType() | AnyType()), _):
            return True
        case _, (UnknownType() | AnyType()):
            return True
        case _:
            return given == expected


def join(types: Iterable[Type]) -> Type:
    """The narrowest type that all fit; Any where they have nothing in common."""
    result: Type | None = None
    for type_ in types:
        if type_ is not result:
            result = type_ if result is None else _join_two(result, type_)
    return UNKNOWN if result is None else result


def _join_two(a: Type, b: Type) -> Type:
    """What is unknown beside a null may be more than null."""
    if isinstance(a, UnknownType):
        return a if isinstance(b, NullType) else b
    if isinstance(b, UnknownType):
        return b if isinstance(a, NullType) else a
    if isinstance(a, NullType):
        return optional(b)
    if isinstance(b, NullType):
        return optional(a)
    null = may_be_null(a) or may_be_null(b)
    a, b = without_null(a), without_null(b)
    joined: Type
    if a == b:
        joined = a
    else:
        joined = _join_plain(plain(a), plain(b))
    return optional(joined) if null else joined


def _join_plain(a: Type, b: Type) -> Type:
    match a, b:
        case NumberType(), NumberType():
            return a if not a.whole else b
        case VocabularyType(), VocabularyType() if a.root == b.root:
            return a if a == b else VocabularyType(a.root, a.root)
        case ListType(), ListType():
            return ListType(join([a.item, b.item]))
        case MapType(), MapType() if a.key.root == b.key.root:
            return MapType(a.key, join([a.value, b.value]))
        case ContextType(), ContextType() if [n for n, _ in a.fields] == [n for n, _ in b.fields]:
            theirs = dict(b.fields)
            return ContextType(tuple((n, join([t, theirs[n]])) for n, t in a.fields))
        case _:
            return a if a == b else ANY


def describe(of: Type) -> str:
    """Say the type in a workbook's words."""
    match of:
        case NumberType(whole=True):
            return "whole number"
        case VocabularyType(name=name) | RecordType(name=name) | RestrictedType(name=name):
            return name
        case ContextType(fields=fields):
            return "{" + ", ".join(f"{name}: {describe(type_)}" for name, type_ in fields) + "}"
        case ListType(item=item):
            return f"list of {describe(item)}"
        case MapType(key=key, value=value):
            return f"{describe(value)} by {describe(key)}"
        case RangeType(item=item):
            return f"range of {describe(item)}"
        case FunctionType(parameters=parameters, result=result):
            return f"function({', '.join(describe(p) for p in parameters)}) -> {describe(result)}"
        case OptionalType(of=inner):
            return f"{describe(inner)}?"
        case NullType():
            return "null"
        case UnknownType():
            return "unknown"
        case AnyType():
            return "any"
        case NumberType():
            return "number"
        case TextType():
            return "text"
        case BooleanType():
            return "boolean"
        case DateType():
            return "date"
        case TimeType():
            return "time"
        case DateTimeType():
            return "date and time"
        case DaysDurationType():
            return "days and time duration"
        case YearsDurationType():
            return "years and months duration"
        case _:
            assert_never(of)
