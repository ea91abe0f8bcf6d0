"""Whatever is typed: no exception, and either a type or a message, never neither."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.diagnostics import errors_in, render
from dtables.feel.types import (
    ANY,
    BOOLEAN,
    NUMBER,
    TEXT,
    FunctionType,
    ListType,
    Type,
    UnknownType,
    optional,
)
from dtables.model.expressions import Constant
from dtables.model.reach import nodes
from tests.checker.small_world import (
    CARD,
    CITY,
    COLOUR,
    COST,
    MOVE,
    PLACE,
    WORLD,
    among,
    lowered,
    lowered_list,
    lowered_tests,
    scope,
    standard_scope,
)
from tests.support.thinned import draws

TYPES: dict[str, Type] = {
    "n": NUMBER, "t": TEXT, "b": optional(BOOLEAN), "ns": ListType(optional(NUMBER)), "c": CARD,
    "mc": optional(CARD), "p": PLACE, "k": COST, "x": ANY, "f": FunctionType((NUMBER,), BOOLEAN),
}  # fmt: skip
STRICT = among(PLACE, scope(WORLD, **TYPES))
STANDARD = standard_scope(**dict.fromkeys(TYPES, ANY))
WANTED: tuple[Type | None, ...] = (
    None,
    NUMBER,
    BOOLEAN,
    COLOUR,
    optional(CARD),
    ListType(CARD),
    MOVE,
    CITY,
    TEXT,
)

leaves = st.sampled_from(
    [*TYPES, "1", "0", "-2.5", '"red"', "red", "forum", "null", "true", "state.age", "age", "god",
     "structure",
     "item", "row", "card", "solo.coins", "deck", "order", "each card", "top", "price", "nonsense", "?",
     '@"2026-11-18"', "{}", "[1..3]", "choice ranking(structure)"]
)  # fmt: skip


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two = st.tuples(inner, inner)
    binary = ["+", "-", "*", "/", "**", "=", "!=", "<", ">=", "and", "or", "in"]
    called = [
        "count",
        "max",
        "concatenate",
        "append",
        "pay",
        "maybe",
        "likes",
        "sort",
        "not",
        "f",
        "price",
        "wat",
    ]
    fields = ["card", "points", "cost.wood", "colour", "who", "nothing", "year"]
    return st.one_of(
        st.tuples(two, st.sampled_from(binary)).map(lambda t: f"({t[0][0]}) {t[1]} ({t[0][1]})"),
        st.tuples(inner, st.sampled_from(fields)).map(lambda t: f"({t[0]}).{t[1]}"),
        two.map(lambda t: f"({t[0]})[{t[1]}]"),
        st.tuples(st.sampled_from(called), st.lists(inner, max_size=3)).map(
            lambda t: f"{t[0]}({', '.join(t[1])})"
        ),
        st.tuples(inner, inner, inner).map(lambda t: f"if {t[0]} then {t[1]} else {t[2]}"),
        two.map(lambda t: f"for i in {t[0]} return {t[1]}"),
        two.map(lambda t: f"some i in {t[0]} satisfies {t[1]}"),
        st.lists(inner, min_size=1, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        two.map(lambda t: f"{{action: {t[0]}, wood: {t[1]}}}"),
        two.map(lambda t: f"{t[0]} between 1 and ({t[1]})"),
        two.map(lambda t: f"({t[0]}) in (> {t[1]}, {t[0]})"),
        inner.map(lambda e: f"function(a, b: number) {e}"),
        inner.map(lambda e: f"({e}) instance of number"),
        inner.map(lambda e: f"({e})(red)"),
    )


texts = st.recursive(leaves, compound, max_leaves=8)


@settings(max_examples=draws(150), deadline=None)
@given(texts, st.sampled_from(WANTED))
def test_expressions__a_type_or_a_message(text: str, wanted: Type | None) -> None:
    value, found = lowered(text, wanted, STRICT)
    poisoned = [n for n in nodes(value) if isinstance(n, Constant) and isinstance(n.type, UnknownType)]
    assert not poisoned or errors_in(found), text
    render(found)


@settings(max_examples=draws(100), deadline=None)
@given(texts)
def test_expressions__the_standard_has_no_errors(text: str) -> None:
    _, found = lowered(text, None, STANDARD)
    told = [d for d in found if d.severity == "error" and d.code not in SYNTAX]
    assert told == [], text


SYNTAX = {"syntax", "unexpected", "missing-operand", "repeated-name"}


@settings(max_examples=draws(100), deadline=None)
@given(texts, st.sampled_from([NUMBER, COLOUR, optional(CARD), ListType(NUMBER), BOOLEAN, ANY]))
def test_tests_and_lists__no_exception(text: str, type_: Type) -> None:
    render((*lowered_tests(text, type_, STRICT), *lowered_list(text, type_, STRICT)))
