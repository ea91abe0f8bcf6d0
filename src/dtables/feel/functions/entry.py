"""What an entry of the list of built-ins says, and the result types that many of them share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dtables.feel.kinds import Value
from dtables.feel.types import (
    ANY,
    NULL,
    AnyType,
    ListType,
    NumberType,
    Type,
    UnknownType,
    join,
    may_be_null,
    optional,
    plain,
)

ResultRule = Callable[[tuple[Type, ...]], Type]


@dataclass(frozen=True, slots=True)
class Parameter:
    """`type` Any takes null too. An `optional` one may be left out; the last may be `variadic`:
    one or more arguments."""

    name: str
    type: Type
    optional: bool = False
    variadic: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to call a built-in: its parameters in order."""

    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Builtin:
    """`result` tells the type from the types of the arguments given; `?` where null can come out of
    right arguments. `meaning` takes them by position and raises FeelError where there is no result.
    `examples` are expressions and what they evaluate to, both in FEEL."""

    name: str
    signatures: tuple[Signature, ...]
    result: ResultRule
    doc: str
    examples: tuple[tuple[str, str], ...]
    meaning: Callable[..., Value]
    standard: bool = True
    """False for what workbooks have beyond the DMN standard."""


def takes(*parameters: tuple[str, Type]) -> Signature:
    """Parameters that must all be given. `name?` may be left out, `name...` is variadic."""
    return Signature(tuple(_parameter(name, type_) for name, type_ in parameters))


def _parameter(name: str, type_: Type) -> Parameter:
    bare = name.removesuffix("...").removesuffix("?")
    return Parameter(bare, type_, optional=name.endswith("?"), variadic=name.endswith("..."))


# -- result rules --------------------------------------------------------------------------------


def always(type_: Type) -> ResultRule:
    return lambda _: type_


def list_type(given: Type) -> Type:
    """A list of it, unless it is one: a single value counts as a list of one."""
    stripped = plain(given)
    if isinstance(stripped, (ListType, AnyType, UnknownType)):
        return stripped
    return ListType(given)


def item_or_itself(given: Type) -> Type:
    """What is in a list; anything else is taken for a list of one."""
    stripped = plain(given)
    return stripped.item if isinstance(stripped, ListType) else given


def first_as_list(types: tuple[Type, ...]) -> Type:
    return list_type(types[0]) if types else ANY


def first(types: tuple[Type, ...]) -> Type:
    return types[0] if types else ANY


def list_of_all(types: tuple[Type, ...]) -> Type:
    """The join of several lists, as `concatenate` makes one."""
    return ListType(join(item_or_itself(given) for given in types))


def items_of(types: tuple[Type, ...]) -> Type:
    """The type of the values of `f(list)` or `f(a, b, …)`."""
    if len(types) == 1:
        return item_or_itself(types[0])
    return join(types) if types else NULL


def may_be_empty(types: tuple[Type, ...]) -> bool:
    return len(types) == 1 and isinstance(plain(types[0]), (ListType, AnyType))


def best_of(types: tuple[Type, ...]) -> Type:
    """One of the values; null of an empty list."""
    item = items_of(types)
    return optional(item) if may_be_empty(types) else item


def number_of(types: tuple[Type, ...]) -> Type:
    """A number, whole where all of them are."""
    return NumberType(whole=all_whole(items_of(types)))


def number_or_null(types: tuple[Type, ...]) -> Type:
    """The same; null of an empty list."""
    number = number_of(types)
    return optional(number) if may_be_empty(types) else number


def all_whole(item: Type) -> bool:
    stripped = plain(item)
    return isinstance(stripped, NumberType) and stripped.whole


def any_null(types: tuple[Type, ...]) -> bool:
    return any(may_be_null(given) or may_be_null(item_or_itself(given)) for given in types)
