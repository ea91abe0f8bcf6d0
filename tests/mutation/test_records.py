"""Random valid records: they are answered, they reach every row, and the same seed makes the same."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from dtables.mutation.gathering import Gathering, Pool
from dtables.mutation.records import RecordMaker, Verdict, outcome_of, subjects_of
from dtables.mutation.run import questions_of
from dtables.mutation.trial import Workbook
from dtables.records.findings import RecordError
from tests.mutation.books import STALL, workbook
from tests.support.pages import KIND_EXAMPLES

KINDS = KIND_EXAMPLES.read_text(encoding="utf-8")
DEEP = """
Types: words
  name | names
  colour | red, green, blue, white, black

Record: house
  field | type | default
  colour | colour | needed
  floors | whole number | 1

Types: narrower
  name | of | allowed
  age | whole number | [18..120]

Input: state
  field | type | default
  age | age |
  houses | list of house | []
  since | date |
  taken | colour |
  rooms | whole number by colour | {}

Decision: rate(h: house) -> whole number ; policy: first ; otherwise: 1
  if | if | if | then
  h.colour | h.floors | age | rate
  red | >= 7 | 65 | 2
  black | 3 | 120 | 3
  white | - | > 100 | 4

Decision: old -> boolean ; policy: unique
  if | then
  since | old
  < @"1999-05-01" | yes
  >= @"1999-05-01" | no

Checks: sound
  # | each | wrong if | at
  1 | houses | floors > 9 | floors

Checks: once
  # | places | by | at most
  1 | houses | colour | 2

Ask: rates ; main: yes
  role | name | is | recorded in
  need | age | |
  need some | houses | |
  need each | rooms | houses.colour |
  need | since | |
  draw | one | houses.colour | taken
  answer | one | one |
  answer | rates | for h in houses return rate(h) |
  answer | old | old |
""".replace("  # is a number\n", "")
"""Needs, checks, borders, a map with a value for each name, a draw: chance alone gets through none of it."""


def gathered(trial: Workbook, wanted: int, seed: int = 0) -> Pool:
    records = RecordMaker(trial.rules.ruleset, trial.rules, Random(seed))
    return Gathering(records, wanted).gathered(questions_of(trial))


@pytest.mark.parametrize("book", [STALL, DEEP, KINDS], ids=["stall", "deep", "kinds"])
def test_they_are_valid_and_answered_as_noted(book: str) -> None:
    trial = workbook(book)
    pool = gathered(trial, 200)
    assert len(pool.answered) >= 200
    for one in pool.answered:
        assert one.outcome.refused is None and one.outcome.fails is None
        assert outcome_of(trial.rules, one.question).is_as(one.outcome)
        if one.question.ask is not None:
            assert trial.rules.reply(one.question.ask, one.question.given).answer == one.outcome.value
    for one in pool.refused:
        with pytest.raises(RecordError) as error:
            if one.question.ask is not None:
                trial.rules.reply(one.question.ask, one.question.given)
            else:
                trial.rules.call(one.question.table or "", one.question.given)
        assert error.value.path == one.outcome.refused
    assert len({repr(one.question) for one in pool.all}) == len(pool.all)


def test_the_same_seed_makes_the_same_records() -> None:
    first, again, other = (
        [one.question for one in gathered(workbook(STALL), 50, seed).all] for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_they_reach_every_row_however_deep() -> None:
    trial = workbook(DEEP)
    pool = gathered(trial, 1000)
    decided = Counter(cell.address for one in pool.answered for cell in one.cells)
    outcomes = {o.cell.address for t in trial.rules.ruleset.tables for r in t.rules for o in r.outcomes}
    assert outcomes <= set(decided)
    refused = Counter(one.outcome.refused or "" for one in pool.refused)
    for path in ("state.age", "state.houses", "state.since", "state.houses[0].floors", "state.houses[2]"):
        assert refused[path], path
    assert any(path.startswith("state.rooms.") for path in refused)
    taken = [one.question.given.get("taken") for one in pool.answered]
    assert sum(name is not None for name in taken) > 50
    assert sum("any_of" in one.outcome.value for one in pool.answered) > 50


def test_what_is_asked_are_the_asks_and_the_tables_that_no_ask_reaches() -> None:
    book = """
Formulas: sums
  name | type | is
  two | number | one + 1
  one | number | 1
  alone(x: number) | number | x * one

Scale: inner(candidates: list of number) ; decides: no
  only for | prefer | by
  item | |
  | highest | item

Scale: outer(candidates: list of number)
  only for | prefer | by
  item | |
  | scale | inner
  | first |

Ask: a
  role | name | is
  answer | best | outer([1, 2])
"""
    subjects = subjects_of(workbook(book).rules.ruleset)
    assert [subject.name for subject in subjects] == ["a", "two", "alone"]


def test_a_table_is_called_with_its_parameters_and_inputs() -> None:
    book = """
Input: state
  field | type | default
  bonus | whole number | 0

Decision: fee(x: whole number) -> whole number ; policy: first
  if | if | then
  x | bonus | fee
  > 41 | 7 | 3
  - | - | 1
"""
    pool = gathered(workbook(book), 300)
    assert {one.question.table for one in pool.answered} == {"fee"}
    assert {one.outcome.value for one in pool.answered} == {1, 3}


def test_null_is_as_if_the_field_were_not_there() -> None:
    assert Verdict({"x": 1}).is_as(Verdict({"x": 1, "y": None}))
    assert not Verdict({"x": 1}).is_as(Verdict({"x": 2}))
    assert not Verdict({"x": 1}).is_as(Verdict({"x": True}))
    assert not Verdict({"x": None}).is_as(Verdict(refused="state.x"))
    assert Verdict(fails="one thing").is_as(Verdict(fails="another"))
