"""Which rows of the workbook decide while an answer is worked out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from dtables.evaluator.trace import (
    Answered,
    Chosen,
    Computed,
    Decided,
    Demanded,
    Drawn,
    Filtered,
    Fired,
    LookedUp,
    Ranked,
    Reckoned,
    Step,
    Stopped,
    SwitchRead,
    all_steps,
    steps_of,
)
from dtables.evaluator.watching import CriterionRead, Watch
from dtables.model.tables import Decision, Dice, Matrix, Rule, Scale
from dtables.provenance import CellRef


class Deciding(Watch):
    """Gathers the cells of the rows that decide, also in loops that are not traced."""

    def __init__(self) -> None:
        self.cells: set[CellRef] = set()

    def decision_made(self, decision: Decision, fired: Sequence[Rule], otherwise: CellRef | None) -> None:
        del decision
        self.cells.update([rule.outcomes[0].cell for rule in fired])
        if otherwise is not None:
            self.cells.add(otherwise)

    def scale_chosen(self, scale: Scale, rows: Sequence[CriterionRead]) -> None:
        del scale
        self.cells.update([row.criterion.cell for row in rows if row.dropped])

    def scale_ranked(self, scale: Scale, rows: Sequence[CriterionRead]) -> None:
        self.scale_chosen(scale, rows)

    def entry_looked_up(self, table: Matrix | Dice, cell: CellRef) -> None:
        del table
        self.cells.add(cell)


def deciding_cells(step: Step) -> Iterator[CellRef]:
    """The cells of the rows that fired, dropped a candidate, or were looked up."""
    match step:
        case Decided(tried=tried, otherwise=otherwise):
            yield from (row.outcome.cell for row in tried if isinstance(row.outcome, Fired))
            if otherwise is not None:
                yield otherwise
        case Chosen(rows=rows) | Ranked(rows=rows):
            yield from (row.cell for row in rows if row.dropped)
        case LookedUp(cell=cell):
            yield cell
        case Reckoned() | Computed() | Filtered() | SwitchRead() | Drawn() | Stopped():
            pass
        case Answered() | Demanded():
            pass
        case _:
            assert_never(step)


def in_order(steps: Iterable[Step]) -> Iterator[CellRef]:
    """The cells of all traced steps, as they happened."""
    for step in all_steps(steps, _everything_in):
        yield from deciding_cells(step)


def _everything_in(step: Step) -> tuple[Step, ...]:
    """Also what a filter's items and a ranking's rows led to."""
    match step:
        case Filtered(items=parts) | Ranked(rows=parts):
            return tuple(one for part in parts for one in part.inside)
        case _:
            return steps_of(step)
