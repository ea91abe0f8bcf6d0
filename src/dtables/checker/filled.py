"""Lists that surely hold something, so that their first item and their greatest are not null."""

from __future__ import annotations

from dtables.checker.here import Here
from dtables.checker.sure import filled_key
from dtables.model.expressions import (
    Binding,
    CallBuiltin,
    Conditional,
    Constant,
    EachOf,
    Expression,
    For,
    Guard,
    MakeList,
)


def filled(here: Here, value: Expression) -> bool:
    """A condition further out says so, or it is made so."""
    if here.scope.present and filled_key(value) in here.scope.present:
        return True
    match value:
        case MakeList(items=items):
            return bool(items)
        case EachOf(vocabulary=vocabulary):
            return bool(here.symbols.vocabularies[vocabulary].names)
        case For(bindings=bindings):
            return all(_goes_round(here, binding) for binding in bindings)
        case Conditional(then=then, otherwise=otherwise):
            return filled(here, then) and filled(here, otherwise)
        case Guard(operand=operand):
            return filled(here, operand)
        case CallBuiltin(builtin="append" | "insert before"):
            return True
        case CallBuiltin(builtin="concatenate" | "union", arguments=arguments):
            return any(filled(here, argument) for argument in arguments)
        case CallBuiltin(builtin="reverse" | "sort" | "distinct values", arguments=(of, *_)):
            return filled(here, of)
        case _:
            return False


def _goes_round(here: Here, binding: Binding) -> bool:
    """A range is never empty: `1..0` counts down."""
    return binding.end is not None or filled(here, binding.source)


def first_or_last(index: Expression) -> bool:
    return isinstance(index, Constant) and not isinstance(index.value, bool) and index.value in (1, -1)
