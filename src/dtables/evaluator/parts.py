"""Why a condition is what it is, as `evaluator.reasons` finds it, made a function once: by what was seen
of its parts. And which parts these are."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dtables.evaluator.reasons import Seen, looked_at
from dtables.evaluator.trace import Reason, Reasons, Shown
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

Why = Callable[[Seen], Reasons]
NO_REASONS: Reasons = ()


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


# -- reasons -----------------------------------------------------------------------------------


def why(part: Expression) -> Why:
    match part:
        case Logic(left=left, right=right):
            return _of_logic(part, left, right)
        case Not(operand=operand) | Guard(operand=operand):
            return _if_seen(part, why(operand))
        case Conditional():
            return _of_conditional(part)
        case Quantified(quantifier=Quantifier.EVERY, condition=condition):
            return _of_every(part, condition)
        case Constant():
            return lambda _seen: NO_REASONS
        case _:
            return _leaf(part)


def _if_seen(part: Expression, inner: Why) -> Why:
    key = id(part)
    return lambda seen: inner(seen) if key in seen else NO_REASONS


def _of_logic(part: Logic, left: Expression, right: Expression) -> Why:
    """Of an `and` that failed the parts that failed; of an `or` that held those that held."""
    key, sides = id(part), ((id(left), why(left)), (id(right), why(right)))

    def reasons(seen: Seen) -> Reasons:
        if key not in seen:
            return NO_REASONS
        value, found = seen[key], NO_REASONS
        for side, inner in sides:
            if side in seen and seen[side] is value:
                found += inner(seen)
        return found

    return reasons


def _of_conditional(part: Conditional) -> Why:
    key, condition = id(part), id(part.condition)
    chosen = {
        held: why(part.condition if isinstance(one, Constant) else one)
        for held, one in ((True, part.then), (False, part.otherwise))
    }

    def reasons(seen: Seen) -> Reasons:
        return chosen[seen.get(condition) is True](seen) if key in seen else NO_REASONS

    return reasons


def _of_every(part: Quantified, condition: Expression) -> Why:
    """The loop ended with the item that failed."""
    key, failing, holding = id(part), why(condition), _leaf(part)
    return lambda seen: (failing if seen.get(key, True) is False else holding)(seen)


def _leaf(part: Expression) -> Why:
    key = id(part)
    compared = tuple((id(one), one.type) for one in looked_at(part))

    def reasons(seen: Seen) -> Reasons:
        value = seen.get(key)
        if key not in seen or not (value is None or value is True or value is False):
            return NO_REASONS
        for one, _ in compared:
            if one not in seen:
                return NO_REASONS
        return (Reason(part, tuple([Shown(seen[one], type_) for one, type_ in compared]), value),)

    return reasons
