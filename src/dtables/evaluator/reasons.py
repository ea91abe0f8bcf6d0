"""Which parts of a condition made it what it is, by the values that its parts had.

Nothing is worked out here: a part that was never reached (the right side of an `and` that the left one
settled) has no value and is no reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from dtables.evaluator.trace import Reason, Reasons, Shown
from dtables.feel.values import Value
from dtables.model.expressions import (
    Comparison,
    Conditional,
    Constant,
    Expression,
    Guard,
    InList,
    Logic,
    Matches,
    Not,
    Quantified,
    Quantifier,
)

Seen = dict[int, Value]
"""Values by the identity of the expression: alike expressions may stand in several places."""


def reasons(condition: Expression, seen: Seen) -> Reasons:
    return tuple(_reasons(condition, seen))


def _reasons(part: Expression, seen: Seen) -> Iterator[Reason]:
    if id(part) not in seen:
        return
    match part:
        case Logic():
            yield from _of_logic(part, seen)
        case Not(operand=operand) | Guard(operand=operand):
            yield from _reasons(operand, seen)
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            chosen = then if seen.get(id(condition)) is True else otherwise
            yield from _reasons(condition if isinstance(chosen, Constant) else chosen, seen)
        case Quantified(quantifier=Quantifier.EVERY, condition=condition) if seen[id(part)] is False:
            # the loop ended with the item that failed
            yield from _reasons(condition, seen)
        case Constant():
            return
        case _:
            yield from _leaf(part, looked_at(part), seen)


def looked_at(part: Expression) -> tuple[Expression, ...]:
    """The expressions whose values a part of a condition compares."""
    match part:
        case Comparison(left=left, right=right):
            return (left, right)
        case Matches(value=value, tests=(InList(list=listed),)):
            return (value, listed)
        case Matches(value=value):
            return (value,)
        case _:
            return (part,)


def _of_logic(part: Logic, seen: Seen) -> Iterator[Reason]:
    """Of an `and` that failed the parts that failed; of an `or` that held those that held."""
    value = seen[id(part)]
    for side in (part.left, part.right):
        if id(side) in seen and seen[id(side)] is value:
            yield from _reasons(side, seen)


def _leaf(part: Expression, compared: tuple[Expression, ...], seen: Seen) -> Iterator[Reason]:
    value = seen[id(part)]
    if all(id(one) in seen for one in compared) and (value is None or isinstance(value, bool)):
        yield Reason(part, tuple(Shown(seen[id(one)], one.type) for one in compared), value)
