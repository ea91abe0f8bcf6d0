"""Needs, draws, stops, what an open answer looks like."""

from __future__ import annotations

from typing import Any

import pytest

from dtables.evaluator import Evaluator
from dtables.feel import types
from dtables.feel.types import ListType, OptionalType, VocabularyType
from dtables.model.expressions import Arithmetic, Comparison, Conditional, Expression, InputField, MakeList
from dtables.model.tables import AnswerField, AskRow, Draw, Need, Place, Step, Stop, WhenOpen
from dtables.records.findings import RecordError, RuleError
from tests.evaluator.models import (
    CELL,
    HERE,
    ask,
    constant,
    field,
    listed,
    name_of,
    read,
    ruleset,
    variable,
    vocabulary,
)

COLOUR = VocabularyType("colour", "colour")
COLOURS = vocabulary("colour", "red", "green", "blue", words={"red": "Rosso", "green": "Verde"})
FIELDS = (
    field("drawn", OptionalType(COLOUR)),
    field("second", OptionalType(types.WHOLE)),
    field("age", types.WHOLE),
    field("list", ListType(types.WHOLE), listed()),
)


def answer(state: dict[str, Any], *rows: AskRow) -> dict[str, Any]:
    made = ruleset(fields=FIELDS, vocabularies=[COLOURS], asks=[ask("turn", *rows)])
    return Evaluator(made).answer(None, state)


def drawing(options: Expression, recorded: str | None = "drawn", name: str = "d") -> Draw:
    place = None if recorded is None else Place((recorded,), HERE)
    drawn = variable(name, options.type.item if isinstance(options.type, ListType) else types.ANY)
    return Draw(drawn, options, place, None, CELL, CELL)


def colours(*ids: str) -> MakeList:
    return MakeList(tuple(name_of("colour", i) for i in ids), type=ListType(COLOUR), where=HERE)


def field_row(
    name: str, value: Expression, when: WhenOpen = WhenOpen.MERGED, listed_in: Expression | None = None
) -> AnswerField:
    return AnswerField(name, value, when, listed_in, CELL, CELL)


def input_field(name: str, type_: types.Type) -> InputField:
    return InputField(name, type=type_, where=HERE)


BOTH = drawing(colours("blue", "red"))


def test_draw__one_is_the_answer_and_the_record_is_not_read() -> None:
    one = drawing(colours("blue"))
    assert answer({"drawn": "red"}, one, field_row("c", read(one.variable))) == {"c": "blue"}


def test_draw__none_is_null() -> None:
    none = drawing(colours())
    assert answer({}, none, field_row("c", read(none.variable))) == {"c": None}


def test_draw__recorded_outcome_by_label() -> None:
    assert answer({"drawn": "ROSSO"}, BOTH, field_row("c", read(BOTH.variable))) == {"c": "red"}


def test_draw__open_in_vocabulary_order() -> None:
    assert answer({}, BOTH, field_row("c", read(BOTH.variable))) == {
        "c": None,
        "any_of": {"c": ["red", "blue"]},
    }


def test_draw__recorded_outcome_that_cannot_be() -> None:
    with pytest.raises(RecordError) as caught:
        answer({"drawn": "green"}, BOTH, field_row("c", read(BOTH.variable)))
    assert (caught.value.path, caught.value.found) == ("state.drawn", '"green"')
    assert caught.value.wanted == "one of blue, red"


def test_merged__equal_everywhere_is_the_value() -> None:
    is_a_colour = Comparison("!=", read(BOTH.variable), constant(None), type=types.BOOLEAN, where=HERE)
    assert answer({}, BOTH, field_row("b", is_a_colour)) == {"b": True}


def test_merged__no_before_yes_and_null_last() -> None:
    is_red = Comparison("=", read(BOTH.variable), name_of("colour", "red"), type=types.BOOLEAN, where=HERE)
    given = Conditional(is_red, constant(7), constant(None), type=types.optional(types.WHOLE), where=HERE)
    assert answer({}, BOTH, field_row("is red", is_red), field_row("n", given)) == {
        "is red": None,
        "n": None,
        "any_of": {"is red": [False, True], "n": [7, None]},
    }


def test_numbers_rise() -> None:
    numbers = drawing(
        MakeList(tuple(map(constant, (3, 1, 2))), type=ListType(types.WHOLE), where=HERE), None, "n"
    )
    row = field_row("n", read(numbers.variable))
    assert answer({}, numbers, row)["any_of"] == {"n": [1, 2, 3]}


