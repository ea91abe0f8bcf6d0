"""What is asked for every name of a small vocabulary: tables by name and loops written out."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtables.compilers.python import to_python
from tests.agreement.engines import Engines
from tests.agreement.test_random_workbooks import QUICK
from tests.compilers.test_source import function, ruleset

SHOP = """
# Sheet: Rules
Types: words
name | names
kind | heavy, light
mood | good, bad

Types: narrowed
name | of | allowed
amount | whole number | [0..99]
solid | ware | not(silk)

Data: ware ; key: ware
key | kind | whole number
ware | kind | worth
iron | heavy | 3
clay | heavy | 1
silk | light | 5

Record: amounts
field | type | default
iron | amount | 0
clay | amount | 0
silk | amount | 0

Record: cart
field | type | default
load | amounts | needed
ware | ware? |
shown | list of ware | []

Record: trader
field | type | is | default
carts | list of cart | | []
mood | mood | | good
free | boolean | | no
many | boolean | count(carts) > limit |

Input: state
field | type | default
limit | whole number | 1
own | trader |
other | trader |
deal | amounts |
parked | list of cart | []
asked | ware | iron

Formulas: reckoning
name | type | is
has(w: ware, of: trader) | whole number | total(for c in of.carts return c.load(w))
most(w: ware, of: trader) | whole number | max(append(for c in of.carts return c.load(w), 0))
lacks(w: ware, of: trader) | whole number | if of.many then 0 else most(w, of) - has(w, of)
all lacks(of: trader) | list of whole number | for w in each ware return lacks(w, of)
greatest(of: trader) | whole number? | max(for w in each ware return lacks(w, of))
lies(w: ware) | boolean | some c in parked satisfies c.ware = w
lying | list of ware | each ware[lies(item)]
lying solid | list of solid | each solid[lies(item)]
seen(w: ware, of: trader) | whole number | if some c in of.carts satisfies w in c.shown then has(w, of) else 0
all seen(of: trader) | list of whole number | for w in each ware return seen(w, of)
twice seen(of: trader) | list of whole number | concatenate(all seen(of), all seen(of))
all seen too(of: trader) | list of whole number | for w in each ware return seen(w, of)
shows all(ws: list of ware) | boolean | every w in ws satisfies w in lying
knows one(ws: list of ware, k: kind) | boolean | some w in ws satisfies w in each ware[kind = k]
one lack | whole number | lacks(asked, own)
worth of(w: ware, of: trader) | number | total(for c in of.carts return c.load(w)) / limit
all worths(of: trader) | list of number | for w in each ware return worth of(w, of)
traders in(m: mood) | whole number | count([own, other][mood = m])
moods | list of whole number | for m in each mood return traders in(m)
picked(load: amounts) | list of whole number | for w in each ware[kind = heavy] return load(w)
of wanted(k: kind) | list of whole number | for w in each ware[kind = k] return deal(w)
many bills(of: trader, n: whole number) | whole number | n * bill(deal, of, no)
both bills | list of whole number | [many bills(own, 2), bill(deal, own, yes), many bills(other, 3)]

Formula: bill(cost: amounts, buyer: trader, cheap: boolean) -> whole number
step | type | is
price(w: ware) | whole number | if w in buyer.carts.ware then 1 else limit + has(w, buyer)
missing(w: ware) | whole number | max(0, cost(w) - has(w, buyer))
pieces(w: ware) | list of whole number | repeat(price(w), missing(w))
to buy(k: kind) | list of whole number | flatten(for w in each ware[kind = k] return pieces(w))
chosen(k: kind) | list of whole number | drop highest(to buy(k), if k = heavy then 1 else 0)
left | list of whole number | concatenate(chosen(heavy), chosen(light))
result | whole number | total(drop highest(left, if cheap then 2 else 0))

