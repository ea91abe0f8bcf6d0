"""What a constant expression is worth, as a log would write it."""

from __future__ import annotations

from dtables.feel.errors import FeelError
from dtables.feel.values import Plain, arithmetic, as_plain, negate
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
            return _computed(expression)
        case _:
            return None


def _computed(expression: Negation | Arithmetic) -> Plain:
    """Arithmetic between constants; None where it has no result."""
    try:
        match expression:
            case Negation(operand=Constant(value=value)):
                return as_plain(negate(value))
            case Arithmetic(operator=operator, left=Constant(value=left), right=Constant(value=right)):
                return as_plain(arithmetic(operator, left, right))
            case _:
                return None
    except FeelError:
        return None
