"""The workbooks' own examples notice mistakes in the rules: some of all changes, the same in every run."""

from __future__ import annotations

import pytest

from dtables.mutation.run import MutationRequest, tried_all
from dtables.mutation.trial import read
from tests.games.games import ARCHITECTS, COMICS, CONCORDIA, TERRA_MYSTICA
from tests.games.harness import Game
from tests.support.thinned import draws

LIMIT = draws(45)
SOME = MutationRequest(records=40, limit=LIMIT, processes=1)
GAMES = [ARCHITECTS, COMICS, CONCORDIA, TERRA_MYSTICA]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_examples__notice_what_counts(game: Game) -> None:
    report = tried_all(read(game.book), (), SOME)
    assert report.counted > LIMIT / 2
    assert [str(unnoticed.change) for unnoticed in report.unnoticed] == []
