"""Scales on small lists of records {id, kind, cost}; what is left is worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from dtables.evaluator import Evaluator
from dtables.feel import types
from dtables.model.expressions import EqualTo, FieldOf, Read
from dtables.model.tables import Concern, Criterion, Embedded, Others, Prefer
from dtables.records.findings import RuleError
from tests.evaluator.models import (
    HERE,
    cell,
    constant,
    criterion,
    listed,
    ruleset,
    scale,
    variable,
)

THING = types.ContextType((("id", types.TEXT), ("kind", types.TEXT), ("cost", types.optional(types.NUMBER))))
item = variable("item", THING)


def of(name: str, type_: types.Type = types.ANY) -> FieldOf:
    return FieldOf(Read(item, type=THING, where=HERE), name, type=type_, where=HERE)


def only_for(kind: str) -> Concern:
    wanted = EqualTo(constant(kind), type=types.BOOLEAN, where=HERE)
    return Concern("kind", variable("kind"), of("kind"), (wanted,), cell(1), kind)


def thing(id: str, kind: str = "red", cost: int | None = 0) -> dict[str, Any]:
    return {"id": id, "kind": kind, "cost": cost}


def left(
    criteria: list[Criterion], *things: dict[str, Any], others: Others = Others.LAST, chance: bool = True
) -> Any:
    """The ids of those left: the scale ends by chance unless told otherwise."""
    type_ = types.ListType(THING) if chance else types.optional(THING)
    made = ruleset(scale("choice", item, criteria, others, type_=type_))
    value = Evaluator(made).call("choice", {"candidates": list(things)})
    return "".join(one["id"] for one in value) if chance else value and value["id"]


A, B, C, D = thing("a", "red", 3), thing("b", "red", 1), thing("c", "blue", 2), thing("d", "blue", None)
CHEAP = criterion("1", Prefer.LOWEST, of("cost"))
DEAR = criterion("1", Prefer.HIGHEST, of("cost"))


@pytest.mark.parametrize(
    ("prefer", "by", "expected"),
    [
        (Prefer.LOWEST, of("cost"), "b"),
        (Prefer.HIGHEST, of("cost"), "a"),
        (Prefer.FIRST, None, "a"),
        (Prefer.CHANCE, None, "abcd"),
    ],
)
def test_row_keeps_the_best(prefer: Prefer, by: FieldOf | None, expected: str) -> None:
    assert left([criterion("1", prefer, by)], A, B, C, D) == expected


def test_null_comes_last_in_lowest_and_in_highest() -> None:
    assert left([CHEAP], C, D) == "c"
    assert left([DEAR], C, D) == "c"
    assert left([CHEAP], D, thing("e", cost=None)) == "de"


@pytest.mark.parametrize(
    ("prefer", "order", "expected"),
    [
        (Prefer.FIRST_IN, ["blue", "red"], "cd"),
        (Prefer.FIRST_IN, ["green"], "abcd"),
        (Prefer.FIRST_IN, ["green", "red"], "ab"),
        (Prefer.LAST_IN, ["blue", "red"], "ab"),
        (Prefer.LAST_IN, ["red", "blue", "red"], "ab"),
        (Prefer.FIRST_IN, ["red", "blue", "red"], "ab"),
    ],
)
def test_place_in_a_list__not_in_it_is_last(prefer: Prefer, order: list[str], expected: str) -> None:
    row = criterion("1", prefer, of("kind"), order=listed(*map(constant, order)))
    assert left([row], A, B, C, D) == expected


def yes(number: str, key: str, **more: Any) -> Criterion:
    return criterion(number, Prefer.YES, of(key, types.BOOLEAN), **more)


def flagged(id: str, kind: str, flag: bool | None) -> dict[str, Any]:
    return {"id": id, "kind": kind, "cost": 0, "flag": flag}


FLAGGED = types.ContextType(
    (
        ("id", types.TEXT),
        ("kind", types.TEXT),
        ("cost", types.NUMBER),
        ("flag", types.optional(types.BOOLEAN)),
    )
)


def left_flagged(prefer: Prefer, others: Others, *things: dict[str, Any]) -> str:
    """One row that concerns red things only."""
    subject = variable("item", FLAGGED)
    of_item = Read(subject, type=FLAGGED, where=HERE)
    kind = FieldOf(of_item, "kind", type=types.TEXT, where=HERE)
    flag = FieldOf(of_item, "flag", type=types.BOOLEAN, where=HERE)
    wanted = EqualTo(constant("red"), type=types.BOOLEAN, where=HERE)
    concern = Concern("kind", variable("kind"), kind, (wanted,), cell(1), "red")
    row = criterion("1", prefer, flag, concerns=(concern,))
    made = ruleset(scale("choice", subject, [row], others, type_=types.ListType(FLAGGED)))
    value = Evaluator(made).call("choice", {"candidates": list(things)})
    return "".join(one["id"] for one in value)


R_YES, R_NO, R_NULL = flagged("y", "red", True), flagged("n", "red", False), flagged("u", "red", None)
BLUE = flagged("b", "blue", True)


@pytest.mark.parametrize(
    ("prefer", "others", "things", "expected"),
    [
        (Prefer.YES, Others.LAST, (R_YES, R_NO, BLUE), "y"),
        (Prefer.YES, Others.LAST, (R_NO, BLUE), "nb"),
        (Prefer.NO, Others.LAST, (R_YES, R_NO, BLUE), "n"),
        (Prefer.NO, Others.LAST, (R_YES, BLUE), "yb"),
        (Prefer.NO, Others.LAST, (R_YES, R_NULL), "yu"),
        (Prefer.YES, Others.STAY, (R_YES, R_NO, BLUE), "yb"),
        (Prefer.YES, Others.STAY, (R_NO, BLUE), "nb"),
        (Prefer.YES, Others.SKIP, (R_YES, R_NO, BLUE), "ynb"),
        (Prefer.YES, Others.SKIP, (R_YES, R_NO), "y"),
        (Prefer.YES, Others.LAST, (BLUE, flagged("c", "blue", False)), "bc"),
    ],
)
def test_row_that_concerns_some(
    prefer: Prefer, others: Others, things: tuple[dict[str, Any], ...], expected: str
) -> None:
    assert left_flagged(prefer, others, *things) == expected


def test_highest_with_others_last__unconcerned_count_as_null() -> None:
    row = criterion("1", Prefer.HIGHEST, of("cost"), concerns=(only_for("blue"),))
    assert left([row], A, C, D) == "c"
    assert left([row], A, D) == "ad"


# -- embedded scales -----------------------------------------------------------------------------


def embedding(inner: list[Criterion], inner_others: Others, kind: str) -> list[Criterion]:
    embedded = Embedded("inner", None, "inner", (), inner_others, tuple(inner))
    return [criterion("5", Prefer.SCALE, concerns=(only_for(kind),), embedded=embedded)]


def test_embedded__last_counts_the_others_worst_in_every_row() -> None:
    rows = embedding([CHEAP], Others.LAST, "red")
    assert left(rows, A, B, C) == "b"
    nothing = thing("z", "red", None)
    assert left(rows, nothing, C) == "zc"


def test_embedded__stay_keeps_the_others() -> None:
    rows = embedding([CHEAP], Others.LAST, "red")
    assert left(rows, A, B, C, others=Others.STAY) == "bc"


def test_embedded__skip_passes_the_row_over() -> None:
    rows = embedding([CHEAP], Others.LAST, "red")
    assert left(rows, A, B, C, others=Others.SKIP) == "abc"
    assert left(rows, A, B, others=Others.SKIP) == "b"


def test_embedded__rows_are_gone_through_in_order_then_the_scale_goes_on() -> None:
    inner = [yes("1", "none"), CHEAP]
    embedded = Embedded("inner", None, "inner", (), Others.LAST, tuple(inner))
    first_blue = criterion("6", Prefer.FIRST_IN, of("kind"), order=listed(constant("blue")))
    rows = [criterion("5", Prefer.SCALE, embedded=embedded), first_blue]
    assert left(rows, thing("a", "red", 1), thing("b", "blue", 1), thing("c", "blue", 2)) == "b"


# -- the end -------------------------------------------------------------------------------------


def test_value_is_one_candidate__and_null_of_an_empty_list() -> None:
    assert left([CHEAP], A, B, chance=False) == "b"
    assert left([CHEAP], chance=False) is None
    assert left([CHEAP], A, chance=False) == "a"


def test_tie_left_over__is_an_error_at_the_last_row() -> None:
    with pytest.raises(RuleError) as caught:
        left([DEAR, criterion("7", Prefer.LOWEST, of("cost"))], A, thing("x", cost=3), chance=False)
    assert caught.value.where is not None
    assert caught.value.where.cell == cell(7)
    assert caught.value.table == "choice"


def test_only_if__is_read_once_and_passes_the_row_over() -> None:
    assert left([criterion("1", Prefer.FIRST, only_if=constant(False, types.BOOLEAN))], A, B) == "ab"
    assert left([criterion("1", Prefer.FIRST, only_if=constant(True, types.BOOLEAN))], A, B) == "a"


def test_row_is_not_read_when_one_is_left() -> None:
    broken = criterion("2", Prefer.HIGHEST, FieldOf(constant(1), "x", type=types.ANY, where=HERE))
    assert left([CHEAP, broken], A, B) == "b"
