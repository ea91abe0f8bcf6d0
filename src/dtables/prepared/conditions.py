"""Unary tests: does a value pass a cell? Joined by or; what is plain is compared by Python itself."""

from __future__ import annotations

from dtables.evaluator import conditions as reference
from dtables.evaluator.state import Scope
from dtables.feel.types import BooleanType, ListType, NumberType, TextType, Type, VocabularyType, plain
from dtables.feel.values import FeelError, Value, belongs, disjunction, same
from dtables.model.expressions import Constant, EqualTo, Holds, InList, Test
from dtables.prepared.preparation import Passes, Preparation, failed


def passing(tests: tuple[Test, ...], subject: Type, all_: Preparation) -> Passes:
    if not tests:
        return lambda _value, _scope: True
    works = [_one(test, subject, all_) for test in tests]
    if len(works) == 1:
        return works[0]

    def passes(value: Value, scope: Scope) -> bool | None:
        result: bool | None = False
        for work in works:
            result = disjunction(result, work(value, scope))
            if result is True:
                return True
        return result

    return passes


def _one(test: Test, subject: Type, all_: Preparation) -> Passes:
    match test:
        case EqualTo(value=Constant(value=wanted)) if _is_plain(wanted, subject):
            return lambda value, _scope: value == wanted
        case EqualTo(value=other):
            wanted_of = all_.work(other)
            if alike(subject, other.type):
                return lambda value, scope: value == wanted_of(scope)
            return lambda value, scope: same(value, wanted_of(scope))
        case InList():
            return _in_list(test, subject, all_)
        case Holds(condition=condition):
            held = all_.work(condition)

            def holds(_value: Value, scope: Scope) -> bool | None:
                truth = held(scope)
                return truth if isinstance(truth, bool) else None

            return holds
        case _:
            return lambda value, scope: reference.passes_one(test, value, scope)


def _in_list(test: InList, subject: Type, all_: Preparation) -> Passes:
    listed, kind = all_.work(test.list), plain(test.list.type)
    in_python = isinstance(kind, ListType) and alike(subject, kind.item)

    def lies(value: Value, scope: Scope) -> bool | None:
        items = listed(scope)
        if in_python and type(items) is list:
            return value in items
        try:
            return None if items is None else belongs(value, items)
        except FeelError as error:
            raise failed(error, test, scope) from None

    return lies


def alike(left: Type, right: Type) -> bool:
    """Values of one kind, or null, that Python tells apart as the rules do."""
    a, b = plain(left), plain(right)
    match a, b:
        case VocabularyType(), VocabularyType():
            return a.root == b.root
        case ((TextType() | BooleanType() | NumberType()), _):
            return type(a) is type(b)
        case _:
            return False


def _is_plain(wanted: Value, subject: Type) -> bool:
    match plain(subject):
        case BooleanType():
            return type(wanted) is bool
        case TextType():
            return type(wanted) is str
        case NumberType():
            return type(wanted) is int
        case _:
            return False
