"""The evaluator's word on an example: which rows of a decision fire.

The decision is asked by itself: its columns' values are its parameters, an opaque cell is one that is yes or
no, and the outcome of a row is its place. What the rows' own outcomes come to is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

from dtables.evaluator import Evaluator
from dtables.feel.values import Value
from dtables.findings import RecordError, RuleError
from dtables.model.expressions import Expression, Node, Read, Variable
from dtables.model.tables import Condition, Decision, Parameter, Rule, Ruleset, Subject
from dtables.provenance import Location
from dtables.verifier.claims import Key
from dtables.verifier.columns import Plan
from dtables.verifier.probes import NUMBERS, giving_its_place, holds, rows_that_fire
from dtables.verifier.rewriting import rewritten

TABLE = "decision"


@dataclass(frozen=True)
class Judge:
    """Asks the evaluator about one decision."""

    ruleset: Ruleset
    plan: Plan

    def firing(self, point: Sequence[Value], rows: Iterable[int] | None = None) -> tuple[int, ...] | None:
        """The rows, all or some, that fire when the columns have these values; None where the evaluator
        cannot say."""
        given = {f"c{n}": value for n, value in enumerate(point)}
        evaluator = self._evaluator if rows is None else self._asked_about(sorted(set(rows)))
        try:
            found = evaluator.call(TABLE, given)
        except (RecordError, RuleError):
            return None
        return tuple(found)

    def fire(self, point: Sequence[Value], *rows: int) -> bool:
        """Do all of these rows?"""
        return set(rows) <= set(self.firing(point, rows) or ())

    def _asked_about(self, rows: Sequence[int]) -> Evaluator:
        some = replace(self._alone, rules=tuple(self._alone.rules[row] for row in rows))
        return Evaluator(replace(self.ruleset, tables=(some,)))

    @cached_property
    def _alone(self) -> Decision:
        return _alone(self.plan)

    @cached_property
    def _evaluator(self) -> Evaluator:
        return Evaluator(replace(self.ruleset, tables=(self._alone,)))


def _alone(plan: Plan) -> Decision:
    decision, opaque = plan.decision, dict(plan.opaque)
    parameters = tuple(
        Parameter(f"c{n}", Variable(f"c{n}", next(NUMBERS), column.type))
        for n, column in enumerate(plan.columns)
    )
    reads = {
        column.key: Read(p.variable, type=column.type, where=Location(column.where))
        for column, p in zip(plan.columns, parameters, strict=True)
    }
    subjects = tuple(replace(s, value=_subject(s.value, plan, reads)) for s in decision.subjects)
    rules = (_rule(plan, number, rule, reads, opaque) for number, rule in enumerate(decision.rules))
    return rows_that_fire(replace(decision, parameters=parameters, subjects=subjects), TABLE, rules)


def _subject(value: Expression | None, plan: Plan, reads: Mapping[Key, Read]) -> Expression | None:
    """What nobody asks for is nothing here: its cells are columns of their own."""
    if value is None or (value not in reads and value not in plan.joined):
        return None
    return cast(Expression, _with_reads(value, reads))


def _with_reads(thing: Any, reads: Mapping[Key, Read]) -> Any:
    def change(part: Any) -> Any:
        return reads.get(cast(Expression, part), part) if isinstance(part, Node) else part

    return rewritten(thing, change)


def _rule(
    plan: Plan, number: int, rule: Rule, reads: Mapping[Key, Read], opaque: Mapping[tuple[int, int], Key]
) -> Rule:
    conditions = [
        _condition(subject, condition, reads, opaque.get((number, n)))
        for n, (subject, condition) in enumerate(zip(plan.decision.subjects, rule.conditions, strict=True))
    ]
    taken = [reads[key] for outcome in rule.outcomes if (key := (outcome.value, ())) in reads]
    return giving_its_place(rule, number, conditions, taken)


def _condition(
    subject: Subject, condition: Condition, reads: Mapping[Key, Read], key: Key | None
) -> Condition:
    if key is not None:
        return replace(condition, tests=(holds(reads[key]),))
    if subject.value is not None:
        return condition
    return replace(condition, tests=_with_reads(condition.tests, reads))
