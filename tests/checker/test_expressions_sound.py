"""What the checker says of a value's type holds of the value: expressions made up by type, and run."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.checker import check_book
from dtables.evaluator import Evaluator
from dtables.feel.types import (
    AnyType,
    BooleanType,
    ContextType,
    ListType,
    MapType,
    NumberType,
    Type,
    VocabularyType,
    may_be_null,
    plain,
)
from dtables.model.tables import Ruleset, table_name
from dtables.records.findings import RecordError, RuleError
from tests.checker.test_expressions_values import BOOK, STATE
from tests.support.drawing import book_text
from tests.support.thinned import draws

Make = Callable[[str], str]


@settings(max_examples=draws(150), deadline=None)
@given(
    st.integers(0, 10**9),
    st.sampled_from(["number", "number?", "boolean", "card", "card?", "cards", "numbers"]),
)
def test_types__hold_of_values(seed: int, kind: str) -> None:
    text = made_up(Random(seed), kind, 3)
    book, told = book_text(BOOK.replace("TYPE", "").replace("TEXT", text))
    assert told == ()
    model, _ = check_book(book)
    if model is None:
        return
    type_ = next(t.type for t in model.tables if table_name(t) == "worth")
    try:
        value = Evaluator(model).call("worth", STATE)
    except (RecordError, RuleError):
        return
    assert holds(value, type_, model), (text, value, type_)


def holds(value: Any, type_: Type, model: Ruleset) -> bool:
    if value is None or isinstance(type_, AnyType):
        return may_be_null(type_)
    match plain(type_):
        case NumberType(whole=whole):
            return type(value) is int or (type(value) is Decimal and not whole)
        case BooleanType():
            return isinstance(value, bool)
        case VocabularyType(root=root):
            return any(value == n.id for v in model.vocabularies if v.name == root for n in v.names)
        case ListType(item=item):
            return isinstance(value, list) and all(holds(one, item, model) for one in value)
        case MapType(value=item):
            return isinstance(value, dict) and all(holds(one, item, model) for one in value.values())
        case ContextType(fields=fields):
            return isinstance(value, dict) and all(holds(value[n], t, model) for n, t in fields)
        case other:
            raise AssertionError(f"no values of {other} are made up")


def made_up(random: Random, kind: str, depth: int) -> str:
    if depth == 0 or random.random() < 0.1:
        return random.choice(SIMPLE[kind])

    def make(part: str) -> str:
        return made_up(random, part, depth - 1)

    return random.choice(COMPOUND[kind])(make)


def twice(make: Make, kind: str, text: str) -> str:
    """The same part at two places."""
    return text.replace("…", make(kind))


SIMPLE = {
    "number": ["1", "2", "0", "age", "2.5"],
    "number?": ["solo.coins", "forum.points", "temple.points"],
    "boolean": ["true", "solo.rich"],
    "colour": ["red", "blue"],
    "card": ["forum", "mine", "temple"],
    "card?": ["solo.patron", "solo.cards[1]"],
    "cards": ["solo.cards", "each card", "decks(red)", "decks(green)"],
    "numbers": ["[1, 2]", "solo.cards.points"],
}

COMPOUND: dict[str, list[Callable[[Make], str]]] = {
    "number": [
        lambda m: f"count({m('cards')})",
        lambda m: f"({m('number')}) * ({m('number')})",
        lambda m: f"({m('number')}) / 2",
        lambda m: f"({m('card')}).cost.wood",
        lambda m: f"forum.cost(each resource[{m('boolean')}][1])",
        lambda m: f"if {m('boolean')} then {m('number')} else {m('number')}",
        lambda m: f"total({m('numbers')})",
        lambda m: f"({m('number?')}) + 1",
        lambda m: twice(m, "number?", "if (…) = null then 0 else (…) + 1"),
        lambda m: f"floor({m('number')})",
        lambda m: f"{{wood: 1, coins: {m('number')}}}.coins",
    ],
    "number?": [
        lambda m: f"({m('card')}).points",
        lambda m: f"({m('card?')}).cost.wood",
        lambda m: f"({m('numbers')})[{m('number')}]",
        lambda m: f"max({m('numbers')})",
        lambda m: f"sum({m('numbers')})",
        lambda m: f"if {m('boolean')} then null else {m('number')}",
    ],
    "boolean": [
        lambda m: f"({m('number')}) < ({m('number')})",
        lambda m: f"({m('number?')}) = ({m('number')})",
        lambda m: f"({m('boolean')}) and ({m('boolean')})",
        lambda m: f"({m('boolean')}) or not({m('boolean')})",
        lambda m: f"({m('card?')}) in {m('cards')}",
        lambda m: f"some i in {m('cards')} satisfies i.colour = {m('colour')}",
        lambda m: twice(m, "number?", "(…) != null and (…) > 1"),
        lambda m: twice(m, "number?", "(…) = null or (…) > 1"),
        lambda m: f"({m('number?')}) in (1, null, > 3)",
        lambda m: f"({m('card')}).colour = {m('colour')}",
    ],
    "colour": [
        lambda m: f"({m('card')}).colour",
        lambda m: f"if {m('boolean')} then red else {m('colour')}",
    ],
    "card": [
        lambda m: f"if {m('boolean')} then forum else {m('card')}",
        lambda m: twice(m, "card?", "if (…) != null then (…) else forum"),
    ],
    "card?": [
        lambda m: f"({m('cards')})[{m('number')}]",
        lambda m: f"if {m('boolean')} then null else {m('card')}",
    ],
    "cards": [
        lambda m: f"({m('cards')})[colour = {m('colour')}]",
        lambda m: f"({m('cards')})[points != null and points > {m('number')}]",
        lambda m: f"({m('cards')})[item in {m('cards')}]",
        lambda m: f"[{m('card')}, {m('card?')}][item != null]",
        lambda m: f"concatenate({m('cards')}, {m('cards')})",
        lambda m: f"append({m('cards')}, {m('card')})",
        lambda m: f"flatten([{m('cards')}, {m('cards')}])",
        lambda m: f"distinct values({m('cards')})",
        lambda m: f"sort({m('cards')}, function(a, b) a.cost.wood < b.cost.wood)",
        lambda m: f"for i in {m('cards')} return if {m('boolean')} then i else {m('card')}",
    ],
    "numbers": [
        lambda m: f"({m('cards')})[points != null].points",
        lambda m: f"({m('cards')}).points",
        lambda m: f"[{m('number')}, {m('number?')}]",
        lambda m: f"for i in {m('cards')} return i.cost.wood + {m('number')}",
        lambda m: f"for i in {m('cards')}[points != null] return i.points + 1",
        lambda m: f"({m('numbers')})[item != null]",
        lambda m: f"index of({m('cards')}, {m('card')})",
        lambda m: f"for i in 1..3 return if i = 1 then {m('number')} else partial[-1]",
    ],
}
