"""How large a statement becomes: what is worked out or constant stands once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp

from dtables.compilers.sql import to_sql
from dtables.model.tables import Ruleset
from dtables.ruleset import load
from tests.agreement import worlds

DUEL = Path(__file__).parent.parent.parent / "tables" / "duel.xlsx"
DEEPEST = 5
"""A database takes twice as long for each lambda inside a lambda."""


@cache
def duel() -> Ruleset:
    return load(DUEL).model


def sql_of(ruleset: Ruleset | None, what: str) -> str:
    assert ruleset is not None
    compiled = to_sql(ruleset, what, keys=("turn",))
    assert compiled.sql is not None, compiled.diagnostics
    return compiled.sql


def depth(tree: exp.Expr) -> int:
    inside = max((depth(child) for child in tree.iter_expressions()), default=0)
    return inside + isinstance(tree, exp.Lambda)


@pytest.mark.parametrize(
    ("table", "most"), [("tactical scale", 420_000), ("build a structure", 125_000), ("zeus", 125_000)]
)
def test_to_sql__a_large_scale(table: str, most: int) -> None:
    sql = sql_of(duel(), table)
    assert len(sql) < most
    assert depth(sqlglot.parse_one(sql, dialect="duckdb")) <= DEEPEST


def test_to_sql__a_catalogue_stands_once() -> None:
    sql = sql_of(duel(), "tactical scale")
    assert sql.count("'lumber_yard', 'stone_pit'") == 1


def test_to_sql__the_same_list_worked_out_twice_is_one_column() -> None:
    steps = "  a | | count(boxes[heavy])\n  b | | count(boxes[heavy]) + 0"
    table = f"Formula: turn\n  step | type | is\n{steps}\n  result | | (a + a) * (b + b)"
    assert sql_of(worlds.ruleset(table), "turn").count("LIST_FILTER") == 2
    same = table.replace(" + 0", "")
    assert sql_of(worlds.ruleset(same), "turn").count("LIST_FILTER") == 1
