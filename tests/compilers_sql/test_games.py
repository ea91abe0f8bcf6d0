"""Our own workbooks in DuckDB: generated turns, the evaluator's answers."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dtables.compilers.sql import to_sql
from dtables.evaluator import Evaluator
from dtables.model.tables import Ruleset
from dtables.ruleset import load
from tests.compilers_sql.duck import KEY, compared, sound
from tests.games.duel.turns import asked, sound_state
from tests.games.games import PLAYED
from tests.support.thinned import draws

TABLES = Path(__file__).parent.parent.parent / "tables"
TURNS = 400
ASKS = [
    ("architects", "stage"),
    ("architects", "turn"),
    ("architects", "halicarnassus"),
    ("architects", "start_tokens"),
    ("concordia", "turn"),
    ("concordia", "final_action"),
    ("terra_mystica", "opponents"),
    ("terra_mystica", "blocked_actions"),
    ("terra_mystica", "setup_dwellings"),
    ("architects", "progress"),
    ("concordia", "dice"),
    ("concordia", "diplomat"),
    ("concordia", "prefect"),
    ("terra_mystica", "cult_scores"),
    ("terra_mystica", "cults"),
    ("terra_mystica", "network"),
    ("terra_mystica", "place_opponent"),
    ("comics", "challenges"),
    ("comics", "final"),
    ("comics", "reshuffle"),
    ("comics", "title"),
]
DUEL = [
    "age_start",
    "anubis",
    "baal",
    "direction",
    "draft",
    "free_structure",
    "god_slot",
    "isis",
    "level",
    "liberty_gift",
    "minerva",
    "need",
    "neptune",
    "next_starter",
    "nisaba",
    "operative_order",
    "price",
    "progress",
    "ra",
    "remove_resource",
    "theatre",
    "turn",
]
MANY = 25


@cache
def ruleset(game: str) -> Ruleset:
    return load(TABLES / f"{game}.xlsx").model


@cache
def turns(game: str) -> dict[str, list[Any]]:
    """Generated turns by ask."""
    played = next(one for one in PLAYED if one.game.name == game)
    random, found = Random(11), defaultdict(list)
    for _ in range(TURNS):
        ask, state = played.good(random)
        found[ask].append(state)
    return found


def agreed(game: str, ask: str, states: list[Any]) -> None:
    compiled = to_sql(ruleset(game), ask, keys=(KEY,))
    assert compiled.sql is not None, compiled.diagnostics
    assert not compared(compiled, ruleset(game), ask, states)


@pytest.mark.parametrize(("game", "ask"), ASKS)
def test_asks(game: str, ask: str) -> None:
    states = turns(game)[ask]
    assert states
    agreed(game, ask, states[:MANY])


RANKING = {"action to take": {}, "ideas": {"s": 1}, "sale": {"s": 2}}


@pytest.mark.parametrize("table", RANKING)
def test_tables_that_rank(table: str) -> None:
    """Tiers of scales, by keys and row by row, and lists that are tried."""
    states = [{**state, **RANKING[table]} for state in turns("comics")["turn"][:MANY]]
    evaluator = Evaluator(ruleset("comics"))
    assert sum(sound(evaluator, table, state) is not None for state in states) > 10
    agreed("comics", table, states)


@pytest.mark.parametrize("ask", DUEL)
def test_duel(ask: str) -> None:
    random = Random(5)
    agreed("duel", ask, [asked(random, ask, sound_state(random)) for _ in range(draws(MANY))])
