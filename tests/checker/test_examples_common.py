"""What the records of all rows of an Examples table have in common."""

from __future__ import annotations

from dtables.answers.examples import run_examples
from dtables.checker import check_book
from dtables.diagnostics import render
from dtables.model.tables import Example
from dtables.ruleset import Ruleset
from tests.support.drawing import book_text

WORLD = """
Types: words
  name | names
  good | salt, rope

Record: shop
  field | type
  open | boolean
  coins | number

Input: state
  field | type | default
  age | number | 1
  shop | shop |
  stock | number by good | {}

Ask: price ; main: yes
  role | name | is
  answer | price | age + (if shop.coins = null then 0 else shop.coins)

Examples: prices ; ask: price ; common: %s
  given | given | expect
  age | shop.coins | price
"""


def rows(common: str, *written: str) -> tuple[Ruleset, tuple[Example, ...]]:
    book, found = book_text(WORLD % common + "\n".join(written))
    model, more = check_book(book)
    assert model is not None, render((*found, *more))
    return Ruleset(model), model.examples[0].rows


def test_common__stands_in_every_record_and_cells_replace_it() -> None:
    rules, examples = rows(
        "{age: 4, shop: {open: yes, coins: 2}, stock: {salt: 1}}", "  | | 6", "  5 | | 7", "  | 9 | 13"
    )
    stock = {"salt": 1}
    assert [example.given for example in examples] == [
        {"age": 4, "shop": {"open": True, "coins": 2}, "stock": stock},
        {"age": 5, "shop": {"open": True, "coins": 2}, "stock": stock},
        {"age": 4, "shop": {"open": True, "coins": 9}, "stock": stock},
    ]
    assert all(not result.failures for result in run_examples(rules.model, (rules, rules.evaluator)))


def test_common__null_takes_a_field_out() -> None:
    _, examples = rows("{age: 4}", "  null | | 1")
    assert [example.given for example in examples] == [{"age": None}]


def test_common__is_checked_like_a_record() -> None:
    book, _ = book_text(WORLD % "{hue: 3}" + "  | | 6")
    _, unknown = check_book(book)
    assert [(d.code, d.where.cell.address) for d in unknown] == [("unknown-place", "C20")]
    book, _ = book_text(WORLD % "3" + "  | | 6")
    _, no_record = check_book(book)
    assert [(d.code, d.where.cell.address) for d in no_record] == [("no-literal", "C20")]


PARTS = """
Record: city
  field | type | default
  coins | number | 0
  goods | list of text | []

Input: state
  field | type | default
  city | city? | {}

Ask: turn ; main: yes
  role | name | is
  answer | coins | city.coins
  answer | goods | city.goods

Examples: the part first ; ask: turn
  given | given | expect | expect
  city.goods | city | coins | goods
  "salt" | {coins: 2} | 2 | "salt"
  "salt" | | 0 | "salt"
  "salt" | null | 0 | "salt"

Examples: the whole first ; ask: turn
  given | given | expect | expect
  city | city.goods | coins | goods
  {coins: 2, goods: ["wool"]} | "salt" | 2 | "salt"
  {coins: 2, goods: ["wool"]} | | 2 | "wool"
"""


def test_a_part_stands_in_its_whole__whichever_column_comes_first() -> None:
    book, found = book_text(PARTS)
    model, more = check_book(book)
    assert model is not None, render((*found, *more))
    rules = Ruleset(model)
    results = list(run_examples(model, (rules, rules.evaluator)))
    assert [result.failures for result in results] == [()] * 5
