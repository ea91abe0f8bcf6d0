"""Checked expressions are worth what an author expects: from drawn cells to the evaluator's answer."""

from __future__ import annotations

from typing import Any

import pytest

from dtables.checker import check_book
from dtables.diagnostics import Severity, render
from dtables.evaluator import Evaluator
from dtables.records.findings import RecordError, RuleError
from tests.support.drawing import book_text

BOOK = """
Types:
  name | names
  colour | red, green, blue
  kind | raw, fine

Record: cost
  field | type | default
  coins | whole number | 0
  wood | whole number | 0
  clay | whole number | 0

Data: resource ; key: resource
  key | kind
  resource | kind
  wood | raw
  clay | fine

Data: card ; key: card
  key | colour | cost | whole number
  card | colour | cost.wood | points
  forum | red | 2 | 3
  mine | green | 0 | 1
  temple | blue | 1 |

Record: city
  field | type | is | default
  cards | list of card | | []
  coins | number | |
  patron | card | |
  rich | boolean | coins != null and coins > 3 |

Input: state
  field | type | default
  age | whole number |
  solo | city | {}
  decks | list of card by colour | {}
  wanted | card |

Formulas: all
  name | type | is
  worth | TYPE | TEXT
"""

STATE: dict[str, Any] = {
    "age": 2,
    "solo": {"cards": ["forum", "temple"], "coins": 5},
    "decks": {"red": ["forum"], "blue": []},
}


def value_of(text: str, type_: str, state: dict[str, Any] | None = None) -> Any:
    drawing = BOOK.replace("TYPE", type_).replace("TEXT", text)
    book, told = book_text(drawing)
    assert render(told) == ""
    model, found = check_book(book)
    assert render(d for d in found if d.severity is Severity.ERROR) == ""
    assert model is not None
    return Evaluator(model).call("worth", STATE if state is None else state)


@pytest.mark.parametrize(
    ("text", "type_", "value"),
    [
        ("age * 2 + 1", "whole number", 5),
        ("solo.cards.points = [3, null]", "boolean", True),
        ("solo.cards.colour", "list of colour", ["red", "blue"]),
        ("(for c in solo.cards return [c]) = []", "boolean", False),
        ("(for c in solo.cards return [c]) = [[forum], [temple]]", "boolean", True),
        ("count(if age = 2 then (for c in solo.cards return [c]) else [[]])", "whole number", 2),
        ("(for c in solo.cards return c.colour) = []", "boolean", False),
        ("solo.cards[colour = red]", "list of card", ["forum"]),
        ("solo.cards[points != null].points", "list of whole number", [3]),
        ("solo.cards[points = null][1]", "card?", "temple"),
        ("each card[cost.wood > 0]", "list of card", ["forum", "temple"]),
        ("total(for r in each resource return forum.cost(r))", "whole number", 2),
        ("decks(red)", "list of card?", ["forum"]),
        ("decks(green)", "list of card?", None),
        ("decks(solo.cards[1].colour)", "list of card?", ["forum"]),
        ("if decks(green) = null then 0 else count(decks(green))", "whole number", 0),
        ("count(decks(red))", "whole number", 1),
        ("context(for r in each resource return {key: r, value: forum.cost(r)})", "whole number by resource",
         {"wood": 2, "clay": 0}),
        ("context(for r in each resource return {key: r, value: forum.cost(r)})(wood)", "whole number?", 2),
        ("{wood: 3}.wood", "whole number", 3),
        ("{coins: 1, wood: age}", "cost", {"coins": 1, "wood": 2, "clay": 0}),
        ("{red: [forum], blue: []}", "list of card by colour", {"red": ["forum"], "blue": []}),
        ("[forum, mine][item in solo.cards][1]", "card?", "forum"),
        ("sort(each card[points != null], function(a, b) a.points < b.points)", "list of card",
         ["mine", "forum"]),
        ("for i in 1..4 return if i < 3 then 1 else partial[-1] + partial[-2]", "list of whole number",
         [1, 1, 2, 3]),
        ("some c in solo.cards satisfies c.colour = blue", "boolean", True),
        ("every c in solo.cards satisfies c.points != null and c.points > 1", "boolean", False),
        ("solo.rich", "boolean", True),
        ("solo.patron.points", "whole number?", None),
        ("if solo.patron = null then age else solo.patron.cost.wood", "whole number", 2),
        ("wanted in solo.cards", "boolean", False),
        ("wanted = null or wanted.points > 3", "boolean", True),
        ("forum in solo.cards and not(mine in solo.cards)", "boolean", True),
        ("age in [1..2]", "boolean", True),
        ("age between 3 and 4", "boolean", False),
        ("age in (1, > 4)", "boolean", False),
        ("concatenate([red], solo.cards.colour)", "list of colour", ["red", "red", "blue"]),
        ("distinct values(concatenate([red], solo.cards.colour))", "list of colour", ["red", "blue"]),
        ("index of(each colour, blue)[1]", "whole number?", 3),
        ("for c in solo.cards return for r in each resource return c.cost(r)",
         "list of list of whole number", [[2, 0], [1, 0]]),
        ('string join(for c in solo.cards return "x", "-")', "text", "x-x"),
        ("(function(a: number, b: number) a - b)(b: 1, a: age)", "number", 1),
        ('@"2026-11-18".year', "whole number", 2026),
        ("[1, 2, 3][-1]", "whole number?", 3),
        ("[1, 2, 3][4]", "whole number?", None),
        ("2 ** 3", "whole number", 8),
        ("red instance of colour", "boolean", True),
        ("forum = mine", "boolean", False),
    ],
)  # fmt: skip
def test_value(text: str, type_: str, value: object) -> None:
    assert value_of(text, type_) == value


def test_value__a_guard_is_an_error_with_its_cell() -> None:
    with pytest.raises(RuleError) as caught:
        value_of("temple.points + 1", "whole number")
    assert caught.value.where is not None
    assert caught.value.where.cell.address == "C41"


def test_value__items_that_must_not_be_null() -> None:
    assert value_of("solo.cards[colour = red].points", "list of whole number") == [3]
    with pytest.raises(RuleError):
        value_of("solo.cards.points", "list of whole number")


def test_value__a_missing_input_field_rejects_the_record() -> None:
    for text, type_, path in (
        ("age + 1", "whole number", "age"),
        ("wanted.cost.wood + 1", "whole number", "wanted"),
        ("if solo.rich then wanted else forum", "card", "wanted"),
    ):
        with pytest.raises(RecordError) as caught:
            value_of(text, type_, {"solo": {"coins": 9}})
        assert caught.value.path.endswith(path)
