"""Going through one list; loops within loops, and those that count, are the evaluator's."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dtables.evaluator import expressions as reference
from dtables.evaluator.loops import bounded
from dtables.evaluator.state import Scope
from dtables.feel.limits import MOST_ITERATIONS
from dtables.feel.types import ListType, Type, may_be_null, plain
from dtables.feel.values import FeelError, Value, conjunction, disjunction, truth
from dtables.model.expressions import Filter, For, Node, Quantified, Quantifier
from dtables.prepared.operators import is_boolean
from dtables.prepared.preparation import Preparation, Work, failed


def goes_through_one_list(node: For | Quantified) -> bool:
    first, *others = node.bindings
    return (
        is_list(first.source.type)
        and not others
        and first.end is None
        and not (isinstance(node, For) and node.partial)
    )


def is_list(type_: Type) -> bool:
    return isinstance(plain(type_), ListType) and not may_be_null(type_)


def items_of(value: list[Value], node: Node, scope: Scope) -> Iterable[Value]:
    return value if len(value) <= MOST_ITERATIONS else bounded(node, value, scope)


def looped(node: For, all_: Preparation) -> Work:
    """What the loop comes to, and nothing else."""
    if not goes_through_one_list(node):
        return lambda scope: reference.value_of(node, scope)
    (binding,) = node.bindings
    source, result, number = all_.work(binding.source), all_.work(node.result), binding.variable.number

    def collected(scope: Scope) -> Value:
        results, names = [], scope.names
        for item in items_of(source(scope), node, scope):
            names[number] = item
            results.append(result(scope))
        return results

    return collected


def filtered(node: Filter, all_: Preparation) -> Work:
    """The items that are kept, and nothing else."""
    of, kept = all_.work(node.of), kept_items(node, all_)

    def some(scope: Scope) -> Value:
        items = of(scope)
        return None if items is None else kept(items, scope)

    return some


def kept_items(node: Filter, all_: Preparation) -> Callable[[list[Value], Scope], list[Value]]:
    condition, number = all_.work(node.condition), node.item.number

    def kept(items: list[Value], scope: Scope) -> list[Value]:
        some, names = [], scope.names
        for item in items:
            names[number] = item
            if condition(scope) is True:
                some.append(item)
        return some

    return kept


def quantified(node: Quantified, all_: Preparation) -> Work:
    """Ends where the result is settled; what happened for one of many items is not told."""
    if not goes_through_one_list(node):
        return lambda scope: reference.value_of(node, scope)
    (binding,) = node.bindings
    source, condition, number = all_.work(binding.source), all_.work(node.condition), binding.variable.number
    some = node.quantifier is Quantifier.SOME
    if is_boolean(node.condition.type):
        return _settled_at_once(node, source, condition, number)
    join = disjunction if some else conjunction

    def settled(scope: Scope) -> Value:
        observer, names = scope.turn.observer, scope.names
        mark = observer.open()
        items = source(scope)
        result: bool | None = not some
        try:
            for item in items_of(items, node, scope):
                names[number] = item
                result = join(result, truth(condition(scope)))
                if result is some:
                    break
        except FeelError as error:
            raise failed(error, node, scope) from None
        if items:
            observer.drop(mark)
        return result

    return settled


def _settled_at_once(node: Quantified, source: Work, condition: Work, number: int) -> Work:
    """The first item for which the condition is what is looked for."""
    wanted = node.quantifier is Quantifier.SOME

    def settled(scope: Scope) -> Value:
        observer, names = scope.turn.observer, scope.names
        mark = observer.open()
        items = source(scope)
        result = not wanted
        for item in items_of(items, node, scope):
            names[number] = item
            if condition(scope) is wanted:
                result = wanted
                break
        if items:
            observer.drop(mark)
        return result

    return settled
