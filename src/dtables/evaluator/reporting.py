"""Closures that report to a watch which rows decide: no steps, no reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dtables.evaluator.decisions import Hits
from dtables.evaluator.expressions import Closure, Frame
from dtables.evaluator.planning import Plan, Planner, TableClosure
from dtables.evaluator.scales import CriterionKept, Reading, ScaleChosen, ScaleRanked
from dtables.evaluator.state import Turn
from dtables.evaluator.watching import CriterionRead
from dtables.feel.types import BooleanType, NumberType, RecordType, TextType, Type, VocabularyType, plain
from dtables.feel.values import Value
from dtables.model.tables import Decision, Dice, Formula, Matrix, Step
from dtables.program import nodes as p


class ReportingPlanner(Planner):
    def plan(self, table: str | None) -> Plan:
        return Reporting(self, table)

    def table(self, name: str) -> TableClosure:
        """Asked the same again it is decided by the same rows; what Python cannot distinguish is worked out
        again."""
        source, call = self.index.tables[name], super().table(name)
        is_known = all(_is_key(parameter.type) for parameter in source.parameters)
        if not source.parameters or isinstance(source, Matrix | Dice) or not is_known:
            return call

        def remembered(arguments: Sequence[Value], turn: Turn) -> Value:
            memo, key = turn.memo, (name, *arguments)
            if key not in memo:
                memo[key] = call(arguments, turn)
            return memo[key]

        return remembered


class Reporting(Plan):
    planner: ReportingPlanner

    # -- decisions and entries -----------------------------------------------------------------

    def _fold(self, choose: p.Choose) -> Callable[[Hits, Frame], Value]:
        finish, decision = super()._fold(choose), self._table()

        def reported(hits: Hits, f: Frame) -> Value:
            value = finish(hits, f)
            if isinstance(decision, Decision):
                f[0].watch.decision_made(decision, [row.source for row, _ in hits], None)
            else:
                f[0].watch.entry_looked_up(decision, hits[0][0].where)
            return value

        return reported

    def _empty(self, choose: p.Choose) -> Closure:
        empty, decision = super()._empty(choose), self._table()
        if not isinstance(decision, Decision):
            return empty
        cell = None if decision.otherwise is None else decision.otherwise.cell

        def reported(f: Frame) -> Value:
            value = empty(f)
            f[0].watch.decision_made(decision, (), cell)
            return value

        return reported

    def _table(self) -> Decision | Matrix | Dice:
        assert self.table is not None
        table = self.planner.index.tables[self.table]
        assert isinstance(table, Decision | Matrix | Dice)
        return table

    # -- scales --------------------------------------------------------------------------------

    def _scale_chosen(self, function: p.Function) -> ScaleChosen:
        scale = function.source
        return lambda f, reading, _left, _value: f[0].watch.scale_chosen(scale, reading.rows)

    def _scale_ranked(self, function: p.Function) -> ScaleRanked:
        scale = function.source
        return lambda f, reading, _tiers, _places: f[0].watch.scale_ranked(scale, reading.rows)

    def _criterion_read(self, criterion: p.Criterion, scale: str) -> CriterionKept:
        source = criterion.source

        def report(reading: Reading, values: dict[int, Value], left: list[int], kept: list[int]) -> None:
            del values
            reading.rows.append(CriterionRead(scale, source, len(kept) < len(left)))

        return report

    # -- formulas and switches ------------------------------------------------------------------------------

    def body(self, function: p.Function) -> Closure:
        run = super().body(function)
        return _computed(function.source, run) if isinstance(function.source, Formula) else run

    def _step_value(self, step: p.Step) -> Closure:
        return _computed(step.source, super()._step_value(step))

    def _switch(self, node: p.Switch) -> Closure:
        run, name = super()._switch(node), node.name

        def reported(f: Frame) -> Value:
            value = run(f)
            f[0].watch.switch_read(name, value)
            return value

        return reported


class ReadingPlanner(ReportingPlanner):
    """Tells of the fields that are read too."""

    def plan(self, table: str | None) -> Plan:
        return _Reading(self, table)


class _Reading(Reporting):
    def _stored(self, node: p.Stored) -> Closure:
        return self._by_turn(node)

    def _computed(self, node: p.Computed) -> Closure:
        return self._by_turn(node)

    def _by_turn(self, node: p.Stored | p.Computed) -> Closure:
        of, read = self.closure(node.of), self._other(node)
        return lambda f: read(of(f), f)

    def _input(self, node: p.Input) -> Closure:
        run, name = super()._input(node), node.field

        def read(f: Frame) -> Value:
            if f[0].state is not None:
                f[0].watch.read(f[0].state, name)
            return run(f)

        return read

    def _stored_entries(self, node: p.Entry) -> frozenset[str]:
        del node
        return frozenset()


def _computed(of: Formula | Step, run: Closure) -> Closure:
    def reported(f: Frame) -> Value:
        value = run(f)
        f[0].watch.value_computed(of)
        return value

    return reported


def _is_key(type_: Type) -> bool:
    return isinstance(plain(type_), (VocabularyType, RecordType, BooleanType, NumberType, TextType))
