"""Each kind of expression by itself, by columns and row by row: the same values, the same rejects."""

from __future__ import annotations

from functools import cache
from random import Random

import pandas as pd
import pytest

from dtables.columnar import FlatEngine, Why
from dtables.columnar.frames import table_frame
from dtables.model.tables import table_name
from dtables.ruleset import Ruleset
from tests.agreement import worlds
from tests.agreement.frames import full_frame
from tests.columnar.test_frames import ONE_BY_ONE, ruleset, same
from tests.support.thinned import draws

COMPARED = [
    "3 < spare", "spare = 3", "3 != spare", "null = spare", "spare != null", "wish = null", 'note = "n"',
    '"x" = note', 'note < "o"', 'chest.since > date("2024-01-31")', 'date("2024-02-01") <= chest.since',
    "chest.since = null", "rate >= 2.5", "2.5 > rate", "rate = 0.3", "rate * 2 > 4", "level > spare",
    "spare >= level", "level = spare", "rate > level", "level * spare > 6", "level * 2 + spare - 1 < 7",
    "spare * spare > level * 3", "-4 < spare", "level + 0.5 > 3", "level / 2 > 1.5", "toy = drawn",
    "wish = toy.paint", "chest.tint = wish", "level between 2 and 5",
    "open = (level > 3)", "chest = null", "chest != null",
]  # fmt: skip
TESTED = [
    "spare in (null, 3, [5..7])", "level in (1, 3, [5..7], > 8)", "not(level in (2, 4))", "level in ]3..7]",
    "toy.points in [1..2]", "wish in [red, toy.paint]", "wish in (red, blue)", "toy in (ball, kite)",
    'note in ["m".."x")', "spare in [1, 2, 3]",
    "level in toy.points", "spare in (< 2, >= 7)", 'note in ("n", "x")',
    "rate in (0.1..2.5)", "wish in each warm", "not(wish in toy.likes)", "not(open)",
    "level instance of number",
]  # fmt: skip
JOINED = [
    "level > 3 and spare > 2 or open", "open and not(level = 3)", "chest != null and chest.weight > level",
    "if level > 3 then (if open then 1 else 2) else 3", "(if open then level else 4) > 3",
    "(if open then level else 4) in [2..5]", "(if wish = red then toy else drawn).points",
]  # fmt: skip
READ = [
    "toy", "wish", "open", "chest", "chest.tint", "chest.weight", "chest.heavy", "chest.size",
    "chest.worth", "toy.paint", "toy.points + level", "toy.wished", "toy.bonus", "drawn.price",
    "ball.bonus", "stock(wish)", "stock.red", "count(boxes)", "boxes = []", "boxes.tint",
    "total(chest.toys.points)", "marks", "each toy[points > level]", "each toy[wished]",
    "count(each toy[paint = wish])", "each toy[item = toy]",
    "some t in each toy satisfies t.points = level", "every t in each toy satisfies t.bonus > level",
    "for t in each toy return t.points * level", "for i in 1..level return i * 2", "[toy.paint, wish]",
    "{a: level, b: {c: a}}.b.c", "max(level, 4)", "modulo(level, 3)", "string(level)", "abs(level - 5)",
]  # fmt: skip
WORKED_WITH = "`{}` is worked with, not only compared with constants"
STUCK = {
    "level in [1..spare]": WORKED_WITH.format("spare"),
    "toy.price > rate": WORKED_WITH.format("rate"),
    "-spare < -3": WORKED_WITH.format("spare"),
    "level - -spare = 5": WORKED_WITH.format("spare"),
    "if open then level else spare": WORKED_WITH.format("spare"),
    "[level, spare]": WORKED_WITH.format("spare"),
    "upper case(note)": WORKED_WITH.format("note"),
    "floor(rate)": WORKED_WITH.format("rate"),
    "chest.since": WORKED_WITH.format("chest.since"),
    "today() > chest.since": "the clock is read",
    "chest.label + note": WORKED_WITH.format("chest.label"),
}
EXPRESSIONS = [*COMPARED, *TESTED, *JOINED, *READ, *STUCK, *worlds.ODD]


@cache
def rules() -> Ruleset:
    """All of them in one workbook."""
    rows = "\n".join(f"  odd {number} | | {expression}" for number, expression in enumerate(EXPRESSIONS))
    return ruleset(f"Formulas: odd ones\n  name | type | is\n{rows}")


@cache
def frame() -> pd.DataFrame:
    return full_frame(Random(3), max(50, draws(200)))


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expression(expression: str) -> None:
    name = f"odd {EXPRESSIONS.index(expression)}"
    engine = rules()._flat_table(name)
    if expression in STUCK:
        assert isinstance(engine, Why) and engine.reason == STUCK[expression]
    elif expression not in worlds.ODD:
        assert isinstance(engine, FlatEngine), engine
    table = next(one for one in rules().model.tables if table_name(one) == name)
    wanted = table_frame(rules().model, table, rules().tables[name], frame(), ONE_BY_ONE)
    same(rules().table_frame(name, frame()), wanted)


def test_a_border_below_zero_and_no_value_there() -> None:
    few = pd.DataFrame({"spare": pd.Series([0, 3, 9], dtype=object)})
    table = ruleset("Formulas: one\n  name | type | is\n  above | | -4 < spare")
    assert table.table_frame("above", few)["above"].tolist() == [True, True, True]
