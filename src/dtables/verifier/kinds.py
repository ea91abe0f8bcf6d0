"""Columns whose type is not known, as in the standard's models, have the kind that their cells have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from dtables.feel import types
from dtables.feel.types import AnyType, Type, optional
from dtables.feel.values import Date, DateTime, DaysDuration, Time, Value, YearsDuration
from dtables.model.tables import Decision, Subject
from dtables.verifier.wanted import values_in, wanted

KINDS: dict[type, Type] = {
    bool: types.BOOLEAN,
    int: types.NUMBER,
    Decimal: types.NUMBER,
    str: types.TEXT,
    Date: types.DATE,
    Time: types.TIME,
    DateTime: types.DATE_TIME,
    DaysDuration: types.DAYS_DURATION,
    YearsDuration: types.YEARS_DURATION,
}


def with_kinds(decision: Decision) -> Decision:
    if not any(s.value is not None and isinstance(s.value.type, AnyType) for s in decision.subjects):
        return decision
    return replace(
        decision, subjects=tuple(_known(subject, n, decision) for n, subject in enumerate(decision.subjects))
    )


def _known(subject: Subject, column: int, decision: Decision) -> Subject:
    value = subject.value
    if value is None or not isinstance(value.type, AnyType):
        return subject
    kinds = {KINDS.get(type(one)) for one in _values(decision, column) if one is not None}
    kind = kinds.pop() if len(kinds) == 1 else None
    return subject if kind is None else replace(subject, value=replace(value, type=optional(kind)))


def _values(decision: Decision, column: int) -> Iterator[Value]:
    for rule in decision.rules:
        yield from values_in(wanted(rule.conditions[column].tests) or ())
