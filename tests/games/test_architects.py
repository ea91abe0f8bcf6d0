"""Architects: the component data, every priority, the grey switch."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.games import architects_facts as facts
from tests.games import architects_turns as turns
from tests.games.games import ARCHITECTS
from tests.games.harness import unreached

# -- the component data ------------------------------------------------------------------------


def test_facts__stages() -> None:
    for row in ARCHITECTS.printed("wonder_stages"):
        stage = facts.STAGES[row["wonder"].lower()][int(row["stage"]) - 1]
        assert stage == facts.Stage(
            int(row["stage"]),
            int(row["cost_cards"]),
            row["cost_kind"] == "identical",
            row["special_effect"] == "1",
            tuple(int(n) for n in row["stages_needed_before"].split("&") if n),
        )


def test_facts__tokens() -> None:
    for row in ARCHITECTS.printed("progress_tokens"):
        value = facts.PRINTED_VALUE.get(row["token"].lower())
        assert row["highest_printed_vp"] == ("" if value is None else str(value))
    for row in ARCHITECTS.printed("wonders"):
        listed = row["seed_opponent_start_tokens"].lower().split("|")
        assert facts.START_TOKENS[row["wonder"].lower()] == tuple(listed)


def test_facts__card_kinds_in_their_order() -> None:
    assert tuple(row["kind"] for row in ARCHITECTS.printed("card_kinds")) == facts.CARDS
    cards = next(t for t in ARCHITECTS.text.tables if t.kind == "data" and t.name == "card")
    colours = {row.cells[0].typed: row.cells[1].typed for row in cards.rows}
    assert colours == {row["kind"]: row["colour"] for row in ARCHITECTS.printed("card_kinds")}


# -- answers -----------------------------------------------------------------------------------


def test_turns__tell_the_rules_apart() -> None:
    """Random turns reach every priority, every die, every kind of openness."""
    wanted: set[Any] = {("priority", n) for n in (1, 2, 3, 4, 5, 6, 7, None)}
    wanted |= {("die", kind) for kind in ("tie", "none", None)}
    wanted |= {("discard", value) for value in (True, False, None)}
    wanted |= {("turn", "open", "deck"), ("halicarnassus", "open", "deck"), ("halicarnassus", "open", "card")}
    wanted |= {("start_tokens", "open", "tokens")}
    wanted |= {("next", *some) for some in ((), ("turn",), ("progress",), ("progress", "turn"))}
    wanted |= {("next", "halicarnassus"), ("progress", "open", "token", "position")}
    random = Random(22)
    assert unreached(wanted, (reached(*turns.good(random)) for _ in range(1200))) == set()


def reached(ask: str, state: turns.State) -> Iterator[Any]:
    answer, following = ARCHITECTS.rules.reply(ask, state)
    yield (ask, "open", *answer.get("any_of", {}))
    yield ("next", *following)
    if ask == "turn":
        yield "priority", answer["priority"]
        yield "die", answer["die"]
        yield "discard", answer["discard_central"]


@pytest.mark.parametrize(
    ("stages", "greys", "contributes", "completes"),
    [
        ([1, 2], {"wood": 1}, 3, None),
        ([1, 2], {"wood": 1, "brick": 1}, 3, 3),
        ([1, 2], {"glass": 1}, None, None),
        ([1, 2, 3, 4, 5], {}, None, None),
    ],
)
def test_grey_switch(
    stages: list[int], greys: dict[str, int], contributes: int | None, completes: int | None
) -> None:
    """A glass card for Giza's third stage, three different greys: two missing, one, already held, built."""
    state = {
        "opponent_wonder": "giza",
        "opponent_stages": stages,
        "opponent_greys": greys,
        "shields_opponent": 0,
        "shields_player": 0,
        "cat_owner": "none",
        "top_player": "glass",
        "top_opponent": "empty",
        "top_central": "empty",
    }
    for value, priority in (("CONTRIBUTES", contributes), ("COMPLETES", completes)):
        answer = ARCHITECTS.rules.answer("turn", state | {"house_rules": {"GREY": value}})
        assert answer["priority"] == priority


def test_an_extra_card_is_due() -> None:
    """The central card may be that extra card, so it is discarded after the last choice of the turn only."""
    state = {
        "opponent_wonder": "giza",
        "opponent_tokens": ["urbanism"],
        "shields_opponent": 0,
        "shields_player": 0,
        "cat_owner": "none",
        "top_player": "wood",
        "top_opponent": "blue3",
        "top_central": "brick",
    }
    first = ARCHITECTS.rules.reply("turn", state | {"top_central": "gold"})
    assert (first.answer["card"], first.answer["discard_central"], first.next) == ("wood", True, ("turn",))
    again = state | {"situation": "extra", "top_player": "blue3", "top_central": "gold"}
    second = ARCHITECTS.rules.reply("turn", again)
    assert (second.answer["card"], second.answer["discard_central"], second.next) == ("gold", False, ())


@pytest.mark.parametrize(
    ("row", "dice", "token", "position"),
    [
        (["science", "strategy", "politics"], [3], "strategy", 2),
        (["science", "strategy", "politics"], [4, 1], "politics", 3),
        (["science", "strategy", "politics"], [], None, None),
        (["politics", "decor", "strategy"], [6], "decor", 2),
        (["strategy", "politics", "strategy"], [4], "politics", 2),
    ],
)
def test_token_tie_switch(row: list[str], dice: list[int], token: str | None, position: int | None) -> None:
    state = {"token_row": row, "dice": dice}
    left = ARCHITECTS.rules.answer("progress", state)
    thrown = ARCHITECTS.rules.answer("progress", state | {"house_rules": {"TOKEN_TIE": "DIE"}})
    first = 2 if row[0] in ("science",) or "decor" in row else 1
    assert left == {"token": row[first - 1], "position": first, "value": 6 if "decor" in row else 1}
    assert (thrown["token"], thrown["position"]) == (token, position)
    any_of = None if dice else {"token": ["politics", "strategy"], "position": [2, 3]}
    assert (thrown["value"], thrown.get("any_of")) == (left["value"], any_of)
