"""Asks, checks, examples, pages: the tables that look at a turn."""

from __future__ import annotations

import pytest

from dtables.feel.types import describe
from dtables.model.constants import constant_of
from dtables.model.tables import (
    AnswerField,
    Ask,
    Consistency,
    Counted,
    Draw,
    Need,
    Step,
    Stop,
    WhenOpen,
)
from tests.checker.drawn import diagnostics, found, ruleset

STATE = """
Types:
  name | names
  colour | red, green, blue
  side | north, south

Record: card
  field | type | default
  colour | colour | red
  points | number |

Record: city
  field | type | default
  who | side |
  cards | list of card | []
  paint | colour |

Input:
  field | type | default | fixed
  age | number | |
  north | city | {} | who: north
  south | city | {} | who: south
  hand | list of card | [] |
  decks | list of colour by side | {} |
  drawn | colour | |
  picked | list of colour | [] |
"""


def ask(text: str, name: str = "turn") -> Ask:
    return next(a for a in ruleset(STATE + text).asks if a.heading.name == name)


def lines(text: str) -> list[str]:
    return [line.split(":")[0] for line in found(STATE + text)]


# -- asks ------------------------------------------------------------------------------------------

TURN = """
Ask: turn ; main: yes
  role | name | is | type | recorded in | when open | text it
  need | age | | | | |
  need some | hand | age > 1 | | | |
  step | best | hand[points = max(hand.points)] | | | |
  step | worth(c: card) | if c.points = null then 0 else c.points | number | | |
  draw | card | best | | drawn by colour | | a caso
  stop | | age > 9 | | | |
  answer | colour | card.colour | | | |
  answer | points | if card = null then 0 else worth(card) | | | null |
  answer | next | age + 1 | | | [1, 2] |
"""


def test_asks__rows_in_order() -> None:
    turn = ask(TURN)
    assert turn.main
    assert [type(row) for row in turn.rows] == [
        Need, Need, Step, Step, Draw, Stop, AnswerField, AnswerField, AnswerField,
    ]  # fmt: skip
    need, some = turn.rows[0], turn.rows[1]
    assert isinstance(need, Need) and isinstance(some, Need)
    assert (str(need.place), need.some, need.when) == ("state.age", False, None)
    assert some.some and some.when is not None


def test_asks__draws() -> None:
    draw = ask(TURN).rows[4]
    assert isinstance(draw, Draw)
    assert (draw.variable.name, describe(draw.variable.type)) == ("card", "card?")
    assert (str(draw.recorded), draw.by, draw.words) == ("state.drawn", "colour", (("it", "a caso"),))


def test_asks__answers() -> None:
    answers = [row for row in ask(TURN).rows if isinstance(row, AnswerField)]
    assert [(a.name, a.when_open) for a in answers] == [
        ("colour", WhenOpen.MERGED), ("points", WhenOpen.NULL), ("next", WhenOpen.LISTED),
    ]  # fmt: skip
    assert answers[2].listed is not None and constant_of(answers[2].listed) == [1, 2]


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("neeed | age |", "A31 unknown-ask-role"),
        ("need | ages |", "B31 unknown-place"),
        ("need | north.coins |", "B31 unknown-place"),
        ("need | age.x |", "B31 nothing-below"),
        ("need some | age |", "B31 need-some"),
        ("step | hand | 3", "B31 hides"),
        ("step | a |", "A31 incomplete-row"),
        ("draw | a | 3", "C31 draw-from-no-list"),
        ("draw | a | null", "C31 draw-from-no-list"),
        ("answer | x | 3", "B31 double-answer"),
        ("answer | any_of | 3", "B31 double-answer"),
        ("stop | a | age > 1", "B31 means-nothing"),
        ("stop | | age", "C31 type-mismatch"),
    ],
)
def test_asks__wrong_rows(row: str, code: str) -> None:
    text = f"\nAsk: a\n  role | name | is\n  need | age |\n  answer | x | 1\n  {row}\n"
    assert lines(text) == [code]


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("draw | a | hand | drawn by points |", "D31 recorded-differs"),
        ("draw | a | hand | drawn |", "D31 recorded-differs"),
        ("draw | a | hand | drawn by size |", "D31 unknown-place"),
        ("step | a | hand | drawn |", "D31 means-nothing"),
        ("draw | a | hand | | 3", "E31 means-nothing"),
        ("answer | z | 1 | | [red]", "E31 type-mismatch"),
    ],
)
def test_asks__wrong_columns(row: str, code: str) -> None:
    text = (
        f"\nAsk: a\n  role | name | is | recorded in | when open\n"
        f"  need | age | | |\n  answer | x | 1 | |\n  {row}\n"
    )
    assert [line.split()[0] + " " + line.split()[1] for line in lines(text)][:1] == [code]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            "stop | a | age > 1 | |",
            "`name` means nothing in a row `stop`, only in need and step and draw and answer and next",
        ),
        ("step | b | hand | drawn |", "`recorded in` means nothing in a row `step`, only in draw"),
        ("draw | b | hand | | 3", "`when open` means nothing in a row `draw`, only in answer"),
    ],
)
def test_asks__what_means_nothing_is_said_with_where_it_means_something(row: str, message: str) -> None:
    head = (
        "\nAsk: a\n  role | name | is | recorded in | when open\n  need | age | | |\n  answer | x | 1 | |\n"
    )
    assert message in [line.split(": ", 1)[1] for line in found(STATE + f"{head}  {row}\n")]


