"""Null: where it flows, where a condition excludes it, where a guard stands."""

from __future__ import annotations

import pytest

from dtables.checker import check_book
from dtables.diagnostics import render
from dtables.evaluator import Evaluator
from dtables.feel.types import BOOLEAN, NUMBER, ListType, optional
from dtables.records.findings import RuleError
from tests.checker.small_world import (
    CARD,
    CITY,
    COLOUR,
    DEITY,
    PLACE,
    check_cell,
    lowered,
    scope,
)
from tests.support.drawing import book_text
from tests.support.model_text import model_text

LOCAL = scope(
    p=PLACE, c=optional(CARD), n=optional(NUMBER), m=optional(NUMBER), b=optional(BOOLEAN),
    owner=CITY, ns=ListType(optional(NUMBER)), d=optional(DEITY), colours=ListType(COLOUR),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "checked"),
    [
        ("n = 3", "(n = 3) : boolean"),
        ("n != m", "(n != m) : boolean"),
        ("c.points", "c.points : whole number?"),
        ("n in (1, 2)", "n in (1, 2) : boolean"),
        ("if n = null then 0 else 1", "if (n = null) then 0 else 1 : whole number"),
        ("[n, 1]", "[n, 1] : list of number?"),
        ("b and true", "(b and true) : boolean?"),
        ("not(b)", "not(b) : boolean?"),
    ],
)
def test_null__flows(text: str, checked: str) -> None:
    assert check_cell(text, None, LOCAL) == checked


@pytest.mark.parametrize(
    ("text", "checked"),
    [
        ("n + 1", "(n! + 1) : number"),
        ("n < 3", "(n! < 3) : boolean"),
        ("-n", "-n! : number"),
        ("if b then 1 else 2", "if b! then 1 else 2 : whole number"),
        ("n between 1 and 2", "n! in ([1..2]) : boolean"),
        ("pay(c, owner)", "pay(c!, owner) : number"),
        ("max(ns)", "max·(for item in ns return item!) : number?"),
        ("min(1, n)", "min·(1, n!) : number"),
        ("abs(n)", "abs·(n!) : number"),
        ("structure[card.free]", "state.structure[item.card!.free] : list of place"),
        ("n > 3 and n < 5", "((n! > 3) and (n < 5)) : boolean"),
    ],
)
def test_null__guarded(text: str, checked: str) -> None:
    assert check_cell(text, None, LOCAL) == checked


def test_null__guard_stands_where_the_null_comes_from() -> None:
    assert check_cell("c.points + 1", None, LOCAL) == "(c!.points + 1) : whole number"
    assert check_cell("owner.coins + 1", None, LOCAL) == "(owner.coins! + 1) : number"
    assert check_cell("god.shields + 1") == "(state.god.shields + 1) : whole number"
    assert check_cell("if age = 1 then n else m", NUMBER, LOCAL) == (
        "if (state.age? = 1) then n! else m! : number"
    )


def test_null__items_of_a_list() -> None:
    assert check_cell("ns", ListType(NUMBER), LOCAL) == "for item in ns return item! : list of number"
    assert check_cell("ns[item != null]", ListType(NUMBER), LOCAL) == ("ns[(item != null)] : list of number")
    assert check_cell("ns[item > 1]", None, LOCAL) == "ns[(item! > 1)] : list of number"


@pytest.mark.parametrize(
    ("text", "checked"),
    [
        ("n != null and n > 1", "((n != null) and (n > 1)) : boolean"),
        ("n = null or n > 1", "((n = null) or (n > 1)) : boolean"),
        ("if n = null then 0 else n + 1", "if (n = null) then 0 else (n + 1) : number"),
        ("if n != null then n else 0", "if (n != null) then n else 0 : number"),
        ("if not(n = null) then n else 0", "if not((n = null)) then n else 0 : number"),
        (
            "if n = null or m = null then 0 else n + m",
            "if ((n = null) or (m = null)) then 0 else (n + m) : number",
        ),
        ("n = 3 and n + 1 = 4", "((n = 3) and ((n + 1) = 4)) : boolean"),
        ("n in [1..3] and n + 1 = 4", "(n in ([1..3]) and ((n + 1) = 4)) : boolean"),
        ("n in (1, null) and n + 1 = 4", "(n in (1, null) and ((n! + 1) = 4)) : boolean"),
        ("p.card != null and p.card.free", "((p.card != null) and p.card.free) : boolean"),
        ("c.points != null and c.free", "((c.points != null) and c.free) : boolean"),
        ("god != null and likes(god)", "((state.god? != null) and likes(state.god)) : boolean"),
        ("maybe(forum) != null and maybe(forum) > 1",
         "((maybe(card:forum) != null) and (maybe(card:forum) > 1)) : boolean"),
        ("deck(red) != null and count(deck(red)) > 1",
         "((state.deck(colour:red) != null) and (count·(state.deck(colour:red)) > 1)) : boolean"),
        ("for p in structure[card != null] return p.card.points + 1",
         "for p in state.structure[(item.card != null)] return (p.card.points + 1) : list of whole number"),
        ("some p in structure[card != null][open] satisfies p.card.free",
         "some p in state.structure[(item.card != null)][item.open] satisfies p.card.free : boolean"),
        ("structure[card != null][card.free]",
         "state.structure[(item.card != null)][item.card.free] : list of place"),
        ("structure[card != null and card.free]",
         "state.structure[((item.card != null) and item.card.free)] : list of place"),
    ],
)  # fmt: skip
def test_null__excluded_by_a_condition(text: str, checked: str) -> None:
    assert check_cell(text, None, LOCAL) == checked


