"""All that is proved of one decision."""

from __future__ import annotations

from collections.abc import Iterator

from dtables.diagnostics import Diagnostic
from dtables.model.tables import Decision, Ruleset
from dtables.verifier import problems
from dtables.verifier.columns import MOST_COLUMNS, MOST_ROWS, plan
from dtables.verifier.gaps import find_gaps, find_overlaps
from dtables.verifier.grid import Budget, meeting
from dtables.verifier.judge import Judge
from dtables.verifier.redundant import (
    find_empty,
    find_masked,
    find_mergeable,
    find_misleading,
    find_never_given,
    find_without_effect,
)
from dtables.verifier.values import Values

STEPS = 1_500_000
"""Of a search in one table: a few seconds at most."""


def verify_decision(decision: Decision, ruleset: Ruleset, values: Values) -> Iterator[Diagnostic]:
    if not decision.rules:
        return
    planned = plan(decision, values)
    if planned is None:
        yield problems.too_large(decision.heading.where, len(decision.rules), MOST_ROWS, MOST_COLUMNS)
        return
    judge = Judge(ruleset, planned)
    meet = meeting(planned.grid)
    yield from find_empty(planned)
    yield from find_gaps(planned, judge, meet, Budget(STEPS))
    yield from find_overlaps(planned, judge, meet)
    yield from find_masked(planned, judge, meet, Budget(STEPS))
    yield from find_without_effect(planned, judge, meet)
    yield from find_mergeable(planned, judge, meet)
    yield from find_misleading(planned, judge, meet)
    yield from find_never_given(decision, values)
