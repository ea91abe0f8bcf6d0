"""One mistake is one message, also where other cells hang on it."""

from __future__ import annotations

from dtables.checker import check_book
from dtables.diagnostics import Severity
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


WORDS = """
Types: words
  name | names
  colour | red, green
"""


def codes(drawn: str) -> list[tuple[str, str]]:
    book, said = book_text(drawn)
    _, found = check_book(book)
    return [(d.code, d.where.cell.address) for d in (*said, *found) if d.severity is Severity.ERROR]


def test_marker__a_misspelt_kind_is_read_as_the_one_it_is_near() -> None:
    drawn = (
        WORDS
        + """
Matrx: yield(colour) -> whole number
  key | value
  colour | yield
  red | 1
  green | 2

Formulas: f
  name | type | is
  twice | whole number | yield(red) * 2
"""
    )
    assert codes(drawn) == [("unknown-kind", "A5")]


def test_data__a_misspelt_key_is_the_key() -> None:
    drawn = (
        WORDS
        + """
Data: card ; key: card
  kye | colour | whole number
  card | colour | price
  apple | red | 1
  pear | green | 2

Formulas: f
  name | type | is
  dear | boolean | apple.price > pear.price
"""
    )
    assert codes(drawn) == [("unknown-role", "A6")]
    assert codes(drawn.replace("kye", "key")) == []


def test_marker__a_parameter_of_a_wrong_name_is_a_parameter_all_the_same() -> None:
    drawn = (
        WORDS
        + """
Input: state
  field | type | default
  c | colour | red

Formulas: f
  name | type | is
  twice(c: colour, d: colour, d: colour) | whole number | 2
  both | whole number | twice(red, green, green)
"""
    )
    assert codes(drawn) == [("hides", "A11"), ("double-parameter", "A11")]


def test_ask__a_misspelt_role_is_read_as_the_one_it_is_near() -> None:
    drawn = """
Ask: turn ; main: yes
  role | name | is
  anser | a | 1

Examples: e ; ask: turn
  # | expect
  # | a
  1 | 1
"""
    assert codes(drawn) == [("unknown-ask-role", "A3")]


def test_scale__whether_it_decides_is_not_said_where_a_row_is_broken() -> None:
    drawn = (
        WORDS
        + """
Scale: pick(candidates: list of colour)
  # | prefer | by
  1 | lowest | if item = red then 1 else 2
  2 | {} |
"""
    )
    assert codes(drawn.format("firts")) == [("unknown-prefer", "B8")]
    assert codes(drawn.format("first")) == []


def test_property__without_its_colon_is_told_and_passed_over() -> None:
    drawn = (
        WORDS
        + """
Decision: price
  title en The price
  policy: first
  if | then
  1 + 1 | price
  2 | 3
"""
    )
    assert codes(drawn) == [("no-colon", "A6")]
