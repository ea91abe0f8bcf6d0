"""What single cells and columns say that cannot be, or that need not be said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dtables.diagnostics import Diagnostic
from dtables.feel.types import ListType, RestrictedType, Type, plain, without_null
from dtables.feel.values import Value
from dtables.model.tables import Condition, Decision, Policy
from dtables.verifier import messages
from dtables.verifier.columns import Column, Plan, Values
from dtables.verifier.regions import (
    Against,
    Between,
    Is,
    NotAny,
    Wanted,
    bits_of,
    constant,
    fits_kind,
    limited,
    wanted,
)
from dtables.verifier.words import name_of, plain_text, value_text

LISTS = (Policy.COLLECT, Policy.RULE_ORDER, Policy.OUTPUT_ORDER)


def find_in_cells(plan: Plan) -> Iterator[Diagnostic]:
    """Cells that let everything through, and values in cells that never come."""
    everything: list[tuple[Condition, Column]] = []
    for n, subject in enumerate(plan.decision.subjects):
        column = next((c for c in plan.columns if c.expression == subject.value), None)
        if subject.value is None or column is None or not column.full:
            continue
        sound: set[str] = set()
        for cell in (rule.conditions[n] for rule in plan.decision.rules):
            tests = _tests(cell, column) if cell.written not in sound else ()
            passing = bits_of(tests, column.axis) & column.full
            if passing == column.full:
                everything.append((cell, column))
            elif passing:
                told = list(_never_met(cell, column, tests))
                yield from told
                sound |= set() if told else {cell.written}
    for cell, column in everything[: messages.MOST_LISTED]:
        yield messages.any_value(cell, name_of(column))
    if len(everything) > messages.MOST_LISTED:
        yield messages.more(plan.decision.heading.where, "any-value", len(everything) - messages.MOST_LISTED)


def _tests(cell: Condition, column: Column) -> tuple[Wanted, ...]:
    """What a cell asks in constants; nothing where it asks nothing, or more than that."""
    tests = wanted(cell.tests) or ()
    return tests if fits_kind(column.type, tests) else ()


def _named(tests: tuple[Wanted, ...]) -> Iterator[Wanted]:
    """What has to be met so that every value named is: the values, and something on from each end."""
    for test in tests:
        match test:
            case Is(value=value) if value is not None:
                yield test
            case Between(low=low, high=high):
                yield from [] if low is None else [Against("<=", low)]
                yield from [] if high is None else [Against(">=", high)]
            case _:
                pass


def _never_met(cell: Condition, column: Column, tests: tuple[Wanted, ...]) -> Iterator[Diagnostic]:
    for test in _named(tests):
        if bits_of((test,), column.axis) & column.full:
            continue
        match test:
            case Is(value=value):
                yield messages.never_met(cell, value_text(column, value), name_of(column))
            case Against(value=value):
                yield messages.beyond(cell, plain_text(value), name_of(column))
            case Between() | NotAny():
                raise AssertionError("only values and ends are named")
            case _:
                assert_never(test)


def find_column_twice(decision: Decision) -> Iterator[Diagnostic]:
    """Two columns with the same expression over them."""
    for n, subject in enumerate(decision.subjects):
        for earlier in decision.subjects[:n]:
            if subject.value is not None and subject.value == earlier.value:
                yield messages.column_twice(subject, earlier)
                break


# -- outcomes ----------------------------------------------------------------------------------


def find_disallowed(decision: Decision, values: Values) -> Iterator[Diagnostic]:
    """Outcomes that the type the decision gives does not allow."""
    type_ = _of_one_row(decision)
    if len(decision.outcomes) != 1 or not isinstance(without_null(type_), RestrictedType):
        return
    outcomes = [rule.outcomes[0] for rule in decision.rules]
    if decision.otherwise is not None:
        outcomes.append(decision.otherwise)
    for outcome in outcomes:
        known = constant(outcome.value)
        if known is not None and known[0] is not None and not _allowed(known[0], type_, values):
            yield messages.disallowed(outcome, without_null(type_))


def _of_one_row(decision: Decision) -> Type:
    type_ = without_null(decision.type)
    lists = decision.policy in LISTS and isinstance(type_, ListType)
    return type_.item if lists and isinstance(type_, ListType) else type_


def _allowed(value: Value, type_: Type, values: Values) -> bool:
    cut, bits = limited(plain(type_), [value], values.names(type_), values.limits(type_))
    return bool(bits_of((Is(value),), cut) & bits)
