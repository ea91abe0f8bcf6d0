"""Values, and the cells of the rows that decide: no steps, no reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dtables.evaluator.deciding import Deciding
from dtables.evaluator.decisions import Hit, resolved
from dtables.evaluator.state import DataRow, Holder, Scope, Turn
from dtables.feel.types import BooleanType, NumberType, RecordType, TextType, Type, VocabularyType, plain
from dtables.feel.values import Value
from dtables.model.expressions import Filter, For, Switch
from dtables.model.tables import Decision, Field, Formula, OutcomeKind, Parameter, Policy, Record, Step
from dtables.prepared.conditions import passing
from dtables.prepared.expressions import switch_value, value_at
from dtables.prepared.loops import filtered, looped
from dtables.prepared.preparation import FieldWork, Preparation, Watching, Work

Row = tuple[Callable[[Scope], bool], Callable[[Scope], Hit | None]]


class CellsThatDecide(Watching):
    def remembers(self, parameters: Sequence[Parameter]) -> bool:
        """Asked the same again it is decided by the same rows; what Python cannot tell apart is worked out
        again."""
        return all(_is_key(parameter.type) for parameter in parameters)

    def formula(self, formula: Formula) -> Work:
        return self.all.work(formula.result)

    def step(self, step: Step) -> Work:
        return self.all.work(step.value)

    def again(self, number: int) -> Work:
        return lambda scope: value_at(scope.names, number)

    def field(self, record: Record, field: Field) -> FieldWork:
        name, number, computed = field.name, record.this.number, field.computed
        assert computed is not None
        constant = (record.name, name) not in self.all.index.changing_fields

        def worked_out(turn: Turn, holder: Holder) -> Value:
            if constant and type(holder) is DataRow:
                return turn.field_of(holder, name)
            memo, key = turn.memo, (holder, name)
            if key not in memo:
                memo[key] = self.all.value(computed, Scope(turn, record.name, {number: holder}))
            return memo[key]

        return worked_out

    def switch(self, node: Switch) -> Work:
        return lambda scope: switch_value(node, scope)

    def filtered(self, node: Filter) -> Work:
        return filtered(node, self.all)

    def loop(self, node: For) -> Work:
        return looped(node, self.all)

    def decision(self, decision: Decision) -> Work:
        rows = tuple(_row(decision, number, self.all) for number in range(len(decision.rules)))
        first = decision.policy is Policy.FIRST

        def decide(scope: Scope) -> Value:
            hits = []
            for fits, hit in rows:
                found = hit(scope) if fits(scope) else None
                if found is not None:
                    hits.append(found)
                    if first:
                        break
            value = resolved(decision, hits, scope)
            _note(decision, hits, scope)
            return value

        return decide


def _is_key(type_: Type) -> bool:
    return isinstance(plain(type_), (VocabularyType, RecordType, BooleanType, NumberType, TextType))


def _note(decision: Decision, hits: list[Hit], scope: Scope) -> None:
    observer = scope.turn.observer
    assert isinstance(observer, Deciding)
    for hit in hits:
        observer.cells.add(hit.rule.outcomes[0].cell)
    if not hits and decision.otherwise is not None:
        observer.cells.add(decision.otherwise.cell)


def _row(decision: Decision, number: int, all_: Preparation) -> Row:
    rule = decision.rules[number]
    tests = tuple(
        (subject.variable.number, passing(cell.tests, subject.variable.type, all_))
        for subject, cell in zip(decision.subjects, rule.conditions, strict=True)
        if cell.tests
    )
    outcomes = tuple(
        (column.kind is OutcomeKind.TAKE, all_.work(outcome.value))
        for column, outcome in zip(decision.outcomes, rule.outcomes, strict=True)
    )

    def fits(scope: Scope) -> bool:
        names, failed = scope.names, False
        for subject, passes in tests:
            failed = passes(value_at(names, subject), scope) is not True
            if failed:
                break
        return not failed

    def hit(scope: Scope) -> Hit | None:
        values = []
        for takes, outcome in outcomes:
            values.append(value := outcome(scope))
            if takes and value is None:
                return None
        return Hit(rule, tuple(values))

    return fits, hit