Ask: turn ; main: yes
role | name | is
need | own |
need | other |
need | deal |
answer | lacks | all lacks(own)
answer | other lacks | all lacks(other)
answer | bills | both bills
answer | lying | lying
"""
TABLES = {
    "all lacks": ("of",), "greatest": ("of",), "has": ("w", "of"), "lacks": ("w", "of"), "lies": ("w",),
    "shows all": ("ws",), "knows one": ("ws", "k"), "lying": (), "lying solid": (),
    "seen": ("w", "of"), "twice seen": ("of",), "all seen too": ("of",),
    "one lack": (), "worth of": ("w", "of"), "all worths": ("of",), "picked": ("load",),
    "of wanted": ("k",), "both bills": (), "moods": (),
}  # fmt: skip

AMOUNTS = st.dictionaries(st.sampled_from(["iron", "clay", "silk"]), st.integers(0, 6))
WARES = st.sampled_from(["iron", "clay", "silk"])
CARTS = st.fixed_dictionaries(
    {"load": AMOUNTS}, optional={"ware": WARES, "shown": st.lists(WARES, max_size=2)}
)
TRADERS = st.fixed_dictionaries(
    {}, optional={"carts": st.lists(CARTS, max_size=3), "mood": st.sampled_from(["good", "bad"])}
)
STATES = st.fixed_dictionaries(
    {"own": TRADERS, "other": TRADERS, "deal": AMOUNTS},
    optional={"limit": st.integers(0, 3), "asked": WARES, "parked": st.lists(CARTS, max_size=2)},
)
ARGUMENTS: dict[str, st.SearchStrategy[Any]] = {
    "ws": st.lists(WARES, max_size=3),
    "load": AMOUNTS, "w": WARES | st.just("wool"), "of": TRADERS,
    "k": st.sampled_from(["heavy", "light", "Heavy"]),
}  # fmt: skip


@cache
def engines() -> Engines:
    return Engines(ruleset(SHOP), explained=False)


@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_the_evaluators(table: str) -> None:
    wanted = TABLES[table]

    @QUICK
    @given(STATES, st.fixed_dictionaries({name: ARGUMENTS[name] for name in wanted}))
    def agreed(state: dict[str, Any], arguments: dict[str, Any]) -> None:
        engines().call(table, {**state, **arguments})

    agreed()


@QUICK
@given(STATES)
def test_answers_are_the_evaluators(state: dict[str, Any]) -> None:
    engines().answer(state, "turn")


def test_what_is_asked_for_all_names_is_a_table() -> None:
    text = source()
    for attribute in ("has_by_ware", "lacks_by_ware", "lies_by_ware", "bill_price_by_ware"):
        assert f"def {attribute}(" in text
    assert "= [of.lacks_by_ware['iron'], of.lacks_by_ware['clay'], of.lacks_by_ware['silk']]" in text


def test_what_is_the_same_for_all_names_is_worked_out_once() -> None:
    text = function(SHOP, "seen_by_ware")
    assert "among = [one for c in of.carts for one in c.shown]" in text
    assert text.count("WARE['iron'] in among") == 1


def test_a_list_that_stays_the_same_is_asked_itself() -> None:
    assert "return all(map(turn.lying.__contains__, ws))" in function(SHOP, "shows_all")


def test_what_may_fail_is_worked_out_when_it_is_wanted() -> None:
    """Division by a limit of zero."""
    assert "worth_of_by" not in source()


def test_a_loop_over_few_names_is_written_out() -> None:
    assert "[load.iron, load.clay]" in source()


def test_steps_with_constants_are_written_where_they_are_called() -> None:
    bill = re.search(r"\ndef bill\(.*?\n\n\n", source(), re.DOTALL)
    assert bill is not None
    assert "def chosen" not in bill[0]
    assert "cost.silk - buyer.has_by_ware['silk']" in bill[0]


def test_what_only_asks_another_is_not_kept() -> None:
    assert "kept" not in function(SHOP, "many_bills")
    assert "kept" in function(SHOP, "bill")


@cache
def source() -> str:
    return to_python(ruleset(SHOP))[0]
