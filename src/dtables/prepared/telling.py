"""Every step as the evaluator tells it, with its reasons where there can be any."""

from __future__ import annotations

from dtables.evaluator import expressions as reference
from dtables.evaluator.state import Holder, Scope, Turn
from dtables.evaluator.tables import arguments_shown
from dtables.evaluator.trace import Reckoned, Shown
from dtables.feel.types import Type
from dtables.feel.values import Value
from dtables.model.expressions import Expression, Filter, For, Switch
from dtables.model.tables import Decision, Field, Formula, Parameter, Record, Step, Words
from dtables.prepared.expressions import value_at
from dtables.prepared.parts import bears_reasons, parts_looked_at
from dtables.prepared.preparation import FieldWork, Preparation, Watching, Work
from dtables.prepared.telling_decisions import told_decision
from dtables.prepared.telling_loops import told_filter, told_loop
from dtables.provenance import CellRef


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

        def seen(scope: Scope) -> Value:
            value = work(scope)
            scope.turn.observer.saw(node, value)
            return value

        return seen

    def formula(self, formula: Formula) -> Work:
        self.look_at(formula.result)
        name = formula.heading.name
        return _reckoned(
            self.all.work(formula.result),
            formula.result,
            name,
            formula.parameters,
            formula.type,
            formula.cell,
            formula.words,
            None if formula.parameters else name,
        )

    def step(self, step: Step) -> Work:
        self.look_at(step.value)
        return _reckoned(
            self.all.work(step.value),
            step.value,
            step.variable.name,
            step.parameters,
            step.value.type,
            step.cell,
            step.words,
            step.variable.number,
        )

    def again(self, number: int) -> Work:
        def read(scope: Scope) -> Value:
            value = value_at(scope.names, number)
            scope.turn.observer.again(number)
            return value

        return read

    def field(self, record: Record, field: Field) -> FieldWork:
        del record
        name = field.name

        def worked_out(turn: Turn, holder: Holder) -> Value:
            key = (holder, name)
            if key not in turn.memo:
                return turn.field_of(holder, name)
            turn.observer.again(key)
            return turn.memo[key]

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


def _reckoned(
    work: Work,
    condition: Expression,
    name: str,
    parameters: tuple[Parameter, ...],
    type_: Type,
    cell: CellRef,
    words: Words,
    key: str | int | None,
) -> Work:
    """A formula, or a step of one. Nobody asks why where there can be no reason."""
    if bears_reasons(condition):

        def with_reasons(scope: Scope) -> Value:
            observer = scope.turn.observer
            mark, watched = observer.open(), observer.watch()
            value = work(scope)
            why = observer.why(watched, condition)
            given = arguments_shown(parameters, scope)
            shown = Shown(value, type_)
            observer.close(mark, lambda inside: Reckoned(name, given, shown, cell, words, why, inside), key)
            return value

        return with_reasons

    def plainly(scope: Scope) -> Value:
        observer = scope.turn.observer
        mark = observer.open()
        value = work(scope)
        given = arguments_shown(parameters, scope)
        shown = Shown(value, type_)
        observer.close(mark, lambda inside: Reckoned(name, given, shown, cell, words, (), inside), key)
        return value

    return plainly
