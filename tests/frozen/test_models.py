"""Games and tables of every kind once they are checked: a mark for each table, ask, vocabulary."""

from __future__ import annotations

from dataclasses import make_dataclass
from pathlib import Path

import pytest

import dtables
from tests.frozen.keeping import hold_text, marked
from tests.frozen.models import dumps
from tests.frozen.values import rules
from tests.games.games import GAMES
from tests.games.harness import Game
from tests.support.drawing import write_book
from tests.support.pages import KIND_EXAMPLES

FOLDER = Path(__file__).parent / "models"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_game(game: Game) -> None:
    hold_text(FOLDER / f"{game.name}.txt", marks(game.rules.model))


def test_kinds(tmp_path: Path) -> None:
    book = tmp_path / "kind_examples.xlsx"
    write_book(KIND_EXAMPLES.read_text(encoding="utf-8"), book)
    hold_text(FOLDER / "kind_examples.txt", marks(dtables.load(book).model))


def test_types() -> None:
    """A workbook with an input of every declared type."""
    hold_text(FOLDER / "values.txt", marks(rules().model))


def marks(model: object) -> str:
    """With how many lines a part has; `python -m tests.frozen.models` prints them."""
    return "\n".join(marked(part, lines) for part, lines in dumps(model).items())


def test_the_order_of_fields_is_left_aside() -> None:
    one, other = (
        make_dataclass("Node", [(name, object) for name in names])(name="a", where=(1, None), more=())
        for names in (("name", "where", "more"), ("more", "name", "where"))
    )
    book = make_dataclass("Book", ["asks"])
    assert (
        dumps(book((one,))) == dumps(book((other,))) == {"asks a": ["Node(name='a', where=tuple(1, None))"]}
    )
