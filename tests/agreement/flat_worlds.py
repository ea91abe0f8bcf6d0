"""Flat workbooks drawn at random, and frames of their inputs in every kind of column, some spoilt."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from random import Random
from typing import Any

import pandas as pd
import pyarrow as pa
from hypothesis import strategies as st

WHOLE_TESTS = ["-", "3", "< 4", ">= 2", "[1..3]", "(2..7)", "not(1, 5)", "0, 2, 4", "> 2.5", "limit", "-"]
WHOLE_TESTS += ["!= 3", "!= limit", "not(!= 2)", "!= null", "!= 2.5"]
COLOUR_TESTS = ["-", "red", "green, blue", "not(red)", "-", "!= red", "not(!= blue)", "!= null"]
SUBJECTS = {
    "spare": [*WHOLE_TESTS, "null"],
    "level": WHOLE_TESTS,
    "wish": COLOUR_TESTS,
    "open": ["-", "yes", "no", "!= yes", "!= null"],
    "note": ["-", '"n"', '"x", "n"', 'not("n")', "null", '!= "n"', "!= null"],
    "rate": ["-", "< 1.5", "[0.1..3]", "2", "> 9.5", "not(0.3)", "!= 2.5", "!= 0.3"],
    "chest.since": [
        "-",
        '< date("2024-02-01")',
        'date("1999-12-31")',
        '[date("2024-01-01")..date("2024-12-31")]',
        '!= date("1999-12-31")',
        "!= null",
    ],
    "chest.tint": COLOUR_TESTS,
    "chest": ["-", "null", "not(null)", "!= null"],
    "toy": ["-", "ball", "kite, top", "not(doll)", "null", "!= ball", "not(!= top)", "!= null"],
    "toy.points": ["-", "< 3", "[1..3]"],
    "level > 3 and open": ["-", "yes", "no"],
    "2 * spare - level": ["-", "< 3", "[-1..4]", "> 7.5", "not(2)"],
    "spare * spare + 1": ["-", "> 9", "2, 5"],
    "spare > level": ["-", "yes", "no"],
    "stepped(spare + 1)": ["-", "> 5", "4"],
    "if rate <= 2 then wish else toy.paint": COLOUR_TESTS,
    "rated(level)": ["-", "1", "> 1"],
    "toy.wished": ["-", "yes", "no", "null"],
    "toy.bonus": ["-", "> 3", "[1..5]", "0"],
    "top.wished": ["-", "yes", "no"],
    "(if open then ball else kite).bonus": ["-", "> 5", "0"],
    "chest.heavy": ["-", "yes", "no"],
    "count(each toy[wished])": ["-", "> 1", "0"],
    "drawn.wished": ["-", "yes", "!= no", "null"],
    "heavier(toy)": ["-", "yes", "!= yes"],
}
FORMULAS = """
Formulas: small
  name | type | is
  limit | whole number | 4
  stepped(n: whole number) | whole number | if n > 3 then 6 else 4
  rated(n: score) | whole number | if n in [1..3] then 1 else if n = 7 then 2 else n * 2
  heavier(t: toy) | boolean | t.bonus > limit
"""
OUTCOMES = ["0", "1", "12", "-3", "limit", "toy.points", "rated(level)", "kite.bonus", "null"]
TEXTS = ['"a"', '"b"', "wish", "red", "null"]


def each_test(subject: str) -> str:
    """A decision that lists which of the subject's tests hold."""
    tests = dict.fromkeys(SUBJECTS[subject])
    rows = [f"  {test} | {number}" for number, test in enumerate(tests)]
    head = ["Decision: tried ; policy: rule order", "  if | then", f"  {subject} | out"]
    return "\n".join([*head, *rows])


@st.composite
def decision(draw: st.DrawFn) -> str:
    policy = draw(
        st.sampled_from(["unique", "first", "any", "priority", "collect", "C+", "C#", "rule order"])
    )
    subjects = draw(st.lists(st.sampled_from(sorted(SUBJECTS)), min_size=1, max_size=4, unique=True))
    outcomes = st.sampled_from(draw(st.sampled_from([OUTCOMES, TEXTS, ["yes", "no"], ["1.5", "2", "0.25"]])))
    ranked = " ; priorities: 12, 0, -3, 1" if policy == "priority" else ""
    outcomes = st.sampled_from(["0", "1", "12", "-3"]) if ranked else outcomes
    take = policy in ("unique", "first", "any") and draw(st.integers(0, 3)) == 0
    rows = [
        " | ".join([*(draw(st.sampled_from(SUBJECTS[s])) for s in subjects), draw(outcomes)])
        for _ in range(draw(st.integers(1, 6)))
    ]
    otherwise = f" ; otherwise: {draw(outcomes)}" if draw(st.booleans()) else ""
    return "\n".join(
        [
            f"Decision: tried ; policy: {policy}{otherwise}{ranked}",
            "  " + " | ".join([*["if"] * len(subjects), "take" if take else "then"]),
            "  " + " | ".join([*subjects, "out"]),
            *(f"  {row}" for row in rows),
        ]
    )


