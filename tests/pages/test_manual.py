"""What the manual says of answers and fields."""

from __future__ import annotations

from dtables.checker import check_book
from dtables.diagnostics import errors_in, render
from dtables.pages.manual import manual
from tests.pages.books import DEPOT, drawn
from tests.support.drawing import book_text

BOOK = """
Types:
  name | names
  colour | red, green, blue

Record: guess
  field | type | default
  colour | colour | needed
  sure | boolean |

Input: state
  field | type | default
  guesses | list of guess | []

Ask: turn ; main: yes
  role | name | is
  answer | all of them | for c in each colour return one(c)
  answer | first | if guesses = [] then null else one(red)

Ask: one(c: colour)
  role | name | is
  answer | colour | c
  answer | times | count(guesses[colour = c])
"""


def page() -> str:
    book, found = book_text(BOOK)
    model, more = check_book(book)
    assert not errors_in((*found, *more)), render((*found, *more))
    assert model is not None
    return manual(model, "en")


def test_manual__answers_of_other_asks() -> None:
    assert "| `all of them` | list of {colour: colour, times: whole number} |" in page()
    assert "| `first` | {colour: colour, times: whole number} |" in page()


def test_manual__fields_of_records_that_are_needed() -> None:
    assert "| `colour` | [colour](#colour) | needed |" in page()
    assert "| `sure` | boolean | unknown |" in page()


DRAWING = """
Types:
  name | names
  colour | red, green, blue

Input: state
  field | type
  drawn | colour
  unread | colour

Ask: turn ; main: yes
  role | name | is
  answer | inside | drawing([red, blue])

Ask: drawing(colours: list of colour)
  role | name | is | recorded in
  draw | one | colours | drawn
  answer | colour | one |
"""


def test_manual__recorded_draws_of_asks_answered_within() -> None:
    book, _ = book_text(DRAWING)
    model, found = check_book(book)
    assert model is not None, render(found)
    turn = manual(model, "en").partition("## turn")[2].partition("\n## ")[0]
    assert "| `drawn` | [colour](#colour) | optional |" in turn
    assert "`unread`" not in turn


def test_house_rules__say_what_their_values_mean() -> None:
    text = DEPOT.replace(
        "  term | Route |", "  switch WEIGH | ONCE | una volta sola | once only\n  term | Route |", 1
    )
    page = manual(drawn(text, "depot.xlsx"), "en")
    assert "| `WEIGH` | `ALWAYS`, `NEVER`, `ONCE`: once only | `ALWAYS` |" in page


def test_names__are_shown_with_their_help() -> None:
    text = DEPOT.replace("boolean | label it | label en", "boolean | label it | label en | help en")
    text = text.replace("no | Furgone | Van", "no | Furgone | Van | up to 3.5 tons")
    text = text.replace("colour | shape | letter\n", "colour | shape | letter | help en\n", 1)
    text = text.replace("red | red | shield | R", "red | red | shield | R | goes first")
    page = manual(drawn(text, "depot.xlsx"), "en")
    assert "| `van` | Furgone | Van | up to 3.5 tons |" in page
    assert "| `truck` | Camion | Lorry |  |" in page
    assert "| `red` | rossa | red | goes first |" in page


DEFAULTS = """
Types:
  name | names
  colour | red, green

Record: piece
  field | type | default
  size | number | 1
  paint | colour? |
  fits | range<number> | [1..3]

Input: state
  field | type | default
  colours | list of colour | each colour
  span | range<number> | (1..3]
  wide | piece | {fits: [1..4]}
  rate | number | 2.50
  share | number | 1 / 4
  below | number | -(3)
  day | date | @"2024-01-31"
  moment | date and time | @"2024-01-31T10:00:00"
  wait | days and time duration | @"P3D"
  text | text | "è così"
  sure | boolean | true
  colour | colour | red
  stock | number by colour | {red: 0.5}
  days | list of date | [@"2024-01-31"]
  piece | piece | {size: 3}
  pieces | list of piece | [{}, {size: 1, paint: red}]

Ask: turn ; main: yes
  role | name | is
  answer | rate | rate
"""


def test_manual__what_holds_for_a_field_that_is_absent() -> None:
    book, found = book_text(DEFAULTS)
    model, more = check_book(book)
    assert not errors_in((*found, *more)), render((*found, *more))
    assert model is not None
    state = manual(model, "en").split("## The state")[1].split("\n## ")[0]
    rows = [line.split(" | ") for line in state.splitlines()]
    absent = {row[0].strip("| `"): row[2].strip("`") for row in rows if len(row) > 3}
    assert {name: absent[name] for name in list(absent)[2:]} == {
        "colours": "[red, green]",
        "span": "(1..3]",
        "wide": "{fits: [1..4]}",
        "rate": "2.5",
        "share": "0.25",
        "below": "-3",
        "day": '"2024-01-31"',
        "moment": '"2024-01-31T10:00:00"',
        "wait": '"P3D"',
        "text": '"è così"',
        "sure": "true",
        "colour": "red",
        "stock": "{red: 0.5}",
        "days": '["2024-01-31"]',
        "piece": "{size: 3}",
        "pieces": "[{}, {paint: red}]",
    }
