"""A scale over lists of candidates, by columns and turn by turn: the same choices, the same rejects."""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtables.answers.engines import compiled_engine
from dtables.checker import check_book
from dtables.columnar import ChoiceEngine, Why, choice_engine
from dtables.columnar.frames import answer_frame
from dtables.ruleset import Ruleset
from tests.columnar.test_frames import ONE_BY_ONE, QUICK, same
from tests.support.drawing import book_text

WORDS = """
# Sheet: Rules
Types: words
  name | names
  colour | red, amber, green, blue, white

Types: narrower
  name | of | allowed
  rank | whole number | [0..40]

Record: candidate
  field | type | is | default
  id | whole number | | needed
  colour | colour | | needed
  rank | rank | | needed
  price | number | | needed
  open | boolean | | needed
  note | text? | |
  worth | number | price + 2 * rank | |
  warm | boolean | colour in (red, amber) |

Input: state
  field | type
  candidates | list of candidate
"""
ASK = """
Ask: pick ; main: yes
  role | name | is
  need | candidates |
  step | chosen | choice(candidates)
  answer | id | chosen.id
  answer | colour | chosen.colour
  answer | price | choice(candidates).price
  answer | open | chosen.open
  answer | note | chosen.note
"""
BY = [
    ("lowest", "rank"), ("highest", "rank"), ("highest", "price"), ("lowest", "worth"), ("yes", "open"),
    ("no", "warm"), ("yes", "rank > 2 and not(open)"), ("first in [green, red]", "colour"),
    ("last in [white, blue, amber]", "colour"), ("lowest", "if colour in (red, blue) then price else 0"),
    ("highest", "rank * rank - 3"), ("lowest", "if warm or price < 2.5 then -rank else rank"),
    ("yes", "colour = blue"), ("yes", "price in [1..2]"), ("no", "colour != red"),
]  # fmt: skip
CONCERNS = [("", ""), ("", ""), ("red, green", ""), ("not(blue)", ""), ("", "> 3"), ("white", "[1..4]")]


@st.composite
def scale(draw: st.DrawFn) -> str:
    rows = []
    for number in range(1, draw(st.integers(1, 6)) + 1):
        prefer, by = draw(st.sampled_from(BY))
        rows.append("  " + " | ".join([str(number), *draw(st.sampled_from(CONCERNS)), prefer, by]))
    ends = draw(st.booleans())
    if ends:
        rows.append("  9 | | | first |")
    head = f"Scale: choice(options: list of candidate) ; others: last{'' if ends else ' ; decides: yes'}"
    return "\n".join([head, "  # | only for | only for | prefer | by", "    | colour | rank | |", *rows])


def rules_of(scale_text: str) -> Ruleset:
    book, found = book_text("\n\n".join([WORDS, scale_text, ASK]))
    model, more = check_book(book)
    assert model is not None, (*found, *more)
    return Ruleset(model)


STRUCT = pa.struct(
    [
        ("id", pa.int64()), ("colour", pa.string()), ("rank", pa.int8()), ("price", pa.float64()),
        ("open", pa.bool_()), ("note", pa.string()),
    ]
)  # fmt: skip


def candidate(chance: Random, number: int, spoilt: float) -> dict[str, Any] | None:
    found: dict[str, Any] = {
        "id": number,
        "colour": chance.choice(["red", "amber", "green", "blue", "white", "Red "]),
        "rank": chance.choice([0, 1, 2, 3, 40]),
        "price": chance.choice([0.0, 0.25, 1.0, 2.5, 0.1, 0.3]),
        "open": chance.random() < 0.5,
        "note": chance.choice(["a", "b"]),
    }
    if chance.random() < spoilt:
        name = chance.choice(sorted(found))
        odd = {"colour": "violet", "rank": 41, "price": float("inf")}
        found[name] = chance.choice([None, odd.get(name)])
    return None if chance.random() < spoilt / 5 else found


def turns(chance: Random, spoilt: float) -> pa.Table:
    lists: list[Any] = []
    for _ in range(chance.choice([0, 1, 40])):
        most = chance.choice([0, 1, 3, 9])
        lists.append([candidate(chance, number, spoilt) for number in range(most)])
        if chance.random() < spoilt:
            lists[-1] = None
    column = pa.array(lists, pa.list_(STRUCT))
    return pa.table({"candidates": column})


