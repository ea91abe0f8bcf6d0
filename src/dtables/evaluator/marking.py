"""Closures that mark the cells of the rows that decide: no steps, no reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dtables.evaluator.deciding import Deciding
from dtables.evaluator.planning import Closure, Frame, Hits, Narrowing, Plan, Planner, TableClosure
from dtables.evaluator.state import Turn
from dtables.feel.types import BooleanType, NumberType, RecordType, TextType, Type, VocabularyType, plain
from dtables.feel.values import Value
from dtables.model.tables import Decision, Dice, Matrix
from dtables.program import nodes as p
from dtables.provenance import CellRef


class MarkingPlanner(Planner):
    def plan(self, table: str | None) -> Plan:
        return Marking(self, table)

    def table(self, name: str) -> TableClosure:
        """Asked the same again it is decided by the same rows; what Python cannot tell apart is worked out
        again."""
        source, call = self.program.tables[name], super().table(name)
        is_known = all(_is_key(parameter.type) for parameter in source.parameters)
        if not source.parameters or isinstance(source, Matrix | Dice) or not is_known:
            return call

        def remembered(arguments: Sequence[Value], turn: Turn) -> Value:
            memo, key = turn.memo, (name, *arguments)
            if key not in memo:
                memo[key] = call(arguments, turn)
            return memo[key]

        return remembered


class Marking(Plan):
    def _fold(self, choose: p.Choose) -> Callable[[Hits, Frame], Value]:
        finish = super()._fold(choose)

        def marked(hits: Hits, f: Frame) -> Value:
            value = finish(hits, f)
            for row, _ in hits:
                _mark(row.where if row.source is None else row.source.outcomes[0].cell, f)
            return value

        return marked

    def _empty(self, choose: p.Choose) -> Closure:
        assert self.table is not None
        empty, table = super()._empty(choose), self.planner.program.tables[self.table]
        if not isinstance(table, Decision) or table.otherwise is None:
            return empty
        cell = table.otherwise.cell

        def marked(f: Frame) -> Value:
            value = empty(f)
            _mark(cell, f)
            return value

        return marked

    def _best(self, by: p.By, criterion: p.Criterion, item: p.Slot) -> Narrowing:
        best, cell = super()._best(by, criterion, item), criterion.source.cell

        def marked(f: Frame, candidates: list[Value], left: list[int], worst: frozenset[int]) -> list[int]:
            kept = best(f, candidates, left, worst)
            if len(kept) < len(left):
                _mark(cell, f)
            return kept

        return marked


def _is_key(type_: Type) -> bool:
    return isinstance(plain(type_), (VocabularyType, RecordType, BooleanType, NumberType, TextType))


def _mark(cell: CellRef, f: Frame) -> None:
    observer = f[0].observer
    assert isinstance(observer, Deciding)
    observer.cells.add(cell)
