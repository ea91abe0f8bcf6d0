"""Explanations in both languages, as a person reads them, and as plain data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dtables.explanations.plain import as_plain
from dtables.explanations.render import render
from tests.evaluator.books import evaluator

GOLDEN = Path(__file__).parent / "golden"
STALL = evaluator(
    """
# Sheet: Words

Types: words
name | names
colour | red, green, blue

Data: item ; key: item
key | colour | whole number | label it | label en
item | colour | price | it | en
hammer | red | 5 | Martello | Hammer
ball | green | 2 | Palla | Ball
kite | blue | 2 | Aquilone | Kite
saw | red | 7 | Sega | Saw

Record: item
field | type | is
dear | boolean | price > 4
wanted | boolean | colour = favourite

Record: shelf
field | type | is
place | whole number |
thing | item |

Settings: house rules ; overridden by: state.house_rules
switch | default | other values
TIE | COLOUR | PLACE

Input: state
field | type | default | label it
coins | whole number | | monete
favourite | colour | red | colore preferito
shelves | list of shelf | [] | scaffali
drawn | item | | pescato

# Sheet: Rules

Formulas: money
name | type | is | text it
payable(s: shelf) | boolean | s.thing.price <= state.coins |
payable shelves | list of shelf | shelves[payable(item)] | quelli che si possono pagare

Scale: choice(candidates: list of shelf) ; others: last ; decides: yes ; title it: Scelta
# | only for | only if | prefer | by | text it | text en
 | thing.colour | | | | |
1 | | | yes | thing.wanted | del colore preferito | of the favourite colour
2 | red, blue | | lowest | thing.price | costa meno | costs least
3 | | TIE = PLACE | lowest | place | il primo | the first
4 | | | lowest | place | il primo | the first

Decision: move ; policy: first ; otherwise: null ; title en: the move
# | if | take | text it | text en
 | coins | result | |
1 | 0 | null | niente soldi | no money
2 | - | choice(payable shelves) | il migliore | the best
3 | - | choice(shelves) | il meno peggio | the least bad

Scale: gift(candidates: list of item)
# | prefer | by | text it
 | | |
a | yes | dear | caro
b | chance | | a caso

Matrix: rank(colour) -> whole number
key | whole number
colour | rank
red | 3
green | 2
blue | 1

Ask: turn ; main: yes
role | name | is | recorded in
need | coins | |
step | chosen | move |
draw | spare | gift(each item) | drawn
answer | thing | chosen.thing |
answer | rank | rank(chosen.thing.colour) |
answer | spare | spare |
"""
)
STATE: dict[str, Any] = {
    "coins": 6,
    "shelves": [
        {"place": 1, "thing": "saw"},
        {"place": 2, "thing": "ball"},
        {"place": 3, "thing": "hammer"},
        {"place": 4, "thing": "hammer"},
    ],
}


ITALIAN = (GOLDEN / "turn.it.txt").read_text(encoding="utf-8")

ENGLISH = (GOLDEN / "recorded_turn.en.txt").read_text(encoding="utf-8")


def test_render__italian() -> None:
    assert render(STALL.explain("turn", STATE), "it") == ITALIAN


def test_render__english__a_recorded_draw_and_switch() -> None:
    recorded = {**STATE, "coins": 0, "drawn": "Sega", "house_rules": {"TIE": "PLACE"}}
    assert render(STALL.explain("turn", recorded), "en") == ENGLISH


def test_render__one_table() -> None:
    told = render(STALL.explain_table("rank", {"colour": "red"}), "it")
    assert told == "rank\n\nrank (red): 3 [Rules!B30]\n"


def test_answer_is_the_explained_one() -> None:
    assert STALL.explain("turn", STATE).answer == STALL.answer("turn", STATE)


def test_as_plain__is_json() -> None:
    plain = as_plain(STALL.explain(None, STATE))
    assert json.loads(json.dumps(plain)) == plain


CARDS = evaluator(
    """
# Sheet: All

Types: words
name | names
colour | red, green, blue

Input: state
field | type | default
coins | whole number | 1

Ask: card(without: colour)
role | name | is
draw | drawn | each colour[item != without]
answer | card | drawn

Ask: turn ; main: yes
role | name | is
answer | first | card("red")
answer | second | card("blue")
"""
)


def test_as_plain__an_ask_that_is_answered_twice_draws_each_time() -> None:
    first, second = as_plain(CARDS.explain("turn", {}))["steps"]
    for step, options in ((first, ["green", "blue"]), (second, ["red", "green"])):
        draws = [inner["options"] for inner in step["inside"] if inner["kind"] == "draw"]
        assert draws == [options]


def test_as_plain__a_scale_tells_who_is_left_after_each_row() -> None:
    plain = as_plain(STALL.explain_table("choice", {"candidates": STATE["shelves"], "coins": 6}))
    (step,) = plain["steps"]
    assert (step["kind"], step["name"], step["cell"]) == ("scale", "choice", "book.xlsx!Rules!A6")
    assert [(row["row"], row["left"], row["dropped"]) for row in step["rows"]] == [
        ("1", [0, 2, 3], [1]),
        ("2", [2, 3], [0]),
        ("4", [2], [3]),
    ]
    assert step["rows"][1]["seen"] == {"0": 7, "2": 5, "3": 5}
    assert step["decided"] == {"scale": "choice", "row": "4", "cell": "book.xlsx!Rules!E12"}
    assert step["value"] == {"place": 3, "thing": "hammer"}


def test_as_plain__a_decision_tells_why_rows_did_not_fire() -> None:
    plain = as_plain(STALL.explain_table("move", {"shelves": [], "coins": 1, "house_rules": {}}))
    (step,) = plain["steps"]
    assert step["policy"] == "first"
    assert [(row["row"], row["fired"], row["cell"]) for row in step["rows"]] == [
        ("1", False, "book.xlsx!Rules!B17"),
        ("2", False, "book.xlsx!Rules!C18"),
        ("3", False, "book.xlsx!Rules!C19"),
    ]
    first = step["rows"][0]
    assert (first["column"], first["seen"], first["wanted"]) == ("coins", 1, "0")
