"""Records, data, settings and the state: types, defaults, blank cells, restrictions."""

from __future__ import annotations

import pytest

from dtables.feel.types import describe
from dtables.model.constants import constant_of
from dtables.model.expressions import Constant, MakeRecord
from dtables.model.tables import Field, Record, Ruleset
from tests.checker.drawn import found, ruleset

WORDS = """
Types:
  name | names
  good | wood, clay
  colour | red, blue

Types:
  name | of | allowed
  age | whole number | [1..3]
  level | age | [1..2]
"""

COST = """
Record: cost
  field | type | default
  coins | number | 0
  wood | number | 0
  clay | number | 0
"""


def record(model: Ruleset, name: str) -> Record:
    return next(r for r in model.records if r.name == name)


def fields(of: Record) -> dict[str, Field]:
    return {f.name: f for f in of.fields}


def types(model: Ruleset, name: str) -> dict[str, str]:
    return {f.name: describe(f.type) for f in record(model, name).fields}


def rows(model: Ruleset, vocabulary: str) -> list[dict[str, object]]:
    (of,) = [v for v in model.vocabularies if v.name == vocabulary]
    return [{name: constant_of(value) for name, value in row.values} for row in of.rows]


def test_records__stored_fields_without_default_may_be_null() -> None:
    text = (
        WORDS
        + """
Record: house
  field | type | default | is
  at | number | |
  owner | colour | red |
  guests | list of colour | [] |
  twice | number? | | at * 2
  empty | boolean | | guests = []
"""
    )
    assert types(ruleset(text), "house") == {
        "at": "number?", "owner": "colour", "guests": "list of colour", "twice": "number?",
        "empty": "boolean",
    }  # fmt: skip


def test_records__readable_by_a_vocabulary() -> None:
    model = ruleset(WORDS + COST)
    assert record(model, "cost").readable_by == ("good",)
    mixed = COST.replace("clay | number | 0", 'clay | text | ""')
    assert record(ruleset(WORDS + mixed), "cost").readable_by == ()


def test_records__a_claim_that_does_not_hold() -> None:
    text = WORDS + COST.replace("Record: cost", "Record: cost ; readable by: colour")
    assert found(text) == [("B11 not-readable: `cost` is not readable by "
"`colour`: it has no field of one type for each name")]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a | number | 1 | 2", "C5 computed-and-stored: `a` is computed, so it needs no default"),
        ("a | | 1 |", "A5 field-without-type: the field `a` has no type"),
        ("a | numbr | 1 |", "B5 unknown-type: there is no type `numbr`"),
        ('a | number | "x" |', 'C5 type-mismatch: `"x"` is a text, but a number is wanted here'),
        ("a | number | b + 1 |", "C5 unknown-name: nothing here is called `b`"),
    ],
)
def test_records__wrong_fields(row: str, message: str) -> None:
    text = f"Record: s\n  field | type | default | is\n  b | number | 0 |\n  c | number | 0 |\n  {row}\n"
    assert found(text) == [message]


def test_data__columns_beside_a_record() -> None:
    text = (
        WORDS
        + COST
        + """
Record: card
  field | type | default | is
  points | number | 0 |
  rich | boolean | | points > 2

Data: card ; key: card
  key | age | number | cost | cost | colour | list of good
  card | age | points | cost.wood | cost.coins | colour | makes
  mill | 1 | | 1 | | red | wood, clay
  hall | 3 | 3 | | | | wood
  hut | 2 | 1 | | 4 | blue |
"""
    )
    model = ruleset(text)
    assert types(model, "card") == {
        "points": "number", "rich": "boolean", "age": "age", "cost": "cost?", "colour": "colour?",
        "makes": "list of good",
    }  # fmt: skip
    assert rows(model, "card")[0] == {
        "points": 0, "age": 1, "cost": {"coins": 0, "wood": 1, "clay": 0}, "colour": "red",
        "makes": ["wood", "clay"],
    }  # fmt: skip
    assert [row["cost"] for row in rows(model, "card")] == [
        {"coins": 0, "wood": 1, "clay": 0}, None, {"coins": 4, "wood": 0, "clay": 0},
    ]  # fmt: skip
    assert [row["colour"] for row in rows(model, "card")] == ["red", None, "blue"]
    assert rows(model, "card")[2]["makes"] == []


