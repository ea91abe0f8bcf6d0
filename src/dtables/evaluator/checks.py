"""The workbook's checks of a record as closures."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, assert_never

from dtables.evaluator.places import state_of, with_keys
from dtables.evaluator.state import Turn
from dtables.feel.values import Value
from dtables.program import nodes as p
from dtables.program.lowering import Lowering
from dtables.provenance import Location
from dtables.records.findings import Findings
from dtables.runtime import checks
from dtables.runtime.checks import Check, found_by

if TYPE_CHECKING:
    from dtables.evaluator.planning import Planner


class Checks:
    """Each row is planned when it is first asked."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner
        self._rows: dict[int, Check] = {}

    @cached_property
    def _tables(self) -> list[p.Checks]:
        return [Lowering(self._planner.program).checks(one) for one in self._planner.index.ruleset.checks]

    def broken(self, ask: str, turn: Turn) -> Findings:
        """Tables and rows in order, of those that concern the ask."""
        rows = [
            self._check(row, table, turn)
            for table in self._tables
            for row in table.rows
            if not row.source.asks or ask in row.source.asks
        ]
        return found_by(rows, turn, state_of(turn))

    def _check(self, row: p.Check, table: p.Checks, turn: Turn) -> Check:
        if id(row) not in self._rows:
            self._rows[id(row)] = self._planned(row, table, turn)
        return self._rows[id(row)]

    def _planned(self, row: p.Check, table: p.Checks, turn: Turn) -> Check:
        match row:
            case p.Counted():
                return self._counted(row, table, turn)
            case p.Consistency():
                return self._consistent(row, table, turn)
            case _:
                assert_never(row)

    def _counted(self, row: p.Counted, table: p.Checks, turn: Turn) -> checks.Counted:
        plan, rest = self._planner.plan(table.name), [None] * (table.size - 1)
        concerns, counted_by = plan.closure(row.concerns), plan.closure(row.by)

        def by(turn: Turn, value: Value) -> Value:
            frame = [turn, *rest]
            frame[row.item] = value
            return counted_by(frame) if concerns(frame) is True else None

        source, places = row.source, tuple(with_keys(place, turn) for place in row.places)
        return checks.Counted(source.asks, source.wanted, Location(source.where), places, by, row.at_most)

    def _consistent(self, row: p.Consistency, table: p.Checks, turn: Turn) -> checks.Consistency:
        is_wrong, rest = self._planner.plan(table.name).closure(row.wrong_if), [None] * (table.size - 1)
        slots = row.item, row.key, row.position

        def wrong(turn: Turn, *known: Value) -> bool:
            frame = [turn, *rest]
            for slot, value in zip(slots, known, strict=True):
                if slot is not None:
                    frame[slot] = value
            return is_wrong(frame) is True

        source, each = row.source, tuple(with_keys(place, turn) for place in row.each)
        return checks.Consistency(source.asks, source.wanted, Location(source.where), each, wrong, source.at)