def test_rows_above_a_draw_are_not_open() -> None:
    above = field_row("above", constant(1), WhenOpen.NULL)
    below = field_row("below", constant(1), WhenOpen.NULL)
    assert answer({}, above, BOTH, below) == {"above": 1, "below": None}


def test_listed__the_list_stands_in_any_of() -> None:
    row = field_row("c", constant("x"), WhenOpen.LISTED, colours("green", "blue"))
    assert answer({}, BOTH, row) == {"c": "x", "any_of": {"c": ["green", "blue"]}}
    assert answer({"drawn": "red"}, BOTH, row) == {"c": "x"}


def test_dependent_draws__impossible_branches_go() -> None:
    """Red allows 1 or 2, blue 3 or 4: a recorded 3 tells that blue was drawn."""
    is_red = Comparison("=", read(BOTH.variable), name_of("colour", "red"), type=types.BOOLEAN, where=HERE)
    pairs = ListType(types.WHOLE)
    low = MakeList((constant(1), constant(2)), type=pairs, where=HERE)
    high = MakeList((constant(3), constant(4)), type=pairs, where=HERE)
    second = drawing(Conditional(is_red, low, high, type=pairs, where=HERE), "second", "second")
    rows = (BOTH, field_row("c", read(BOTH.variable)), second, field_row("n", read(second.variable)))
    assert answer({}, *rows) == {
        "c": None,
        "n": None,
        "any_of": {"c": ["red", "blue"], "n": [1, 2, 3, 4]},
    }
    assert answer({"second": 3}, *rows) == {"c": "blue", "n": 3}
    assert answer({"drawn": "red"}, *rows) == {"c": "red", "n": None, "any_of": {"n": [1, 2]}}
    with pytest.raises(RecordError) as caught:
        answer({"second": 5}, *rows)
    assert caught.value.path == "state.second"


def test_stop__rows_below_are_null_without_any_of() -> None:
    stop = Stop(constant(True), CELL)
    above, below = field_row("above", constant(1)), field_row("below", read(BOTH.variable))
    assert answer({}, above, stop, BOTH, below) == {"above": 1, "below": None}


def test_step__is_not_worked_out_unless_read() -> None:
    nothing = Step(variable("s"), (), input_field("age", types.WHOLE), CELL, CELL)
    assert answer({}, nothing, field_row("c", constant(1))) == {"c": 1}
    with pytest.raises(RecordError, match=r"state\.age: found nothing, wanted whole number"):
        answer({}, nothing, field_row("c", read(nothing.variable)))


def test_need__missing_and_empty_places() -> None:
    age = Need(Place(("age",), HERE), None, False, CELL)
    some = Need(Place(("list",), HERE), None, True, CELL)
    with pytest.raises(RecordError) as caught:
        answer({"age": None, "list": []}, age, some)
    assert [str(f) for f in caught.value.findings] == [
        "state.age: found nothing, wanted whole number",
        "state.list: found an empty list, wanted list of whole number, not empty",
    ]
    assert answer({"age": 1, "list": [1]}, age, some) == {}


def test_need__only_when() -> None:
    over = Comparison(">", input_field("age", types.WHOLE), constant(1), type=types.BOOLEAN, where=HERE)
    need = Need(Place(("drawn",), HERE), over, False, CELL)
    assert answer({"age": 1}, need) == {}
    with pytest.raises(RecordError) as caught:
        answer({"age": 2}, need)
    assert caught.value.path == "state.drawn"


def test_too_many_outcomes() -> None:
    ten = MakeList(tuple(map(constant, range(10))), type=ListType(types.WHOLE), where=HERE)
    draws = [drawing(ten, None, f"d{n}") for n in range(5)]
    total: Expression = constant(0)
    for draw in draws:
        total = Arithmetic("+", total, read(draw.variable), type=types.WHOLE, where=HERE)
    assert answer({}, *draws[:2], field_row("n", read(draws[0].variable)))["any_of"] == {"n": list(range(10))}
    with pytest.raises(RuleError, match="more than 10,000 outcomes"):
        answer({}, *draws, field_row("n", total))


def test_ask__unknown_name() -> None:
    made = ruleset(asks=[ask("turn"), ask("other", main=False)])
    with pytest.raises(RecordError) as caught:
        Evaluator(made).answer("othr", {})
    assert caught.value.path == "ask"
    assert caught.value.wanted == 'one of the asks; did you mean "other"?'


@pytest.mark.parametrize("state", [None, [], "x", 3])
def test_state__must_be_an_object(state: object) -> None:
    with pytest.raises(RecordError) as caught:
        Evaluator(ruleset(asks=[ask("turn")])).answer("turn", state)
    assert (caught.value.path, caught.value.wanted) == ("state", "an object")