def test_data__a_column_without_blanks_is_never_null() -> None:
    text = (
        'Data: thing ; key: thing\n  key | number | text\n  thing | worth | said\n  a | 1 | "x"\n  b | 2 |\n'
    )
    assert types(ruleset(text), "thing") == {"worth": "number", "said": "text?"}


def test_data__without_key_is_a_list_by_name() -> None:
    text = (
        WORDS
        + """
Data: step
  number | colour
  worth | colour
  1 | red
  2 | blue

Formulas: f
  name | type | is
  all | number | total(step.worth)
"""
    )
    model = ruleset(text)
    assert [(d.heading.name, d.record, len(d.rows)) for d in model.data] == [("step", "step", 2)]


def test_data__nested_columns_must_have_a_field() -> None:
    text = (
        WORDS
        + COST
        + (
            "\nData: card ; key: card\n  key | cost | number | number\n"
            "  card | cost.gold | a | b.c\n  x | 1 | 2 | 3\n"
        )
    )
    assert found(text) == [
        "B19 nested-column: cost has no stored field `gold`",
        "D19 nested-column: `b` is number, which has no fields to fill",
    ]


def test_data__values_a_type_does_not_allow() -> None:
    text = WORDS + (
        "\nData: card ; key: card\n  key | age | list of age\n"
        "  card | age | ages\n  x | 4 | 1, 9\n  y | 3 | 2\n"
    )
    assert found(text) == ["B14 not-allowed: this is no age", "C14 not-allowed: this is no age"]


def test_data__restrictions_of_restrictions() -> None:
    text = WORDS + "\nData: card ; key: card\n  key | level\n  card | level\n  x | 3\n"
    assert found(text) == ["B14 not-allowed: this is no level"]


def test_data__a_cell_that_reads_the_turn() -> None:
    text = (
        "Input:\n  field | type\n  age | number\n\nData: d ; key: d\n  key | number\n  d | a\n  x | age + 1\n"
    )
    assert found(text) == ["B8 not-constant: this cell must say the same in every turn"]


def test_data__a_field_that_is_told_of_twice_has_one_type() -> None:
    text = "Record: d\n  field | type\n  a | text\n\nData: d ; key: d\n  key | number\n  d | a\n  x | 2\n"
    assert found(text) == [
        "B6 two-types: the column says number, but the field `a` is text",
        "B8 type-mismatch: `2` is a whole number, but a text is wanted here",
    ]


def test_data__a_field_is_one_column_or_several_below_it() -> None:
    text = WORDS + COST + "\nData: d ; key: d\n  key | cost | cost\n  d | cost | cost.wood\n  x | | 1\n"
    assert found(text) == ["B19 double-column: there is a column `cost` already"]


def test_data__a_computed_field_has_no_column() -> None:
    text = (
        "Record: d\n  field | type | is\n  a | number | 1\n\n"
        "Data: d ; key: d\n  key | number\n  d | a\n  x | 2\n"
    )
    assert found(text) == ["B7 computed-and-stored: `a` is computed, so no column can give it"]


# -- settings ------------------------------------------------------------------------------------

LEVELS = """
Settings: level ; key: level ; inherit: left
  number | base | easy | hard
  nudge | 0 | 1 |
  ages | | 1 | 1, 2
  cap | 3, 4 | | 5, 5
"""


