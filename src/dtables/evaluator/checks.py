"""The workbook's checks of a record: what must not stand twice, what does not fit together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dtables.evaluator.places import items_at
from dtables.evaluator.state import DataRow, RecordValue, Scope, Turn
from dtables.feel.values import Value, as_plain, same
from dtables.findings import Finding, RecordError, broken_check
from dtables.model.tables import Checks, Consistency, Counted, Words
from dtables.places import Found
from dtables.provenance import Location


def broken(ask: str, turn: Turn) -> Iterator[Finding]:
    """Tables and rows in order, of those that concern the ask."""
    for table in turn.index.ruleset.checks:
        for row in table.rows:
            if not row.asks or ask in row.asks:
                yield from _found(table, row, turn)


def _found(table: Checks, row: Counted | Consistency, turn: Turn) -> Iterator[Finding]:
    """A field that the row needs and the record lacks is a finding too."""
    try:
        match row:
            case Counted():
                yield from _counted(row, turn.scope(table.heading.name))
            case Consistency():
                yield from _inconsistent(row, turn.scope(table.heading.name))
            case _:
                assert_never(row)
    except RecordError as error:
        yield from error.findings


def _counted(row: Counted, scope: Scope) -> Iterator[Finding]:
    seen: list[Value] = []
    for place in row.places:
        for found in items_at(place, scope.turn):
            inner = scope.bind(row.item, found.value).bind(row.subject, found.value)
            if scope.turn.meaning.passes(row.only_for, found.value, inner) is not True:
                continue
            by = inner.value(row.by)
            if by is None:
                continue
            if sum(same(by, earlier) for earlier in seen) >= row.at_most:
                yield broken_check(found.path, as_plain(found.value), wording(row.words), Location(row.where))
            seen.append(by)


def _inconsistent(row: Consistency, scope: Scope) -> Iterator[Finding]:
    if not row.each:
        if scope.value(row.wrong_if) is True:
            yield _offence(row, Found(scope.turn.path, scope.turn.state), scope.turn)
        return
    for place in row.each:
        for found in items_at(place, scope.turn):
            inner = scope if row.item is None else scope.bind(row.item, found.value)
            inner = inner if row.key is None else inner.bind(row.key, found.key)
            inner = inner if row.position is None else inner.bind(row.position, found.position)
            if inner.value(row.wrong_if) is True:
                yield _offence(row, found, scope.turn)


def _offence(row: Consistency, found: Found, turn: Turn) -> Finding:
    value = found.value
    for name in row.at:
        value = turn.field_of(value, name) if isinstance(value, (RecordValue, DataRow)) else None
    path = ".".join(part for part in (found.path, *row.at) if part)
    return broken_check(path, as_plain(value), wording(row.words), Location(row.where))


def wording(words: Words) -> str:
    """A finding speaks English where it can."""
    known = dict(words)
    return known.get("en") or next(iter(known.values()), "a value that fits")
