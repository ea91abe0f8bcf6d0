"""The constructs of the table language, section by section, on small drawn workbooks; answers by hand."""

from __future__ import annotations

from typing import Any

import pytest

from dtables.records.findings import RecordError, RuleError
from tests.evaluator.books import evaluator

MARKET = evaluator(
    """
# Sheet: Words

Types: words
name | names
colour | red, green, blue
material | wood, stone

Types: narrowed
name | of | allowed | plus
warm | colour | red, green |
age | whole number | [1..3] |
top | item | | nothing, hidden

Record: bill
field | type | default
coins | whole number | 0
wood | whole number | 0
stone | whole number | 0

Data: item ; key: item
key | colour | bill | bill | bill | list of material | text
item | colour | bill.coins | bill.wood | bill.stone | makes | motto
hut | red | 1 | 2 | | wood | "small"
tower | blue | | | 3 | stone, wood |
gate | green | 2 | 1 | 1 | | "big"

Record: item
field | type | is
weight | whole number | bill.coins + 2 * total(for m in each material return bill(m))
spare | boolean | not(colour = favourite)
matching | list of item | each item[colour = favourite]

Data: fees
whole number | whole number
from | fee
0 | 1
10 | 3

Settings: level ; key: level ; inherit: left
whole number | easy | normal | hard
start | 7 | | 5
cap | 3 | 4 |

Settings: house rules ; overridden by: state.house_rules
switch | default | other values
PAY | FULL | HALF
NAME | LONG | SHORT

Record: seat
field | type | is | default
who | colour | |
coins | whole number | |
items | list of item | | []
rich | boolean | coins != null and coins > 5 |
total weight | whole number | total(items.weight) |
first | boolean | this = seats[1] |

Input: state
field | type | default | fixed
age | age | |
favourite | colour | blue |
mine | seat | {} | who: red
yours | seat | {} | who: blue
seats | list of seat | [] |
pile | list of item | [] |
by | list of item by colour | {} |
top | top | |
level | level | normal |
drawn | item | |

# Sheet: Rules

Formulas: simple
name | type | is
rival(s: seat) | seat | if s.who = red then yours else mine
price(i: item) | whole number | if PAY = FULL then i.weight else floor(i.weight / 2)
limit | whole number | level.cap
fee(n: whole number) | whole number | fees[from <= n][-1].fee
sorted | list of list of item | heavy ranking(pile)

Formula: deal(i: item, n: whole number) -> whole number
step | type | is
single | whole number | price(i)
times(k: whole number) | whole number | single * k
never | whole number | [1][2] + 1
result | whole number | times(n) + times(1)

Formula: parts(i: item)
step | type | is
a | whole number | i.weight
b | whole number | a + 1

Scale: heavy(candidates: list of item) ; decides: no
# | prefer | by
 | |
1 | highest | weight

Scale: best(candidates: list of item) ; decides: yes
# | prefer | by
 | |
1 | scale | heavy
2 | first in [green, blue] | colour

Matrix: distance(colour, material) -> whole number?
key | key | key
colour | wood | stone
red | 1 | 2
green | 3 | null
blue | 5 | 6

Matrix: order(colour) -> list of item ; down: ordered
rank | key | key | key
# | red | green | blue
1 | hut | gate | tower
2 | gate | tower | hut
3 | tower | hut | gate

Dice: roll(die: text, total: whole number) -> colour
die | die | then
d6 | 2d6 | colour
1-2 | - | red
3-6 | - | blue
- | 2-7 | red
- | 8-12 | green

Ask: all ; main: yes
role | name | is
answer | weights | for i in each item return i.weight
answer | spare | each item[spare]
answer | rich | mine.rich
answer | mine | mine.who
answer | yours | rival(mine).who
answer | limit | limit
answer | top | top
answer | top item | top.item
answer | by red | by(red)
answer | first | seats[first].who
answer | total | mine.total weight
answer | best | best(pile)
answer | ranking | sorted
answer | warm | each warm

Ask: aged
role | name | is
need | age |
answer | double | age * 2
"""
)


def test_answer__of_an_empty_record() -> None:
    assert MARKET.answer("all", {}) == {
        "weights": [5, 6, 6],
        "spare": ["hut", "gate"],
        "rich": False,
        "mine": "red",
        "yours": "blue",
        "limit": 4,
        "top": None,
        "top item": None,
        "by red": None,
        "first": [],
        "total": 0,
        "best": None,
        "ranking": [],
        "warm": ["red", "green"],
    }


