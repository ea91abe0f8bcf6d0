"""Answers as a table: the columns with their types, and rows as they stand in Parquet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyarrow import parquet

from tests.frozen.keeping import hold_parts, looked_at
from tests.frozen.turns import run, turns, write_log
from tests.games.games import GAMES
from tests.games.harness import Game

FOLDER = Path(__file__).parent / "tables"
EVERY = 10


@pytest.mark.parametrize("game", looked_at(GAMES), ids=lambda game: game.name)
def test_parquet(game: Game, tmp_path: Path) -> None:
    log = write_log(tmp_path, [turn for turn in turns(game) if turn.number % EVERY == 1])
    out = tmp_path / "out.parquet"
    run("eval", game.book, log, "-o", out)
    table = parquet.read_table(out)
    schema = "\n".join(
        f"{field.name}: {field.type}{'' if field.nullable else ' not null'}" for field in table.schema
    )
    rows = (json.dumps(row, ensure_ascii=False, default=str) for row in table.to_pylist())
    hold_parts(FOLDER / f"{game.name}.txt", {"schema": schema, "rows": "\n".join(rows)})
