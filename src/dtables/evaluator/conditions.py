"""Unary tests: does a value pass a cell? True, false, or null where it cannot be said."""

from __future__ import annotations

from typing import assert_never

from dtables.evaluator.state import Mode, Scope
from dtables.feel.values import (
    FeelError,
    Value,
    belongs,
    compare,
    disjunction,
    equal,
    meets,
    negation,
    same,
    unlike,
    within,
)
from dtables.model.expressions import (
    Belongs,
    Compared,
    EqualTo,
    Expression,
    Holds,
    InList,
    NoneOf,
    Test,
    Within,
)
from dtables.records.findings import RuleError


def passes(tests: tuple[Test, ...], subject: Value, scope: Scope) -> bool | None:
    """Joined by or; no test at all lets every value through. What stands in a later test is not read
    when an earlier one lets the value through."""
    if not tests:
        return True
    result: bool | None = False
    for test in tests:
        result = disjunction(result, passes_one(test, subject, scope))
        if result is True:
            return True
    return result


def passes_one(test: Test, subject: Value, scope: Scope) -> bool | None:
    try:
        return _tested(test, subject, scope)
    except FeelError as error:
        if scope.turn.mode is Mode.STANDARD:
            scope.turn.watch.failed(error, test.where)
            return None
        raise RuleError(error.message, test.where, scope.table) from None


def _tested(test: Test, subject: Value, scope: Scope) -> bool | None:
    alike = equal if scope.turn.mode is Mode.STANDARD else same
    match test:
        case EqualTo(value=value):
            return alike(subject, scope.value(value))
        case InList(list=listed):
            items = scope.value(listed)
            return None if items is None else belongs(subject, items)
        case Compared(operator="!=", value=value):
            return None if subject is None else unlike(subject, scope.value(value))
        case Compared(operator=operator, value=value):
            return None if subject is None else compare(operator, subject, scope.value(value))
        case Within():
            return _lies_within(test, subject, scope)
        case Holds(condition=condition):
            value = scope.value(condition)
            return value if isinstance(value, bool) else None
        case Belongs(value=value):
            return meets(subject, scope.value(value), alike)
        case NoneOf(tests=tests):
            return negation(passes(tests, subject, scope))
        case _:
            assert_never(test)


def _lies_within(test: Within, subject: Value, scope: Scope) -> bool | None:
    if subject is None:
        return None
    low, high = _end(test.low, scope), _end(test.high, scope)
    return within(subject, low, high, test.low_included, test.high_included)


def _end(end: Expression | None, scope: Scope) -> Value:
    return None if end is None else scope.value(end)
