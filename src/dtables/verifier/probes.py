"""What the evaluator is asked about a decision: which of its rows fire."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import count

from dtables.feel import types
from dtables.model.expressions import Constant, Expression, Holds, Logic, Variable
from dtables.model.tables import (
    Condition,
    Decision,
    Heading,
    Outcome,
    OutcomeColumn,
    OutcomeKind,
    Policy,
    Rule,
    Subject,
)
from dtables.provenance import Location

NUMBERS = count(1_000_000_000)
"""Of variables that are no other variable's."""


def rows_that_fire(decision: Decision, name: str, rules: Iterable[Rule]) -> Decision:
    """Gives the places of all rows that fire. Whether a row takes anything is a condition more."""
    where = decision.heading.where
    taking = Subject("", Variable("", next(NUMBERS), types.NULL), None, where.cell)
    return replace(
        decision,
        heading=Heading(name, where),
        policy=Policy.COLLECT,
        subjects=(*decision.subjects, taking),
        outcomes=(OutcomeColumn("", OutcomeKind.THEN, types.WHOLE, where.cell),),
        rules=tuple(rules),
        otherwise=None,
        type=types.ListType(types.WHOLE),
    )


def giving_its_place(
    rule: Rule, place: int, conditions: Sequence[Condition], taken: Sequence[Expression]
) -> Rule:
    """The row under these conditions, if all of `taken` is true besides."""
    tests = (holds(reduce(_both, taken)),) if taken else ()
    outcome = Outcome(Constant(place, type=types.WHOLE, where=Location(rule.where)), rule.where, "")
    return Rule(rule.number, (*conditions, Condition(tests, rule.where, "")), (outcome,), rule.where)


def holds(condition: Expression) -> Holds:
    return Holds(condition, type=types.BOOLEAN, where=condition.where)


def _both(left: Expression, right: Expression) -> Expression:
    return Logic("and", left, right, type=types.BOOLEAN, where=left.where)
