"""Dates, times and durations mean the same in every engine: loops over days, parts, texts written out."""

from __future__ import annotations

from typing import Any

import pytest

from dtables.compilers.sql import to_sql
from dtables.verifier import verify
from tests.agreement.engines import Engines, ruleset
from tests.support.thinned import is_full

STATE = """
Input: state
  field | type
  from day | date
  to day | date
  at | date and time
  wait | days and time duration
  rate | number
  free | any
"""
GIVEN: dict[str, Any] = {
    "from day": "2024-02-28",
    "to day": "2024-03-01",
    "at": "2024-02-29T10:30:00",
    "wait": "P3D",
    "rate": 2.5,
    "free": [3, 4],
}


def formula(expression: str, type_: str = "") -> Engines:
    model = ruleset(f"{STATE}\nFormula: tried\n  step | type | is\n  result | {type_} | {expression}")
    assert model is not None, expression
    return Engines(model)


def value(expression: str) -> str:
    kind, found, *_ = formula(expression).call("tried", GIVEN)
    assert kind == "value", found
    return str(found)


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("for d in from day..to day return d", "['2024-02-28', '2024-02-29', '2024-03-01']"),
        ("for d in to day..from day return d.day", "[1, 29, 28]"),
        ("for d in from day..from day return d", "['2024-02-28']"),
        ("some d in from day..to day satisfies d.day = 29", "True"),
        ("every d in from day..to day, i in 1..2 satisfies d.day > i", "False"),
        ("for d in from day..to day, e in d..to day return e.day", "[28, 29, 1, 29, 1, 1]"),
        ('for d in get value({days: (from day..to day]}, "days") return d.day', "[29, 1]"),
        ('for i in get value({some: (1..4)}, "some") return i', "[2, 3]"),
        ("for i in free return i + 1", "[4, 5]"),
    ],
)
def test_loops_count_whole_numbers_and_days(expression: str, wanted: str) -> None:
    assert value(expression) == wanted


LONG = [
    (
        'for d in date("0001-01-01")..to day, e in d..to day return e',
        "the loop runs more than 1,000,000 times",
    )
]
"""Some seconds."""


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("for i in 1..rate return i", "a loop counts whole numbers or dates, not 1 to 2.5"),
        *LONG[: is_full()],
        (
            'for i in get value({r: ["a".."b"]}, "r") return i',
            "a loop counts whole numbers or dates, not text to text",
        ),
        ('for i in get value({r: 5}, "r") return i', "number is no list to go through"),
        ('for i in get value({r: (4..1]}, "r") return i', "the range ends before it begins"),
    ],
)
def test_what_cannot_be_gone_through_fails_in_the_same_words(expression: str, message: str) -> None:
    found = formula(expression).call("tried", GIVEN)
    assert found[:2] == ("failure", message)


def test_sql_says_that_it_goes_through_no_days() -> None:
    compiled = to_sql(formula("for d in from day..to day return d").model, "tried")
    assert compiled.sql is None
    assert "a loop over values of type date" in compiled.diagnostics[0].message


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("at.date", "'2024-02-29'"),
        ("at.time", "'10:30:00'"),
        ("at.date.weekday + at.time.hour", "14"),
        ('at.date + duration("P1D") = to day', "True"),
        ("time(at) = at.time and date(at) = at.date", "True"),
        ('get value({at: at}, "at").date', "'2024-02-29'"),
    ],
)
def test_the_parts_of_a_date_and_time(expression: str, wanted: str) -> None:
    assert value(expression) == wanted


DURATIONS = f"""{STATE}
Decision: tried ; policy: unique
  if | then
  wait | out
  < duration("P3D") | less
  duration("P3D") | three
  (duration("P3D")..duration("P4D")] | four
  > duration("P5D") | more

Types: outcomes
  name | names
  out | less, three, four, more
"""


def test_a_duration_that_is_written_out_has_its_type() -> None:
    """So the cell is placed among the others, and one of the other kind is a mistake."""
    model = ruleset(DURATIONS)
    assert model is not None
    (gap,) = verify(model)
    assert "no row fires when wait is in (P4D..P5D]" in gap.message
    engines = Engines(model)
    found = [engines.call("tried", {"wait": wait})[1] for wait in ("P1D", "P3D", "PT96H", "P6D")]
    assert found == ["'less'", "'three'", "'four'", "'more'"]
    assert ruleset(DURATIONS.replace('  duration("P3D")', '  duration("P3Y")')) is None


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        ("days and time duration", 'duration("PT36H")'),
        ("years and months duration", 'duration("P14M")'),
        ("date", 'date("2024-02-29")'),
        ("time", 'time("10:30:00")'),
        ("date and time", 'date and time("2024-02-29T10:30:00")'),
    ],
)
def test_what_is_written_out_may_stand_where_nothing_changes(type_: str, text: str) -> None:
    """In data, in defaults, as an outcome of that type; a text that is none fails where it stands."""
    engines = ruleset(
        f"Input: state\n  field | type | default\n  a | {type_} | {text}\n\n"
        f"Data: row\n  {type_} | whole number\n  value | n\n  {text} | 1\n\n"
        f"Formula: tried -> boolean\n  step | type | is\n  result | | a = row[1].value and a = {text}"
    )
    assert engines is not None
    assert Engines(engines).call("tried", {}) == ("value", "True")
    spoilt = text.replace('"', '"x', 1)
    assert formula(spoilt, type_).call("tried", {})[0] == "failure"


ALIKE = [
    ('date and time("2024-02-29T10:30:00Z")', 'date and time("2024-02-29T11:30:00+01:00")'),
    ('time("10:30:00Z")', 'time("11:30:00+01:00")'),
    ('duration("P1D")', 'duration("PT24H")'),
    ('duration("P1Y")', 'duration("P12M")'),
    ("2.50", "2.5"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
@pytest.mark.parametrize(
    "asked",
    [
        "{b} = {a}",
        "{a} in [{b}]",
        "{a} in ({b})",
        "list contains([{b}], {a})",
        "[{b}][item = {a}] != []",
        "count(distinct values([{a}, {b}])) = 1",
        "index of([{b}], {a}) = [1]",
        "{a} in [{a}..{b}]",
    ],
)
def test_what_is_written_otherwise_is_the_same_wherever_it_is_asked(asked: str, one: str, other: str) -> None:
    assert value(asked.replace("{a}", one).replace("{b}", other)) == value(f"{one} = {other}")
