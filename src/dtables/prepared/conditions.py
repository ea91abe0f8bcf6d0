"""Unary tests: does a value pass a cell? Joined by or; what is plain is compared by Python itself."""

from __future__ import annotations

from dtables.evaluator import conditions as reference
from dtables.evaluator.state import Scope
from dtables.feel.types import BooleanType, ListType, NumberType, TextType, Type, VocabularyType, plain
from dtables.feel.values import FeelError, Value, belongs, disjunction, equal
from dtables.model.expressions import Compared, Constant, EqualTo, Holds, InList, NameOf, NoneOf, Test, Within
from dtables.prepared.preparation import Passes, Preparation, failed


def passing(tests: tuple[Test, ...], subject: Type, all_: Preparation) -> Passes:
    if not tests:
        return lambda _value, _scope: True
    if names := _names(tests, subject):
        return lambda value, _scope: _id(value) in names
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


def _id(value: Value) -> Value:
    return value if value is None or type(value) is str else value.id


def _names(tests: tuple[Test, ...], subject: Type) -> frozenset[str]:
    """Where each test wants a name of the vocabulary whose values are tested: their ids."""
    kind = plain(subject)
    if not isinstance(kind, VocabularyType):
        return frozenset()
    wanted = [
        test.value.id
        for test in tests
        if isinstance(test, EqualTo) and isinstance(test.value, NameOf) and test.value.vocabulary == kind.root
    ]
    return frozenset(wanted) if len(wanted) == len(tests) else frozenset()


def _one(test: Test, subject: Type, all_: Preparation) -> Passes:
    match test:
        case EqualTo(value=Constant(value=wanted)) if _is_plain(wanted, subject):
            return lambda value, _scope: value == wanted
        case EqualTo(value=other):
            wanted_of = all_.work(other)
            if alike(subject, other.type):
                return lambda value, scope: value == wanted_of(scope)
            return lambda value, scope: equal(value, wanted_of(scope))
        case InList():
            return _in_list(test, subject, all_)
        case Compared() | Within() if _is_number(subject):
            return _ordered(test)
        case Holds(condition=condition):
            held = all_.work(condition)

            def holds(_value: Value, scope: Scope) -> bool | None:
                truth = held(scope)
                return truth if isinstance(truth, bool) else None

            return holds
        case NoneOf(tests=tests) if tests and _names(tests, subject):
            names = _names(tests, subject)
            return lambda value, _scope: _id(value) not in names
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


def _is_number(subject: Type) -> bool:
    return isinstance(plain(subject), NumberType)


def _ordered(test: Compared | Within) -> Passes:
    """Whole numbers lie between whole numbers as Python has it."""
    low, low_in, high, high_in = _ends(test)
    if low is None and high is None:
        return lambda value, scope: reference.passes_one(test, value, scope)

    def lies(value: Value, scope: Scope) -> bool | None:
        if type(value) is not int:
            return reference.passes_one(test, value, scope)
        if low is not None and not (low <= value if low_in else low < value):
            return False
        return high is None or (value <= high if high_in else value < high)

    return lies


def _ends(test: Compared | Within) -> tuple[int | None, bool, int | None, bool]:
    """Both are None where an end is no whole number that stands in the cell."""
    match test:
        case Compared(operator=">" | ">=" as sign, value=Constant(value=int() as end)) if type(end) is int:
            return end, sign == ">=", None, False
        case Compared(operator="<" | "<=" as sign, value=Constant(value=int() as end)) if type(end) is int:
            return None, False, end, sign == "<="
        case Within(low=Constant(value=int() as low), high=Constant(value=int() as high)):
            if type(low) is int and type(high) is int:
                return low, test.low_included, high, test.high_included
        case _:
            pass
    return None, False, None, False
