"""Unary tests: what a cell of a condition column, or the right side of `in`, lets through of a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dtables.checker import messages
from dtables.checker.expressions.context import Here
from dtables.checker.expressions.fit import fitted, strict
from dtables.checker.expressions.forms import warn_of_nothing_between
from dtables.checker.expressions.names import hint_from, is_open, peek
from dtables.checker.expressions.operators import order_problem
from dtables.checker.expressions.types import comparable, is_dynamic, vocabulary_in
from dtables.feel.syntax import ast
from dtables.feel.syntax.ast import names_read
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    BooleanType,
    DateTimeType,
    DateType,
    ListType,
    MapType,
    RangeType,
    RecordType,
    Type,
    VocabularyType,
    optional,
    plain,
)
from dtables.model.expressions import (
    Belongs,
    Compared,
    Comparison,
    Constant,
    EqualTo,
    Expression,
    Holds,
    InList,
    Logic,
    MakeRange,
    Matches,
    NoneOf,
    Read,
    Test,
    Variable,
    Within,
)
from dtables.provenance import Location


def lower_cell_tests(here: Here, found: Sequence[ast.Test], subject: Variable) -> tuple[Test, ...]:
    """The tests of one cell; none for any value."""
    if any(isinstance(test, ast.AnyTest) for test in found):
        return ()
    inside = here.inside(here.scope.with_subject(subject))
    return lower_tests_on(inside, found, subject)


def lower_in(here: Here, node: ast.In) -> Expression:
    value = _tested(here, node)
    subject = here.variable("?", value.type)
    inside = here.inside(here.scope.with_subject(subject))
    tests = lower_tests_on(inside, node.tests, subject)
    return Matches(value, subject, tests, type=BOOLEAN, where=here.where(node.span))


def lower_between(here: Here, node: ast.Between) -> Expression:
    """`x between a and b` is `x in [a..b]`, but a null x has no answer."""
    value = strict(here, here.lower(node.value), node.value.span)
    low = strict(here, here.lower(node.low), node.low.span)
    high = strict(here, here.lower(node.high), node.high.span)
    where = here.where(node.span)
    subject = here.variable("?", value.type)
    within = _between(here, subject, Within(low, high, True, True, type=BOOLEAN, where=where))
    whole = Matches(value, subject, (within,), type=BOOLEAN, where=where)
    for end in (low, high):
        words = order_problem("between", value.type, end.type)
        if words is not None:
            return here.mismatch(node.span, words, whole)
    return whole


def lower_tests_on(here: Here, found: Sequence[ast.Test], subject: Variable) -> tuple[Test, ...]:
    return tuple(test for one in found for test in _lower_test(here, one, subject, subject.type))


def _tested(here: Here, node: ast.In) -> Expression:
    """A bare name before `in` is looked up in the vocabulary of what stands after it."""
    if not is_open(node.value):
        return here.lower(node.value)
    spoken = [peek(here, test.value) for test in node.tests if isinstance(test, ast.ExpressionTest)]
    hint = hint_from((t for t in spoken if vocabulary_in(t) is not None), node.value)
    return here.lower(node.value, hint)


# -- one test ----------------------------------------------------------------------------------


def _lower_test(here: Here, test: ast.Test, subject: Variable, expected: Type) -> tuple[Test, ...]:
    match test:
        case ast.AnyTest():
            always = Constant(True, type=BOOLEAN, where=here.where(test.span))
            return (Holds(always, type=BOOLEAN, where=here.where(test.span)),)
        case ast.NotTest(tests=tests):
            inner = tuple(t for one in tests for t in _lower_test(here, one, subject, expected))
            return (NoneOf(inner, type=BOOLEAN, where=here.where(test.span)),)
        case ast.ComparisonTest(operator=operator, value=value):
            return (_compared(here, test, operator, value, subject, expected),)
        case ast.ExpressionTest(value=value):
            return _expression_test(here, value, subject, expected)
        case _:
            assert_never(test)


def _compared(
    here: Here,
    test: ast.ComparisonTest,
    operator: str,
    node: ast.Expression,
    subject: Variable,
    expected: Type,
) -> Test:
    value = here.lower(node, beside_subject(expected, node))
    where = here.where(test.span)
    if operator in ("=", "!="):
        if not comparable(value.type, subject.type):
            value = _no_match(here, value, subject, node)
        if operator == "=":
            return EqualTo(value, type=BOOLEAN, where=where)
        return _unequal(here, subject, value, where)
    value = strict(here, value, node.span)
    words = order_problem(operator, subject.type, value.type)
    if words is not None:
        value = here.mismatch(test.span, messages.beside_date(words, here.written(node)), value)
    return Compared(operator, value, type=BOOLEAN, where=where)


def _expression_test(here: Here, node: ast.Expression, subject: Variable, expected: Type) -> tuple[Test, ...]:
    if _asks(node):
        return (_holds(here, node),)
    if isinstance(node, ast.ListLiteral) and any(isinstance(i, ast.RangeLiteral) for i in node.items):
        return tuple(t for item in node.items for t in _expression_test(here, item, subject, expected))
    if isinstance(node, ast.RangeLiteral):
        return (_within(here, node, subject),)
    return (_value_test(here, node, subject, expected),)


def _asks(node: ast.Expression) -> bool:
    """Does it say itself what holds of `?`"""
    return any(name == "?" for name, _ in names_read(node))


def _holds(here: Here, node: ast.Expression) -> Test:
    """A condition on `?`; where it is no condition, a value that is worked out from `?`."""
    value = here.lower(node, BOOLEAN)
    where = here.where(node.span)
    kind = plain(value.type)
    if isinstance(kind, BooleanType) or not here.standard:
        return Holds(fitted(here, value, BOOLEAN, node.span), type=BOOLEAN, where=where)
    if is_dynamic(kind):
        return Holds(value, type=BOOLEAN, where=where)
    return Belongs(value, type=BOOLEAN, where=where)


def _within(here: Here, node: ast.RangeLiteral, subject: Variable) -> Test:
    if node.operator == "!=" and node.low is not None:
        value = here.lower(node.low, beside_subject(subject.type, node.low))
        return _unequal(here, subject, value, here.where(node.span))
    low, high = _end(here, node, node.low, subject), _end(here, node, node.high, subject)
    warn_of_nothing_between(here, node, low, high)
    where = here.where(node.span)
    within = Within(low, high, node.low_included, node.high_included, type=BOOLEAN, where=where)
    return _between(here, subject, within)


def _between(here: Here, subject: Variable, within: Within) -> Test:
    """By the standard `x >= low and x <= high`, so that an end that is null leaves it open."""
    if not here.standard:
        return within
    where, seen = within.where, Read(subject, type=subject.type, where=within.where)
    ends = [
        Comparison(operator if included else operator[0], seen, end, type=BOOLEAN, where=where)
        for operator, end, included in (
            (">=", within.low, within.low_included),
            ("<=", within.high, within.high_included),
        )
        if end is not None
    ]
    both = ends[0] if len(ends) == 1 else Logic("and", ends[0], ends[1], type=BOOLEAN, where=where)
    return Holds(both, type=BOOLEAN, where=where)


def _unequal(here: Here, subject: Variable, value: Expression, where: Location) -> Test:
    """By the standard null is unlike every other value; in a workbook null passes no such test."""
    if not here.standard:
        return Compared("!=", value, type=BOOLEAN, where=where)
    seen = Read(subject, type=subject.type, where=where)
    return Holds(Comparison("!=", seen, value, type=BOOLEAN, where=where), type=BOOLEAN, where=where)


def _end(
    here: Here, within: ast.RangeLiteral, node: ast.Expression | None, subject: Variable
) -> Expression | None:
    """Of two ends that do not fit one is reported."""
    if node is None:
        return None
    end = strict(here, here.lower(node, beside_subject(subject.type, node)), node.span)
    words = order_problem("..", subject.type, end.type)
    if words is None:
        return end
    written = here.written(within.low or node)
    return here.mismatch(within.span, messages.beside_date(words, written), end)


def _value_test(here: Here, node: ast.Expression, subject: Variable, expected: Type) -> Test:
    value = here.lower(node, beside_subject(expected, node))
    where, kind = here.where(node.span), plain(value.type)
    if isinstance(value, MakeRange):
        within = Within(
            value.low, value.high, value.low_included, value.high_included, type=BOOLEAN, where=where
        )
        return _between(here, subject, within)
    listed = here.standard and isinstance(kind, ListType)
    if listed or (_no_telling(kind, subject) and not isinstance(value, Constant)):
        return Belongs(value, type=BOOLEAN, where=where)
    if isinstance(kind, ListType) and not _same_list(kind, subject):
        return _in_list(here, value, kind, subject, node)
    if isinstance(kind, RangeType) and comparable(kind.item, subject.type):
        return Belongs(strict(here, value, node.span), type=BOOLEAN, where=where)
    if comparable(kind, subject.type):
        return EqualTo(value, type=BOOLEAN, where=where)
    if here.standard and isinstance(kind, BooleanType) and not isinstance(value, Constant):
        return Holds(value, type=BOOLEAN, where=where)
    return EqualTo(_no_match(here, value, subject, node), type=BOOLEAN, where=where)


def _no_telling(kind: Type, subject: Variable) -> bool:
    """Whether it is a value, a list or a range shows only when it runs."""
    unclear = isinstance(kind, ListType | RangeType | BooleanType)
    return kind == ANY or (unclear and plain(subject.type) == ANY)


def _same_list(kind: ListType, subject: Variable) -> bool:
    """A list that the subject, itself a list, may equal; a list of such lists it may be one of."""
    mine = plain(subject.type)
    if not isinstance(mine, ListType) or is_dynamic(mine.item):
        return isinstance(mine, ListType)
    inner = plain(kind.item)
    return not (isinstance(inner, ListType) and not isinstance(plain(mine.item), ListType))


def _in_list(here: Here, value: Expression, kind: ListType, subject: Variable, node: ast.Expression) -> Test:
    item = plain(kind.item)
    ranges = isinstance(item, RangeType) and comparable(item.item, subject.type)
    if not ranges and not comparable(kind.item, subject.type):
        value = _no_match(here, value, subject, node)
    value = strict(here, value, node.span)
    return InList(value, type=BOOLEAN, where=here.where(node.span))


def _no_match(here: Here, value: Expression, subject: Variable, node: ast.Expression) -> Expression:
    a, b = plain(value.type), plain(subject.type)
    if isinstance(a, VocabularyType) and isinstance(b, VocabularyType):
        return here.mismatch(node.span, messages.unrelated_vocabularies(a, b), value)
    is_condition = isinstance(a, BooleanType) and not isinstance(value, Constant)
    hint = "a condition in this column reads the value as `?`" if is_condition else None
    column = f"`{subject.name}`" if subject.name != "?" else "the value"
    words = messages.test_mismatch(here.written(node), value.type, column, subject.type, hint)
    if isinstance(b, DateType | DateTimeType):
        words = messages.beside_date(words, here.written(node))
    return here.mismatch(node.span, words, value)


def beside_subject(expected: Type, node: ast.Expression) -> Type | None:
    """What tells the names in a test: the type of the value that is tested. A context is a record or a map
    where one is tested."""
    if isinstance(node, ast.ContextLiteral):
        return None if is_dynamic(plain(expected)) else optional(expected)
    if isinstance(node, ast.ListLiteral) and _lists_contexts(node):
        return ListType(optional(expected)) if isinstance(plain(expected), RecordType | MapType) else expected
    vocabulary = vocabulary_in(expected)
    if vocabulary is None:
        return None
    if isinstance(node, ast.ListLiteral):
        nested = isinstance(plain(expected), ListType) and any(
            isinstance(i, ast.ListLiteral) for i in node.items
        )
        listed = ListType(optional(vocabulary))
        return ListType(listed) if nested else listed
    if isinstance(plain(expected), ListType) and not isinstance(node, ast.Name | ast.TextLiteral):
        return ListType(optional(vocabulary))
    return optional(vocabulary)


def _lists_contexts(node: ast.ListLiteral) -> bool:
    return any(isinstance(item, ast.ContextLiteral) for item in node.items)