@QUICK
@given(scale(), st.randoms(use_true_random=False), st.sampled_from([0.0, 0.02, 0.3]))
def test_choices(text: str, chance: Random, spoilt: float) -> None:
    rules = rules_of(text)
    assert isinstance(rules._flat_ask, ChoiceEngine), rules._flat_ask
    engine = compiled_engine(rules.model, rules.source)
    for _ in range(3):
        table = turns(chance, spoilt)
        found = rules.answer_frame(table)
        same(found, answer_frame(engine, rules.model, table, ONE_BY_ONE))


def test_sound_turns_are_answered_at_once() -> None:
    rows = "\n".join(f"  {n} | red, blue | | {prefer} | {by}" for n, (prefer, by) in enumerate(BY, 1))
    head = "Scale: choice(options: list of candidate) ; others: last\n  # | only for | only for | prefer | by"
    engine = rules_of(f"{head}\n    | colour | rank | |\n{rows}\n  99 | | | first |")._flat_ask
    assert isinstance(engine, ChoiceEngine)
    lists = [[candidate(Random(n), n, 0.0) for n in range(count)] for count in range(40)]
    places = engine.answer(pa.array(lists, pa.list_(STRUCT))).places
    assert places[0] == -1 and places[1:].min() >= 0


def test_equals_that_nothing_decides_are_told() -> None:
    head = "Scale: choice(options: list of candidate) ; others: last ; decides: yes"
    rules = rules_of(f"{head}\n  # | prefer | by\n  1 | lowest | rank")
    one = {"id": 1, "colour": "red", "rank": 1, "price": 2.5, "open": True, "note": "a"}
    lists = [[one, {**one, "id": 2}], [one, {**one, "id": 3, "rank": 0}], []]
    told = rules.answer_frame(pa.table({"candidates": pa.array(lists, pa.list_(STRUCT))}))
    assert "no answer, for the rules" in told["rejected"][0]
    assert list(told["id"][1:]) == [3, pd.NA]
    assert told["price"][1] == Decimal("2.5") and told["rejected"][1] is None


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ("  1 | | | lowest | rank\n  2 | | | chance |", "no field of a scale's choice"),
        ("  1 | | | lowest | string length(note)\n  2 | | | first |", "item by item"),
        ("  1 | | | lowest | rank / 3\n  2 | | | first |", "item by item"),
    ],
)
def test_what_it_cannot_say_it_leaves(rows: str, wanted: str) -> None:
    head = "Scale: choice(options: list of candidate) ; others: last\n  # | only for | only for | prefer | by"
    book, _ = book_text("\n\n".join([WORDS, f"{head}\n    | colour | rank | |\n{rows}", ASK]))
    model, found = check_book(book)
    assert model is not None, found
    why = choice_engine(model, Ruleset(model).source)
    assert isinstance(why, Why) and wanted in why.reason


@pytest.mark.parametrize("price", [float("inf"), float("-inf"), float("nan")])
def test_a_number_that_is_none_rejects_its_record(price: float) -> None:
    """Also where it stands first among all candidates, and another turn is not answered at once either."""
    head = "Scale: choice(options: list of candidate) ; others: last ; decides: yes"
    rules = rules_of(f"{head}\n  # | prefer | by\n  1 | lowest | rank")
    one = {"id": 1, "colour": "red", "rank": 1, "price": 2.5, "open": True, "note": "a"}
    for lists in ([[{**one, "price": price}], [one], None], [None, [one, {**one, "price": price}], [one]]):
        told = rules.answer_frame(pa.table({"candidates": pa.array(lists, pa.list_(STRUCT))}))
        assert told.attrs["engine"] == "columns"
        answered = [lists.index([one])]
        assert [row for row, price in enumerate(told["price"]) if not pd.isna(price)] == answered
        assert [row for row, why in enumerate(told["rejected"]) if why is None] == answered


def test_more_candidates_than_are_looked_at_together() -> None:
    """The first of each list is chosen, and nobody of an empty one, also of the lists that come later."""
    engine = rules_of("Scale: choice(options: list of candidate)\n  prefer | by\n  |\n  first |")._flat_ask
    assert isinstance(engine, ChoiceEngine)
    one = {"id": 1, "colour": "red", "rank": 1, "price": 2.5, "open": True, "note": "a"}
    sizes = [0, 9_000, 0, 60_000, 1, 0, 3] * 2 + [0]
    lists = pa.array([one], STRUCT).take(pa.array([0] * sum(sizes)))
    offsets = [sum(sizes[:n]) for n in range(len(sizes) + 1)]
    places = engine.answer(pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), lists)).places
    assert list(places) == [first if size else -1 for first, size in zip(offsets, sizes, strict=False)]


