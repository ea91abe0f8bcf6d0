"""A changed workbook tried in memory comes to the same as the changed file read from the disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import openpyxl
import pytest

from dtables.answers.examples import run_examples
from dtables.checker import check_book
from dtables.diagnostics import Diagnostic, Severity, errors_in
from dtables.mutation.changes import Mutant, applied
from dtables.mutation.mistakes import mistakes_in
from dtables.mutation.records import Question, outcome_of
from dtables.mutation.trial import CompiledRules, Noticed, Workbook, read
from dtables.provenance import CellRef, Location
from dtables.ruleset import check, load
from dtables.workbook.tables import Cell, Sheet, text_cell
from tests.mutation.books import STALL, workbook
from tests.support.drawing import write_book
from tests.support.pages import KIND_EXAMPLES
from tests.support.thinned import is_quick, swept

BOOKS = {"stall": STALL, "kinds": KIND_EXAMPLES.read_text(encoding="utf-8")}


def written(book: Path, change: Mutant, copy: Path) -> Path:
    """The workbook as a person leaves it who made the change."""
    file = openpyxl.load_workbook(book)
    for cell in change.cells:
        _type(file[cell.ref.sheet], cell)
    file.save(copy)
    return copy


def _type(sheet: openpyxl.worksheet.worksheet.Worksheet, cell: Cell) -> None:
    place = sheet.cell(cell.ref.row, cell.ref.column)
    place.value = cell.value
    if isinstance(cell.value, str):
        place.data_type = "s"


def verdict(workbook: Workbook, change: Mutant) -> str:
    changed = workbook.changed(change)
    if isinstance(changed, Noticed):
        return changed.by
    noticed = workbook.example(changed) or workbook.proof(changed)
    return "nobody" if noticed is None else noticed.by


@pytest.mark.parametrize("name", BOOKS)
def test_who_notices_is_who_notices_the_file(name: str, tmp_path: Path) -> None:
    book = tmp_path / "book.xlsx"
    write_book(BOOKS[name], book)
    trial = read(book)
    ruleset = trial.rules.ruleset
    met: set[str] = set()
    for change in swept(mistakes_in(trial.book, trial.sheets, ruleset)):
        told = verdict(trial, change)
        met.add(told)
        copy = written(book, change, tmp_path / "copy.xlsx")
        checked = check(copy)
        warned = [d for d in checked.diagnostics if d.severity is Severity.WARNING]
        if checked.model is None:
            assert told == "check", change
            continue
        rules = load(copy)
        failed = any(r.failures for r in run_examples(rules.model, (rules, rules.evaluator)))
        expected = "example" if failed else "check" if warned else "nobody"
        # What reading says for the first time is said before an example is run.
        assert told == expected or (told == "check" and warned), change
    assert is_quick() or met == {"check", "example", "nobody"}, "a twentieth need not meet all three"


@pytest.mark.parametrize("name", BOOKS)
def test_what_is_remembered_changes_no_check(name: str) -> None:
    """The checker with a memory of all versions before says what one without says."""
    trial = workbook(BOOKS[name])
    ruleset = trial.rules.ruleset
    for change in mistakes_in(trial.book, trial.sheets, ruleset):
        book, found = trial.edited(change)
        model, more = check_book(book)
        again, once_more = check_book(book, trial.memory)
        assert more == once_more
        assert errors_in(more) or model == again
        assert found is not None


def test_a_module_loaded_in_parts_answers_as_one_loaded_whole() -> None:
    from dtables.compilers.python import load_source

    trial = workbook(STALL)
    for change in mistakes_in(trial.book, trial.sheets, trial.rules.ruleset):
        changed = trial.changed(change)
        if isinstance(changed, CompiledRules):
            whole = load_source(changed.source, "whole")
            assert set(vars(whole)) - {"__builtins__", "__file__"} == set(vars(changed.module)) - {
                "__builtins__"
            }
            for examples in changed.ruleset.examples:
                for example in examples.rows:
                    if example.rejected is None:
                        assert _said(whole.reply, example.given) == _said(changed.reply, example.given)


def _said(answer: Callable[[str, object], object], given: object) -> object:
    try:
        return answer("buy", given)
    except Exception as error:
        return str(error)


def test_only_what_is_new_is_noticed() -> None:
    """A workbook that has a warning already: changes elsewhere are not noticed by it, a second one is."""
    book = """
Types: words
  name | names
  size | small, large

Decision: fee(s: size, n: whole number) ; policy: unique
  if | if | then
  s | n | fee
  small | > 0 | 1
  large | - | 2

Examples: fees ; table: fee
  given | given | expect
  s | n | value
  small | 2 | 1
  large | 2 | 2
"""
    trial = workbook(book)
    told = {
        str(c).partition(": ")[2]: verdict(trial, c)
        for c in mistakes_in(trial.book, trial.sheets, trial.rules.ruleset)
    }
    assert told["Decision fee, row 1, if n: > 0 → > 1"] == "nobody"
    assert told["Decision fee, row 2, if s: large → small"] == "example"
    assert told["Decision fee, row 1, then fee: 1 → 2"] == "example"


def test_changed_rules_that_break_down_fail() -> None:
    """As `append(picks, picks)` does where `append(picks, picks[1])` stood: a type of lists says little."""

    def broken(*_: object) -> None:
        raise AttributeError("colour")

    rules = workbook(STALL).rules
    module = ModuleType("broken")
    vars(module).update(reply=broken, TABLES={"pays": broken})
    changed = CompiledRules(rules.ruleset, module, rules.source)
    for question in (Question("turn", None, {}), Question(None, "pays", {})):
        assert outcome_of(changed, question).fails == "AttributeError: colour"
    noticed = workbook(STALL).example(changed)
    assert noticed is not None and noticed.message == "the rules fail: AttributeError: colour"


def test_a_cell_that_is_typed_anew_is_in_no_trouble() -> None:
    """What reading found wrong there is not said of what stands there now."""
    here, differences_from = CellRef("b.xlsx", "Rules", 2, 1), CellRef("b.xlsx", "Rules", 2, 2)
    trouble = Diagnostic(Location(here), Severity.ERROR, "formula-cell", "a formula")
    sheet = Sheet("b.xlsx", "Rules", {}, frozenset(), frozenset(), (), {(2, 1): trouble, (2, 2): trouble})
    changed = applied(sheet, [text_cell(here, "7")])
    assert dict(changed.troubles) == {(2, 2): trouble} and set(changed.cells) == {(2, 1)}
    assert dict(applied(changed, [text_cell(here, ""), text_cell(differences_from, "")]).cells) == {}
