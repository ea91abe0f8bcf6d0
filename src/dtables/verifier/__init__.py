"""What can be proved of a checked workbook: gaps, overlaps, dead rows, criteria that never decide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dtables.collector import held_back
from dtables.diagnostics import Diagnostic
from dtables.model.tables import Decision, Dice, Formula, Matrix, Ruleset, Scale, Table
from dtables.verifier.columns import PossibleValues
from dtables.verifier.decisions import never_meet, verify_decision
from dtables.verifier.matrices import verify_matrix
from dtables.verifier.scales import verify_scale

__all__ = ["never_meet", "unreached", "verify"]


@held_back()
def verify(ruleset: Ruleset) -> tuple[Diagnostic, ...]:
    """Prove what can be proved of each table; the findings are in the order of the tables."""
    values = PossibleValues(ruleset)
    return tuple(found for table in ruleset.tables for found in _verify_table(table, ruleset, values))


def unreached(ruleset: Ruleset) -> tuple[Diagnostic, ...]:
    """Say which tables and rows no example of the workbook reaches; its examples are run for that."""
    from dtables.verifier import coverage

    return coverage.unreached(ruleset)


def _verify_table(table: Table, ruleset: Ruleset, values: PossibleValues) -> Iterator[Diagnostic]:
    match table:
        case Decision():
            yield from verify_decision(table, ruleset, values)
        case Scale():
            yield from verify_scale(table, ruleset, values)
        case Matrix():
            yield from verify_matrix(table)
        case Formula() | Dice():
            return
        case _:
            assert_never(table)
