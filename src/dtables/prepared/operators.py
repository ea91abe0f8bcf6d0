"""Arithmetic, comparison and logic: Python's own where the types say that it comes to the same."""

from __future__ import annotations

import operator
from collections.abc import Callable

from dtables.evaluator.state import Scope
from dtables.feel.types import BooleanType, NumberType, Type, may_be_null, plain
from dtables.feel.values import ARITHMETIC, WORKBOOK_COMPARISONS, FeelError, Value, conjunction, disjunction
from dtables.model.expressions import Arithmetic, Comparison, Constant, Logic
from dtables.prepared.conditions import alike
from dtables.prepared.preparation import Preparation, Work, failed

Operation = Callable[[Value, Value], Value]

IN_PYTHON: dict[str, Operation] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def arithmetic(node: Arithmetic, all_: Preparation) -> Work:
    if node.is_multiple:
        return _operation(node, operator.mul, all_)
    return _operation(node, ARITHMETIC[node.operator], all_)


def comparison(node: Comparison, all_: Preparation) -> Work:
    left, right = node.left.type, node.right.type
    equality = node.operator in ("=", "!=") and alike(left, right)
    if equality or (_is_whole(left) and _is_whole(right)):
        return _operation(node, IN_PYTHON[node.operator], all_)
    return _operation(node, WORKBOOK_COMPARISONS[node.operator], all_)


def _operation(node: Arithmetic | Comparison, operation: Operation, all_: Preparation) -> Work:
    left = all_.work(node.left)
    if isinstance(node.right, Constant) and not all_.watching.looks_at(node.right):
        constant = node.right.value

        def with_constant(scope: Scope) -> Value:
            value = left(scope)
            try:
                return operation(value, constant)
            except FeelError as error:
                raise failed(error, node, scope) from None

        return with_constant
    right = all_.work(node.right)

    def operated(scope: Scope) -> Value:
        a = left(scope)
        b = right(scope)
        try:
            return operation(a, b)
        except FeelError as error:
            raise failed(error, node, scope) from None

    return operated


def is_boolean(type_: Type) -> bool:
    return isinstance(plain(type_), BooleanType) and not may_be_null(type_)


def _is_whole(type_: Type) -> bool:
    found = plain(type_)
    return isinstance(found, NumberType) and found.whole and not may_be_null(type_)


def logic(node: Logic, all_: Preparation) -> Work:
    left, right = all_.work(node.left), all_.work(node.right)
    if is_boolean(node.left.type) and is_boolean(node.right.type):
        if node.operator == "and":
            return lambda scope: left(scope) and right(scope)
        return lambda scope: left(scope) or right(scope)
    if node.operator == "and":

        def both(scope: Scope) -> Value:
            first = left(scope)
            return False if first is False else conjunction(first, right(scope))

        return both

    def either(scope: Scope) -> Value:
        first = left(scope)
        return True if first is True else disjunction(first, right(scope))

    return either
