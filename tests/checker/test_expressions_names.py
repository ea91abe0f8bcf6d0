"""Names: vocabularies first where one is wanted, then the nearest thing in scope."""

from __future__ import annotations

import pytest

from dtables.feel.types import ANY, BOOLEAN, NUMBER, WHOLE, ListType, OptionalType, Type, optional
from tests.checker.small_world import (
    ACTION,
    CARD,
    COLOUR,
    COST,
    DEITY,
    GOD,
    MOVE,
    PLACE,
    RESOURCE,
    SIDE,
    among,
    check_cell,
    scope,
)


@pytest.mark.parametrize(
    ("text", "checked"),
    [
        ("colour = red", "(state.colour? = colour:red) : boolean"),
        ("red = colour", "(colour:red = state.colour?) : boolean"),
        ("colour = rosso", "(state.colour? = colour:red) : boolean"),
        ("colour = rot", "(state.colour? = colour:red) : boolean"),
        ('colour = "ROSSO"', "(state.colour? = colour:red) : boolean"),
        ('"red" = colour', "(colour:red = state.colour?) : boolean"),
        ("god != gate", "(state.god? != deity:gate) : boolean"),
        ("red in order", "colour:red in (one of order()) : boolean"),
        ("colour in [red, verde]", "state.colour? in (one of [colour:red, colour:green]) : boolean"),
        ("colour in (red, verde)", "state.colour? in (colour:red, colour:green) : boolean"),
        ("order = [red, blue]", "(order() = [colour:red, colour:blue]) : boolean"),
        ("MODE = yes", "(switch MODE = switch MODE:YES) : boolean"),
        ("level = 1", "(state.level = level:1) : boolean"),
        ("concatenate([red], order)", "concatenate·([colour:red], order()) : list of colour"),
        ("append(order, blu)", "append·(order(), colour:blue) : list of colour"),
        ("index of(order, blue)", "index of·(order(), colour:blue) : list of whole number"),
        (
            "if age = 1 then red else order[1]",
            "if (state.age? = 1) then colour:red else order()[#1] : colour?",
        ),
        ("[order[1], red]", "[order()[#1], colour:red] : list of colour?"),
        ("{action: wonder, card: card}", None),
    ],
)
def test_bare_names__by_what_stands_beside(text: str, checked: str | None) -> None:
    if checked is None:
        # The field `action` wants one of its names although an input field is called so too.
        found = check_cell(text, MOVE, scope(card=CARD))
        assert found == "move{action: action:wonder, place: null, card: card} : move"
    else:
        assert check_cell(text) == checked


def test_bare_names__vocabulary_before_scope() -> None:
    assert check_cell("solo", SIDE) == "side:solo : side"
    assert check_cell("solo") == "state.solo : city"
    assert check_cell("if name = solo then solo.coins else 0", None, scope(name=SIDE)) == (
        "if (name = side:solo) then state.solo.coins else 0 : number?"
    )


@pytest.mark.parametrize(
    "text",
    [
        'get value({a: 17}, "a")', 'get value({a: red}, "a")', 'get value({a: {b: red}}, ["a", "b"])',
        'context put({}, "a", red).a', 'get value(key: "a", m: {a: red})',
        "[red, blue][index of([1], 1)[1]]",
    ],
)  # fmt: skip
def test_bare_names__keys_are_no_names_of_what_is_wanted(text: str) -> None:
    check_cell(text, COLOUR)


def test_bare_names__wanted_by_parameter_and_field() -> None:
    assert check_cell("likes(mars)") == "likes(deity:mars) : boolean"
    assert check_cell('likes("isis")') == "likes(deity:isis) : boolean"
    assert check_cell('{action: "card"}', MOVE) == "move{action: action:card, place: null, card: null} : move"
    assert check_cell("price(wood)") == "price()(resource:wood) : number"


