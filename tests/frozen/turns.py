"""Turns of the five games made from a seed, every fifth of them spoilt in one place."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from click.testing import CliRunner

from dtables.cli import main
from tests.games.duel.narrow import narrow_turn
from tests.games.duel.spoils import SPOILS
from tests.games.duel.turns import sound_turn
from tests.games.games import DUEL, GAMES, PLAYED
from tests.games.harness import Game, Record

TURNS = 250
SPOILT = 5
BY_NAME = {game.name: game for game in GAMES}


class Turn(NamedTuple):
    number: int
    ask: str | None
    state: dict[str, Any]

    @property
    def record(self) -> dict[str, Any]:
        return {"turn": self.number, "ask": self.ask, "state": self.state}

    @property
    def mark(self) -> str:
        """Another one where the turn itself is made otherwise."""
        return sha256(json.dumps(self.record).encode()).hexdigest()[:6]


@cache
def turns(game: Game) -> tuple[Turn, ...]:
    return tuple(
        Turn(
            number,
            *(spoilt_turn if number % SPOILT == 0 else good_turn)(game, Random(f"{game.name} {number}")),
        )
        for number in range(1, TURNS + 1)
    )


def good_turn(game: Game, random: Random) -> Record:
    if game is DUEL:
        return narrow_turn(random) if random.random() < 0.5 else sound_turn(random)
    return _played(game).good(random)


def spoilt_turn(game: Game, random: Random) -> Record:
    if game is not DUEL:
        ask, state, _ = _played(game).bad(random)
        return ask, state
    ask, state = good_turn(game, random)
    path = None
    while path is None:
        try:
            path = random.choice(SPOILS)(random, state)
        except LookupError:
            continue
    return ask, state


def _played(game: Game) -> Any:
    return next(played for played in PLAYED if played.game is game)


def write_log(folder: Path, some: list[Turn]) -> Path:
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(turn.record) + "\n" for turn in some), encoding="utf-8")
    return path


def run(*words: object) -> str:
    """A command, and what it prints; 1 where records are rejected."""
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code in (0, 1), result.output
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.output
