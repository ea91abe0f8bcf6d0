"""Reading a record: what fits, and the path, found and wanted of what does not."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from dtables.evaluator import Evaluator
from dtables.feel import types
from dtables.feel.types import ListType, MapType, OptionalType, RecordType, RestrictedType, VocabularyType
from dtables.model.expressions import Expression, InputField, MakeRecord, Within
from dtables.model.tables import AnswerField, Field, Record, Restriction, WhenOpen
from dtables.records.findings import RecordError
from tests.evaluator import books
from tests.evaluator.models import (
    CELL,
    HERE,
    ask,
    constant,
    field,
    listed,
    ruleset,
    variable,
    vocabulary,
)

COLOUR = VocabularyType("colour", "colour")
WARM = VocabularyType("warm", "colour")
COLOURS = vocabulary("colour", "red", "dark_green", "blue", words={"red": "Rosso", "dark_green": "Verde"})
AGE = RestrictedType("age", types.WHOLE)


def within(low: int, high: int) -> Within:
    return Within(constant(low), constant(high), True, True, type=types.BOOLEAN, where=HERE)


CITY = Record(
    "city",
    (
        field("coins", OptionalType(AGE)),
        field("name", types.TEXT),
        field("cards", ListType(COLOUR), listed()),
    ),
    variable("this"),
    HERE,
)
DEFAULT: Expression = MakeRecord(
    "city",
    (("coins", constant(None)), ("name", constant("?")), ("cards", listed())),
    type=RecordType("city"),
    where=HERE,
)
FIELDS: tuple[Field, ...] = (
    field("whole", types.WHOLE),
    field("number", types.NUMBER),
    field("text", types.TEXT),
    field("flag", types.BOOLEAN),
    field("day", types.DATE),
    field("colour", COLOUR),
    field("warm", WARM),
    field("age", AGE),
    field("city", RecordType("city"), DEFAULT),
    field("list", ListType(COLOUR)),
    field("by", MapType(COLOUR, ListType(types.WHOLE))),
)


def evaluator() -> Evaluator:
    rows = [
        AnswerField(
            f.name,
            InputField(f.name, type=types.optional(f.type), where=HERE),
            WhenOpen.MERGED,
            None,
            CELL,
            CELL,
        )
        for f in FIELDS
    ]
    warm = vocabulary("warm", "red")
    narrowed = type(warm)("warm", "colour", COLOURS.names[:1], HERE)
    restriction = Restriction("age", types.WHOLE, variable("age"), (within(1, 3),), CELL, "[1..3]")
    return Evaluator(
        ruleset(
            fields=FIELDS,
            vocabularies=[COLOURS, narrowed],
            records=[CITY],
            restrictions=[restriction],
            asks=[ask("turn", *rows)],
        )
    )


EVALUATOR = evaluator()


@pytest.mark.parametrize(
    ("name", "given", "read"),
    [
        ("whole", 3, 3),
        ("number", 3, 3),
        ("number", 0.1, Decimal("0.1")),
        ("number", 2.0, 2),
        ("number", np.float64(0.1), Decimal("0.1")),
        ("number", Decimal("1.50"), Decimal("1.5")),
        (
            "number",
            Decimal("0.1234567890123456789012345678901234"),
            Decimal("0.1234567890123456789012345678901234"),
        ),
        ("number", Decimal("1e40"), 10**40),
        ("text", "", ""),
        ("flag", False, False),
        ("day", "2026-02-28", "2026-02-28"),
        ("colour", "dark_green", "dark_green"),
        ("colour", "Dark Green", "dark_green"),
        ("colour", "VERDE", "dark_green"),
        ("colour", None, None),
        ("list", ["rosso", "blue"], ["red", "blue"]),
        ("by", {"blue": [1], "Rosso": [2, 3], "verde": None}, {"red": [2, 3], "blue": [1]}),
        ("city", {"name": "a"}, {"coins": None, "name": "a", "cards": []}),
        ("city", None, {"coins": None, "name": "?", "cards": []}),
    ],
)
def test_read(name: str, given: Any, read: Any) -> None:
    value = EVALUATOR.answer("turn", {name: given})[name]
    assert value == read
    assert type(value) is type(read)


@pytest.mark.parametrize(
    ("state", "finding"),
    [
        ({"whole": True}, "state.whole: found true, wanted whole number"),
        ({"whole": 2.0}, "state.whole: found 2.0, wanted whole number"),
        ({"whole": "2"}, 'state.whole: found "2", wanted whole number'),
        ({"number": False}, "state.number: found false, wanted number"),
        ({"number": float("nan")}, "state.number: found NaN, wanted number"),
        ({"number": float("inf")}, "state.number: found Infinity, wanted number"),
        ({"number": Decimal("1e5000")}, "state.number: found 1E+5000, wanted number of at most 34 digits"),
        (
            {"number": Decimal("0.12345678901234567890123456789012345")},
            "state.number: found 0.12345678901234567890123456789012345, wanted number of at most 34 digits",
        ),
        ({"number": Decimal("1e-7000")}, "state.number: found 1E-7000, wanted number of at most 34 digits"),
        ({"whole": np.int64(3)}, 'state.whole: found "3 (int64)", wanted whole number'),
        ({"flag": 1}, "state.flag: found 1, wanted boolean"),
        ({"day": "2026-02-30"}, 'state.day: found "2026-02-30", wanted date'),
        ({"text": 1}, "state.text: found 1, wanted text"),
        ({"colour": 1}, "state.colour: found 1, wanted colour"),
        ({"colour": "reed"}, 'state.colour: found "reed", wanted colour; did you mean "red"?'),
        ({"warm": "blue"}, 'state.warm: found "blue", wanted warm'),
        ({"age": 4}, "state.age: found 4, wanted whole number [1..3]"),
        ({"age": "x"}, 'state.age: found "x", wanted whole number'),
        ({"list": ["red", None]}, "state.list[1]: found null, wanted colour"),
        ({"list": "red"}, 'state.list: found "red", wanted list of colour'),
        ({"list": ["red", "blue", "pink"]}, 'state.list[2]: found "pink", wanted colour'),
        ({"by": {"pink": []}}, 'state.by.pink: found "pink", wanted colour'),
        ({"by": {"red": [1], "Rosso": [2]}}, 'state.by.Rosso: found "Rosso" twice, wanted each name once'),
        ({"by": {"red": [1, "2"]}}, 'state.by.red[1]: found "2", wanted whole number'),
        ({"ciy": 1}, 'state.ciy: found the unknown key "ciy", wanted a key; did you mean "city"?'),
        ({"city": {"q": 1}}, 'state.city.q: found the unknown key "q", wanted one of coins, name, cards'),
        ({"city": {"name": "a", "coins": 9}}, "state.city.coins: found 9, wanted whole number [1..3]"),
        ({"city": {}}, "state.city.name: found nothing, wanted text"),
        ({"city": {"name": None}}, "state.city.name: found nothing, wanted text"),
        ({"city": []}, "state.city: found [], wanted city"),
    ],
)
def test_refused(state: dict[str, Any], finding: str) -> None:
    with pytest.raises(RecordError) as caught:
        EVALUATOR.answer("turn", state)
    assert str(caught.value) == finding


def test_findings__in_the_record_s_order() -> None:
    state = {"text": 1, "city": {"cards": ["x"], "what": 1, "name": "n"}, "whole": None, "age": 0}
    with pytest.raises(RecordError) as caught:
        EVALUATOR.answer("turn", state)
    assert [f.path for f in caught.value.findings] == [
        "state.text",
        "state.city.cards[0]",
        "state.city.what",
        "state.age",
    ]


def test_label_of_two_names() -> None:
    twice = vocabulary("colour", "a", "b", words={"a": "Uno", "b": "uno"})
    row = AnswerField("c", constant(1), WhenOpen.MERGED, None, CELL, CELL)
    made = ruleset(fields=[field("c", COLOUR)], vocabularies=[twice], asks=[ask("turn", row)])
    with pytest.raises(RecordError) as caught:
        Evaluator(made).answer("turn", {"c": "UNO"})
    assert str(caught.value) == 'state.c: found "UNO", which names a and b, wanted one of them by its id'


def test_not_allowed__a_field_without_default_wants_its_plain_type() -> None:
    refusing = books.evaluator("""
Input: parcel
  field | type | allowed
  weight | number | (0..30]

Ask: q ; main: yes
  role | name | is
  need | weight |
  answer | w | weight
""")
    with pytest.raises(RecordError, match=r"found 40, wanted number \(0\.\.30\]"):
        refusing.answer("q", {"weight": 40})
