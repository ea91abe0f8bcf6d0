"""Why a table gives what it gives: with the answer come the rows that fired, found as the answer was found.

What more there is to tell, the evaluator works out when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from dtables.compilers.python import load_source, to_python
from dtables.compilers.python.which_rows import NO_ROW, gives_row_numbers, with_row_numbers
from dtables.evaluator import Evaluator, Explanation
from dtables.evaluator.trace import Decided, Fired, LookedUp, Step
from dtables.explanations.render import render
from dtables.limits import LIMITS
from dtables.model.expressions import InputField, Read
from dtables.model.tables import Decision, Policy, Rule, Ruleset, Table, table_name
from dtables.provenance import CellRef

Given = Mapping[str, object]
Call = Callable[[Given], Any]


class TableExplanation(NamedTuple):
    """`found` are numbers of rows as the compiled rules give them; None where only the evaluator knows."""

    answer: Any
    found: int | list[int] | None
    given: Given
    table: Reasoning

    @property
    def rows(self) -> tuple[Rule, ...]:
        """The rows of a decision that fired, in order."""
        match self.found:
            case None:
                return self.table.fired(self.given)
            case int() as row:
                return () if row == NO_ROW else (self.table.rules[row],)
            case rows:
                return tuple(self.table.rules[row] for row in rows)

    @property
    def cells(self) -> tuple[CellRef, ...]:
        """Where the answer stands: the first outcome of each row that fired, or the cell for all other cases;
        of a matrix or a dice table the entry; else where the table begins."""
        match self.found:
            case int() as row if row != NO_ROW:
                return (self.table.answer_cells[row],)
            case list() as rows if rows:
                return tuple([self.table.answer_cells[row] for row in rows])
            case None:
                fired = tuple(row.outcomes[0].cell for row in self.rows)
                return fired or self.table.other_cells(self.given)
            case _:
                return self.table.other_cells(self.given)

    @property
    def conditions(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """Return for each row that fired its columns with a condition, and the condition as it is written."""
        names = [subject.name for subject in self.table.subjects]
        return tuple(
            tuple(
                (name, condition.written)
                for name, condition in zip(names, row.conditions, strict=True)
                if condition.tests
            )
            for row in self.rows
        )

    @property
    def explanation(self) -> Explanation:
        """Every step that led to the answer."""
        return self.table.explained(self.given, self.rows)

    def told(self, language: str = "en") -> str:
        return render(self.explanation, language)


@dataclass(frozen=True)
class Reasoning:
    """A table and the evaluator that knows all about it."""

    ruleset: Ruleset
    table: Table

    @cached_property
    def evaluator(self) -> Evaluator:
        return Evaluator(self.ruleset)

    @property
    def name(self) -> str:
        return table_name(self.table)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        return self.table.rules if isinstance(self.table, Decision) else ()

    @cached_property
    def answer_cells(self) -> tuple[CellRef, ...]:
        """The first outcome of each row."""
        return tuple(rule.outcomes[0].cell for rule in self.rules)

    @property
    def subjects(self) -> tuple[Any, ...]:
        return self.table.subjects if isinstance(self.table, Decision) else ()

    def fired(self, given: Given) -> tuple[Rule, ...]:
        if not isinstance(self.table, Decision):
            return ()
        step = self._last_step(given)
        assert isinstance(step, Decided)
        cells = {row.where for row in step.tried if isinstance(row.outcome, Fired)}
        return tuple(rule for rule in self.rules if rule.where in cells)

    def other_cells(self, given: Given) -> tuple[CellRef, ...]:
        if isinstance(self.table, Decision) and self.table.otherwise is not None:
            return (self.table.otherwise.cell,)
        step = None if isinstance(self.table, Decision) else self._last_step(given)
        if isinstance(step, LookedUp):
            return (step.cell,)
        return (self.table.heading.where.cell,)

    def _last_step(self, given: Given) -> Step | None:
        steps = self.evaluator.explain_table(self.name, given).steps
        return steps[-1] if steps else None

    def explained(self, given: Given, rows: tuple[Rule, ...]) -> Explanation:
        """The evaluator need not try rows of which nothing is reported: those that did not fire where others
        did, in a decision that reads nothing but what it is given."""
        if isinstance(self.table, Decision) and rows and _tells_only_hits(self.table):
            only = replace(self.table, rules=rows)
            tables = tuple(only if table is self.table else table for table in self.ruleset.tables)
            small = Evaluator(replace(self.ruleset, tables=tables))
            return replace(small.explain_table(self.name, given), ruleset=self.ruleset)
        return self.evaluator.explain_table(self.name, given)


def _tells_only_hits(decision: Decision) -> bool:
    plain = all(isinstance(subject.value, (Read, InputField)) for subject in decision.subjects)
    return plain and decision.policy is not Policy.FIRST


class TableReasons(Mapping[str, Callable[[Given], TableExplanation]]):
    """For each table a function of what it is given. `answers` are the compiled tables."""

    def __init__(self, ruleset: Ruleset, answers: Mapping[str, Call]) -> None:
        self._tables = {table_name(table): table for table in ruleset.tables}
        self._ruleset = ruleset
        self._answers = answers
        self._known: dict[str, Callable[[Given], TableExplanation]] = {}

    def __getitem__(self, name: str) -> Callable[[Given], TableExplanation]:
        reason = self._known.get(name)
        if reason is None:
            answer = self._answers[name]
            spaced = name if name in self._tables else name.replace("_", " ")
            reason = self._known[name] = self._reason(spaced, answer)
        return reason

    def __iter__(self) -> Any:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def _reason(self, name: str, answer: Call) -> Callable[[Given], TableExplanation]:
        """The evaluator finds the rows of the first few, if they are not too many: compiling takes longer."""
        table = Reasoning(self._ruleset, self._tables[name])
        explanation = TableExplanation
        if not (isinstance(table.table, Decision) and gives_row_numbers(table.table)):
            return lambda given: explanation(answer(given), None, given, table)
        new = tuple.__new__  # a named tuple's own `__new__` takes as long as a look-up
        found: Call | None = None if len(table.rules) <= LIMITS.found_rows else self._rows[name]
        left = LIMITS.found_calls

        def reason(given: Given) -> TableExplanation:
            nonlocal found, left
            if found is not None:
                return new(explanation, (answer(given), found(given), given, table))
            left -= 1
            if left <= 0:
                found = self._rows[name]
            return new(explanation, (answer(given), None, given, table))

        return reason

    @cached_property
    def _rows(self) -> dict[str, Call]:
        """Compiled once for all tables."""
        ruleset, names = with_row_numbers(self._ruleset)
        source, _ = to_python(ruleset)
        functions: dict[str, Call] = load_source(source, f"rows of {ruleset.name}").TABLES
        return {name: functions[own] for name, own in names.items()}
