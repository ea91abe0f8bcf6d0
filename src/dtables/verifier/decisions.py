"""All that is proved of one decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dtables.diagnostics import Diagnostic
from dtables.model.grid import meeting
from dtables.model.tables import Decision, Ruleset
from dtables.verifier import messages
from dtables.verifier.boxes import Budget
from dtables.verifier.cells import find_column_twice, find_disallowed, find_in_cells
from dtables.verifier.columns import DecisionPlan, PossibleValues, plan
from dtables.verifier.gaps import find_gaps, find_overlaps
from dtables.verifier.rows import (
    find_empty,
    find_given_twice,
    find_masked,
    find_mergeable,
    find_misleading,
    find_never_given,
    find_other_policy,
    find_without_effect,
)
from dtables.verifier.trial import Trial

STEPS = 1_500_000
USUAL = 20_000
"""Of a search in one table: a few seconds at most. Where rows are more than usual, each step takes longer."""


def verify_decision(decision: Decision, ruleset: Ruleset, values: PossibleValues) -> Iterator[Diagnostic]:
    if not decision.rules:
        return
    planned = plan(decision, values)
    if isinstance(planned, Diagnostic):
        yield planned
        return
    for found in _findings(decision, planned, ruleset, values):
        yield replace(found, table=decision.heading.where.cell)


def _findings(
    decision: Decision, planned: DecisionPlan, ruleset: Ruleset, values: PossibleValues
) -> Iterator[Diagnostic]:
    yield from find_empty(planned)
    yield from _of_rows_together(decision, planned, ruleset, values)
    yield from find_never_given(decision, values) if not decision.tries_steps else ()
    yield from find_in_cells(planned)
    yield from find_column_twice(decision)
    yield from find_disallowed(decision, values)


def never_meet(decision: Decision, ruleset: Ruleset) -> bool:
    """Whether it is proved that no two rows of a decision apply together."""
    planned = plan(decision, PossibleValues(ruleset))
    return not isinstance(planned, Diagnostic) and meeting(planned.grid) == ([0] * len(decision.rules), True)


def _of_rows_together(
    decision: Decision, planned: DecisionPlan, ruleset: Ruleset, values: PossibleValues
) -> Iterator[Diagnostic]:
    trial = Trial(ruleset, decision, planned, values)
    steps = STEPS * USUAL // max(USUAL, len(decision.rules))
    meet, complete = meeting(planned.grid)
    if not complete:
        yield messages.stopped(decision.heading.where, "rows that fire together")
        yield from find_gaps(planned, trial, (), Budget(steps))
        yield from find_overlaps(planned, trial, meet)
        return
    gaps = list(find_gaps(planned, trial, meet, Budget(steps)))
    yield from gaps
    yield from find_overlaps(planned, trial, meet)
    masked = list(find_masked(planned, meet, Budget(steps)))
    yield from masked
    yield from find_without_effect(planned, meet)
    if decision.tries_steps:
        return
    yield from find_given_twice(planned, meet)
    yield from find_mergeable(planned, meet)
    yield from _of_other_rows(masked, find_misleading(planned, meet))
    yield from find_other_policy(planned, meet) if not gaps else ()


def _of_other_rows(reported: Iterable[Diagnostic], further: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Of a row that never fires nothing more is reported."""
    places = {diagnostic.where for diagnostic in reported}
    return (diagnostic for diagnostic in further if diagnostic.where not in places)
