"""Operators: comparison as FEEL means it, three-valued logic, exact arithmetic."""

from __future__ import annotations

from decimal import Decimal
from typing import assert_never

from sqlglot import exp

from dtables.compilers.sql import dates, durations
from dtables.compilers.sql.exact import checked, plainly, side_by_side
from dtables.compilers.sql.operations import XDivide, XSame
from dtables.compilers.sql.plan import Scope, held
from dtables.compilers.sql.shapes import BOOLEAN, WHOLE_NUMBER, decimal, is_scalar
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
from dtables.feel.types import (
    DateTimeType,
    DateType,
    DaysDurationType,
    NumberType,
    TextType,
    Type,
    YearsDurationType,
    describe,
    plain,
)
from dtables.model.expressions import Arithmetic, Comparison, Logic, Matches, Negation, Not
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
    """What cannot be said does not pass."""

    def tested(subject: Term) -> Term:
        made = scope.plan.verbs.passes(node.tests, subject, scope.bind(node.subject, subject))
        value = certainly(made.value) if made.may_be_null else made.value
        return Term(value, node.type, made.problem)

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
            made = Term(arithmetic(node.operator, left, right), node.type, problem)
            return checked(made, node.where, scope)
        case "/", (NumberType(), NumberType()):
            return _divided(node, left, right, scope)
        case "/", (DaysDurationType(), DaysDurationType()) | (YearsDurationType(), YearsDurationType()):
            return _divided(node, *dates.in_days_both(left, right), scope)
        case operator, _:
            told = dates.reckoned(operator, left, right)
            if told is not None:
                of = dates.type_of(left.type, right.type)
                return checked(dates.dated(Term(told, of, problem), node, scope), node.where, scope)
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
    made = Term(value, node.type, first_problem([left.problem, right.problem, problem]))
    return checked(made, node.where, scope)
