"""Random small decisions against every input there is: the evaluator says what happens, row by row."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtables.evaluator import Evaluator
from dtables.model.tables import Decision, Ruleset
from dtables.records.findings import RuleError
from dtables.ruleset import Ruleset as Compiled
from dtables.verifier import verify
from tests.support.thinned import draws
from tests.verifier.books import TYPES, ruleset

NUMBERS = range(5)
DOMAIN: dict[str, list[Any]] = {
    "x": list(NUMBERS),
    "t": ["gold", "silver", "bronze"],
    "z": ["north", "south", None],
    "b": [True, False],
}
POLICIES = [
    "unique", "any", "first", "priority ; priorities: 2, 1", "collect", "collect sum", "collect min",
    "collect max", "collect count", "rule order", "output order ; priorities: 2, 1",
]  # fmt: skip
AGREEING = ["any", "first", "priority ; priorities: 2, 1"]
HEAD = """
Types: restricted
  name | of | allowed
  few | whole number | [0..4]

Decision: d(x: few, t: tier, z: zone?, b: boolean) ; policy: {policy}
  # | if | if | if | if | then
  # | x | t | z | b | r
"""

number = st.sampled_from(NUMBERS)
x_cell = st.one_of(
    st.just("-"),
    number.map(str),
    number.map("< {}".format),
    number.map(">= {}".format),
    st.builds(lambda a, b: f"[{min(a, b)}..{max(a, b)}]", number, number),
    st.builds(lambda a, b: f"({min(a, b)}..{max(a, b) + 1})", number, number),
    number.map("not({})".format),
    st.builds("{}, {}".format, number, number),
)
t_cell = st.sampled_from(["-", "-", "gold", "silver", "bronze", "gold, bronze", "not(gold)", "not(silver)"])
z_cell = st.sampled_from(["-", "-", "north", "south", "null", "not(north)", "not(null)", "south, null"])
b_cell = st.sampled_from(["-", "-", "yes", "no"])
row = st.tuples(x_cell, t_cell, z_cell, b_cell, st.sampled_from("12"))
rows = st.lists(row, min_size=1, max_size=7)
narrow = (
    st.one_of(number.map(str), st.builds("{}, {}".format, number, number), st.just("[1..3]"), st.just("< 3")),
    st.sampled_from(["gold", "silver", "gold, bronze", "not(gold)", "-"]),
)
near_rows = st.integers(0, 1).flatmap(
    lambda n: st.builds(
        lambda like, cells, others: [*((*like[:n], cell, *like[n + 1 :]) for cell in cells), *others],
        st.tuples(st.just("-"), st.just("-"), z_cell, b_cell, st.sampled_from("12")),
        st.lists(narrow[n], min_size=2, max_size=3),
        st.lists(row, max_size=1),
    ).flatmap(st.permutations)
)
"""Rows that say nearly the same: often one takes all that another takes, or they could be one."""


def decision(policy: str, cells: list[tuple[str, ...]]) -> Ruleset:
    lines = [f"  {n} | {' | '.join(row)}" for n, row in enumerate(cells, 1)]
    return ruleset(TYPES + HEAD.format(policy=policy) + "\n".join(lines))


def every_input() -> list[dict[str, Any]]:
    return [dict(zip(DOMAIN, values, strict=True)) for values in product(*DOMAIN.values())]


def outcomes(model: Ruleset) -> list[Any]:
    evaluator = Evaluator(model)
    return [_outcome(evaluator, given_) for given_ in every_input()]


def _outcome(evaluator: Evaluator, given_: dict[str, Any]) -> Any:
    try:
        return evaluator.call("d", given_)
    except RuleError as error:
        return "gap" if "no row fires" in error.message else "overlap"


def input_of(example: str) -> dict[str, Any]:
    """An example says the columns that cells look at; the others may be anything."""
    said = dict(part.split(" = ") for part in example.split(", "))
    values = {name: _value(text) for name, text in said.items()}
    return {name: values.get(name, domain[0]) for name, domain in DOMAIN.items()}


def _value(text: str) -> Any:
    words = {"yes": True, "no": False, "null": None}
    return words[text] if text in words else int(text) if text.isdigit() else text


@settings(max_examples=draws(25), deadline=None)
@given(rows)
def test_unique__gaps_and_overlaps_are_found_and_no_others(cells: list[tuple[str, ...]]) -> None:
    model = decision("unique", cells)
    happened = outcomes(model)
    found = [d for d in verify(model) if d.code in ("gap", "overlap")]
    assert {d.code for d in found} == {one for one in happened if isinstance(one, str)}
    evaluator = Evaluator(model)
    for diagnostic in found:
        assert diagnostic.example is not None or diagnostic.code == "gap"
        assert _outcome(evaluator, input_of(diagnostic.example or "x = 0")) == diagnostic.code
    assert not any(d.code == "not-verified" for d in verify(model))


@settings(max_examples=draws(15), deadline=None)
@given(rows, st.sampled_from(["unique", "any", "first"]))
def test_nothing_falls_through_compiled_code_of_which_nothing_is_told(
    cells: list[tuple[str, ...]], policy: str
) -> None:
    """The last row makes it likely that there is no gap."""
    model = decision(policy, [*cells, ("-", "-", "-", "-", "1")] if policy == "first" else cells)
    told = {d.code for d in verify(model)} & {"gap", "overlap", "not-verified"}
    compiled, failed = Compiled(model).tables["d"], set()
    for given_ in every_input():
        try:
            compiled(given_)
        except RuleError as error:
            failed.add("gap" if "no row fires" in error.message else "overlap")
    assert failed == told


@settings(max_examples=draws(25), deadline=None)
@given(rows, st.sampled_from(["unique", "any", "first", "collect max"]))
def test_rows_to_add_close_the_gaps_and_do_no_more(cells: list[tuple[str, ...]], policy: str) -> None:
    found = verify(decision(policy, cells))
    gaps = [d for d in found if d.code == "gap"]
    assert all(gap.rows for gap in gaps)
    added = [row.split("\t") for gap in gaps for row in gap.rows]
    assert [row[0] for row in added] == [str(len(cells) + n) for n in range(1, len(added) + 1)]
    assert all(row[-1] == "" for row in added)
    whole = [*cells, *((*row[1:5], "1") for row in added)]
    again = verify(decision(policy, whole))
    assert not any(d.code == "gap" for d in again)
    overlaps = [[d.message for d in one if d.code == "overlap"] for one in (found, again)]
    assert overlaps[0] == overlaps[1]


@settings(max_examples=draws(25), deadline=None)
@given(rows)
def test_first__a_row_is_masked_exactly_when_it_never_counts(cells: list[tuple[str, ...]]) -> None:
    numbered = [(*row[:4], str(n)) for n, row in enumerate(cells, 1)]
    model = decision("first", numbered)
    counting = {one for one in outcomes(model) if isinstance(one, int)}
    dead = {_row(d.message) for d in verify(model) if d.code in ("masked", "never-fires")}
    assert dead == set(range(1, len(cells) + 1)) - counting


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=draws(12), deadline=None)
@given(rows | near_rows)
def test_nothing_changes_without_a_row_that_has_no_effect(policy: str, cells: list[tuple[str, ...]]) -> None:
    model = decision(policy, cells)
    for diagnostic in verify(model):
        if diagnostic.code in ("no-effect", "masked", "never-fires"):
            number = _row(diagnostic.message)
            rest = [row for n, row in enumerate(cells, 1) if n != number]
            assert not rest or outcomes(decision(policy, rest)) == outcomes(model)


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=draws(12), deadline=None)
@given(rows | near_rows)
def test_a_cell_that_lets_everything_through_may_be_a_dash(policy: str, cells: list[tuple[str, ...]]) -> None:
    model = decision(policy, cells)
    places = [d.where.cell for d in verify(model) if d.code == "any-value" and "more cells" not in d.message]
    (table,) = model.tables
    assert isinstance(table, Decision)
    columns = {condition.cell: n for rule in table.rules for n, condition in enumerate(rule.conditions)}
    numbers = {condition.cell: n for n, rule in enumerate(table.rules) for condition in rule.conditions}
    for place in places:
        changed = [list(row) for row in cells]
        changed[numbers[place]][columns[place]] = "-"
        assert outcomes(decision(policy, [tuple(row) for row in changed])) == outcomes(model)


@pytest.mark.parametrize("policy", AGREEING)
@settings(max_examples=draws(12), deadline=None)
@given(rows | near_rows)
def test_another_policy_says_the_same(policy: str, cells: list[tuple[str, ...]]) -> None:
    model = decision(policy, cells)
    for diagnostic in verify(model):
        if diagnostic.code == "other-policy":
            better = "unique" if "`policy: unique`" in diagnostic.message else "any"
            assert outcomes(decision(better, cells)) == outcomes(model)


@settings(max_examples=draws(20), deadline=None)
@given(rows)
def test_any__rows_that_differ_are_found(cells: list[tuple[str, ...]]) -> None:
    model = decision("any", cells)
    codes = {d.code for d in verify(model)}
    assert ("overlap" in codes) == ("overlap" in outcomes(model))


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=draws(12), deadline=None)
@given(rows | near_rows)
def test_rows_that_could_be_one_can_be(policy: str, cells: list[tuple[str, ...]]) -> None:
    """Taken together: their cells of the one column that differs, joined."""
    model = decision(policy, cells)
    for diagnostic in verify(model):
        if diagnostic.code == "mergeable":
            numbers = [int(n) for n in re.findall(r"row (\d+)", diagnostic.message)]
            merged = _joined([cells[n - 1] for n in numbers])
            rest = [
                merged if n == numbers[0] else row for n, row in enumerate(cells, 1) if n not in numbers[1:]
            ]
            assert merged is None or outcomes(decision(policy, rest)) == outcomes(model)


CONDITIONS = [
    "x > 2", "not(x > 2)", "x <= 2 and b", "pair(x)", "not(pair(x))", "x in [1..3]", "not(x in [1..3])",
    "b", "not(b)", "t = gold", "t != gold", "t != gold or b", "z = null", "z != null", "not(z = north)",
    "z in [north, south]", "not(z in [north])", "twice(x) > 4", "twice(x) <= 4",
    "some n in [x, 3] satisfies n > 2",
    "every n in [x, 3] satisfies n <= 2", "not(some n in [x, 3] satisfies n > 2)", "-",
]  # fmt: skip
WHOLE = """
Types: restricted
  name | of | allowed
  few | whole number | [0..4]