def test_answer__of_a_full_record() -> None:
    state = {
        "favourite": "GREEN",
        "mine": {"coins": 9, "items": ["hut", "gate"]},
        "seats": [{"who": "green", "coins": 1}, {"who": "green", "coins": 2}],
        "pile": ["hut", "gate", "tower"],
        "by": {"red": ["gate"]},
        "level": "hard",
        "top": "gate",
    }
    answer = MARKET.answer("all", state)
    assert answer["spare"] == ["hut", "tower"]
    assert answer["rich"] is True
    assert answer["limit"] == 4
    assert (answer["top"], answer["top item"]) == ("gate", "gate")
    assert answer["by red"] == ["gate"]
    assert answer["first"] == ["green"]
    assert answer["total"] == 11
    assert answer["best"] == "gate"
    assert answer["ranking"] == [["gate", "tower"], ["hut"]]


def test_plus__a_further_name_has_no_row_behind_it() -> None:
    answer = MARKET.answer("all", {"top": "hidden"})
    assert (answer["top"], answer["top item"]) == ("hidden", None)


@pytest.mark.parametrize(
    ("table", "given", "expected"),
    [
        ("price", {"i": "hut"}, 5),
        ("price", {"i": "hut", "house_rules": {"PAY": "HALF"}}, 2),
        ("limit", {"level": "easy"}, 3),
        ("fee", {"n": 9}, 1),
        ("fee", {"n": 10}, 3),
        ("deal", {"i": "hut", "n": 3}, 20),
        ("parts", {"i": "gate"}, {"a": 6, "b": 7}),
        ("distance", {"colour": "red", "material": "stone"}, 2),
        ("distance", {"colour": "green", "material": "stone"}, None),
        ("order", {"colour": "green"}, ["gate", "tower", "hut"]),
        ("roll", {"die": "d6", "total": 2}, "red"),
        ("roll", {"die": "2d6", "total": 8}, "green"),
        ("heavy", {"candidates": ["hut", "tower"]}, "tower"),
        ("best", {"candidates": ["tower", "gate"]}, "gate"),
        ("rival", {"s": {"who": "blue"}}, {"who": "red", "coins": None, "items": []}),
    ],
)
def test_call(table: str, given: dict[str, Any], expected: Any) -> None:
    assert MARKET.call(table, given) == expected


@pytest.mark.parametrize(
    ("table", "given", "finding"),
    [
        ("price", {}, "i: found nothing, wanted item"),
        ("price", {"i": "hutt"}, 'i: found "hutt", wanted item; did you mean "hut"?'),
        (
            "price",
            {"i": "hut", "j": 1},
            'j: found the unknown key "j", wanted one of i, house_rules, age, favourite, mine, yours, seats, '
            "pile, by, top, level, drawn",
        ),
        (
            "price",
            {"i": "hut", "house_rules": {"PAY": "x"}},
            'house_rules.PAY: found "x", wanted switch PAY',
        ),
        ("deal", {"i": "hut", "n": True}, "n: found true, wanted whole number"),
    ],
)
def test_call__refused(table: str, given: dict[str, Any], finding: str) -> None:
    with pytest.raises(RecordError) as caught:
        MARKET.call(table, given)
    assert str(caught.value) == finding


def test_call__a_scale_that_does_not_decide() -> None:
    with pytest.raises(RuleError, match="the last row leaves more than one: tower, gate"):
        MARKET.call("heavy", {"candidates": ["tower", "gate"]})


def test_dice__a_total_that_the_die_cannot_show() -> None:
    with pytest.raises(RuleError, match="there is no entry for d6, 7"):
        MARKET.call("roll", {"die": "d6", "total": 7})


@pytest.mark.parametrize(
    ("state", "path"),
    [
        ({"mine": {"who": "red"}}, "state.mine.who"),
        ({"mine": {"rich": True}}, "state.mine.rich"),
        ({"house_rules": {"PAID": "FULL"}}, "state.house_rules.PAID"),
        ({"house_rules": {"PAY": "NONE"}}, "state.house_rules.PAY"),
        ({"house_rules": {"PAY": "half"}}, "state.house_rules.PAY"),
        ({"seats": [{"who": "red", "coins": 1}, {"who": "red", "coins": "1"}]}, "state.seats[1].coins"),
        ({"by": {"pink": []}}, "state.by.pink"),
        ({"by": {"red": ["hut", "hat"]}}, "state.by.red[1]"),
        ({"age": 4}, "state.age"),
        ({}, "state.age"),
    ],
)
def test_rejected_at(state: dict[str, Any], path: str) -> None:
    with pytest.raises(RecordError) as caught:
        MARKET.answer("aged", state)
    assert caught.value.path == path


