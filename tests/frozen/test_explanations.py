"""Why answers are what they are: turns of each ask, in both languages and as plain values."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.frozen.keeping import hold_parts, looked_at
from tests.frozen.turns import SPOILT, Turn, run, turns, write_log
from tests.games.games import GAMES
from tests.games.harness import Game
from tests.support.golden import WRITE
from tests.support.thinned import is_full

FOLDER = Path(__file__).parent / "explanations"
WHOLE = WRITE or is_full()
EACH, EVERY = 2, 25
PLAIN = 8
"""Of so many turns one is kept as plain values too."""


def explained(game: Game) -> list[Turn]:
    """Two turns of each ask, and one in twenty-five."""
    met: Counter[str | None] = Counter()
    chosen = []
    for turn in turns(game):
        if turn.number % SPOILT:
            met[turn.ask] += 1
            if met[turn.ask] <= EACH or turn.number % EVERY == 1:
                chosen.append(turn)
    return chosen


@pytest.fixture(scope="module", autouse=True)
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A workbook is read once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DTABLES_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_explanations(game: Game, tmp_path: Path) -> None:
    every = explained(game)
    some = looked_at(every, GAMES.index(game))
    log = write_log(tmp_path, some)
    english = {key(turn): run("explain", game.book, log, "--turn", turn.number) for turn in some}
    hold_parts(FOLDER / f"{game.name}.en.txt", english, WHOLE)
    hold_parts(FOLDER / f"{game.name}.it.txt", reasons(game, log, some), WHOLE)
    plain = [turn for turn in some if every.index(turn) % PLAIN == 0]
    hold_parts(
        FOLDER / f"{game.name}.plain.txt", {key(turn): plainly(game, log, turn) for turn in plain}, WHOLE
    )


def key(turn: Turn) -> str:
    return f"turn {turn.number} ({turn.mark}) {turn.ask}"


def reasons(game: Game, log: Path, some: list[Turn]) -> dict[str, str]:
    """As they stand beside the answers to a log, in Italian."""
    out = log.with_name("out.jsonl")
    run("eval", game.book, log, "-o", out, "--explain", "--lang", "it")
    told = {answer["turn"]: answer["reasons"] for answer in map(json.loads, out.read_text().splitlines())}
    return {key(turn): "\n".join(told[turn.number]) for turn in some}


def plainly(game: Game, log: Path, turn: Turn) -> str:
    """A step is a line."""
    told = json.loads(run("explain", game.book, log, "--turn", turn.number, "--json"))
    return json.dumps(told, ensure_ascii=False).replace('{"kind"', '\n{"kind"')
