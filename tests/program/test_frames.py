"""What stands in a frame: functions keep the names that they were made among, a call has a frame of its own,
lazy steps are read in other branches."""

from __future__ import annotations

from typing import Any

import pytest

from dtables.evaluator import Evaluator
from tests.agreement.engines import outcome, ruleset
from tests.support.oracle import OracleEngine

BOOK = """
Types: names
  name | names
  hue | rust, teal, gold

Input: state
  field | type | default
  ns | list of number | []
  drawn | hue? | null

Formulas: kept
  name | type | is
  apply(f: function<number> -> number, n: number) | number | f(n)

Formula: made in a loop
  step | type | is
  adders | list of function<number> -> number | for n in ns return function(x: number) x + n
  result | list of number | for f in adders return f(10)

Formula: a step inside itself
  step | type | is
  twice(n: number) | number | 2 * n
  outer(n: number) | number | apply(function(x: number) twice(x) + n, n + 1) + n
  result | list of number | for n in ns return outer(outer(n))

Formula: made in a context
  step | type | is
  tools | any | {one: 1, more: for n in ns return {twice: 2 * n, shift: function(x: number) x + twice + one}}
  result | any | for m in tools.more return m.shift(10)

Formula: read in a loop
  step | type | is
  sum | number | total(for n in ns return 2 * n)
  result | list of number | for n in ns return if n > 1 then sum + n else n

Ask: turn ; main: yes
  role | name | is | recorded in
  step | before | count(ns) + 1 |
  draw | hue | each hue | drawn
  step | after | before + (if hue = rust then 1 else 2) |
  answer | hue | hue |
  answer | before | before |
  answer | after | after |
"""
TABLES = ("made in a loop", "a step inside itself", "made in a context", "read in a loop")


Engines = tuple[OracleEngine, Evaluator]


@pytest.fixture(scope="module")
def engines() -> Engines:
    model = ruleset(BOOK)
    assert model is not None
    return OracleEngine(model), Evaluator(model)


@pytest.mark.parametrize("numbers", [[], [1], [3, 1, 2]])
@pytest.mark.parametrize("table", TABLES)
def test_frames(engines: Engines, table: str, numbers: list[int]) -> None:
    oracle, planned = engines
    wanted = outcome(lambda: oracle.call(table, {"ns": numbers}))
    assert wanted[0] == "value"
    assert outcome(lambda: planned.call(table, {"ns": numbers})) == wanted


@pytest.mark.parametrize("state", [{"ns": [1, 2]}, {"ns": [], "drawn": "teal"}, {"drawn": "nothing"}])
def test_branches(engines: Engines, state: dict[str, Any]) -> None:
    oracle, planned = engines
    assert outcome(lambda: planned.reply("turn", state)) == outcome(lambda: oracle.reply("turn", state))
