"""Numbers with those they are made of, rankings with what separated neighbours, and other answers' words."""

from __future__ import annotations

import pytest

from dtables.explanations.render import render
from tests.evaluator.books import evaluator

HARBOUR = evaluator(
    """
Types: words
name | names
side | north, south
kind | sail, steam

Glossary: words
kind | id | label it | label en
side | north | nord | north
side | south | sud | south
kind | sail | vela | sail
kind | steam | vapore | steam
term | cranes | gru | cranes

Record: ship
field | type | label it | label en
name | text | nome | name
kind | kind | genere | kind
tons | whole number | carico | load

Input: state
field | type | default | label it | label en
cap | whole number | 5 | tetto | cap
used | whole number | 1 | usato | used
extra | whole number | 2 | altro | extra
loads | list of whole number | [] | carichi | loads
ships | list of ship | [] | navi | ships
side | side | north | lato | side

Formulas: f
name | type | is | text it | text en
left | whole number | cap - used | resta | what is left
nested | whole number | cap - (used + extra) * 2 | annidato | nested
taken away | whole number | cap - -extra | tolto | taken away
all five | whole number | cap + used + extra + 1 + 2 | tutti | all
deep | whole number | cap + used * extra * 2 + extra | profondo | deep
total load | whole number | sum(loads) | carico totale | total load
never below | whole number | max(0, cap - used) | mai sotto | never below
smaller | whole number | min(cap, used + extra) | il minore | the smaller
steamers | whole number | count(ships[kind = steam]) + 1 | i vapori | the steamers
of two | whole number | left + 1 | di due | of two
nothing | whole number | used - used | niente | nothing
by side | whole number | if side = north then cap - used else 0 | secondo il lato | by the side

Decision: fee -> whole number ; policy: first ; title it: Tassa: la quota ; title en: Fee: the share
# | if | then | text it | text en
 | side | fee | |
1 | north | cap - used | a nord | in the north
2 | - | 0 | altrove | elsewhere

Decision: dues -> whole number ; policy: collect sum ; title en: Dues
# | if | then | text en
 | cap | dues |
1 | > 1 | 2 | more than one
2 | > 2 | used + 2 | more than two

Scale: order(candidates: list of ship) ; title it: Ordine ; title en: Order
# | prefer | by | text it | text en
1 | no | kind = steam | senza vapore | without steam
2 | lowest | tons | il più leggero | the lightest
3 | chance | | |

Formulas: g
name | type | is | text it | text en
tiers | list of list of ship | order ranking(ships) | le file | the tiers
costly | boolean | fee > 3 | caro | costly

Ask: berth(at: side)
role | name | is
answer | side | at
answer | room | cap - used

Ask: main ask ; main: yes
role | name | is
draw | chosen | each side
stop | | chosen = north
answer | berth | berth(side)
answer | double | cap * 2
answer | later | chosen
"""
)


def told(name: str, language: str = "en", **given: object) -> list[str]:
    said = render(HARBOUR.explain_table(name, given), language).splitlines()[2:]
    return [line.rpartition(" [")[0] for line in said]


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("left", {}, "what is left: cap 5 − used 1 = 4"),
        ("nested", {}, "nested: cap 5 − (used 1 + extra 2) × 2 = −1"),
        ("taken away", {"extra": 2}, "taken away: cap 5 − (−2) = 7"),
        ("all five", {}, "all: 11"),
        ("deep", {}, "deep: cap 5 + 4 + extra 2 = 11"),
        ("total load", {"loads": [1, 0, 2, 3]}, "total load: 1 + 2 + 3 = 6"),
        ("total load", {"loads": [1, 2, 3, 4, 5]}, "total load: 15"),
        ("total load", {"loads": [0, 2]}, "total load: 2"),
        ("never below", {}, "never below: cap 5 − used 1 = 4"),
        ("never below", {"used": 7}, "never below: cap 5 − used 7, but at least 0 = 0"),
        ("smaller", {}, "the smaller: the smallest of cap 5 and (used 1 + extra 2) = 3"),
        ("nothing", {"used": 0}, "nothing: 0"),
        ("by side", {}, "by the side: cap 5 − used 1 = 4"),
        ("by side", {"side": "south"}, "by the side: 0"),
        ("fee", {}, "Fee: the share: cap 5 − used 1 = 4, by row 1 “in the north”"),
        ("fee", {"side": "south"}, "Fee: the share: 0, by row 2 “elsewhere”"),
        ("dues", {}, "Dues: 2 + 3 = 5, by row 1 “more than one” and row 2 “more than two”"),
    ],
)
def test_number__with_those_it_is_made_of(name: str, given: dict[str, object], expected: str) -> None:
    assert told(name, **given)[0] == expected


def test_number__a_count_says_of_what() -> None:
    ships = [{"name": "a", "kind": "steam", "tons": 1}, {"name": "b", "kind": "sail", "tons": 2}]
    assert told("steamers", ships=ships)[0] == "the steamers: number of ships with kind steam 1 + 1 = 2"


def test_number__is_not_named_where_a_line_below_says_what_it_is() -> None:
    assert told("of two") == ["of two: 4 + 1 = 5", "  what is left: cap 5 − used 1 = 4"]


SHIPS = [
    {"name": "Ada", "kind": "steam", "tons": 1},
    {"name": "Bea", "kind": "sail", "tons": 3},
    {"name": "Eva", "kind": "sail", "tons": 2},
]


def test_ranking__says_what_separated_neighbours_and_reads_forward() -> None:
    lines = [line.strip() for line in told("tiers", "it", ships=SHIPS)]
    assert lines[1].startswith("Ordine, in ordine di preferenza: ")
    assert [line.rpartition(" – ")[2] for line in lines[2:]] == [
        "vela (nome Eva): 2, vela (nome Bea): 3",
        "vela (nome Bea): sì, vapore (nome Ada): no",
    ]
    assert "prima di vapore (nome Ada): criterio 1 «senza vapore»" in lines[3]


def test_title__is_not_cut_at_its_colon() -> None:
    assert told("costly")[0] == "costly: yes, “Fee: the share” 4 > 3"


def test_ask__another_ones_answer_is_said_by_its_labels_and_it_stops_once() -> None:
    lines = [
        line.strip() for line in render(HARBOUR.explain("main ask", {"side": "south"}), "it").splitlines()
    ]
    assert any("lato sud; room 4" in line for line in lines)
    assert sum("ci si ferma qui" in line for line in lines) == 1
