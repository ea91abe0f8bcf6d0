"""Numbers that are looked at once they are worked out: what a database cannot hold, or the rules would round,
is a problem.

Inside an expression a number may have more decimal places than one that is given (a product has those of its
factors together); in records and lists it has as many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from dtables.compilers.sql.neutral import XDivide, XNarrow, XSum, XTry
from dtables.compilers.sql.plan import Plan, Scope
from dtables.compilers.sql.sizes import (
    MOST_DIGITS,
    MOST_WHOLE,
    PLAIN,
    Size,
    has_room,
    inverse,
    is_plain,
    room,
    size_of,
    sized,
)
from dtables.compilers.sql.terms import (
    NULL,
    Term,
    Tree,
    all_of,
    case,
    first_problem,
    is_constant,
    is_null,
    literal,
    not_null,
    paren,
    typed,
)
from dtables.compilers.sql.types import (
    DECIMAL_PLACES,
    LARGEST,
    WHOLE_NUMBER,
    data_type,
    decimal,
    is_decimal,
    is_whole,
)
from dtables.provenance import Location

TOO_LARGE = "the number is too large for SQL"
TOO_LONG = f"the number has more than {DECIMAL_PLACES} decimal places, or is too large for SQL"


def checked(term: Term, where: Location, scope: Scope) -> Term:
    """The result of arithmetic; a problem where it, or what it is made of, has no room."""
    size, value = size_of(term.value), term.value
    kind = WHOLE_NUMBER if is_whole(_type_of(term, scope)) else decimal(max(size.places, DECIMAL_PLACES))
    if has_room(size, kind) and (size.sure or not isinstance(value, XSum)):
        return term
    found = scope.held_as("number", typed(XTry(this=value), kind), kind)
    fits = not_null(found) if is_whole(kind) else _at_most(found, room(size.places))
    problem = _unless(fits, literal(f"{where}: {TOO_LARGE}"))
    return Term(found, term.type, first_problem([term.problem, problem]))


def plainly(term: Term, where: Location, scope: Scope) -> Term:
    """A number as records and lists hold it; anything else as it is."""
    size = size_of(term.value)
    if not is_decimal(_type_of(term, scope)) or is_plain(size):
        return term
    if is_constant(term.value):
        return scope.plan.cannot(f"a number with more than {DECIMAL_PLACES} decimal places", where, term.type)
    number = scope.held_as("number", term.value, decimal(max(size.places, DECIMAL_PLACES)))
    found = number
    if size.places > DECIMAL_PLACES:
        found = scope.held_as("number", typed(XNarrow(this=number), decimal()), decimal())
    problem: Tree = _unless(_at_most(found, LARGEST), literal(f"{where}: {TOO_LONG}"))
    if term.may_be_null:
        problem = exp.Case(ifs=[exp.If(this=is_null(number), true=NULL)], default=problem)
    return Term(sized(found, PLAIN), term.type, first_problem([term.problem, problem]))


def as_whole(term: Term, where: Location, scope: Scope) -> Term:
    """A number whose whole part is needed, as one of 64 bits: null where it was found to have no room."""
    size, most = size_of(term.value), LARGEST
    if size.most > MOST_WHOLE:
        term = plainly(term, where, scope)
    elif size.places > DECIMAL_PLACES:
        most = int(size.most) + 1
    else:
        return term
    if is_constant(term.value) or not is_decimal(_type_of(term, scope)):
        return term
    held = scope.held("number", term)
    bounded = case([(_at_most(held.value, most), held.value)])
    return replace(held, value=sized(bounded, Size(most, size_of(held.value).places)))


def side_by_side(left: Term, right: Term, where: Location, scope: Scope) -> tuple[Term, Term]:
    """Two that are compared, or stand in each other's place: a database brings them to one type."""
    sizes = size_of(left.value), size_of(right.value)
    if fit_together(*sizes):
        return left, right
    return plainly(left, where, scope), plainly(right, where, scope)


def alternatives(one: Term, other: Term, where: Location, scope: Scope) -> tuple[Term, Term]:
    """Two of which either may be the value."""
    if are_alike([one, other]):
        return one, other
    return plainly(one, where, scope), plainly(other, where, scope)


def are_alike(terms: Sequence[Term]) -> bool:
    """May they stand in one column? Then all have as many places, but for constants."""
    sizes = [size_of(term.value) for term in terms]
    places = {size_of(term.value).places for term in terms if not is_constant(term.value)}
    return all(map(is_plain, sizes)) or (len(places) <= 1 and fit_together(*sizes))


def fit_together(*sizes: Size) -> bool:
    places = max(size.places for size in sizes)
    return max(size.most for size in sizes) < int(10 ** (MOST_DIGITS - places))


def short(number: Tree, plan: Plan) -> Tree | None:
    """The same, made of short inputs and constants; None where it is not made of these alone, or is long."""
    shortened = _short(number, plan)
    return shortened if shortened is not None and sum(1 for _ in shortened.walk()) <= MOST_NODES else None


MOST_NODES = 40


def _short(tree: Tree, plan: Plan) -> Tree | None:
    match tree:
        case exp.Column() if tree.name in plan.inputs:
            given = plan.short_input(tree.name) if is_decimal(tree.type) else None
            return exp.Cast(this=tree, to=decimal(0, 15)) if is_whole(tree.type) else given
        case exp.Column() if tree.name in plan.columns:
            return _short(plan.columns[tree.name], plan)
        case exp.Literal() if not tree.is_string:
            return tree
        case exp.Paren() | exp.Cast() | XTry() | XNarrow():
            return _short(tree.this, plan)
        case exp.Neg():
            inner = _short(tree.this, plan)
            return inner and exp.Neg(this=paren(inner))
        case exp.Add() | exp.Sub() | exp.Mul():
            left, right = _short(tree.this, plan), _short(tree.expression, plan)
            return left and right and type(tree)(this=paren(left), expression=paren(right))
        case XDivide() if (factor := inverse(tree.expression)) is not None:
            inner = _short(tree.this, plan)
            return inner and exp.Mul(this=paren(inner), expression=literal(factor))
        case _:
            return None


def _type_of(term: Term, scope: Scope) -> exp.DataType | None:
    return data_type(term.type, scope.plan.stored)


def _at_most(number: Tree, most: int) -> Tree:
    low = exp.GTE(this=number, expression=literal(-most))
    return all_of([low, exp.LTE(this=number, expression=literal(most))])


def _unless(fits: Tree, message: Tree) -> Tree:
    """A number that is null does not fit either."""
    return exp.Case(ifs=[exp.If(this=fits, true=NULL)], default=message)
