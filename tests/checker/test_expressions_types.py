"""Types: what operators, lists, loops and branches make of them, and what does not go together."""

from __future__ import annotations

import pytest

from dtables.feel.types import (
    BOOLEAN,
    NULL,
    NUMBER,
    TEXT,
    UNKNOWN,
    WHOLE,
    ListType,
    Type,
    join,
    optional,
)
from tests.checker.small_world import CARD, COLOUR, COST, among, check_cell, check_list, check_type, scope

LOCAL = scope(n=NUMBER, w=WHOLE, t=TEXT, b=BOOLEAN, ns=ListType(NUMBER), cs=ListType(CARD), c=CARD)


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("1 + 2", "whole number"),
        ("1 + 2.5", "number"),
        ("w * w - 3", "whole number"),
        ("w + n", "number"),
        ("w / 2", "number"),
        ("w ** 2", "whole number"),
        ("2 ** w", "number"),
        ("-w", "whole number"),
        ("c.age + 1", "number"),
        ('t + "x"', "text"),
        ("w > 2", "boolean"),
        ('t < "x"', "boolean"),
        ('@"2026-11-18" + @"P1D"', "date"),
        ('@"2026-11-18" - @"2026-11-01"', "days and time duration"),
        ('@"P1D" * 2', "days and time duration"),
        ('@"P2D" / @"P1D"', "number"),
        ('@"P1Y" + @"P1M"', "years and months duration"),
        ('@"10:00:00" + @"PT1H"', "time"),
        ("[1, 2.5]", "list of number"),
        ("[]", "list of unknown"),
        ("[1..3]", "range of whole number"),
        ("for i in 1..3 return i * 2", "list of whole number"),
        ("for i in 1..n return i", "list of number"),
        ("for x in cs, i in 1..2 return x.points + i", "list of whole number"),
        ("for x in cs return for y in cs return y.age", "list of list of age"),
        ("some x in cs satisfies x.free", "boolean"),
        ("every x in cs satisfies x.points > w", "boolean"),
        ("cs[1]", "card?"),
        ("cs[-1]", "card?"),
        ("cs[w]", "card?"),
        ("cs[free]", "list of card"),
        ("{a: 1, b: a + 0.5}", "{a: whole number, b: number}"),
        ("{a: 1}.a", "whole number"),
        ("if b then 1 else 2.5", "number"),
        ("if b then null else 1", "whole number?"),
        ("if b then [] else ns", "list of number"),
        ("count(cs)", "whole number"),
        ("max(ns)", "number?"),
        ("max(1, 2)", "whole number"),
        ("total(ns)", "number"),
        ("sum(ns)", "number?"),
        ("sort(cs, function(a, b) a.age < b.age)", "list of card"),
        ("flatten([[1], [2, 3]])", "list of whole number"),
        ("distinct values(cs.colour)", "list of colour"),
        ("reverse(cs)", "list of card"),
        ("floor(n)", "whole number"),
        ('contains(t, "x")', "boolean"),
        ("n instance of number", "boolean"),
        ("function(x: number) x + 1", "function(number) -> number"),
        ("context(for x in each colour return {key: x, value: 1})", "whole number by colour"),
        ("choice ranking(structure)", "list of list of place"),
    ],
)
def test_types__of_what_comes_out(text: str, type_: str) -> None:
    assert check_cell(text, None, LOCAL).rpartition(" : ")[2] == type_