def test_asks__later_rows_read_earlier_ones() -> None:
    text = "\nAsk: a\n  role | name | is\n  answer | x | late\n  step | late | 1\n"
    assert lines(text) == ["C29 unknown-name"]


def test_asks__one_may_answer_inside_another() -> None:
    text = """
Ask: house(of: colour)
  role | name | is
  answer | colour | of

Ask: turn ; main: yes
  role | name | is
  answer | house | house(red)
"""
    assert lines(text) == []
    assert lines(
        text.replace("answer | house | house(red)", "step | h | house(red)\n  answer | x | h.colour")
    )[0] == ("C33 ask-outside-answer")


def test_asks__the_same_name_as_a_formula() -> None:
    text = "\nFormulas: f\n  name | is\n  need | 3\n\nAsk: need\n  role | name | is\n  answer | need | need\n"
    assert lines(text) == []


def test_asks__two_main_ones() -> None:
    text = (
        "\nAsk: a ; main: sì\n  role | name | is\n  answer | x | 1\n"
        "\nAsk: b ; main: yes\n  role | name | is\n  answer | x | 1\n"
    )
    assert lines(text) == ["A31 two-main-asks"]


@pytest.mark.parametrize(
    "value",
    ["twice + twice + once", "once + twice + twice", "twice + once + twice", "once + once + twice + other"],
)
def test_asks__fields_read_by_what_is_met_again(value: str) -> None:
    text = f"""
Input: state
  field | type
  a | number
  b | number

Formulas: sums
  name | is
  first | a + 0
  twice | first + first
  once | first + b
  other | twice + once

Ask: turn ; main: yes
  role | name | is
  answer | x | {value}
"""
    (warning,) = found(text)
    assert "may read `a`, `b`," in warning or "may read `b`, `a`," in warning


def test_asks__fields_that_no_need_row_asks_for() -> None:
    text = """
Formulas: f
  name | is
  later | age + 1
  seen | drawn != null and drawn = red

Ask: a
  role | name | is
  answer | x | later
  answer | y | seen
"""
    (problem,) = [d for d in diagnostics(STATE + text) if d.severity == "warning"]
    assert problem.code == "reads-without-need"
    assert problem.message == "`a` may read `age`, which a record may lack and no `need` row asks for"


# -- checks ----------------------------------------------------------------------------------------


