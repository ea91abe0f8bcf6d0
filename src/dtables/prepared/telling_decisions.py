"""Decisions with every row that was tried: what it wanted, what was seen, and why that would not do."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dtables.evaluator.decisions import Hit, resolved, whole
from dtables.evaluator.observer import taken
from dtables.evaluator.state import Scope
from dtables.evaluator.trace import Arguments, Decided, Failed, Fired, NothingToTake, Shown, Tried
from dtables.feel.types import Type
from dtables.feel.values import Value
from dtables.model.tables import Condition, Decision, OutcomeKind, Parameter, Policy, Rule, Subject
from dtables.prepared.conditions import passing
from dtables.prepared.expressions import value_at
from dtables.prepared.parts import NO_REASONS, Why, why
from dtables.prepared.preparation import Passes, Preparation, Work
from dtables.provenance import CellRef


class Cell(NamedTuple):
    """A cell that wants something. Of a whole condition `type` is None; `conditions` say why it fails."""

    subject: int
    passes: Passes
    column: str
    type: Type | None
    condition: Condition
    conditions: tuple[Why, ...]


class Row(NamedTuple):
    """`takes` says of each outcome whether null means that there is nothing to take."""

    rule: Rule
    cells: tuple[Cell, ...]
    outcomes: tuple[tuple[bool, Work, CellRef], ...]
    conditions: tuple[tuple[str, str], ...]
    fired: Fired


def told_decision(decision: Decision, all_: Preparation) -> Work:
    rows = tuple(_row(decision, rule, all_) for rule in decision.rules)
    heading, policy, parameters = decision.heading, decision.policy, decision.parameters
    key, given = None if parameters else heading.name, arguments(parameters)

    def decide(scope: Scope) -> Value:
        observer = scope.turn.observer
        steps = observer.steps
        mark = len(steps)
        tried: list[Tried] = []
        hits: list[Hit] = []
        for row in rows:
            start = len(steps)
            result = _try(row, scope)
            outcome = row.fired if isinstance(result, Hit) else result
            rule = row.rule
            inside = taken(steps, start)
            tried.append(Tried(rule.number, rule.where, rule.words, row.conditions, outcome, inside))
            if isinstance(result, Hit):
                hits.append(result)
                if policy is Policy.FIRST:
                    break
        value = resolved(decision, hits, scope)
        said, shown = given(scope), Shown(value, decision.type)
        otherwise = decision.otherwise.cell if decision.otherwise and not hits else None
        inside = taken(steps, mark)
        step = Decided(heading, policy, said, tuple(tried), otherwise, shown, inside)
        steps.append(step)
        if key is not None:
            observer.known[key] = step
        return value

    return decide


def arguments(parameters: tuple[Parameter, ...]) -> Callable[[Scope], Arguments]:
    """What a table was called with."""
    if not parameters:
        return lambda _scope: ()
    known = tuple((p.name, p.variable.number, p.type) for p in parameters)
    return lambda scope: tuple([(name, Shown(scope.names[number], kind)) for name, number, kind in known])


def _try(row: Row, scope: Scope) -> Hit | Failed | NothingToTake:
    for cell in row.cells:
        seen = value_at(scope.names, cell.subject)
        if not cell.conditions:
            reasons = NO_REASONS
            if cell.passes(seen, scope) is True:
                continue
        else:
            observer = scope.turn.observer
            outer, observer.seen = observer.seen, {}
            passed = cell.passes(seen, scope)
            parts, observer.seen = observer.seen, outer
            if passed is True:
                continue
            reasons = tuple(reason for why_one in cell.conditions for reason in why_one(parts))
        shown = None if cell.type is None else Shown(seen, cell.type)
        wanted = cell.condition
        return Failed(cell.column, shown, wanted.written, wanted.tests, reasons, wanted.cell)
    values = []
    for takes, outcome, where in row.outcomes:
        values.append(value := outcome(scope))
        if takes and value is None:
            return NothingToTake(where)
    return Hit(row.rule, tuple(values))


def _row(decision: Decision, rule: Rule, all_: Preparation) -> Row:
    columns = [
        (subject, condition)
        for subject, condition in zip(decision.subjects, rule.conditions, strict=True)
        if condition.tests
    ]
    outcomes = tuple(
        (column.kind is OutcomeKind.TAKE, all_.work(outcome.value), outcome.cell)
        for column, outcome in zip(decision.outcomes, rule.outcomes, strict=True)
    )
    return Row(
        rule,
        tuple(_cell(subject, condition, all_) for subject, condition in columns),
        outcomes,
        tuple((s.name if s.value is not None else "", condition.written) for s, condition in columns),
        Fired(rule.outcomes[0].cell, rule.outcomes[0].written),
    )


def _cell(subject: Subject, condition: Condition, all_: Preparation) -> Cell:
    conditions = whole(condition)
    for one in conditions:
        all_.watching.look_at(one)
    type_ = None if subject.value is None else subject.value.type
    passes = passing(condition.tests, subject.variable.type, all_)
    return Cell(subject.variable.number, passes, subject.name, type_, condition, tuple(map(why, conditions)))
