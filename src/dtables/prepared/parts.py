"""Which expressions inside a condition reasons may look at."""

from __future__ import annotations

from collections.abc import Iterator

from dtables.evaluator.reasons import looked_at
from dtables.feel.types import AnyType, BooleanType, NullType, UnknownType, may_be_null, plain
from dtables.model.expressions import (
    Conditional,
    Constant,
    Expression,
    Guard,
    Logic,
    Not,
    Quantified,
    Quantifier,
)


def bears_reasons(part: Expression) -> bool:
    """Can there be any reason at all?"""
    match part:
        case Logic():
            return True
        case Not(operand=operand) | Guard(operand=operand):
            return bears_reasons(operand)
        case Conditional(then=then, otherwise=otherwise):
            constant = isinstance(then, Constant) or isinstance(otherwise, Constant)
            return constant or bears_reasons(then) or bears_reasons(otherwise)
        case Constant():
            return False
        case _:
            kinds = (BooleanType, NullType, AnyType, UnknownType)
            return may_be_null(part.type) or isinstance(plain(part.type), kinds)


def parts_looked_at(part: Expression) -> Iterator[Expression]:
    yield part
    match part:
        case Logic(left=left, right=right):
            yield from parts_looked_at(left)
            yield from parts_looked_at(right)
        case Not(operand=operand) | Guard(operand=operand):
            yield from parts_looked_at(operand)
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            for one in (condition, then, otherwise):
                yield from parts_looked_at(one)
        case Quantified(quantifier=Quantifier.EVERY, condition=condition):
            yield from parts_looked_at(condition)
        case Constant():
            return
        case _:
            yield from looked_at(part)