def test_checks__counted() -> None:
    text = """
Checks: once
  # | places | only for | by | at most | ask | text en
  1 | north.cards, hand, south.cards | | colour | 2 | | too many
  2 | decks, picked | red, blue | | 1 | turn | twice

Ask: turn
  role | name | is
  answer | x | 1
"""
    (checks,) = ruleset(STATE + text).checks
    first, second = checks.rows
    assert isinstance(first, Counted) and isinstance(second, Counted)
    assert [str(p) for p in first.places] == ["state.north.cards", "state.hand", "state.south.cards"]
    assert (describe(first.item.type), first.at_most, first.asks, first.words) == (
        "card", 2, (), (("en", "too many"),),
    )  # fmt: skip
    assert (describe(second.item.type), len(second.only_for), second.asks) == ("colour", 2, ("turn",))


def test_checks__consistency() -> None:
    text = """
Checks: sound
  ask | each | wrong if | at | text it
  | north.cards, hand | points != null and points > 9 and this.colour = red | points | troppi
  | decks | item = red and key = north | |
  | north, south | paint = red and who = south | paint |
  | | count(hand) > 9 | hand | troppe
"""
    (checks,) = ruleset(STATE + text).checks
    rows = [row for row in checks.rows if isinstance(row, Consistency)]
    assert [row.at for row in rows] == [("points",), (), ("paint",), ("hand",)]
    assert [row.item is not None for row in rows] == [True, True, True, False]
    assert [row.key is not None for row in rows] == [False, True, False, False]
    assert [row.number for row in rows] == ["1", "2", "3", "4"]
    assert [row.position is not None for row in rows] == [True, True, False, False]


def test_checks__position_is_known_in_lists_only() -> None:
    assert lines("\nChecks: c\n  each | wrong if\n  hand | position > 3\n") == []
    (found,) = lines("\nChecks: c\n  each | wrong if\n  north, hand | position > 3\n")
    assert "unknown-name" in found or "places-differ" in found
    (found,) = lines("\nChecks: c\n  each | wrong if\n  north | position > 3\n")
    assert "unknown-name" in found


@pytest.mark.parametrize(
    ("header", "row", "code"),
    [
        ("places | by | at most", "north.crads | item | 1", "A29 unknown-place"),
        ("places | by | at most", "hand, picked | item | 1", "A29 places-differ"),
        ("places | by | at most", "hand | size | 1", "B29 unknown-name"),
        ("places | by | at most", "hand | points | many", "C29 at-most"),
        ("places | by | at most", "| points | 1", "A29 incomplete-row"),
        ("each | wrong if | at", "hand | points | points", "B29 type-mismatch"),
        ("each | wrong if | at", "hand | points = 1 | size", "C29 unknown-place"),
        ("each | wrong if | at", "picked | item = red | size", "C29 nothing-below"),
        ("ask | wrong if | at", "tunr | age = 3 | age", "A29 unknown-ask"),
        ("ask | at", "| age", "A27 form-of-checks"),
    ],
)
def test_checks__wrong(header: str, row: str, code: str) -> None:
    text = f"\nChecks: c\n  {header}\n  {row}\n"
    address, name = code.split()
    assert [line.split()[1] for line in lines(text)] == [name]
    assert lines(text)[0].split()[0][0] == address[0]


# -- examples --------------------------------------------------------------------------------------

EXAMPLES = (
    TURN
    + """
Examples: of turns ; ask: turn
  # | given | given | given | given | expect | expect any_of | rejected at | text en
  | age | north.cards | hand | decks | colour | colour | |
  a | 1 | [{colour: red}] | [{points: 2, colour: "blue"}] | {north: [red, blue]} | blue | | | plain
  b | 2 | | | | null | red, blue | | chance
  c | 2 | purple | | | | | state.north.cards[0] | wrong
"""
)


def test_examples__of_an_ask() -> None:
    (examples,) = ruleset(STATE + EXAMPLES).examples
    assert (examples.ask, examples.table) == ("turn", None)
    a, b, c = examples.rows
    assert a.given == {
        "age": 1, "north": {"cards": [{"colour": "red"}]}, "hand": [{"points": 2, "colour": "blue"}],
        "decks": {"north": ["red", "blue"]},
    }  # fmt: skip
    assert [(e.name, e.value) for e in a.expected] == [("colour", "blue")]
    assert (a.any_of, a.words) == ((), (("en", "plain"),))
    assert [(e.name, e.value) for e in b.expected] == [("colour", None)]
    assert [(e.name, e.value) for e in b.any_of] == [("colour", ["red", "blue"])]
    assert (c.given, c.rejected) == ({"age": 2, "north": {"cards": ["purple"]}}, "state.north.cards[0]")