FOUR = """
# Sheet: Rules
Record: candidate
  field | type
  id | whole number
  a | whole number
  b | whole number
  c | whole number
  d | whole number

Input: state
  field | type
  candidates | list of candidate

Scale: choice(options: list of candidate) ; others: last
  # | prefer | by
  1 | highest | a
  2 | lowest | b
  3 | highest | c
  4 | highest | d
  5 | first |

Ask: pick ; main: yes
  role | name | is
  answer | id | choice(candidates).id
"""


@pytest.mark.parametrize("most", [1, 2**14, 2**20, 2**30, 2**40])
def test_standings_of_any_width_are_weighed_in_their_order(most: int) -> None:
    """As many as one number holds go into one: the weightier is never outweighed."""
    book, _ = book_text(FOUR)
    model, found = check_book(book)
    assert model is not None, found
    rules, chance = Ruleset(model), Random(most)
    fields = pa.struct([("id", pa.int64()), *((name, pa.int64()) for name in "abcd")])
    lists = [
        [
            {"id": number, **{name: chance.choice([-most, -1, 0, 1, most]) for name in "abcd"}}
            for number in range(chance.randint(1, 12))
        ]
        for _ in range(60)
    ]
    table = pa.table({"candidates": pa.array(lists, pa.list_(fields))})
    best = [max(one, key=lambda c: (c["a"], -c["b"], c["c"], c["d"], -c["id"])) for one in lists]
    assert rules.answer_frame(table)["id"].tolist() == [c["id"] for c in best]


KINDS = {
    "id": ["int8", "int64", "uint64", "float64", "decimal", "string"],
    "colour": ["string", "large_string", "dictionary", "int64"],
    "rank": ["int8", "int64", "float32", "decimal", "bool", "string"],
    "price": ["float64", "float32", "int64", "decimal", "string", "bool"],
    "open": ["bool", "int8", "string", "float64"],
    "note": ["string", "dictionary", "null", "int64"],
}
TYPES = {
    "decimal": pa.decimal128(12, 2), "dictionary": pa.dictionary(pa.int8(), pa.string()),
    "large_string": pa.large_string(), "string": pa.string(), "bool": pa.bool_(), "null": pa.null(),
    "int8": pa.int8(), "int64": pa.int64(), "uint64": pa.uint64(), "float32": pa.float32(),
    "float64": pa.float64(),
}  # fmt: skip
SOUND = {"id": 1, "colour": "red", "rank": 2, "price": 1.5, "open": True, "note": "a"}


def as_type(value: Any, type_: Any) -> Any:
    if pa.types.is_boolean(type_):
        return bool(value)
    if pa.types.is_null(type_):
        return None
    if pa.types.is_integer(type_):
        return int(value) if isinstance(value, (int, float)) else 0
    if pa.types.is_floating(type_):
        return float(value) if isinstance(value, (int, float)) else 0.5
    if pa.types.is_decimal(type_):
        return Decimal(str(value)) if isinstance(value, (int, float)) else Decimal(0)
    return str(value)


@pytest.mark.parametrize(("field", "kind"), [(field, kind) for field in KINDS for kind in KINDS[field]])
def test_columns_of_any_type(field: str, kind: str) -> None:
    """Answered at once or one by one, what is no such value is a reject all the same."""
    rows = "\n".join(f"  {n} | | | {prefer} | {by}" for n, (prefer, by) in enumerate(BY[:9], 1))
    head = "Scale: choice(options: list of candidate) ; others: last\n  # | only for | only for | prefer | by"
    rules = rules_of(f"{head}\n    | colour | rank | |\n{rows}\n  99 | | | first |")
    engine = compiled_engine(rules.model, rules.source)
    made = []
    for name, value in SOUND.items():
        type_ = TYPES[kind] if name == field else STRUCT.field(name).type
        made.append(pa.array([as_type(value, type_)] * 6, type_))
    struct = pa.StructArray.from_arrays(made, names=list(SOUND))
    table = pa.table({"candidates": pa.ListArray.from_arrays(pa.array([0, 2, 3, 6], pa.int32()), struct)})
    same(rules.answer_frame(table), answer_frame(engine, rules.model, table, ONE_BY_ONE))
