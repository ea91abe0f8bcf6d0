"""What `when open` lists, and fields that the rules know how to do without."""

from __future__ import annotations

from dtables.checker import check_book
from dtables.diagnostics import Severity
from dtables.model.tables import AnswerField, WhenOpen
from tests.support.drawing import book_text

DRAW = """
# Sheet: One
Types: t
  name | names
  side | north, south, west

Input: state
  field | type
  came | list of side
  wind | side

Ask: ways
  role | name | is | when open
  need | came | |
  step | left | (each side)[not(item in came)] |
  draw | next | left |
  answer | so far | came | left

Examples: ways ; ask: ways
  given | expect | expect any_of
  came | so far | so far
  north | north | south, west
"""


def loud(text: str) -> list[str]:
    book, found = book_text(text)
    _, more = check_book(book)
    return [d.code for d in (*found, *more) if d.severity is not Severity.NOTE]


def test_when_open__of_a_list_is_what_may_come_next() -> None:
    book, _ = book_text(DRAW)
    model, _ = check_book(book)
    assert model is not None
    answer = model.asks[0].rows[-1]
    assert isinstance(answer, AnswerField)
    assert answer.when_open is WhenOpen.LISTED
    assert model.examples[0].rows[0].any_of[0].value == ["south", "west"]


def test_when_open__of_one_value_is_a_list_of_such() -> None:
    assert loud(DRAW.replace("so far | came | left", "so far | next | came")) == []
    assert loud(DRAW.replace("so far | came | left", "so far | next | 3")) != []


WIND = """
# Sheet: One
Types: t
  name | names
  side | north, south, west

Input: state
  field | type
  wind | side

Formulas: f
  name | type | is
  lee(w: side) | list of side | (each side)[item != w]

Ask: shelter
  role | name | is
  answer | lee | lee(wind)
"""


def test_reads_without_need__not_where_null_is_looked_at() -> None:
    assert loud(WIND) == ["reads-without-need"]
    assert loud(WIND.replace("| lee(wind)", "| if wind = null then [] else lee(wind)")) == []