def test_examples__of_a_table() -> None:
    text = """
Formulas: f
  name | type | is
  worth(c: card, twice: boolean) | number | age + (if twice then 2 else 1)

Glossary:
  kind | id | label it
  colour | red | Rosso

Examples: worth ; table: worth
  given | given | given | expect
  c | twice | age | worth
  {colour: Rosso} | sì | 3 | 5
"""
    (examples,) = ruleset(STATE + text).examples
    (row,) = examples.rows
    assert row.arguments == (("c", {"colour": "red"}), ("twice", True))
    assert (row.given, [(e.name, e.value) for e in row.expected]) == ({"age": 3}, [(None, 5)])


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("[[red, blue]]", [["red", "blue"]]),
        ("[red, blue], [red]", [["red", "blue"], ["red"]]),
        ("[null]", [None]),
        ("null", None),
        ("[]", []),
    ],
)
def test_examples__lists_of_lists_and_nulls(cell: str, value: object) -> None:
    text = f"""
Formulas: f
  name | type | is
  lists(c: colour) | list of ((list of colour)?)? | if c = red then [null] else null

Examples: lists ; table: lists
  given | expect
  c | lists
  red | {cell}
"""
    (examples,) = ruleset(STATE + text).examples
    assert [e.value for e in examples.rows[0].expected] == [value]


@pytest.mark.parametrize(
    ("marker", "names", "row", "code"),
    [
        ("Examples: e", "age | colour", "1 | red", "example-of-what"),
        ("Examples: e ; ask: trun", "age | colour", "1 | red", "unknown-ask"),
        ("Examples: e ; table: trun", "age | colour", "1 | red", "unknown-table"),
        ("Examples: e ; ask: turn", "aeg | colour", "1 | red", "unknown-place"),
        ("Examples: e ; ask: turn", "age | colours", "1 | red", "unknown-answer"),
        ("Examples: e ; ask: turn", "age | colour", "1 + 1 | red", "no-literal"),
        ("Examples: e ; ask: turn", "age | colour", "1 | rde", "unknown-name"),
        ("Examples: e ; ask: turn", "age | colour", "red | red", "name-for-no-vocabulary"),
        ("Examples: e ; ask: turn", "age | colour", "1 |", "expects-nothing"),
        ("Examples: e ; ask: turn", "hand | colour", "[{color: red}] | red", "unknown-place"),
        ("Examples: e ; ask: turn", "decks | colour", "{nort: [red]} | red", "unknown-place"),
    ],
)
def test_examples__wrong(marker: str, names: str, row: str, code: str) -> None:
    text = TURN + f"\n{marker}\n  given | expect\n  {names}\n  {row}\n"
    assert [line.split()[1] for line in lines(text)][:1] == [code]
    assert len(lines(text)) == 1 or code in ("unknown-answer", "unknown-place")


# -- pages -----------------------------------------------------------------------------------------


def test_pages__blocks_with_settings() -> None:
    text = (
        TURN
        + """
Pages: aid
  page | size | table | for | note it
  1 | A4 | turn | | ogni turno
  2 | tarot | turn | colour |
"""
    )
    (pages,) = ruleset(STATE + text).pages
    assert [(row.table, row.settings, row.words) for row in pages.rows] == [
        ("turn", (("face", "1"), ("size", "A4")), (("it", "ogni turno"),)),
        ("turn", (("face", "2"), ("size", "tarot"), ("for", "colour")), ()),
    ]


def test_pages__of_what_is_not_there() -> None:
    text = TURN + "\nPages: aid\n  page | table | for\n  1 | tunr |\n  1 | turn | colours\n"
    assert [line.split()[1] for line in lines(text)] == ["unknown-table", "unknown-vocabulary"]
