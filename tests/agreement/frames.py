"""Frames of the inputs of flat workbooks, in every kind of column, some spoilt."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from random import Random
from typing import Any

import pandas as pd
import pyarrow as pa
from hypothesis import strategies as st

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
def any_frame(draw: st.DrawFn) -> pd.DataFrame:
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
