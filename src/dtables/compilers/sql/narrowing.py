"""A scale row by row: each keeps the best of what is left and hands them on.

Where a row concerns some of those left, the scale's `others` says what becomes of the rest. `worst` are those
that count as the worst of an embedding row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from dtables.compilers.sql.keys import concerned, ranked, with_bindings
from dtables.compilers.sql.lists import count
from dtables.compilers.sql.loops import filtered, first_in, has_any, left_of, mapped
from dtables.compilers.sql.operations import Variable, XMax, XMin, XSlice
from dtables.compilers.sql.operators import has_order, same
from dtables.compilers.sql.plan import Scope
from dtables.compilers.sql.shapes import TEXT, data_type
from dtables.compilers.sql.steps import gone
from dtables.compilers.sql.terms import (
    FALSE,
    NULL,
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
from dtables.feel.types import BOOLEAN as TRUTH
from dtables.feel.types import describe, without_null
from dtables.model.tables import Criterion, Others, Prefer, Scale
from dtables.provenance import Location

Judged = Callable[[Scope], Tree]
"""Whether the candidate bound in a scope is one of those."""


@dataclass(frozen=True, slots=True)
class Narrowing:
    """`candidate` binds the scale's item to what a list of those left holds: the candidate itself, or its
    place."""

    scale: Scale
    scope: Scope
    candidate: Callable[[Scope], tuple[Variable, Scope]]

    def held(self, left: Term) -> Term:
        return self.scope.held("left", left)


def narrowed(
    going: Narrowing, criteria: Sequence[Criterion], others: Others, left: Term, scope: Scope, worst: Judged
) -> Term:
    open_: Tree = TRUE
    for criterion in criteria:
        applies = Term(TRUE, TRUTH) if criterion.only_if is None else scope.term(criterion.only_if)
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
    item, inner = going.candidate(scope)
    concerns, bad = concerned(criterion, inner), worst(inner)
    stands = all_of([negated(bad), concerns.value])
    apart = all_of([negated(bad), negated(concerns.value)])
    asked = None if concerns.problem is None else case([(negated(bad), concerns.problem)])
    every = _Row(left, item, inner, stands, FALSE)
    problem = every.first_problem(asked)
    nobody_apart = negated(every.some(apart)) if apart != FALSE else TRUE
    if criterion.embedded is not None:
        made = _embedded(going, criterion, others, left, scope, worst)
    else:
        staying = apart if others is Others.STAY else FALSE
        made = _best(going, criterion, replace(every, staying=staying))
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
    """A candidate of those left: whether it stands in a row, or stays whatever comes of it."""

    left: Term
    item: Variable
    scope: Scope
    stands: Tree
    staying: Tree

    def some(self, condition: Tree) -> Tree:
        rows = gone(self.left.value, self.item, self.scope, condition)
        return has_any(rows.rows, rows.row, rows.bodies[0] or FALSE)

    def where(self, condition: Tree) -> Tree:
        if condition == TRUE:
            return self.left.value
        rows = gone(self.left.value, self.item, self.scope, condition, self.item)
        return left_of(rows, rows.bodies[0] or FALSE, rows.bodies[1] or self.item)

    def values(self, by: Tree, there: Tree, kind: exp.DataType) -> Tree:
        """Of those for which the condition is true."""
        rows = gone(self.left.value, self.item, self.scope, by, there)
        value, holds = rows.bodies[0] or NULL, rows.bodies[1] or FALSE
        left = rows.rows if holds == TRUE else filtered(rows.rows, rows.row, holds)
        return mapped(left, rows.row, value, kind)

    def first_problem(self, problem: Tree | None) -> Tree | None:
        """Of those left, in their order."""
        rows = gone(self.left.value, self.item, self.scope, problem)
        return first_in(rows.rows, rows.row, rows.bodies[0], self.scope.plan)


def _best(going: Narrowing, criterion: Criterion, row: _Row) -> Term:
    plan, left = going.scope.plan, row.left
    if criterion.prefer is Prefer.FIRST:
        if row.staying != FALSE:
            what = "`first` that concerns some of those left while others stay"
            return plan.cannot(what, Location(criterion.cell), left.type)
        return Term(_first(row), left.type)
    by = ranked(criterion, row.scope)
    problem = row.first_problem(problem_if(row.stands, by.problem))
    match criterion.prefer:
        case Prefer.YES:
            return Term(_kept(row, certainly(by.value)), left.type, problem)
        case Prefer.NO:
            return Term(_kept(row, certainly(negated(by.value))), left.type, problem)
        case _:
            if not has_order(by.type):
                what = f"the order of values of type {describe(by.type)}"
                return plan.cannot(what, Location(criterion.cell), left.type)
            return Term(_extreme(going, criterion, row, by), left.type, problem)


def _kept(row: _Row, good: Tree) -> Tree:
    """Those that stand and are good, and who stays; all, where nobody is good."""
    best = all_of([row.stands, good])
    return case([(row.some(best), row.where(any_of([row.staying, best])))], row.left.value)


def _extreme(going: Narrowing, criterion: Criterion, row: _Row, by: Term) -> Tree:
    plan = going.scope.plan
    kind = data_type(by.type, plan.stored) or TEXT
    there = all_of([row.stands, not_null(by.value)] if by.may_be_null else [row.stands])
    values = row.values(by.value, there, kind)
    operation = XMax if criterion.prefer is Prefer.HIGHEST else XMin
    best = going.scope.held("best", Term(typed(operation(this=values), kind), without_null(by.type)))
    good = all_of([there, same(Term(by.value, without_null(by.type)), best)])
    return _kept(row, certainly(good))


def _first(row: _Row) -> Tree:
    """The first in the list's order that stands; nobody: all stay."""
    standing = row.where(row.stands)
    kind = row.left.value.type or TEXT
    first = typed(XSlice(this=standing, expression=literal(1), length=literal(1)), kind)
    if row.stands == TRUE:
        return first
    return case([(row.some(row.stands), first)], row.left.value)