Formulas: sums
  name | type | is
  pair(n: number) | boolean | modulo(n, 2) = 0
  twice(n: number) | number | 2 * n

Decision: d(x: few, t: tier, z: zone?, b: boolean) -> number ; policy: {policy}
  # | if | if | if | then
  # | | twice(x) | x | r
"""
whole_rows = st.lists(
    st.tuples(
        st.sampled_from(CONDITIONS),
        st.sampled_from(["-", "-", "< 4", "x + 2"]),
        x_cell,
        st.sampled_from("12"),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=draws(25), deadline=None)
@given(whole_rows, st.sampled_from(["unique", "first", "any"]))
def test_whole_conditions__what_happens_has_been_told(cells: list[tuple[str, ...]], policy: str) -> None:
    """Nothing falls through a table of which nothing is said, and what is said without doubt happens."""
    lines = [f"  {n} | {' | '.join(row)}" for n, row in enumerate(cells, 1)]
    model = ruleset(TYPES + WHOLE.format(policy=policy) + "\n".join(lines))
    happened = {one for one in outcomes(model) if isinstance(one, str)}
    codes = {d.code for d in verify(model)}
    assert "not-verified" in codes or happened <= codes
    assert codes & {"gap", "overlap"} <= happened


NULLS = """
Decision: d(x: few?, t: tier, z: zone?, b: boolean) -> number ; policy: {policy}
  # | if | if | then
  # | | t | r
