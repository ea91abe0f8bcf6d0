"""Records of every type, with anything at all in them: both engines read and refuse the same."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.compilers.both import Both
from tests.compilers.everywhere import Everywhere, ruleset
from tests.evaluator.books import evaluator
from tests.support.thinned import draws

TYPES = [
    "whole number", "number", "text", "boolean", "date", "time", "date and time", "days and time duration",
    "years and months duration", "colour", "warm", "toy",
    "score", "rate", "short", "box", "list of whole number",
    "list of colour", "list of toy?", "list of list of warm", "list of box", "score by colour", "box by toy",
    "list of colour by warm", "toy?", "score?", "box?", "list of score?",
]  # fmt: skip

BOOK = """
Types: words
name | names
colour | red, green, blue

Types: narrowed
name | of | allowed
warm | colour | not(blue)
score | whole number | [0..9]
rate | number | (0..10], 99
short | text | string length(?) < 4

Data: toy ; key: toy
key | whole number
toy | points
ball | 1
kite | 3

Record: box
field | type | default | allowed
tint | warm | |
weight | score? | | not(3)
toys | list of toy | [] |
inner | box by colour | {} |
size | whole number | 1 | [1..5]

Input: state
field | type
FIELDS

Ask: echo ; main: yes
role | name | is
ANSWERS
"""

PLAIN = [
    None, True, False, 0, 1, 3, 9, 10, -1, 2.5,
    99, 1e400, "", "red", "Red", "GREEN ", "blue", "ball", "Kite", "abc",
    "abcd", "2024-02-29", "2024-02-30", "10:00:00", "25:00:00",
    "2024-02-29T10:00:00", "P1D", "P1Y2M", "PT36H", [], {},
]  # fmt: skip
BOXES = st.fixed_dictionaries(
    {"tint": st.sampled_from(["red", "Green", "blue"])},
    optional={
        "weight": st.sampled_from([None, 0, 3, 9, 10, "1"]),
        "toys": st.lists(st.sampled_from(["ball", "kite", "balloon", None]), max_size=2),
        "inner": st.dictionaries(
            st.sampled_from(["red", "blue", "RED", "pink"]),
            st.just({"tint": "red"}) | st.just({}),
            max_size=2,
        ),
        "size": st.sampled_from([1, 5, 6, None]),
        "other": st.just(1),
    },
)
VALUES = st.recursive(
    st.sampled_from(PLAIN) | BOXES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["red", "green", "Red", "blue", "ball", "kite", "x"]), inner, max_size=3
        )
    ),
    max_leaves=4,
)


@cache
def both() -> Both:
    fields = "\n".join(f"f{number} | {type_}" for number, type_ in enumerate(TYPES))
    answers = "\n".join(f"answer | a{number} | f{number}" for number in range(len(TYPES)))
    return Both(evaluator(BOOK.replace("FIELDS", fields).replace("ANSWERS", answers)).ruleset)


@settings(max_examples=draws(150), deadline=None)
@given(st.dictionaries(st.integers(0, len(TYPES) - 1), VALUES, max_size=5))
def test_anything(values: dict[int, Any]) -> None:
    both().compare_answer(None, {f"f{number}": value for number, value in values.items()})
    for number, value in values.items():
        both().compare_answer("echo", {f"f{number}": value})


def test_no_object() -> None:
    for state in (None, 1, "x", [], True, [{}]):
        both().compare_answer(None, state)


def test_no_ask() -> None:
    for ask in ("", "ehco", "turn"):
        both().compare_answer(ask, {})


CHECKED = """
Input: state
  field | type | default
  n | whole number |
  m | whole number | 1

Checks: sound
  # | wrong if | at | text en
  1 | n + 1 > 7 | n | too much
  2 | m > 5 | m | also too much

Ask: turn ; main: yes
  role | name | is
  answer | a | 3
"""


@pytest.mark.parametrize(
    ("state", "paths"),
    [
        ({"n": 1}, []),
        ({}, ["state.n"]),
        ({"n": None}, ["state.n"]),
        ({"n": 9}, ["state.n"]),
        ({"m": 9}, ["state.n", "state.m"]),
    ],
    ids=str,
)
def test_what_a_check_needs_and_a_record_lacks_is_found(state: dict[str, Any], paths: list[str]) -> None:
    """The other checks are made all the same."""
    model = ruleset(CHECKED)
    assert model is not None
    kind, found, *_ = Everywhere(model).answer(state)
    assert kind == ("findings" if paths else "value")
    assert not paths or [finding.path for finding in found] == paths
