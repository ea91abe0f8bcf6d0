"""The rows of a scale as keys of a candidate: the smaller, the better, none of them null."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from dtables.compilers.sql.operations import XPlace, XReverse
from dtables.compilers.sql.plan import Scope
from dtables.compilers.sql.shapes import DATE, TEXT, WHOLE_NUMBER, decimal
from dtables.compilers.sql.terms import (
    FALSE,
    TRUE,
    Term,
    Tree,
    all_of,
    any_of,
    case,
    certainly,
    coalesce,
    first_problem,
    literal,
    negated,
    not_null,
    paren,
    problem_if,
    typed,
)
from dtables.feel.types import BOOLEAN as TRUTH
from dtables.feel.types import WHOLE, DateType, NumberType, TextType, Type, optional, plain
from dtables.model.tables import Criterion, Embedded, Others, Prefer


@dataclass(frozen=True, slots=True)
class Key:
    tree: Tree
    type: exp.DataType


@dataclass(frozen=True, slots=True)
class Keys:
    """`failing`: what is wrong with a row of which so many keys stand in front; it counts where those
    leave more than one. `decided`: what has the same keys goes by its place in the list."""

    keys: tuple[Key, ...] = ()
    failing: tuple[tuple[int, Tree], ...] = ()
    decided: bool = False


def concerned(criterion: Criterion, scope: Scope) -> Term:
    """Is the candidate one that the row concerns? Never null."""
    values: list[Tree] = []
    problems: list[Tree | None] = []
    for concern in criterion.concerns:
        seen = scope.term(concern.value)
        inner = scope.bind(concern.variable, replace(seen, problem=None))
        passed = scope.plan.verbs.passes(concern.tests, replace(seen, problem=None), inner)
        reached = all_of(values)
        for problem in (seen.problem, passed.problem):
            problems.append(None if problem is None else case([(reached, problem)]))
        values.append(certainly(passed.value) if passed.may_be_null else passed.value)
    return Term(all_of(values), TRUTH, first_problem(problems))


def with_bindings(embedded: Embedded, scope: Scope) -> Scope:
    for variable, value in embedded.bindings:
        scope = scope.bind(variable, scope.term(value))
    return scope


def ranked(criterion: Criterion, scope: Scope) -> Term:
    """What the row goes by: for `first in` the place in its list; null is worst."""
    assert criterion.by is not None
    by = scope.term(criterion.by)
    if criterion.prefer not in (Prefer.FIRST_IN, Prefer.LAST_IN):
        return by
    assert criterion.order is not None
    order = scope.term(criterion.order)
    listed = order.value
    if criterion.prefer is Prefer.LAST_IN:
        listed = typed(XReverse(this=listed), listed.type or TEXT)
    place = typed(XPlace(this=listed, expression=by.value), WHOLE_NUMBER)
    return Term(place, optional(WHOLE), first_problem([order.problem, by.problem]))


# -- keys ------------------------------------------------------------------------------------------


def keys_of(criteria: Sequence[Criterion], others: Others, scope: Scope, worst: Tree) -> Keys | None:
    """None where a row's standing is not the candidate's alone."""
    made = Keys()
    for criterion in criteria:
        if criterion.prefer is Prefer.CHANCE:
            return None if criterion.only_if else made
        if criterion.concerns and others is not Others.LAST:
            return None
        if criterion.prefer is Prefer.FIRST:
            plainly = criterion.only_if is None and not criterion.concerns and worst == FALSE
            return replace(made, decided=True) if plainly else None
        row = _keys(criterion, scope, worst)
        if row is None or row.decided:
            return None
        made = _joined(made, row)
    return made


def _joined(first: Keys, then: Keys) -> Keys:
    failing = tuple((len(first.keys) + before, problem) for before, problem in then.failing)
    return Keys((*first.keys, *then.keys), (*first.failing, *failing))


def _keys(criterion: Criterion, scope: Scope, worst: Tree) -> Keys | None:
    applies = Term(TRUE, TRUTH) if criterion.only_if is None else scope.term(criterion.only_if)
    concerns = concerned(criterion, scope)
    apart = scope.held("apart", Term(any_of([worst, negated(concerns.value)]), TRUTH)).value
    if criterion.embedded is not None:
        inner = with_bindings(criterion.embedded, scope)
        made = keys_of(criterion.embedded.criteria, criterion.embedded.others, inner, apart)
    else:
        made = _own_keys(criterion, scope, apart)
    if made is None:
        return None
    keys = [Key(case([(applies.value, key.tree)], _nothing(key.type)), key.type) for key in made.keys]
    concerns_problem = problem_if(negated(worst), concerns.problem)
    failing = [(0, concerns_problem)] if concerns_problem is not None else []
    gated = [(n, problem_if(applies.value, p)) for n, p in (*failing, *made.failing)]
    known = [(n, p) for n, p in ((0, applies.problem), *gated) if p is not None]
    return Keys(tuple(keys), tuple(known), made.decided)


def _own_keys(criterion: Criterion, scope: Scope, apart: Tree) -> Keys | None:
    term = ranked(criterion, scope)
    by = scope.held("by", replace(term, problem=None))
    stands = negated(apart)
    keys = _of_row(criterion, by, stands)
    problem = problem_if(stands, term.problem)
    if keys is None:
        return None
    return Keys(tuple(keys), () if problem is None else ((0, problem),))


def _of_row(criterion: Criterion, by: Term, stands: Tree) -> list[Key] | None:
    match criterion.prefer:
        case Prefer.YES | Prefer.NO:
            good = certainly(by.value) if criterion.prefer is Prefer.YES else certainly(negated(by.value))
            return [Key(case([(all_of([stands, good]), literal(0))], literal(1)), WHOLE_NUMBER)]
        case Prefer.HIGHEST:
            kind = plain(by.type)
            if not isinstance(kind, NumberType):
                return None
            negative = exp.Neg(this=paren(_wide(by.value, kind)))
            return _placed(by, stands, negative)
        case _:
            return _placed(by, stands, by.value)


def _wide(value: Tree, kind: NumberType) -> Tree:
    return exp.Cast(this=value, to=WHOLE_NUMBER) if kind.whole and isinstance(value, exp.Column) else value


def _placed(by: Term, stands: Tree, value: Tree) -> list[Key] | None:
    """Null and what does not stand come last: a key of their own in front of the value."""
    kind = key_type(by.type)
    if kind is None:
        return None
    if not by.may_be_null and stands == TRUE:
        return [Key(value, kind)]
    there = all_of([stands, not_null(by.value)] if by.may_be_null else [stands])
    last = Key(case([(there, literal(0))], literal(1)), WHOLE_NUMBER)
    nothing = _nothing(kind)
    standing = coalesce([value, nothing]) if stands == TRUE else case([(there, value)], nothing)
    return [last, Key(standing, kind)]


def key_type(of: Type) -> exp.DataType | None:
    match plain(of):
        case NumberType(whole=whole):
            return WHOLE_NUMBER if whole else decimal()
        case TextType():
            return TEXT
        case DateType():
            return DATE
        case _:
            return None


def _nothing(of: exp.DataType) -> Tree:
    if of == TEXT:
        return literal("")
    if of == DATE:
        return exp.Cast(this=literal("0001-01-01"), to=DATE)
    return literal(0)
