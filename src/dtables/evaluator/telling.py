"""Closures that write down every step, with its reasons where there can be any. What nobody is told of runs
without; but what is worked out once writes its step down there too, since it may be read again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cmp_to_key, partial
from typing import Any, NamedTuple

from dtables import failures
from dtables.evaluator.decisions import whole
from dtables.evaluator.expressions import recorded_switch
from dtables.evaluator.index import Index, has_calls
from dtables.evaluator.loops import MOST_TOLD
from dtables.evaluator.observer import taken
from dtables.evaluator.parts import NO_REASONS, Why, bears_reasons, parts_looked_at, why
from dtables.evaluator.planning import (
    UNREAD,
    Closure,
    FieldClosure,
    Frame,
    Hits,
    Plan,
    Planner,
    TableClosure,
)
from dtables.evaluator.scales import WORST, compared, standing_of
from dtables.evaluator.state import DataRow, Holder, Lazy, Scope, Turn
from dtables.evaluator.trace import (
    Arguments,
    Chosen,
    Computed,
    Decided,
    Failed,
    Filtered,
    Fired,
    Judged,
    LookedUp,
    Narrowed,
    NothingToTake,
    Ranked,
    Reckoned,
    Shown,
    SwitchRead,
    Tried,
)
from dtables.evaluator.trace import Step as Told
from dtables.feel.limits import MOST_ITERATIONS
from dtables.feel.types import ListType, Type
from dtables.feel.values import FeelError, Value, bounded, conjunction, disjunction, truth
from dtables.model import expressions as model
from dtables.model.reach import nodes
from dtables.model.tables import Condition, Decision, Formula, Others, Parameter, Scale, Step
from dtables.program import nodes as p
from dtables.program.lowering import Program
from dtables.provenance import CellRef, Location
from dtables.records.findings import RuleError

ToldNarrowing = Callable[
    [Frame, list[Value], list[int], frozenset[int], list[Narrowed], list[Told]], list[int]
]
"""Who is left. The rows that were read are added to the one list, what was worked out for those passed over
to the other."""


class TellingPlanner(Planner):
    """`parts` are the expressions whose values reasons may want, by their identity."""

    def __init__(self, program: Program, index: Index) -> None:
        super().__init__(program, index)
        self.parts: set[int] = set()
        self.quiet = _QuietPlanner(program, index, self)
        for known in index.fields.values():
            for field in known.values():
                if field.computed is not None:
                    self.look_at(field.computed)

    def look_at(self, condition: model.Expression) -> None:
        """Before its closure is made: its reasons will be asked for, so its parts must be noted."""
        if bears_reasons(condition):
            self.parts.update(map(id, parts_looked_at(condition)))

    def plan(self, table: str | None) -> Plan:
        return Telling(self, table)

    def passes(self, tests: tuple[model.Test, ...], subject: Value, scope: Scope) -> bool | None:
        if id(tests) not in self._tests:
            for test in tests:
                if isinstance(test, model.Holds):
                    self.look_at(test.condition)
        return super().passes(tests, subject, scope)

    def once(self, name: str, call: TableClosure) -> TableClosure:
        def worked_out(arguments: Any, turn: Turn) -> Value:
            memo = turn.memo
            if name in memo:
                turn.observer.again(name)
            else:
                memo[name] = call(arguments, turn)
            return memo[name]

        return worked_out

    def _field(self, record: str, name: str) -> FieldClosure:
        made: list[tuple[Closure, list[None]]] = []
        constant = (record, name) not in self.index.changing_fields
        declared = self.index.fields[record][name]
        condition = declared.computed
        assert condition is not None
        reasons = why(condition) if bears_reasons(condition) else None
        of, type_, cell = self.index.records[record].this.type, declared.type, declared.where

        def worked_out(turn: Turn, holder: Holder) -> Value:
            if constant and type(holder) is DataRow:
                return turn.field_of(holder, name)
            memo, key, observer = turn.memo, (holder, name), turn.observer
            if key in memo:
                observer.again(key)
                return memo[key]
            if not made:
                function = self.program.field(record, name)
                made.append((self.plan(record).closure(function.body), [None] * (function.size - 2)))
            run, rest = made[0]
            steps = observer.steps
            mark = len(steps)
            outer, observer.seen = observer.seen, {}
            value = run([turn, holder, *rest])
            seen, observer.seen = observer.seen, outer
            found = NO_REASONS if reasons is None else reasons(seen)
            step = Computed(name, Shown(holder, of), Shown(value, type_), cell, found, taken(steps, mark))
            steps.append(step)
            observer.known[key] = step
            memo[key] = value
            return value

        return worked_out


class _QuietPlanner(Planner):
    """Tables with parameters, of which nobody is told here."""

    def __init__(self, program: Program, index: Index, telling: TellingPlanner) -> None:
        super().__init__(program, index)
        self._telling = telling

    def table(self, name: str) -> TableClosure:
        source = self.program.tables[name]
        makes_functions = any(isinstance(node, model.MakeFunction) for node in nodes(source))
        if makes_functions or not source.parameters:
            return self._telling.tables[name]
        return super().table(name)

    def field(self, record: str, name: str) -> FieldClosure:
        return self._telling.field(record, name)


class _Quiet(Plan):
    """In the frames of a telling plan. Functions tell wherever they are made: elsewhere they are called."""

    def __init__(self, telling: Telling) -> None:
        super().__init__(telling.planner.quiet, telling.table)
        self._telling = telling
        self.steps: dict[p.Slot, tuple[tuple[p.Slot, ...], Closure]] = {}

    def _function(self, node: p.MakeFunction) -> Closure:
        return self._telling.closure(node)

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


class _Cell(NamedTuple):
    """A cell that wants something. Of a whole condition `type` is None; `reasons` say why it fails."""

    read: Closure
    passes: Closure
    column: str
    type: Type | None
    condition: Condition
    reasons: tuple[Why, ...]


class _Row(NamedTuple):
    """`conditions` are its columns and what its cells want."""

    row: p.Row
    cells: tuple[_Cell, ...]
    outcomes: tuple[tuple[Closure, bool, CellRef], ...]
    conditions: tuple[tuple[str, tuple[model.Test, ...]], ...]
    fired: Fired


class Telling(Plan):
    planner: TellingPlanner

    def __init__(self, planner: TellingPlanner, table: str | None) -> None:
        super().__init__(planner, table)
        self.quietly = _Quiet(self)

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
            f[0].observer.seen[key] = value
            return value

        return noted

    def _noted_comparison(self, node: p.Comparison) -> Closure:
        """Both sides and what comes of them are noted at once."""
        operation, fail, where = self.comparing(node), self.fail, node.where
        a, b = self.make(node.left), self.make(node.right)
        left, right, key = id(node.left.source), id(node.right.source), id(node.source)

        def run(f: Frame) -> Value:
            x = a(f)
            f[0].observer.seen[left] = x
            y = b(f)
            seen = f[0].observer.seen
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

    def _constant(self, node: p.Expression) -> bool:
        return super()._constant(node) and not self._is_noted(node)

    # -- formulas ------------------------------------------------------------------------------

    def body(self, function: p.Function) -> Closure:
        source, body = function.source, function.body
        if isinstance(body, p.Choose):
            if isinstance(source, Decision):
                return self._decision(source, function, body)
            return self._look_up(function, body)
        if isinstance(body, p.Narrow):
            return self._scale(function, body)
        assert isinstance(source, Formula)
        bound = tuple((step.slot, self.step(step)) for step in function.steps)
        key = None if source.parameters else function.name
        told = self._reckoned(
            source, function.name, body, source.result, source.type, key, function.parameters
        )
        if not bound:
            return told

        def run(f: Frame) -> Value:
            for slot, step in bound:
                f[slot] = step(f)
            return told(f)

        return run

    def step(self, step: p.Step) -> Callable[[Frame], object]:
        source, slots = step.source, step.parameters
        name, number = source.variable.name, source.variable.number
        work = self._reckoned(source, name, step.value, source.value, source.value.type, number, slots)
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
        name: str,
        value: p.Expression,
        written: model.Expression,
        type_: Type,
        key: str | int | None,
        slots: tuple[p.Slot, ...],
    ) -> Closure:
        """`key` names a value that is read again without being worked out again."""
        self.planner.look_at(written)
        work, given, cell, words = self.closure(value), _given(of.parameters, slots), of.cell, of.words
        reasons = why(written) if bears_reasons(written) else None

        def told(f: Frame) -> Value:
            observer = f[0].observer
            steps = observer.steps
            mark = len(steps)
            if reasons is None:
                result, found = work(f), NO_REASONS
            else:
                outer, observer.seen = observer.seen, {}
                result = work(f)
                seen, observer.seen = observer.seen, outer
                found = reasons(seen)
            inside = taken(steps, mark) if len(steps) > mark else ()
            step = Reckoned(name, given(f), Shown(result, type_), cell, words, found, inside)
            steps.append(step)
            if key is not None:
                observer.known[key] = step
            return result

        return told

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
            step = SwitchRead(name, Shown(value, type_), recorded is not None, rule.cell, rule.words)
            f[0].observer.steps.append(step)
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
            steps = f[0].observer.steps
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
        """It is not told why an item was kept, nor what comes after the first one where no other is
        wanted."""
        of, slot, kind, cell = self.closure(node.of), node.item, written.item.type, node.where.cell
        condition, quiet = self.closure(node.condition), self.quietly.closure(node.condition)
        first = self.planner.index.takes_first(written)
        calls, reasons = has_calls(written.condition), why(written.condition)

        def judged(f: Frame) -> Value:
            items = of(f)
            if items is None:
                return None
            observer = f[0].observer
            steps, outer = observer.steps, observer.seen
            mark = len(steps)
            kept: list[Value] = []
            told: list[Judged] = []
            for item in items:
                f[slot] = item
                if first and kept:
                    if quiet(f) is True:
                        kept.append(item)
                    del steps[mark:]
                    continue
                observer.seen = {}
                if condition(f) is True:
                    del steps[mark:]
                    told.append(Judged(Shown(item, kind), True, (), ()))
                    kept.append(item)
                    continue
                inside = taken(steps, mark)
                told.append(Judged(Shown(item, kind), False, reasons(observer.seen), inside))
            observer.seen = outer
            steps.append(Filtered(tuple(told), calls, cell))
            return kept

        return judged

    def _select(self, node: p.Select) -> Closure:
        """Of items nothing is told, but how an index is worked out."""
        of, select = self.closure(node.of), self.select(node)

        def run(f: Frame) -> Value:
            value = of(f)
            steps = f[0].observer.steps
            mark = len(steps)
            kept, by_index = select(value, f)
            if not by_index:
                del steps[mark:]
            return kept

        return run

    def _for(self, node: p.For) -> Closure:
        written = node.source
        assert isinstance(written, model.For)
        if self.planner.index.calls_for_each(written):
            return self._told_loop(node, written)
        return _dropping(self.quietly.closure(node))

    def _told_loop(self, node: p.For, written: model.For) -> Closure:
        result, counted, partial_slot = self.closure(node.result), self._counted(node), node.partial
        variables = tuple(
            (binding.variable.name, one.slot, binding.variable.type)
            for binding, one in zip(written.bindings, node.bindings, strict=True)
        )
        type_, cell, fail, where = written.result.type, written.result.where.cell, self.fail, node.where

        def told(f: Frame) -> Value:
            results: list[Value] = []
            steps = f[0].observer.steps
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
                    items = tuple([(name, Shown(f[slot], kind)) for name, slot, kind in variables])
                    steps.append(Reckoned("", items, Shown(value, type_), cell, (), (), taken(steps, start)))
                    if len(results) > MOST_TOLD:
                        del steps[mark:]
            except FeelError as error:
                return fail(error, where, f)
            return results

        return told

    def _quantified(self, node: p.Quantified) -> Closure:
        """Of items nothing is told, but why one of `every` failed; without items the list's own steps are."""
        noted = not node.some and self._is_noted(node)
        settled = self._settled(node, (self if noted else self.quietly).closure(node.condition))

        def run(f: Frame) -> Value:
            steps = f[0].observer.steps
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
        rows = tuple(self._told_row(decision, choose, row) for row in choose.rows)
        empty, finish, stops = self._empty(choose), self._fold(choose), choose.fold.stops
        given = _given(decision.parameters, function.parameters)
        heading, policy, type_ = decision.heading, decision.policy, decision.type
        otherwise = decision.otherwise.cell if decision.otherwise else None
        key = None if decision.parameters else heading.name

        def decide(f: Frame) -> Value:
            for slot in unread:
                f[slot] = UNREAD
            observer = f[0].observer
            steps = observer.steps
            mark = len(steps)
            tried: list[Tried] = []
            hits: Hits = []
            for one in rows:
                start = len(steps)
                outcome = _tried(one, f, hits)
                inside = taken(steps, start) if len(steps) > start else ()
                rule = one.row.source
                assert rule is not None
                tried.append(Tried(rule.number, rule.where, rule.words, one.conditions, outcome, inside))
                if stops and hits:
                    break
            value = finish(hits, f) if hits else empty(f)
            said, shown = given(f), Shown(value, type_)
            nothing = None if hits else otherwise
            step = Decided(heading, policy, said, tuple(tried), nothing, shown, taken(steps, mark))
            steps.append(step)
            if key is not None:
                observer.known[key] = step
            return value

        return decide

    def _told_row(self, decision: Decision, choose: p.Choose, row: p.Row) -> _Row:
        rule = row.source
        assert rule is not None
        pairs = zip(decision.subjects, rule.conditions, strict=True)
        conditions = tuple(
            (subject.name if subject.value is not None else "", condition.tests)
            for subject, condition in pairs
            if condition.tests
        )
        outcomes = tuple(
            (self.closure(one.value), one.taken, one.source.cell) for one in row.outcomes if one.source
        )
        fired = Fired(rule.outcomes[0].cell, rule.outcomes[0].written)
        return _Row(
            row, tuple(self._told_cell(choose, cell) for cell in row.cells), outcomes, conditions, fired
        )

    def _told_cell(self, choose: p.Choose, cell: p.Cell) -> _Cell:
        column, condition = choose.columns[cell.column], cell.source
        assert condition is not None
        subject = column.source
        assert subject is not None
        conditions = whole(condition)
        for one in conditions:
            self.planner.look_at(one)
        type_ = None if subject.value is None else subject.value.type
        passes = self.closure(cell.condition)
        return _Cell(
            self._column(column), passes, subject.name, type_, condition, tuple(map(why, conditions))
        )

    def _column(self, column: p.Column) -> Closure:
        slot = column.slot
        if column.value is None:
            return lambda f: f[slot]
        value = self.closure(column.value)

        def read(f: Frame) -> Value:
            if f[slot] is UNREAD:
                f[slot] = value(f)
            return f[slot]

        return read

    def _look_up(self, function: p.Function, choose: p.Choose) -> Closure:
        rows = tuple(
            (
                row.where,
                tuple(self.closure(cell.condition) for cell in row.cells),
                self.closure(row.outcomes[0].value),
            )
            for row in choose.rows
        )
        table, empty = function.source, self._empty(choose)
        heading, type_, given = table.heading, table.type, _given(table.parameters, function.parameters)

        def run(f: Frame) -> Value:
            for cell, tests, outcome in rows:
                for test in tests:
                    if test(f) is not True:
                        break
                else:
                    steps = f[0].observer.steps
                    mark = len(steps)
                    value = outcome(f)
                    del steps[mark:]
                    steps.append(LookedUp(heading, given(f), cell, Shown(value, type_)))
                    return value
            return empty(f)

        return run

    # -- scales --------------------------------------------------------------------------------

    def _scale(self, function: p.Function, narrow: p.Narrow) -> Closure:
        scale = function.source
        assert isinstance(scale, Scale)
        where, table = Location(scale.criteria[-1].cell), self.table
        narrowed = self._told_criteria(narrow.criteria, narrow.others, narrow.item, scale.heading.name)
        given, item = _given(scale.parameters[1:], function.parameters[1:]), scale.item.type
        slot, level, type_, heading = narrow.candidates, narrow.level, scale.type, scale.heading

        def run(f: Frame) -> Value:
            steps = f[0].observer.steps
            mark = len(steps)
            candidates = f[slot]
            told: list[Narrowed] = []
            aside: list[Told] = []
            left = narrowed(f, candidates, list(range(len(candidates))), frozenset(), told, aside)
            best = [candidates[position] for position in left]
            if len(best) > 1 and not level:
                raise RuleError(failures.undecided(best), where, table)
            value: Value = best if level else best[0] if best else None
            deciding = [row for row in told if len(row.left) == 1 and row.dropped]
            step = Chosen(
                heading,
                given(f),
                tuple([Shown(candidate, item) for candidate in candidates]),
                tuple(told),
                tuple(left),
                deciding[-1] if deciding and len(left) == 1 else None,
                Shown(value, type_),
                (*aside, *taken(steps, mark)),
            )
            steps.append(step)
            return value

        return run

    def ranking(self, function: p.Function) -> Closure:
        scale, narrow = function.source, function.body
        assert isinstance(scale, Scale)
        assert isinstance(narrow, p.Narrow)
        narrowed = self._told_criteria(narrow.criteria, narrow.others, narrow.item, scale.heading.name)
        type_, slot, heading = ListType(ListType(scale.item.type)), narrow.candidates, scale.heading

        def run(f: Frame) -> Value:
            steps = f[0].observer.steps
            mark = len(steps)
            candidates = f[slot]
            told: list[Narrowed] = []
            tiers: list[Value] = []
            rest = list(range(len(candidates)))
            while rest:
                best = narrowed(f, candidates, rest, frozenset(), told, [])
                tiers.append([candidates[position] for position in best])
                rest = [position for position in rest if position not in best]
            del steps[mark:]
            steps.append(Ranked(heading, Shown(tiers, type_), tuple(told)))
            return tiers

        return run

    def _told_criteria(
        self, criteria: tuple[p.Criterion, ...], others: Others, item: p.Slot, name: str
    ) -> ToldNarrowing:
        rows = tuple(
            (
                None if one.applies is None else self.closure(one.applies),
                isinstance(one.standing, p.Group),
                self._told_criterion(one, others, item, name),
            )
            for one in criteria
        )

        def narrowed(
            f: Frame,
            candidates: list[Value],
            left: list[int],
            worst: frozenset[int],
            told: list[Narrowed],
            aside: list[Told],
        ) -> list[int]:
            steps = f[0].observer.steps
            for applies, group, after in rows:
                if len(left) <= 1:
                    break
                mark = len(steps)
                if after is None and (applies is None or applies(f) is True):
                    break
                if (applies is not None and applies(f) is not True) or after is None:
                    aside.extend(taken(steps, mark))
                    continue
                before = len(told)
                left = after(f, candidates, left, worst, told, aside)
                if not group and len(told) > before:
                    told[-1] = replace(told[-1], inside=taken(steps, mark))
            return left

        return narrowed

    def _told_criterion(
        self, criterion: p.Criterion, others: Others, item: p.Slot, name: str
    ) -> ToldNarrowing | None:
        standing = criterion.standing
        if standing is None:
            return None
        concerns = self.quietly.closures(criterion.concerns)
        best = (
            self._told_best(standing, criterion, item, name)
            if isinstance(standing, p.By)
            else self._told_group(standing, item)
        )

        def after(
            f: Frame,
            candidates: list[Value],
            left: list[int],
            worst: frozenset[int],
            told: list[Narrowed],
            aside: list[Told],
        ) -> list[int]:
            steps = f[0].observer.steps
            mark = len(steps)
            concerned = []
            for position in left:
                if position in worst:
                    continue
                f[item] = candidates[position]
                for concern in concerns:
                    if concern(f) is not True:
                        break
                else:
                    concerned.append(position)
            del steps[mark:]
            apart = frozenset(q for q in left if q not in worst and q not in concerned)
            if not concerned or (apart and others is Others.SKIP):
                return left
            if apart and others is Others.LAST:
                worst = worst | apart
            staying = apart if others is Others.STAY else frozenset()
            compared_ones = [q for q in left if q not in staying]
            kept = best(f, candidates, compared_ones, worst, told, aside)
            return [q for q in left if q in kept or q in staying]

        return after

    def _told_group(self, group: p.Group, item: p.Slot) -> ToldNarrowing:
        lets = tuple((slot, self.closure(value)) for slot, value in group.lets)
        inner = self._told_criteria(group.criteria, group.others, item, group.scale)

        def best(
            f: Frame,
            candidates: list[Value],
            left: list[int],
            worst: frozenset[int],
            told: list[Narrowed],
            aside: list[Told],
        ) -> list[int]:
            for slot, value in lets:
                f[slot] = value(f)
            return inner(f, candidates, left, worst, told, aside)

        return best

    def _told_best(self, by: p.By, criterion: p.Criterion, item: p.Slot, name: str) -> ToldNarrowing:
        value = None if by.by is None else self.quietly.closure(by.by)
        order = None if by.order is None else self.closure(by.order)
        prefer, source = by.prefer, criterion.source
        type_ = None if source.by is None else source.by.type

        def best(
            f: Frame,
            candidates: list[Value],
            left: list[int],
            worst: frozenset[int],
            told: list[Narrowed],
            aside: list[Told],
        ) -> list[int]:
            del aside
            listed = None if order is None else order(f)
            steps = f[0].observer.steps
            mark = len(steps)
            standings, seen = {}, {}
            for position in left:
                if position in worst:
                    standings[position] = WORST
                    continue
                f[item] = candidates[position]
                seen[position] = found = None if value is None else value(f)
                standings[position] = standing_of(prefer, found, listed, position)
            del steps[mark:]
            top = min(standings.values(), key=cmp_to_key(compared))
            kept = [q for q in left if compared(standings[q], top) == 0]
            shown = () if type_ is None else tuple([(q, Shown(one, type_)) for q, one in seen.items()])
            dropped = tuple([q for q in left if q not in kept])
            told.append(Narrowed(name, source, shown, tuple(kept), dropped, ()))
            return kept

        return best


