"""What a constant expression evaluates to, as a log would write it."""

from __future__ import annotations

from dtables.feel.types import UnknownType
from dtables.feel.values import FeelError, Plain, Value, arithmetic, as_plain, negate
from dtables.model.expressions import (
    Arithmetic,
    Constant,
    Expression,
    MakeContext,
    MakeList,
    MakeRecord,
    NameOf,
    Negation,
)


def constant_of(expression: Expression) -> Plain:
    """The plain value: ids for names, lists, dictionaries for records; None for null and for what is
    no constant."""
    match expression:
        case Constant(value=value):
            return as_plain(value)
        case NameOf(id=id_):
            return id_
        case MakeList(items=items):
            return [constant_of(item) for item in items]
        case MakeContext(entries=entries):
            return {entry.name: constant_of(entry.value) for entry in entries}
        case MakeRecord(fields=fields):
            return {name: constant_of(value) for name, value in fields}
        case Negation() | Arithmetic():
            try:
                return as_plain(computed(expression))
            except (FeelError, NoConstant):
                return None
        case _:
            return None


class NoConstant(Exception):
    """Only a turn can tell the value."""


def computed(expression: Expression) -> Value:
    """The value of arithmetic between constants. FeelError where it has none."""
    match expression:
        case Constant(value=value) if not isinstance(expression.type, UnknownType):
            return value
        case Negation(operand=operand):
            return negate(computed(operand))
        case Arithmetic(operator=operator, left=left, right=right):
            return arithmetic(operator, computed(left), computed(right))
        case _:
            raise NoConstant
