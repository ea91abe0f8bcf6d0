"""A name is the same name with two spaces, or another kind of space, between its words."""

from __future__ import annotations

import re

import pytest

from dtables.checker import check_book
from dtables.diagnostics import Severity, overview
from dtables.model.tables import Ruleset as Model
from dtables.ruleset import Ruleset
from tests.support.drawing import book_text

DRAWN = """Types: names
 name | names
 my_tier | old_gold, silver

Record: my_rec
 field | type
 my_f | number

Data: my_data ; key: my_card
 key | my_tier | number
 my_card | my_tier | my_cost
 red_ace | old_gold | 3

Input: state
 field | type
 my_field | my_tier
 other_field | number
 my_map | number by my_tier
 a_card | my_card
 a_rec | my_rec

Settings: house rules
 switch | default | other values
 MY_SW | AA_A | BBB

Decision: my_fee(my_par: my_tier, my_n: number) -> number ; policy: first
 if | if | then
 my_par | my_n | r
 old_gold | > 3 | other_field
 - | - | my_n

Scale: my_scale(my_cands: list of my_card) ; others: last
 prefer | by
 highest | my_cost
 chance |

Matrix: my_matrix(my_tier) -> number
 key | value
 my_tier |
 old_gold | 1
 silver | 2

Formulas: my_sums
 name | type | is
 my_sum | number | my_fee(old_gold, 3) + a_rec.my_f + my_matrix(silver)

Ask: my_ask
 role | name | is
 need | my_field |
 need | a_card |
 need | a_rec |
 need | other_field |
 step | my_step | my_sum
 answer | my_answer | my_step + my_fee(my_field, 2)

Ask: second ; main: yes
 role | name | is
 need | a_card |
 next | my_ask |
 answer | x | a_card.my_cost

Checks: my_checks
 each | wrong if | ask
 a_card | item.my_cost > 9 | my_ask

Examples: my_ex ; table: my_fee
 given | given | expect
 my_par | my_n | my_fee
 old_gold | 1 | 1

Examples: more ; ask: my_ask
 given | given | given | given | expect
 my_field | a_card | a_rec.my_f | other_field | my_answer
 old_gold | red_ace | 1 | 1 | 8

Glossary: words
 kind | id | label it
 my_tier | old_gold | Oro
 field | my_field | Campo
 table | my_fee | Tariffa
 my_rec | my_f | Effe

Pages: print
 table | side | for
 my_fee | front | my_tier
 my_ex | front |
"""
NAMES = re.compile(r"(?<=[a-zA-Z])_(?=[a-zA-Z])")
"""Where a space inside a name stands."""


def model(text: str) -> Model:
    book, found = book_text(text)
    ruleset, more = check_book(book)
    assert ruleset is not None, overview(d for d in (*found, *more) if d.severity is Severity.ERROR)
    return ruleset


def test_every_kind_of_name_is_there() -> None:
    assert len(NAMES.findall(DRAWN)) > 80


@pytest.mark.parametrize("space", ["  ", "    ", "\u00a0", " \u00a0 ", "\t "])
def test_all_names_at_once(space: str) -> None:
    plain, spaced = model(NAMES.sub(" ", DRAWN)), model(NAMES.sub(space, DRAWN))
    assert [table.heading.name for table in spaced.tables] == [table.heading.name for table in plain.tables]
    state = {"my field": "old gold", "a card": "red ace", "a rec": {"my f": 1}, "other field": 1}
    answers = [Ruleset(one).answer("my ask", state) for one in (plain, spaced)]
    assert answers[0] == answers[1] == {"my answer": 8}


def test_each_by_itself() -> None:
    """What it names is spelled with one space."""
    for place in NAMES.finditer(DRAWN):
        start, end = place.span()
        model(NAMES.sub(" ", DRAWN[:start]) + "  " + NAMES.sub(" ", DRAWN[end:]))


def test_texts_and_prose_keep_their_spaces() -> None:
    found = model("""
Decision: d(x: text) -> text ; policy: first ; title: two  spaces
 if | then | text en
 x | r |
 "a  b" | "c  d" + " e" | few  words
 - | x   +   "f  g" | more
""")
    rules = Ruleset(found)
    assert rules.call("d", {"x": "a  b"}) == "c  d e"
    assert rules.call("d", {"x": "a b"}) == "a bf  g"
    (table,) = found.tables
    assert dict(table.heading.title) == {"": "two  spaces"}
    assert [dict(rule.words) for rule in table.rules] == [{"en": "few  words"}, {"en": "more"}]
