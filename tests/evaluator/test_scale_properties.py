"""What a scale is, said another way: with `others: last` one lexicographic minimum; a ranking sorts."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.evaluator import Evaluator
from dtables.feel import types
from dtables.model.expressions import EqualTo, FieldOf, Ranking, Read
from dtables.model.tables import Concern, Criterion, Embedded, Others, Prefer
from tests.evaluator.models import (
    HERE,
    cell,
    constant,
    criterion,
    formula,
    listed,
    read,
    ruleset,
    scale,
    variable,
)
from tests.support.thinned import draws

THING = types.ContextType((("id", types.WHOLE), ("kind", types.TEXT), ("n", types.WHOLE), ("m", types.WHOLE)))
ITEM = variable("item", THING)
KINDS = ("red", "green", "blue")

Thing = dict[str, Any]
Spec = tuple[Prefer, str, tuple[str, ...]]
"""A row: what it prefers, by which field, and the kinds that it is for (none: all)."""

things = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=6
).map(lambda rows: [{"id": i, "kind": k, "n": n, "m": m} for i, (k, n, m) in enumerate(rows)])
rows = st.lists(
    st.tuples(
        st.sampled_from((Prefer.HIGHEST, Prefer.LOWEST, Prefer.FIRST_IN, Prefer.LAST_IN)),
        st.sampled_from(("n", "m")),
        st.sets(st.sampled_from(KINDS), max_size=2).map(lambda kinds: tuple(sorted(kinds))),
    ),
    min_size=1,
    max_size=4,
)
ORDER = (2, 0)


def field_of(name: str) -> FieldOf:
    return FieldOf(Read(ITEM, type=THING, where=HERE), name, type=types.WHOLE, where=HERE)


def row_of(number: int, spec: Spec) -> Criterion:
    prefer, by, kinds = spec
    tests = tuple(EqualTo(constant(kind), type=types.BOOLEAN, where=HERE) for kind in kinds)
    concern = Concern("kind", variable("kind"), field_of("kind"), tests, cell(number), ", ".join(kinds))
    return criterion(
        str(number),
        prefer,
        field_of(by),
        order=listed(*map(constant, ORDER)) if prefer in (Prefer.FIRST_IN, Prefer.LAST_IN) else None,
        concerns=(concern,) if kinds else (),
    )


def evaluator(criteria: list[Criterion]) -> Evaluator:
    made = scale("s", ITEM, criteria, Others.LAST, type_=types.ListType(THING))
    return Evaluator(ruleset(made))


def key(thing: Thing, spec: Spec) -> float:
    """The smaller, the better; who the row does not concern, or the list does not hold, is worst."""
    prefer, by, kinds = spec
    if kinds and thing["kind"] not in kinds:
        return 99
    value = thing[by]
    match prefer:
        case Prefer.HIGHEST:
            return float(-value)
        case Prefer.LOWEST:
            return float(value)
        case Prefer.FIRST_IN:
            return ORDER.index(value) if value in ORDER else 99
        case _:
            return -ORDER.index(value) if value in ORDER else 99


def keys(thing: Thing, specs: list[Spec]) -> list[float]:
    return [key(thing, spec) for spec in specs]


def ids(found: list[Thing]) -> list[int]:
    return [thing["id"] for thing in found]


@settings(max_examples=draws(150), deadline=None)
@given(things, rows)
def test_others_last__is_a_lexicographic_minimum(candidates: list[Thing], specs: list[Spec]) -> None:
    best = min(keys(thing, specs) for thing in candidates)
    made = evaluator([row_of(n, spec) for n, spec in enumerate(specs, 1)])
    expected = [thing["id"] for thing in candidates if keys(thing, specs) == best]
    assert ids(made.call("s", {"candidates": candidates})) == expected


@settings(max_examples=draws(100), deadline=None)
@given(things, rows, st.integers(0, 3), st.integers(1, 4))
def test_embedding__is_the_rows_themselves(
    candidates: list[Thing], specs: list[Spec], start: int, length: int
) -> None:
    start = min(start, len(specs) - 1)
    end = start + length
    plain = [row_of(n, spec) for n, spec in enumerate(specs, 1)]
    inside = Embedded("t", None, "t", (), Others.LAST, tuple(plain[start:end]))
    embedding = [*plain[:start], criterion("9", Prefer.SCALE, embedded=inside), *plain[end:]]
    given_candidates = {"candidates": candidates}
    assert ids(evaluator(embedding).call("s", given_candidates)) == ids(
        evaluator(plain).call("s", given_candidates)
    )


@settings(max_examples=draws(100), deadline=None)
@given(things, rows, st.sampled_from(Others))
def test_ranking__tiers_hold_everybody_once_and_begin_with_the_best(
    candidates: list[Thing], specs: list[Spec], others: Others
) -> None:
    criteria = [row_of(n, spec) for n, spec in enumerate(specs, 1)]
    listed_things = variable("candidates", types.ListType(THING))
    tiers_of = Ranking("s", (read(listed_things),), type=types.ListType(types.ListType(THING)), where=HERE)
    made = scale("s", ITEM, criteria, others, type_=types.ListType(THING))
    one = Evaluator(ruleset(made, formula("tiers", tiers_of, [listed_things])))
    tiers = one.call("tiers", {"candidates": candidates})
    assert sorted(ids([thing for tier in tiers for thing in tier])) == ids(candidates)
    assert ids(tiers[0]) == ids(one.call("s", {"candidates": candidates}))
