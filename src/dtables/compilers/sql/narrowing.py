"""A scale row by row: each keeps the best of what is left and hands them on.

Where a row concerns some of those left, the scale's `others` says what becomes of the rest. `worst` are those
that count as the worst of an embedding row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from dtables.compilers.sql.keys import concerned, ranked, with_bindings
from dtables.compilers.sql.lists import count
from dtables.compilers.sql.loops import filtered, first_in, has_any, mapped
from dtables.compilers.sql.operations import Variable, XMax, XMin, XSlice
from dtables.compilers.sql.operators import has_order, same
from dtables.compilers.sql.plan import Scope
from dtables.compilers.sql.shapes import TEXT, data_type
from dtables.compilers.sql.terms import (
    FALSE,
    TRUE,
    Term,
    Tree,
    all_of,
    any_of,
    case,
    certainly,
    first_problem,
    literal,
    negated,
    not_null,
    problem_if,
    typed,
)
from dtables.feel.types import BOOLEAN, describe, without_null
from dtables.model.tables import Criterion, Others, Prefer, Scale
from dtables.provenance import Location

Judged = Callable[[Scope], Tree]
"""Whether the candidate bound in a scope is one of those."""


@dataclass(frozen=True, slots=True)
class Narrowing:
    scale: Scale
    scope: Scope

    def held(self, left: Term) -> Term:
        return self.scope.held("left", left)


def narrowed(
    going: Narrowing, criteria: Sequence[Criterion], others: Others, left: Term, scope: Scope, worst: Judged
) -> Term:
    open_: Tree = TRUE
    for criterion in criteria:
        applies = Term(TRUE, BOOLEAN) if criterion.only_if is None else scope.term(criterion.only_if)
        many = all_of([open_, exp.GT(this=count(left.value), expression=literal(1))])
        problem = problem_if(many, applies.problem)
        gate = all_of([many, applies.value])
        if criterion.prefer is Prefer.CHANCE:
            left = Term(left.value, left.type, first_problem([left.problem, problem]))
            if applies.value == TRUE:
                break
            open_ = all_of([open_, negated(certainly(applies.value))])
            continue
        made = _after(going, criterion, others, left, scope, worst)
        value = case([(gate, made.value)], left.value)
        told = first_problem([left.problem, problem, problem_if(gate, made.problem)])
        left = going.held(Term(value, left.type, told))
    return left


def _after(
    going: Narrowing, criterion: Criterion, others: Others, left: Term, scope: Scope, worst: Judged
) -> Term:
    """Who is left after a row that applies, of a list without problems of its own."""
    item, inner = scope.inside(going.scale.item)
    concerns, bad = concerned(criterion, inner), worst(inner)
    stands = all_of([negated(bad), concerns.value])
    apart = all_of([negated(bad), negated(concerns.value)])
    asked = None if concerns.problem is None else case([(negated(bad), concerns.problem)])
    problem = first_in(left.value, item, asked and inner.whole(asked), scope.plan)
    nobody_apart = negated(has_any(left.value, item, inner.whole(apart))) if apart != FALSE else TRUE
    if criterion.embedded is not None:
        made = _embedded(going, criterion, others, left, scope, worst)
    else:
        staying = apart if others is Others.STAY else FALSE
        made = _best(going, criterion, left, scope, _Row(item, inner, stands, staying))
    if others is Others.SKIP and nobody_apart != TRUE:
        skipped = problem_if(nobody_apart, made.problem)
        made = Term(case([(nobody_apart, made.value)], left.value), left.type, skipped)
    return Term(made.value, left.type, first_problem([problem, made.problem]))


def _embedded(
    going: Narrowing, criterion: Criterion, others: Others, left: Term, scope: Scope, worst: Judged
) -> Term:
    embedded = criterion.embedded
    assert embedded is not None
    if others is Others.STAY and criterion.concerns:
        what = "an embedded scale that concerns some of those left while others stay"
        return scope.plan.cannot(what, Location(criterion.cell), left.type)

    def judged(inner: Scope) -> Tree:
        return any_of([worst(inner), negated(concerned(criterion, inner).value)])

    start = Term(left.value, left.type)
    bound = with_bindings(embedded, scope)
    return narrowed(going, embedded.criteria, embedded.others, start, bound, judged)


# -- the best of those left ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Row:
    """A candidate of a row: whether it stands in it, or stays whatever comes of it."""

    item: Variable
    scope: Scope
    stands: Tree
    staying: Tree

    def filtered(self, left: Tree, condition: Tree) -> Tree:
        return left if condition == TRUE else filtered(left, self.item, self.scope.whole(condition))


def _best(going: Narrowing, criterion: Criterion, left: Term, scope: Scope, row: _Row) -> Term:
    plan = scope.plan
    if criterion.prefer is Prefer.FIRST:
        if row.staying != FALSE:
            what = "`first` that concerns some of those left while others stay"
            return plan.cannot(what, Location(criterion.cell), left.type)
        return Term(_first(left, row), left.type)
    by = ranked(criterion, row.scope)
    standing = row.filtered(left.value, row.stands)
    problem = first_in(standing, row.item, by.problem and row.scope.whole(by.problem), plan)
    match criterion.prefer:
        case Prefer.YES:
            return Term(_kept(left, row, certainly(by.value)), left.type, problem)
        case Prefer.NO:
            return Term(_kept(left, row, certainly(negated(by.value))), left.type, problem)
        case _:
            if not has_order(by.type):
                what = f"the order of values of type {describe(by.type)}"
                return plan.cannot(what, Location(criterion.cell), left.type)
            return Term(_extreme(going, criterion, left, row, by), left.type, problem)


def _kept(left: Term, row: _Row, good: Tree) -> Tree:
    """Those that stand and are good, and who stays; all, where nobody is good."""
    best = all_of([row.stands, good])
    some = has_any(left.value, row.item, row.scope.whole(best))
    return case([(some, row.filtered(left.value, any_of([row.staying, best])))], left.value)


def _extreme(going: Narrowing, criterion: Criterion, left: Term, row: _Row, by: Term) -> Tree:
    plan = going.scope.plan
    kind = data_type(by.type, plan.stored) or TEXT
    there = all_of([row.stands, not_null(by.value)] if by.may_be_null else [row.stands])
    standing = row.filtered(left.value, there)
    values = mapped(standing, row.item, row.scope.whole(by.value), kind)
    operation = XMax if criterion.prefer is Prefer.HIGHEST else XMin
    best = going.scope.held("best", Term(typed(operation(this=values), kind), without_null(by.type)))
    good = all_of([there, same(Term(by.value, without_null(by.type)), best)])
    return _kept(left, row, certainly(good))


def _first(left: Term, row: _Row) -> Tree:
    """The first in the list's order that stands; nobody: all stay."""
    standing = row.filtered(left.value, row.stands)
    first = typed(XSlice(this=standing, expression=literal(1), length=literal(1)), left.value.type or TEXT)
    if row.stands == TRUE:
        return first
    return case([(has_any(left.value, row.item, row.scope.whole(row.stands)), first)], left.value)
