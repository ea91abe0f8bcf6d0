"""What random workbooks seldom have: values of no known kind, fixed fields of records that may be null."""

from __future__ import annotations

from typing import Any

import pytest

from dtables.checker import check_book
from dtables.explanations.render import render
from tests.agreement import worlds
from tests.agreement.engines import Engines, ruleset
from tests.agreement.explanations import Together
from tests.agreement.test_many_rows import table as large_table
from tests.evaluator import test_untyped as untyped
from tests.support.drawing import book_text

BOOK = """
# Sheet: Rules
Record: seat
  field | type | default
  who | text | "a"
  n | number | 1

Input: turn
  field | type | default | fixed
  mine | seat? | null | who: "b"
  yours | seat | {n: 2} | who: "c"

Formulas: each
  name | type | is
  big(n: number) | boolean | n > 1
  loose(kind: text) | any | get value({list: [1, 2, 3]}, kind)

Ask: seats ; main: yes
  role | name | is
  answer | kept | loose("list")[big(item)]
  answer | none | mine = null
  answer | n | yours.n
  answer | her | yours.who
"""


def together(text: str) -> Together:
    book, _ = book_text(text)
    model, found = check_book(book)
    assert model is not None, found
    return Together(model)


@pytest.mark.parametrize("state", [{}, {"mine": {"n": 4}}, {"yours": {"n": 7}}, {"yours": {"who": "z"}}])
def test_fixed_fields(state: dict[str, Any]) -> None:
    together(BOOK).compare_ask("seats", state)


def test_a_list_of_no_known_kind_is_not_told_item_by_item() -> None:
    assert render(together(BOOK).evaluator.explain("seats", {}), "en").splitlines()[2:] == [
        "kept: 2 and 3 [Rules!C18]",
        "  loose (list): 1, 2 and 3 [Rules!C14]",
        "none: yes [Rules!C19]",
        "n: 2 [Rules!C20]",
        "her: c [Rules!C21]",
    ]


@pytest.mark.parametrize("policy", ["first", "C+"])
def test_large_decisions(policy: str) -> None:
    """Their rows are planned when they are first tried."""
    ruleset = worlds.ruleset(large_table(policy, "of the turn", "then", "7", 501))
    assert ruleset is not None
    for number, colour in ((2, "red"), (-3, "green")):
        Together(ruleset).compare_table("tried", {"p": number, "k": colour, "level": 3})


WHOLE = """
# Sheet: Rules
Input: turn
  field | type
  n | number
  m | number

Decision: tried ; policy: first ; otherwise: 7
  if | then
   | out
  n > 3 and m = 0 | 1
  n > 9 or m = 1 | 2
"""


def test_whole_conditions_of_large_decisions() -> None:
    engines = together(WHOLE)
    for n, m in ((5, 4), (2, 0), (10, 2)):
        engines.compare_table("tried", {"n": n, "m": m})


def test_untyped() -> None:
    engines = together(untyped.TEXT)
    for number in range(len(untyped.EXPRESSIONS)):
        engines.compare_table(f"case {number}", {"n": 3})


WORKED_OUT = """
Types: names
  name | names
  kind | small, large

Input: state
  field | type | default
  limit | number | 0

Matrix: size(k: kind, fast: boolean) -> date
  key | key | key
  k | yes | no
  small | date("2024-02-29") + duration("P1D") | date("2024-02-29")
  large | date("2024-02-28") | date("2024-02-27")
"""


def test_matrices_whose_values_are_worked_out() -> None:
    model = ruleset(WORKED_OUT)
    assert model is not None
    engines = Engines(model)
    for kind in ("small", "large"):
        for fast in (True, False):
            assert engines.call("size", {"k": kind, "fast": fast})[0] == "value"


PIECES = """
Types: names
  name | names
  team | red, blue

Record: piece
  field | type
  team | team?
  of | text

Input: state
  field | type | default
  pieces | list of piece | []
  kind | text | "q"

Checks: once
  places | by | at most | text en
  pieces | item.team | 1 | one of each team

Formula: those(found: any)
  step | type | is
  result | number | count(found[kind = "q"])

Ask: turn ; main: yes
  role | name | is
  answer | n | those(pieces)
"""


def test_what_is_counted_by_null_may_come_as_often_as_it_likes() -> None:
    model = ruleset(PIECES)
    assert model is not None
    engines = Engines(model)
    none, red = {"of": "a"}, {"of": "a", "team": "red"}
    assert engines.answer({"pieces": [none, none, red]}) == ("value", "{'n': 3}")
    kind, found = engines.answer({"pieces": [none, red, none, red]})
    assert (kind, [one.path for one in found]) == ("findings", ["state.pieces[3]"])


def test_a_name_that_items_do_not_have_is_the_field_of_the_turn() -> None:
    model = ruleset(PIECES)
    assert model is not None
    engines = Engines(model)
    for kind, wanted in (("q", 2), ("r", 0)):
        state = {"pieces": [{"of": "a"}, {"of": "b"}], "kind": kind}
        assert engines.answer(state) == ("value", f"{{'n': {wanted}}}")
