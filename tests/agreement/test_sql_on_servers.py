"""Random tables in Spark and PostgreSQL beside the evaluator: the same records, the same outcome."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dtables.compilers.sql import Dialect
from tests.agreement import worlds
from tests.compilers_sql.dialects.servers import compared

pytestmark = pytest.mark.xdist_group("servers")
"""One worker starts them, for all tests that need one."""

ELSEWHERE = (Dialect.POSTGRES, Dialect.SPARK)
EXAMPLES = {Dialect.POSTGRES: 6, Dialect.SPARK: 4}
MANY = 6


def tried(dialect: Dialect) -> settings:
    """Spark takes a second or more for a statement, however few records it reads."""
    return settings(
        max_examples=EXAMPLES[dialect],
        deadline=None,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.filter_too_much,
            HealthCheck.data_too_large,
            HealthCheck.large_base_example,
        ],
    )


def agreed(dialect: Dialect, table: str, name: str, turns: list[dict[str, Any]]) -> None:
    """What cannot be said in SQL is said so, and not compared."""
    ruleset = worlds.ruleset(table)
    assume(ruleset is not None)
    assert ruleset is not None
    outcome = compared(dialect, ruleset, name, turns)
    assume(outcome is not None)
    assert outcome is not None
    assert not outcome.differing, "\n".join([table, *outcome.differing])


@pytest.mark.parametrize("dialect", ELSEWHERE)
def test_decisions(dialect: Dialect) -> None:
    @tried(dialect)
    @given(worlds.decision(), st.lists(worlds.arguments(), min_size=MANY, max_size=MANY))
    def drawn(table: str, turns: list[dict[str, Any]]) -> None:
        agreed(dialect, table, "tried", [{k: v for k, v in turn.items() if k != "q"} for turn in turns])

    drawn()


@pytest.mark.parametrize("dialect", ELSEWHERE)
def test_attempts(dialect: Dialect) -> None:
    @tried(dialect)
    @given(worlds.attempts(), st.lists(worlds.arguments(), min_size=MANY, max_size=MANY))
    def drawn(table: str, turns: list[dict[str, Any]]) -> None:
        agreed(dialect, table, "tried", [{k: v for k, v in turn.items() if k != "q"} for turn in turns])

    drawn()


@pytest.mark.parametrize("dialect", ELSEWHERE)
def test_formulas(dialect: Dialect) -> None:
    @tried(dialect)
    @given(worlds.formula(), st.lists(worlds.arguments(), min_size=MANY, max_size=MANY))
    def drawn(table: str, turns: list[dict[str, Any]]) -> None:
        agreed(dialect, table, "tried", turns)

    drawn()


@pytest.mark.parametrize("dialect", ELSEWHERE)
def test_scales(dialect: Dialect) -> None:
    @tried(dialect)
    @given(worlds.scales(), st.lists(worlds.candidates(), min_size=MANY, max_size=MANY))
    def drawn(table: str, turns: list[dict[str, Any]]) -> None:
        agreed(dialect, table, "outer", turns)
        agreed(
            dialect, table, "tiers", [{k: v for k, v in turn.items() if k != "candidates"} for turn in turns]
        )

    drawn()


@pytest.mark.parametrize("dialect", ELSEWHERE)
def test_asks(dialect: Dialect) -> None:
    """What an ask needs is the reading's business."""

    @tried(dialect)
    @given(worlds.ask(), st.lists(worlds.state(), min_size=MANY, max_size=MANY))
    def drawn(table: str, turns: list[dict[str, Any]]) -> None:
        rows = [line for line in table.splitlines() if not line.startswith("  need")]
        agreed(dialect, "\n".join(rows), "turn", turns)

    drawn()
