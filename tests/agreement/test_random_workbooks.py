"""Evaluator and compiled code, held together: random tables, random records, the same outcome."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.agreement import worlds
from tests.agreement.engines import Engines, ruleset
from tests.support.limits import limited
from tests.support.thinned import draws, swept

QUICK = settings(
    max_examples=draws(60),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


def agreed(table: str, name: str, turns: list[dict[str, Any]]) -> None:
    ruleset = worlds.ruleset(table)
    assume(ruleset is not None)
    assert ruleset is not None
    engines = Engines(ruleset, explained=False)
    for turn in turns:
        engines.call(name, turn)


@QUICK
@given(worlds.formula(), st.lists(worlds.arguments(), min_size=4, max_size=4))
def test_formulas(table: str, turns: list[dict[str, Any]]) -> None:
    agreed(table, "tried", turns)


@QUICK
@given(worlds.decision(), st.lists(worlds.arguments(), min_size=6, max_size=6))
def test_decisions(table: str, turns: list[dict[str, Any]]) -> None:
    agreed(table, "tried", [{k: v for k, v in turn.items() if k != "q"} for turn in turns])


@QUICK
@given(worlds.attempts(), st.lists(worlds.arguments(), min_size=6, max_size=6))
def test_attempts(table: str, turns: list[dict[str, Any]]) -> None:
    agreed(table, "tried", [{k: v for k, v in turn.items() if k != "q"} for turn in turns])


@limited(dispatched_rows=2, tried_rows=2)
@QUICK
@given(worlds.decision(), st.lists(worlds.arguments(), min_size=6, max_size=6))
def test_decisions_as_if_they_had_very_many_rows(table: str, turns: list[dict[str, Any]]) -> None:
    agreed(table, "tried", [{k: v for k, v in turn.items() if k != "q"} for turn in turns])


@limited(tried_rows=1, chained_rows=1)
@QUICK
@given(worlds.decision(), st.lists(worlds.arguments(), min_size=6, max_size=6))
def test_decisions_as_if_few_rows_were_many(table: str, turns: list[dict[str, Any]]) -> None:
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
    engines = Engines(ruleset, explained=False)
    for turn in turns:
        engines.answer(turn, "turn")


FULL = {
    "level": 3, "wish": "red", "rate": 1, "spare": 2, "toy": "ball", "marks": [3, 1, 2],
    "chest": {"tint": "red"},
    "boxes": [{"tint": "red", "toys": ["ball"]}, {"tint": "blue", "toys": ["kite", "top"]}], "drawn": "top",
    "stock": {"red": 5, "green": 6, "blue": 7},
}  # fmt: skip


@pytest.mark.parametrize("use", worlds.USES)
def test_functions_made_in_loops_of_every_kind(use: str) -> None:
    """Each of them reads what its own round has."""
    written = [
        use.format(functions=loop.format(made=made.format(body=read)), argument="level")
        for loop, (read, *_) in worlds.ROUNDS.items()
        for made in worlds.MADE
    ]
    rows = "\n".join(f"  used {number} | | {one}" for number, one in enumerate(written))
    ruleset = worlds.ruleset(f"Formulas: these\n  name | type | is\n{rows}")
    assert ruleset is not None
    engines = Engines(ruleset, explained=False)
    for number in range(len(written)):
        engines.call(f"used {number}", FULL)


@QUICK
@given(worlds.functions_used(), st.lists(worlds.state(), min_size=4, max_size=4))
def test_functions_that_are_called_when_all_are_made(used: str, turns: list[dict[str, Any]]) -> None:
    agreed(_formula(used), "tried", turns)


def test_the_worlds_are_checked() -> None:
    """What is thrown away is the exception."""
    refused = [odd for odd in worlds.ODD if worlds.ruleset(_formula(odd)) is None]
    assert not refused
    assert worlds.ruleset(worlds.CHECKS) is not None


def _formula(expression: str) -> str:
    return f"Formula: tried\n  step | type | is\n  result | | {expression}"


@settings(QUICK, max_examples=draws(6))
@given(st.lists(worlds.state(), min_size=3, max_size=3))
def test_odd_expressions(turns: list[dict[str, Any]]) -> None:
    for table, engines in swept(odd_ones()):
        for turn in turns:
            engines.call(table, turn)


@cache
def odd_ones() -> list[tuple[str, Engines]]:
    """All of them in one workbook."""
    rows = "\n".join(f"  odd {number} | | {odd}" for number, odd in enumerate(worlds.ODD))
    ruleset = worlds.ruleset(f"Formulas: odd ones\n  name | type | is\n{rows}")
    assert ruleset is not None
    engines = Engines(ruleset, explained=False)
    return [(f"odd {number}", engines) for number in range(len(worlds.ODD))]


STEPS = """
Input: state
  field | type
  ns | list of number
  open | boolean

Formula: tried
  step | type | is
  b | | count(ns) + 1
  c | | b + b
  f(x: number) | | c + x
  a | | {a}
  result | | {result}
"""


@pytest.mark.parametrize("result", ["[a, b]", "[a, c, b, c]", "[b, a, c]", "a + b"])
@pytest.mark.parametrize("a", ["if open then 1 else b", "if open then c else f(2)", "count(ns[item > c])"])
def test_a_step_may_be_read_by_another_before_its_turn(a: str, result: str) -> None:
    model = ruleset(STEPS.format(a=a, result=result))
    assert model is not None
    engines = Engines(model)
    for is_open in (True, False):
        assert engines.call("tried", {"ns": [3, 9], "open": is_open})[0] == "value"


SHARES = """
Types: names
  name | names
  hue | rust, teal, gold

Input: state
  field | type
  ns | list of number

Formulas: sums
  name | type | is
  share(c: hue) | number | total(for n in ns return n / ({w}))

Ask: turn ; main: yes
  role | name | is
  answer | a | total(for c in each hue return if c = rust then 0 else share(c))
  answer | b | for c in each hue return if c = rust then 0 else share(c)
  answer | c | total(for c in each hue return if c = rust then 0 else share(c) + 1)
"""


@pytest.mark.parametrize("divisor", ["if c = rust then 0 else 2", "2", "count(ns[item > 1]) + 1"])
def test_what_fails_for_a_name_that_nobody_asks_for_fails_nobody(divisor: str) -> None:
    """What is asked for many names may be worked out for all of them at once."""
    model = ruleset(SHARES.replace("{w}", divisor))
    assert model is not None
    assert Engines(model).answer({"ns": [1, 2]})[0] == "value"
