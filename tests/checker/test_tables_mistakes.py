"""One small workbook for each mistake that the other tests do not make."""

from __future__ import annotations

import pytest

from tests.checker.drawn import found

WORDS = """
Types:
  name | names
  colour | red, blue

Record: card
  field | type | default
  points | number | 0
  paint | colour | red

Input:
  field | type | default
  age | number | 1
  hand | list of card | []
"""

FORMULAS = [
    ("Formula: f -> number\n  step | type | is\n  a | number | 1\n", "A15 no-result"),
    ("Formula: f -> card\n  step | type | is\n  points | text | \"x\"\n", "C17 no-result"),
    ("Formula: f -> thing\n  step | type | is\n  a(n: number) | number | n\n", "A15 no-result"),
    ("Record: r\n  field | type | default\n  a | number | needed\n"
     "\nFormula: f -> r\n  step | type | is\n  b | number | 1\n", "A19 no-result"),
    ("Record: r\n  field | type | default\n  a | number | needed\n  b | number | 1\n"
     "  c | number | 1\n\nDecision: f -> r\n  then | then\n  b | c\n  1 | 2\n", "A21 outcome-field"),
    ("Formula: f -> number\n  step | is\n  a | 1\n  a | 2\n  result | a\n", "A18 double-step"),
    ("Formulas: f\n  name | is\n  g(n: number | 3\n", "A17 unclosed-parameters"),
    ("Formulas: f\n  name | is\n  g(n: number, n: text) | 3\n", "A17 double-parameter"),
    ("Formulas: f\n  name | is\n  g(thing) | 3\n", "A17 parameter-without-type"),
]  # fmt: skip

TABLES = [
    ("Decision: d ; policy: C+\n  then | then\n  a | b\n  1 | 2\n", "A15 unfit-policy"),
    ("Decision: d\n  if | then\n  age | n\n", "A15 no-rows"),
    ("Decision: d\n  then | then\n  a | a\n  1 | 2\n", "B17 outcome-field"),
    ("Matrix: m(c: colour) -> number\n  key | value\n  c |\n  red | 1\n  blue | 2\n  | 3\n", "A20 blank-key"),
    ("Dice: d\n  then\n\n  1\n", "A15 no-die"),
    ("Matrix: m\n  key | value\n  c |\n  red | 1\n", "A15 matrix-shape"),
    ("Matrix: m(colour, age: number)\n  key | value\n  colour |\n  red | 1\n", "A15 matrix-shape"),
    ("Matrix: m(c: colour, d: colour) -> list of number ; down: ordered\n"
     "  rank | key | key\n  # | red | blue\n  1 | 1 | 1\n", "A15 matrix-shape"),
    ("Matrix: m(c: colour) -> number ; down: ordered\n"
     "  rank | key | key\n  # | red | blue\n  1 | 1 | 1\n", "A15 matrix-shape"),
    ("Matrix: m(c: colour) -> list of number ; down: odrered\n"
     "  rank | key | key\n  # | red | blue\n  1 | 1 | 1\n", "B15 unknown-word"),
    ("Dice: d\n  die | then\n  d2 |\n  1, x | red\n", "A18 totals"),
    ("Dice: d\n  die | then\n  d2 |\n  1 | yes\n  2 |\n", "B19 blank-outcome"),
    ("Dice: d(a: number, b: number)\n  die | then\n  d2 |\n  1-2 | yes\n", "A15 dice-parameters"),
]  # fmt: skip

SCALES = [
    ("Scale: s(l: card)\n  prefer | by\n  first |\n", "A15 no-candidates"),
    ("Scale: s\n  prefer | by\n  first |\n", "A15 no-candidates"),
    ("Scale: s(l: list of card)\n  prefer | by\n  first |\n  | points\n", "A18 criterion"),
    ("Scale: s(l: list of card)\n  only for | prefer | by\n"
     "  paint | |\n  | bset | points\n  | first |\n", "B18 unknown-prefer"),
    ("Scale: s(l: list of card) -> number\n  prefer | by\n  first |\n", "A15 scale-result"),
    ("Scale: s(l: list of card) ; others: stays\n  prefer | by\n  first |\n", "B15 unknown-others"),
    ("Scale: s(l: list of card) ; decides: perhaps\n  prefer | by\n  first |\n", "B15 unknown-word"),
    ("Scale: s(l: list of card)\n  # | prefer | by\n  | |\n  1 | highest | points\n"
     "  2 | first |\n\n"
     "Scale: t(l: list of card)\n  prefer | by\n  scale | s 2..1\n  first |\n", "B23 unknown-row"),
]  # fmt: skip

