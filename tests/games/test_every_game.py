"""What every game's workbook must do: be whole and dressed, answer the contract's samples, agree with its
oracle on good turns and on bad ones.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dtables.answers.examples import run_example
from dtables.authoring.dressing.dress import dress
from dtables.diagnostics import Severity, render
from dtables.merging import Reply
from dtables.pages.badges import PageLabels
from dtables.pages.document import Mark
from dtables.pages.legend import letters_of, with_letters
from dtables.workbook.cells import read_workbook
from tests.games.games import GAMES, PLAYED
from tests.games.harness import ENGINES, SHARED, TABLES, Game, Played, beside, lines_of, rejected_path
from tests.support.thinned import draws

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
each_played = pytest.mark.parametrize("played", PLAYED, ids=lambda played: played.game.name)
each_engine = pytest.mark.parametrize("engine", ENGINES)
each_mistake = pytest.mark.parametrize(
    ("played", "mistake"),
    [(played, mistake) for played in PLAYED for mistake in played.mistakes],
    ids=lambda value: value.game.name if isinstance(value, Played) else value,
)
any_random = given(random=st.randoms(use_true_random=False))
some_examples = settings(max_examples=draws(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])


# -- the workbook ------------------------------------------------------------------------------


@each_game
def test_workbook__checks_without_error_or_warning(game: Game) -> None:
    loud = [d for d in game.checked.diagnostics if d.severity is not Severity.NOTE]
    assert loud == [], render(loud)


@each_game
def test_workbook__is_dressed(game: Game, tmp_path: Path) -> None:
    copy, _ = dress(game.book, tmp_path / game.book.name)
    again, found = read_workbook(tmp_path / game.book.name)
    assert found == ()
    assert again is not None and copy is not None
    assert again.tables == copy.tables == game.text.tables
    assert set(game.text.sheets) - set(again.sheets) <= {game.text.sheets[0]}


@each_game
def test_workbook__every_ledger_row_has_its_table(game: Game) -> None:
    told: set[int] = set()
    for heading in game.rules.model.headings:
        for source in heading.source:
            ends = [int(n) for n in re.findall(rf"{game.letter}-(\d+)", source)]
            told.update(range(ends[0], ends[-1] + 1) if ends else ())
    assert told == set(range(1, game.rows + 1))


@each_game
def test_workbook__every_doubt_has_its_note(game: Game) -> None:
    """In a table's note, or in the list of readings."""
    texts = [p.value.text for t in game.text.tables for p in t.properties if p.word == "note"]
    texts += [c.typed for t in game.text.tables if t.name == "readings" for row in t.rows for c in row.cells]
    notes = " ".join(texts)
    wanted = {f"X-{game.letter}-{n:02d}" for n in range(1, game.doubts + 1)}
    assert set(re.findall(rf"X-{game.letter}-\d+", notes)) == wanted


@each_game
def test_workbook__every_golden_test_has_its_example(game: Game) -> None:
    examples = (t for t in game.text.tables if t.kind == "examples")
    cells = " ".join(c.typed for t in examples for row in t.rows for c in row.cells)
    wanted = {f"G{game.letter}-{n:02d}" for n in range(1, game.golden + 1)}
    assert set(re.findall(rf"G{game.letter}-\d+", cells)) == wanted


@each_game
def test_workbook__every_table_is_titled_in_both_languages(game: Game) -> None:
    for table in game.text.tables:
        languages = [p.language for p in table.properties if p.word == "title"]
        assert sorted(map(str, languages)) == ["en", "it"], table.name


@each_game
def test_workbook__rows_have_words_in_both_languages(game: Game) -> None:
    for table in game.text.tables:
        texts = [n for n, column in enumerate(table.columns) if column.role == "text"]
        if table.kind in game.worded:
            assert len(texts) == 2, table.name
            assert all(not row.cells[n].empty for row in table.rows for n in texts), table.name


@each_game
def test_workbook__names_have_labels_in_both_languages(game: Game) -> None:
    """Switches and their values are read as they are spelled."""
    for vocabulary in game.rules.model.vocabularies:
        if vocabulary.name.startswith("switch") or vocabulary.name in game.one_language:
            continue
        for label in vocabulary.names:
            wanted = {"en"} if label.id in game.english else {"it", "en"}
            assert {language for language, _ in label.words} == wanted, (vocabulary.name, label.id)


@each_game
def test_workbook__names_that_are_english_only_are_listed(game: Game) -> None:
    """None is invented, and a note of the check lists them."""
    notes = [d.message for d in game.checked.diagnostics if d.code == "missing-label"]
    listed = {id_ for note in notes for id_ in note.partition(": ")[2].split(", ")}
    assert listed == game.english


