"""The workbook's checks of a record: what must not stand twice, what does not fit together."""

from __future__ import annotations

from typing import assert_never

from dtables.failures import quotable
from dtables.feel.values import Tally, Value
from dtables.model.tables import Checks, Consistency, Counted
from dtables.provenance import Location
from tests.oracle.failing import Finding, Findings, Rejected, Wrong
from tests.oracle.places import Found, items_at
from tests.oracle.values import DataRow, RecordValue, Scope, Turn


def broken(ask: str, turn: Turn) -> Findings:
    """Tables and rows in order, of those that concern the ask."""
    findings = Findings()
    for table in turn.index.ruleset.checks:
        for row in table.rows:
            if not row.asks or ask in row.asks:
                _find(table, row, turn, findings)
    return findings


def _find(table: Checks, row: Counted | Consistency, turn: Turn, findings: Findings) -> None:
    """A field that the row needs and the record lacks is a finding too."""
    try:
        match row:
            case Counted():
                _find_counted(row, turn.scope(table.heading.name), findings)
            case Consistency():
                _find_inconsistent(row, turn.scope(table.heading.name), findings)
            case _:
                assert_never(row)
    except Rejected as rejected:
        findings.take(rejected)


def _find_counted(row: Counted, scope: Scope, findings: Findings) -> None:
    tally = Tally()
    for place in row.places:
        for found in items_at(place, scope.turn):
            inner = scope.bind(row.item, found.value).bind(row.subject, found.value)
            if scope.turn.meaning.passes(row.only_for, found.value, inner) is not True:
                continue
            by = inner.value(row.by)
            if by is not None and tally.add(by) >= row.at_most:
                findings.add(_broken(row, found.path, found.value))


def _find_inconsistent(row: Consistency, scope: Scope, findings: Findings) -> None:
    if not row.each:
        if scope.value(row.wrong_if) is True:
            _offend(row, Found(scope.turn.path, scope.turn.state), scope.turn, findings)
        return
    for place in row.each:
        for found in items_at(place, scope.turn):
            inner = scope if row.item is None else scope.bind(row.item, found.value)
            inner = inner if row.key is None else inner.bind(row.key, found.key)
            inner = inner if row.position is None else inner.bind(row.position, found.position)
            if inner.value(row.wrong_if) is True:
                _offend(row, found, scope.turn, findings)


def _offend(row: Consistency, found: Found, turn: Turn, findings: Findings) -> None:
    value = found.value
    for name in row.at:
        value = turn.field_of(value, name) if isinstance(value, (RecordValue, DataRow)) else None
    findings.add(_broken(row, ".".join(part for part in (found.path, *row.at) if part), value))


def _broken(row: Counted | Consistency, path: str, value: Value) -> Finding:
    return Finding(Wrong.BROKEN, path, (quotable(value), row.wanted), Location(row.where))
