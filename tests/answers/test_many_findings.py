"""A record in which much is wrong: what is told is bounded, the rest is counted, and the time is that of
reading it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from difflib import get_close_matches
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.answers.answering import Rejected, answer
from dtables.answers.engines import compiled_engine
from dtables.checker import check_book
from dtables.diagnostics import render
from dtables.feel.values import Date, DateTime, Tally, Time, YearsDuration, distinct, same
from dtables.logs.turns import Turns
from dtables.records.findings import MOST_FINDINGS, RecordError, key_in_path, nearest, quoted
from dtables.records.json import LogLine, to_json
from dtables.ruleset import Ruleset
from tests.support.drawing import book_text
from tests.support.thinned import draws, swept

MANY = 200_000

BOOK = """
# Sheet: Rules

Types: words
  name | names
  colour | red, green, blue, yellow

Record: piece
  field | type | default
  colour | colour | needed
  size | whole number? |

Input: state
  field | type | default
  colours | list of colour | []
  pieces | list of piece | []
  stock | whole number by colour | {}
  n | number |

Checks: of the pieces
  places | at most | text en
  pieces.size | 1 | each size once

Ask: pick ; main: yes
  role | name | is
  need | pieces.size |
  answer | first | count(colours)
"""


@cache
def rules() -> Ruleset:
    book, found = book_text(BOOK)
    model, more = check_book(book)
    assert model is not None, render((*found, *more))
    return Ruleset(model)


def found(state: Any) -> list[RecordError]:
    told = []
    for asked in (rules().answer, rules().evaluator.answer):
        with pytest.raises(RecordError) as error:
            asked(None, state)
        told.append(error.value)
    return told


BROAD: list[tuple[str, Any, int]] = [
    ("unknown names", {"colours": [f"n{n}" for n in range(MANY)]}, MANY),
    ("one name again and again", {"colours": ["blu"] * MANY}, MANY),
    ("long names", {"colours": ["x" * 5_000 + str(n) for n in range(2_000)]}, 2_000),
    ("unknown keys", {f"k{n}": n for n in range(MANY)}, MANY),
    ("unknown keys of a map", {"stock": {f"k{n}": n for n in range(MANY)}}, MANY),
    ("keys of records", {"pieces": [{"colour": "red", "siz": 1}] * 50_000}, 50_000),
    ("missing fields", {"pieces": [{}] * 50_000}, 50_000),
    ("nulls", {"colours": [None] * MANY}, MANY),
    ("wrong types", {"colours": [1.5] * MANY, "n": "1"}, MANY + 1),
    ("needs", {"pieces": [{"colour": "red"}] * 50_000}, 50_000),
    ("checks", {"pieces": [{"colour": "red", "size": 7}] * 50_000}, 49_999),
    ("checks of many", {"pieces": [{"colour": "red", "size": n % 25_000} for n in range(50_000)]}, 25_000),
]


SOME = swept(BROAD)


@pytest.mark.parametrize(("state", "count"), [case[1:] for case in SOME], ids=[case[0] for case in SOME])
def test_the_first_are_told_and_the_others_counted(state: Any, count: int) -> None:
    compiled, evaluated = found(state)
    assert (compiled.findings, compiled.more) == (evaluated.findings, evaluated.more)
    assert len(compiled.findings) == MOST_FINDINGS
    assert len(compiled.findings) + compiled.more == count


@pytest.mark.parametrize("case", SOME, ids=[case[0] for case in SOME])
def test_a_reject_is_small(case: tuple[str, Any, int]) -> None:
    engine = compiled_engine(rules().model, rules().source)
    record = {"turn": "t" * 1_000_000, "game": "g" * 1_000_000, "state": case[1]}
    result = answer(engine, LogLine(1, record, None), Turns())
    assert isinstance(result, Rejected)
    plain = result.as_plain()
    assert len(to_json(plain)) < 8_000 and plain["more"] == case[2] - MOST_FINDINGS
    assert len(plain["also"]) == MOST_FINDINGS - 1


@pytest.mark.parametrize(
    "record",
    [
        {f"k{n}": n for n in range(MANY)},
        {"turn": list(range(MANY)), "game": {"a": "x" * MANY}, "ask": ["y"] * MANY, "state": "z" * MANY},
        {"turn": 1, "state": {"x" * MANY: 1}},
        {"turn": 1, "state": {"stock": {"x" * MANY: [1] * MANY}}},
        {"turn": 1, "state": {}, "played": {f"{n}": n for n in range(MANY)}},
        {"turn": 1, "state": {}, "played": {"x" * MANY: 1}},
        {"turn": 1, "state": {"n": [[[["x" * MANY]]]]}},
        {"turn": 1, "ask": "x" * MANY, "state": {}},
    ],
    ids=range(8),
)  # fmt: skip
def test_an_envelope_may_hold_anything(record: dict[str, Any]) -> None:
    engine = compiled_engine(rules().model, rules().source)
    result = answer(engine, LogLine(1, record, None), Turns())
    assert isinstance(result, Rejected)
    assert len(json.dumps(result.as_plain())) < 8_000


# -- what is used for it -----------------------------------------------------------------------

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([Decimal("1.0"), "", "a"])
    | st.sampled_from([Date(2026, 1, 1), DateTime(Date(2026, 1, 1), Time(0, 0, 0)), Time(1, 0, 0, 0, 0),
                       Time(2, 0, 0, 0, 3600), YearsDuration(3)]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=4,
)  # fmt: skip


@settings(max_examples=draws(300), deadline=None)
@given(st.lists(VALUES, max_size=12))
def test_counted_as_they_are_compared(values: list[Any]) -> None:
    tally = Tally()
    for place, value in enumerate(values):
        assert tally.add(value) == sum(same(value, earlier) for earlier in values[:place])
    kept: list[Any] = []
    for value in values:
        if not any(same(value, other) for other in kept):
            kept.append(value)
    assert list(map(id, distinct(values))) == list(map(id, kept))


WORDS = st.text("abcdefgh", min_size=4, max_size=9)


@settings(max_examples=draws(200), deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=30, unique=True), st.integers(0, 3), st.randoms())
def test_one_slip_is_found(names: list[str], slip: int, random: Any) -> None:
    """Where the library finds a name that is like it among all of them, so is one found here."""
    name = random.choice(names)
    at = random.randrange(1, len(name) - 1)
    typed = (name[:at] + name[at + 1 :], name[:at] + "z" + name[at:], name[:at] + "z" + name[at + 1 :],
             name[:at].upper() + name[at:])[slip]  # fmt: skip
    found = nearest(typed, tuple(names))
    close = get_close_matches(typed.casefold(), names, 1, 0.6)
    assert (found is not None) == bool(close)
    if slip == 3 or typed in names:
        assert found == typed.casefold()


def test_nothing_is_suggested_for_what_is_like_nothing() -> None:
    assert nearest("zzzz", ("red", "green")) is None
    assert nearest("r" * 100, ("r" * 100,)) is None
    assert nearest("", ("red",)) is None
    assert nearest("red", ()) is None


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("x" * 1_000_000, '"' + "x" * 118 + "…"),
        ([1] * 1_000_000, "[" + "1, " * 39 + "1…"),
        ("a\ud800", '"a\\ud800"'),
        ({"\ud800": 1}, '{"\\ud800": 1}'),
        (10**5_000, "a value of type int"),
        (Decimal("NaN"), "NaN"),
        ([Decimal("sNaN")], '["sNaN (Decimal)"]'),
        ({(1, 2): 3}, "a value of type dict"),
        ([Decimal("1e6000"), Decimal("2.50")], '["1E+6000", 2.5]'),
    ],
    ids=range(9),
)
def test_values_are_quoted_in_bounds(value: Any, told: str) -> None:
    assert quoted(value) == told


def test_nested_values_are_quoted() -> None:
    nested: Any = 1
    for _ in range(100_000):
        nested = [nested]
    assert quoted(nested) == "[" * 119 + "…"
    round_about: list[Any] = []
    round_about.append(round_about)
    assert quoted(round_about)
    assert key_in_path("k" * 61) == "k" * 59 + "…"


def test_what_may_have_been_meant_is_the_same_in_every_process() -> None:
    """Of many names that are equally like it, whatever the order of a set is there."""
    program = (
        "from dtables.records.findings import nearest; typed = 'abcdefghijklmnopqrstuvwxyz';"
        "print(nearest(typed, tuple(typed[:n] + '0' + typed[n + 1 :] for n in range(26))))"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True
        ).stdout
        for seed in "12345"
    }
    assert len(told) == 1 and b"0" in told.pop()
