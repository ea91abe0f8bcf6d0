"""Filters and loops with what they say of their items."""

from __future__ import annotations

from functools import partial

from dtables.evaluator.index import has_calls
from dtables.evaluator.loops import MOST_TOLD, came_to
from dtables.evaluator.observer import taken
from dtables.evaluator.state import Scope
from dtables.evaluator.trace import Filtered, Judged, Shown
from dtables.feel.values import Value
from dtables.model.expressions import Filter, For
from dtables.prepared.loops import goes_through_one_list, items_of, kept_items, looped
from dtables.prepared.parts import why
from dtables.prepared.preparation import Preparation, Work


def told_filter(node: Filter, all_: Preparation) -> Work:
    if has_calls(node.condition) or all_.index.reads_worked_out(node.condition):
        return _judging(node, all_)
    of, kept = all_.work(node.of), kept_items(node, all_)
    nothing = Filtered((), False, node.where.cell)

    def plainly(scope: Scope) -> Value:
        items = of(scope)
        if items is None:
            return None
        steps = scope.turn.observer.steps
        mark = len(steps)
        some = kept(items, scope)
        del steps[mark:]
        steps.append(nothing)
        return some

    return plainly


def _judging(node: Filter, all_: Preparation) -> Work:
    """It is not told why an item was kept, nor what comes after the first one where no other is wanted."""
    of, condition, number, kind = (
        all_.work(node.of),
        all_.work(node.condition),
        node.item.number,
        node.item.type,
    )
    first, calls, cell = all_.index.takes_first(node), has_calls(node.condition), node.where.cell

    reasons = why(node.condition)

    def judged(scope: Scope) -> Value:
        items = of(scope)
        if items is None:
            return None
        observer, names = scope.turn.observer, scope.names
        steps, outer = observer.steps, observer.seen
        mark = len(steps)
        kept: list[Value] = []
        told: list[Judged] = []
        for item in items:
            names[number] = item
            observer.seen = {}
            if condition(scope) is True:
                del steps[mark:]
                if not (first and kept):
                    told.append(Judged(Shown(item, kind), True, (), ()))
                kept.append(item)
                continue
            inside = taken(steps, mark)
            if not (first and kept):
                told.append(Judged(Shown(item, kind), False, reasons(observer.seen), inside))
        observer.seen = outer
        steps.append(Filtered(tuple(told), calls, cell))
        return kept

    return judged


def told_loop(node: For, all_: Preparation) -> Work:
    loop = looped(node, all_)
    if not all_.index.calls_for_each(node):

        def quietly(scope: Scope) -> Value:
            steps = scope.turn.observer.steps
            mark = len(steps)
            results = loop(scope)
            del steps[mark:]
            return results

        return quietly
    if not goes_through_one_list(node):
        return loop
    (binding,) = node.bindings
    source, result, number = all_.work(binding.source), all_.work(node.result), binding.variable.number

    def told(scope: Scope) -> Value:
        results: list[Value] = []
        observer, names = scope.turn.observer, scope.names
        mark = observer.open()
        for item in items_of(source(scope), node, scope):
            names[number] = item
            start = observer.open()
            results.append(result(scope))
            observer.close(start, partial(came_to, node, scope, results[-1]))
            if len(results) > MOST_TOLD:
                observer.drop(mark)
        return results

    return told
