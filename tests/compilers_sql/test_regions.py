"""Large decisions with columns of ranges, which find a row by halving, beside the evaluator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from dtables.checker import check_book
from dtables.compilers.sql import Dialect, to_sql
from dtables.diagnostics import errors_in
from dtables.model.tables import Ruleset
from tests.compilers_sql.dialects.servers import compared
from tests.compilers_sql.duck import disagreements
from tests.support.drawing import book_text

WORDS = """
# Sheet: Words
Types: words
  name | names
  colour | red, green

Input: state
  field | type
  n | whole number
  maybe | whole number?
  x | number
  day | date
  perhaps day | date?
  moment | date and time
  length | days and time duration
  term | years and months duration
  text | text
  perhaps text | text?
  wish | colour

# Sheet: Rules
"""
ROWS = 120


def ruleset(columns: str, rows: list[str], policy: str, more: str = "") -> Ruleset:
    roles = " | ".join(["if"] * (columns.count("|") + 1) + ["then"])
    head = [f"Decision: tried ; policy: {policy}{more}", f"  {roles}", f"  {columns} | out"]
    book, found = book_text("\n".join([WORDS.rstrip(), *head, *(f"  {row}" for row in rows)]))
    model, more_found = check_book(book)
    assert not errors_in((*found, *more_found)), [one.message for one in (*found, *more_found)]
    assert model is not None
    return model


def fee(number: int) -> str:
    return str(number * 7 % 100)


def day(number: int) -> str:
    return str(date(2023, 1, 1) + timedelta(days=number * 5))


def moment(number: int) -> str:
    return (datetime(2023, 1, 1) + timedelta(hours=number * 7, seconds=number % 3)).isoformat()


def text(number: int) -> str:
    """Capitals, small letters and what is neither, in no order of a language."""
    return "AaZzàß€😀"[number % 8] * (number // 40 + 1) + chr(97 + number % 5)


TEXTS = sorted(text(number) for number in range(ROWS))


def in_order(
    starts: Sequence[str], written: Callable[[str], str], low: str = "[", high: str = ")"
) -> list[str]:
    ends = pairwise(map(written, starts))
    return [f"{low}{one}..{other}{high} | {fee(n)}" for n, (one, other) in enumerate(ends)]


def shuffled(rows: list[str]) -> list[str]:
    Random(2).shuffle(rows)
    return rows


WHOLE = [f"[{i * 10}..{i * 10 + 10}) | {fee(i)}" for i in range(ROWS)]
CASES: dict[str, Ruleset] = {
    "one after another": ruleset("n", shuffled(WHOLE[:]), "unique", " ; otherwise: -1"),
    "with gaps, and no otherwise": ruleset("n", WHOLE[:40] + WHOLE[45:], "unique"),
    "closed above": ruleset("n", [f"({i * 10}..{i * 10 + 10}] | {fee(i)}" for i in range(ROWS)], "unique"),
    "closed ends, single values": ruleset(
        "n", [f"[{i * 10}..{i * 10 + 8}], {i * 10 + 9} | {fee(i)}" for i in range(ROWS)], "unique"
    ),
    "open to both sides": ruleset("n", ["< 0 | 1", *WHOLE, f">= {ROWS * 10} | 2"], "any"),
    "first of many": ruleset("n", [f"< {i * 10} | {fee(i)}" for i in range(1, ROWS)] + ["- | 99"], "first"),
    "perhaps nothing": ruleset("maybe", WHOLE[:], "unique", " ; otherwise: -1"),
    "decimals": ruleset("x", [f"[{i / 4}..{(i + 1) / 4}) | {fee(i)}" for i in range(ROWS)], "unique"),
    "decimals, mixed ends": ruleset(
        "x",
        ["[0..0.25] | 3", *(f"({i / 4}..{(i + 1) / 4}] | {fee(i)}" for i in range(1, ROWS)), "< -1 | 4"],
        "unique",
        " ; otherwise: -1",
    ),
    "days": ruleset(
        "day",
        [f'[date("{day(i)}")..date("{day(i + 1)}")) | {fee(i)}' for i in range(ROWS)],
        "unique",
        " ; otherwise: -1",
    ),
    "ranges and names": ruleset(
        "n | wish",
        [f"[{i * 10}..{i * 10 + 10}) | {c} | {fee(i)}" for i in range(60) for c in ("red", "green")][3:],
        "unique",
        " ; otherwise: -1",
    ),
    "days, perhaps none": ruleset(
        "perhaps day",
        [f'(date("{day(i)}")..date("{day(i + 1)}")] | {fee(i)}' for i in range(ROWS)] + ["null | 77"],
        "unique",
        " ; otherwise: -1",
    ),
    "moments": ruleset(
        "moment",
        in_order([moment(i) for i in range(ROWS)], lambda at: f'date and time("{at}")', "(", "]"),
        "unique",
        " ; otherwise: -1",
    ),
    "lengths": ruleset(
        "length",
        in_order([f"P{i // 4}DT{i % 4 * 6}H" for i in range(ROWS)], lambda at: f'duration("{at}")', "(", "]"),
        "unique",
        " ; otherwise: -1",
    ),
    "terms": ruleset(
        "term",
        in_order([f"P{i // 12}Y{i % 12}M" for i in range(ROWS)], lambda at: f'duration("{at}")'),
        "unique",
        " ; otherwise: -1",
    ),
    "texts": ruleset("text", in_order(TEXTS, '"{}"'.format), "unique", " ; otherwise: -1"),
    "texts, closed above": ruleset(
        "perhaps text",
        [*in_order(TEXTS, '"{}"'.format, "(", "]"), "null | 77", f'> "{TEXTS[-1]}" | 78'],
        "unique",
        " ; otherwise: -1",
    ),
    "numbers, others and null": ruleset(
        "maybe",
        [
            *(f"[{i * 10}..{i * 10 + 7}) | {fee(i)}" for i in range(ROWS)),
            "null | 77",
            "not(5) | 78",
            "!= 5 | 79",
        ],
        "first",
        " ; otherwise: -1",
    ),
    "two ranges": ruleset(
        "n | x",
        [f"[{i * 10}..{i * 10 + 10}) | ({j}..{j + 1}] | {fee(i + j)}" for i in range(12) for j in range(10)],
        "unique",
        " ; otherwise: -1",
    ),
}


def records() -> list[dict[str, Any]]:
    random = Random(1)
    given = []
    for number in range(-6, 6 * ROWS):
        n = number * 2 + random.choice([0, 0, 1, -1])
        x = random.choice([Decimal(number) / 24, Decimal(number) / 4, Decimal("0.25"), Decimal(0)])
        given.append(
            {
                "n": random.choice([n, number % 130]),
                "maybe": None if number % 11 == 0 else n,
                "x": round(x, 4),
                "day": day(number // 5) if number % 2 else str(date(2023, 1, 1) + timedelta(days=number)),
                "perhaps day": None if number % 9 == 0 else day(number // 5),
                "moment": moment(number // 5) if number % 3 else moment(number),
                "length": f"P{number % 31}DT{number % 4 * 6 + number % 5 % 2}H",
                "term": f"P{abs(number) % 12}Y{number % 13}M",
                "text": (known := random.choice(TEXTS)) + random.choice(["", "a", "é", "😀"]),
                "perhaps text": None if number % 7 == 0 else random.choice([known, known[:-1], "", "~"]),
                "wish": random.choice(["red", "green"]),
            }
        )
    return given


RECORDS = records()


@pytest.mark.parametrize("name", CASES)
def test_duckdb(name: str) -> None:
    sql = to_sql(CASES[name], "tried").sql
    assert sql is not None
    assert "LIST_REDUCE" in sql
    assert not disagreements(CASES[name], "tried", RECORDS)


ELSEWHERE = [
    "perhaps nothing", "decimals, mixed ends", "days, perhaps none", "moments", "lengths", "terms",
    "texts, closed above", "numbers, others and null", "two ranges",
]  # fmt: skip


@pytest.mark.xdist_group("servers")
@pytest.mark.parametrize("dialect", [Dialect.POSTGRES, Dialect.SPARK])
@pytest.mark.parametrize("name", ELSEWHERE)
def test_elsewhere(dialect: Dialect, name: str) -> None:
    outcome = compared(dialect, CASES[name], "tried", RECORDS[::3])
    assert outcome is not None
    assert outcome.tried == len(RECORDS[::3])
    assert not outcome.differing, outcome.differing[0]


def test_few_ranges_are_tried_one_after_another() -> None:
    sql = to_sql(ruleset("n", WHOLE[:50], "unique"), "tried").sql
    assert sql is not None
    assert "LIST_REDUCE" not in sql


def test_a_row_that_passes_over_a_column_does_not_fail_where_its_value_does() -> None:
    rows = [f"{row.partition(' | ')[0]} | green | {fee(n)}" for n, row in enumerate(WHOLE)]
    rules = ruleset("maybe * 1 | wish", ["- | red | 78", *rows], "first", " ; otherwise: -1")
    given = [{"maybe": maybe, "wish": wish} for maybe in (None, 2, 4000) for wish in ("red", "green")]
    assert not disagreements(rules, "tried", given)


def test_ranges_that_lie_over_one_another_are_looked_at() -> None:
    rules = ruleset("n", [*WHOLE, "[5..15) | 3"], "unique")
    sql = to_sql(rules, "tried").sql
    assert sql is not None
    assert "LIST_REDUCE" not in sql
    assert not disagreements(rules, "tried", RECORDS[:40])
