"""Keys that a record must spell as the workbook does."""

from __future__ import annotations

import pytest

from dtables.checker import check_book
from dtables.diagnostics import render
from dtables.records.findings import RecordError
from dtables.ruleset import Ruleset
from tests.support.drawing import book_text

BOOK = """
Data: shelf ; key: shelf ; spelling: {word}
  key | whole number | label en
  shelf | height | en
  S-01 | 2 | top shelf
  S-02 | 1 | low shelf

Input: state
  field | type
  at | shelf

Ask: height
  role | name | is
  need | at |
  answer | height | at.height
"""


def rules(word: str) -> Ruleset:
    book, found = book_text(BOOK.format(word=word))
    model, more = check_book(book)
    assert model is not None, render((*found, *more))
    return Ruleset(model)


@pytest.mark.parametrize("word", ["exact", "esatta"])
@pytest.mark.parametrize("typed", ["s-01", "S-01 ", "top shelf", "S_01"])
def test_exact__other_spellings_are_no_names(word: str, typed: str) -> None:
    for answer in (rules(word).answer, rules(word).evaluator.answer):
        assert answer("height", {"at": "S-01"}) == {"height": 2}
        with pytest.raises(RecordError) as error:
            answer("height", {"at": typed})
        assert error.value.path == "state.at"


def test_exact__is_asked_for() -> None:
    for answer in (rules("").answer, rules("").evaluator.answer):
        assert answer("height", {"at": "s-01"}) == answer("height", {"at": "Top Shelf"}) == {"height": 2}


def test_exact__any_other_word_is_an_error() -> None:
    book, _ = book_text(BOOK.format(word="exactly"))
    assert "error[unknown-word]: `exactly` is no word for this" in render(check_book(book)[1])
