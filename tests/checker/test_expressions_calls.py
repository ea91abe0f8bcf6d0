"""Calls of tables, steps, built-ins and function values; records as they are written."""

from __future__ import annotations

import pytest

from dtables.feel.types import ANY, BOOLEAN, NUMBER, FunctionType, ListType, MapType, optional
from tests.checker.small_world import (
    CARD,
    CITY,
    COLOUR,
    COST,
    MOVE,
    PLACE,
    SIDE,
    check_cell,
    scope,
    with_step,
)


@pytest.mark.parametrize(
    ("text", "checked"),
    [
        ("pay(forum, solo)", "pay(card:forum, state.solo) : number"),
        ("pay(buyer: solo, c: forum)", "pay(card:forum, state.solo) : number"),
        ("top", "top() : resource"),
        ("top()", "top() : resource"),
        ("top.kind", "top().kind : text"),
        ("choice(structure).card", "choice(state.structure).card : card?"),
        ("choice ranking(structure)[1]", "choice ranking(state.structure)[#1] : list of place?"),
        ("house(forum)", "ask house(card:forum) : any"),
        ("rounds(2 + 3)", "rounds((2 + 3)) : number"),
    ],
)
def test_calls__of_tables(text: str, checked: str) -> None:
    assert check_cell(text) == checked


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pay(forum)", "[argument-count] at pay(forum): 1 argument for `pay(c: card, buyer: city)`"),
        ("pay", "[needs-arguments] at pay: this needs arguments: `pay(c: card, buyer: city)`"),
        ("pay(forum, 3)", "[type-mismatch] at 3: `3` is a whole number, but a city is wanted here"),
        ("pay(d: forum, buyer: solo)",
         "[unknown-parameter] at d: forum: `pay(c: card, buyer: city)` has no parameter `d`"),
        ("pay(c: forum, c: mine)", "[repeated-argument] at c: mine: `c` is given twice"),
        ("pay(c: forum)", "[argument-count] at pay(c: forum): `buyer` of `pay(c: card, buyer: city)`"
                          " is not given"),
        ("pya(forum, solo)", "[unknown-function] at pya: no table, step or built-in is called `pya`"
                             " (did you mean `pay`?)"),
        ("choise(structure)", "[unknown-function] at choise: no table, step or built-in is called `choise`"
                              " (did you mean `choice`?)"),
        ("cuont(numbers)", "[unknown-function] at cuont: no table, step or built-in is called `cuont`"
                           " (did you mean `count`?)"),
        ("count()", "[argument-count] at count(): 0 arguments for `count(list: list of any)`"),
        ('substring("a")', '[argument-count] at substring("a"): 1 argument for'
                           " `substring(string: text, start position: whole number) or"
                           " substring(string: text, start position: whole number, length: whole number)`"),
        ("abs(n: 1, m: 2)", "[unknown-parameter] at m: 2: `abs(n: number) or abs(n: days and time duration)"
                            " or abs(n: years and months duration)` has no parameter `m`"),
        ("pay ranking(structure)", "[not-a-scale] at pay ranking(structure): `pay` is no scale"),
        ('function(a) external {java: {class: "x"}}', None),
    ],
)  # fmt: skip
def test_calls__that_are_wrong(text: str, message: str | None) -> None:
    found = check_cell(text)
    assert found.startswith("error[")
    assert "\n" not in found
    if message is not None:
        assert found == "error" + message


WITH_STEP = with_step(scope(buyer=CITY), "missing", NUMBER, CARD, NUMBER)


def test_calls__of_steps() -> None:
    assert check_cell("missing(forum, 2) + 1", None, WITH_STEP) == (
        "(step missing(card:forum, 2) + 1) : number"
    )
    assert check_cell("missing(forum)", None, WITH_STEP) == (
        "error[argument-count] at missing(forum): 1 argument for `missing(card, number)`"
    )
    assert check_cell("missing", None, WITH_STEP) == (
        "error[needs-arguments] at missing: this needs arguments: `missing(card, number)`"
    )


def test_calls__of_function_values() -> None:
    inside = scope(f=FunctionType((NUMBER,), BOOLEAN), g=ANY)
    assert check_cell("f(1)", None, inside) == "f·(1) : boolean"
    assert check_cell('f("a")', None, inside) == (
        'error[type-mismatch] at "a": `"a"` is a text, but a number is wanted here'
    )
    assert check_cell("g(1, 2)", None, inside) == "g·(1, 2) : any"
    assert check_cell("(function(a: number, b: number) a - b)(b: 1, a: 2)") == (
        "function(a, b) (a - b)·(2, 1) : number"
    )


def test_calls__built_ins() -> None:
    assert check_cell("substring(start position: 2, string: name)") == ("substring·(state.name, 2) : text")
    assert check_cell('string join(for c in order return "x", ", ")') == (
        'string join·(for c in order() return "x", ", ") : text'
    )
    assert check_cell("list contains(order, red)") == "list contains·(order(), colour:red) : boolean"
    assert check_cell("repeat(red, 2)") == ("repeat·(colour:red, 2) : list of colour")
    assert check_cell("max([])", NUMBER) != ""


# -- records -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "checked"),
    [
        ('{action: "card", card: forum}', "move{action: action:card, place: null, card: card:forum} : move"),
        ("{wood: 2}", None),
        (
            "{acton: card}",
            "error[unknown-field] at acton: card: `move` has no field `acton` (did you mean `action`?)",
        ),
        ("{card: forum}", "error[missing-field] at {card: forum}: a move needs `action`"),
        (
            '{action: "card", card: 3}',
            "error[type-mismatch] at 3: `3` is a whole number, but a card? is wanted here",
        ),
        (
            "{action: pass, place: {row: 1, open: true}}",
            "error[computed-field] at open: true: `open` of `place` is worked out, so it cannot be given",
        ),
        (
            "{action: pass, place: {row: 1}}",
            "move{action: action:pass, place: place{row: 1, card: null}, card: null} : move",
        ),
    ],
)
def test_records__where_one_is_wanted(text: str, checked: str | None) -> None:
    if checked is None:
        assert check_cell(text, COST) == "cost{coins: 0, wood: 2, clay: 0} : cost"
    else:
        assert check_cell(text, MOVE) == checked


def test_records__in_arguments_lists_and_branches() -> None:
    assert check_cell("for p in structure return {action: pass, place: p}", ListType(MOVE)) == (
        "for p in state.structure return move{action: action:pass, place: p, card: null} : list of move"
    )
    assert check_cell("if age = 1 then null else {action: pass}", optional(MOVE)) == (
        "if (state.age? = 1) then null else move{action: action:pass, place: null, card: null} : move?"
    )
    assert check_cell("choice([{row: 1}])") == "choice([place{row: 1, card: null}]) : place?"


def test_records__compared_with_what_is_written() -> None:
    assert check_cell("p = {row: 1}", None, scope(p=PLACE)) == ("(p = place{row: 1, card: null}) : boolean")


def test_contexts() -> None:
    assert check_cell("{a: 1, b: a + 1}") == "{a: 1, b: (a + 1)} : {a: whole number, b: whole number}"
    assert check_cell("{solo: [forum]}", MapType(SIDE, ListType(CARD))) == (
        "{solo: [card:forum]} : list of card by side"
    )
    assert check_cell("{slo: [forum]}", MapType(SIDE, ListType(CARD))) == (
        'error[unknown-name] at slo: [forum]: "slo" is no name of `side` (did you mean `solo`?)'
    )
    assert check_cell("{rosso: 1}", MapType(COLOUR, NUMBER)) == "{red: 1} : number by colour"
