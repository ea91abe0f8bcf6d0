"""Explanations give the oracle's answers, and tell the same again: random workbooks, all games."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dtables.ruleset import load
from tests.agreement import worlds
from tests.agreement.explanations import Together
from tests.agreement.test_random_workbooks import odd_ones
from tests.agreement.test_samples import SAMPLES, TABLES, book, changed
from tests.games.duel.turns import sound_turn
from tests.games.games import DUEL, PLAYED
from tests.games.harness import lines_of
from tests.support.thinned import draws, swept

TURNS = draws(60)
QUICK = settings(
    max_examples=draws(30),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


def agreed(table: str, name: str, turns: list[dict[str, Any]], *left_out: str) -> None:
    together = of_world(table)
    for turn in turns:
        together.compare_table(name, {key: value for key, value in turn.items() if key not in left_out})


def of_world(*tables: str) -> Together:
    ruleset = worlds.ruleset(*tables)
    assume(ruleset is not None)
    assert ruleset is not None
    return Together(ruleset)


@QUICK
@given(worlds.formula(), st.lists(worlds.arguments(), min_size=4, max_size=4))
def test_formulas(table: str, turns: list[dict[str, Any]]) -> None:
    agreed(table, "tried", turns)


@QUICK
@given(worlds.decision(), st.lists(worlds.arguments(), min_size=6, max_size=6))
def test_decisions(table: str, turns: list[dict[str, Any]]) -> None:
    agreed(table, "tried", turns, "q")


@QUICK
@given(worlds.attempts(), st.lists(worlds.arguments(), min_size=6, max_size=6))
def test_attempts(table: str, turns: list[dict[str, Any]]) -> None:
    agreed(table, "tried", turns, "q")


@QUICK
@given(worlds.scales(), st.lists(worlds.candidates(), min_size=4, max_size=4))
def test_scales(table: str, turns: list[dict[str, Any]]) -> None:
    agreed(table, "outer", turns)
    agreed(table, "tiers", turns, "candidates")


@QUICK
@given(worlds.ask(), st.lists(worlds.state(), min_size=4, max_size=4))
def test_asks(table: str, turns: list[dict[str, Any]]) -> None:
    together = of_world(table, worlds.CHECKS)
    for turn in turns:
        together.compare_ask("turn", turn)


@settings(QUICK, max_examples=draws(4))
@given(st.lists(worlds.state(), min_size=3, max_size=3))
def test_odd_expressions(turns: list[dict[str, Any]]) -> None:
    together = Together(odd_ones()[0][1].model)
    for table, _ in swept(odd_ones(), 1):
        for turn in turns:
            together.compare_table(table, turn)


@pytest.mark.parametrize("sample", SAMPLES, ids=book)
def test_samples_and_changes_of_them(sample: Path) -> None:
    together = Together(load(TABLES / f"{book(sample)}.xlsx").model)
    records = [json.loads(line) for line in lines_of(sample)]
    for record in records:
        together.compare_ask(record.get("ask"), record["state"])
    for ask, state in changed(records, Random(11)):
        together.compare_ask(ask, state)


GOOD = {played.game.name: (played.game, played.good) for played in PLAYED} | {
    DUEL.name: (DUEL, lambda random: sound_turn(random))
}


@pytest.mark.parametrize("name", GOOD)
def test_generated_turns(name: str) -> None:
    game, good = GOOD[name]
    together, random = Together(game.rules.model), Random(12)
    for _ in range(TURNS):
        together.compare_ask(*good(random)[:2])
