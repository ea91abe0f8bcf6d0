"""Whole turns with their reasons, as they are read; `make golden` rewrites them with the workbooks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import dtables
from dtables.explanations.plain import as_plain
from dtables.explanations.render import render
from tests.games.games import DUEL, GAMES
from tests.games.harness import TABLES, Game, lines_of
from tests.support.golden import golden

HERE = Path(__file__).parent


def recorded(game: Game) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines_of(TABLES / f"{game.name}.sample.jsonl")]


@pytest.mark.parametrize("language", ["it", "en"])
def test_duel__a_turn_in_which_one_wonder_of_three_can_be_paid(language: str) -> None:
    (record,) = [record for record in recorded(DUEL) if record["turn"] == "full"]
    told = render(DUEL.rules.explain("turn", record["state"]), language)
    golden(HERE / "golden" / f"duel_turn.{language}.txt", told)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_explained_answers_are_the_answers(game: Game) -> None:
    rules = game.rules
    for record in recorded(game):
        ask, state = record.get("ask"), record["state"]
        try:
            answer = rules.answer(ask, state)
        except dtables.RecordError:
            continue
        explained, again = rules.explain(ask, state), rules.explain(ask, state)
        assert explained.answer == answer
        assert json.loads(json.dumps(as_plain(explained)))["answer"] == answer
        for language in ("it", "en"):
            assert render(explained, language) == render(again, language)