def test_types__partial_is_what_the_loop_makes() -> None:
    assert check_cell("for i in 1..3 return if i = 1 then 1 else partial[-1] * i") == (
        "for i in 1..3 return if (i = 1) then 1 else (partial[#-1]! * i) : list of whole number"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('n + "a"', '[type-mismatch] at n + "a": `+` does not work on a number and a text'),
        ("b * 2", "[type-mismatch] at b * 2: `*` does not work on a boolean and a whole number"),
        ("-t", "[type-mismatch] at -t: `-` does not work on a text"),
        ("b and n", "[type-mismatch] at n: `and` does not work on a number"),
        ("not(n)", "[type-mismatch] at n: `not` does not work on a number"),
        (
            "n = t",
            "[type-mismatch] at n = t: `n` is a number and `t` is a text: they can never be equal",
        ),
        ("n < t", "[type-mismatch] at n < t: `<` does not work on a number and a text"),
        ("c < c", "[not-ordered] at c < c: `<` needs numbers, texts or times, but this is a card"),
        ("cs = ns", None),
        ('[1, "a"]', '[mixed-types] at [1, "a"]: the list has whole number and text,'
                     " which have nothing in common"),
        ('if b then 1 else "a"', '[mixed-types] at if b then 1 else "a": the branches are whole number'
                                 " and text, which have nothing in common"),
        ("if n then 1 else 2", "[type-mismatch] at n: `n` is a number, but a boolean is wanted here"),
        ("for x in n return x", "[not-a-list] at n: `n` is a number, not a list"),
        ("n[1]", "[not-a-list] at n: `n` is a number, not a list"),
        ("cs[colour]", "[not-a-condition] at colour: `colour` is a colour;"
                       " brackets hold a condition or a position"),
        ("cs[points]", "[not-a-condition] at points: `points` is a number of each item;"
                       " brackets hold a condition or a position"),
        ("count(n)", "[type-mismatch] at n: `n` is a number, but a list of any is wanted here"
                     " (for a list of one write [n])"),
        ("max(cs)", "[not-ordered] at cs: `max` needs numbers, texts or times, but this is a card"),
        ("contains(t, 1)", "[type-mismatch] at 1: `1` is a whole number, but a text is wanted here"),
        ("rounds(n)", "[type-mismatch] at n: `n` may have a fraction, but a whole number is wanted here"
                      " (round it: floor(…), ceiling(…), round half up(…, 0))"),
        ("for i in 1..t return i", "[type-mismatch] at 1..t:"
                                   " `..` does not work on a whole number and a text"),
        ('@"2026-13-01"', '[not-a-date] at @"2026-13-01": @"2026-13-01" is no date, time or duration'),
        ("n instance of crad", "[unknown-type] at crad: there is no type `crad`"
                               " (did you mean `card`?)"),
        ("between 1", None),
    ],
)  # fmt: skip
def test_types__that_do_not_go_together(text: str, message: str | None) -> None:
    found = check_cell(text, None, LOCAL)
    assert found.startswith("error[")
    assert found.count("\n") == 0, "one mistake, one message"
    if message is not None:
        assert found == "error" + message


@pytest.mark.parametrize(
    ("text", "wanted", "checked"),
    [
        ("n", WHOLE, "error[type-mismatch] at n: `n` may have a fraction, but a whole number is wanted here"
                     " (round it: floor(…), ceiling(…), round half up(…, 0))"),
        ("w", NUMBER, "w : whole number"),
        ("w", optional(NUMBER), "w : whole number"),
        ("t", NUMBER, "error[type-mismatch] at t: `t` is a text, but a number is wanted here"),
        ("c", ListType(CARD), "error[type-mismatch] at c: `c` is a card, but a list of card is wanted here"
                              " (for a list of one write [c])"),
        ("[]", ListType(CARD), "[] : list of card"),
        ("[forum]", ListType(CARD), "[card:forum] : list of card"),
        ("if b then forum else c", CARD, "if b then card:forum else c : card"),
        ("for x in cs return red", ListType(COLOUR), "for x in cs return colour:red : list of colour"),
        ("hello", TEXT, "error[unknown-name] at hello: nothing here is called `hello`"
                        ' (for a text write "hello")'),
    ],
)  # fmt: skip
def test_types__wanted(text: str, wanted: Type, checked: str) -> None:
    assert check_cell(text, wanted, LOCAL) == checked


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("number", "number"),
        ("list of card", "list of card"),
        ("list of card by colour", "list of card by colour"),
        ("deity?", "deity?"),
        ("age", "age"),
        ("date and time", "date and time"),
        ("crad", "error[unknown-type] at crad: there is no type `crad` (did you mean `card`?)"),
        ("list of crad", "error[unknown-type] at crad: there is no type `crad` (did you mean `card`?)"),
        ("integer", "error[unknown-type] at integer: there is no type `integer` (write `whole number`)"),
        ("String", "error[unknown-type] at String: there is no type `String` (write `text`)"),
        (
            "numero intero",
            "error[unknown-type] at numero intero: there is no type `numero intero` (write `whole number`)",
        ),
        (
            "lista di card",
            "error[unknown-type] at lista di card: there is no type `lista di card` (write `list of card`)",
        ),
        ("number by cost", "error[not-a-vocabulary] at cost: `cost` is no vocabulary"),
    ],
)
def test_lower_type(text: str, type_: str) -> None:
    assert check_type(text) == type_


