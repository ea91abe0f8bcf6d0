"""Steps that are tried in order, read as their cells say it: one after the other, item by item, until one
works. The decision that the checker makes of them is not looked at, but for its columns and `otherwise`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from dtables.feel.values import Value
from dtables.model.tables import Attempt, Decision, Turn
from tests.oracle.values import Lazy, Scope


def attempt(turn: Turn, decision: Decision, scope: Scope) -> Value:
    """The outcome of the first step that works."""
    running = [(step.number, step.attempt) for step in turn.steps if step.attempt is not None]
    for place, (_, step) in enumerate(running):
        values = _outcomes_of(step, running[:place], scope)
        if values:
            return _combined(decision, values)
    return None if decision.otherwise is None else scope.value(decision.otherwise.value)


def _outcomes_of(step: Attempt, earlier: Sequence[tuple[str, Attempt]], scope: Scope) -> list[Value]:
    """None if the step does not work."""
    around = scope
    before = Lazy(lambda: [item for one in earlier for item in _tried_by(*one, around)])
    scope = scope.bind(step.tried, before)
    if not all(scope.value(condition) is True for condition in step.conditions):
        return []
    for inner in _rounds(step, before, scope):
        if all(inner.value(condition) is True for condition in step.of_item):
            values = _outcomes(step, inner)
            if values:
                return values
    return []


def _rounds(step: Attempt, before: Lazy, scope: Scope) -> Iterator[Scope]:
    """A step without a list is tried once; of items those that were tried count as tried."""
    if step.each is None or step.item is None:
        yield scope
        return
    items = scope.value(step.each)
    for place, item in enumerate(items):
        yield scope.bind(step.item, item).bind(step.tried, Lazy(partial(_and, before, items[:place])))


def _and(before: Lazy, items: list[Value]) -> Value:
    return [*before.value(), *items]


def _tried_by(number: str, step: Attempt, scope: Scope) -> Sequence[Value]:
    """What an earlier step adds to `tried`: all of its items, though it may have had none that suits."""
    if not step.of_items:
        return [number]
    items: Sequence[Value] = [] if step.each is None else scope.value(step.each)
    return items


def _outcomes(step: Attempt, scope: Scope) -> list[Value]:
    """Nothing where the first is null: the others are not read then."""
    values: list[Value] = []
    for outcome in step.outcomes:
        values.append(scope.value(outcome))
        if values[0] is None:
            return []
    return values


def _combined(decision: Decision, values: list[Value]) -> Value:
    if len(values) == 1:
        return values[0]
    return {column.name: value for column, value in zip(decision.outcomes, values, strict=True)}
