"""The workbook's checks of a record: what must not stand twice, what does not fit together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, assert_never

from dtables.evaluator.places import items_at
from dtables.evaluator.state import DataRow, RecordValue, Turn
from dtables.failures import quotable
from dtables.feel.values import Tally, Value
from dtables.model.tables import Consistency, Counted
from dtables.places import Found
from dtables.provenance import Location
from dtables.records.findings import Findings, RecordError, broken_check

if TYPE_CHECKING:
    from dtables.evaluator.planning import Planner

Check = Callable[[Turn, Findings], None]


class Checks:
    """Each row is planned when it is first asked."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner
        self._rows: dict[int, Check] = {}

    def broken(self, ask: str, turn: Turn) -> Findings:
        """Tables and rows in order, of those that concern the ask."""
        findings = Findings()
        for table in turn.index.ruleset.checks:
            for row in table.rows:
                if not row.asks or ask in row.asks:
                    self._find_broken(row, table.heading.name, turn, findings)
        return findings

    def _find_broken(self, row: Counted | Consistency, table: str, turn: Turn, findings: Findings) -> None:
        """What a check cannot read of the record is a finding too."""
        if id(row) not in self._rows:
            self._rows[id(row)] = self._check(row, table)
        try:
            self._rows[id(row)](turn, findings)
        except RecordError as error:
            findings.take(error.findings, error.more)

    def _check(self, row: Counted | Consistency, table: str) -> Check:
        match row:
            case Counted():
                return self._counted(row, table)
            case Consistency():
                return self._consistent(row, table)
            case _:
                assert_never(row)

    def _counted(self, row: Counted, table: str) -> Check:
        variables = row.item, row.subject
        concerns = self._planner.test(row.only_for, variables, table)
        by = self._planner.function(row.by, variables, table)
        where = Location(row.where)

        def check(turn: Turn, findings: Findings) -> None:
            tally = Tally()
            for place in row.places:
                for found in items_at(place, turn):
                    if concerns(turn, found.value, found.value) is not True:
                        continue
                    seen = by(turn, found.value, found.value)
                    if seen is not None and tally.add(seen) >= row.at_most:
                        findings.add(broken_check, found.path, quotable(found.value), row.wanted, where)

        return check

    def _consistent(self, row: Consistency, table: str) -> Check:
        bound = tuple(one for one in (row.item, row.key, row.position) if one is not None)
        is_wrong = self._planner.function(row.wrong_if, bound, table)

        def values(found: Found) -> list[Value]:
            known = (row.item, found.value), (row.key, found.key), (row.position, found.position)
            return [value for variable, value in known if variable is not None]

        def check(turn: Turn, findings: Findings) -> None:
            if not row.each:
                if is_wrong(turn) is True:
                    _offend(row, Found(turn.path, turn.state), turn, findings)
                return
            for place in row.each:
                for found in items_at(place, turn):
                    if is_wrong(turn, *values(found)) is True:
                        _offend(row, found, turn, findings)

        return check


def _offend(row: Consistency, found: Found, turn: Turn, findings: Findings) -> None:
    value = found.value
    for name in row.at:
        value = turn.field_of(value, name) if isinstance(value, (RecordValue, DataRow)) else None
    path = ".".join(part for part in (found.path, *row.at) if part)
    findings.add(broken_check, path, quotable(value), row.wanted, Location(row.where))
