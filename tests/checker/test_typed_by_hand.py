"""What people type who know spreadsheets, not this language: one message each, and what to write instead."""

from __future__ import annotations

import pytest

from dtables.checker import check_book
from dtables.diagnostics import Severity
from tests.support.drawing import book_text

FORMULA = """
Input: state
  field | type
  weight | number
  paid | boolean

Matrix: rate(paid: boolean) -> number
  key | value
  paid | rate
  yes | 1
  no | 2

Formulas: f
  name | type | is
  price | {} | {}
"""


def told(drawn: str) -> list[tuple[str, str | None]]:
    book, said = book_text(drawn)
    _, found = check_book(book)
    return [(d.code, d.hint) for d in (*said, *found) if d.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("typed", "code", "hint"),
    [
        ("weight * 0,01", "decimal-comma", "write 0.01"),
        ("1.200,50", "decimal-comma", "write 1200.50"),
        ("1,200", "decimal-comma", "write 1.200, or 1200 for thousands"),
        ("6.90 €", "unexpected", "write the number alone, without the currency"),
        ("rate(weight > 1 * 2", "unclosed-bracket", "write )"),
        ("weight × 2", "unexpected", "write *"),
    ],
)
def test_formula__one_message_and_what_to_write(typed: str, code: str, hint: str) -> None:
    assert told(FORMULA.format("number", typed)) == [(code, hint)]


def test_formula__where_yes_or_no_is_wanted_other_words_for_them_are_told() -> None:
    assert told(FORMULA.format("boolean", "vero")) == [("unknown-name", "write `yes` or `no`")]


def test_condition__a_range_with_three_dots() -> None:
    drawn = "Decision: d(a: number) ; policy: first\n  if | then\n  a | b\n  2...10 | 1\n  - | 2\n"
    assert told(drawn) == [("bare-range", "write [2..10]")]


def test_ask__a_misspelt_role_is_near_one_in_either_language() -> None:
    drawn = "Ask: turn\n  role | name | is\n  {} | a | 1\n"
    assert told(drawn.format("rispota")) == [("unknown-ask-role", "did you mean `risposta`?")]
    assert told(drawn.format("anser")) == [("unknown-ask-role", "did you mean `answer`?")]


def test_names__of_a_type_nobody_knows_raise_no_second_message() -> None:
    drawn = """
Input: state
  field | type | default
  service | servce | standard

Matrix: rate(servce) -> number
  key | value
  servce | rate
  standard | 1
  express | 2
"""
    assert [code for code, _ in told(drawn)] == ["unknown-type", "unknown-type"]


def test_marker__without_its_colon_is_read_as_meant() -> None:
    drawn = """
Decision weight surcharge
  policy: first
  if | then
  | fee
  1 = 1 | 3

Formulas: f
  name | type | is
  price | number | weight surcharge + 1
"""
    assert told(drawn) == [("no-colon", "write `Decision: weight surcharge`")]


def test_marker__signs_of_other_keyboards_are_read() -> None:
    assert told("Decision：d（a：number）\n  if | then\n  a | b\n  ［３..５］ | ３．５\n") == []


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("01/12/2026", 'write the year first, as in @"2026-12-31"'),
        ('["2026-12-01".."2026-12-24"]', 'write @"2026-12-01"'),
        ("[2026-12-01..2026-12-24]", 'write @"2026-12-01"'),
        ("[01/12/2026..24/12/2026]", 'write the year first, as in @"2026-12-31"'),
        ("2026-12-01", 'write @"2026-12-01"'),
    ],
)
def test_condition__a_date_as_people_write_it(typed: str, hint: str) -> None:
    drawn = f"""
Decision: d(sent on: date) ; policy: first
  if | then
  sent on | b
  {typed} | 1
  - | 2
"""
    assert told(drawn) == [("type-mismatch", hint)]


def test_example__a_date_as_people_write_it() -> None:
    drawn = """
Input: state
  field | type
  sent on | date

Ask: turn ; main: yes
  role | name | is
  need | sent on |
  answer | day | sent on

Examples: e ; ask: turn
  given | expect
  sent on | day
  {} | @"2026-05-01"
"""
    assert told(drawn.format("2026-05-01")) == [("no-literal", 'write @"2026-05-01"')]
    assert told(drawn.format('@"2026-05-01"')) == []


@pytest.mark.parametrize("type_", ["number", "colour"])
def test_condition__otherwise_is_a_dash(type_: str) -> None:
    drawn = f"""
Types: words
  name | names
  colour | red, green

Decision: d(a: {type_}) ; policy: first
  if | then
  a | b
  altrimenti | 2
"""
    assert told(drawn) == [("unknown-name", "write `-` for any value")]
