"""The games under test."""

from __future__ import annotations

from typing import Any

from tests.games import (
    architects_oracle,
    architects_turns,
    comics_mistakes,
    comics_oracle,
    comics_turns,
    concordia_mistakes,
    concordia_oracle,
    concordia_turns,
    terra_mystica_mistakes,
    terra_mystica_oracle,
    terra_mystica_turns,
)
from tests.games.duel import labels as duel_labels
from tests.games.harness import Game, Played, named, spoilt


def without_nulls(answer: dict[str, Any]) -> dict[str, Any]:
    """Null is as if the key were not there."""
    return {key: value for key, value in answer.items() if value is not None}


ARCHITECTS = Game(
    name="architects",
    data="seven_wonders_architects",
    letter="A",
    rows=36,
    doubts=10,
    golden=12,
    badges=("colour",),
    worded=("scale", "checks"),
)
COMICS = Game(
    name="comics",
    data="age_of_comics",
    letter="C",
    rows=108,
    doubts=15,
    golden=10,
    badges=("genre",),
    worded=("scale", "checks"),
)
CONCORDIA = Game(
    name="concordia", data="concordia", letter="K", rows=43, doubts=9, golden=9, badges=("good",)
)
TERRA_MYSTICA = Game(
    name="terra_mystica",
    data="terra_mystica",
    letter="T",
    rows=48,
    doubts=12,
    golden=13,
    badges=("colour",),
    one_language=("hex",),
    english=frozenset({"swarmlings"}),
)
DUEL = Game(
    name="duel",
    data="seven_wonders_duel",
    letter="D",
    rows=169,
    doubts=46,
    golden=24,
    badges=("type",),
    one_language=("position",),
    english=frozenset(duel_labels.ENGLISH_CARDS),
    compared=without_nulls,
)
GAMES = (ARCHITECTS, COMICS, CONCORDIA, TERRA_MYSTICA, DUEL)

PLAYED = (
    Played(
        ARCHITECTS,
        architects_oracle.answer,
        architects_turns.good,
        spoilt(architects_turns.good, architects_turns.MISTAKES),
        following=architects_oracle.following,
    ),
    Played(
        COMICS,
        comics_oracle.answer,
        comics_turns.good,
        spoilt(comics_turns.good, comics_mistakes.MISTAKES),
        {"compiled": 2500, "evaluator": 250},
    ),
    Played(
        CONCORDIA,
        concordia_oracle.answer,
        concordia_turns.good,
        spoilt(concordia_turns.good, concordia_mistakes.MISTAKES),
        following=concordia_oracle.following,
    ),
    Played(
        TERRA_MYSTICA,
        terra_mystica_oracle.answer,
        terra_mystica_turns.good,
        named({mistake: mistake for mistake in terra_mystica_mistakes.MISTAKES}),
    ),
)
