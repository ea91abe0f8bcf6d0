"""One mistake is one message, also where other cells hang on it."""

from __future__ import annotations

from dtables.checker import check_book
from tests.support.drawing import book_text


def test_decision__outcomes_of_a_type_nobody_knows_are_not_compared() -> None:
    book, _ = book_text("""
Decision: fare(a: number) -> numbr ; policy: first
  # | if | then
  # | a | fare
  1 | 3 | 6
  2 | - | "x"
""")
    _, found = check_book(book)
    assert [(d.code, d.where.cell.address) for d in found] == [("unknown-type", "A1")]
