"""The rows of a workbook that can decide something."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from dtables.evaluator.trace import Shown
from dtables.model.expressions import Constant, Expression, NameOf
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
    """A row that can decide. `number` and `words` are how the workbook calls it, or `keys` by which it is
    looked up."""

    cell: CellRef
    number: str
    words: Words
    written: str
    keys: tuple[Shown, ...] = ()


def rule_rows(model: Ruleset) -> Iterator[tuple[Heading, tuple[RuleRow, ...]]]:
    """In the workbook's order, tables that have no such rows left out."""
    places = {heading.where.cell: place for place, heading in enumerate(model.headings)}
    for table in sorted(model.tables, key=lambda t: places.get(t.heading.where.cell, len(places))):
        rows = tuple(_rows(table))
        if rows:
            yield table.heading, rows


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
                keys = tuple(map(_key, entry.keys))
                yield from (RuleRow(cell, "", (), "", keys) for cell in entry.cells[:1])
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


def _key(key: Expression) -> Shown:
    match key:
        case NameOf(id=id_):
            return Shown(id_, key.type)
        case Constant(value=value):
            return Shown(value, key.type)
        case _:
            return Shown(None, key.type)
