"""The rows of a workbook that can decide something, and which of them did in an explanation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from dtables.evaluator.trace import (
    Answered,
    Chosen,
    Computed,
    Decided,
    Drawn,
    Filtered,
    Fired,
    LookedUp,
    Ranked,
    Reckoned,
    Step,
    Stopped,
    SwitchRead,
    steps_of,
)
from dtables.model.tables import (
    Criterion,
    Decision,
    Dice,
    Formula,
    Heading,
    Matrix,
    Prefer,
    Ruleset,
    Scale,
    Table,
    Words,
)
from dtables.provenance import CellRef


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A row that can decide. `number` and `words` are how the workbook calls it."""

    cell: CellRef
    number: str
    words: Words
    written: str


def rule_rows(model: Ruleset) -> Iterator[tuple[Heading, tuple[RuleRow, ...]]]:
    """In the workbook's order, tables that have no such rows left out."""
    places = {heading.where.cell: place for place, heading in enumerate(model.headings)}
    for table in sorted(model.tables, key=lambda t: places.get(t.heading.where.cell, len(places))):
        rows = tuple(_rows(table))
        if rows:
            yield table.heading, rows


def deciding_cells(steps: Iterable[Step]) -> Iterator[CellRef]:
    """The cells of the rows that decided: that fired, dropped a candidate, or were looked up. A ranking
    gives the cell of its table too."""
    for step in _everything(steps):
        match step:
            case Decided(tried=tried, otherwise=otherwise):
                yield from (row.outcome.cell for row in tried if isinstance(row.outcome, Fired))
                if otherwise is not None:
                    yield otherwise
            case Chosen(rows=rows):
                yield from (row.cell for row in rows if row.dropped)
            case LookedUp(cell=cell):
                yield cell
            case Ranked(heading=heading, rows=rows):
                yield heading.where.cell
                yield from (row.cell for row in rows if row.dropped)
            case Reckoned() | Computed() | Filtered() | SwitchRead() | Drawn() | Stopped() | Answered():
                pass
            case _:
                assert_never(step)


def _everything(steps: Iterable[Step]) -> Iterator[Step]:
    """Every step once, also those that a filter's items and a ranking's rows led to."""
    met: set[Step] = set()
    waiting = list(steps)[::-1]
    while waiting:
        step = waiting.pop()
        if step in met:
            continue
        met.add(step)
        yield step
        inside = steps_of(step)
        if isinstance(step, Filtered):
            inside = tuple(one for judged in step.items for one in judged.inside)
        elif isinstance(step, Ranked):
            inside = tuple(one for row in step.rows for one in row.inside)
        waiting.extend(reversed(inside))


def _rows(table: Table) -> Iterator[RuleRow]:
    match table:
        case Decision(rules=rules, otherwise=otherwise):
            for rule in rules:
                number = rule.number or str(rule.where.row)
                written = rule.outcomes[0].written
                yield RuleRow(rule.outcomes[0].cell, number, rule.words, written)
            if otherwise is not None:
                yield RuleRow(otherwise.cell, "", (), otherwise.written)
        case Scale(criteria=criteria):
            yield from (_criterion(row) for row in criteria if _narrows(row))
        case Matrix(entries=entries):
            for entry in entries:
                yield from (RuleRow(cell, cell.address, (), "") for cell in entry.cells[:1])
        case Dice(entries=dice):
            for side in dice:
                total = f"{side.low}" if side.low == side.high else f"{side.low}..{side.high}"
                yield RuleRow(side.cell, f"{side.die} {total}".strip(), side.words, "")
        case Formula():
            pass
        case _:
            assert_never(table)


def _narrows(row: Criterion) -> bool:
    """Of an embedding row the embedded ones count; chance drops nobody."""
    return row.embedded is None and row.prefer is not Prefer.CHANCE


def _criterion(row: Criterion) -> RuleRow:
    return RuleRow(row.cell, row.number, row.words, row.written)
