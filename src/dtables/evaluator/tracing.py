"""Closures that write down every step, with its reasons where there can be any. What is not traced runs
without; but what is worked out once writes its step down there too, since it may be read again."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from dtables.evaluator.decisions import UNREAD, Hits, Outcomes, Rows, given
from dtables.evaluator.expressions import Closure, Frame, recorded_switch
from dtables.evaluator.index import Index, has_calls
from dtables.evaluator.planning import FieldClosure, Plan, Planner, TableClosure
from dtables.evaluator.scales import CriterionKept, Narrowing, Places, Reading, ScaleChosen, ScaleRanked
from dtables.evaluator.state import Holder, Lazy, Turn
from dtables.evaluator.tape import taken
from dtables.evaluator.trace import (
    FIRED,
    NOTHING_TO_TAKE,
    Chosen,
    Computed,
    Decided,
    Filtered,
    Judged,
    LookedUp,
    Narrowed,
    Ranked,
    Reckoned,
    RowsTried,
    Shown,
    SwitchRead,
    bears_reasons,
    is_made,
    operands,
    parts_looked_at,
    whole,
)
from dtables.feel.limits import MOST_ITERATIONS
from dtables.feel.values import FeelError, Value, bounded, conjunction, disjunction, truth
from dtables.model import expressions as model
from dtables.model.reach import nodes
from dtables.model.tables import Decision, Dice, Formula, Matrix, Others, Scale, Step
from dtables.program import nodes as p
from dtables.program.lowering import Program
from dtables.provenance import CellRef


class TracingPlanner(Planner):
    """`parts` are the expressions whose values reasons may want, by their identity."""

    def __init__(self, program: Program, index: Index) -> None:
        super().__init__(program, index)
        self.parts: set[int] = set()
        self.quiet = _QuietPlanner(program, index, self)

    def look_at(self, condition: model.Expression) -> bool:
        """Before its closure is made: if there can be any reasons, its parts must be noted, and those that a
        number is made of."""
        bears, made = bears_reasons(condition), is_made(condition)
        if bears:
            self.parts.update(map(id, parts_looked_at(condition)))
        if made:
            self.parts.update(id(one) for one in operands(condition) if not isinstance(one, model.Constant))
        return bears or made

    def plan(self, table: str | None) -> Plan:
        return Tracing(self, table)

    def _field_work(self, record: str, name: str) -> FieldClosure:
        of, field = self.index.records[record], self.index.fields[record][name]
        assert field.computed is not None
        noted = self.look_at(field.computed)
        work = super()._field_work(record, name)

        def traced(turn: Turn, holder: Holder) -> Value:
            tape: Any = turn.tape
            steps = tape.steps
            mark = len(steps)
            outer, tape.seen = tape.seen, {}
            value = work(turn, holder)
            parts, tape.seen = tape.seen, outer
            step = Computed(of, field, holder, value, parts if noted else None, taken(steps, mark))
            steps.append(step)
            tape.known[holder, name] = step
            return value

        return traced


class _QuietPlanner(Planner):
    """Tables with parameters, which are not traced here."""

    def __init__(self, program: Program, index: Index, tracing: TracingPlanner) -> None:
        super().__init__(program, index)
        self._tracing = tracing

    def table(self, name: str) -> TableClosure:
        source = self.index.tables[name]
        makes_functions = any(isinstance(node, model.MakeFunction) for node in nodes(source))
        if makes_functions or not source.parameters:
            return self._tracing.tables[name]
        return super().table(name)

    def field(self, record: str, name: str) -> FieldClosure:
        return self._tracing.field(record, name)


class _Quiet(Plan):
    """In the frames of a traced plan. Functions are traced wherever they are made, for they are called
    elsewhere."""

    def __init__(self, tracing: Tracing) -> None:
        super().__init__(tracing.planner.quiet, tracing.table)
        self._tracing = tracing
        self.steps: dict[p.Slot, tuple[tuple[p.Slot, ...], Closure]] = {}

    def _function(self, node: p.MakeFunction) -> Closure:
        return self._tracing.closure(node)

    def _call_step(self, node: p.CallStep) -> Closure:
        if node.slot not in self.steps:
            return super()._call_step(node)
        slots, body = self.steps[node.slot]
        works = self.closures(node.arguments)

        def call(f: Frame) -> Value:
            inner = f.copy()
            for slot, work in zip(slots, works, strict=True):
                inner[slot] = work(f)
            return body(inner)

        return call


MOST_TRACED = 12
"""Of a loop over more nothing is traced."""


class Tracing(Plan):
    planner: TracingPlanner

    def __init__(self, planner: TracingPlanner, table: str | None) -> None:
        super().__init__(planner, table)
        self.quietly = _Quiet(self)

    def look_at(self, value: model.Expression) -> bool:
        """Before its closure is made."""
        return self.planner.look_at(value)

    # -- noted parts ---------------------------------------------------------------------------

    def _is_noted(self, node: p.Expression) -> bool:
        return id(node.source) in self.planner.parts

    def closure(self, node: p.Expression) -> Closure:
        if not self._is_noted(node):
            return self.make(node)
        if isinstance(node, p.Comparison):
            return self._noted_comparison(node)
        key, run = id(node.source), self.make(node)

        def noted(f: Frame) -> Value:
            value = run(f)
            f[0].tape.seen[key] = value
            return value

        return noted

    def _noted_comparison(self, node: p.Comparison) -> Closure:
        """Both sides and what comes of them are noted at once."""
        operation, fail, where = self.comparing(node), self.fail, node.where
        a, b = self.make(node.left), self.make(node.right)
        left, right, key = id(node.left.source), id(node.right.source), id(node.source)

        def run(f: Frame) -> Value:
            x = a(f)
            f[0].tape.seen[left] = x
            y = b(f)
            seen = f[0].tape.seen
            seen[right] = y
            try:
                value = operation(x, y)
            except FeelError as error:
                return fail(error, where, f)
            seen[key] = value
            return value

        return run

    def plain_slot(self, node: p.Expression) -> p.Slot | None:
        return None if self._is_noted(node) else super().plain_slot(node)

    def is_constant(self, node: p.Expression) -> bool:
        return not self._is_noted(node) and super().is_constant(node)

    # -- formulas ------------------------------------------------------------------------------

    def body(self, function: p.Function) -> Closure:
        source, body = function.source, function.body
        if isinstance(body, p.Choose):
            if isinstance(source, Decision):
                return self._decision(source, function, body)
            return self._look_up(function, body)
        if isinstance(body, p.Narrow):
            return self.narrow(function)
        assert isinstance(source, Formula)
        bound = tuple((step.slot, self.step(step)) for step in function.steps)
        key = None if source.parameters else function.name
        traced = self._reckoned(source, body, source.result, key, function.parameters)
        if not bound:
            return traced

        def run(f: Frame) -> Value:
            for slot, step in bound:
                f[slot] = step(f)
            return traced(f)

        return run

    def step(self, step: p.Step) -> Callable[[Frame], object]:
        source, slots = step.source, step.parameters
        work = self._reckoned(source, step.value, source.value, source.variable.number, slots)
        if not slots:
            return lambda f: Lazy(partial(work, f))
        self.quietly.steps[step.slot] = slots, self.quietly.closure(step.value)

        def called_with(f: Frame) -> object:
            def body(*arguments: Value) -> Value:
                inner = f.copy()
                for slot, argument in zip(slots, arguments, strict=True):
                    inner[slot] = argument
                return work(inner)

            return body

        return called_with

    def _reckoned(
        self,
        of: Formula | Step,
        value: p.Expression,
        written: model.Expression,
        key: str | int | None,
        slots: tuple[p.Slot, ...],
    ) -> Closure:
        """`key` names a value that is read again without being worked out again."""
        noted = self.planner.look_at(written)
        work, given = self.closure(value), _given(slots)

        def traced(f: Frame) -> Value:
            tape = f[0].tape
            steps = tape.steps
            mark = len(steps)
            if noted:
                outer, tape.seen = tape.seen, {}
                result = work(f)
                parts, tape.seen = tape.seen, outer
            else:
                result, parts = work(f), None
            inside = taken(steps, mark) if len(steps) > mark else ()
            step = Reckoned(of, given(f), result, parts, inside)
            steps.append(step)
            if key is not None:
                tape.known[key] = step
            return result

        return traced

    def _known(self, node: p.Known) -> Closure:
        if isinstance(node, p.Local) and node.step is not None:
            return _again(node.slot, node.step)
        return super()._known(node)

    def _switch(self, node: p.Switch) -> Closure:
        name, type_ = node.name, node.type
        rule, _ = self.planner.index.switches[name]

        def run(f: Frame) -> Value:
            recorded = recorded_switch(name, f[0])
            value = rule.default if recorded is None else recorded
            f[0].tape.steps.append(SwitchRead(rule, Shown(value, type_), recorded is not None))
            return value

        return run

    # -- loops ---------------------------------------------------------------------------------

    def _filter(self, node: p.Filter) -> Closure:
        written, index = node.source, self.planner.index
        assert isinstance(written, model.Filter)
        self.planner.look_at(written.condition)
        if has_calls(written.condition) or index.reads_worked_out(written.condition):
            return self._judging(node, written)
        of, slot, condition = self.closure(node.of), node.item, self.quietly.closure(node.condition)
        nothing = Filtered((), False, node.where.cell)

        def plainly(f: Frame) -> Value:
            items = of(f)
            if items is None:
                return None
            steps = f[0].tape.steps
            mark = len(steps)
            kept = []
            for item in items:
                f[slot] = item
                if condition(f) is True:
                    kept.append(item)
            del steps[mark:]
            steps.append(nothing)
            return kept

        return plainly

    def _judging(self, node: p.Filter, written: model.Filter) -> Closure:
        """It is not traced why an item was kept, nor what comes after the first one where no other is
        needed."""
        of, slot, cell = self.closure(node.of), node.item, node.where.cell
        condition, quiet = self.closure(node.condition), self.quietly.closure(node.condition)
        first = self.planner.index.takes_first(written)
        calls = has_calls(written.condition)

        def judged(f: Frame) -> Value:
            items = of(f)
            if items is None:
                return None
            tape = f[0].tape
            steps, outer = tape.steps, tape.seen
            mark = len(steps)
            kept: list[Value] = []
            judged: list[Judged] = []
            for item in items:
                f[slot] = item
                if first and kept:
                    if quiet(f) is True:
                        kept.append(item)
                    del steps[mark:]
                    continue
                tape.seen = {}
                if condition(f) is True:
                    del steps[mark:]
                    judged.append(Judged(written, item, True, None, ()))
                    kept.append(item)
                    continue
                judged.append(Judged(written, item, False, tape.seen, taken(steps, mark)))
            tape.seen = outer
            steps.append(Filtered(tuple(judged), calls, cell))
            return kept

        return judged

    def _select(self, node: p.Select) -> Closure:
        """Of items nothing is traced, but how an index is computed."""
        of, select = self.closure(node.of), self.select(node)

        def run(f: Frame) -> Value:
            value = of(f)
            steps = f[0].tape.steps
            mark = len(steps)
            kept, by_index = select(value, f)
            if not by_index:
                del steps[mark:]
            return kept

        return run

    def _for(self, node: p.For) -> Closure:
        written = node.source
        assert isinstance(written, model.For)
        if id(written) in self.planner.index.items_tried:
            return self._items_tried(node, *self.planner.index.items_tried[id(written)])
        if id(written) in self.planner.index.put_together:
            return super()._for(node)
        if self.planner.index.calls_for_each(written):
            return self._traced_loop(node, written)
        return _dropping(self.quietly.closure(node))

    def _traced_loop(self, node: p.For, written: model.For) -> Closure:
        result, counted, partial_slot = self.closure(node.result), self._counted(node), node.partial
        slots, fail, where = tuple(one.slot for one in node.bindings), self.fail, node.where

        def traced(f: Frame) -> Value:
            results: list[Value] = []
            steps = f[0].tape.steps
            mark = len(steps)
            try:
                for _ in counted(f):
                    if partial_slot is not None:
                        f[partial_slot] = list(results)
                    start = len(steps)
                    value = result(f)
                    if partial_slot is not None and type(value) is int:
                        value = bounded(value)
                    results.append(value)
                    items = [f[slot] for slot in slots]
                    steps.append(Reckoned(written, items, value, None, taken(steps, start)))
                    if len(results) > MOST_TRACED:
                        del steps[mark:]
            except FeelError as error:
                return fail(error, where, f)
            return results

        return traced

    def _items_tried(self, node: p.For, told: model.Filter, step: CellRef) -> Closure:
        """A step of a turn tries items: of those that fail why, and what led to the one that works."""
        self.planner.look_at(told.condition)
        result, counted, results_slot = self.closure(node.result), self._counted(node), node.partial
        slot, cell, fail, where = node.bindings[0].slot, told.where.cell, self.fail, node.where
        assert results_slot is not None

        def run(f: Frame) -> Value:
            tape = f[0].tape
            steps, outer = tape.steps, tape.seen
            judged: list[Judged] = []
            results: list[Value] = []
            start = len(steps)
            try:
                for _ in counted(f):
                    f[results_slot] = list(results)
                    start = len(steps)
                    tape.seen = {}
                    value = result(f)
                    results.append(bounded(value) if type(value) is int else value)
                    if value is not None:
                        judged.append(Judged(told, f[slot], True, None, ()))
                        break
                    tape.seen[id(told.condition)] = None
                    judged.append(Judged(told, f[slot], False, tape.seen, taken(steps, start)))
                    start = len(steps)
            except FeelError as error:
                return fail(error, where, f)
            finally:
                tape.seen = outer
            steps.insert(start, Filtered(tuple(judged), True, cell, step))
            return results

        return run

    def _quantified(self, node: p.Quantified) -> Closure:
        """Of items only why one of `every` failed is traced; without items the list's own steps are."""
        noted = not node.some and self._is_noted(node)
        settled = self._settled(node, (self if noted else self.quietly).closure(node.condition))

        def run(f: Frame) -> Value:
            steps = f[0].tape.steps
            mark = len(steps)
            value, any_items = settled(f)
            if any_items:
                del steps[mark:]
            return value

        return run

    def _settled(self, node: p.Quantified, condition: Closure) -> Callable[[Frame], tuple[Value, bool]]:
        """Its value, and whether there was an item."""
        counted, some, fail, where = self._counted(node), node.some, self.fail, node.where
        join = disjunction if some else conjunction

        def run(f: Frame) -> tuple[Value, bool]:
            result: bool | None = not some
            any_items = False
            try:
                for _ in counted(f):
                    any_items = True
                    result = join(result, truth(condition(f)))
                    if result is some:
                        break
            except FeelError as error:
                return fail(error, where, f), False
            return result, any_items

        if not self._one_list(node) or not self.is_sure(node.condition.type):
            return run
        slot, source = node.bindings[0].slot, self.closure(node.bindings[0].source)

        def quick(f: Frame) -> tuple[Value, bool]:
            items = source(f)
            if type(items) is not list or len(items) > MOST_ITERATIONS:
                return run(f)
            for item in items:
                f[slot] = item
                if condition(f) is some:
                    return some, True
            return not some, bool(items)

        return quick

    # -- decisions -----------------------------------------------------------------------------

    def _decision(self, decision: Decision, function: p.Function, choose: p.Choose) -> Closure:
        unread = tuple(c.slot for c in choose.columns if c.value is not None)
        rows, slots = Rows(choose, self), [column.slot for column in choose.columns]
        empty, finish, stops = self._empty(choose), self._fold(choose), choose.fold.stops
        arguments = _given(function.parameters)
        otherwise = decision.otherwise.cell if decision.otherwise else None
        key = None if decision.parameters else decision.heading.name

        def decide(f: Frame) -> Value:
            for slot in unread:
                f[slot] = UNREAD
            tape = f[0].tape
            steps = tape.steps
            mark = len(steps)
            tried = RowsTried(decision)
            fates = tried.fates
            hits: Hits = []
            for number, tests in enumerate(rows):
                start, fate, held = len(steps), 0, True
                for test in tests:
                    held = test(f)
                    if held is not True:
                        break
                    fate += 1
                else:
                    fate, held = _goes_on(rows, number, fate, f, hits)
                if type(held) is not dict and len(steps) == start:
                    fates.append(fate)
                else:
                    parts = held if type(held) is dict else None
                    tried.add(fate, parts, taken(steps, start))
                if tape.made is not None:
                    if fate == FIRED:
                        tried.made_of(tape.made)
                    tape.made = None
                if stops and hits:
                    break
            tried.seen = [f[slot] for slot in slots]
            tried.given = [values for _, values in hits]
            value = finish(hits, f) if hits else empty(f)
            nothing = None if hits else otherwise
            step = Decided(decision, arguments(f), tried, nothing, value, taken(steps, mark))
            steps.append(step)
            if key is not None:
                tape.known[key] = step
            return value

        return decide

    def outcomes(self, row: p.Row) -> Outcomes:
        """What numbers are made of is noted."""
        written = [None if one.source is None else one.source.value for one in row.outcomes]
        made = [one is not None and is_made(one) and self.look_at(one) for one in written]
        outcomes = super().outcomes(row)
        return tuple(
            (_noting(run) if noted else run, taken)
            for noted, (run, taken) in zip(made, outcomes, strict=True)
        )

    def condition(self, cell: p.Cell) -> Closure:
        """Where there can be reasons why it fails, it comes to the values of its parts then."""
        assert cell.source is not None
        noted = [self.planner.look_at(one) for one in whole(cell.source)]
        run = super().condition(cell)
        if not any(noted):
            return run

        def passes(f: Frame) -> Value:
            tape = f[0].tape
            outer, tape.seen = tape.seen, {}
            passed = run(f)
            parts, tape.seen = tape.seen, outer
            return passed is True or parts

        return passes

    def _look_up(self, function: p.Function, choose: p.Choose) -> Closure:
        rows = tuple(
            (
                row.where,
                tuple(self.closure(cell.condition) for cell in row.cells),
                self.closure(row.outcomes[0].value),
            )
            for row in choose.rows
        )
        table, empty, given = function.source, self._empty(choose), _given(function.parameters)
        assert isinstance(table, Matrix | Dice)

        def run(f: Frame) -> Value:
            for cell, tests, outcome in rows:
                for test in tests:
                    if test(f) is not True:
                        break
                else:
                    steps = f[0].tape.steps
                    mark = len(steps)
                    value = outcome(f)
                    del steps[mark:]
                    steps.append(LookedUp(table, given(f), cell, value))
                    return value
            return empty(f)

        return run

    # -- scales --------------------------------------------------------------------------------

    def _scale_chosen(self, function: p.Function) -> ScaleChosen:
        scale, given = function.source, _given(function.parameters[1:])
        assert isinstance(scale, Scale)

        def write(f: Frame, reading: Reading, left: list[int], value: Value) -> None:
            steps = f[0].tape.steps
            inside = (*reading.aside, *taken(steps, reading.mark))
            rows = tuple(reading.rows)
            steps.append(Chosen(scale, given(f), reading.candidates, rows, tuple(left), value, inside))

        return write

    def _scale_ranked(self, function: p.Function) -> ScaleRanked:
        scale = function.source
        assert isinstance(scale, Scale)

        def write(f: Frame, reading: Reading, tiers: list[Value], places: Places) -> None:
            f[0].tape.drop(reading.mark)
            read = Ranked(scale, reading.candidates, tuple(places), tiers, tuple(reading.rows))
            f[0].tape.steps.append(read)

        return write

    def _criterion_read(self, criterion: p.Criterion, scale: str) -> CriterionKept:
        source = criterion.source

        def write(reading: Reading, values: dict[int, Value], left: list[int], kept: list[int]) -> None:
            dropped = tuple([q for q in left if q not in kept])
            reading.rows.append(Narrowed(scale, source, values, tuple(kept), dropped, ()))

        return write

    def _applies(self, criterion: p.Criterion) -> Callable[[Frame, Reading], bool] | None:
        applies = super()._applies(criterion)
        if applies is None:
            return None

        def putting_aside(f: Frame, reading: Reading) -> bool:
            steps = f[0].tape.steps
            mark = reading.row_mark = len(steps)
            held = applies(f, reading)
            if not held:
                reading.aside.extend(taken(steps, mark))
            return held

        return putting_aside

    def _criterion(
        self, criterion: p.Criterion, others: Others, item: p.Slot, scale: str
    ) -> Narrowing | None:
        """What is worked out for a row stands inside it; the rows of an embedded scale keep their own."""
        after = super()._criterion(criterion, others, item, scale)
        if after is None or isinstance(criterion.standing, p.Group):
            return after
        always = criterion.applies is None

        def row(f: Frame, reading: Reading, left: list[int], worst: frozenset[int]) -> list[int]:
            steps, rows = f[0].tape.steps, reading.rows
            mark, before = len(steps) if always else reading.row_mark, len(rows)
            kept = after(f, reading, left, worst)
            if len(rows) > before and len(steps) > mark:
                rows[-1] = replace(rows[-1], inside=taken(steps, mark))
            return kept

        return row

    def of_candidates(self, nodes: Sequence[p.Expression]) -> tuple[Closure, ...]:
        return tuple([_dropping(run) for run in self.quietly.closures(nodes)])


