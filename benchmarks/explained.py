"""The same calls with reasons: the rows that fired and their cells beside the answer, every step of an ask,
and whole logs explained and audited."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from tests.games import architects_turns, comics_turns, concordia_turns, terra_mystica_turns
from tests.games.duel.turns import sound_turn

import dtables
from benchmarks import own, workloads
from benchmarks.grids import Given, Grid, asked
from benchmarks.rounds import Comparison, Contestant, Field
from benchmarks.scratch import scratch
from dtables.answers.engines import CompiledEngine, compiled_engine, explaining_engine
from dtables.answers.parts import RunStart
from dtables.answers.run import OnCores, answer_into
from dtables.audit.audit import Auditor, audit_log
from dtables.explanations.render import render
from dtables.logs.files import find_log

ROWS_ASKED = 1000
BY_EVALUATOR = 20
TURNS = 60
TURNS_OF_LOG = 500
GAMES = Path(__file__).parent.parent / "tables"
TURN_OF: dict[str, Callable[[Random], tuple[str | None, Any]]] = {
    "duel": sound_turn,
    "architects": architects_turns.good,
    "comics": comics_turns.good,
    "concordia": concordia_turns.good,
    "terra_mystica": terra_mystica_turns.good,
}


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
    """Every step of an ask."""
    rules, turns = _rules(game), _turns(game, TURNS)
    return Field(
        (
            Contestant("without", partial(_asked, rules.answer, turns), TURNS, limit=True),
            Contestant("with all steps", partial(_asked, rules.explain, turns), TURNS),
            Contestant("in sentences", partial(_asked, partial(_sentences, rules), turns), TURNS),
        )
    )


def log(game: str) -> Field:
    """The same log answered, answered with reasons, and audited; one process."""
    rules = _rules(game)
    engine = compiled_engine(rules.model, rules.source)
    telling = explaining_engine(rules.model, rules.source, "en")
    path = _written(game)
    auditor = Auditor(engine, rules.model)
    return Field(
        (
            Contestant("answers", partial(_answered, engine, path), TURNS_OF_LOG, limit=True),
            Contestant("with --report", partial(_audited, auditor, path), TURNS_OF_LOG),
            Contestant("with --explain", partial(_answered, telling, path), TURNS_OF_LOG),
        )
    )


def _rules(game: str) -> dtables.Ruleset:
    return dtables.load(GAMES / f"{game}.xlsx")


def _turns(game: str, count: int) -> list[tuple[str | None, Any]]:
    random = Random(6)
    return [TURN_OF[game](random)[:2] for _ in range(count)]


def _written(game: str) -> Path:
    path = scratch("explained") / f"{game}.jsonl"
    records = (
        {"turn": number, "ask": ask, "state": state}
        for number, (ask, state) in enumerate(_turns(game, TURNS_OF_LOG))
    )
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def _asked(answer: Callable[[str | None, object], Any], turns: list[tuple[str | None, Any]]) -> None:
    for ask, state in turns:
        answer(ask, state)


def _sentences(rules: dtables.Ruleset, ask: str | None, state: object) -> str:
    return render(rules.explain(ask, state), "en")


def _answered(engine: CompiledEngine, path: Path) -> None:
    out = path.with_suffix(".answers.jsonl")
    counts = answer_into(engine, find_log(str(path)), out, RunStart.AFRESH, OnCores(1))
    assert counts.answers == TURNS_OF_LOG


def _audited(auditor: Auditor, path: Path) -> None:
    audit = audit_log(auditor, find_log(str(path)), OnCores(1))
    assert audit.records - audit.rejected == TURNS_OF_LOG


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
    *(Comparison(f"{game}, every step of an answer", "turn", partial(ask, game)) for game in TURN_OF),
    *(Comparison(f"{game}, a log with its reasons", "turn", partial(log, game)) for game in TURN_OF),
)
