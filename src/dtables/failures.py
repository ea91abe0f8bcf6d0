"""Every message of rules that fail while they are answering, in words that every engine shares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from dtables.feel.types import FunctionType, Type, describe, plain
from dtables.feel.values import (
    ByNames,
    FeelError,
    Fields,
    Function,
    Misfit,
    Names,
    Plain,
    Range,
    Row,
    Value,
    as_plain,
    kind_of,
    literal,
    misfit,
)

MOST_SHOWN = 60


def null_here(expected: str) -> str:
    """A null reached a place that needs a value; `expected` describes its type."""
    text = f"this is null, and a value is needed here ({expected})"
    return f"{text}; an empty list is `[]`" if expected.startswith("list of ") else text


def type_here(expected: Sequence[Type], found: Misfit) -> str:
    """A value whose type nobody knew before it ran."""
    described = " or ".join(map(describe, expected))
    if found.value is None and not found.inside:
        return null_here(described)
    place = f" ({', '.join(found.inside)})" if found.inside else ""
    return f"expected {described}, found {_shown(found.value)}{place}"


def require(value: Value, types: Sequence[Type], names: Names) -> Value:
    """The value, if it is of one of the types; FeelError says what it is instead. A function is looked at
    whenever it is called."""
    found = None
    for type_ in types:
        found = misfit(value, type_, names)
        if found is None:
            kind = plain(type_)
            if isinstance(kind, FunctionType) and isinstance(value, Function):
                return _required_function(value, kind, names)
            return value
    raise FeelError(type_here(types, found if found and len(types) == 1 else Misfit(value)))


def call(function: Value, arguments: Sequence[Value], names: Names | None) -> Value:
    """Call a function that is a value; its arguments must be what it says they are. In the standard's models,
    which have no names, functions look for themselves."""
    if not isinstance(function, Function):
        raise FeelError(f"{kind_of(function)} cannot be called")
    if not function.variadic and len(arguments) != len(function.parameters):
        raise FeelError(f"the function takes {len(function.parameters)} arguments, not {len(arguments)}")
    if isinstance(function.body, ByNames):
        target, *given = arguments
        return call(target, function.body.placed(target, given), names)
    if names is None or function.name or len(function.types) != len(arguments):
        return function(*arguments)
    return function(*(require(a, (t,), names) for a, t in zip(arguments, function.types, strict=True)))


def _required_function(function: Function, expected: FunctionType, names: Names) -> Function:
    def body(*arguments: Value) -> Value:
        return require(call(function, arguments, names), (expected.result,), names)

    return replace(function, body=body, types=expected.parameters, result=expected.result)


def _shown(value: Value) -> str:
    match value:
        case list():
            return "a list"
        case dict():
            return "a context"
        case Row():
            return f"{value.vocabulary} {value.id}"
        case Fields():
            return f"a record of type {value.record_type}"
        case Function():
            return "a function"
        case Range():
            return "a range"
        case _:
            try:
                text = literal(value)
            except FeelError:
                return f"a {kind_of(value)}"
            return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"


def two_rows_fire(first: str, second: str) -> str:
    """Two rows fire under a policy that allows one."""
    return f"rows {first} and {second} both fire, and the policy is unique"


def rows_differ(first: str, second: str) -> str:
    """Two rows fire with different outcomes under a policy that requires them to be equal."""
    return f"rows {first} and {second} fire with different values, and the policy is any"


def no_row_fires() -> str:
    """No row of a decision fires, and nothing else gives its value."""
    return "no row fires, and there is no otherwise"


def undecided(left: Iterable[Value]) -> str:
    """A scale must decide, and `left` remain after its last row."""
    return f"the last row leaves more than one: {', '.join(map(named, left))}"


def no_entry(keys: Iterable[Value]) -> str:
    """A matrix or dice table is asked for keys that it does not have."""
    return f"there is no entry for {', '.join(map(named, keys))}"


def too_many_iterations(most: int) -> str:
    """A loop has more rounds than `most`."""
    return f"the loop runs more than {most:,} times"


def too_many_outcomes(most: int) -> str:
    """The combinations of a record's open draws are more than `most`."""
    return f"the open draws have more than {most:,} outcomes together"


def too_deep() -> str:
    """Tables, steps and functions call one another too deeply for Python's stack."""
    return "the rules nest too deeply to be worked out"


def quotable(value: Value) -> Plain:
    """A value that a finding quotes."""
    try:
        return as_plain(value)
    except FeelError:
        return _shown(value)


def named(value: Value) -> str:
    """A value among others; what cannot leave the rules by its kind."""
    plain = quotable(value)
    return "null" if plain is None else str(plain)
