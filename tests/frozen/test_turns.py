"""Answers and rejects of turns made from a seed, a line each: those of every engine."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dtables import RecordError
from tests.frozen.keeping import hold_lines, kept_line, looked_at
from tests.frozen.turns import Turn, run, turns, write_log
from tests.games.games import DUEL, GAMES
from tests.games.harness import Game
from tests.support.golden import WRITE

FOLDER = Path(__file__).parent / "turns"
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
Told = dict[str, Any]


def some_turns(game: Game) -> list[Turn]:
    return looked_at(turns(game), GAMES.index(game))


def held(game: Game, found: dict[int, Told]) -> None:
    marks = {turn.number: turn.mark for turn in turns(game)}
    lines = {n: json.dumps({"given": marks[n], **told}, ensure_ascii=False) for n, told in found.items()}
    hold_lines(FOLDER / f"{game.name}.jsonl", lines)


@each_game
def test_log(game: Game, tmp_path: Path) -> None:
    some, out = some_turns(game), tmp_path / "out.jsonl"
    run("eval", game.book, write_log(tmp_path, some), "-o", out, "--engine", "python")
    written = [*out.read_text().splitlines(), *(tmp_path / "out.rejected.jsonl").read_text().splitlines()]
    found = {told.pop("turn"): told for told in map(json.loads, written)}
    assert len(found) == len(written) == len(some)
    for told in found.values():
        told.pop("line", None)
    held(game, found)


@each_game
@pytest.mark.parametrize("engine", ["compiled", "evaluator"])
@pytest.mark.skipif(WRITE, reason="the log is what is written")
def test_dicts(game: Game, engine: str) -> None:
    reply = game.replying(engine)
    held(game, {turn.number: _told(game, reply, turn) for turn in some_turns(game)})


def _told(game: Game, reply: Callable[..., Any], turn: Turn) -> Told:
    try:
        given = reply(turn.ask, turn.state)
    except RecordError as error:
        return _rejected(error)
    told = {"ask": turn.ask or game.rules.main_ask, "answer": given.answer}
    return {**told, "next": list(given.next)} if given.next else told


def _rejected(error: RecordError) -> Told:
    first, *others = (
        {
            "path": one.path,
            "found": one.found,
            "wanted": one.wanted,
            **({"cell": str(one.where)} if one.where else {}),
        }
        for one in error.findings
    )
    return {**first, **({"also": others} if others else {}), **({"more": error.more} if error.more else {})}


# -- frames ------------------------------------------------------------------------------------

FRAMED = [
    (game, engine)
    for game in GAMES
    for engine in ("python", "columns")
    if (game, engine) != (DUEL, "columns")
]
"""Columns say of Duel that coins are worked with; no game's main ask is one that DuckDB answers."""


@pytest.mark.parametrize(("game", "engine"), FRAMED, ids=lambda value: getattr(value, "name", value))
@pytest.mark.skipif(WRITE, reason="the log is what is written")
def test_frames(game: Game, engine: str) -> None:
    """Turns of the main ask, a column for each field. Of a null nobody knows whether its key was there."""
    main = game.rules.main_ask
    some = [turn for turn in some_turns(game) if turn.ask == main and "None" not in repr(turn.state)]
    columns = list(dict.fromkeys(field for turn in some for field in turn.state))
    rows = [[turn.state.get(field) for field in columns] for turn in some]
    frame = pd.DataFrame(rows, columns=columns, index=[turn.number for turn in some], dtype=object)
    answers = game.rules.answer_frame(frame, engine)
    assert list(answers.index) == [turn.number for turn in some]
    assert answers.attrs["engine"].startswith(engine)
    for turn, row in zip(some, answers.to_dict("records"), strict=True):
        kept = json.loads(kept_line(FOLDER / f"{game.name}.jsonl", turn.number))
        assert _in_row(row) == _in_row(_as_row(kept)), turn.number


def _as_row(kept: Told) -> Told:
    if "path" in kept:
        return {"rejected": f"{kept['path']}: found {kept['found']}, wanted {kept['wanted']}"}
    return {**kept["answer"], "next": kept.get("next")}


def _in_row(row: Told) -> Told:
    return {name: value for name, value in row.items() if value is not None and value is not pd.NA}
