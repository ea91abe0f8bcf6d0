"""Rows that change nothing: what they give is given without them, or given twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtables.diagnostics import Diagnostic
from dtables.model.tables import Policy
from dtables.verifier import problems
from dtables.verifier.columns import Plan
from dtables.verifier.gaps import same_outcome
from dtables.verifier.grid import Bits, holds, members, takes_all
from dtables.verifier.judge import Judge
from dtables.verifier.shown import example, point

ANY_ROW = (Policy.ANY, Policy.COLLECT_MIN, Policy.COLLECT_MAX)
"""Policies under which it is all the same which of two rows gives something."""
LATER_ROW = (Policy.FIRST, Policy.PRIORITY)
"""Policies under which an earlier row that takes all would be told as one that masks."""
ALL_ROWS = (Policy.COLLECT, Policy.COLLECT_SUM, Policy.COLLECT_COUNT, Policy.RULE_ORDER, Policy.OUTPUT_ORDER)
"""Policies under which both rows count."""


def find_without_effect(plan: Plan, judge: Judge, meet: Sequence[Bits]) -> Iterator[Diagnostic]:
    """What the row gives is given without it too."""
    decision, rows = plan.decision, plan.grid.rows
    if decision.policy not in (*ANY_ROW, *LATER_ROW):
        return
    found = [(row, other) for row in range(len(rows)) if (other := _other(plan, row, meet)) is not None]
    for row, other in found[: problems.MOST_LISTED]:
        spot = point(plan.columns, rows[row])
        if judge.fire(spot, row):
            rule = None if other == row else decision.rules[other]
            yield problems.no_effect(decision.rules[row], rule, example(plan.columns, spot, rows[row]))
    if len(found) > problems.MOST_LISTED:
        yield problems.more(decision.heading.where, "no-effect", len(found) - problems.MOST_LISTED)


def _other(plan: Plan, row: int, meet: Sequence[Bits]) -> int | None:
    if not all(plan.grid.rows[row]):
        return None
    everywhere = plan.decision.policy in ANY_ROW
    return _instead(plan, row, meet[row] if everywhere else meet[row] >> row << row)


def _instead(plan: Plan, row: int, others: Bits) -> int | None:
    """The row that gives the same wherever this one does; the row itself stands for `otherwise`."""
    decision, rows = plan.decision, plan.grid.rows
    later = decision.policy in LATER_ROW
    for other in members(others):
        alike = same_outcome(decision.rules[row], decision.rules[other])
        if not alike and decision.policy is Policy.FIRST:
            return None
        if alike and (holds(rows[other], rows[row]) if later else takes_all(rows, other, row)):
            return other
    otherwise = decision.otherwise
    if decision.policy is Policy.FIRST and otherwise is not None and len(decision.outcomes) == 1:
        return row if decision.rules[row].outcomes[0].value == otherwise.value else None
    return None


def find_given_twice(plan: Plan, judge: Judge, meet: Sequence[Bits]) -> Iterator[Diagnostic]:
    """Where all rows that fire count: rows that fire only together with one that gives the same."""
    decision, rows = plan.decision, plan.grid.rows
    if decision.policy not in ALL_ROWS:
        return
    found = [(row, other) for row in range(len(rows)) if (other := _same_beside(plan, row, meet)) is not None]
    for row, other in found[: problems.MOST_LISTED]:
        spot = point(plan.columns, rows[row])
        if judge.fire(spot, row, other):
            shown = example(plan.columns, spot, rows[row])
            yield problems.given_twice(decision.rules[row], decision.rules[other], shown)
    if len(found) > problems.MOST_LISTED:
        yield problems.more(decision.heading.where, "given-twice", len(found) - problems.MOST_LISTED)


def _same_beside(plan: Plan, row: int, meet: Sequence[Bits]) -> int | None:
    """Of two equal rows the later one is told."""
    rules, rows = plan.decision.rules, plan.grid.rows
    if not all(rows[row]):
        return None
    for other in members(meet[row]):
        if takes_all(rows, other, row) and same_outcome(rules[row], rules[other]):
            return other
    return None
