"""Whole turns with their reasons, as they are read; `make golden` rewrites them with the workbooks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import dtables
from dtables.evaluator.explain import as_plain, render
from tests.support.golden import golden

HERE = Path(__file__).parent
TABLES = HERE.parents[1] / "tables"


def recorded(game: str) -> list[dict[str, Any]]:
    log = (TABLES / f"{game}.sample.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in log.splitlines()]


@pytest.mark.parametrize("language", ["it", "en"])
def test_duel__a_turn_in_which_one_wonder_of_three_can_be_paid(language: str) -> None:
    rules = dtables.load(TABLES / "duel.xlsx")
    (record,) = [record for record in recorded("duel") if record["turn"] == "full"]
    told = render(rules.explain("turn", record["state"]), language)
    golden(HERE / "golden" / f"duel_turn.{language}.txt", told)


@pytest.mark.parametrize("game", ["duel", "architects", "terra_mystica", "comics", "concordia"])
def test_explained_answers_are_the_answers(game: str) -> None:
    rules = dtables.load(TABLES / f"{game}.xlsx")
    for record in recorded(game):
        ask, state = record.get("ask"), record["state"]
        try:
            answer = rules.answer(ask, state)
        except dtables.RecordError:
            continue
        explained = rules.explain(ask, state)
        assert explained.answer == answer
        assert json.loads(json.dumps(as_plain(explained)))["answer"] == answer
        for language in ("it", "en"):
            assert render(explained, language) == render(rules.explain(ask, state), language)
