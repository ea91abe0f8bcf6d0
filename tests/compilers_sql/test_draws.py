"""What chance decides: recorded outcomes, open ones merged into `any_of`, and records that chance refutes."""

from __future__ import annotations

from typing import Any

import pytest

from dtables.compilers.sql import to_sql
from tests.agreement import worlds
from tests.compilers_sql.duck import KEY, Failed, answers

HEAD = "Ask: turn ; main: yes\n  role | name | is | recorded in | when open"
MERGED = """
  draw | one | each toy[points > level] | drawn |
  answer | toy | one | |
  answer | points | one.points | |
  answer | dear | one.price > 1 | |
  answer | likes | one.likes | |
"""
TWO = """
  draw | one | chest.toys | |
  draw | other | each toy[paint = one.paint] | |
  answer | pair | other | |
  answer | sum | one.points + other.points | |
"""
WHEN_OPEN = """
  draw | one | each toy[points > level] | drawn |
  answer | none | one | | null
  answer | listed | one.paint | | one.likes
"""
STOPPED = """
  draw | one | chest.toys | |
  answer | above | one | |
  stop | | one.points = 0 | |
  answer | below | one.points | |
"""
CAPPED = """
  draw | one | for i in 1..100 return i | |
  draw | two | for i in 1..101 return i | |
  answer | sum | one + two | |
"""


def answered(rows: str, *records: dict[str, Any]) -> list[Any]:
    ruleset = worlds.ruleset(HEAD + rows)
    assert ruleset is not None
    return answers(to_sql(ruleset, "turn", keys=(KEY,)), records)


def toys(*names: str) -> dict[str, Any]:
    return {"chest": {"tint": "red", "toys": list(names), "size": "small", "label": "b"}}


def test_draw__open__lists_in_the_order_of_their_types() -> None:
    (found,) = answered(MERGED, {"level": 0})
    assert found["any_of"] == {
        "toy": ["ball", "kite", "top"],
        "points": [1, 3],
        "dear": [False, True],
        "likes": [["red", "blue"], [], ["green"]],
    }
    assert all(found[name] is None for name in ("toy", "points", "dear", "likes"))


def test_draw__open__what_is_the_same_for_all_outcomes_is_the_answer() -> None:
    (found,) = answered(MERGED, {"level": 2})
    assert (found["toy"], found["points"], found["any_of"]["points"]) == (None, 3, None)
    assert found["any_of"]["toy"] == ["kite", "top"]


def test_draw__recorded() -> None:
    (found,) = answered(MERGED, {"level": 2, "drawn": "top"})
    assert (found["toy"], found["any_of"]) == ("top", None)


def test_draw__of_none_is_null_whatever_is_recorded() -> None:
    (found,) = answered(WHEN_OPEN, {"level": 9, "drawn": "top"})
    assert (found["none"], found["listed"], found["any_of"]) == (None, None, None)


def test_draw__recorded_outcome_that_cannot_be() -> None:
    assert answered(MERGED, {"level": 2, "drawn": "ball"}) == [Failed("state.drawn")]


def test_draws__one_after_another() -> None:
    """`ball` and `top` are red, each with the other; `kite` is the only blue one."""
    first, second = answered(TWO, toys("ball", "kite"), toys("kite", "kite"))
    assert first["any_of"] == {"pair": ["ball", "kite", "top"], "sum": [2, 4, 6]}
    assert (second["pair"], second["sum"], second["any_of"]) == ("kite", 6, None)


def test_draw__null_or_a_list_while_it_is_open() -> None:
    open_, recorded = answered(WHEN_OPEN, {"level": 0}, {"level": 0, "drawn": "kite"})
    assert (open_["none"], open_["listed"]) == (None, None)
    assert open_["any_of"] == {"listed": ["red", "blue", "green"]}
    assert (recorded["none"], recorded["listed"], recorded["any_of"]) == ("kite", "blue", None)


def test_stop__of_some_outcomes() -> None:
    """`doll` has no points: above the stop it counts, below it is null, which stands last."""
    (found,) = answered(STOPPED, toys("kite", "doll", "ball"))
    assert found["any_of"] == {"above": ["ball", "kite", "doll"], "below": [1, 3, None]}


def test_draws__too_many_outcomes() -> None:
    (found,) = answered(CAPPED, {})
    assert isinstance(found, Failed)
    assert found.place.startswith("book.xlsx!Rules!")


@pytest.mark.parametrize("rows", [MERGED, TWO, WHEN_OPEN, STOPPED])
def test_draw__no_outcome_costs_the_rest_of_the_query(rows: str) -> None:
    found = answered(rows, {"level": 2, "drawn": "ball"}, {"level": 0, "drawn": "ball"})
    assert len(found) == 2