@st.composite
def ask(draw: st.DrawFn) -> str:
    rows = [
        f"  need | {p} | |" for p in draw(st.lists(st.sampled_from(["wish", "spare", "toy"]), max_size=2))
    ]
    if draw(st.booleans()):
        rows.append("  draw | d | each toy[points > 1] | drawn")
        rows.append("  answer | drawn toy | d |")
        rows.append("  answer | points | d.points |")
    rows.append("  answer | out | tried |")
    rows.append("  answer | twice | [tried, tried] |")
    for name in draw(st.lists(st.sampled_from(["turn", "other"]), max_size=2)):
        when = draw(st.sampled_from(["", "level > 3", "wish = red", "spare != null and spare < level"]))
        rows.append(f"  next | {name} | {when} |")
    other = ["", "Ask: other", "  role | name | is", "  answer | wish | wish"]
    return "\n".join(["Ask: turn ; main: yes", "  role | name | is | recorded in", *rows, *other])


CHECKS = """
Checks: apart
  # | each | wrong if | at | text en
  1 | | spare > 7 and open | spare | too much
"""

# -- frames ------------------------------------------------------------------------------------

COLOURS = ["red", "green", "blue", "Red ", "", "violet"]
SOUND: dict[str, list[Any]] = {
    "level": [0, 1, 3, 4, 7, 9, 10, -1],
    "spare": [-2, 0, 2, 3, 5, 9],
    "wish": COLOURS,
    "chest.tint": COLOURS,
    "chest.weight": [0, 3, 4, 9],
    "open": [True, False],
    "note": ["n", "x", "", "other"],
    "rate": [1.0, 2.5, 0.1, 10.0, 3.0, 0.3, 0.30000000000000004, 1.5, 0.0],
    "chest.since": [date(2024, 1, 31), date(2024, 2, 1), date(1999, 12, 31)],
    "toy": ["ball", "kite", "top", "doll", "Ball"],
    "drawn": ["ball", "kite", "top"],
}
SPOILT = [None, "violet", 12, -1, 2.5, True, "RED", "3", float("nan"), float("inf"), 10**30, date(2024, 1, 1)]
KINDS: dict[str, list[Any]] = {
    "level": ["int64", "int8", "uint16", "Int32", "uint64", "float64", "object", pd.ArrowDtype(pa.int16())],
    "rate": ["float64", "float32", "Float64", "object", "int64", pd.ArrowDtype(pa.float64())]
    + [
        pd.ArrowDtype(pa.decimal128(digits, places))
        for digits, places in ((18, 17), (9, 2), (20, 17), (6, 0))
    ],
    "open": ["bool", "boolean", "object", pd.ArrowDtype(pa.bool_())],
    "chest.since": ["object", pd.ArrowDtype(pa.date32()), "datetime64[s]", "str"],
    "note": ["object", "str", "category", pd.ArrowDtype(pa.string())],
}
KINDS |= dict.fromkeys(("spare", "chest.weight"), KINDS["level"]) | dict.fromkeys(
    ("wish", "chest.tint", "toy", "drawn"), KINDS["note"]
)


def full_frame(chance: Random, rows: int) -> pd.DataFrame:
    """All columns; few cells are empty or wrong."""
    made = {name: [chance.choice([*SOUND[name], None]) for _ in range(rows)] for name in SOUND}
    return pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in made.items()})


@st.composite
def frame(draw: st.DrawFn) -> pd.DataFrame:
    """Few columns and many rows: most combinations come up more than once."""
    chance = draw(st.randoms(use_true_random=False))
    rows = chance.choice([0, 1, 5, 40, 120])
    names = draw(st.lists(st.sampled_from(sorted(SOUND)), min_size=1, max_size=5, unique=True))
    made = {name: column(chance, name, rows) for name in names}
    if chance.random() < 0.15:
        odd = [chance.choice([None, None, 1, "[]", "{}"]) for _ in range(rows)]
        made[chance.choice(["levle", "boxes", "chest", "stock.red"])] = pd.Series(odd, dtype=object)
    found = pd.DataFrame(made, index=pd.RangeIndex(rows))
    match chance.randrange(6):
        case 0:
            found.index = pd.Index([f"t{n}" for n in range(rows)], dtype=object)
        case 1:
            found.index = pd.Index([chance.randrange(rows) for _ in range(rows)], dtype="int64")
        case 2:
            found["turn"] = [chance.choice([n, str(n), "", None]) for n in range(rows)]
    return found


def column(chance: Random, name: str, rows: int) -> pd.Series:
    """Of the kind drawn, if its cells fit into it."""
    some = chance.sample(SOUND[name], chance.randint(1, len(SOUND[name])))
    values: list[Any] = [chance.choice(some) for _ in range(rows)]
    kind = chance.choice(KINDS[name])
    if rows and chance.random() < 0.3:
        values[chance.randrange(rows)] = None
    if rows and chance.random() < 0.2:
        values[chance.randrange(rows)] = chance.choice(SPOILT)
        kind = "object"
    if isinstance(kind, pd.ArrowDtype) and pa.types.is_decimal(kind.pyarrow_dtype):
        values = [None if value is None else Decimal(str(value)) for value in values]
    try:
        return pd.Series(values, dtype=kind)
    except (TypeError, ValueError, OverflowError, pa.ArrowException):
        return pd.Series(values, dtype=object)
