"""The whole of it: what is reported of a workbook, and whether what is shown is true."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import openpyxl
import pytest

from dtables.answers.examples import run_examples
from dtables.mutation.records import Question, outcome_of
from dtables.mutation.report import as_plain, lines, summary
from dtables.mutation.run import MutationRequest, Report, tried_all
from dtables.mutation.suggestions import Suggestion
from dtables.mutation.trial import CompiledRules, read
from dtables.ruleset import load
from tests.mutation.books import STALL, workbook
from tests.support.drawing import write_book
from tests.support.golden import golden
from tests.support.pages import KIND_EXAMPLES

HERE = Path(__file__).parent
QUICK = MutationRequest(records=200, processes=1)
KINDS = KIND_EXAMPLES.read_text(encoding="utf-8")


each_book = pytest.mark.parametrize("text", [STALL, KINDS], ids=["stall", "kinds"])


@cache
def report_of(text: str, wish: MutationRequest = QUICK) -> Report:
    return tried_all(workbook(text), (), wish)


def test_each_change_is_one_of_four() -> None:
    report = report_of(STALL)
    assert report.by_check > 0 and report.by_example > 0
    assert report.counted == report.by_check + report.by_example + len(report.unnoticed)
    assert len(report.noticed) == report.by_check + report.by_example
    told = [str(one.change).partition(": ")[2] for one in report.unnoticed]
    assert "Decision discount, row 1, if coins: >= 10 → >= 9" in told
    assert "Checks sound, row 1, wrong if: coins < 0 → coins <= 0" in told
    assert "Scale best, row 3, prefer: first → chance" not in told
    alike = [str(change).partition(": ")[2] for change in report.alike]
    assert "Data basket, b and c swapped: b | pear | 3 | large / c | fig | 5 | small" in alike


@pytest.mark.parametrize(("name", "text"), [("stall", STALL), ("kinds", KINDS)], ids=["stall", "kinds"])
def test_what_the_seed_finds(name: str, text: str) -> None:
    """Golden: how records are made up, varied and aimed is seen in what they find."""
    report = report_of(text)
    alike = [f"alike: {change}" for change in report.alike]
    golden(HERE / f"{name}.found.txt", "\n".join([summary(report), *lines(report), *alike]) + "\n")


def test_the_summary_says_how_many() -> None:
    report = report_of(STALL)
    noticed = report.by_check + report.by_example
    assert summary(report) == (
        f"{report.counted} changes: {noticed} noticed by check or examples ({report.share:.1f} %), "
        f"{len(report.unnoticed)} not; {len(report.alike)} more change no answer of {report.records} records"
    )
    assert f"{report.share:.1f}" == f"{100 * noticed / report.counted:.1f}"


@each_book
def test_an_example_is_answered_otherwise_by_the_changed_rules(text: str) -> None:
    trial, report = workbook(text), report_of(text)
    assert report.unnoticed
    for one in report.unnoticed:
        changed = trial.changed(one.change)
        assert isinstance(changed, CompiledRules)
        assert outcome_of(trial.rules, one.example.question).is_as(one.example.outcome)
        assert outcome_of(changed, one.example.question).is_as(one.outcome)
        assert not one.outcome.is_as(one.example.outcome)


@each_book
def test_an_example_that_is_typed_holds_and_notices_its_changes(text: str, tmp_path: Path) -> None:
    """The rows are typed into the workbook: then every change that went unnoticed is noticed."""
    book = tmp_path / "book.xlsx"
    write_book(text, book)
    report = report_of(text)
    _type(book, [example.row for example in report.examples])
    rules = load(book)
    results = list(run_examples(rules.model, (rules, rules.evaluator)))
    assert [result.failures for result in results] == [()] * len(results)
    trial = read(book)
    for one in report.unnoticed:
        changed = trial.changed(one.change)
        assert not isinstance(changed, CompiledRules) or trial.example(changed) is not None, one.change
    assert tried_all(trial, (), QUICK).share > report.share


def _type(book: Path, rows: list[Suggestion]) -> None:
    """Under the tables they are for, and in tables of their own where there is none or it lacks a column."""
    file, asks = openpyxl.load_workbook(book), load(book).asks
    sheet = file.create_sheet("More")
    at = 1
    for row in rows:
        kind = "table" if row.of not in asks else "ask"
        heads = [cell for cell in row.cells if cell.role not in ("#", "text", "note")]
        lines = [
            [f"Examples: more {at}"], [f"{kind}: {row.of}"],
            [cell.role for cell in heads], [cell.name for cell in heads], [cell.text for cell in heads],
        ]  # fmt: skip
        for line in lines:
            for column, text in enumerate(line, 1):
                sheet.cell(at, column, text or None)
            at += 1
        at += 1
    file.save(book)


def test_the_same_seed_gives_the_same_report_on_any_number_of_processes() -> None:
    alone = as_plain(report_of(STALL, MutationRequest(records=100, processes=1, seed=3)))
    together = as_plain(report_of(STALL, MutationRequest(records=100, processes=2, seed=3)))
    assert alone == together


def test_only_what_is_named_is_changed() -> None:
    report = report_of(STALL, MutationRequest(records=50, processes=1, only=("best",)))
    changed = {one.change.table for one in report.unnoticed} | {seen.change.table for seen in report.noticed}
    assert changed == {"best"}


def test_a_limit_takes_changes_from_all_over() -> None:
    report = report_of(STALL, MutationRequest(records=50, processes=1, limit=30))
    tried = report.counted + len(report.alike)
    assert 20 < tried <= 30
    assert len({seen.change.table for seen in report.noticed}) > 2


def test_records_that_are_given_tell_changes() -> None:
    """What random records find in thousands, one of a log tells at once."""
    book = """
