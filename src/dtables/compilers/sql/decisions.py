"""Decisions: a choice by rows, and what the hit policy makes of them.

A table that can be proved to have one row at most for every input is one CASE; where it cannot, each pair of
rows that might both fire is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never

from sqlglot import exp

from dtables import failures
from dtables.compilers.sql.cubes import Cube, cube_of
from dtables.compilers.sql.exact import are_alike, checked, plainly
from dtables.compilers.sql.expressions import fitted, record_of
from dtables.compilers.sql.neutral import XConcat, XList, XMax, XMin
from dtables.compilers.sql.operators import arithmetic, has_order, same
from dtables.compilers.sql.plan import Lazy, Scope
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
    is_null,
    literal,
    negated,
    not_null,
    paren,
    problem_if,
    typed,
)
from dtables.compilers.sql.types import TEXT, WHOLE_NUMBER, data_type, list_of
from dtables.feel.types import WHOLE, ContextType, ListType, NumberType, describe, plain
from dtables.feel.values import Value
from dtables.model.claims import overlaps
from dtables.model.expressions import Expression, MakeContext
from dtables.model.regions import known_value
from dtables.model.tables import Decision, Outcome, OutcomeColumn, OutcomeKind, Policy, Rule
from dtables.provenance import Location, quoted_sheet

MOST_PAIRS = 400
"""Rows that might both fire are looked at pair by pair; of more pairs they are counted."""


@dataclass(frozen=True, slots=True)
class RowTerms:
    """A row: whether it fires, what it gives, and what is wrong with its conditions and its outcomes."""

    rule: Rule
    fires: Tree
    value: Term
    outcomes: tuple[Term, ...]
    before: Tree | None
    after: Tree | None


def decided(decision: Decision, scope: Scope) -> Term:
    inner = _with_subjects(decision, scope)
    found = _by_cells(decision, inner)
    if found is not None:
        return found
    lines = [_line(decision, rule, inner) for rule in decision.rules]
    if _takes_one(decision):
        lines = _of_one_type(decision, lines, inner)
    return _resolved(decision, lines, inner)


def _by_cells(decision: Decision, scope: Scope) -> Term | None:
    """None where the rows are few, or no cells. A last row without conditions is what is given otherwise."""
    if not decision.rules:
        return None
    *rows, last = decision.rules
    default = decision.policy is Policy.FIRST and not any(c.tests for c in last.conditions)
    among = rows if default else decision.rules
    cube = cube_of(decision, [(rule, _given(decision, rule, scope)) for rule in among], scope)
    if cube is None:
        return None
    given = _given(decision, last, scope) if default else None
    return _with_rest(decision, cube, given, scope)


def _given(decision: Decision, rule: Rule, scope: Scope) -> Term:
    columns = zip(decision.outcomes, rule.outcomes, strict=True)
    wide = _takes_one(decision)
    return _combined(decision, [_outcome(column, outcome, scope, wide) for column, outcome in columns], scope)


def _with_subjects(decision: Decision, scope: Scope) -> Scope:
    inner = scope
    for subject in decision.subjects:
        if subject.value is None:
            inner = inner.bind(subject.variable, Term(NULL, subject.variable.type))
            continue
        inner = inner.bind(subject.variable, Lazy(subject.name, scope, partial(scope.wide, subject.value)))
    return inner


def _line(decision: Decision, rule: Rule, scope: Scope) -> RowTerms:
    conditions: list[Tree] = []
    problems: list[Tree | None] = []
    for subject, condition in zip(decision.subjects, rule.conditions, strict=True):
        if not condition.tests:
            continue
        seen = scope.read(subject.variable)
        passed = scope.plan.verbs.passes(condition.tests, seen, scope)
        reached = certainly(all_of(conditions))
        problems += [problem_if(reached, seen.problem), problem_if(reached, passed.problem)]
        conditions.append(passed.value)
    columns = zip(decision.outcomes, rule.outcomes, strict=True)
    outcomes = tuple(_outcome(column, outcome, scope, _takes_one(decision)) for column, outcome in columns)
    taken = [
        not_null(term.value)
        for column, term in zip(decision.outcomes, outcomes, strict=True)
        if column.kind is OutcomeKind.TAKE
    ]
    passed_all = all_of(conditions)
    after = problem_if(passed_all, first_problem(term.problem for term in outcomes))
    fires = all_of([passed_all, *taken])
    return RowTerms(
        rule, fires, _combined(decision, outcomes, scope), outcomes, first_problem(problems), after
    )


def _takes_one(decision: Decision) -> bool:
    """A value of one row: not a record, nor a list of what several rows give."""
    return len(decision.outcomes) == 1 and decision.policy.takes_one


def _outcome(column: OutcomeColumn, outcome: Outcome, scope: Scope, wide: bool = False) -> Term:
    """Of a `take` it is asked whether it is null before it is taken."""
    term = scope.wide(outcome.value) if wide else scope.term(outcome.value)
    term = replace(term, value=fitted(term.value, data_type(column.type, scope.plan.stored)))
    return term if column.kind is OutcomeKind.THEN else scope.held("taken", term)


def _combined(decision: Decision, outcomes: Sequence[Term], scope: Scope) -> Term:
    if len(outcomes) == 1:
        return outcomes[0]
    named = [(column.name, term) for column, term in zip(decision.outcomes, outcomes, strict=True)]
    kind = ContextType(tuple((column.name, column.type) for column in decision.outcomes))
    record = record_of(named, MakeContext((), type=kind, where=decision.heading.where), scope.plan)
    return Term(record.value, decision.type)


# -- hit policies ----------------------------------------------------------------------------------


def _resolved(decision: Decision, lines: list[RowTerms], scope: Scope) -> Term:
    match decision.policy:
        case Policy.FIRST:
            return _single(decision, lines, _first_problems(lines), scope)
        case Policy.UNIQUE:
            problems = first_problem([*_all_problems(lines), _two_fire(decision, lines, scope)])
            return _single(decision, lines, problems, scope)
        case Policy.ANY:
            problems = first_problem([*_all_problems(lines), _two_differ(decision, lines, scope)])
            return _single(decision, lines, problems, scope)
        case Policy.PRIORITY:
            ranked = by_priority(decision, lines, scope)
            return _single(decision, ranked, first_problem(_all_problems(lines)), scope)
        case (
            Policy.COLLECT
            | Policy.RULE_ORDER
            | Policy.OUTPUT_ORDER
            | Policy.COLLECT_COUNT
            | Policy.COLLECT_SUM
            | Policy.COLLECT_MIN
            | Policy.COLLECT_MAX
        ):
            return _gathered(decision, lines, scope)
        case _:
            assert_never(decision.policy)


def _with_rest(decision: Decision, cube: Cube, last: Term | None, scope: Scope) -> Term:
    """A cell without a row is null."""
    name = decision.heading.name
    value = scope.held(name, Term(cube.value, decision.type)).value
    rest = last
    if rest is None and decision.otherwise is not None:
        rest = scope.wide(decision.otherwise.value)
    if rest is not None:
        rest = plainly(rest, decision.heading.where, scope)
        filled = case([(not_null(value), value)], rest.value)
        problem = problem_if(is_null(value), rest.problem)
        return Term(filled, decision.type, first_problem([cube.problem, problem]))
    problem = problem_if(is_null(value), _no_row(decision)) if decision.strict else None
    return Term(value, decision.type, first_problem([cube.problem, problem]))


def _single(decision: Decision, lines: Sequence[RowTerms], problem: Tree | None, scope: Scope) -> Term:
    """The value of the first of the lines that fires."""
    otherwise, rest = decision.otherwise, _rest(decision, scope)
    if not are_alike([rest, *(line.value for line in lines)]):
        rest = plainly(rest, decision.heading.where, scope)
    value = case([(line.fires, line.value.value) for line in lines], rest.value)
    _with_cells(value, lines)
    last = rest.problem
    if otherwise is None and decision.strict:
        last = _no_row(decision)
    if last is None:
        return Term(value, decision.type, problem)
    if otherwise is None and not any(line.value.may_be_null for line in lines):
        value = scope.held(decision.heading.name, Term(value, decision.type)).value
        none = _no_value(value, lines)
    else:
        none = negated(certainly(any_of(line.fires for line in lines)))
    return Term(value, decision.type, first_problem([problem, problem_if(none, last)]))


def _of_one_type(decision: Decision, lines: list[RowTerms], scope: Scope) -> list[RowTerms]:
    """Numbers with more decimal places than usual: all of them alike, or none."""
    if are_alike([_rest(decision, scope), *(line.value for line in lines)]):
        return lines
    return [_plain(line, scope) for line in lines]


def _plain(line: RowTerms, scope: Scope) -> RowTerms:
    value = plainly(replace(line.value, problem=None), Location(line.rule.where), scope)
    after = first_problem([line.after, problem_if(line.fires, value.problem)])
    value = replace(value, problem=line.value.problem)
    return replace(line, value=value, outcomes=(value,), after=after)


def _rest(decision: Decision, scope: Scope) -> Term:
    otherwise = decision.otherwise
    return Term(NULL, decision.type) if otherwise is None else scope.wide(otherwise.value)


def _with_cells(value: Tree, lines: Sequence[RowTerms]) -> None:
    """Where each arm comes from, for whoever reads the statement; of no rows the value is another choice."""
    rules = {id(line.fires): line.rule for line in lines}
    for arm in value.args["ifs"] if isinstance(value, exp.Case) else ():
        rule = rules.get(id(arm.this))
        if rule is not None:
            arm.meta["row"] = f"{quoted_sheet(rule.where.sheet)}!{rule.where.address}"


def _no_value(value: Tree, lines: Sequence[RowTerms]) -> Tree:
    """A null means that no row fires where no row gives one."""
    return negated(TRUE) if any(line.fires == TRUE for line in lines) else is_null(value)


def _gathered(decision: Decision, lines: list[RowTerms], scope: Scope) -> Term:
    result = gathered(decision, lines, scope)
    problem = first_problem([*_all_problems(lines), result.problem])
    none = negated(certainly(any_of(line.fires for line in lines)))
    if decision.otherwise is not None:
        rest = scope.term(decision.otherwise.value)
        value = case([(none, rest.value)], result.value)
        return Term(value, decision.type, first_problem([problem, problem_if(none, rest.problem)]))
    if decision.policy in (Policy.COLLECT_MIN, Policy.COLLECT_MAX) and decision.strict:
        return Term(
            result.value, decision.type, first_problem([problem, problem_if(none, _no_row(decision))])
        )
    return Term(result.value, decision.type, problem)


def _no_row(decision: Decision) -> Tree:
    return literal(f"{decision.heading.where}: {failures.no_row_fires()}")


# -- what goes wrong -------------------------------------------------------------------------------


def _all_problems(lines: Sequence[RowTerms]) -> list[Tree | None]:
    """Every row is tried."""
    return [problem for line in lines for problem in (line.before, line.after)]


def _first_problems(lines: Sequence[RowTerms]) -> Tree | None:
    """Rows are tried until one fires."""
    failing = [n for n, line in enumerate(lines) if line.before is not None or line.after is not None]
    if not failing:
        return None
    branches: list[tuple[Tree, Tree]] = []
    for line in lines[: failing[-1] + 1]:
        problem = first_problem([line.before, line.after])
        if problem is not None:
            branches.append((not_null(problem), problem))
        branches.append((line.fires, NULL))
    first = case(branches)
    return None if first == NULL else first


def _two_fire(decision: Decision, lines: Sequence[RowTerms], scope: Scope) -> Tree | None:
    pairs = _pairs(decision, lines, scope)
    if len(pairs) > MOST_PAIRS:
        counted = how_many(lines)
        message = "several rows fire, and the policy is unique"
        return case([(more_than_one(counted), literal(f"{decision.heading.where}: {message}"))])
    return case([(all_of([a.fires, b.fires]), literal(_two_rows(a.rule, b.rule))) for a, b in pairs])


def _pairs(decision: Decision, lines: Sequence[RowTerms], scope: Scope) -> list[tuple[RowTerms, RowTerms]]:
    """Of rows that may both fire."""
    found = overlaps(decision, scope.plan.index.names)
    if not found.complete:
        scope.plan.cannot("so many rows that may fire together", decision.heading.where, decision.type)
    return [(lines[a], lines[b]) for a, b in found.pairs()]


def _two_rows(first: Rule, second: Rule) -> str:
    return f"{Location(second.where)}: {failures.two_rows_fire(row_name(first), row_name(second))}"


def _two_differ(decision: Decision, lines: Sequence[RowTerms], scope: Scope) -> Tree | None:
    branches = []
    for a, b in _pairs(decision, lines, scope):
        alike = all_of(same(one, other) for one, other in zip(a.outcomes, b.outcomes, strict=True))
        message = f"{Location(b.rule.where)}: {failures.rows_differ(row_name(a.rule), row_name(b.rule))}"
        branches.append((all_of([a.fires, b.fires, negated(certainly(alike))]), literal(message)))
    return case(branches)


def row_name(rule: Rule) -> str:
    return rule.number or rule.where.address


# -- collecting -------------------------------------------------------------------------------------
# Policies that look at all rows that fire: lists, sums, counts, the order of outcomes.


def gathered(decision: Decision, lines: Sequence[RowTerms], scope: Scope) -> Term:
    match decision.policy:
        case Policy.COLLECT | Policy.RULE_ORDER:
            return Term(_listed(lines, _item(decision, scope)), decision.type)
        case Policy.OUTPUT_ORDER:
            ordered = by_priority(decision, lines, scope)
            return Term(_listed(ordered, _item(decision, scope)), decision.type)
        case Policy.COLLECT_COUNT:
            return Term(how_many(lines), decision.type)
        case Policy.COLLECT_SUM:
            return _summed(decision, lines, scope)
        case Policy.COLLECT_MIN:
            return _extreme(decision, lines, XMin, scope)
        case Policy.COLLECT_MAX:
            return _extreme(decision, lines, XMax, scope)
        case Policy.UNIQUE | Policy.ANY | Policy.FIRST | Policy.PRIORITY:
            raise AssertionError(f"{decision.policy} takes one row")
        case _:
            assert_never(decision.policy)


def _listed(lines: Sequence[RowTerms], item: exp.DataType) -> Tree:
    nothing = typed(XList(expressions=[]), list_of(item))
    parts = [
        case([(line.fires, typed(XList(expressions=[line.value.value]), list_of(item)))], nothing)
        for line in lines
    ]
    return typed(XConcat(expressions=parts), list_of(item))


def _item(decision: Decision, scope: Scope) -> exp.DataType:
    """The type that holds the outcomes of all rows: one may be a whole number where another is none."""
    of = plain(decision.type)
    one = of.item if isinstance(of, ListType) and decision.policy.is_listed else decision.type
    return data_type(one, scope.plan.stored) or TEXT


def _summed(decision: Decision, lines: Sequence[RowTerms], scope: Scope) -> Term:
    if not all(isinstance(plain(line.value.type), NumberType) for line in lines):
        return scope.plan.cannot("the sum of texts", decision.heading.where, decision.type)
    total = Term(literal(0), WHOLE)
    for line in lines:
        part = Term(case([(line.fires, line.value.value)], literal(0)), line.value.type)
        total = Term(arithmetic("+", total, part), line.value.type)
    result = Term(total.value, decision.type, _null_among(decision, lines))
    return checked(result, decision.heading.where, scope)


def _extreme(
    decision: Decision, lines: Sequence[RowTerms], operation: type[XMin] | type[XMax], scope: Scope
) -> Term:
    if not all(has_order(line.value.type) for line in lines):
        what = f"the order of values of type {describe(lines[0].value.type)}"
        return scope.plan.cannot(what, decision.heading.where, decision.type)
    item = _item(decision, scope)
    extreme = typed(operation(this=_listed(lines, item)), item)
    return Term(extreme, decision.type, _null_among(decision, lines))


def _null_among(decision: Decision, lines: Sequence[RowTerms]) -> Tree | None:
    """A null alone is the outcome; together with another it has no sum and no order."""
    null = any_of(all_of([line.fires, is_null(line.value.value)]) for line in lines if line.value.may_be_null)
    if null == FALSE:
        return None
    message = f"{decision.heading.where}: {NULL_AMONG}"
    return case([(all_of([null, more_than_one(how_many(lines))]), literal(message))])


NULL_AMONG = "null stands among the outcomes of several rows"


def how_many(lines: Sequence[RowTerms]) -> Tree:
    counted: Tree = literal(0)
    for line in lines:
        one = case([(line.fires, literal(1))], literal(0))
        counted = exp.Add(this=exp.Cast(this=counted, to=WHOLE_NUMBER), expression=paren(one))
    return counted


def more_than_one(counted: Tree) -> Tree:
    return exp.GT(this=paren(counted), expression=literal(1))


def by_priority(decision: Decision, lines: Sequence[RowTerms], scope: Scope) -> list[RowTerms]:
    """The first column's order counts first; among equals the table's order stays. Only what is written out
    has a place in that order before anything is worked out."""
    unknown = [o for line in lines for o in line.rule.outcomes if known_value(o.value) is None]
    if unknown:
        scope.plan.cannot(
            "an outcome that is worked out, under this policy", Location(unknown[0].cell), WHOLE
        )
        return list(lines)
    return sorted(lines, key=lambda line: _standing(decision, line))


def _standing(decision: Decision, line: RowTerms) -> tuple[int, ...]:
    columns = zip(decision.outcomes, line.rule.outcomes, strict=True)
    return tuple(_place(outcome.value, column.priorities) for column, outcome in columns)


def _place(value: Expression, priorities: Sequence[Expression]) -> int:
    """Of constants; what is not among the priorities comes last."""
    listed = [_known(one) for one in priorities]
    constant = _known(value)
    return listed.index(constant) if constant in listed else len(listed)


def _known(node: Expression) -> tuple[type, Value] | None:
    """True is not 1."""
    known = known_value(node)
    return None if known is None else (type(known[0]), known[0])
