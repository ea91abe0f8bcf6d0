"""Going through lists: `for`, `some`, `every`, filters. Every loop is bounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeVar

from dtables import failures
from dtables.evaluator.index import has_calls
from dtables.evaluator.state import Mode, Scope
from dtables.evaluator.trace import Filtered, Judged, Reckoned, Shown, Step
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
from dtables.feel.values import (
    bounded as bounded_whole,
)
from dtables.model.expressions import Binding, Filter, For, Node, Quantified, Quantifier, Select
from dtables.records.findings import RuleError

Item = TypeVar("Item")

MOST_TOLD = 12


def for_each(node: For, scope: Scope) -> list[Value]:
    results: list[Value] = []
    observer = scope.turn.observer
    mark = observer.open()
    for inner in bounded(node, _iterations(node.bindings, scope), scope):
        if node.partial is not None:
            inner = inner.bind(node.partial, list(results))
        start = observer.open()
        result = inner.value(node.result)
        results.append(bounded_number(result) if node.partial is not None else result)
        observer.close(start, partial(came_to, node, inner, results[-1]))
        if len(results) > MOST_TOLD:
            observer.drop(mark)
    if len(results) > MOST_TOLD or not scope.turn.index.calls_for_each(node):
        observer.drop(mark)
    return results


def bounded_number(value: Value) -> Value:
    """What grows from round to round must end before memory does."""
    return bounded_whole(value) if type(value) is int else value


def came_to(node: For, inner: Scope, value: Value, inside: tuple[Step, ...]) -> Reckoned:
    variables = [binding.variable for binding in node.bindings]
    items = tuple((one.name, Shown(inner.names[one.number], one.type)) for one in variables)
    return Reckoned("", items, Shown(value, node.result.type), node.result.where.cell, (), (), inside)


def quantified(node: Quantified, scope: Scope) -> bool | None:
    """Three-valued, as a chain of `or` or `and`; ends where the result is settled."""
    some = node.quantifier is Quantifier.SOME
    result: bool | None = not some
    mark = scope.turn.observer.open()
    for inner in bounded(node, _iterations(node.bindings, scope), scope):
        held = truth(inner.value(node.condition))
        result = disjunction(result, held) if some else conjunction(result, held)
        scope.turn.observer.drop(mark)
        if result is some:
            break
    return result


def filtered(node: Filter, scope: Scope) -> list[Value] | None:
    items = scope.value(node.of)
    if items is None:
        return None
    observer = scope.turn.observer
    mark = observer.open()
    judged = []
    for item in items:
        watched = observer.watch()
        kept = scope.bind(node.item, item).value(node.condition) is True
        why, inside = observer.why(watched, node.condition), observer.take(mark)
        judged.append(Judged(Shown(item, node.item.type), kept, why, inside))
    observer.close(mark, lambda _: _told(node, judged, scope))
    return [one.item.value for one in judged if one.kept]


def _told(node: Filter, judged: list[Judged], scope: Scope) -> Filtered:
    """A plain condition says itself what it drops; nor is it told why an item was kept, or what comes after
    the first one where no other is wanted."""
    calls = has_calls(node.condition)
    if not calls and not scope.turn.index.reads_worked_out(node.condition):
        return Filtered((), calls, node.where.cell)
    if scope.turn.index.takes_first(node):
        first = next((place for place, one in enumerate(judged) if one.kept), len(judged))
        judged = judged[: first + 1]
    told = (replace(one, reasons=(), inside=()) if one.kept else one for one in judged)
    return Filtered(tuple(told), calls, node.where.cell)


def selected(node: Select, scope: Scope) -> Value:
    """A number is an index, whichever item it was worked out for; anything else is a condition."""
    value = scope.value(node.of)
    items = value if isinstance(value, list) else [value]
    mark = scope.turn.observer.open()
    kept: list[Value] = []
    for item in items or [None]:
        held = scope.bind(node.item, item).value(node.condition)
        if _is_number(held):
            return item_at(items, held)
        if truth(held) is True and items:
            kept.append(item)
    scope.turn.observer.drop(mark)
    return kept


def _is_number(value: Value) -> bool:
    return kind_of(value) == "number"


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
            raise RuleError(message, node.where, scope.table)
        yield inner
