"""The evaluator and compiled Python say what the oracle says: all games, cases, the standard's models. Random
workbooks are asked of all three in `test_random_workbooks.py`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dtables.checker import check_book
from tests.agreement.engines import Engines
from tests.frozen.turns import turns
from tests.games.games import GAMES
from tests.games.harness import Game
from tests.support.drawing import book_text
from tests.support.thinned import is_full, swept

ROOT = Path(__file__).parent.parent.parent
CASES = sorted(turns.parent for turns in (ROOT / "tests" / "cases").glob("*/turns.jsonl"))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_games(game: Game) -> None:
    engines = Engines(game.rules.model, explained=False)
    for turn in swept(turns(game), GAMES.index(game)):
        engines.answer(turn.state, turn.ask)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_cases(case: Path) -> None:
    book, _ = book_text((case / "book.txt").read_text(encoding="utf-8"))
    model, _ = check_book(book)
    assert model is not None
    engines = Engines(model, explained=False)
    for line in (case / "turns.jsonl").read_text(encoding="utf-8").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            engines.answer(record.get("state"), record.get("ask"))


def test_models_of_the_standard() -> None:
    """All that the tests of the standard's models ask. A million rounds of a loop take each engine long."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "tests.agreement.engines", "tests/dmn"]
    command += [] if is_full() else ["-k", "not 2000000 and not longer"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-4000:]
