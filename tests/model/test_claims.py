"""A row fires just where all that its cells claim holds: what the evaluator says, for every input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from time import process_time
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.checker import check_book
from dtables.diagnostics import errors_in, render
from dtables.evaluator import Evaluator
from dtables.feel.types import ANY, ListType, plain
from dtables.feel.values import Value
from dtables.model.claims import Claim, claims, fails, overlaps
from dtables.model.expressions import Expression, MakeList
from dtables.model.tables import Decision, Formula, Heading, Ruleset
from dtables.records.findings import RuleError
from tests.support.drawing import book_text
from tests.support.thinned import draws

HEAD = """
Types: names
  name | names
  tier | gold, silver, bronze

Formulas: sums
  name | type | is
  pair(n: number) | boolean | modulo(n, 2) = 0
  twice(n: number) | number | 2 * n

Decision: d(x: whole number, t: tier, z: tier?, b: boolean) -> list of number ; policy: collect
  # | if | if | if | if | then
  # | | twice(x) | t | z | r
"""
INPUTS: dict[str, Sequence[Any]] = {
    "x": range(-1, 5),
    "t": ["gold", "silver", "bronze"],
    "z": ["gold", "bronze", None],
    "b": [True, False],
}
CONDITIONS = [
    "x > 2", "not(x > 2)", "x <= 2 and b", "x in [1..3]", "not(x in [1..3])", "b", "not(b)", "t = gold",
    "t != gold", "not(t = gold)", "not(t != gold) and x < 3", "z = null", "z != null", "not(z = gold)",
    "z in [gold, silver]", "not(z in [gold])", "x between 0 and 2", "3 > x", "-",
    "t = gold or b", "pair(x)", "not(pair(x))", "pair(x) and x > 1",
]  # fmt: skip
NAMED = [["-", "< 4", "[2..6]", "not(4)", "x + 2"], ["-", "gold", "not(gold, bronze)"], ["-", "null", "gold"]]
rows_drawn = st.lists(
    st.tuples(st.sampled_from(CONDITIONS), *map(st.sampled_from, NAMED)), min_size=1, max_size=4
)


def checked(rows: Sequence[Sequence[str]], head: str = HEAD) -> tuple[Ruleset, Decision]:
    lines = [f"  {n} | {' | '.join(row)} | {n}" for n, row in enumerate(rows, 1)]
    book, found = book_text(head + "\n".join(lines))
    model, more = check_book(book)
    assert model is not None and not errors_in((*found, *more)), render((*found, *more))
    return model, next(table for table in model.tables if isinstance(table, Decision))


def coming(model: Ruleset, decision: Decision, asked: Iterable[Expression]) -> Evaluator:
    """With a formula that gives these values."""
    where = decision.heading.where
    values = MakeList(tuple(asked), type=ListType(ANY), where=where)
    heading = Heading("values", where)
    formula = Formula(heading, decision.parameters, values.type, (), values, where.cell)
    return Evaluator(replace(model, tables=(*model.tables, formula)))


@settings(max_examples=draws(40), deadline=None)
@given(rows_drawn)
def test_claims__hold_just_where_a_row_fires(rows: list[tuple[str, ...]]) -> None:
    model, decision = checked(rows)
    names = {vocabulary.name: vocabulary.ids for vocabulary in model.vocabularies}
    said = claims(decision, names)
    together = set(overlaps(decision, names).pairs())
    evaluator = coming(model, decision, said.lines)
    for values in product(*INPUTS.values()):
        turn = dict(zip(INPUTS, values, strict=True))
        come = dict(zip(said.lines, evaluator.call("values", turn), strict=True))
        firing = evaluator.call("d", turn)
        for number, row in enumerate(said.rows, 1):
            regions = [(claim.value, claim.region) for claim in row if claim.region is not None]
            known = all(
                value is not None and said.lines[value].passes(region, come[value])
                for value, region in regions
            )
            opaque = len(regions) < len(row)
            assert (number in firing) == known or (opaque and known), (rows[number - 1], turn)
        assert {(a - 1, b - 1) for a, b in combinations(firing, 2)} <= together, turn


NULLS = """
Decision: d(b: boolean, c: boolean?, n: number?) -> list of number ; policy: collect
  # | if | if | if | then
  # | | | n | r
