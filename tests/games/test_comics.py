"""tables/comics.xlsx against an oracle by hand, the contract's samples and the component data."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dtables
from dtables.diagnostics import Severity, render
from dtables.evaluator.trace import Chosen
from dtables.findings import RecordError
from dtables.model.tables import Scale
from dtables.ruleset import Ruleset, check
from dtables.workbook.dress import dress
from dtables.workbook.tables import BookText
from dtables.workbook.xlsx import read_workbook
from tests.games import comics_coverage as coverage
from tests.games import comics_facts as facts
from tests.games import comics_mistakes as mistakes
from tests.games import comics_oracle as oracle
from tests.games import comics_turns as turns
from tests.games.comics_actions import failure
from tests.games.comics_reading import read
from tests.games.reading import Rejected

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "tables" / "comics.xlsx"
SHARED = ROOT.parent / "shared"
CONTRACT = SHARED / "contracts"
DATA = SHARED / "data" / "age_of_comics"

ENGINES = {"compiled": 2500, "evaluator": 250}
"""How many turns each is tried on."""

Answer = Callable[[str | None, Any], dict[str, Any]]


@cache
def rules() -> Ruleset:
    return dtables.load(BOOK)


@cache
def text() -> BookText:
    book, _ = read_workbook(BOOK)
    assert book is not None
    return book


def engine(name: str) -> Answer:
    return rules().answer if name == "compiled" else rules().evaluator.answer


def shared(path: Path) -> Path:
    if not path.exists():
        pytest.skip(f"{path.name} stands beside the repository and is missing")
    return path


def rows_of(name: str) -> list[dict[str, str]]:
    with shared(DATA / name).open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


# -- the workbook ------------------------------------------------------------------------------


def test_workbook__checks_without_error_or_warning() -> None:
    loud = [d for d in check(BOOK).diagnostics if d.severity is not Severity.NOTE]
    assert loud == [], render(loud)


def test_workbook__is_dressed(tmp_path: Path) -> None:
    copy, _ = dress(BOOK, tmp_path / BOOK.name)
    again, found = read_workbook(tmp_path / BOOK.name)
    assert found == ()
    assert again == copy == text()


def test_workbook__every_ledger_row_has_its_table() -> None:
    named: set[int] = set()
    for heading in rules().model.headings:
        for source in heading.source:
            ends = [int(n) for n in re.findall(r"C-(\d+)", source)]
            named.update(range(ends[0], ends[-1] + 1) if ends else ())
    assert named == set(range(1, 109))


def test_workbook__every_doubt_has_its_note_and_every_golden_test_its_example() -> None:
    notes = " ".join(p.value.text for t in text().tables for p in t.properties if p.word == "note")
    assert set(re.findall(r"X-C-\d+", notes)) == {f"X-C-{n:02d}" for n in range(1, 16)}
    examples = (t for t in text().tables if t.kind == "examples")
    cells = " ".join(c.typed for t in examples for row in t.rows for c in row.cells)
    assert set(re.findall(r"GC-\d+", cells)) == {f"GC-{n:02d}" for n in range(1, 11)}


def test_workbook__every_table_is_titled_in_both_languages() -> None:
    for table in text().tables:
        languages = [p.language for p in table.properties if p.word == "title"]
        assert sorted(map(str, languages)) == ["en", "it"], table.name


def test_workbook__criteria_and_checks_have_words_in_both_languages() -> None:
    for table in text().tables:
        texts = [n for n, column in enumerate(table.columns) if column.role == "text"]
        if table.kind in ("scale", "checks"):
            assert len(texts) == 2, table.name
            assert all(not row.cells[n].empty for row in table.rows for n in texts), table.name


def test_workbook__names_have_labels_in_both_languages() -> None:
    """Switches and their values are read as they are spelled."""
    named = [v for v in rules().model.vocabularies if not v.name.startswith("switch")]
    for vocabulary in named:
        for label in vocabulary.names:
            assert {language for language, _ in label.words} == {"it", "en"}, (vocabulary.name, label.id)


def test_workbook__genres_have_badges_that_differ_in_more_than_colour() -> None:
    genres = next(v for v in rules().model.vocabularies if v.name == "genre")
    badges = [label.badge for label in genres.names]
    assert all(badges)
    for part in ("colour", "shape", "letter"):
        assert len({getattr(badge, part) for badge in badges}) == len(badges)


# -- the component data ------------------------------------------------------------------------


def test_facts__levels() -> None:
    for row in rows_of("automa_difficulty.csv"):
        level = int(row["level"])
        assert int(row["fans_per_print"]) == int(row["ripoff_fans"]) == facts.PRINT_FANS[level]
        assert int(row["sales_minimum_value"]) == facts.SALES_FLOOR[level]
        assert int(row["final_vp_bonus"]) == facts.FINAL_BONUS[level]


def test_facts__spaces() -> None:
    in_play = [row for row in rows_of("action_spaces.csv") if row["in_play_2_player_setup"] == "1"]
    assert {(row["action"], int(row["space"])) for row in in_play} == {
        (action, space) for action in facts.ACTIONS for space in (1, 2, 3)
    }
    for action, worth in facts.WORTH.items():
        values = [re.search(r"\d", row["value"]) for row in in_play if row["action"] == action]
        assert tuple(int(found[0]) for found in values if found) == worth


def test_facts__names_in_their_order() -> None:
    assert tuple(row["genre"] for row in rows_of("genres.csv")) == facts.GENRES
    vocabularies = {v.name: [label.id for label in v.names] for v in rules().model.vocabularies}
    assert tuple(vocabularies["genre"]) == facts.GENRES
    assert tuple(vocabularies["action"]) == facts.ACTIONS
    assert tuple(vocabularies["challenge"]) == facts.CHALLENGES
    assert vocabularies["title"] == [title for _, title in facts.TITLES]
    points = tuple(int(row["min_points"]) for row in rows_of("player_titles.csv"))
    assert points == tuple(least for least, _ in facts.TITLES)


# -- answers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ENGINES)
def test_samples_of_the_contract(name: str) -> None:
    records = shared(CONTRACT / "comics.sample.jsonl").read_text(encoding="utf-8").splitlines()
    expected = (CONTRACT / "comics.sample.expected.jsonl").read_text(encoding="utf-8").splitlines()
    for line, wanted in zip(records, expected, strict=True):
        record = json.loads(line)
        answer = engine(name)(record.get("ask"), record["state"])
        assert json.dumps(answer) == json.dumps(json.loads(wanted)["answer"])


@pytest.mark.parametrize(("name", "records"), ENGINES.items())
def test_turns__answers_are_the_oracles(name: str, records: int) -> None:
    random = Random(30)
    for _ in range(records):
        ask, state = turns.good(random)
        assert json.dumps(engine(name)(ask, state)) == json.dumps(oracle.answer(ask, state)), (ask, state)


@pytest.mark.parametrize(("name", "records"), ENGINES.items())
def test_turns__what_is_wrong_is_found_at_its_path(name: str, records: int) -> None:
    random = Random(31)
    for _ in range(records):
        ask, state, path = mistakes.bad(random)
        with pytest.raises(Rejected) as wanted:
            oracle.answer(ask, state)
        with pytest.raises(RecordError) as found:
            engine(name)(ask, state)
        assert (found.value.path, wanted.value.path) == (path, path), (ask, state)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False))
def test_turns__any_turn(random: Random) -> None:
    ask, state = turns.good(random)
    assert engine("compiled")(ask, state) == oracle.answer(ask, state)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False))
def test_turns__any_bad_turn(random: Random) -> None:
    ask, state, path = mistakes.bad(random)
    with pytest.raises(RecordError) as found:
        engine("compiled")(ask, state)
    assert found.value.path == path


@pytest.mark.parametrize("mistake", mistakes.MISTAKES, ids=lambda mistake: mistake.__name__.strip("_"))
def test_turns__each_mistake_is_rejected_at_its_path(mistake: mistakes.Mistake) -> None:
    random = Random(32)
    for _ in range(8):
        ask, state, path = mistake(random, *turns.good(random))
        with pytest.raises(RecordError) as found:
            engine("compiled")(ask, state)
        assert found.value.path == path


# -- every rule --------------------------------------------------------------------------------


def test_turns__reach_every_rule() -> None:
    random = Random(33)
    seen: set[Any] = set()
    for _ in range(2500):
        ask, state = turns.good(random)
        seen.update(coverage.told(ask, rules().answer(ask, state)))
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
    assert wanted - seen == set()


def test_scales__each_criterion_decides_in_some_turn() -> None:
    scales = [table for table in rules().model.tables if isinstance(table, Scale)]
    wanted = {(scale.heading.name, criterion.where.row) for scale in scales for criterion in scale.criteria}
    random = Random(34)
    seen: set[tuple[str, int]] = set()
    for _ in range(400):
        ask, given_state = turns.good(random)
        if ask == "turn":
            seen.update(deciding(given_state))
        if wanted <= seen:
            return
    assert wanted - seen == set()


def deciding(given_state: turns.State) -> Iterator[tuple[str, int]]:
    """The last criterion of each scale that one turn may ask; scales are asked for their best."""
    plain = {key: value for key, value in given_state.items() if value is not None}
    for scale, candidates in coverage.candidates_of(plain).items():
        explained = rules().evaluator.explain_table(scale, {**plain, "candidates": candidates})
        for step in explained.steps:
            if isinstance(step, Chosen) and step.decided is not None:
                yield scale, step.decided.cell.row


# -- switches and cards ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ENGINES)
def test_switches_change_answers(name: str) -> None:
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
    for value, gain in (("ACTION", 1), ("TOKEN", 2)):
        state = table | {"card": ["ideas", "hire", "print"], "house_rules": {"IDEA_FANS": value}}
        assert engine(name)("turn", state)["result"]["fans"] == [{"comic": 1, "gain": gain}]
    for value, tiles in (("FLOOR", [1, 2, 3]), ("COUNT_LIMIT", [1, 2])):
        state = table | {"card": ["sales", "hire", "print"], "house_rules": {"SALES": value}}
        assert engine(name)("turn", state)["result"]["collected"] == tiles


BY_PRIORITY = "horror > crime > western > scifi > romance > superhero"
CARD_ROWS = (
    (7, "print > develop > hire", BY_PRIORITY),
    (8, "print > develop > print", BY_PRIORITY),
    (9, "hire > ideas > sales", BY_PRIORITY),
    (9, "hire > ideas > sales", BY_PRIORITY),
)
"""A sound card, one with an action twice, and two of one number."""


def with_cards(path: Path) -> Ruleset:
    book = openpyxl.load_workbook(BOOK)
    cards = next(table for table in text().tables if table.kind == "data" and table.name == "automa card")
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
        with pytest.raises(RecordError) as found:
            filled.answer("turn", state | more)
        assert found.value.path == path


def test_automa_cards__are_in_no_source_and_no_number_is_known() -> None:
    with pytest.raises(RecordError) as found:
        rules().answer("turn", {"level": 1, "round": 1, "automa_card": 7})
    assert found.value.path == "state.automa_card"


def test_face_down_tile_is_always_collectable() -> None:
    """Sales fails only without any tile: with tiles, one is face up or is turned up."""
    random = Random(35)
    for _ in range(300):
        ask, given_state = turns.good(random)
        if ask == "turn" and given_state["orders"]:
            answer = rules().answer(ask, given_state)
            assert failure(read(ask, given_state), "sales") in (None, "no_space")
            if answer["action"] == "sales":
                assert answer["result"]["flipped"] or answer["result"]["collected"]
