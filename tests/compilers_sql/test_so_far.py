"""Loops that read their results so far, and divisions that are rounded, in DuckDB beside the evaluator."""

from __future__ import annotations

import pytest

from tests.agreement import worlds
from tests.compilers_sql.duck import disagreements

RECORDS = [
    {
        "boxes": [{"tint": "red", "weight": 3}, {"tint": "blue", "toys": ["kite"]}],
        "marks": [4, 5],
        "level": 2,
    },
    {"marks": []},
    {"marks": [1, 2, 3], "boxes": []},
    {"marks": [4, 8, 4, 0, 7], "level": 0},
]

EXPRESSIONS = [
    "for m in marks return m * 10 + count(partial)",
    "for b in boxes return {tint: b.tint, place: count(partial) + 1}",
    "for b in boxes return for m in marks return count(partial) + m + count(b.toys)",
    "(for m in marks return count(partial) + m)[item > 4]",
    "for i in 3..1 return i * count(partial)",
    "for m in marks return if partial = [] then m else partial[-1] + m",
    "for b in boxes return if partial = [] then b.worth else partial[-1] * 2 + total(partial)",
    "for i in 1..5 return total(partial[item > level]) + i",
    "for m in marks return {before: if partial = [] then 0 else partial[-1].after, after: m}",
    "for m in marks return if partial = [] then m else modulo(7, partial[-1] - 4)",
    "for m in marks return for k in marks return if partial = [] then m else partial[-1] + k * m",
    "for m in marks return count(distinct values(concatenate(partial, [m, level])))",
    "floor(level / count(marks))",
    "ceiling((level + 1) / (count(marks) - 2))",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_agrees(expression: str) -> None:
    ruleset = worlds.ruleset(f"Formula: turn\n  step | type | is\n  result | | {expression}")
    assert ruleset is not None
    assert not disagreements(ruleset, "turn", RECORDS)