def test_levels__are_a_vocabulary_with_a_record() -> None:
    model = ruleset(LEVELS)
    assert [n.id for n in model.vocabularies[0].names] == ["base", "easy", "hard"]
    assert types(model, "level") == {"nudge": "number", "ages": "list of number", "cap": "list of number"}
    assert rows(model, "level") == [
        {"nudge": 0, "ages": [], "cap": [3, 4]},
        {"nudge": 1, "ages": [1], "cap": [3, 4]},
        {"nudge": 1, "ages": [1, 2], "cap": [5, 5]},
    ]


def test_levels__with_types_and_named_columns() -> None:
    text = (
        WORDS
        + """
Settings: tier
  parameter | type | level | level
  | | low | high
  paint | colour | red |
  ages | list of age | 1, 2 | 3
"""
    )
    model = ruleset(text)
    assert types(model, "tier") == {"paint": "colour?", "ages": "list of age"}
    assert rows(model, "tier") == [{"paint": "red", "ages": [1, 2]}, {"paint": None, "ages": [3]}]


SWITCHES = """
Settings: house rules ; overridden by: state.house_rules
  switch | default | other values | text it
  COST | NOMINAL | EFFECTIVE | costo
  SHOW | NO | YES, SOME |
"""


def test_switches__values_default_first() -> None:
    model = ruleset(SWITCHES)
    (switches,) = model.switches
    assert switches.field == "house_rules"
    assert [(r.name, r.default, [n.id for n in r.values.names]) for r in switches.rules] == [
        ("COST", "NOMINAL", ["NOMINAL", "EFFECTIVE"]), ("SHOW", "NO", ["NO", "YES", "SOME"]),
    ]  # fmt: skip
    assert switches.rules[0].words == (("it", "costo"),)


def test_switches__a_record_may_override_them() -> None:
    model = ruleset(SWITCHES)
    (field,) = model.input.state.fields
    assert (field.name, describe(field.type)) == ("house_rules", "switch house_rules?")
    assert types(model, "switch house_rules") == {"COST": "switch COST?", "SHOW": "switch SHOW?"}


def test_switches__are_read_by_name() -> None:
    text = SWITCHES + "\nFormulas: f\n  name | type | is\n  dear | boolean | COST = EFFECTIVE or SHOW = NO\n"
    assert found(text) == []


def test_switches__need_a_default() -> None:
    assert found("Settings: s\n  switch | default | other values\n  A | | B\n") == [
        "A3 switch-without-default: the switch `A` has no default"
    ]


# -- the state -----------------------------------------------------------------------------------

STATE = (
    WORDS
    + """
Record: side
  field | type | default
  who | colour |
  coins | number | 3
  goods | list of good | []

Input:
  field | type | default | fixed | allowed | label it
  age | age | | | | Epoca
  mine | side | {} | who: red | |
  theirs | side | {coins: 5} | who: blue | |
  hand | list of good | wood | | |
  last | good | null | | |
  dice | number | 1 | | [1..6] |
"""
)


def test_state__types_and_defaults() -> None:
    state = fields(ruleset(STATE).input.state)
    assert {name: describe(f.type) for name, f in state.items()} == {
        "age": "age?", "mine": "side", "theirs": "side", "hand": "list of good", "last": "good?",
        "dice": "number",
    }  # fmt: skip
    assert state["age"].words == (("it", "Epoca"),)
    assert state["dice"].allowed is not None
    defaults = {name: f.default for name, f in state.items() if f.default is not None}
    assert {name: constant_of(value) for name, value in defaults.items()} == {
        "mine": {"who": "red", "coins": 3, "goods": []}, "theirs": {"who": "blue", "coins": 5, "goods": []},
        "hand": ["wood"], "last": None, "dice": 1,
    }  # fmt: skip
    assert isinstance(defaults["mine"], MakeRecord) and isinstance(defaults["last"], Constant)


