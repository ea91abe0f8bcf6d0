"""What the check proves and finds of the games and of tables of every kind, notes too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.frozen.keeping import hold_parts, hold_text
from tests.frozen.turns import run
from tests.games.games import GAMES
from tests.games.harness import Game
from tests.support.drawing import write_book
from tests.support.pages import KIND_EXAMPLES

FOLDER = Path(__file__).parent / "checks"


@pytest.fixture(autouse=True)
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is proved once is not proved again."""
    monkeypatch.setenv("DTABLES_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_game(game: Game) -> None:
    found = {
        "few": run("check", "--notes", game.book),
        "all": run("check", "--notes", "--all", game.book),
        "json": "\n".join(in_json(game.book)),
    }
    hold_parts(FOLDER / f"{game.name}.txt", found)


def test_kinds(tmp_path: Path) -> None:
    """In words they stand in tests/transcripts."""
    book = tmp_path / "kind_examples.xlsx"
    write_book(KIND_EXAMPLES.read_text(encoding="utf-8"), book)
    hold_text(FOLDER / "kind_examples.txt", "\n".join(in_json(book)))


def in_json(book: Path) -> Iterator[str]:
    """A finding is a line."""
    (checked,) = json.loads(run("check", "--json", book))
    assert checked.pop("book") == str(book)
    findings = checked.pop("diagnostics")
    yield from (json.dumps(one, ensure_ascii=False) for one in (checked, *findings))
