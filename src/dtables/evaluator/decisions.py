"""Decisions: which rows fire, and what the hit policy makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from dtables import failures
from dtables.evaluator.state import Lazy, Scope
from dtables.evaluator.trace import Decided, Failed, Fired, NothingToTake, Shown, Step, Tried
from dtables.feel.builtins import BY_NAME
from dtables.feel.values import Value, add, less, same
from dtables.model.expressions import Expression, Holds
from dtables.model.tables import Condition, Decision, OutcomeColumn, OutcomeKind, Policy, Rule, Subject
from dtables.provenance import Location
from dtables.records.findings import RuleError


@dataclass(frozen=True, slots=True)
class Hit:
    """A row that fires, with the values of its outcome columns."""

    rule: Rule
    values: tuple[Value, ...]


def decide(decision: Decision, scope: Scope) -> Value:
    observer = scope.turn.observer
    mark = observer.open()
    inner = _with_subjects(decision, scope)
    tried: list[Tried] = []
    hits: list[Hit] = []
    for rule in decision.rules:
        row = observer.open()
        result = _try(decision, rule, inner)
        hits += [result] if isinstance(result, Hit) else []
        tried.append(_told(decision, rule, result, observer.take(row)))
        if hits and decision.policy is Policy.FIRST:
            break
    value = resolved(decision, hits, inner)
    observer.close(
        mark,
        lambda inside: Decided(
            decision.heading,
            decision.policy,
            scope.given(decision.parameters),
            tuple(tried),
            decision.otherwise.cell if decision.otherwise and not hits else None,
            Shown(value, decision.type),
            inside,
        ),
        None if decision.parameters else decision.heading.name,
    )
    return value


def _with_subjects(decision: Decision, scope: Scope) -> Scope:
    """What a column tests is worked out when the first cell asks for it."""
    inner = scope
    for subject in decision.subjects:
        inner = inner.bind(subject.variable, _subject(subject, scope))
    return inner


def _subject(subject: Subject, scope: Scope) -> Lazy:
    expression = subject.value
    return Lazy(lambda: None if expression is None else scope.value(expression))


def _try(decision: Decision, rule: Rule, scope: Scope) -> Hit | Failed | NothingToTake:
    observer = scope.turn.observer
    for subject, condition in zip(decision.subjects, rule.conditions, strict=True):
        if not condition.tests:
            continue
        seen = scope.read(subject.variable)
        watched = observer.watch()
        passed = scope.turn.meaning.passes(condition.tests, seen, scope)
        reasons = observer.why(watched, *whole(condition))
        if passed is not True:
            shown = None if subject.value is None else Shown(seen, subject.value.type)
            return Failed(subject.name, shown, condition.written, condition.tests, reasons, condition.cell)
    values = []
    for column, outcome in zip(decision.outcomes, rule.outcomes, strict=True):
        values.append(scope.value(outcome.value))
        if column.kind is OutcomeKind.TAKE and values[-1] is None:
            return NothingToTake(outcome.cell)
    return Hit(rule, tuple(values))


def whole(condition: Condition) -> tuple[Expression, ...]:
    """Of a cell its whole conditions; what a plain test wants, it says itself."""
    return tuple(test.condition for test in condition.tests if isinstance(test, Holds))


def _told(
    decision: Decision, rule: Rule, result: Hit | Failed | NothingToTake, inside: tuple[Step, ...]
) -> Tried:
    outcome = Fired(rule.outcomes[0].cell, rule.outcomes[0].written) if isinstance(result, Hit) else result
    columns = zip(decision.subjects, rule.conditions, strict=True)
    conditions = tuple(
        (subject.name if subject.value is not None else "", condition.tests)
        for subject, condition in columns
        if condition.tests
    )
    return Tried(rule.number, rule.where, rule.words, conditions, outcome, inside)


# -- hit policies ------------------------------------------------------------------------------


def resolved(decision: Decision, hits: list[Hit], scope: Scope) -> Value:
    if not hits:
        return _without_hit(decision, scope)
    match decision.policy:
        case Policy.UNIQUE:
            return _combined(decision, _only(decision, hits))
        case Policy.ANY:
            return _combined(decision, _agreed(decision, hits))
        case Policy.FIRST:
            return _combined(decision, hits[0])
        case Policy.PRIORITY:
            return _combined(decision, _by_priority(decision, hits, scope)[0])
        case Policy.OUTPUT_ORDER:
            return [_combined(decision, hit) for hit in _by_priority(decision, hits, scope)]
        case Policy.COLLECT | Policy.RULE_ORDER:
            return [_combined(decision, hit) for hit in hits]
        case Policy.COLLECT_COUNT:
            return len(hits)
        case Policy.COLLECT_SUM if not decision.strict:
            return BY_NAME["sum"].meaning([_combined(decision, hit) for hit in hits])
        case Policy.COLLECT_SUM | Policy.COLLECT_MIN | Policy.COLLECT_MAX:
            return _aggregated(decision.policy, [_combined(decision, hit) for hit in hits])
        case _:
            assert_never(decision.policy)


def _without_hit(decision: Decision, scope: Scope) -> Value:
    if decision.otherwise is not None:
        return scope.value(decision.otherwise.value)
    if not decision.strict:
        return None
    if decision.policy.needs_a_row:
        raise RuleError(failures.no_row_fires(), decision.heading.where, decision.heading.name)
    return [] if decision.policy.is_listed else 0


def _combined(decision: Decision, hit: Hit) -> Value:
    if len(hit.values) == 1:
        return hit.values[0]
    return {column.name: value for column, value in zip(decision.outcomes, hit.values, strict=True)}


def _only(decision: Decision, hits: list[Hit]) -> Hit:
    if len(hits) > 1:
        first, second = hits[0].rule, hits[1].rule
        message = failures.two_rows_fire(row_name(first), row_name(second))
        raise RuleError(message, Location(second.where), decision.heading.name)
    return hits[0]


def _agreed(decision: Decision, hits: list[Hit]) -> Hit:
    first = hits[0]
    for other in hits[1:]:
        if not same(list(first.values), list(other.values)):
            message = failures.rows_differ(row_name(first.rule), row_name(other.rule))
            raise RuleError(message, Location(other.rule.where), decision.heading.name)
    return first


def _by_priority(decision: Decision, hits: list[Hit], scope: Scope) -> list[Hit]:
    """The first column's order counts first; among equals the table's order stays."""

    def standing(hit: Hit) -> tuple[int, ...]:
        return tuple(map(lambda c, v: _place(c, v, scope), decision.outcomes, hit.values))

    return sorted(hits, key=standing)


def _place(column: OutcomeColumn, value: Value, scope: Scope) -> int:
    for place, listed in enumerate(column.priorities):
        if same(scope.value(listed), value):
            return place
    return len(column.priorities)


def _aggregated(policy: Policy, values: list[Value]) -> Value:
    result = values[0]
    for value in values[1:]:
        match policy:
            case Policy.COLLECT_SUM:
                result = add(result, value)
            case Policy.COLLECT_MIN:
                result = value if less(value, result) else result
            case _:
                result = value if less(result, value) else result
    return result


def row_name(rule: Rule) -> str:
    return rule.number or rule.where.address