def test_state__fixed_fields_are_never_null() -> None:
    model = ruleset(STATE)
    assert types(model, "side")["who"] == "colour"
    assert [(f.input, f.field, constant_of(f.value)) for f in model.input.fixed] == [
        ("mine", "who", "red"), ("theirs", "who", "blue"),
    ]  # fmt: skip


def test_state__fixed_fields_that_are_not_there() -> None:
    text = STATE.replace("who: blue", "hwo: blue").replace("[1..6]", "[1..6")
    assert [line.split(":")[0] for line in found(text)] == ["D21 fixed-field", "E24 unclosed-bracket"]


@pytest.mark.parametrize(
    "allowed",
    [
        "[0..count(each colour) + 1]",
        "<= 2 * count(each colour)",
        "(count(each colour) - 1), 7",
        "not(-count(each colour))",
    ],
)
def test_restricted__by_what_only_a_turn_can_tell(allowed: str) -> None:
    """Cells are not held to it."""
    text = f"""
Types: names
  name | names
  colour | red, green

Types: restricted
  name | of | allowed
  few | whole number | {allowed}

Data: box ; key: box
  key | few
  box | size
  a | 2
"""
    assert found(text) == []


def test_state__defaults_must_be_allowed() -> None:
    text = WORDS + "\nInput:\n  field | type | default\n  age | age | 7\n"
    assert found(text) == ["C13 not-allowed: this is no age"]


def test_state__several_tables_are_one() -> None:
    text = (
        "Input: a\n  field | type | default\n  x | number | 1\n\nInput: b\n"
        "  field | type | default\n  y | number | 1\n  x | text | 2\n"
    )
    assert found(text) == ["A8 name-taken: `x` is taken"]


def test_state__maps_by_vocabulary() -> None:
    text = WORDS + (
        "\nInput:\n  field | type | default\n  stock | number by good | {}\n"
        "\nFormulas: f\n  name | type | is\n  w | number? | stock(wood)\n"
    )
    assert describe(fields(ruleset(text).input.state)["stock"].type) == "number by good"


# -- nothing is dropped --------------------------------------------------------------------------


def test_data__needed_fields_are_never_blank() -> None:
    text = (
        "Record: d\n  field | type | default\n  a | number | needed\n\n"
        "Data: d ; key: d\n  key | number | number\n  d | a | b\n  x | | 1\n  y | 2 |\n"
    )
    assert found(text) == ["B8 blank-needed: `a` may not be blank"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Record: r\n  field | type | default | fixed\n  a | number | 1 | b: 3\n", "D3 unread"),
        ("Data: d ; key: d\n  number\n  a\n  1\n", "B1 unread"),
        ("Settings: s\n  switch | default | other values | type\n  A | B | C | number\n", "D3 unread"),
        ("Settings: s ; inherit: left\n  switch | default | other values\n  A | B | C\n", "B1 unread"),
        ("Types:\n  name | names | allowed\n  a | x, y | x\n", "C3 unread"),
        ("Types:\n  name | names | of\n  a | x | number\n", "B3 unread"),
        ("Decision: d ; priorities: 1, 2\n  then\n  n\n  1\n", "B1 unread"),
    ],
)
def test_cells__that_nothing_reads(text: str, code: str) -> None:
    assert [line.split(":")[0] for line in found(text)] == [code]


def test_vocabularies__badges_beside_their_names() -> None:
    text = (
        "Types:\n  name | names | colour | letter | letter it | label it\n"
        "  paint | red, blue | #c00, #00c | R, B | Ro, Bl | colore\n"
    )
    (paint,) = ruleset(text).vocabularies
    badges = [(n.badge.colour, n.badge.letter) for n in paint.names if n.badge is not None]
    assert badges == [("#c00", (("", "R"), ("it", "Ro"))), ("#00c", (("", "B"), ("it", "Bl")))]
    assert paint.words == (("it", "colore"),)
    assert found(text.replace("R, B", "R")) == ["D3 badges: there are 2 names and 1 of these"]
