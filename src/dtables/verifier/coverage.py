"""Which tables, rows and cells the workbook's own examples reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dtables.diagnostics import Diagnostic
from dtables.evaluator import Evaluator, Watch, watching
from dtables.evaluator.state import DataRow, RecordValue
from dtables.evaluator.watching import CriterionRead
from dtables.feel.values import Value
from dtables.model.tables import (
    Criterion,
    Decision,
    Dice,
    Example,
    Examples,
    Formula,
    Matrix,
    Next,
    Prefer,
    Rule,
    Ruleset,
    Scale,
    Step,
    Stop,
    Table,
    table_name,
)
from dtables.provenance import CellRef, Location, whole_book
from dtables.records.findings import RecordError, RuleError
from dtables.verifier import messages


@dataclass
class Reached(Watch):
    """Looks on and keeps the tables that were called and the cells that counted. What happened inside a
    filter or a loop counts like the rest, and what is worked out once for all turns."""

    tables: set[str] = field(default_factory=set)
    chosen: set[str] = field(default_factory=set)
    cells: set[CellRef] = field(default_factory=set)
    switches: set[tuple[str, object]] = field(default_factory=set)
    fields: set[tuple[int, str]] = field(default_factory=set)
    """Of a record or row, by its identity, and of a record type by its name."""
    computed: set[tuple[str, str]] = field(default_factory=set)

    def apart(self) -> Reached:
        return self

    def read(self, holder: object, name: str) -> None:
        self.fields.add((id(holder), name))
        if isinstance(holder, DataRow | RecordValue):
            self.computed.add((holder.record, name))

    def decision_made(self, decision: Decision, fired: Sequence[Rule], otherwise: CellRef | None) -> None:
        self.tables.add(table_name(decision))
        self.cells.update(rule.where for rule in fired)
        self.cells.update([otherwise] if otherwise is not None else [])

    def scale_chosen(self, scale: Scale, rows: Sequence[CriterionRead]) -> None:
        self.chosen.add(table_name(scale))
        self.tables.update(row.scale for row in rows)
        self.scale_ranked(scale, rows)

    def scale_ranked(self, scale: Scale, rows: Sequence[CriterionRead]) -> None:
        self.tables.add(table_name(scale))
        self.cells.update(row.criterion.cell for row in rows if row.dropped)

    def entry_looked_up(self, table: Matrix | Dice, cell: CellRef) -> None:
        self.tables.add(table_name(table))
        self.cells.add(cell)

    def value_computed(self, of: Formula | Step) -> None:
        self.cells.add(of.cell)

    def switch_read(self, name: str, value: Value) -> None:
        self.switches.add((name, value))

    def stopped(self, row: Stop) -> None:
        self.cells.add(row.where)

    def demanded(self, row: Next) -> None:
        self.cells.add(row.cell)


def unreached(ruleset: Ruleset) -> tuple[Diagnostic, ...]:
    """Notes on what could be wrong without any example telling."""
    if not ruleset.tables and not ruleset.asks:
        return ()
    if not any(table.rows for table in ruleset.examples):
        return (messages.no_examples(Location(whole_book(ruleset.book))),)
    return tuple(_unreached(ruleset, reached_by_examples(watching(ruleset))))


def reached_by_examples(evaluator: Evaluator) -> Reached:
    """Run every example of the workbook and look on; `evaluator` is one that is watched."""
    reached = Reached()
    for table in evaluator.ruleset.examples:
        for example in table.rows:
            _run(table, example, evaluator, reached)
    return reached


def _run(table: Examples, example: Example, evaluator: Evaluator, reached: Reached) -> None:
    """What comes out is asked elsewhere; a record that must be rejected reaches what it reaches, and the row
    that rejects it."""
    try:
        if table.ask is not None:
            evaluator.answer(table.ask, example.given, reached)
        elif table.table is not None:
            given = example.given if isinstance(example.given, dict) else {}
            evaluator.call(table.table, {**given, **dict(example.arguments)}, reached)
    except RecordError as error:
        reached.cells.update(found.where.cell for found in error.findings if found.where is not None)
    except RuleError:
        return


def _unreached(ruleset: Ruleset, reached: Reached) -> Iterator[Diagnostic]:
    tried = {table.ask for table in ruleset.examples}
    for ask in ruleset.asks:
        if ask.heading.name not in tried and not ask.parameters:
            yield messages.ask_without_example(ask.heading)
    for table in ruleset.tables:
        if not _is_reached(table, reached):
            yield messages.unreached_table(table.heading)
        elif isinstance(table, Decision):
            yield from _rows_of_decision(table, reached)
        elif isinstance(table, Scale) and table.heading.name in reached.chosen:
            yield from _rows_of_scale(table, reached)


def _is_reached(table: Table, reached: Reached) -> bool:
    if isinstance(table, Formula):
        return table.cell in reached.cells
    return table_name(table) in reached.tables


def _rows_of_decision(decision: Decision, reached: Reached) -> Iterator[Diagnostic]:
    rows: list[Rule] = [rule for rule in decision.rules if rule.where not in reached.cells]
    places = [Location(rule.where) for rule in rows]
    names = [messages.row_name(rule) for rule in rows]
    otherwise = decision.otherwise
    if otherwise is not None and otherwise.cell not in reached.cells:
        places, names = [*places, Location(otherwise.cell)], [*names, "`otherwise`"]
    verb = "work" if decision.tries_steps else "fire"
    if names:
        yield messages.unreached_rows(decision.heading, names, places, verb)


def _rows_of_scale(scale: Scale, reached: Reached) -> Iterator[Diagnostic]:
    rows: list[Criterion] = [
        row
        for row in scale.criteria
        if row.prefer not in (Prefer.SCALE, Prefer.CHANCE) and row.cell not in reached.cells
    ]
    if rows:
        names, places = [messages.row_name(row) for row in rows], [Location(row.where) for row in rows]
        yield messages.unreached_rows(scale.heading, names, places, "narrow anything")