"""
MAY_BE_NULL: dict[str, Sequence[Any]] = {"b": [True, False], "c": [True, False, None], "n": [1, 2, 3, None]}
NEEDING = [
    "-", "n > 2", "not(n > 2)", "n between 2 and 3", "not(n between 2 and 3)", "n in [1..2]",
    "not(n in [1..2])", "n = 2", "n != 2", "c", "not(c)", "not(not(c))", "c = true", "c != true", "c = null",
    "c and b", "b and c", "c and n > 2", "n > 2 and c", "c and not(b)", "not(c) and n <= 2", "(c or b) and c",
    "c and n != null and n > 1", "n != null and n > 2", "c != null and c and n = 1",
]  # fmt: skip


@settings(max_examples=draws(60), deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(NEEDING), st.sampled_from(NEEDING), st.sampled_from(["-", "1", "null", "> 1"])
        ),
        min_size=1,
        max_size=3,
    )
)
def test_claims__fail_just_where_a_row_does(rows: list[tuple[str, ...]]) -> None:
    model, decision = checked(rows, NULLS)
    said = claims(decision, {})
    asked = {claim.value: None for row in said.rows for claim in row if claim.value is not None}
    evaluator = coming(model, decision, asked)
    assert all(claim.region is not None for row in said.rows for claim in row)
    for values in product(*MAY_BE_NULL.values()):
        turn = dict(zip(MAY_BE_NULL, values, strict=True))
        come = dict(zip(asked, evaluator.call("values", turn), strict=True))

        def holds(claim: Claim, come: Mapping[Expression, Value] = come) -> bool:
            assert claim.value is not None and claim.region is not None
            return bool(said.lines[claim.value].passes(claim.region, come[claim.value]))

        def is_null(claim: Claim, come: Mapping[Expression, Value] = come) -> bool:
            assert claim.value is not None
            return come[claim.value] is None

        failing = any(fails(row, holds, is_null) for row in said.rows)
        try:
            firing = evaluator.call("d", turn)
        except RuleError as error:
            assert failing and "this is null" in error.message, (rows, turn)
        else:
            held = [n for n, row in enumerate(said.rows, 1) if all(map(holds, row))]
            assert not failing and held == firing, (rows, turn)


def test_overlaps() -> None:
    rows = [("-", "1", "-", "gold"), ("x > 2", "-", "gold", "-"), ("x <= 2", "-", "not(gold)", "null")]
    _, decision = checked([*rows, ("-",) * 4])
    names = {"tier": ("gold", "silver", "bronze")}
    assert list(overlaps(decision, names).pairs()) == [(0, 1), (0, 3), (1, 3), (2, 3)]


def test_overlaps__do_not_compare_all_with_all() -> None:
    started = process_time()
    _, decision = checked([("-", f"[{n}..{n + 1})", "-", "-") for n in range(3000)])
    assert not list(overlaps(decision, {"tier": ("gold", "silver", "bronze")}).pairs())
    assert process_time() - started < 10


def test_claims__of_what_a_condition_knows_is_there_are_of_the_same_value() -> None:
    _, decision = checked([("n > 2", "-", "-"), ("n != null and n > 2", "-", "-")], NULLS)
    said = claims(decision, {})
    (value,) = {claim.value for row in said.rows for claim in row}
    assert (
        value is not None and sum(plain(line.type) == plain(value.type) for line in said.lines.values()) == 1
    )
    first, second = said.rows
    assert first[-1].region == second[-1].region
