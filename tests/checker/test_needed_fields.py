"""Fields that a record may not leave out, and ordered lists that are not of the same names."""

from __future__ import annotations

from typing import Any

import pytest

from dtables.checker import check_book
from dtables.diagnostics import Diagnostic, render
from dtables.evaluator import Evaluator
from dtables.model.tables import Ruleset
from dtables.records.findings import RecordError
from tests.support.drawing import book_text

PIECES = """
Types: words
  name | names in order
  shape | round, square, flat

Record: piece
  field | type | default
  shape | shape | {needed}
  size | whole number | 1

Input: state
  field | type | default
  pieces | list of piece | []

Ask: sizes
  role | name | is
  answer | sizes | pieces.size
  answer | round | count(pieces[shape = round])
"""

ORDERED = """
Types: words
  name | names in order
  seat | north, south
  shape | round, square, flat

Matrix: wish(seat) -> list of shape ; down: {down}
  rank | key | key
  # | north | south
  1 | round | square
  2 | square | flat
"""


def checked(text: str) -> tuple[Ruleset | None, tuple[Diagnostic, ...]]:
    book, found = book_text(text)
    assert render(found) == ""
    return check_book(book)


def answer(needed: str, state: dict[str, Any]) -> dict[str, Any]:
    ruleset, found = checked(PIECES.format(needed=needed))
    assert ruleset is not None, render(found)
    return dict(Evaluator(ruleset).answer("sizes", state))


@pytest.mark.parametrize("word", ["needed", "Needed", "serve"])
def test_needed__a_record_without_the_field_is_rejected(word: str) -> None:
    assert answer(word, {"pieces": [{"shape": "round", "size": 3}]}) == {"sizes": [3], "round": 1}
    with pytest.raises(RecordError) as error:
        answer(word, {"pieces": [{"shape": "flat"}, {"size": 3}]})
    assert [(f.path, f.wanted) for f in error.value.findings] == [("state.pieces[1].shape", "shape")]


def test_needed__null_is_no_value() -> None:
    with pytest.raises(RecordError) as error:
        answer("needed", {"pieces": [{"shape": None}]})
    assert error.value.findings[0].path == "state.pieces[0].shape"


def test_needed__left_blank_it_may_be_missing() -> None:
    assert answer("", {"pieces": [{"size": 3}]}) == {"sizes": [3], "round": 0}


@pytest.mark.parametrize(("down", "codes"), [("ordered", ["other-set"]), ("partial", []), ("parziale", [])])
def test_down__partial_lists_may_be_of_other_names(down: str, codes: list[str]) -> None:
    ruleset, found = checked(ORDERED.format(down=down))
    assert ruleset is not None
    assert [d.code for d in found] == codes
