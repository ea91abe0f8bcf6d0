"""Asks of the games in Spark and PostgreSQL beside the evaluator: generated turns, the same answers."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dtables.compilers.sql import Dialect
from dtables.model.tables import Ruleset
from dtables.ruleset import read
from tests.compilers_sql.dialects.servers import compared
from tests.games.games import PLAYED
from tests.support.thinned import draws

pytestmark = pytest.mark.xdist_group("servers")
"""One worker starts them, for all tests that need one."""

TURNS = draws(150)
FEWEST = 8
"""Of one ask: more are drawn until there are so many."""

ASKS = [
    (Dialect.POSTGRES, "architects", "progress"),
    (Dialect.POSTGRES, "architects", "stage"),
    (Dialect.POSTGRES, "architects", "turn"),
    (Dialect.POSTGRES, "terra_mystica", "opponents"),
    (Dialect.POSTGRES, "terra_mystica", "setup_dwellings"),
    (Dialect.POSTGRES, "concordia", "diplomat"),
    (Dialect.POSTGRES, "concordia", "dice"),
    (Dialect.POSTGRES, "concordia", "prefect"),
    (Dialect.SPARK, "architects", "progress"),
    (Dialect.SPARK, "architects", "start_tokens"),
    (Dialect.SPARK, "terra_mystica", "blocked_actions"),
    (Dialect.SPARK, "terra_mystica", "setup_dwellings"),
    (Dialect.SPARK, "concordia", "diplomat"),
    (Dialect.SPARK, "concordia", "dice"),
]


@pytest.mark.parametrize(("dialect", "game", "ask"), ASKS)
def test_asks(dialect: Dialect, game: str, ask: str) -> None:
    played = next(one for one in PLAYED if one.game.name == game)
    random = Random(7)
    states: list[dict[str, Any]] = []
    drawn = 0
    while drawn < TURNS or len(states) < FEWEST:
        asked, state = played.good(random)
        states += [state] if asked == ask else []
        drawn += 1
    outcome = compared(dialect, ruleset(game), ask, states)
    assert outcome is not None
    assert outcome.tried >= FEWEST
    assert not outcome.differing, "\n".join(outcome.differing)


@pytest.mark.parametrize("dialect", [Dialect.POSTGRES, Dialect.SPARK])
def test_a_table_that_ranks_row_by_row(dialect: Dialect) -> None:
    played = next(one for one in PLAYED if one.game.name == "comics")
    random = Random(7)
    drawn = [played.good(random) for _ in range(TURNS // 3)]
    states = [{**state, "s": 1} for ask, state in drawn if ask == "turn"]
    outcome = compared(dialect, ruleset("comics"), "ideas", states)
    assert outcome is not None and outcome.tried >= 5
    assert not outcome.differing, "\n".join(outcome.differing)


@cache
def ruleset(game: str) -> Ruleset:
    checked = read(Path(__file__).parents[3] / "tables" / f"{game}.xlsx")
    assert checked.model is not None
    return checked.model
