"""Large decisions over names and whole numbers, which stand as one list of cells, beside the evaluator."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from dtables.compilers.sql import Dialect, to_sql
from tests.agreement import worlds
from tests.compilers_sql.dialects.servers import compared
from tests.compilers_sql.duck import disagreements

COLOURS, NUMBERS = ("red", "green", "blue"), range(8)
RECORDS: list[dict[str, Any]] = [
    {"spare": spare, "wish": wish, "open": open_, "level": 3}
    for spare, wish, open_ in product([None, *range(-1, 10)], [None, *COLOURS], [True, False])
]

HEAD = "Decision: tried ; policy: {policy}{more}\n  if | if | if | then\n  spare | wish | open | out"
OUTCOMES = {
    "numbers": lambda rng: str(rng.choice([1, 2, 30, "2.5", "0.25"])),
    "names": lambda rng: rng.choice(["ball", "kite", "top"]),
    "lists": lambda rng: rng.choice(["[1, 2]", "[]", "[3]"]),
}


def table(policy: str, outcomes: str, last: str = "", more: str = "", leave_out: int = 7) -> str:
    """Most cells of three columns, in any order; some rows hold several."""
    rng = Random(3)
    cells = [(n, colour, open_) for n in NUMBERS for colour in COLOURS for open_ in ("yes", "no")]
    rng.shuffle(cells)
    rows = [f"  {n} | {c} | {o} | {OUTCOMES[outcomes](rng)}" for n, c, o in cells[leave_out:]]
    if policy == "first":
        rows.insert(5, f"  1, 3 | red, blue | yes | {OUTCOMES[outcomes](rng)}")
    return "\n".join([HEAD.format(policy=policy, more=more), *rows, *([last] if last else [])])


CASES = [
    table("unique", "numbers"),
    table("unique", "numbers", more=" ; otherwise: 0"),
    table("any", "names"),
    table("first", "numbers", last="  - | - | - | -1"),
    table("first", "lists", more=" ; otherwise: [9]"),
    table("first", "names"),
    table("unique", "numbers", leave_out=0) + "\n  5 | null | yes | 1\n  null | red | no | 2",
    table("first", "names", leave_out=0) + "\n  not(5) | != red | - | top\n  null | not(null) | yes | ball",
    table("first", "numbers", last="  - | - | no | -1\n  5, 6, 7, [20..22] | - | yes | -2"),
]


@pytest.mark.parametrize("text", CASES)
def test_agrees(text: str) -> None:
    ruleset = worlds.ruleset(text)
    assert ruleset is not None
    sql = to_sql(ruleset, "tried").sql
    assert sql is not None
    assert '"tried rows"' in sql
    assert not disagreements(ruleset, "tried", RECORDS)


@pytest.mark.xdist_group("servers")
@pytest.mark.parametrize("dialect", [Dialect.POSTGRES, Dialect.SPARK])
@pytest.mark.parametrize("text", [CASES[1], CASES[4], CASES[7]])
def test_agrees__elsewhere(dialect: Dialect, text: str) -> None:
    ruleset = worlds.ruleset(text)
    assert ruleset is not None
    outcome = compared(dialect, ruleset, "tried", RECORDS)
    assert outcome is not None
    assert outcome.tried == len(RECORDS)
    assert not outcome.differing, "\n".join(outcome.differing)


@pytest.mark.parametrize(
    "row",
    [
        "  5 | red | yes | 1",
        "  [1..3] | red | yes | 1",
        "  - | red | yes | 1",
        "  spare - 20 | null | yes | 1",
    ],
)
def test_what_is_no_cell_is_tried_row_by_row(row: str) -> None:
    ruleset = worlds.ruleset(table("unique", "numbers", leave_out=0) + "\n" + row)
    assert ruleset is not None
    sql = to_sql(ruleset, "tried").sql
    assert sql is not None
    assert '"tried rows"' not in sql
    assert not disagreements(ruleset, "tried", RECORDS)
