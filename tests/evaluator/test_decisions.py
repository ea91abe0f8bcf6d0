"""Hit policies on a table of rows `x | value`; the row's condition is the list of numbers it fires for."""

from __future__ import annotations

from typing import Any

import pytest

from dtables.evaluator import Evaluator
from dtables.feel import types
from dtables.model.expressions import EqualTo, Test
from dtables.model.tables import (
    Condition,
    Decision,
    Outcome,
    OutcomeColumn,
    OutcomeKind,
    Parameter,
    Policy,
    Rule,
    Subject,
)
from dtables.records.findings import RuleError
from tests.evaluator.models import CELL, cell, constant, heading, read, ruleset, variable

X = variable("x", types.WHOLE)
SUBJECT = variable("subject", types.WHOLE)


def rule(number: int, fires_for: tuple[int, ...] | None, *values: Any) -> Rule:
    tests: tuple[Test, ...] = tuple(
        EqualTo(constant(n), type=types.BOOLEAN, where=heading("").where) for n in fires_for or ()
    )
    condition = Condition(tests, cell(number, 2), str(fires_for))
    outcomes = tuple(Outcome(constant(v), cell(number, 3 + n), str(v)) for n, v in enumerate(values))
    return Rule(str(number), (condition,), outcomes, cell(number, 1))


def decided(
    policy: Policy,
    x: int,
    *rules: Rule,
    otherwise: Any = None,
    priorities: tuple[Any, ...] = (),
    kind: OutcomeKind = OutcomeKind.THEN,
    strict: bool = True,
) -> Any:
    names = ("value", "second")[: len(rules[0].outcomes)]
    columns = tuple(
        OutcomeColumn(name, kind, types.ANY, CELL, tuple(map(constant, priorities))) for name in names
    )
    table = Decision(
        heading("table"),
        (Parameter("x", X),),
        policy,
        (Subject("x", SUBJECT, read(X), CELL),),
        columns,
        rules,
        None if otherwise is None else Outcome(constant(otherwise), cell(99), str(otherwise)),
        types.ANY,
        strict=strict,
    )
    return Evaluator(ruleset(table), strict).call("table", {"x": x})


ROWS = (rule(1, (1, 3), "low"), rule(2, (2, 3), "mid"), rule(3, (3, 4), "low"))


@pytest.mark.parametrize(
    ("policy", "x", "expected"),
    [
        (Policy.UNIQUE, 1, "low"),
        (Policy.UNIQUE, 2, "mid"),
        (Policy.FIRST, 3, "low"),
        (Policy.COLLECT, 3, ["low", "mid", "low"]),
        (Policy.RULE_ORDER, 3, ["low", "mid", "low"]),
        (Policy.COLLECT_COUNT, 3, 3),
        (Policy.COLLECT, 9, []),
        (Policy.COLLECT_COUNT, 9, 0),
    ],
)
def test_policy(policy: Policy, x: int, expected: Any) -> None:
    assert decided(policy, x, *ROWS) == expected


def test_priority__the_listed_order_counts() -> None:
    assert decided(Policy.PRIORITY, 3, *ROWS, priorities=("mid", "low")) == "mid"
    assert decided(Policy.OUTPUT_ORDER, 3, *ROWS, priorities=("mid", "low")) == ["mid", "low", "low"]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [(Policy.COLLECT_SUM, 9), (Policy.COLLECT_MIN, 2), (Policy.COLLECT_MAX, 4)],
)
def test_collected_numbers(policy: Policy, expected: int) -> None:
    rows = (rule(1, (1,), 3), rule(2, (1,), 2), rule(3, (1,), 4))
    assert decided(policy, 1, *rows) == expected


def test_unique__two_rows_fire() -> None:
    with pytest.raises(RuleError, match="rows 1 and 2 both fire") as caught:
        decided(Policy.UNIQUE, 3, *ROWS)
    assert caught.value.where is not None
    assert caught.value.where.cell == cell(2, 1)
    assert caught.value.table == "table"


def test_any__rows_that_fire_must_agree() -> None:
    assert decided(Policy.ANY, 4, rule(1, (4,), "a"), rule(2, (4,), "a")) == "a"
    with pytest.raises(RuleError, match="fire with different values"):
        decided(Policy.ANY, 4, rule(1, (4,), "a"), rule(2, (4,), "b"))


def test_no_row_fires() -> None:
    with pytest.raises(RuleError, match="no row fires"):
        decided(Policy.UNIQUE, 9, *ROWS)
    assert decided(Policy.UNIQUE, 9, *ROWS, otherwise="none") == "none"
    assert decided(Policy.UNIQUE, 9, *ROWS, strict=False) is None


def test_take__a_row_that_gives_null_does_not_fire() -> None:
    rows = (rule(1, None, None), rule(2, (7,), "x"), rule(3, None, "y"))
    assert decided(Policy.FIRST, 1, *rows, kind=OutcomeKind.TAKE) == "y"
    assert decided(Policy.FIRST, 7, *rows, kind=OutcomeKind.TAKE) == "x"
    assert decided(Policy.FIRST, 1, rule(1, None, None), kind=OutcomeKind.TAKE, otherwise="z") == "z"


def test_then__null_is_a_value() -> None:
    assert decided(Policy.FIRST, 1, rule(1, None, None), rule(2, None, "y")) is None


def test_two_outcomes_make_a_context() -> None:
    assert decided(Policy.UNIQUE, 1, rule(1, (1,), "a", 2)) == {"value": "a", "second": 2}