@pytest.mark.parametrize(
    ("text", "wanted", "message"),
    [
        (
            "rde", COLOUR,
            "error[unknown-name] at rde: `rde` is no name of `colour`, and nothing here is called so"
            " (did you mean `red`?)",
        ),
        ('"x"', COLOUR, 'error[unknown-name] at "x": "x" is no name of `colour`'),
        (
            "strcture", None,
            "error[unknown-name] at strcture: nothing here is called `strcture` (did you mean `structure`?)",
        ),
        (
            "likes(gate)", None,
            "error[unknown-name] at gate: `gate` is a name of `deity`, but not one of `god`",
        ),
        (
            "conflict = blue", None,
            "error[type-mismatch] at conflict = blue: `conflict` is a whole number? and `blue` is a colour:"
            " they can never be equal",
        ),
        (
            "colour = god", None,
            "error[unrelated-vocabularies] at colour = god:"
            " a name of `colour` can never equal a name of `deity`",
        ),
        ("state", None, "error[unknown-name] at state: `state` is read field by field"
                        " (write `state.` and a field's name)"),
        ("state.agee", None, "error[unknown-field] at agee: `state` has no field `agee`"
                             " (did you mean `age`?)"),
        ("? + 1", None, "error[no-subject] at ?: `?` means the value that a column tests,"
                        " and nothing is tested here"),
        ('name = hello', None, "error[unknown-name] at hello: nothing here is called `hello`"),
    ],
)  # fmt: skip
def test_bare_names__unknown(text: str, wanted: Type | None, message: str) -> None:
    assert check_cell(text, wanted) == message


def test_bare_names__in_both_of_one_type() -> None:
    found = check_cell("red", COLOUR, scope(red=COLOUR))
    assert found == (
        "error[ambiguous-name] at red: `red` is a name of `colour` and also a local name of that type"
        ' (write "red" for the name)'
    )
    assert check_cell('"red"', COLOUR, scope(red=COLOUR)) == "colour:red : colour"
    assert check_cell("red", COLOUR, scope(red=NUMBER)) == "colour:red : colour"


def test_bare_names__where_no_type_is_told() -> None:
    """A name that one vocabulary alone has needs no telling."""
    assert check_cell("[red, blue]") == "[colour:red, colour:blue] : list of colour"
    assert check_cell("if age = 1 then wood else clay") == (
        "if (state.age? = 1) then resource:wood else resource:clay : resource"
    )


def test_bare_names__in_a_list_that_is_filtered() -> None:
    """Its names are of what they are held against, or of what is wanted."""
    assert check_cell("[mars, isis][item in gods][1]", None, scope(gods=ListType(DEITY))) == (
        "[deity:mars, deity:isis][item in (one of gods)][#1] : deity?"
    )
    assert check_cell("[card, pass][1]", optional(ACTION)) == "[action:card, action:pass][#1] : action"


def test_bare_names__label_of_two() -> None:
    from dtables.feel.types import VocabularyType

    found = check_cell("same", VocabularyType("twins", "twins"))
    assert found == "error[ambiguous-name] at same: `same` means `a` and `b` (write its id)"


# -- scope -------------------------------------------------------------------------------------


def test_scope__item_fields_hide_input() -> None:
    assert check_cell("age", None, among(CARD)) == "item.age : age"
    assert check_cell("state.age", None, among(CARD)) == "state.age? : age?"
    assert check_cell("each card[age = state.age]") == "each card[(item.age = state.age?)] : list of card"


def test_scope__innermost_item_first() -> None:
    inside = among(CARD)
    assert check_cell("structure[open and row > points]", None, inside) == (
        "state.structure[(item.open and (item.row > item.points))] : list of place"
    )


def test_scope__a_bound_name_hides_fields_further_out() -> None:
    assert check_cell("some points in numbers satisfies points > 1", None, among(CARD)) == (
        "some points in state.numbers satisfies (points > 1) : boolean"
    )


def test_scope__fields_hide_parameters() -> None:
    outside = scope(points=BOOLEAN)
    assert check_cell("points", None, outside) == "points : boolean"
    assert check_cell("points", None, among(CARD, outside)) == "item.points : whole number"


def test_scope__a_field_that_cannot_be_called_does_not_hide_a_function() -> None:
    assert check_cell("count(numbers)", None, scope(count=NUMBER)) == ("count·(state.numbers) : whole number")
    assert check_cell("cost(wood)", None, among(CARD)) == "item.cost(resource:wood) : number"


def test_scope__data_and_switches() -> None:
    assert check_cell("bonus[action = pass]") == "rows of bonus[(item.action = action:pass)] : list of move"
    assert check_cell("MODE") == "switch MODE : switch MODE"


def test_same_on_both_sides() -> None:
    assert check_cell("each card[age = age]") == (
        "error[compares-itself] at age = age: both sides are the same `age`"
        " (for the input field write `state.age`)"
    )
    assert check_cell("conflict < conflict") == (
        "error[compares-itself] at conflict < conflict: both sides are the same `conflict`"
    )


def test_each() -> None:
    assert check_cell("each colour") == "each colour : list of colour"
    assert check_cell("each god[shields > 1]") == "each god[(item.shields > 1)] : list of god"
    assert check_cell("each colur") == (
        "error[not-a-vocabulary] at colur: `colur` is no vocabulary (did you mean `colour`?)"
    )


