"""What can be proved of a checked workbook: gaps, overlaps, dead rows, criteria that never decide."""

from __future__ import annotations

from dtables.diagnostics import Diagnostic
from dtables.model.tables import Decision, Ruleset
from dtables.verifier.decisions import verify_decision
from dtables.verifier.values import Values

__all__ = ["verify"]


def verify(ruleset: Ruleset) -> tuple[Diagnostic, ...]:
    values = Values(ruleset)
    found: list[Diagnostic] = []
    for table in ruleset.tables:
        if isinstance(table, Decision):
            found += verify_decision(table, ruleset, values)
    return tuple(found)