NAMES = [
    ("Types:\n  name | names\n  empty |\n", "A17 vocabulary-without-names"),
    ("Types:\n  name | of | plus\n  more | colour | red, green\n", "C17 name-of-base"),
    ("Types:\n  name | of | plus\n  more | number | red\n", "C17 no-vocabulary"),
    ("Types:\n  name | of | allowed\n  warm | colour | ? = red\n", "C17 names-not-listed"),
    ("Data: d ; key: d\n  key | number\n  d | a\n  | 1\n", "A18 incomplete-row"),
    ("Data: d ; key: d\n  key | number\n  d |\n  x | 1\n", "B16 column-without-name"),
    ("Record: r\n  field | type\n  a | number\n  a | number\n", "A18 double-field"),
    ("Record: r\n  field | type | is | allowed\n  a | number | 1 | > 0\n", "D17 computed-and-stored"),
    ("Input:\n  field | type | is\n  b | number | 1\n", "C17 computed-input"),
    ("Input:\n  field | type | default | fixed\n  b | number | 1 | points: 1\n", "D17 fixed-field"),
    ("Input:\n  field | type | default | fixed\n  b | card | {} | points\n", "D17 fixed-field"),
    ("Record: r\n  field | type | is\n  a | number | 1\n"
     "\nInput:\n  field | type | fixed\n  b | r | a: 1\n", "C21 fixed-field"),
    ("Settings: s ; inherit: right\n  number | low | high\n  a | 1 |\n", "B15 unknown-word"),
    ("Settings: s\n  parameter | type\n  a | number\n", "A15 settings-without-levels"),
]  # fmt: skip

TURNS = [
    ("Ask: a\n  role | name | is\n  need | age |\n", "A15 no-answer"),
    ("Ask: a(n: number) ; main: yes\n  role | name | is\n  answer | x | n\n", "B15 main-with-parameters"),
    ("Ask: a ; main: perhaps\n  role | name | is\n  answer | x | 1\n", "B15 unknown-word"),
    ("Checks: c\n  places | by | at most | wrong if\n  hand | points | 1 |\n", "A15 form-of-checks"),
    ("Formulas: f\n  name | is\n  g(n: number) | n\n"
     "\nExamples: e ; table: g\n  given\n  n\n  1\n", "A19 expects-nothing"),
    ("Formulas: f\n  name | is\n  g(n: number) | n\n\n"
     "Examples: e ; table: g\n  given | expect\n  m | g\n  1 | 1\n", "A21 unknown-given"),
    ("Formulas: f\n  name | is\n  g(n: number) | n\n\n"
     "Examples: e ; table: g\n  given | expect | expect\n  n | | g\n  1 | 1 | 1\n",
     "B20 column-without-name"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), [*FORMULAS, *TABLES, *SCALES, *NAMES, *TURNS])
def test_mistakes__one_message_in_its_place(text: str, wanted: str) -> None:
    assert [line.split(":")[0] for line in found(WORDS + "\n" + text)] == [wanted]


def test_mistakes__a_label_of_two_names_in_an_example() -> None:
    text = (
        WORDS
        + """
Glossary:
  kind | id | label it
  colour | red | tinta
  colour | blue | Tinta

Formulas: f
  name | is
  g(c: colour) | c = red

Examples: e ; table: g
  given | expect
  c | g
  tinta | yes
"""
    )
    assert [line.split(":")[0] for line in found(text)] == ["C18 double-label", "A27 shared-label"]
