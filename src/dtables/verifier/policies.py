"""Hit policies that say less than they could: another one would say that rows do not meet, or agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtables.diagnostics import Diagnostic
from dtables.model.tables import Policy
from dtables.verifier import problems
from dtables.verifier.columns import Plan
from dtables.verifier.gaps import same_outcome
from dtables.verifier.grid import Bits, members

MOST_PAIRS = 20_000


def find_other_policy(plan: Plan, meet: Sequence[Bits]) -> Iterator[Diagnostic]:
    """Rows that never fire are told of first: without them the table is another."""
    decision = plan.decision
    if decision.policy not in (Policy.ANY, Policy.FIRST, Policy.PRIORITY) or len(decision.rules) < 2:
        return
    if not all(map(all, plan.grid.rows)):
        return
    if not any(meet):
        yield problems.other_policy(
            decision.heading.where, decision.policy.value, "unique", "no two rows ever fire together"
        )
    elif decision.policy is not Policy.ANY and _all_agree(plan, meet):
        yield problems.other_policy(
            decision.heading.where, decision.policy.value, "any", "rows that fire together give the same"
        )


def _all_agree(plan: Plan, meet: Sequence[Bits]) -> bool:
    rules, pairs = plan.decision.rules, 0
    for row, others in enumerate(meet):
        for other in members(others & ((1 << row) - 1)):
            pairs += 1
            if pairs > MOST_PAIRS or not same_outcome(rules[row], rules[other]):
                return False
    return True
