"""Every step as the evaluator tells it, with its reasons where there can be any."""

from __future__ import annotations

from dtables.evaluator import expressions as reference
from dtables.evaluator.observer import taken
from dtables.evaluator.state import DataRow, Holder, Scope, Turn
from dtables.evaluator.trace import Computed, Reckoned, Shown
from dtables.feel.types import Type
from dtables.feel.values import Value
from dtables.model.expressions import Expression, Filter, For, Switch
from dtables.model.tables import Decision, Field, Formula, Record, Step
from dtables.prepared.expressions import value_at
from dtables.prepared.parts import NO_REASONS, bears_reasons, parts_looked_at, why
from dtables.prepared.preparation import FieldWork, Preparation, Watching, Work
from dtables.prepared.telling_decisions import arguments, told_decision
from dtables.prepared.telling_loops import told_filter, told_loop


class EveryStep(Watching):
    """`parts` are the expressions whose values reasons may want, by their identity."""

    def __init__(self, all_: Preparation) -> None:
        super().__init__(all_)
        self.parts: set[int] = set()

    def look_at(self, condition: Expression) -> None:
        if bears_reasons(condition):
            self.parts.update(map(id, parts_looked_at(condition)))

    def looks_at(self, node: Expression) -> bool:
        return id(node) in self.parts

    def part(self, node: Expression, work: Work) -> Work:
        if id(node) not in self.parts:
            return work

        key = id(node)

        def seen(scope: Scope) -> Value:
            value = work(scope)
            scope.turn.observer.seen[key] = value
            return value

        return seen

    def formula(self, formula: Formula) -> Work:
        name = formula.heading.name
        key = None if formula.parameters else name
        return self._reckoned(formula, name, formula.result, formula.type, key)

    def step(self, step: Step) -> Work:
        return self._reckoned(step, step.variable.name, step.value, step.value.type, step.variable.number)

    def _reckoned(
        self, of: Formula | Step, name: str, value: Expression, type_: Type, key: str | int | None
    ) -> Work:
        """`key` names a value that is read again without being worked out again."""
        self.look_at(value)
        work, given, cell, words = self.all.work(value), arguments(of.parameters), of.cell, of.words
        reasons = why(value) if bears_reasons(value) else None

        def told(scope: Scope) -> Value:
            observer = scope.turn.observer
            steps = observer.steps
            mark = len(steps)
            outer, observer.seen = observer.seen, {}
            result = work(scope)
            seen, observer.seen = observer.seen, outer
            found = NO_REASONS if reasons is None else reasons(seen)
            inside = taken(steps, mark)
            step = Reckoned(name, given(scope), Shown(result, type_), cell, words, found, inside)
            steps.append(step)
            if key is not None:
                observer.known[key] = step
            return result

        return told

    def again(self, number: int) -> Work:
        def read(scope: Scope) -> Value:
            value = value_at(scope.names, number)
            observer = scope.turn.observer
            step = observer.known.get(number)
            if step is not None:
                observer.steps.append(step)
            return value

        return read

    def field(self, record: Record, field: Field) -> FieldWork:
        name, number, condition, cell = field.name, record.this.number, field.computed, field.where
        assert condition is not None
        constant = (record.name, name) not in self.all.index.changing_fields
        reasons = why(condition) if bears_reasons(condition) else None
        of, type_, value_of = record.this.type, field.type, self.all.value

        def worked_out(turn: Turn, holder: Holder) -> Value:
            if constant and type(holder) is DataRow:
                return turn.field_of(holder, name)
            key, observer = (holder, name), turn.observer
            steps = observer.steps
            if key in turn.memo:
                observer.again(key)
                return turn.memo[key]
            mark = len(steps)
            outer, observer.seen = observer.seen, {}
            value = value_of(condition, Scope(turn, record.name, {number: holder}))
            seen, observer.seen = observer.seen, outer
            found = NO_REASONS if reasons is None else reasons(seen)
            inside = taken(steps, mark)
            step = Computed(name, Shown(holder, of), Shown(value, type_), cell, found, inside)
            steps.append(step)
            observer.known[key] = step
            turn.memo[key] = value
            return value

        return worked_out

    def switch(self, node: Switch) -> Work:
        return lambda scope: reference.switch(node, scope)

    def filtered(self, node: Filter) -> Work:
        self.look_at(node.condition)
        return told_filter(node, self.all)

    def loop(self, node: For) -> Work:
        return told_loop(node, self.all)

    def decision(self, decision: Decision) -> Work:
        return told_decision(decision, self.all)