Input: state
  field | type
  name | text

Decision: greeting ; policy: first ; otherwise: 0
  if | then
  name | r
  "Ann of the long and winding road" | 1

Ask: greet ; main: yes
  role | name | is
  need | name |
  answer | greeting | greeting
"""
    none = MutationRequest(records=0, processes=1)
    given = Question("greet", None, {"name": "Ann of the long and winding road"})
    without, told = (tried_all(workbook(book), log, none) for log in ((), (given,)))
    assert len(without.unnoticed) < len(told.unnoticed)


def test_what_is_said_of_a_change() -> None:
    book = """
Input: state
  field | type
  age | whole number

Decision: fare ; policy: first ; otherwise: 9
  # | if | then
  # | age | fare
  1 | < 6 | 0

Ask: ride ; main: yes
  role | name | is
  need | age |
  answer | fare | fare

Examples: rides ; ask: ride
  # | given | expect | rejected at
  # | age | fare |
  1 | 3 | 0 |
  2 | 30 | 9 |
"""
    said = list(lines(report_of(book, MutationRequest(records=100, processes=1, only=("fare",)))))
    assert said[:5] == [
        "not noticed: Sheet1!B8: Decision fare, row 1, if age: < 6 → <= 6",
        "  example 1 would notice it, a row for Examples rides (Sheet1!A15):",
        "    given age: 6 | expect fare: 9",
        "  answer: fare: 9",
        "  changed: fare: 0",
    ]


def test_a_workbook_without_asks_and_examples_is_tried_by_its_tables() -> None:
    book = """
Decision: fare(age: whole number) -> whole number ; policy: first ; otherwise: 9
  if | then
  age | fare
  < 6 | 0
"""
    report = report_of(book, MutationRequest(records=100, processes=1))
    assert report.by_example == 0 and report.unnoticed
    row = report.unnoticed[0].example.row
    assert row.where is None and row.of == "fare"
    assert [cell.head for cell in row.cells] == ["given age", "expect fare"]
