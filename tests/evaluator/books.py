"""Small workbooks drawn as text, checked and ready to answer."""

from __future__ import annotations

from dtables.checker.check import check_book
from dtables.diagnostics import errors_in, render
from dtables.evaluator import Evaluator
from tests.support.drawing import book_text


def evaluator(text: str) -> Evaluator:
    book, found = book_text(text)
    ruleset, more = check_book(book)
    diagnostics = (*found, *more)
    assert ruleset is not None and not errors_in(diagnostics), render(diagnostics)
    return Evaluator(ruleset)
