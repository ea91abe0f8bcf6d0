"""Unary tests: does a value pass a cell? True, false, or null where it cannot be said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from sqlglot import exp

from dtables.compilers.sql.exact import fit_together, plainly, side_by_side
from dtables.compilers.sql.operations import XContains
from dtables.compilers.sql.operators import has_order, ordered, same
from dtables.compilers.sql.plan import Scope
from dtables.compilers.sql.shapes import BOOLEAN, is_scalar
from dtables.compilers.sql.sizes import size_of
from dtables.compilers.sql.terms import (
    TRUE,
    Term,
    Tree,
    all_of,
    any_of,
    certainly,
    first_problem,
    is_constant,
    negated,
    paren,
    problem_if,
    typed,
)
from dtables.feel.types import BOOLEAN as TRUTH
from dtables.feel.types import ListType, RangeType, Type, describe, optional, plain
from dtables.model.expressions import (
    Belongs,
    Compared,
    EqualTo,
    Expression,
    Holds,
    InList,
    MakeList,
    NoneOf,
    Test,
    Within,
)
from dtables.provenance import Location


def passes(tests: tuple[Test, ...], subject: Term, scope: Scope) -> Term:
    """Joined by or; no test lets every value through. A later test is not looked at where an earlier one
    lets the value through. What was wrong with the subject before is the caller's."""
    if not tests:
        return Term(TRUE, TRUTH)
    tests, subject = _spread(tests, scope), replace(subject, problem=None)
    names, others = _names(tests, subject, scope)
    made = [_passes(test, subject, scope) for test in others]
    value = any_of([*names, *(term.value for term in made)])
    null = any(term.may_be_null for term in made)
    return Term(value, optional(TRUTH) if null else TRUTH, _problem(names, made))


def _spread(tests: tuple[Test, ...], scope: Scope) -> tuple[Test, ...]:
    """A list that is written out is a test for each of its items, unless one of them may fail: a list is
    worked out whole."""
    spread: list[Test] = []
    for test in tests:
        items = test.list.items if isinstance(test, InList) and isinstance(test.list, MakeList) else ()
        if items and not any(scope.term(item).problem for item in items):
            spread += [EqualTo(item, type=test.type, where=test.where) for item in items]
        else:
            spread.append(test)
    return tuple(spread)


def _names(tests: tuple[Test, ...], subject: Term, scope: Scope) -> tuple[list[Tree], list[Test]]:
    """Two and more constants are one membership, in front of the other tests; those cannot fail."""
    constants: list[Tree] = []
    others: list[Test] = []
    for test in tests:
        term = scope.wide(test.value) if isinstance(test, EqualTo) and is_scalar(test.value.type) else None
        if term is not None and _is_named(term.value, subject.value):
            constants.append(term.value)
        else:
            others.append(test)
    if len(constants) < 2 or is_constant(subject.value):
        return [], list(tests)
    one = exp.In(this=paren(subject.value), expressions=constants)
    return [certainly(one) if subject.may_be_null else one], others


def _is_named(value: Tree, subject: Tree) -> bool:
    constant = is_constant(value) and not isinstance(value, exp.Null)
    return constant and fit_together(size_of(value), size_of(subject))


def _problem(names: Sequence[Tree], made: Sequence[Term]) -> Tree | None:
    problems: list[Tree | None] = []
    before = list(names)
    for term in made:
        open_ = negated(certainly(any_of(before)))
        problems.append(term.problem if not before else problem_if(open_, term.problem))
        before.append(term.value)
    return first_problem(problems)


def _passes(test: Test, subject: Term, scope: Scope) -> Term:
    match test:
        case EqualTo(value=value):
            return _equal(test.where, subject, scope.wide(value), scope)
        case InList(list=MakeList(items=items)):
            each = [_equal(test.where, subject, scope.wide(item), scope) for item in items]
            return Term(
                any_of([term.value for term in each]), TRUTH, first_problem(term.problem for term in each)
            )
        case InList(list=listed):
            return _in_list(test, plainly(subject, test.where, scope), scope.term(listed), scope)
        case Compared(operator=operator, value=value):
            return _compared(
                test, operator, *side_by_side(subject, scope.wide(value), test.where, scope), scope
            )
        case Within():
            return _within(test, subject, scope)
        case Holds(condition=condition):
            return scope.term(condition)
        case NoneOf(tests=tests):
            made = passes(tests, subject, scope)
            return replace(made, value=negated(made.value))
        case Belongs():
            return scope.plan.cannot("a condition on a value of unknown type", test.where, optional(TRUTH))
        case _:
            assert_never(test)


def _equal(where: Location, subject: Term, value: Term, scope: Scope) -> Term:
    seen, wanted = side_by_side(subject, value, where, scope)
    return Term(same(seen, wanted), TRUTH, first_problem([seen.problem, wanted.problem]))


def _in_list(test: InList, subject: Term, items: Term, scope: Scope) -> Term:
    listed = plain(items.type)
    if isinstance(listed, ListType) and isinstance(plain(listed.item), RangeType):
        return scope.plan.cannot("a list of ranges", test.where, optional(TRUTH))
    if isinstance(plain(subject.type), ListType):
        return scope.plan.cannot("a list as an item of a list", test.where, optional(TRUTH))
    value = typed(XContains(this=items.value, expression=subject.value), BOOLEAN)
    problem = first_problem([subject.problem, items.problem])
    return Term(value, optional(TRUTH) if items.may_be_null else TRUTH, problem)


def _compared(test: Compared, operator: str, subject: Term, value: Term, scope: Scope) -> Term:
    """`= x` and `!= x` of a null subject say nothing, as orders do."""
    if operator in ("=", "!="):
        equal = same(subject, value)
        told = equal if operator == "=" else negated(equal)
        made = exp.Case(ifs=[exp.If(this=_there(subject), true=told)]) if subject.may_be_null else told
        return Term(made, _truth(subject), first_problem([subject.problem, value.problem]))
    if not (has_order(subject.type) and has_order(value.type)):
        return scope.plan.cannot(f"the order of values of type {describe(value.type)}", test.where, TRUTH)
    problem = first_problem([subject.problem, value.problem])
    if subject.may_be_null and problem is not None:
        problem = problem_if(_there(subject), problem)
    return Term(ordered(operator, subject.value, value.value), _truth(subject), problem)


def _there(subject: Term) -> Tree:
    return negated(exp.Is(this=paren(subject.value), expression=exp.Null()))


def _truth(subject: Term) -> Type:
    return optional(TRUTH) if subject.may_be_null else TRUTH


def _within(test: Within, subject: Term, scope: Scope) -> Term:
    if not has_order(subject.type):
        return scope.plan.cannot(f"a range of {describe(subject.type)}", test.where, optional(TRUTH))
    low, high = _end(test.low, scope), _end(test.high, scope)
    ends = [end for end in (low, high) if end is not None]
    if not fit_together(*(size_of(term.value) for term in (subject, *ends))):
        subject = plainly(subject, test.where, scope)
        low, high = (end and plainly(end, test.where, scope) for end in (low, high))
    sides: list[Tree] = []
    if low is not None:
        sides.append(ordered(">=" if test.low_included else ">", subject.value, low.value))
    if high is not None:
        sides.append(ordered("<=" if test.high_included else "<", subject.value, high.value))
    problem = first_problem([subject.problem, *(end.problem for end in (low, high) if end is not None)])
    if subject.may_be_null and problem is not None:
        problem = problem_if(_there(subject), problem)
    return Term(all_of(sides), _truth(subject), problem)


def _end(end: Expression | None, scope: Scope) -> Term | None:
    return None if end is None else scope.wide(end)