@pytest.mark.parametrize(
    ("text", "item", "checked"),
    [
        ("red, blue", COLOUR, "[colour:red, colour:blue] : list of colour"),
        ("red > blu > verde", COLOUR, "[colour:red, colour:blue, colour:green] : list of colour"),
        ("red; blue", COLOUR, "[colour:red, colour:blue] : list of colour"),
        ("red\nblue", COLOUR, "[colour:red, colour:blue] : list of colour"),
        ("[red, blue]", COLOUR, "[colour:red, colour:blue] : list of colour"),
        ("red", COLOUR, "[colour:red] : list of colour"),
        ("order", COLOUR, "order() : list of colour"),
        ("order[item != red]", COLOUR, "order()[(item != colour:red)] : list of colour"),
        ("3 > 4 > 5", WHOLE, "[3, 4, 5] : list of whole number"),
        ("3", NUMBER, "[3] : list of whole number"),
        ("[[3, 4]]", ListType(WHOLE), "[[3, 4]] : list of list of whole number"),
        ("[[3, 4], [5]]", ListType(WHOLE), "[[3, 4], [5]] : list of list of whole number"),
        ('1, "a"', NUMBER, 'error[type-mismatch] at "a": `"a"` is a text, but a number is wanted here'),
        ("red, bleu", COLOUR, "error[unknown-name] at bleu: `bleu` is no name of `colour`,"
                              " and nothing here is called so (did you mean `blu`?)"),
        ("{wood: 1}, {clay: 2}", COST,
         "[cost{coins: 0, wood: 1, clay: 0}, cost{coins: 0, wood: 0, clay: 2}] : list of cost"),
    ],
)  # fmt: skip
def test_lower_list(text: str, item: Type, checked: str) -> None:
    assert check_list(text, item) == checked


def test_traps() -> None:
    assert check_cell("for i in 3..1 return i").endswith(
        "warning[descending-range] at 3..1: `3..1` counts down (for no round at all, test the end first)"
    )
    assert check_cell("max([])") == (
        "max·([]) : null\n"
        "warning[null-of-nothing] at max([]): `max([])` is null: there is nothing in the list"
    )
    assert check_cell("ns[0]", None, LOCAL).endswith(
        "warning[zero-index] at 0: lists count from 1, so there is never an item 0 (write [1] for the first)"
    )
    assert check_cell("numbers[points] != null", None, among(CARD)).endswith(
        "warning[index-in-filter] at points: `[points]` on a list of numbers is read as a position"
        " (to find the number write [item = points])"
    )


def test_unknown_beside_null_is_not_always_null() -> None:
    assert join((UNKNOWN, NULL)) == join((NULL, UNKNOWN)) == UNKNOWN
    assert join((NULL, WHOLE)) == optional(WHOLE) and join((UNKNOWN, WHOLE)) == WHOLE