def _tried(one: _Row, f: Frame, hits: Hits) -> Failed | NothingToTake | Fired:
    """What became of a row; one that fires is added to the hits."""
    for read, passes, column, type_, condition, reasons in one.cells:
        seen = read(f)
        if not reasons:
            found = NO_REASONS
            if passes(f) is True:
                continue
        else:
            observer = f[0].observer
            outer, observer.seen = observer.seen, {}
            passed = passes(f)
            parts, observer.seen = observer.seen, outer
            if passed is True:
                continue
            found = tuple([reason for why_one in reasons for reason in why_one(parts)])
        shown = None if type_ is None else Shown(seen, type_)
        return Failed(column, shown, condition.written, condition.tests, found, condition.cell)
    values = []
    for work, takes, cell in one.outcomes:
        value = work(f)
        if takes and value is None:
            return NothingToTake(cell)
        values.append(value)
    hits.append((one.row, values))
    return one.fired


def _given(parameters: tuple[Parameter, ...], slots: tuple[p.Slot, ...]) -> Callable[[Frame], Arguments]:
    """What a table or step was called with."""
    if not parameters:
        return lambda _f: ()
    known = tuple((one.name, slot, one.type) for one, slot in zip(parameters, slots, strict=True))
    if len(known) == 1:
        ((name, slot, kind),) = known
        return lambda f: ((name, Shown(f[slot], kind)),)
    return lambda f: tuple([(name, Shown(f[slot], kind)) for name, slot, kind in known])


def _again(slot: p.Slot, number: int) -> Closure:
    """A step or draw is read."""

    def read(f: Frame) -> Value:
        value = f[slot]
        if type(value) is Lazy:
            value = value.value()
        observer = f[0].observer
        known = observer.known.get(number)
        if known is not None:
            observer.steps.append(known)
        return value

    return read


def _dropping(run: Closure) -> Closure:
    """Nothing of what happens inside is told."""

    def dropping(f: Frame) -> Value:
        steps = f[0].observer.steps
        mark = len(steps)
        value = run(f)
        del steps[mark:]
        return value

    return dropping
