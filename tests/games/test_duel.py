"""Duel: the component data, turns and refusals against an oracle by hand, every criterion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dtables.evaluator.trace import Chosen, Step, all_steps
from dtables.model.tables import Prefer
from dtables.pages.manual import manual
from dtables.records.findings import RecordError
from tests.games.duel import facts
from tests.games.duel.asks import ASKS
from tests.games.duel.following import ORDER, following
from tests.games.duel.labels import in_words, labels
from tests.games.duel.narrow import free_threatened, narrow_turn
from tests.games.duel.refused import REFUSED, WITHOUT, without
from tests.games.duel.spoils import SPOILS
from tests.games.duel.state import State
from tests.games.duel.turns import sound_turn
from tests.games.games import DUEL, without_nulls
from tests.games.harness import ENGINES, criteria, rejected_path, unreached
from tests.games.reading import Rejected
from tests.support.thinned import draws


def any_turn(random: Random) -> tuple[str, dict[str, Any]]:
    """Some of every kind, with threats to a free structure and without."""
    if random.random() < 0.1:
        return free_threatened(random)
    return narrow_turn(random) if random.random() < 0.8 else sound_turn(random)


def expected(ask: str, state: dict[str, Any]) -> dict[str, Any]:
    return without_nulls(ASKS[ask](State(state)))


# -- what a person reads -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "language", "sentence"),
    [
        ("god_slot", "it", "l'altra torna coperta in cima al mazzo"),
        ("god_slot", "en", "the other goes back face down on top of the deck"),
        ("liberty_gift", "it", "Il giocatore la costruisce subito, gratis"),
        ("liberty_gift", "en", "The player builds it at once, free"),
    ],
)
def test_manual__what_becomes_of_cards_that_no_answer_names(ask: str, language: str, sentence: str) -> None:
    section = manual(DUEL.rules.model, language).split(f"\n## {ask}\n")[1].split("\n## ")[0]
    assert sentence in section


# -- the component data ------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(path.stem for path in facts.PRINTED.iterdir()))
def test_facts__are_those_of_the_component_data(name: str) -> None:
    """Which stand beside the repository; of their columns the oracle has what it reads."""
    ours = facts.rows(name)
    assert ours == [{column: row[column] for column in ours[0]} for row in DUEL.printed(name)]


def test_facts__labels_of_cards() -> None:
    cards = DUEL.vocabulary("card")
    assert [label.id for label in cards.names] == list(facts.CARDS)
    words = {label.id: dict(label.words) for label in cards.names}
    for row in facts.rows("age_cards"):
        if row["age"] != "3G":
            sure = row["name_it"] and row["name_it_confidence"] in ("high", "medium")
            wanted = {"en": row["name_en"], **({"it": row["name_it"]} if sure else {})}
            assert words[row["card_id"].split("-", 1)[1].replace("-", "_")] == wanted


def test_facts__spellings_of_the_document() -> None:
    """Each of its Italian names is understood, in the kind it names."""
    fields = {
        "card": "card", "wonder": "wonder", "divinity": "god", "gate": "god", "mythology": "mythology",
        "progress token": "progress",
    }  # fmt: skip
    for row in DUEL.printed("seed_names"):
        wanted = row["data_id"].removeprefix("A1-").removeprefix("A2-").removeprefix("A3-").replace("-", "_")
        field, name = fields[row["kind"]], row["name_in_seed"]
        state = {"level": "base", **({"progress_row": [name]} if field == "progress" else {field: name})}
        assert DUEL.rules.answer("level", state)["nudge"] == 0, name
        vocabulary = {"god": "pantheon card"}.get(field, field)
        assert meant(vocabulary, name) == [wanted]


def meant(vocabulary: str, spelling: str) -> list[str]:
    from dtables.feel.names import fold

    names = DUEL.vocabulary(vocabulary).names
    return [
        label.id
        for label in names
        if fold(spelling) in {fold(w) for w in (label.id, *(w for _, w in label.words), *label.spellings)}
    ]


# -- answers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("engine", "records"), [("compiled", 3000), ("evaluator", 150)])
def test_turns__answers_are_the_oracles(engine: str, records: int) -> None:
    random = Random(30)
    for _ in range(records):
        ask, state = any_turn(random)
        try:
            wanted = expected(ask, state)
        except Rejected as bad:
            assert rejected_path(DUEL.engine(engine), ask, state) == bad.path
            continue
        assert without_nulls(DUEL.engine(engine)(ask, state)) == wanted, (ask, state)


@pytest.mark.parametrize(("engine", "records"), [("compiled", 2000), ("evaluator", 100)])
def test_turns__what_comes_next_is_the_oracles(engine: str, records: int) -> None:
    random, reply, met = Random(34), DUEL.replying(engine), set[str]()
    for _ in range(records):
        ask, state = any_turn(random)
        try:
            wanted = following(ask, state)
        except Rejected:
            continue
        assert list(reply(ask, state).next) == wanted, (ask, state)
        met.update(wanted)
    assert engine != "compiled" or met == set(ORDER)


def test_turns__labels_of_either_language_mean_the_same() -> None:
    random, known = Random(33), labels()
    for _ in range(400):
        ask, state = any_turn(random)
        assert DUEL.rules.answer(ask, in_words(random, state, known)) == DUEL.rules.answer(ask, state)


@settings(max_examples=draws(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False))
def test_turns__any_turn(random: Random) -> None:
    ask, state = narrow_turn(random)
    assert without_nulls(DUEL.rules.answer(ask, state)) == expected(ask, state)


@pytest.mark.parametrize("spoil", SPOILS, ids=lambda spoil: spoil.__name__.removeprefix("_spoil_"))
def test_turns__what_is_spoilt_is_found_at_its_path(spoil: Callable[..., str | None]) -> None:
    random, found = Random(31), 0
    for _ in range(12):
        ask, state = sound_turn(random)
        try:
            path = spoil(random, state)
        except LookupError:
            continue
        if path is not None:
            found += 1
            with pytest.raises(RecordError) as error:
                DUEL.rules.answer(ask, state)
            assert path in [finding.path for finding in error.value.findings]
    assert found


@pytest.mark.parametrize("engine", ENGINES)
def test_refused__each_at_its_path(engine: str) -> None:
    for ask, said_there, path in REFUSED:
        state = {"level": "easy", **said_there} if ask == "level" else said_there
        assert rejected_path(DUEL.engine(engine), ask, state) == f"state.{path}", (ask, said_there)


@pytest.mark.parametrize("engine", ENGINES)
def test_refused__without_what_an_ask_needs(engine: str) -> None:
    for ask, state, needed in WITHOUT:
        DUEL.engine(engine)(ask, state)
        for path in needed:
            found = rejected_path(DUEL.engine(engine), ask, without(state, path))
            assert found == f"state.{path}", (ask, path)


FIVE = ["scriptorium", "workshop", "pharmacist", "apothecary", "academy"]
"""Five different symbols."""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("conflict", "pile", "card"),
    [
        (-6, ["study", "university"], "university"),
        (-8, ["dispensary", "arsenal"], "arsenal"),
        (-6, ["dispensary", "stable"], "stable"),
        (-6, ["library", "guard_tower"], "guard_tower"),
        (-6, ["circus", "study"], "study"),
        (-6, ["library", "dispensary"], None),
        (-5, ["dispensary", "stable"], "dispensary"),
        (-6, ["roman_grand_temple", "stable"], "stable"),
    ],
)
def test_a_free_structure_under_both_threats(
    engine: str, conflict: int, pile: list[str], card: str | None
) -> None:
    """The win it would give the player, a chain, the cost, green; only then the free-choice scale, in which
    points come first."""
    state = {"direction": "SM", "conflict": conflict, "player": {"cards": FIVE}, "discard_pile": pile}
    for pool in ("mausoleum", "hades"):
        answer = DUEL.engine(engine)("free_structure", state | {"pool": pool})
        assert answer["card"] == card
        wanted = None if card else {"card": ["dispensary", "library"]}
        assert answer.get("any_of") == wanted


@pytest.mark.parametrize("engine", ENGINES)
def test_ties_of_anubis(engine: str) -> None:
    """Circus Maximus and Hanging Gardens cost the same and give the same points."""
    two = [{"wonder": w, "built": True} for w in ("circus_maximus", "hanging_gardens")]
    for first, rules, hit in (
        ("great_lighthouse", {}, "hanging_gardens"),
        ("great_lighthouse", {"ANUBIS_SCALE": "PLAYER_FIRST_WONDER"}, "hanging_gardens"),
        ("great_lighthouse", {"ANUBIS_SCALE": "SOLO"}, "circus_maximus"),
        ("sanctuary", {}, "circus_maximus"),
    ):
        player = {"wonders": [{"wonder": first}, *two]}
        state = {"direction": "MS", "player": player, "house_rules": rules}
        assert DUEL.engine(engine)("anubis", state)["wonder"] == hit
    mine = [{"wonder": w, "built": True} for w in ("colossus", "sphinx")]
    state = {"direction": "MS", "solo": {"wonders": mine}, "player": {"wonders": [{"wonder": "pyramids"}]}}
    hits = [
        DUEL.engine(engine)("anubis", state | {"house_rules": {"ANUBIS_SCALE": value}})["wonder"]
        for value in (None, "SOLO")
    ]
    assert hits == ["sphinx", "colossus"]


@pytest.mark.parametrize("engine", ENGINES)
def test_empty_pools_are_null(engine: str) -> None:
    base = {"direction": "SM", "conflict": 0, "age": 2}
    for pool in ("mausoleum", "hades", "messe", "liberty"):
        state = {**base, "pool": pool, "structure": [], "box_cards": [], "discard_pile": []}
        assert without_nulls(DUEL.engine(engine)("free_structure", state)) == {}
    assert without_nulls(DUEL.engine(engine)("zeus", {**base, "structure": []})) == {}
    assert without_nulls(DUEL.engine(engine)("liberty_gift", {**base, "box_cards": []})) == {}
    assert (
        without_nulls(
            DUEL.engine(engine)(
                "progress", {**base, "source": "pair", "solo": {"coins": 0}, "progress_row": []}
            )
        )
        == {}
    )


# -- every criterion -----------------------------------------------------------------------------

CHOOSING = [
    "turn", "turn", "anubis", "ra", "isis", "baal", "zeus", "neptune", "liberty_gift", "free_structure",
    "remove_resource",
]  # fmt: skip
TELLING = (
    7, 13, 17, 18, 20, 24, 25, 26, 27, 30, 32, 33, 35, 37, 39, 44, 45, 47, 55, 61, 68, 74, 86, 90,
    104, 106, 107, 108, 112, 114, 125, 128, 135, 140, 143, 144, 153, 154, 160, 163, 205, 213, 242,
    256, 328, 387, 413, 424, 428, 462, 478, 561, 618, 1452, 1675, 1871,
)  # fmt: skip
"""Turns that between them need every criterion, found by trying; should they not, more are tried."""
BY_LOT = {Prefer.CHANCE, Prefer.SCALE}


def test_scales__each_criterion_decides_in_some_turn() -> None:
    wanted = {
        (scale.heading.name, criterion.where.row)
        for scale, criterion in criteria(DUEL)
        if scale.heading.name != "most needed" and criterion.prefer not in BY_LOT
    }
    numbers = (*TELLING, *range(1500))
    told = (DUEL.rules.evaluator.explain(*numbered(number)).steps for number in numbers)
    assert unreached(wanted, map(separating, told)) == set()


def numbered(number: int) -> tuple[str, dict[str, Any]]:
    random = Random(number)
    return narrow_turn(random) if number % 3 else sound_turn(random, CHOOSING[number % len(CHOOSING)])


def separating(steps: tuple[Step, ...]) -> Iterator[tuple[str, int]]:
    """The criteria after which fewer were left, however deep in an explanation they stand."""
    for step in all_steps(steps):
        if isinstance(step, Chosen):
            yield from ((row.scale, row.cell.row) for row in step.rows if row.dropped)
