"""A date in a cell of conditions that is typed as a date of a spreadsheet, or as a text."""

from __future__ import annotations

import pytest

from dtables.checker import check_book
from tests.support.drawing import book_text


@pytest.mark.parametrize("cell", ["< 2026-11-02", '"2026-11-02"', "2026-11-02"])
def test_date__the_hint_writes_it(cell: str) -> None:
    book, _ = book_text(f"""
Decision: fare(day: date) -> number ; policy: first
  # | if | then
  # | day | fare
  1 | {cell} | 1
""")
    _, found = check_book(book)
    assert [d.hint for d in found] == ['write @"2026-11-02"']
