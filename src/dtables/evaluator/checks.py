"""The workbook's checks of a record as closures."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from dtables.evaluator.places import state_of, with_keys
from dtables.evaluator.state import Turn
from dtables.feel.values import Value
from dtables.model.tables import Consistency, Counted
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

    def broken(self, ask: str, turn: Turn) -> Findings:
        """Tables and rows in order, of those that concern the ask."""
        rows = [
            self._check(row, table.heading.name, turn)
            for table in turn.index.ruleset.checks
            for row in table.rows
            if not row.asks or ask in row.asks
        ]
        return found_by(rows, turn, state_of(turn))

    def _check(self, row: Counted | Consistency, table: str, turn: Turn) -> Check:
        if id(row) not in self._rows:
            self._rows[id(row)] = self._planned(row, table, turn)
        return self._rows[id(row)]

    def _planned(self, row: Counted | Consistency, table: str, turn: Turn) -> Check:
        match row:
            case Counted():
                return self._counted(row, table, turn)
            case Consistency():
                return self._consistent(row, table, turn)
            case _:
                assert_never(row)

    def _counted(self, row: Counted, table: str, turn: Turn) -> checks.Counted:
        variables = row.item, row.subject
        concerns = self._planner.test(row.only_for, variables, table)
        counted_by = self._planner.function(row.by, variables, table)

        def by(turn: Turn, value: Value) -> Value:
            return counted_by(turn, value, value) if concerns(turn, value, value) is True else None

        places = tuple(with_keys(place, turn) for place in row.places)
        return checks.Counted(row.asks, row.wanted, Location(row.where), places, by, row.at_most)

    def _consistent(self, row: Consistency, table: str, turn: Turn) -> checks.Consistency:
        of_item = row.item, row.key, row.position
        is_wrong = self._planner.function(row.wrong_if, [one for one in of_item if one is not None], table)

        def wrong(turn: Turn, *known: Value) -> bool:
            values = [value for value, one in zip(known, of_item, strict=True) if one is not None]
            return is_wrong(turn, *values) is True

        each = tuple(with_keys(place, turn) for place in row.each)
        return checks.Consistency(row.asks, row.wanted, Location(row.where), each, wrong, row.at)
