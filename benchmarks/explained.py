"""The same calls with reasons: the rows that fired and their cells beside the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import dtables
from benchmarks import own, workloads
from benchmarks.grids import Given, Grid, asked
from benchmarks.rounds import Comparison, Contestant, Field

ROWS_ASKED = 1000
BY_EVALUATOR = 20
GAMES = Path(__file__).parent.parent / "tables"


def table(make: Callable[[], Grid]) -> Field:
    grid = make()
    rules = own.loaded(grid)
    given = asked(grid, ROWS_ASKED, seed=4)
    answer, reason = rules.tables[own.TABLE], rules.reasons[own.TABLE]
    return Field(
        (
            Contestant("without", partial(_each, answer, given), ROWS_ASKED, limit=True),
            Contestant("with the row that fired", partial(_each, reason, given), ROWS_ASKED),
            Contestant("and its cell looked at", partial(_cells, reason, given), ROWS_ASKED),
            Contestant("and every step in words", partial(_told, rules, given), BY_EVALUATOR),
        )
    )


def _each(call: Callable[[Given], Any], given: list[Given]) -> None:
    for row in given:
        call(row)


def _cells(reason: Callable[[Given], Any], given: list[Given]) -> None:
    for row in given:
        assert reason(row).cells


def _told(rules: dtables.Ruleset, given: list[Given]) -> None:
    for row in given[:BY_EVALUATOR]:
        rules.explain_table(own.TABLE, row).told("en")


def ask(game: str) -> Field:
    """An ask's explanation comes from the evaluator, every step of it."""
    rules = dtables.load(GAMES / f"{game}.xlsx")
    lines = (GAMES / f"{game}.sample.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    return Field(
        (
            Contestant("without", partial(_asked, rules.answer, records), len(records), limit=True),
            Contestant("with all steps", partial(_asked, rules.explain, records), len(records)),
        )
    )


def _asked(answer: Callable[[str | None, object], Any], records: list[dict[str, Any]]) -> None:
    """Some of the samples are there to be refused."""
    for record in records:
        try:
            answer(record.get("ask"), record["state"])
        except (dtables.RecordError, dtables.RuleError):
            continue


COMPARISONS = (
    Comparison("24 rows, first, with reasons", "decision", partial(table, workloads.overlapping_rows)),
    Comparison(
        "1,000 rows, unique, with reasons", "decision", partial(table, partial(workloads.keyed_rows, 1_000))
    ),
    Comparison(
        "100,000 rows, unique, with reasons",
        "decision",
        partial(table, partial(workloads.keyed_rows, 100_000)),
        large=True,
    ),
    *(Comparison(f"{game}, with reasons", "record", partial(ask, game)) for game in ("architects", "duel")),
)
