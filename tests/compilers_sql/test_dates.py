"""Dates and durations in every database beside the evaluator: month ends, leap days, counting back."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from dtables.checker import check_book
from dtables.compilers.sql import Dialect, to_sql
from dtables.diagnostics import errors_in
from dtables.model.tables import Ruleset
from tests.compilers_sql.dialects import servers
from tests.compilers_sql.duck import KEY, Failed, answers, disagreements
from tests.support.drawing import book_text

WORDS = """
# Sheet: Words
Input: state
  field | type
  day | date
  at | date and time
  past | date and time
  other | date
  maybe | date?
  wait | days and time duration
  term | years and months duration
  n | whole number
  waits | list of days and time duration

# Sheet: Rules
Formula: tried
  step | type | is
"""

DAYS = ["2024-02-29", "2024-01-31", "2023-12-31", "1970-01-01", "1900-02-28", "0004-03-01", "9998-12-30"]
WAITS = ["P0D", "P1D", "-P1D", "PT36H", "-PT1S", "P400DT0.5S", "-P30DT23H59M59.25S", "PT23H59M59.999S"]
HOURS = ["00:00:00", "23:59:59", "12:30:05", "01:00:00"]
TERMS = ["P0M", "P1M", "-P1M", "P1Y", "-P13M", "P23M", "-P4Y", "P11M"]

RECORDS: list[dict[str, Any]] = [
    {
        "day": day,
        "other": DAYS[number % len(DAYS)],
        "at": f"{day}T{HOURS[number % len(HOURS)]}",
        "past": f"{DAYS[number * 3 % len(DAYS)]}T{HOURS[number % 3]}",
        "maybe": None if number % 3 else day,
        "wait": WAITS[number % len(WAITS)],
        "term": TERMS[number // 3 % len(TERMS)],
        "n": number % 7 - 3,
        "waits": WAITS[number % 5 : number % 5 + number % 4],
    }
    for number, (day, _) in enumerate(product(DAYS[:5], range(9)))
] + [
    {
        "day": "0004-03-01",
        "at": "0004-03-01T23:00:00",
        "past": "9998-12-30T00:00:01",
        "other": "9998-12-30",
        "wait": "P1D",
        "term": "P1M",
        "n": 2,
        "waits": [],
    }
]

VALUES = [
    'day + @"P1D"',
    'day - @"PT1S"',
    '@"-P1M" + day',
    'day - @"P1Y"',
    "day + wait",
    "wait + day",
    "day - wait",
    "day + term",
    "day - term",
    "day - other",
    "at.date",
    'at.date + @"P1D"',
    "at.date = day",
    "(day - other).days",
    "(day - other).hours",
    '(other - day) / @"P1D"',
    'floor((other - day) / @"P7D")',
    'day - other > @"P30D"',
    'day - other = @"P1D"',
    'day - other in [@"-PT36H"..@"P3D"]',
    "wait + (day - other)",
    'wait - @"PT0.5S"',
    "-wait",
    "-(day - other)",
    "abs(wait)",
    "abs(term)",
    "wait * n",
    "3 * term",
    "(day - other) * n",
    "wait.days",
    "wait.hours",
    "wait.minutes",
    "wait.seconds",
    "term.years",
    "term.months",
    '-term + @"P1M"',
    'term - @"P2M"',
    'term / @"P2M"',
    'term < @"P1M"',
    'wait >= @"P1D"',
    'wait = @"PT36H"',
    "years and months duration(day, other)",
    "years and months duration(day, other).years",
    "day of year(day)",
    "week of year(day)",
    "day of week(day)",
    "month of year(day)",
    "day.weekday + day.year",
    "date(2024, 2, 29)",
    'date(day.year, day.month, 1) + @"P1M" - @"P1D"',
    'if maybe = null then @"P1D" else maybe - day',
    "maybe.month",
    'string(day) + "."',
    'at + @"PT1H"',
    'at - @"P1DT1S"',
    'at + @"P1M"',
    "at - term",
    "at - past",
    "(at - past).days",
    "at + (past - at)",
    'at - past > @"PT36H"',
    'at < @"2024-02-01T00:00:00"',
    "at = past",
    'at in [@"1970-01-01T00:00:00"..@"2024-02-29T12:30:05"]',
    "at.hour + at.minute + at.second",
    "at.year + at.month + at.day + at.weekday",
    'date(at) + @"P1D"',
    'date and time("2024-02-29T10:00:00") - at',
    "max([at, past])",
    "at in [past, at]",
    "years and months duration(at, past)",
    "day of year(at)",
    "(for a in [at, past] return a)[item > at]",
    "count(waits[item > wait])",
    "max(for w in waits return w)",
    "for w in waits return day + w",
    "some w in waits satisfies w = wait",
    'if n > 0 then wait else @"-P1DT1H"',
    'if n > 0 then term else @"P1Y"',
    'wait + duration("-P1DT1H") < @"P1D"',
    'day + duration("P1Y2M") > other',
]

FAILING = ["date(2023, n + 3, 31)", "date(day.year + n, day.month, day.day)"]


def ruleset(values: list[str]) -> Ruleset:
    rows = [f"  s{number} | | {value}" for number, value in enumerate(values, start=1)]
    book, found = book_text("\n".join([WORDS.rstrip(), *rows]))
    model, more = check_book(book)
    assert model is not None
    assert not errors_in((*found, *more)), [one.message for one in (*found, *more)]
    return model


@pytest.mark.parametrize("value", VALUES)
def test_duckdb(value: str) -> None:
    rules = ruleset([value])
    assert to_sql(rules, "tried", keys=(KEY,)).diagnostics == ()
    assert not disagreements(rules, "tried", RECORDS)


@pytest.mark.parametrize("value", FAILING)
def test_duckdb__what_is_no_day(value: str) -> None:
    assert not disagreements(ruleset([value]), "tried", RECORDS)


def test_a_year_that_no_database_holds_is_a_problem() -> None:
    given = [{"n": 0}, {"n": 1}, {"n": 9999}, {"n": 10_000}]
    told = answers(to_sql(ruleset(["date(n, 1, 1)"]), "tried", keys=(KEY,)), given)
    assert [isinstance(one, Failed) for one in told] == [True, False, False, True]


@pytest.mark.xdist_group("servers")
@pytest.mark.parametrize("dialect", [Dialect.POSTGRES, Dialect.SPARK])
def test_elsewhere(dialect: Dialect) -> None:
    for values in (VALUES, *([one] for one in FAILING)):
        outcome = servers.compared(dialect, ruleset(values), "tried", RECORDS)
        assert outcome is not None
        assert outcome.tried == len(RECORDS)
        assert not outcome.differing, outcome.differing[0]
