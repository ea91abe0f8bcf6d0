"""Observers of an evaluation, to which what decides is reported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dtables.feel.values import FeelError, Value
from dtables.model.tables import Criterion, Decision, Dice, Formula, Matrix, Next, Rule, Scale, Step, Stop
from dtables.provenance import CellRef, Location
from dtables.records.findings import RuleError


class CriterionRead(NamedTuple):
    """A row of a scale that was read; `scale` is the one it stands in. Did it drop anybody?"""

    scale: str
    criterion: Criterion
    dropped: bool


class Watch:
    """Looks on and does nothing. Every evaluator reports what failed, a watched one all the rest, also
    what happens in loops and filters."""

    def failed(self, error: FeelError | RuleError, where: Location) -> None:
        """Of a model of the standard: what becomes null here."""

    def decision_made(self, decision: Decision, fired: Sequence[Rule], otherwise: CellRef | None) -> None:
        """`otherwise` is the cell that gave the value when no row fired."""

    def scale_chosen(self, scale: Scale, rows: Sequence[CriterionRead]) -> None:
        """A scale's best is known."""

    def scale_ranked(self, scale: Scale, rows: Sequence[CriterionRead]) -> None:
        """The order of all candidates is known."""

    def entry_looked_up(self, table: Matrix | Dice, cell: CellRef) -> None:
        """`cell` is the entry that was found."""

    def value_computed(self, of: Formula | Step) -> None:
        """Its value is known; a step is worked out once a turn."""

    def switch_read(self, name: str, value: Value) -> None:
        """`value` is what the switch stands at."""

    def stopped(self, row: Stop) -> None:
        """The ask ends at this row, with no answer."""

    def demanded(self, row: Next) -> None:
        """The row asks for another ask."""

    def read(self, holder: object, name: str) -> None:
        """A field of a record or of a row of data is read."""

    def apart(self) -> Watch:
        """Who looks on where something is worked out once for all turns: usually nobody."""
        return Watch()
