"""Records of every type, with anything at all in them: both engines read and refuse the same."""

from __future__ import annotations

from collections import OrderedDict, UserDict
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.feel.values import parse_date, parse_duration
from tests.agreement.engines import Engines, ruleset
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

Formula: same(b: box) -> text
step | type | is
result | | if f0 = 3 then "three" else string(b.size)

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


class Text(str):
    """Says something else of itself than it is."""

    __slots__ = ()

    def __str__(self) -> str:
        return "green"


class Whole(int):
    pass


class Items(list[Any]):
    pass


class Entries(dict[str, Any]):
    pass


class Named(str, Enum):  # noqa: UP042 - its text is not what it is
    RED = "red"


class Counted(IntEnum):
    THREE = 3


class Plain(Enum):
    RED = "red"


WITHIN_ITSELF: list[Any] = []
WITHIN_ITSELF.append(WITHIN_ITSELF)
OF_PYTHON = [
    (), (1,), ("red",), {1}, {"red"}, frozenset({3}), Items([1]), Entries(red=1), UserDict(red=1),
    MappingProxyType({"red": 1}), OrderedDict(red=1), {Named.RED: 1}, {Text("red"): 1}, {1: 1}, {None: 1},
    Text("red"), Text("ball"), Named.RED, Plain.RED, Whole(3), Counted.THREE, np.int64(3), np.float64(2.5),
    np.str_("red"), np.bool_(True), np.array([1]), np.datetime64("2024-02-29"), b"red", bytearray(b"red"),
    1j, range(3), timedelta(days=1), date(2024, 2, 29), datetime(2024, 2, 29), datetime(2024, 2, 29, 10),
    time(10), float("nan"), float("inf"), 2.0, -0.0, 1e300, Decimal("NaN"), Decimal("sNaN"),
    Decimal("Infinity"), Decimal("2.50"), Decimal(3), Decimal("1e3"), Decimal("9" * 34), Decimal("9" * 35),
    Decimal("0." + "3" * 35), Fraction(1, 2), int("9" * 34), int("9" * 35), 2**63 - 1, 2**63,
    -(2**63), 10**400,
    parse_date("2024-02-29"), parse_duration("P1D"), object(), len, WITHIN_ITSELF, {"red": WITHIN_ITSELF},
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
    st.sampled_from(PLAIN) | st.sampled_from(OF_PYTHON) | BOXES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(
            st.sampled_from(["red", "green", "Red", "blue", "ball", "kite", "x"]), inner, max_size=3
        )
    ),
    max_leaves=4,
)


@cache
def engines() -> Engines:
    fields = "\n".join(f"f{number} | {type_}" for number, type_ in enumerate(TYPES))
    answers = "\n".join(f"answer | a{number} | f{number}" for number in range(len(TYPES)))
    return Engines(
        evaluator(BOOK.replace("FIELDS", fields).replace("ANSWERS", answers)).ruleset, explained=False
    )


@pytest.mark.parametrize("value", OF_PYTHON, ids=lambda value: f"{type(value).__name__} {value!s:.20}")
def test_what_python_has(value: Any) -> None:
    """Where it fits and where it does not; also as what a table is called with."""
    for number in range(len(TYPES)):
        for wrapped in (value, [value], {"red": value}, {"tint": value}):
            engines().answer({f"f{number}": wrapped}, "echo")
            engines().call("same", {f"f{number}": wrapped, "b": {"tint": "red"}})
    engines().call("same", {"b": value})
    engines().call("same", {"b": {"tint": "red", "size": value}})
    engines().answer(value, "echo")


@settings(max_examples=draws(150), deadline=None)
@given(st.dictionaries(st.integers(0, len(TYPES) - 1), VALUES, max_size=5))
def test_anything(values: dict[int, Any]) -> None:
    engines().answer({f"f{number}": value for number, value in values.items()}, None)
    for number, value in values.items():
        engines().answer({f"f{number}": value}, "echo")


def test_no_object() -> None:
    for state in (None, 1, "x", [], True, [{}]):
        engines().answer(state, None)


def test_no_ask() -> None:
    for ask in ("", "ehco", "turn"):
        engines().answer({}, ask)


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
    kind, found, *_ = Engines(model).answer(state)
    assert kind == ("findings" if paths else "value")
    assert not paths or [finding.path for finding in found] == paths
