"""Numbers have a most of digits: more cannot be written, multiplied to, made a text, or leave the rules."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from dtables.compilers.sql import to_sql
from dtables.explanations.render import render
from dtables.feel.numbers import MOST_BITS, MOST_DIGITS, TOO_LARGE
from tests.agreement.engines import Engines, ruleset

STATE = """
Input: state
  field | type
  a | whole number
  r | number
  free | any
  many | list of whole number
"""
LARGE = 9 * 10 ** (MOST_DIGITS - 2)
LARGEST = (1 << MOST_BITS) - 1
BEYOND = 10**5_000
"""What Python itself does not spell any more."""
GIVEN: dict[str, Any] = {
    "whole": BEYOND,
    "in a list": [BEYOND],
    "in a context": {"a": BEYOND},
    "decimal": Decimal("1e5000"),
    "no number": Decimal("NaN"),
    "endless": float("inf"),
}

FAILING = [
    "a + a", "-a - a", "a * 2", "a * a", "a ** 2", "string(a + a)", "string(-a - a)", "[a + a]", "{k: a + a}",
    "[[a], [a + a]]", "if a > 0 then a + a else 1", "sum([a, a])", "total(for i in 1..2 return a)",
    "string([a + a])", '"x" + string(a + a)', "get value({v: a + a}, \"v\")", "r * a", "round up(a + a, -1)",
    "for i in 1..20000 return if count(partial) = 0 then 1 else partial[-1] + partial[-1]",
    'substring("abc", a + a)', "[1, 2][a + a] = null and string(a + a) = \"\"", "date(a + a, 1, 1)",
]  # fmt: skip
HOLDING = [
    "a",
    "a - a",
    "a + a > a",
    "a * 80 > a",
    "a + a = 2 * (a / 2) + a",
    "a / a",
    "a = largest",
    "[a, 1]",
    "max(a, 1)",
]


def engines(expression: str) -> Engines | None:
    largest = "Formulas: of numbers\n  name | type | is\n  largest | whole number | 2 * a - a"
    model = ruleset(f"{STATE}\n{largest}\n\nFormula: tried\n  step | type | is\n  result | | {expression}")
    return None if model is None else Engines(model)


@pytest.mark.parametrize("expression", FAILING)
def test_too_many_digits_are_a_failure(expression: str) -> None:
    """With the cell of what makes them, or of the table that they would leave."""
    both = engines(expression)
    assert both is not None
    found = both.call("tried", {"a": LARGEST, "r": 2, "many": []})
    assert found[:2] == ("failure", TOO_LARGE) and found[2] is not None
    assert both.call("tried", {"a": BEYOND, "r": 2, "many": []})[0] == "failure"


@pytest.mark.parametrize("expression", HOLDING)
def test_what_has_few_enough_is_a_value(expression: str) -> None:
    both = engines(expression)
    assert both is not None
    assert both.call("tried", {"a": LARGE, "r": 2, "many": []})[0] == "value"


@pytest.mark.parametrize("written", ["1e5000", "1e4000", f"9{'9' * 60}", "1e-7000"])
def test_a_number_that_is_written_is_one_that_can_be_kept(written: str) -> None:
    assert engines(written) is None
    assert engines("1e3999") is not None


@pytest.mark.parametrize("kind", GIVEN)
@pytest.mark.parametrize("expression", ["free", "string(free)", "free = 1", "[free]", "free in (1, 2)"])
def test_of_unknown_type_too(kind: str, expression: str) -> None:
    """They are rejected, or fail where they leave."""
    both = engines(expression)
    assert both is not None
    both.call("tried", {"free": GIVEN[kind]})


ASK = """
Ask: turn ; main: yes
  role | name | is | recorded in | when open
  draw | d | [a + a, a] | r |
  answer | plain | 1 | |
  answer | drawn | if d > 0 then 2 else 1 | |
  answer | open | d | |
"""


def test_findings_and_reasons_name_such_numbers_by_their_kind() -> None:
    model = ruleset(STATE + ASK)
    assert model is not None
    both = Engines(model)
    assert both.answer({"a": BEYOND, "r": 3})[0] == "findings"
    assert both.answer({"a": LARGEST, "many": []})[:2] == ("failure", TOO_LARGE)
    explaining = ruleset(
        f"{STATE}\nFormula: inner\n  step | type | is\n  result | | a + a\n\n"
        "Formula: tried\n  step | type | is\n  result | | if inner > 1 then 1 else 2"
    )
    assert explaining is not None
    explained = Engines(explaining).evaluator.explain_table("tried", {"a": BEYOND})
    assert "inner" in render(explained, "en")


def test_sql_takes_what_it_is_told() -> None:
    both = engines("a + 1")
    assert both is not None and to_sql(both.model, "tried").sql is not None


@pytest.mark.parametrize(
    "expression",
    [
        "maybe + 1",
        "-maybe",
        "maybe * 2",
        "2 ** maybe",
        "if maybe > 1 then 1 else 2",
        "round up(maybe, 0)",
        "for i in 1..maybe return i",
    ],
)
@pytest.mark.parametrize("state", [{}, {"maybe": None}])
def test_an_input_that_lacks_where_a_value_is_needed_is_the_records_mistake(
    expression: str, state: dict[str, Any]
) -> None:
    model = ruleset(
        "Input: state\n  field | type\n  maybe | whole number?\n\n"
        f"Ask: turn ; main: yes\n  role | name | is\n  answer | x | {expression}"
    )
    assert model is not None
    kind, findings, *_ = Engines(model).answer(state)
    assert kind == "findings"
    assert [(f.path, f.found, f.wanted) for f in findings] == [("state.maybe", "nothing", "whole number")]
