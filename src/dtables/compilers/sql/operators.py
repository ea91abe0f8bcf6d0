"""Operators: comparison as FEEL means it, three-valued logic, exact arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import assert_never

from sqlglot import exp

from dtables.compilers.sql import dates
from dtables.compilers.sql import dates as durations
from dtables.compilers.sql.exact import checked, fit_together, plainly, side_by_side
from dtables.compilers.sql.neutral import XContains, XDivide, XSame
from dtables.compilers.sql.plan import Scope, held
from dtables.compilers.sql.sizes import MOST_PLACES, inverse, size_of
from dtables.compilers.sql.terms import (
    FALSE,
    NULL,
    TRUE,
    Term,
    Tree,
    all_of,
    any_of,
    certainly,
    coalesce,
    first_problem,
    is_constant,
    is_null,
    literal,
    negated,
    paren,
    problem_if,
    typed,
)
from dtables.compilers.sql.types import BOOLEAN, WHOLE_NUMBER, decimal, is_scalar
from dtables.feel.types import BOOLEAN as TRUTH
from dtables.feel.types import (
    DateTimeType,
    DateType,
    DaysDurationType,
    ListType,
    NumberType,
    RangeType,
    TextType,
    Type,
    YearsDurationType,
    describe,
    optional,
    plain,
)
from dtables.model.expressions import (
    Arithmetic,
    Belongs,
    Compared,
    Comparison,
    EqualTo,
    Expression,
    Holds,
    InList,
    Logic,
    MakeList,
    Matches,
    Negation,
    NoneOf,
    Not,
    Test,
    Within,
)
from dtables.provenance import Location

Operated = Negation | Arithmetic | Comparison | Logic | Not | Matches


def operated(node: Operated, scope: Scope) -> Term:
    match node:
        case Negation(operand=operand):
            return _negative(node, scope.wide(operand), scope)
        case Arithmetic():
            return _reckoned(node, scope)
        case Comparison():
            return _compared(node, scope)
        case Logic():
            return _joined(node, scope)
        case Not(operand=operand):
            term = scope.term(operand)
            return Term(negated(term.value), node.type, term.problem)
        case Matches():
            return _matches(node, scope)
        case _:
            assert_never(node)


# -- comparison ------------------------------------------------------------------------------------


def _compared(node: Comparison, scope: Scope) -> Term:
    left, right = side_by_side(scope.wide(node.left), scope.wide(node.right), node.where, scope)
    problem = first_problem([left.problem, right.problem])
    match node.operator:
        case "=":
            return Term(same(left, right), node.type, problem)
        case "!=":
            return Term(negated(same(left, right)), node.type, problem)
        case operator:
            if not (has_order(left.type) and has_order(right.type)):
                return scope.plan.cannot(
                    f"the order of values of type {describe(left.type)}", node.where, node.type
                )
            return Term(ordered(operator, left.value, right.value), node.type, problem)


def same(left: Term, right: Term) -> Tree:
    """Never null; null is the same as null only."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one.value, exp.Null):
            return is_null(other.value) if other.may_be_null or is_constant(other.value) else FALSE
    if not is_scalar(left.type):
        return typed(XSame(this=left.value, expression=right.value), BOOLEAN)
    if is_constant(left.value) and is_constant(right.value):
        return TRUE if left.value == right.value else FALSE
    if left.may_be_null or right.may_be_null:
        return _same_scalars(left, right)
    mine, theirs = durations.in_days(left.value, right.value)
    return exp.EQ(this=paren(mine), expression=paren(theirs))


def _same_scalars(left: Term, right: Term) -> Tree:
    return exp.NullSafeEQ(this=paren(left.value), expression=paren(right.value))


