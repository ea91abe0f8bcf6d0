"""Draws: what chance may give, what the record says it gave, and a row for every outcome that stays open.

Above the first draw a row of an ask is worked out once for the turn; below it once in a lambda over the
outcomes. What does not depend on them stays outside, as with every other lambda.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

from sqlglot import exp

from dtables import failures
from dtables.compilers.sql.lists import count as how_many
from dtables.compilers.sql.loops import filtered, first_in, item_type, mapped
from dtables.compilers.sql.operations import Variable, XDistinct, XFlatten, XList, XRecord, XSlice
from dtables.compilers.sql.operators import same
from dtables.compilers.sql.plan import Frame, Scope
from dtables.compilers.sql.records import get
from dtables.compilers.sql.shapes import BOOLEAN, TEXT, data_type, list_of, struct_of
from dtables.compilers.sql.steps import gone
from dtables.compilers.sql.tables import with_step
from dtables.compilers.sql.terms import (
    NULL,
    Term,
    Tree,
    any_of,
    case,
    certainly,
    coalesce,
    first_problem,
    is_null,
    literal,
    negated,
    problem_if,
    typed,
)
from dtables.feel.types import BOOLEAN as TRUTH
from dtables.feel.types import RecordType, Type, VocabularyType, optional, plain
from dtables.model import expressions as model
from dtables.model.tables import Draw, Step
from dtables.provenance import Location

MOST_OUTCOMES = 10_000


@dataclass(frozen=True, slots=True)
class Outcomes:
    """`rows` holds a record for each outcome of the draws so far, `row` is the variable over them."""

    rows: Tree
    row: Variable
    scope: Scope


@dataclass(frozen=True, slots=True)
class Way:
    """How far an ask has come. `base` is the scope above the first draw, `since` the draws and steps from
    there on; `stops` has for every stop so far whether it or one above it holds: for the turn, or for an
    outcome."""

    base: Scope
    since: tuple[Draw | Step, ...] = ()
    outcomes: Outcomes | None = None
    stops: tuple[Tree, ...] = ()

    @property
    def scope(self) -> Scope:
        return self.base if self.outcomes is None else self.outcomes.scope

    @property
    def stopped(self) -> Tree | None:
        return self.stops[-1] if self.stops else None

    @property
    def draws(self) -> int:
        return sum(isinstance(row, Draw) for row in self.since)

    def after_step(self, step: Step) -> Way:
        if self.outcomes is None:
            return replace(self, base=with_step(step, self.base))
        outcomes = replace(self.outcomes, scope=with_step(step, self.outcomes.scope))
        return replace(self, since=(*self.since, step), outcomes=outcomes)

    def is_of_turn(self, *trees: Tree | None) -> bool:
        """The same for all outcomes."""
        return len(self.scope.around(*trees)) <= len(self.base.frames)


def unless(stopped: Tree | None, term: Term) -> Term:
    """Null below a stop that holds."""
    if stopped is None:
        return term
    going_on = negated(stopped)
    return Term(case([(going_on, term.value)]), term.type, problem_if(going_on, term.problem))


def after_stop(condition: model.Expression, way: Way) -> tuple[Way, Tree | None]:
    """What is wrong with the condition, for the first outcome for which anything is."""
    term = unless(way.stopped, way.scope.term(condition))
    holds = certainly(term.value)
    both = holds if way.stopped is None else any_of([way.stopped, holds])
    problem, outcomes = term.problem, way.outcomes
    if outcomes is not None and problem is not None:
        rows = gone(outcomes.rows, outcomes.row, outcomes.scope, problem)
        problem = first_in(rows.rows, rows.row, rows.bodies[0], way.base.plan)
    return replace(way, stops=(*way.stops, way.scope.held_as("stopped", both, BOOLEAN))), problem


def after_draw(draw: Draw, way: Way) -> tuple[Way, Tree | None]:
    """A row for each outcome, and what is wrong with the options or with the one that is recorded."""
    scope, base = way.scope, way.base
    options = unless(way.stopped, scope.term(draw.options))
    recorded = _recorded(draw, base)
    drawn = _outcomes(draw, options, recorded, scope)
    of = data_type(draw.variable.type, base.plan.stored) or TEXT
    item = base.plan.variable(draw.variable.name, of)
    record = _Row(way, draw, item)
    if way.outcomes is None:
        rows, told = mapped(drawn, item, record.made, record.kind), options.problem
    else:
        rows, told = _spread(way.outcomes, mapped(drawn, item, record.made, record.kind), options, record)
    held = base.held_as("outcomes", rows, list_of(record.kind))
    problem = first_problem([told, _too_many(draw, held), _refused(draw, held)])
    return _opened(draw, way, held, record), problem


def _spread(before: Outcomes, drawn: Tree, options: Term, record: _Row) -> tuple[Tree, Tree | None]:
    """The outcomes of each row, one after another; one more than there may be is enough."""
    lists = gone(before.rows, before.row, before.scope, drawn, options.problem)
    body, told = lists.bodies
    each = list_of(record.kind)
    every = typed(XFlatten(this=mapped(lists.rows, lists.row, body or NULL, each)), each)
    cut = XSlice(this=every, expression=literal(1), length=literal(MOST_OUTCOMES + 1))
    return typed(cut, each), first_in(lists.rows, lists.row, told, before.scope.plan)


class _Row:
    """The outcome of every draw so far, and whether a stop holds for it."""

    def __init__(self, way: Way, draw: Draw, item: Tree) -> None:
        plan = way.base.plan
        drawn = [row for row in way.since if isinstance(row, Draw)]
        values = [(way.scope.read(one.variable).value, one.variable.type) for one in drawn]
        values.append((item, draw.variable.type))
        entries = [
            (_field(number), tree, data_type(of, plan.stored) or TEXT)
            for number, (tree, of) in enumerate(values)
        ]
        entries += [
            (_stop(number), stop, BOOLEAN)
            for number, stop in enumerate(way.stops)
            if not way.is_of_turn(stop)
        ]
        self.kind = struct_of((name, kind) for name, _, kind in entries)
        pairs = [exp.PropertyEQ(this=exp.to_identifier(name), expression=tree) for name, tree, _ in entries]
        self.made = typed(XRecord(expressions=pairs), self.kind)


def _stop(number: int) -> str:
    return f"stopped {number}"


def _field(number: int) -> str:
    """Databases do not tell `Age` from `age`."""
    return f"drawn {number}"


def _opened(draw: Draw, way: Way, rows: Tree, record: _Row) -> Way:
    """Below the draw: steps that stand between draws are worked out anew, for the longer rows."""
    base = way.base
    row = base.plan.variable("outcome", record.kind)
    scope = replace(base, frames=(*base.frames, Frame(row.this.this)))
    since = (*way.since, draw)
    numbers = itertools.count()
    for one in since:
        if isinstance(one, Step):
            scope = with_step(one, scope)
        else:
            value = get(row, _field(next(numbers)), one.variable.type, base.plan)
            scope = scope.bind(one.variable, Term(value, one.variable.type))
    stops = tuple(
        stop if way.is_of_turn(stop) else get(row, _stop(number), TRUTH, base.plan)
        for number, stop in enumerate(way.stops)
    )
    return Way(base, since, Outcomes(rows, row, scope), stops)


# -- one draw --------------------------------------------------------------------------------------


def _outcomes(draw: Draw, options: Term, recorded: Term | None, scope: Scope) -> Tree:
    """None: null. One: it, whatever is recorded. Several: the recorded one, or all."""
    of = item_type(options.type)
    kind = data_type(of, scope.plan.stored) or TEXT
    nothing = typed(XList(expressions=[]), list_of(kind))
    there = coalesce([options.value, nothing])
    several = scope.held_as(
        f"{draw.variable.name} options", typed(XDistinct(this=there), list_of(kind)), list_of(kind)
    )
    null = typed(XList(expressions=[exp.Cast(this=NULL, to=kind)]), list_of(kind))
    none = exp.EQ(this=how_many(several), expression=literal(0))
    if recorded is None:
        return case([(none, null)], several)
    item = scope.plan.variable(draw.variable.name, kind)
    alike = same(_compared(draw, Term(item, of), scope), recorded)
    open_ = any_of([exp.EQ(this=how_many(several), expression=literal(1)), is_null(recorded.value)])
    return case([(none, null), (open_, several)], filtered(several, item, alike))


def _compared(draw: Draw, option: Term, scope: Scope) -> Term:
    """What of an option is recorded."""
    if draw.by is None:
        return option
    read = model.Read(draw.variable, type=option.type, where=Location(draw.where))
    node = model.FieldOf(
        read, draw.by, type=_field_type(option.type, draw.by, scope), where=Location(draw.where)
    )
    return scope.bind(draw.variable, option).term(node)


def _field_type(of: Type, name: str, scope: Scope) -> Type:
    kind, plan = plain(of), scope.plan
    if isinstance(kind, VocabularyType):
        record = plan.vocabularies[kind.root].record
        assert record is not None
    else:
        assert isinstance(kind, RecordType)
        record = kind.name
    return plan.fields[record][name].type


def _recorded(draw: Draw, scope: Scope) -> Term | None:
    """Null where the record does not say."""
    if draw.recorded is None:
        return None
    first, *more = draw.recorded.fields
    plan = scope.plan
    of: Type = optional(plan.fields[plan.ruleset.input.state.name][first].type)
    node: model.Expression = model.InputField(first, type=of, where=draw.recorded.where)
    for name in more:
        if not isinstance(plain(of), RecordType):
            return plan.cannot("an outcome that is recorded in a list or a map", draw.recorded.where, of)
        of = optional(_field_type(of, name, scope))
        node = model.FieldOf(node, name, type=of, where=draw.recorded.where)
    return replace(scope.term(node), problem=None)


# -- what goes wrong -------------------------------------------------------------------------------


def _too_many(draw: Draw, rows: Tree) -> Tree | None:
    message = f"{Location(draw.cell)}: {failures.too_many_outcomes(MOST_OUTCOMES)}"
    return case([(exp.GT(this=how_many(rows), expression=literal(MOST_OUTCOMES)), literal(message))])


def _refused(draw: Draw, rows: Tree) -> Tree | None:
    if draw.recorded is None:
        return None
    message = f"{draw.recorded}: found an outcome that is not among those that chance can give"
    return case([(exp.EQ(this=how_many(rows), expression=literal(0)), literal(message))])