"""
NEEDING = [
    "x > 2", "not(x > 2)", "x <= 2 and b", "b and x <= 2", "x in [1..3]", "x between 1 and 3",
    "not(x between 1 and 3)", "x = 2", "x = null", "z = north", "not(b)", "-",
]  # fmt: skip


@settings(max_examples=draws(40), deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(NEEDING), st.sampled_from(["-", "gold", "not(gold)"])),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from(["unique", "any"]),
)
def test_values_that_are_needed__examples_do_what_is_said_of_them(
    cells: list[tuple[str, ...]], policy: str
) -> None:
    """Where a row fails since a value is null, nothing is said to happen."""
    lines = [f"  {n} | {' | '.join(row)} | {n}" for n, row in enumerate(cells, 1)]
    types = TYPES + "\nTypes: restricted\n  name | of | allowed\n  few | whole number | [0..4]\n"
    model = ruleset(types + NULLS.format(policy=policy) + "\n".join(lines))
    evaluator = Evaluator(model)
    for diagnostic in verify(model):
        if diagnostic.code in ("gap", "overlap"):
            assert _outcome(evaluator, input_of(diagnostic.example or "x = 0")) == diagnostic.code
        elif "does not confirm" in diagnostic.message:
            with pytest.raises(RuleError, match="this is null"):
                evaluator.call("d", input_of(diagnostic.example or ""))


@settings(max_examples=draws(25), deadline=None)
@given(whole_rows)
def test_whole_conditions__a_masked_row_never_counts(cells: list[tuple[str, ...]]) -> None:
    lines = [f"  {n} | {' | '.join(row[:3])} | {n}" for n, row in enumerate(cells, 1)]
    model = ruleset(TYPES + WHOLE.format(policy="first") + "\n".join(lines))
    dead = {_row(d.message) for d in verify(model) if d.code in ("masked", "never-fires")}
    assert dead.isdisjoint(one for one in outcomes(model) if isinstance(one, int))


def _joined(cells: list[tuple[str, ...]]) -> tuple[str, ...] | None:
    """None where a cell is not simply a list that another may be added to."""
    columns = [tuple(dict.fromkeys(column)) for column in zip(*cells, strict=True)]
    if any(len(column) > 1 and any("not" in cell or cell == "-" for cell in column) for column in columns):
        return None
    return tuple(", ".join(column) for column in columns)


def _row(message: str) -> int:
    found = re.search(r"row (\d+)", message)
    assert found is not None
    return int(found.group(1))
