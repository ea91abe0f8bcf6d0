"""Of a row only the cells that were reached are made: in whichever order calls come, each says what it would
say alone, and what it explains is what happened."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from dtables.evaluator import Evaluator
from dtables.evaluator.trace import Decided, Explanation, Failed
from tests.agreement.engines import ruleset
from tests.support.oracle import OracleEngine

BOOK = """
Decision: near(n: whole number, ns: list of whole number) ; policy: collect
  if | if | then
  n | count(ns) | answer
  some x in ns satisfies x = ? | < 3 | n
  >= 3 | - | 2 * n
  [1..9) | > 0 | ns[1]

Decision: found(n: whole number, ns: list of whole number) ; policy: first ; otherwise: []
  if | if | take
  n | count(ns) | answer
  count(near(?, ns)) > 1 and not(? in ns) | - | if n = 4 then null else near(n, ns)
  < 3 | <= 2 | for x in ns return x + n
  (for x in ns return 2 * x)[1] = ? | > 0 | [n, n]
  ? >= 2 and ? != 10 | - | near(n - 1, ns)
"""
GIVEN: tuple[dict[str, Any], ...] = (
    {"n": 1, "ns": [1, 2]},
    {"n": 4, "ns": [2]},
    {"n": 3, "ns": []},
    {"n": 10, "ns": [5, 5, 5]},
)


@pytest.mark.parametrize("order", permutations(range(len(GIVEN))))
def test_calls_in_any_order(order: tuple[int, ...]) -> None:
    model = ruleset(BOOK)
    assert model is not None
    oracle, calling, explaining = OracleEngine(model), Evaluator(model), Evaluator(model)
    for given in [GIVEN[number] for number in order] * 2:
        expected = oracle.call("found", given)
        assert calling.call("found", given) == expected
        explained = explaining.explain_table("found", given)
        assert explained.answer == expected
        assert _fates(explained) == _fates(Evaluator(model).explain_table("found", given))


def test_what_became_of_each_row() -> None:
    model = ruleset(BOOK)
    assert model is not None
    fates = [_fates(Evaluator(model).explain_table("found", given)) for given in GIVEN]
    assert [[fate.__name__ for fate, *_ in rows] for rows in fates] == [
        ["Failed", "Fired"],
        ["NothingToTake", "Failed", "Fired"],
        ["Failed", "Failed", "Failed", "Fired"],
        ["Failed", "Failed", "Fired"],
    ]
    (_, column, seen, (reasons, (near,))) = fates[2][0]
    assert (column, seen, reasons) == ("n", 3, [[1, 1]])
    assert [(fate.__name__, place) for fate, place, *_ in near] == [
        ("Failed", "n"),
        ("Fired", "C5"),
        ("Failed", "count(ns)"),
    ]


def _fates(explained: Explanation) -> list[tuple[Any, ...]]:
    """What became of each row, and of the rows of the same table that it called."""
    (decided,) = explained.steps
    assert isinstance(decided, Decided)
    return _of(decided)


def _of(decided: Decided) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for row in decided.tried:
        inside = [_of(step) for step in row.inside if isinstance(step, Decided)]
        match row.outcome:
            case Failed(column=column, value=value, reasons=reasons):
                said = [[shown.value for shown in reason.seen] for reason in reasons]
                found.append((Failed, column, value, (said, inside)))
            case other:
                found.append((type(other), other.cell.address, None, inside))
    return found