def _noting(run: Closure) -> Closure:
    def noting(f: Frame) -> Value:
        tape = f[0].tape
        outer, tape.seen = tape.seen, {}
        value = run(f)
        tape.made, tape.seen = tape.seen, outer
        return value

    return noting


def _goes_on(rows: Rows, number: int, passed: int, f: Frame, hits: Hits) -> tuple[int, Value]:
    """What became of a row whose tests all passed so far, and what the last one came to; one that fires is
    added to the hits."""
    if number not in rows.whole:
        for place, test in enumerate(rows.behind(number, passed), passed):
            held = test(f)
            if held is not True:
                return place, held
    row, outcomes = rows.whole[number]
    values = given(outcomes, f)
    if len(values) < len(outcomes):
        return NOTHING_TO_TAKE - len(values), True
    hits.append((row, values))
    return FIRED, True


def _given(slots: tuple[p.Slot, ...]) -> Callable[[Frame], Sequence[Value]]:
    """What a table or step was called with: its parameters stand side by side."""
    if not slots:
        return lambda _f: ()
    return operator.itemgetter(slice(slots[0], slots[-1] + 1))


def _again(slot: p.Slot, number: int) -> Closure:
    """A step or draw is read."""

    def read(f: Frame) -> Value:
        value = f[slot]
        if type(value) is Lazy:
            value = value.value()
        tape = f[0].tape
        known = tape.known.get(number)
        if known is not None:
            tape.steps.append(known)
        return value

    return read


def _dropping(run: Closure) -> Closure:
    """Nothing of what happens inside is traced."""

    def dropping(f: Frame) -> Value:
        steps = f[0].tape.steps
        mark = len(steps)
        value = run(f)
        del steps[mark:]
        return value

    return dropping