CHECKED = evaluator(
    """
Types: words
name | names
colour | red, green, blue

Record: seat
field | type | default
who | colour |
cards | list of colour | []

Input: state
field | type | default
seats | list of seat | []
mine | seat | {}
pile | list of colour | []
by | list of colour by colour | {}
level | whole number | 1

Checks: counted
# | places | only for | by | at most | text it | text en
1 | mine.cards, seats.cards, by | red, green | item | 2 | già due | twice already

Checks: consistency
# | ask | each | wrong if | at | text it
1 | | seats | who = null | who | chi?
2 | | seats | count(cards) > level | cards | troppe
3 | other | | pile = [] | pile | pila vuota
4 | | by | item = key | | la propria
5 | | mine, seats | who = blue | | niente blu
6 | other | by, pile | position > 3 | | al più tre

Ask: turn ; main: yes
role | name | is
answer | level | level

Ask: other
role | name | is
answer | level | level
"""
)


def findings(ask: str, state: dict[str, Any]) -> list[str]:
    with pytest.raises(RecordError) as caught:
        CHECKED.answer(ask, state)
    return [str(f) for f in caught.value.findings]


def test_counted__places_are_read_in_order() -> None:
    state = {
        "mine": {"cards": ["red", "blue", "blue"]},
        "seats": [{"who": "red", "cards": ["blue"]}, {"who": "green", "cards": ["red"]}],
        "by": {"red": ["green"], "green": ["red", "blue", "blue"]},
    }
    assert findings("turn", state) == ['state.by.green[0]: found "red", wanted twice already']


def test_consistency__with_paths_below_the_item() -> None:
    assert findings("turn", {"seats": [{"cards": ["red", "red"]}]}) == [
        "state.seats[0].who: found nothing, wanted chi?",
        'state.seats[0].cards: found ["red", "red"], wanted troppe',
    ]


def test_consistency__key_of_a_map_and_the_item_itself() -> None:
    assert findings("turn", {"by": {"blue": ["red", "blue"]}, "mine": {"who": "blue"}}) == [
        'state.by.blue[1]: found "blue", wanted la propria',
        'state.mine: found {"who": "blue", "cards": []}, wanted niente blu',
    ]


def test_consistency__position_in_the_list() -> None:
    many = ["red", "blue", "blue", "blue"]
    assert findings("other", {"by": {"green": many}, "pile": many}) == [
        'state.by.green[3]: found "blue", wanted al più tre',
        'state.pile[3]: found "blue", wanted al più tre',
    ]


def test_check_of_one_ask() -> None:
    assert CHECKED.answer("turn", {}) == {"level": 1}
    assert findings("other", {}) == ["state.pile: found [], wanted pila vuota"]


NESTED = evaluator(
    """
Types: words
name | names
colour | red, green, blue

Input: state
field | type | default
picked | colour |
known | boolean | yes

Ask: turn ; main: yes
role | name | is
answer | known | known
stop | | not(known)
answer | house | house(3)

Ask: house(n: whole number)
role | name | is | recorded in | when open
draw | drawn | each colour[item != red] | picked |
answer | colour | drawn | |
answer | size | n | |
answer | alone | drawn | | null
answer | options | null | | each colour
"""
)


def test_ask_inside_an_answer() -> None:
    assert NESTED.answer("turn", {}) == {
        "known": True,
        "house": {
            "colour": None,
            "size": 3,
            "alone": None,
            "options": None,
            "any_of": {"colour": ["green", "blue"], "options": ["red", "green", "blue"]},
        },
    }
    assert NESTED.answer("turn", {"picked": "blue"})["house"] == {
        "colour": "blue",
        "size": 3,
        "alone": "blue",
        "options": None,
    }


def test_stop__before_an_ask() -> None:
    assert NESTED.answer("turn", {"known": False}) == {"known": False, "house": None}


def test_ask_with_parameters_is_not_asked_for() -> None:
    with pytest.raises(RecordError) as caught:
        NESTED.answer("house", {})
    assert caught.value.path == "ask"
