"""DuckDB and the evaluator, held together: random tables, random records, the same outcome."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dtables.compilers.sql import to_sql
from tests.agreement import test_many_rows as many_rows
from tests.agreement import worlds
from tests.compilers_sql.duck import KEY, compared
from tests.support.thinned import draws

QUICK = settings(
    max_examples=draws(25),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


def agreed(table: str, name: str, turns: list[dict[str, Any]]) -> None:
    """What cannot be said in SQL is said so, and not compared."""
    ruleset = worlds.ruleset(table)
    assume(ruleset is not None)
    assert ruleset is not None
    compiled = to_sql(ruleset, name, keys=(KEY,))
    assert (compiled.sql is None) == bool(compiled.diagnostics)
    assume(compiled.sql is not None)
    differing = compared(compiled, ruleset, name, turns)
    assert not differing, "\n".join([table, *differing])


@QUICK
@given(worlds.decision(), st.lists(worlds.arguments(), min_size=6, max_size=6))
def test_decisions(table: str, turns: list[dict[str, Any]]) -> None:
    agreed(table, "tried", [{k: v for k, v in turn.items() if k != "q"} for turn in turns])


@settings(QUICK, max_examples=draws(15))
@given(worlds.attempts(), st.lists(worlds.arguments(), min_size=6, max_size=6))
def test_attempts(table: str, turns: list[dict[str, Any]]) -> None:
    agreed(table, "tried", [{k: v for k, v in turn.items() if k != "q"} for turn in turns])


@QUICK
@given(worlds.formula(), st.lists(worlds.arguments(), min_size=4, max_size=4))
def test_formulas(table: str, turns: list[dict[str, Any]]) -> None:
    agreed(table, "tried", turns)


@settings(QUICK, max_examples=draws(12))
@given(worlds.scales(), st.lists(worlds.candidates(), min_size=4, max_size=4))
def test_scales(table: str, turns: list[dict[str, Any]]) -> None:
    agreed(table, "outer", turns)
    agreed(table, "tiers", [{k: v for k, v in turn.items() if k != "candidates"} for turn in turns])


@QUICK
@given(worlds.ask(), st.lists(worlds.state(), min_size=6, max_size=6))
def test_asks(table: str, turns: list[dict[str, Any]]) -> None:
    """What an ask needs is the reading's business."""
    rows = [line for line in table.splitlines() if not line.startswith("  need")]
    agreed("\n".join(rows), "turn", turns)


@pytest.mark.parametrize("policy", many_rows.POLICIES)
def test_policies_with_outcomes_of_every_kind(policy: str) -> None:
    """Of one kind in each row or of several: whole numbers among others keep the others' fractions."""
    kinds = ["constants"] if "priorities" in policy else ["constants", "whole or not", "of both"]
    for kind in kinds:
        table = many_rows.table(policy, kind, "then", "", 8)
        ruleset = worlds.ruleset(table)
        assert ruleset is not None
        compiled = to_sql(ruleset, "tried", keys=(KEY,))
        differing = compared(compiled, ruleset, "tried", many_rows.turns())
        assert not differing, "\n".join([table, *differing])


WRITTEN_OUT = """
Decision: tried(p: whole number) ; policy: {policy} ; priorities: -1, 1 + 1, 3
  if | then
  p | out
  > 1 | 1 + 1
  - | -1
  > 5 | 3
  > 7 | 2
"""


@pytest.mark.parametrize("policy", worlds.RANKING)
def test_priorities_of_what_is_a_constant_by_itself(policy: str) -> None:
    ruleset = worlds.ruleset(WRITTEN_OUT.format(policy=policy))
    assert ruleset is not None
    compiled = to_sql(ruleset, "tried", keys=(KEY,))
    assert compiled.sql is not None
    assert not compared(compiled, ruleset, "tried", [{"p": p} for p in (0, 2, 6, 8)])