@each_game
def test_workbook__badges_differ_in_more_than_colour(game: Game) -> None:
    """A light and a dark badge of one shape differ in grey too: brown and grey are both squares."""
    names = PageLabels(game.rules.model, "en")
    for name in game.badges:
        badges = [badge for label in game.vocabulary(name).names if (badge := label.badge)]
        assert len(badges) == len(game.vocabulary(name).names)
        assert len({badge.colour for badge in badges}) == len(badges), name
        marks = [names.mark(name, label.id) for label in game.vocabulary(name).names]
        in_grey = {(mark.shape, is_light(mark.colours[0])) for mark in marks if mark is not None}
        assert len(in_grey) == len(badges), name


def is_light(colour: str) -> bool:
    if not colour.startswith("#"):
        return colour in ("yellow", "grey", "white")
    return sum(int(colour[n : n + 2], 16) for n in (1, 3, 5)) > 3 * 128


@each_game
@pytest.mark.parametrize("language", ["it", "en"])
def test_workbook__letters_of_badges_differ(game: Game, language: str) -> None:
    names = PageLabels(game.rules.model, language)
    for name in game.badges:
        found = [names.mark(name, label.id) for label in game.vocabulary(name).names]
        marks = [mark for mark in found if mark is not None]
        drawn = with_letters(marks, letters_of(marks))
        letters = [mark.letter for mark in drawn if isinstance(mark, Mark)]
        assert len({letter.casefold() for letter in letters}) == len(found), letters


# -- the contract ------------------------------------------------------------------------------


@each_game
@each_engine
def test_samples_of_the_contract(game: Game, engine: str) -> None:
    contract = beside(SHARED / "contracts")
    records = lines_of(contract / f"{game.name}.sample.jsonl")
    expected = lines_of(contract / f"{game.name}.sample.expected.jsonl")
    assert lines_of(TABLES / f"{game.name}.sample.jsonl") == records
    for line, wanted in zip(records, expected, strict=True):
        record = json.loads(line)
        answer = game.engine(engine)(record.get("ask"), record["state"])
        assert game.compared(answer) == game.compared(json.loads(wanted)["answer"])


# -- the workbook's own examples ---------------------------------------------------------------


@each_played
def test_examples__of_asks_have_the_oracles_answers(played: Played) -> None:
    """Of the asks that come next the oracles say nothing."""
    for table in played.game.rules.model.examples:
        for example in table.rows if table.ask is not None else ():
            if example.rejected is not None:
                path = rejected_path(played.answer, table.ask, example.given)
                assert path == example.rejected, example.where
            else:
                answered = replace(example, next=None)
                assert run_example(table, answered, (Oracle(played),)).failures == (), example.where


class Oracle(NamedTuple):
    """Answers examples as an engine does."""

    played: Played

    def reply(self, ask: str | None, state: Any) -> Reply:
        return Reply(self.played.answer(ask, state))

    def call(self, table: str, given: dict[str, object]) -> Any:
        raise NotImplementedError(table)


# -- turns -------------------------------------------------------------------------------------


@each_played
@each_engine
def test_turns__answers_are_the_oracles(played: Played, engine: str) -> None:
    random, answer = Random(30), played.game.engine(engine)
    for _ in range(played.records[engine]):
        ask, state = played.good(random)
        assert json.dumps(answer(ask, state)) == json.dumps(played.answer(ask, state)), (ask, state)


@each_played
@each_engine
def test_turns__what_comes_next_is_the_oracles(played: Played, engine: str) -> None:
    random, reply = Random(33), played.game.replying(engine)
    for _ in range(played.records[engine] // 2):
        ask, state = played.good(random)
        assert list(reply(ask, state).next) == played.following(ask, state), (ask, state)


@each_played
@each_engine
def test_turns__what_is_wrong_is_found_at_its_path(played: Played, engine: str) -> None:
    random, answer = Random(31), played.game.engine(engine)
    for _ in range(played.records[engine] // 2):
        ask, state, path = played.bad(random)
        found = rejected_path(answer, ask, state), rejected_path(played.answer, ask, state)
        assert found == (path, path), (ask, state)


@each_mistake
def test_turns__each_mistake_is_rejected_at_its_path(played: Played, mistake: str) -> None:
    random = Random(32)
    for _ in range(8):
        ask, state, path = played.mistakes[mistake](random)
        assert rejected_path(played.game.rules.answer, ask, state) == path


@each_played
@some_examples
@any_random
def test_turns__any_turn(played: Played, random: Random) -> None:
    ask, state = played.good(random)
    assert played.game.rules.answer(ask, state) == played.answer(ask, state)


@each_played
@some_examples
@any_random
def test_turns__any_bad_turn(played: Played, random: Random) -> None:
    ask, state, path = played.bad(random)
    assert rejected_path(played.game.rules.answer, ask, state) == path
