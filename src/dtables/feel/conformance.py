"""Is a value of a type, where nothing was known of it before it ran? By the same rules by which the checker
lets types stand for one another: a record is no context, a name of one vocabulary none of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from dtables.feel import types
from dtables.feel.kinds import Fields, Function, Range, Row, Value
from dtables.feel.reading import SIMPLE_KINDS, Names, is_name


@dataclass(frozen=True, slots=True)
class Misfit:
    """The innermost value that is not what it must be. `inside` leads to it: `item 2`, `price`."""

    value: Value
    inside: tuple[str, ...] = ()


def conforms(value: Value, expected: types.Type, names: Names) -> bool:
    """Say whether the value is of the type, as `misfit` has it."""
    return misfit(value, expected, names) is None


def misfit(value: Value, expected: types.Type, names: Names) -> Misfit | None:
    """None where the value is of the type. A restricted type is what it restricts, as everywhere."""
    match expected:
        case types.AnyType() | types.UnknownType():
            return None
        case types.OptionalType(of=of):
            return None if value is None else misfit(value, of, names)
        case types.RestrictedType(of=of):
            return misfit(value, of, names)
        case types.ListType(item=item) if type(value) is list:
            return _first([(f"item {n}", one, item) for n, one in enumerate(value, 1)], names)
        case types.ContextType(fields=fields) if type(value) is dict:
            return _first([(name, value.get(name), of) for name, of in fields], names)
        case types.MapType() if type(value) is dict:
            return _in_map(value, expected, names)
        case types.RangeType(item=item) if isinstance(value, Range):
            ends = [("start", value.low, item), ("end", value.high, item)]
            return _first([end for end in ends if end[1] is not None], names)
        case _:
            return None if _is_one(value, expected, names) else Misfit(value)


def _first(parts: Sequence[tuple[str, Value, types.Type]], names: Names) -> Misfit | None:
    for name, value, expected in parts:
        found = misfit(value, expected, names)
        if found is not None:
            return Misfit(found.value, (name, *found.inside))
    return None


def _in_map(value: dict[str, Value], expected: types.MapType, names: Names) -> Misfit | None:
    known = names[expected.key.root]
    for key in value:
        if key not in known:
            return Misfit(key)
    return _first([(key, one, expected.value) for key, one in value.items()], names)


def _is_one(value: Value, expected: types.Type, names: Names) -> bool:
    match expected:
        case types.NullType():
            return value is None
        case types.NumberType(whole=whole):
            return type(value) is int or (not whole and type(value) is Decimal)
        case types.VocabularyType(root=root):
            return is_name(value, root, names)
        case types.RecordType(name=name):
            return isinstance(value, Fields) and not isinstance(value, Row) and value.record_type == name
        case types.FunctionType(parameters=parameters):
            return isinstance(value, Function) and (
                value.variadic or len(value.parameters) == len(parameters)
            )
        case _:
            return type(value) is SIMPLE_KINDS.get(type(expected))