ORDERS: dict[str, type[exp.Binary]] = {"<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE}


def ordered(operator: str, left: Tree, right: Tree) -> Tree:
    """Null where a side is null."""
    left, right = durations.in_days(left, right)
    return ORDERS[operator](this=paren(left), expression=paren(right))


def has_order(of: Type) -> bool:
    return isinstance(
        plain(of), (NumberType, TextType, DateType, DateTimeType, DaysDurationType, YearsDurationType)
    )


# -- logic -----------------------------------------------------------------------------------------


def _joined(node: Logic, scope: Scope) -> Term:
    """What stands on the right is looked at only where the left does not settle it."""
    left, right = scope.term(node.left), scope.term(node.right)
    if node.operator == "and":
        open_ = TRUE if left.value == TRUE else coalesce([left.value, TRUE])
        value = all_of([left.value, right.value])
    else:
        open_ = negated(certainly(left.value))
        value = any_of([left.value, right.value])
    later = problem_if(FALSE if left.value == FALSE and node.operator == "and" else open_, right.problem)
    return Term(value, node.type, first_problem([left.problem, later]))


def _matches(node: Matches, scope: Scope) -> Term:
    """What cannot be decided does not pass."""

    def tested(subject: Term) -> Term:
        term = scope.plan.verbs.passes(node.tests, subject, scope.bind(node.subject, subject))
        value = certainly(term.value) if term.may_be_null else term.value
        return Term(value, node.type, term.problem)

    return held(scope, node.subject.name or "value", scope.wide(node.value), tested)


# -- arithmetic ------------------------------------------------------------------------------------


def _negative(node: Negation, term: Term, scope: Scope) -> Term:
    if isinstance(plain(term.type), (DaysDurationType, YearsDurationType)):
        return Term(durations.negative(term.value), node.type, term.problem)
    if not isinstance(plain(term.type), NumberType):
        return scope.plan.cannot(f"the negative of {describe(term.type)}", node.where, node.type)
    if isinstance(term.value, exp.Neg):
        return Term(term.value.this, node.type, term.problem)
    return Term(exp.Neg(this=paren(wide(term))), node.type, term.problem)


def _reckoned(node: Arithmetic, scope: Scope) -> Term:
    left, right = scope.wide(node.left), scope.wide(node.right)
    problem = first_problem([left.problem, right.problem])
    kinds = plain(left.type), plain(right.type)
    match node.operator, kinds:
        case "+", (TextType(), TextType()):
            joined = exp.DPipe(this=paren(left.value), expression=paren(right.value), safe=False)
            return Term(joined, node.type, problem)
        case "+" | "-" | "*", (NumberType(), NumberType()):
            if node.operator == "*":
                left, right = _factors(left, right, node.where, scope)
            result = Term(arithmetic(node.operator, left, right), node.type, problem)
            return checked(result, node.where, scope)
        case "/", (NumberType(), NumberType()):
            return _divided(node, left, right, scope)
        case "/", (DaysDurationType(), DaysDurationType()) | (YearsDurationType(), YearsDurationType()):
            return _divided(node, *dates.in_days_both(left, right), scope)
        case operator, _:
            reckoned = dates.reckoned(operator, left, right)
            if reckoned is not None:
                of = dates.type_of(left.type, right.type)
                return checked(dates.dated(Term(reckoned, of, problem), node, scope), node.where, scope)
            what = f"`{operator}` of {describe(left.type)} and {describe(right.type)}"
            return scope.plan.cannot(what, node.where, node.type)


SIGNS: dict[str, type[exp.Binary]] = {"+": exp.Add, "-": exp.Sub, "*": exp.Mul}


def _factors(left: Term, right: Term, where: Location, scope: Scope) -> tuple[Term, Term]:
    """With so few places that their product is kept whole."""
    if size_of(left.value).places + size_of(right.value).places <= MOST_PLACES:
        return left, right
    return plainly(left, where, scope), plainly(right, where, scope)


def arithmetic(operator: str, left: Term, right: Term) -> Tree:
    return SIGNS[operator](this=paren(wide(left)), expression=paren(right.value))


def wide(term: Term) -> Tree:
    """A column may hold a narrow whole number; what is reckoned with it must not be cut or refused."""
    kind = plain(term.type)
    if isinstance(kind, NumberType) and kind.whole and isinstance(term.value, (exp.Column, exp.Literal)):
        return exp.Cast(this=term.value, to=WHOLE_NUMBER)
    return term.value


DIVISION_BY_ZERO = "division by zero"


def _divided(node: Arithmetic, left: Term, right: Term, scope: Scope) -> Term:
    right = plainly(right, node.where, scope)
    factor = inverse(right.value)
    if factor is not None:
        left, _ = _factors(left, Term(literal(factor), node.type), node.where, scope)
    operation = typed(XDivide(this=left.value, expression=right.value), decimal())
    operation.meta["cell"] = node.where
    if isinstance(right.value, exp.Literal) and Decimal(right.value.this) != 0:
        problem = first_problem([left.problem, right.problem])
        return checked(Term(operation, node.type, problem), node.where, scope)
    zero = exp.EQ(this=paren(right.value), expression=literal(0))
    value = exp.Case(ifs=[exp.If(this=zero, true=NULL)], default=operation)
    problem = problem_if(zero, literal(f"{node.where}: {DIVISION_BY_ZERO}"))
    result = Term(value, node.type, first_problem([left.problem, right.problem, problem]))
    return checked(result, node.where, scope)


# -- conditions ----------------------------------------------------------------------------------
# Unary tests: does a value pass a cell? True, false, or null where it is unknown.


def passes(tests: tuple[Test, ...], subject: Term, scope: Scope) -> Term:
    """Joined by or; no test lets every value through. A later test is not looked at where an earlier one
    lets the value through. What was wrong with the subject before is the caller's."""
    if not tests:
        return Term(TRUE, TRUTH)
    tests, subject = _spread(tests, scope), replace(subject, problem=None)
    names, others = _names(tests, subject, scope)
    terms = [_passes(test, subject, scope) for test in others]
    value = any_of([*names, *(term.value for term in terms)])
    null = any(term.may_be_null for term in terms)
    return Term(value, optional(TRUTH) if null else TRUTH, _problem(names, terms))


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


def _problem(names: Sequence[Tree], terms: Sequence[Term]) -> Tree | None:
    problems: list[Tree | None] = []
    before = list(names)
    for term in terms:
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
            return _comparison_test(
                test, operator, *side_by_side(subject, scope.wide(value), test.where, scope), scope
            )
        case Within():
            return _within(test, subject, scope)
        case Holds(condition=condition):
            return scope.term(condition)
        case NoneOf(tests=tests):
            passed = passes(tests, subject, scope)
            return replace(passed, value=negated(passed.value))
        case Belongs():
            return scope.plan.cannot("a condition on a value of unknown type", test.where, optional(TRUTH))
        case _:
            assert_never(test)


def _equal(where: Location, subject: Term, value: Term, scope: Scope) -> Term:
    left, right = side_by_side(subject, value, where, scope)
    return Term(same(left, right), TRUTH, first_problem([left.problem, right.problem]))


def _in_list(test: InList, subject: Term, items: Term, scope: Scope) -> Term:
    listed = plain(items.type)
    if isinstance(listed, ListType) and isinstance(plain(listed.item), RangeType):
        return scope.plan.cannot("a list of ranges", test.where, optional(TRUTH))
    if isinstance(plain(subject.type), ListType):
        return scope.plan.cannot("a list as an item of a list", test.where, optional(TRUTH))
    value = typed(XContains(this=items.value, expression=subject.value), BOOLEAN)
    problem = first_problem([subject.problem, items.problem])
    return Term(value, optional(TRUTH) if items.may_be_null else TRUTH, problem)


def _comparison_test(test: Compared, operator: str, subject: Term, value: Term, scope: Scope) -> Term:
    """`= x` and `!= x` of a null subject are null, as orders are."""
    if operator in ("=", "!="):
        equal = same(subject, value)
        holds = equal if operator == "=" else negated(equal)
        truth = exp.Case(ifs=[exp.If(this=_is_there(subject), true=holds)]) if subject.may_be_null else holds
        return Term(truth, _truth(subject), first_problem([subject.problem, value.problem]))
    if not (has_order(subject.type) and has_order(value.type)):
        return scope.plan.cannot(f"the order of values of type {describe(value.type)}", test.where, TRUTH)
    problem = first_problem([subject.problem, value.problem])
    if subject.may_be_null and problem is not None:
        problem = problem_if(_is_there(subject), problem)
    return Term(ordered(operator, subject.value, value.value), _truth(subject), problem)


def _is_there(subject: Term) -> Tree:
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
        problem = problem_if(_is_there(subject), problem)
    return Term(all_of(sides), _truth(subject), problem)


def _end(end: Expression | None, scope: Scope) -> Term | None:
    return None if end is None else scope.wide(end)
