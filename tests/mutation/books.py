"""Small workbooks for the tests of changes."""

from __future__ import annotations

from dtables.mutation.changes import Mutant
from dtables.mutation.mistakes import mistakes_in
from dtables.mutation.trial import Workbook
from tests.support.drawing import drawn_sheets, in_memory

STALL = """
Types: words
  name | names
  fruit | apple, pear, fig
  size | small, large

Data: basket ; key: basket
  key | fruit | whole number | size
  basket | fruit | price | size
  a | apple | 2 | small
  b | pear | 3 | large
  c | fig | 5 | small

Input: state
  field | type | default
  baskets | list of basket | []
  coins | whole number | 0

Decision: discount(b: basket) -> whole number ; policy: first ; otherwise: 0
  # | if | if | then
  # | b.size | coins | percent
  1 | large | >= 10 | 20
  2 | large | - | 10
  3 | - | > 50 | 5

Scale: best(candidates: list of basket) ; others: last
  # | only for | prefer | by
  # | size | |
  1 | large | lowest | price
  2 | | highest | price
  3 | | first |

Checks: sound
  # | wrong if | at | text en
  1 | coins < 0 | coins | not below 0

Ask: buy ; main: yes
  role | name | is
  need some | baskets |
  step | taken | best(baskets)
  answer | basket | taken
  answer | percent | if taken = null then 0 else discount(taken)

Examples: buying ; ask: buy
  # | given | given | expect | expect | rejected at
  # | baskets | coins | basket | percent |
  1 | a, b, c | 10 | b | 20 |
  2 | a, c | 60 | c | 5 |
"""
"""Its examples miss some of what can go wrong."""


def workbook(text: str, name: str = "book.xlsx") -> Workbook:
    sheets = drawn_sheets(text)
    return Workbook(name, tuple(in_memory(name, sheet.name, sheet.cells) for sheet in sheets))


def changes(text: str) -> tuple[Mutant, ...]:
    drawn = workbook(text)
    ruleset, found = drawn.checked
    assert ruleset is not None, found
    return tuple(mistakes_in(drawn.book, drawn.sheets, ruleset))