def test_names__yes_spelled_like_a_name() -> None:
    assert check_cell("YES", BOOLEAN) == "true : boolean"


@pytest.mark.parametrize("wanted", [ACTION, optional(ACTION), OptionalType(ACTION)])
def test_names__wanted_with_question_mark(wanted: Type) -> None:
    assert check_cell("card", wanted) == "action:card : action"


def test_names__of_keyed_data_are_rows() -> None:
    assert check_cell("forum.points") == "card:forum.points : whole number"
    assert check_cell("c.points", None, scope(c=CARD)) == "c.points : whole number"
    assert check_cell("g.shields", None, scope(g=GOD)) == "g.shields : whole number"


def test_paths() -> None:
    local = scope(p=PLACE, ps=ListType(PLACE), d=optional(DEITY), r=RESOURCE, k=COST)
    assert check_cell("p.card.cost.wood", None, local) == "p.card.cost.wood : number?"
    assert check_cell("ps.row", None, local) == "for item in ps return item.row : list of whole number"
    assert check_cell("ps.card.points", None, local) == (
        "for item in for item in ps return item.card return item.points : list of whole number?"
    )
    assert check_cell("d.patron.patron", None, local) == "d.patron.patron : deity?"
    assert check_cell("k(r)", None, local) == "k(r) : number"
    assert check_cell("p.rwo", None, local) == (
        "error[unknown-field] at rwo: `place` has no field `rwo` (did you mean `row`?)"
    )
    assert check_cell("p.row.x", None, local) == (
        "error[no-fields] at x: `p.row` is a whole number, which has no field `x`"
    )
    assert check_cell("ps.cards", None, local) == (
        "error[unknown-field] at cards: `place` has no field `cards` (did you mean `card`?)"
    )


def test_paths__a_list_of_lists_stays_one() -> None:
    nested = scope(rows=ListType(ListType(PLACE)), maybe=optional(ListType(PLACE)))
    assert check_cell("rows.row", None, nested) == (
        "for item in rows return for item in item return item.row : list of list of whole number"
    )
    assert check_cell("maybe.row", None, nested) == (
        "if (maybe = null) then null else for item in maybe return item.row : list of whole number?"
    )


def test_paths__dates() -> None:
    assert check_cell('@"2026-11-18".year + 1') == "(2026-11-18.year + 1) : whole number"
    assert check_cell('@"2026-11-18".yaer') == (
        "error[unknown-field] at yaer: `date` has no field `yaer` (did you mean `year`?)"
    )


def test_by_key() -> None:
    assert check_cell("deck(red)") == "state.deck(colour:red) : list of card?"
    assert check_cell("deck.red") == "state.deck(colour:red) : list of card?"
    assert check_cell("price(red)") == (
        "error[unknown-name] at red: `red` is no name of `resource`, and nothing here is called so"
    )
    assert check_cell("price(conflict)") == (
        "error[type-mismatch] at conflict: `conflict` is a whole number?, but a resource is wanted here"
    )
    assert check_cell("conflict(1)") == (
        "error[not-a-function] at conflict: `conflict` is a whole number?, which takes no argument"
    )


def test_anything_inside_a_broken_list_is_quiet() -> None:
    assert check_cell("strcture[whatever > 3].there") == (
        "error[unknown-name] at strcture: nothing here is called `strcture` (did you mean `structure`?)"
    )


def test_values_of_unknown_type_are_guarded_where_a_type_is_wanted() -> None:
    assert check_cell("x + 1", WHOLE, scope(x=ANY)) == "(x + 1)! : whole number"
    assert check_cell("x + 1", None, scope(x=ANY)) == "(x + 1) : any"
    assert check_cell("x", ListType(WHOLE), scope(x=ListType(ANY))) == "x! : list of whole number"
    assert check_cell("x", ListType(NUMBER), scope(x=ListType(WHOLE))) == "x : list of whole number"


@pytest.mark.parametrize(
    ("text", "checked"),
    [
        ("[solo][item = name]", "[side:solo][(item = name)] : list of side"),
        ("[solo, player][item in (name)]", "[side:solo, side:player][item in (name)] : list of side"),
        ("[solo][item = name][1]", "[side:solo][(item = name)][#1] : side?"),
        ("[solo][item = name and true]", "[side:solo][((item = name) and true)] : list of side"),
        ("[solo][1]", "[state.solo][#1] : city"),
    ],
)
def test_bare_names__of_a_list_by_what_its_items_are_held_against(text: str, checked: str) -> None:
    assert check_cell(text, None, scope(name=SIDE)) == checked
