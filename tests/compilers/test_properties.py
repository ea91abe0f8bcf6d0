"""Evaluator and compiled code, held together: random tables, random records, the same outcome."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.compilers import worlds
from tests.compilers.both import Both

QUICK = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


def agreed(table: str, name: str, turns: list[dict[str, Any]]) -> None:
    ruleset = worlds.ruleset(table)
    assume(ruleset is not None)
    assert ruleset is not None
    both = Both(ruleset)
    for turn in turns:
        both.compare_call(name, turn)


@QUICK
@given(worlds.formula(), st.lists(worlds.arguments(), min_size=4, max_size=4))
def test_formulas(table: str, turns: list[dict[str, Any]]) -> None:
    agreed(table, "tried", turns)


@QUICK
@given(worlds.decision(), st.lists(worlds.arguments(), min_size=6, max_size=6))
def test_decisions(table: str, turns: list[dict[str, Any]]) -> None:
    agreed(table, "tried", [{k: v for k, v in turn.items() if k != "q"} for turn in turns])


@QUICK
@given(worlds.scales(), st.lists(worlds.candidates(), min_size=4, max_size=4))
def test_scales(table: str, turns: list[dict[str, Any]]) -> None:
    agreed(table, "outer", turns)
    agreed(table, "tiers", [{k: v for k, v in turn.items() if k != "candidates"} for turn in turns])


@QUICK
@given(worlds.ask(), st.lists(worlds.state(), min_size=4, max_size=4))
def test_asks(table: str, turns: list[dict[str, Any]]) -> None:
    ruleset = worlds.ruleset(table, worlds.CHECKS)
    assume(ruleset is not None)
    assert ruleset is not None
    both = Both(ruleset)
    for turn in turns:
        both.compare_answer("turn", turn)


def test_the_worlds_are_checked() -> None:
    """What is thrown away is the exception."""
    assert worlds.ruleset(worlds.CHECKS) is not None
