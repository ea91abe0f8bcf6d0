"""Rows and cells of every table, and which of them the workbook's own examples reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import assert_never

from dtables.evaluator import Evaluator, watching
from dtables.evaluator.state import DataRow, RecordValue
from dtables.feel.values import Value
from dtables.model.expressions import Constant, Expression, MakeContext, MakeRecord, NameOf
from dtables.model.tables import (
    Ask,
    Decision,
    Dice,
    Formula,
    Heading,
    Matrix,
    Need,
    Next,
    Prefer,
    Row,
    Ruleset,
    Scale,
    Stop,
    Table,
    table_name,
)
from dtables.provenance import CellRef
from dtables.verifier.coverage import Reached, reached_by_examples
from dtables.verifier.messages import row_name


@dataclass(frozen=True, slots=True)
class CoveredPart:
    """A row or a cell: its name, the row of data it is in, and what it does where an example reaches it."""

    cell: CellRef
    name: str
    does: str
    reached: bool
    row: str = ""


@dataclass(frozen=True, slots=True)
class Covered:
    """A table and its parts."""

    heading: Heading
    parts: tuple[CoveredPart, ...]

    @property
    def reached(self) -> int:
        """How many of its parts examples reach."""
        return sum(part.reached for part in self.parts)

    def __str__(self) -> str:
        """`Fees!A1:D9 fee: 3 of 4 (75.0 %)`"""
        place = str(self.heading.where).partition("!")[2]
        named = f"{place} {self.heading.name}".strip()
        return f"{named}: {self.reached:,} of {len(self.parts):,} ({share((self,)):.1f} %)"

    def lines(self) -> Iterator[str]:
        """What is not reached, the cells of one row of data together."""
        left = [part for part in self.parts if not part.reached]
        for _, group in groupby(left, lambda part: (part.row or part.cell, part.does)):
            parts = list(group)
            last = parts[-1].cell.address if len(parts) > 1 else ""
            place = f"{str(parts[0].cell).partition('!')[2]}{f':{last}' if last else ''}"
            row = f"{parts[0].row}: " if parts[0].row else ""
            yield f"{place} never {parts[0].does}: {row}{', '.join(part.name for part in parts)}"

    def as_plain(self) -> dict[str, object]:
        """Return the table for `--json`."""
        left = [part for part in self.parts if not part.reached]
        return {
            "table": self.heading.name,
            "where": str(self.heading.where),
            "parts": len(self.parts),
            "reached": self.reached,
            "unreached": [{"cell": str(p.cell), "row": p.row, "name": p.name, "never": p.does} for p in left],
        }


def share(covered: Iterable[Covered]) -> float:
    """Return how many hundredths of all parts are reached; 100 of none."""
    listed = tuple(covered)
    parts = sum(len(one.parts) for one in listed)
    return 100.0 * sum(one.reached for one in listed) / parts if parts else 100.0


def coverage(ruleset: Ruleset) -> tuple[Covered, ...]:
    """Tell what the workbook's examples reach of each table, in the workbook's order."""
    evaluator = watching(ruleset)
    parts = sorted(_all(ruleset, reached_by_examples(evaluator), evaluator), key=lambda part: part.cell)
    by_table: dict[int, list[CoveredPart]] = {n: [] for n in range(len(ruleset.headings))}
    for part in parts:
        place = next((n for n, h in enumerate(ruleset.headings) if _lies_in(h, part.cell)), None)
        if place is not None:
            by_table[place].append(part)
    return tuple(Covered(ruleset.headings[n], tuple(found)) for n, found in by_table.items() if found)


def _lies_in(heading: Heading, cell: CellRef) -> bool:
    first, last = heading.where.cell, heading.where.last or heading.where.cell
    inside = first.row <= cell.row <= last.row and first.column <= cell.column <= last.column
    return cell.sheet == first.sheet and inside


def _all(ruleset: Ruleset, reached: Reached, evaluator: Evaluator) -> Iterator[CoveredPart]:
    for table in ruleset.tables:
        yield from _of_table(table, reached)
    for ask in ruleset.asks:
        yield from _of_ask(ask, reached)
    for checks in ruleset.checks:
        for check in checks.rows:
            yield _part(check.where, f"row {check.number}", "rejects a record", reached)
    for switches in ruleset.switches:
        for rule in switches.rules:
            for value in rule.values.ids:
                yield CoveredPart(
                    rule.cell, f"{rule.name} = {value}", "read", (rule.name, value) in reached.switches
                )
    for record in (*ruleset.records, ruleset.input.state):
        for field in record.fields:
            if field.computed is not None:
                yield CoveredPart(
                    field.where, field.name, "computed", (record.name, field.name) in reached.computed
                )
    for row, holder in evaluator.held():
        yield from _of_row(row, holder, reached)


def _part(cell: CellRef, name: str, does: str, reached: Reached) -> CoveredPart:
    return CoveredPart(cell, name, does, cell in reached.cells)


def _of_table(table: Table, reached: Reached) -> Iterator[CoveredPart]:
    match table:
        case Decision(rules=rules, otherwise=otherwise):
            for rule in rules:
                yield _part(rule.where, row_name(rule), "applies", reached)
            if otherwise is not None:
                yield _part(otherwise.cell, "otherwise", "applies", reached)
        case Scale(criteria=criteria):
            for row in criteria:
                if row.prefer not in (Prefer.SCALE, Prefer.CHANCE):
                    yield _part(row.cell, row_name(row), "separates candidates", reached)
        case Matrix(entries=entries):
            for entry in entries:
                name = ", ".join(map(_key, entry.keys))
                yield _part(entry.cells[0], name, "looked up", reached)
        case Dice(entries=faces):
            for cell in dict.fromkeys(face.cell for face in faces):
                totals = ", ".join(f"{f.low}..{f.high} on {f.die}" for f in faces if f.cell == cell)
                yield _part(cell, totals, "comes up", reached)
        case Formula(steps=steps):
            for step in steps:
                yield _part(step.cell, step.variable.name, "computed", reached)
            yield _part(table.cell, table_name(table), "computed", reached)
        case _:
            assert_never(table)


def _key(key: Expression) -> str:
    match key:
        case NameOf(id=id_):
            return id_
        case Constant(value=bool() as value):
            return "yes" if value else "no"
        case Constant(value=value):
            return str(value)
        case _:
            return "?"


def _of_ask(ask: Ask, reached: Reached) -> Iterator[CoveredPart]:
    for row in ask.rows:
        match row:
            case Need(place=place):
                name = f"need {'.'.join(place.fields)}"
                yield _part(row.where, name, "rejects a record", reached)
            case Stop():
                yield _part(row.where, "stop", "stops", reached)
            case Next(ask=name, cell=cell):
                yield _part(cell, f"next {name}", "comes next", reached)
            case _:
                pass


def _of_row(row: Row, holder: Value, reached: Reached) -> Iterator[CoveredPart]:
    """The cells that are filled in; those of a record inside are read one by one."""
    assert isinstance(holder, DataRow | RecordValue)
    named = holder.id if isinstance(holder, DataRow) else f"row {row.where.row}"
    for name, value in row.values:
        inner = holder.values.get(name)
        read = (id(holder), name) in reached.fields
        cells: list[tuple[str, Expression, bool]]
        match value:
            case MakeRecord(fields=fields) if isinstance(inner, RecordValue):
                cells = [
                    (f"{name}.{below}", cell, (id(inner), below) in reached.fields) for below, cell in fields
                ]
            case MakeContext(entries=entries):
                cells = [(f"{name}.{entry.name}", entry.value, read) for entry in entries]
            case _:
                cells = [(name, value, read)]
        for cell_name, cell, known in cells:
            if _typed(cell):
                yield CoveredPart(cell.where.cell, cell_name, "read", known, named)


def _typed(value: Expression) -> bool:
    """Not left blank: then it is a default, or nothing."""
    return value.where.span is not None
