"""Age of Comics: the component data, every rule and criterion, switches, cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import openpyxl
import pytest

import dtables
from dtables.evaluator.trace import Chosen
from dtables.ruleset import Ruleset
from tests.games import comics_coverage as coverage
from tests.games import comics_facts as facts
from tests.games import comics_turns as turns
from tests.games.comics_actions import failure
from tests.games.comics_reading import read
from tests.games.games import COMICS
from tests.games.harness import ENGINES, criteria, rejected_path, unreached

# -- the component data ------------------------------------------------------------------------


def test_facts__levels() -> None:
    for row in COMICS.printed("automa_difficulty"):
        level = int(row["level"])
        assert int(row["fans_per_print"]) == int(row["ripoff_fans"]) == facts.PRINT_FANS[level]
        assert int(row["sales_minimum_value"]) == facts.SALES_FLOOR[level]
        assert int(row["final_vp_bonus"]) == facts.FINAL_BONUS[level]


def test_facts__spaces() -> None:
    in_play = [row for row in COMICS.printed("action_spaces") if row["in_play_2_player_setup"] == "1"]
    assert {(row["action"], int(row["space"])) for row in in_play} == {
        (action, space) for action in facts.ACTIONS for space in (1, 2, 3)
    }
    for action, worth in facts.WORTH.items():
        values = [re.search(r"\d", row["value"]) for row in in_play if row["action"] == action]
        assert tuple(int(found[0]) for found in values if found) == worth


def test_facts__names_in_their_order() -> None:
    assert tuple(row["genre"] for row in COMICS.printed("genres")) == facts.GENRES
    vocabularies = {v.name: [label.id for label in v.names] for v in COMICS.rules.model.vocabularies}
    assert tuple(vocabularies["genre"]) == facts.GENRES
    assert tuple(vocabularies["action"]) == facts.ACTIONS
    assert tuple(vocabularies["challenge"]) == facts.CHALLENGES
    assert vocabularies["title"] == [title for _, title in facts.TITLES]
    points = tuple(int(row["min_points"]) for row in COMICS.printed("player_titles"))
    assert points == tuple(least for least, _ in facts.TITLES)


# -- every rule --------------------------------------------------------------------------------


def test_turns__reach_every_rule() -> None:
    wanted: set[Any] = {
        (action, reason) for action, reasons in coverage.REASONS.items() for reason in reasons
    }
    wanted |= {("turn", action, space) for action in facts.CARD_ACTIONS for space in (1, 2, 3)}
    wanted |= {("pair", True), ("pair", False), ("nothing", None), ("no fans", True), ("sale", True)}
    wanted |= {("prints", kinds) for kinds in ("o", "r", "oo", "or", "rr")}
    wanted |= {("mastery", kind, gained) for kind in ("original", "ripoff") for gained in (True, False)}
    wanted |= {("tiles", number, n) for number in (2, 3) for n in (None, 1, 2, 3)}
    wanted |= {("met", challenge) for challenge in facts.CHALLENGES}
    wanted |= {("missed", challenge) for challenge in facts.CHALLENGES}
    wanted |= {("at odds", challenge) for challenge in facts.AT_ODDS}
    wanted |= {("row", row) for row in (None, 1, 2, 3, 4, 5, 6, 7)}
    wanted |= {("win", True), ("win", False)}
    random = Random(33)
    made = (turns.good(random) for _ in range(2500))
    told = (coverage.told(ask, COMICS.rules.answer(ask, state)) for ask, state in made)
    assert unreached(wanted, told) == set()


def test_scales__each_criterion_decides_in_some_turn() -> None:
    wanted = {(scale.heading.name, criterion.where.row) for scale, criterion in criteria(COMICS)}
    random = Random(34)
    made = (turns.good(random) for _ in range(400))
    assert unreached(wanted, (deciding(state) for ask, state in made if ask == "turn")) == set()


def deciding(given_state: turns.State) -> Iterator[tuple[str, int]]:
    """The last criterion of each scale that one turn may ask; scales are asked for their best."""
    plain = {key: value for key, value in given_state.items() if value is not None}
    for scale, candidates in coverage.candidates_of(plain).items():
        explained = COMICS.rules.evaluator.explain_table(scale, {**plain, "candidates": candidates})
        for step in explained.steps:
            if isinstance(step, Chosen) and step.decided is not None:
                yield scale, step.decided.cell.row


# -- switches and cards ------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_switches_change_answers(engine: str) -> None:
    """Two tokens for one comic; two tiles worth 6 at level 2, where 7 is the least."""
    table = {
        "level": 2,
        "round": 1,
        "priority": list(facts.GENRES),
        "ideas_on_board": ["crime", "horror"],
        "automa_printed": [{"genre": "crime", "kind": "original", "fans": 1}],
        "editors": [{"action": "sales", "space": 1, "owner": "player"}],
        "orders": [{"genre": "crime", "value": 3, "up": True}] * 3,
    }
    for value, gain, without in (("ACTION", 1, 1), ("TOKEN", 2, None), ("ONE_IF_ANY", 1, None)):
        state = table | {"card": ["ideas", "hire", "print"], "house_rules": {"IDEA_FANS": value}}
        assert COMICS.engine(engine)("turn", state)["result"]["fans"] == [{"comic": 1, "gain": gain}]
        fans = COMICS.engine(engine)("turn", state | {"ideas_on_board": []})["result"]["fans"]
        assert fans == ([{"comic": 1, "gain": without}] if without else [])
    for value, tiles in (("FLOOR", [1, 2, 3]), ("COUNT_LIMIT", [1, 2])):
        state = table | {"card": ["sales", "hire", "print"], "house_rules": {"SALES": value}}
        assert COMICS.engine(engine)("turn", state)["result"]["collected"] == tiles


@pytest.mark.parametrize("engine", ENGINES)
def test_levels_have_names(engine: str) -> None:
    points = {"player_points": 0, "automa_chart_points": 0}
    for level, names in ((1, ("Principiante", "beginner")), (2, ("INTERMEDIO",)), (3, ("Esperto", "Expert"))):
        wanted = COMICS.engine(engine)("final", points | {"level": level})
        for name in names:
            assert COMICS.engine(engine)("final", points | {"level": name}) == wanted


BY_PRIORITY = "horror > crime > western > scifi > romance > superhero"
CARD_ROWS = (
    (7, "print > develop > hire", BY_PRIORITY),
    (8, "print > develop > print", BY_PRIORITY),
    (9, "hire > ideas > sales", BY_PRIORITY),
    (9, "hire > ideas > sales", BY_PRIORITY),
)
"""A sound card, one with an action twice, and two of one number."""


def with_cards(path: Path) -> Ruleset:
    book = openpyxl.load_workbook(COMICS.book)
    cards = next(
        table for table in COMICS.text.tables if table.kind == "data" and table.name == "automa card"
    )
    first = cards.columns[0].name
    assert first is not None
    for below, row in enumerate(CARD_ROWS, 1):
        for right, value in enumerate(row):
            book[first.ref.sheet].cell(first.ref.row + below, first.ref.column + right).value = value
    book.save(path)
    return dtables.load(path)


def test_automa_cards__are_named_by_number_once_they_are_filled_in(tmp_path: Path) -> None:
    state = {"level": 1, "round": 1, "automa_card": 7, "comics": ["crime", "horror"]}
    filled = with_cards(tmp_path / "filled.xlsx")
    wanted = {
        "action": "develop",
        "space": 1,
        "failed": [{"action": "print", "reason": "no_team"}],
        "result": {"position": 2, "genre": "horror"},
    }
    assert filled.answer("turn", state) == filled.evaluator.answer("turn", state) == wanted
    assert filled.answer("turn", state | {"card": ["print", "develop", "hire"]}) == wanted
    for more, path in (
        ({"automa_card": 8}, "state.automa_card"),
        ({"automa_card": 9}, "state.automa_card"),
        ({"automa_card": 10}, "state.automa_card"),
        ({"card": ["develop", "print", "hire"]}, "state.card"),
        ({"priority": list(facts.GENRES)}, "state.priority"),
    ):
        assert rejected_path(filled.answer, "turn", state | more) == path


def test_automa_cards__are_in_no_source_and_no_number_is_known() -> None:
    state = {"level": 1, "round": 1, "automa_card": 7}
    assert rejected_path(COMICS.rules.answer, "turn", state) == "state.automa_card"


def test_face_down_tile_is_always_collectable() -> None:
    """Sales fails only without any tile: with tiles, one is face up or is turned up."""
    random = Random(35)
    for _ in range(300):
        ask, given_state = turns.good(random)
        if ask == "turn" and given_state["orders"]:
            answer = COMICS.rules.answer(ask, given_state)
            assert failure(read(ask, given_state), "sales") in (None, "no_space")
            if answer["action"] == "sales":
                assert answer["result"]["flipped"] or answer["result"]["collected"]