@pytest.mark.parametrize(
    "text",
    ["n != null or n > 1", "n = null and n > 1", "if n = m then n + 1 else 0", "not(n != null) and n > 1"],
)
def test_null__a_condition_that_does_not_exclude_it(text: str) -> None:
    assert "n!" in check_cell(text, None, LOCAL)


def test_null__excluded_from_what_is_read_of_a_list() -> None:
    assert check_cell("structure[card != null].card.points", None, LOCAL) == (
        "for item in for item in state.structure[(item.card != null)] return item.card"
        " return item.points : list of whole number"
    )
    assert check_cell("structure[open].card.points", None, LOCAL) == (
        "for item in for item in state.structure[item.open] return item.card"
        " return item.points : list of whole number?"
    )


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("[n, 1][1]", "number?"),
        ("[1, 2][1]", "whole number"),
        ("[1, 2][2]", "whole number?"),
        ("(each colour)[-1]", "colour"),
        ("max(concatenate([0], for p in structure return p.row))", "whole number"),
        ("max(for x in each colour return 1)", "whole number"),
        ("max(for x in structure return 1)", "whole number?"),
        ("append(colours, red)[1]", "colour"),
        ("if colours = [] then null else colours[1]", "colour?"),
        ("if colours = [] then red else colours[1]", "colour"),
        ("if colours != [] then colours[-1] else red", "colour"),
        ("if count(colours) > 0 then colours[1] else red", "colour"),
        ("if count(colours) = 0 then red else colours[1]", "colour"),
        ("if count(colours) > -1 then colours[1] else red", "colour?"),
        ("if colours = [] then colours[1] else red", "colour?"),
        ("sum([1, n])", "number"),
    ],
)
def test_null__not_of_a_list_that_holds_something(text: str, type_: str) -> None:
    assert check_cell(text, None, LOCAL).rpartition(" : ")[2] == type_


def test_null__of_an_empty_sum() -> None:
    _, found = lowered("sum(numbers)", NUMBER, LOCAL)
    assert [d.hint for d in found] == ["`total(…)` of an empty list is 0"]


def test_null__always() -> None:
    assert check_cell("null", NUMBER) == (
        "error[always-null] at null: `null` is always null, but a number is wanted here"
    )
    assert check_cell("null + 1") == (
        "error[always-null] at null: `null` is always null, but a value is wanted here"
    )
    assert check_cell("if age = 1 then 3 else null", NUMBER) == (
        "error[always-null] at null: `null` is always null, but a number is wanted here"
    )
    assert check_cell("if age = 1 then 3 else null", optional(NUMBER)) == (
        "if (state.age? = 1) then 3 else null : whole number?"
    )


def test_null__one_note_for_a_cell() -> None:
    value, found = lowered("n + m + n", NUMBER, LOCAL)
    assert model_text(value) == "((n! + m!) + n!)"
    assert render(found) == (
        "book.xlsx!Rules!C2: note[may-be-null]: `n`, `m` may be null,"
        " which would be an error here when it happens\n"
        "  C2 | n + m + n\n"
        "     | ^\n"
    )


def test_null__an_item_that_may_be_null_is_not_its_list() -> None:
    _, (note,) = lowered("append(numbers, n)", ListType(NUMBER), LOCAL)
    assert note.message.startswith("an item of `append(numbers, n)` may be null")


def test_null__input_fields_need_no_note() -> None:
    """A record without them is rejected; that is told elsewhere."""
    _, found = lowered("conflict + 1", NUMBER)
    assert found == ()


CELLS = [
    "not(null)",
    "not(3)",
    "not(< 3)",
    "< 3",
    "1, 2",
    "1, null",
    "null",
    "not(1, null)",
    "-",
    "[1..m]",
    "m",
]


@pytest.mark.parametrize("cell", CELLS)
def test_null__is_noted_beside_a_cell_just_where_it_passes(cell: str) -> None:
    text = "\n".join(
        (
            "Decision: d(n: number?, m: number) -> list of number ; policy: collect",
            "  # | if | then",
            "  # | n | r",
            f"  1 | {cell} | n + 1",
        )
    )
    book, _ = book_text(text)
    model, found = check_book(book)
    assert model is not None
    try:
        Evaluator(model).call("d", {"n": None, "m": 2})
    except RuleError:
        assert [one.code for one in found] == ["may-be-null"]
    else:
        assert found == ()
