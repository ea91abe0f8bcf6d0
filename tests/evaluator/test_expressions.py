"""What an expression is worth: its text is read and checked, the value is worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from dtables.evaluator import Evaluator
from dtables.feel import types
from dtables.feel.types import ContextType, ListType, VocabularyType
from dtables.model.expressions import Arithmetic, CallTable, Expression
from dtables.model.tables import Formula, Ruleset
from dtables.records.findings import RecordError, RuleError
from tests.checker.small_world import HERE as WRITTEN
from tests.checker.small_world import lowered, scope_of
from tests.evaluator.models import (
    CELL,
    HERE,
    Reference,
    constant,
    field,
    formula,
    heading,
    ruleset,
    vocabulary,
)

COLOUR = VocabularyType("colour", "colour")
COLOURS = vocabulary("colour", "red", "green", "blue")
INPUTS = {
    "n": types.WHOLE,
    "x": types.optional(types.NUMBER),
    "flag": types.optional(types.BOOLEAN),
    "other": types.optional(types.BOOLEAN),
    "c": types.optional(COLOUR),
    "list": ListType(types.WHOLE),
    "things": ListType(ContextType((("id", types.TEXT), ("cost", types.optional(types.WHOLE))))),
}
STATE = {
    "n": 3,
    "list": [3, 1, 2],
    "things": [{"id": "a", "cost": 5}, {"id": "b", "cost": None}, {"id": "c", "cost": 2}],
}


def checked(text: str) -> tuple[Expression, tuple[str, ...]]:
    expression, found = lowered(text, None, scope_of([COLOURS], INPUTS))
    return expression, tuple(str(d) for d in found if d.severity == "error")


def made(expression: Expression) -> Ruleset:
    table = Formula(heading("value"), (), expression.type, (), expression, CELL)
    fields = [field(name, type_) for name, type_ in INPUTS.items()]
    return ruleset(table, fields=fields, vocabularies=[COLOURS])


def value(text: str, **state: Any) -> Any:
    expression, errors = checked(text)
    assert not errors, errors
    return Evaluator(made(expression)).call("value", {**STATE, **state})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("7 / 2 * 2", 7),
        ('"a" + "b"', "ab"),
        ("-n", -3),
        ("n ** 2", 9),
        ("if n > 2 then 1 else 2", 1),
        ("if n > 5 then 1 else if n > 2 then 2 else 3", 2),
        ("n in [1..3]", True),
        ("n in (1..3)", False),
        ("n in (>= 4)", False),
        ("n in (1, 3)", True),
        ("n between 3 and 4", True),
        ("not(n = 3)", False),
        ("c = red", False),
        ("c = null", True),
        ("c in (red, green)", False),
        ("x = null or x > 3", True),
        ("x in [1..3]", False),
        ("not(x in [1..3])", True),
        ("x in not(> 5)", False),
        ("x in not(5)", True),
        ("x != null and x > 3", False),
        ("each colour", ["red", "green", "blue"]),
        ("list[1]", 3),
        ("list[-1]", 2),
        ("list[7]", None),
        ("list[item > 1]", [3, 2]),
        ("things.id", ["a", "b", "c"]),
        ("things[cost != null].id", ["a", "c"]),
        ("things[cost != null and cost > 2].id", ["a"]),
        ('things[id = "c"][1].cost', 2),
        ("for i in 1..3 return i * n", [3, 6, 9]),
        ("for i in 3..1 return i", [3, 2, 1]),
        ("for i in 1..2, j in list return i * j", [3, 1, 2, 6, 2, 4]),
        ("for i in list return if partial = [] then i else i + partial[-1]", [3, 4, 6]),
        ("for c in each colour return c = red", [True, False, False]),
        ("some i in list satisfies i > 2", True),
        ("every i in list satisfies i > 2", False),
        ("every i in list[item > 5] satisfies i > 2", True),
        ("some i in list[item > 5] satisfies i > 2", False),
        ("{a: 1, b: a + 1}.b", 2),
        ("{a: 1, b: a + 1}", {"a": 1, "b": 2}),
        ("count(list)", 3),
        ("total(for t in things return if t.cost = null then 0 else t.cost)", 7),
        ("max(list)", 3),
        ("max([])", None),
        ("sort(list, function(a, b) a > b)", [3, 2, 1]),
        ("context(for c in each colour return {key: c, value: n})", {"red": 3, "green": 3, "blue": 3}),
        ("state.n", 3),
        ("n instance of number", True),
    ],
)
def test_value(text: str, expected: Any) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("left", "right", "both", "either"),
    [
        ("true", "true", True, True),
        ("true", "false", False, True),
        ("false", "flag", False, None),
        ("flag", "false", False, None),
        ("true", "flag", None, True),
        ("flag", "true", None, True),
        ("flag", "other", None, None),
    ],
)
def test_three_valued_logic(left: str, right: str, both: bool | None, either: bool | None) -> None:
    assert value(f"{left} and {right}") is both
    assert value(f"{left} or {right}") is either


def test_null_where_none_may_be__is_an_error_with_its_cell() -> None:
    with pytest.raises(RuleError) as caught:
        value("list[7] + 1")
    assert caught.value.where is not None
    assert caught.value.where.cell == WRITTEN
    assert caught.value.table == "value"
    assert caught.value.message == "this is null, and a value is needed here (whole number)"


def test_input_that_is_missing__rejects_the_record() -> None:
    for text in ("x + 1", "n + 1"):
        with pytest.raises(RecordError) as caught:
            value(text, n=None)
        assert caught.value.path == text[0]
        assert caught.value.found == "nothing"


def test_operation_without_value__is_an_error_or_the_standard_s_null() -> None:
    expression, errors = checked("1 / (n - 3)")
    assert not errors
    with pytest.raises(RuleError, match="division by zero"):
        Evaluator(made(expression)).call("value", STATE)
    assert Evaluator(made(expression), strict=False).call("value", STATE) is None


def test_loop_is_bounded() -> None:
    with pytest.raises(RuleError, match="more than 1,000,000 times"):
        value("count(for i in 1..2000000 return 1)")


def chain(length: int) -> Ruleset:
    """Formulas each of which reads the one before."""
    tables = [formula("f0", constant(0, types.WHOLE))]
    for number in range(1, length):
        before = CallTable(f"f{number - 1}", (), type=types.WHOLE, where=HERE)
        added = Arithmetic("+", before, constant(1), type=types.WHOLE, where=HERE)
        tables.append(formula(f"f{number}", added))
    return ruleset(*tables)


def test_tables_may_nest_deeply__but_not_without_end() -> None:
    assert Reference(chain(400)).call("f399", {}) == 399
    with pytest.raises(RuleError, match="nest too deeply"):
        Reference(chain(2000)).call("f1999", {})
