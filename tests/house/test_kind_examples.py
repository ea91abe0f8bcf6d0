"""The examples of docs/tables.md are one workbook that checks without a warning and whose examples hold."""

from __future__ import annotations

from dtables.answers.examples import run_examples
from dtables.checker import check_book
from dtables.diagnostics import Severity
from dtables.ruleset import Ruleset
from dtables.workbook.kinds import KINDS
from tests.support.drawing import book_text
from tests.support.pages import KIND_EXAMPLES


def test_the_examples_of_the_kinds_run() -> None:
    book, found = book_text(KIND_EXAMPLES.read_text(encoding="utf-8"), name="kind_examples.xlsx")
    model, more = check_book(book)
    assert [d for d in (*found, *more) if d.severity is not Severity.NOTE] == []
    assert model is not None
    rules = Ruleset(model)
    assert [r.failures for r in run_examples(model, (rules, rules.evaluator))] == [(), ()]
    assert rules.answer("weather now", {"thrown": 2}) == {"season": "spring"}
    assert {kind.name for kind in KINDS} == {table.kind for table in book.tables}
