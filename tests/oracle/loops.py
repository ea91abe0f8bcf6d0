"""Going through lists: `for`, `some`, `every`, filters. Every loop is bounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from dtables import failures
from dtables.feel.limits import MOST_ITERATIONS
from dtables.feel.values import (
    FeelError,
    LimitError,
    Range,
    Value,
    conjunction,
    disjunction,
    elements,
    item_at,
    kind_of,
    steps,
    truth,
)
from dtables.feel.values import bounded as bounded_whole
from dtables.model.expressions import Binding, Filter, For, Node, Quantified, Quantifier, Select
from tests.oracle.failing import Failed
from tests.oracle.values import Mode, Scope

Item = TypeVar("Item")


def for_each(node: For, scope: Scope) -> list[Value]:
    results: list[Value] = []
    for inner in bounded(node, _iterations(node.bindings, scope), scope):
        if node.partial is None:
            results.append(inner.value(node.result))
        else:
            result = inner.bind(node.partial, list(results)).value(node.result)
            results.append(bounded_number(result))
    return results


def bounded_number(value: Value) -> Value:
    """What grows from round to round must end before memory does."""
    return bounded_whole(value) if type(value) is int else value


def quantified(node: Quantified, scope: Scope) -> bool | None:
    """Three-valued, as a chain of `or` or `and`; ends where the result is settled."""
    some = node.quantifier is Quantifier.SOME
    result: bool | None = not some
    for inner in bounded(node, _iterations(node.bindings, scope), scope):
        held = truth(inner.value(node.condition))
        result = disjunction(result, held) if some else conjunction(result, held)
        if result is some:
            break
    return result


def filtered(node: Filter, scope: Scope) -> list[Value] | None:
    items = scope.value(node.of)
    if items is None:
        return None
    return [item for item in items if scope.bind(node.item, item).value(node.condition) is True]


def selected(node: Select, scope: Scope) -> Value:
    """A number is an index, whichever item it was worked out for; anything else is a condition."""
    value = scope.value(node.of)
    items = value if isinstance(value, list) else [value]
    kept: list[Value] = []
    for item in items or [None]:
        held = scope.bind(node.item, item).value(node.condition)
        if kind_of(held) == "number":
            return item_at(items, held)
        if truth(held) is True and items:
            kept.append(item)
    return kept


def _iterations(bindings: tuple[Binding, ...], scope: Scope) -> Iterator[Scope]:
    """Later bindings go through their lists for each value of the earlier ones."""
    if not bindings:
        yield scope
        return
    first, *rest = bindings
    for value in _values(first, scope):
        yield from _iterations(tuple(rest), scope.bind(first.variable, value))


def _values(binding: Binding, scope: Scope) -> Iterator[Value]:
    source = scope.value(binding.source)
    if binding.end is not None:
        yield from steps(source, scope.value(binding.end))
    elif isinstance(source, Range):
        yield from elements(source)
    elif isinstance(source, list):
        yield from source
    elif source is not None and scope.turn.mode is Mode.STANDARD:
        yield source
    else:
        raise FeelError(f"{kind_of(source)} is no list to go through")


def bounded(node: Node, iterations: Iterable[Item], scope: Scope) -> Iterator[Item]:
    for count, inner in enumerate(iterations):
        if count == MOST_ITERATIONS:
            message = failures.too_many_iterations(MOST_ITERATIONS)
            if scope.turn.mode is Mode.STANDARD:
                raise LimitError(message)
            raise Failed(message, node.where, scope.table)
        yield inner
