"""Rows that constants prove apart: of many rows the same pairs as of two at a time."""

from __future__ import annotations

from itertools import combinations
from time import process_time

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dtables.compilers.sql.apart import may_meet
from dtables.model.tables import Decision, Rule
from tests.compilers import worlds
from tests.support.thinned import draws

NUMBERS = st.sampled_from(["1", "2", "2.0", "[1..3]", "(1..3)", "> 2", "<= 1", "1, 3", "2, 2", "null", "-"])
NAMES = st.sampled_from(["red", "blue", "red, green", "not(red)", "null", "-", "wish"])
ROWS = st.lists(st.tuples(NUMBERS, NAMES, st.sampled_from(["yes", "no", "-"])), min_size=1, max_size=9)


def rules(rows: list[tuple[str, str, str]]) -> tuple[Rule, ...]:
    lines = "\n".join(f"  {' | '.join(row)} | {number}" for number, row in enumerate(rows))
    head = "Decision: tried ; policy: first\n  if | if | if | then\n  spare | wish | open | out"
    ruleset = worlds.ruleset(f"{head}\n{lines}\n  - | - | - | 0")
    assert ruleset is not None
    (table,) = (table for table in ruleset.tables if isinstance(table, Decision))
    return table.rules


@settings(max_examples=draws(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ROWS)
def test_may_meet__as_two_at_a_time(rows: list[tuple[str, str, str]]) -> None:
    made = rules(rows)
    pairs = combinations(range(len(made)), 2)
    assert may_meet(made) == [(a, b) for a, b in pairs if may_meet([made[a], made[b]])]


def test_may_meet() -> None:
    rows = [("1", "red", "-"), ("[1..3]", "red", "yes"), ("> 3", "-", "-"), ("1, 5", "blue", "-")]
    assert may_meet(rules(rows)[:-1]) == [(0, 1), (2, 3)]


def test_may_meet__does_not_compare_all_with_all() -> None:
    started = process_time()
    assert not may_meet(rules([(f"[{n}..{n + 1})", "-", "-") for n in range(1500)])[:-1])
    assert not may_meet(rules([(str(n // 2), "red" if n % 2 else "blue", "-") for n in range(1500)])[:-1])
    assert process_time() - started < 10
