"""How statements read: what stands in the workbook side by side stands so in the SQL too."""

from __future__ import annotations

import pytest

from dtables.compilers.sql import Dialect, to_sql
from tests.agreement import worlds

DECISION = """Decision: price(p: whole number, k: colour) ; policy: first
  if | if | then
  p | k | out
  < 4 | red, blue | 1.5
  >= 7 | not(green) | 3
  - | - | 0"""
ROWS = """
    CASE
      WHEN "p" < 4 AND "k" IN ('red', 'blue') THEN 1.5 /* Rules!A4 */
      WHEN "p" >= 7 AND "k" <> 'green' THEN 3 /* Rules!A5 */
      ELSE 0
    END AS "price",
"""

MATRIX = """Matrix: worth(colour, size) -> whole number
  key | key | key | key
  colour | small | big | huge
  red | 10 | 20 | 30
  green | 40 | 50 | 60
  blue | 70 | 80 | 90"""
GRID = """
    CASE "colour"
      WHEN 'red' THEN CASE "size" WHEN 'small' THEN 10 WHEN 'big' THEN 20 WHEN 'huge' THEN 30 END
      WHEN 'green' THEN CASE "size" WHEN 'small' THEN 40 WHEN 'big' THEN 50 WHEN 'huge' THEN 60 END
      WHEN 'blue' THEN CASE "size" WHEN 'small' THEN 70 WHEN 'big' THEN 80 WHEN 'huge' THEN 90 END
    END AS "worth",
"""


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(("table", "name", "lines"), [(DECISION, "price", ROWS), (MATRIX, "worth", GRID)])
def test_a_row_is_a_line(table: str, name: str, lines: str, dialect: Dialect) -> None:
    assert lines in written(table, name, dialect).replace("`", '"')


def test_a_number_is_of_the_type_that_is_told() -> None:
    """Also where all that is given is whole, and narrow, to the database."""
    assert 'CAST("price" AS DECIMAL(38, 10)) END AS "price"' in written(DECISION, "price")


def test_more_places_than_the_type_has_are_kept() -> None:
    fine = DECISION.replace("1.5", "0.00000000001")
    assert 'CAST("price" AS DECIMAL(38, 11)) END AS "price"' in written(fine, "price")


def test_a_decision_without_rows_that_may_fire() -> None:
    """What is given otherwise is a choice of its own."""
    table = DECISION.replace("policy: first", "policy: unique ; otherwise: if p > 2 then 7 else 8").split(
        "\n"
    )
    called = "Formula: turn\n  step | type | is\n  result | | price(9, red)"
    rows = "\n".join([*table[:3], "  3 | - | 1"])
    assert "Rules!" not in written(f"{rows}\n\n{called}", "turn")


def written(table: str, name: str, dialect: Dialect = Dialect.DUCKDB) -> str:
    ruleset = worlds.ruleset(table)
    assert ruleset is not None
    sql = to_sql(ruleset, name, dialect).sql
    assert sql is not None
    return sql
