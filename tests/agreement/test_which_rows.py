"""Tables with reasons: the rows that the compiled rules name are those that the evaluator saw fire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dtables.checker import check_book
from dtables.evaluator import Evaluator
from dtables.evaluator.trace import Decided, Fired
from dtables.explanations.render import render
from dtables.limits import LIMITS
from dtables.model.tables import Condition
from dtables.records.findings import RecordError, RuleError
from dtables.ruleset import Ruleset
from tests.agreement import worlds
from tests.agreement.test_random_workbooks import QUICK
from tests.support.drawing import book_text
from tests.support.limits import limited


def agrees(ruleset: Ruleset, name: str, asked: dict[str, Any]) -> None:
    evaluator = Evaluator(ruleset.model)
    try:
        wanted = evaluator.explain_table(name, asked)
    except (RecordError, RuleError) as error:
        with pytest.raises(type(error)):
            ruleset.explain_table(name, asked)
        return
    found = ruleset.explain_table(name, asked)
    step = wanted.steps[-1]
    assert isinstance(step, Decided)
    fired = [row for row in step.tried if isinstance(row.outcome, Fired)]
    assert found.answer == wanted.answer
    assert [row.where for row in found.rows] == [row.where for row in fired]
    assert [found_in(row.conditions) for row in found.rows] == [
        [tests for _, tests in row.conditions] for row in fired
    ]
    names = [[name for name, _ in row] for row in found.conditions]
    assert names == [[name for name, _ in row.conditions] for row in fired]
    without_rows = (step.otherwise or step.heading.where.cell,)
    assert found.cells == (tuple(_cell(row.outcome) for row in fired) or without_rows)
    assert found.told() == render(wanted, "en")


def found_in(conditions: tuple[Condition, ...]) -> list[object]:
    return [condition.tests for condition in conditions if condition.tests]


def _cell(outcome: object) -> object:
    assert isinstance(outcome, Fired)
    return outcome.cell


def tried(table: str, turns: list[dict[str, Any]]) -> None:
    model = worlds.ruleset(table)
    assume(model is not None)
    assert model is not None
    ruleset = Ruleset(model)
    for rows in (0, LIMITS.found_rows):
        with limited(found_rows=rows, perhaps=True):
            for turn in turns:
                agrees(ruleset, "tried", {k: v for k, v in turn.items() if k != "q"})
        del ruleset.reasons


@limited(found_rows=0)
@QUICK
@given(worlds.decision(), st.lists(worlds.arguments(), min_size=4, max_size=4))
def test_decisions(table: str, turns: list[dict[str, Any]]) -> None:
    tried(table, turns)


@limited(found_rows=0)
@QUICK
@given(worlds.attempts(), st.lists(worlds.arguments(), min_size=4, max_size=4))
def test_attempts(table: str, turns: list[dict[str, Any]]) -> None:
    tried(table, turns)


@limited(dispatched_rows=2, tried_rows=2)
@QUICK
@given(worlds.decision(), st.lists(worlds.arguments(), min_size=4, max_size=4))
def test_decisions_as_if_they_had_very_many_rows(table: str, turns: list[dict[str, Any]]) -> None:
    tried(table, turns)


# -- by hand -----------------------------------------------------------------------------------

TARIFF = """
# Sheet: Rules
Types: words
  name | names
  kind | small, large
  coat | plain, warm

Decision: price(kind: kind, weight: whole number) ; policy: unique ; otherwise: 99
  if | if | then
  kind | weight | price
  small | [0..4] | 10
  small | [5..9] | 20
  large | [0..9] | 30

Decision: charges(weight: whole number) ; policy: collect
  if | then
  weight | charge
  >= 0 | 1
  >= 5 | 2

Decision: offer(weight: whole number) ; policy: first
  if | take
  weight | offer
  > 3 | if weight > 5 then "big" else null
  - | "plain"

Formula: twice(weight: whole number)
  step | type | is
  result | | 2 * price(small, weight)

Matrix: size(kind, coat) -> whole number
  key | key | key
  kind | plain | warm
  small | 1 | 2
  large | 3 | 4
"""


@pytest.fixture(scope="module", params=["compiled at once", "compiled later"])
def tariff(request: pytest.FixtureRequest) -> Iterator[Ruleset]:
    book, found = book_text(TARIFF)
    model, more = check_book(book)
    assert model is not None, (*found, *more)
    rows = 0 if request.param == "compiled at once" else LIMITS.found_rows
    with limited(found_rows=rows, found_calls=2):
        yield Ruleset(model)


def test_rows__one(tariff: Ruleset) -> None:
    found = tariff.explain_table("price", {"kind": "small", "weight": 7})
    assert found.answer == 20
    assert [rule.number or rule.where.address for rule in found.rows] == ["2"]
    assert found.conditions == ((("kind", "small"), ("weight", "[5..9]")),)
    assert [cell.address for cell in found.cells] == ["C10"]


def test_rows__none(tariff: Ruleset) -> None:
    """The cell is that of `otherwise`."""
    found = tariff.explain_table("price", {"kind": "large", "weight": 12})
    assert (found.answer, found.rows) == (99, ())
    assert [cell.address for cell in found.cells] == ["C6"]


def test_rows__several(tariff: Ruleset) -> None:
    found = tariff.explain_table("charges", {"weight": 6})
    assert found.answer == [1, 2]
    assert [cell.address for cell in found.cells] == ["B16", "B17"]
    assert tariff.explain_table("charges", {"weight": -1}).rows == ()


@pytest.mark.parametrize(("weight", "cell"), [(6, "B22"), (4, "B23"), (1, "B23")])
def test_rows__a_take_may_be_null(tariff: Ruleset, weight: int, cell: str) -> None:
    found = tariff.explain_table("offer", {"weight": weight})
    assert [one.address for one in found.cells] == [cell]


def test_a_table_that_calls_a_decision_gets_its_answers(tariff: Ruleset) -> None:
    found = tariff.explain_table("twice", {"weight": 5})
    assert (found.answer, found.rows) == (40, ())
    assert "40" in found.told("en")


def test_cells__entry_of_a_matrix(tariff: Ruleset) -> None:
    found = tariff.explain_table("size", {"kind": "large", "coat": "plain"})
    assert (found.answer, found.rows) == (3, ())
    assert [cell.address for cell in found.cells] == ["B33"]


def test_what_is_wrong_is_said_as_ever(tariff: Ruleset) -> None:
    with pytest.raises(RecordError, match="weight: found nothing"):
        tariff.explain_table("price", {"kind": "small"})
    with pytest.raises(KeyError, match="did you mean 'price'"):
        tariff.explain_table("prize", {})
