"""Whatever people do to the cells of the games' workbooks, the check says what it makes of it, and ends."""

from __future__ import annotations

from random import Random

import pytest

from dtables.checker import Memory
from dtables.diagnostics import errors_in
from dtables.workbook.cells import read_sheets
from dtables.workbook.layout import book_of
from tests.checker.test_garbled_books import TIMES, garbled, looked_at
from tests.games.games import GAMES
from tests.games.harness import Game
from tests.support.rulesets import checked_book
from tests.support.thinned import draws


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game(game: Game) -> None:
    sheets, _ = read_sheets(game.book)
    assert sheets is not None
    memory, random = Memory(), Random(game.name)
    assert not errors_in(checked_book(*book_of(game.book.name, sheets, ()), memory)[1])
    for _ in range(draws(TIMES // 4)):
        looked_at(garbled(sheets, random), memory)
