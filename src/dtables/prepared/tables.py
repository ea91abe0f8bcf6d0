"""Tables: parameters are bound, a table without any is worked out once a turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import assert_never

from dtables.evaluator import scales
from dtables.evaluator import tables as reference
from dtables.evaluator.state import Lazy, LocalFunction, Scope, Turn
from dtables.feel.values import FeelError, Value
from dtables.model.tables import Decision, Dice, Formula, Matrix, Scale, Step, Subject, Table
from dtables.prepared.expressions import plain_name
from dtables.prepared.preparation import Preparation, TableWork, Work
from dtables.records.findings import RuleError

MOST_ROWS = 2_000
"""A decision with more of them is read by the evaluator: making functions takes longer than using them."""


def table_work(table: Table, all_: Preparation) -> TableWork:
    name, where = table.heading.name, table.heading.where
    numbers = tuple(parameter.variable.number for parameter in table.parameters)
    work = _work(table, all_)

    def called(arguments: Sequence[Value], turn: Turn) -> Value:
        try:
            return work(Scope(turn, name, dict(zip(numbers, arguments, strict=True))))
        except FeelError as error:
            raise RuleError(error.message, where, name) from None

    def once(arguments: Sequence[Value], turn: Turn) -> Value:
        if name in turn.memo:
            turn.observer.again(name)
        else:
            turn.memo[name] = called(arguments, turn)
        return turn.memo[name]

    def remembered(arguments: Sequence[Value], turn: Turn) -> Value:
        memo, key = turn.memo, (name, *arguments)
        if key not in memo:
            memo[key] = called(arguments, turn)
        return memo[key]

    if not numbers:
        return once
    look_up = isinstance(table, Matrix | Dice)
    return remembered if all_.watching.remembers(table.parameters) and not look_up else called


def _work(table: Table, all_: Preparation) -> Work:
    match table:
        case Formula():
            return _formula(table, all_)
        case Decision() if len(table.rules) <= MOST_ROWS:
            return _decision(table, all_)
        case Scale():
            return lambda scope: scales.choose(table, scope, InPlace)
        case Decision() | Matrix() | Dice():
            return partial(reference.value_of, table)
        case _:
            assert_never(table)


class InPlace(scales.Reading):
    """Candidates are read one after another under one name."""

    __slots__ = ()

    def at(self, position: int) -> Scope:
        self.scope.names[self.scale.item.number] = self.candidates[position]
        return self.scope


def ranking(name: str, arguments: Sequence[Value], turn: Turn) -> Value:
    scale = turn.index.tables[name]
    assert isinstance(scale, Scale)
    return scales.rank(scale, reference.bound(scale, arguments, turn), InPlace)


# -- formulas ----------------------------------------------------------------------------------


def _formula(formula: Formula, all_: Preparation) -> Work:
    all_.kept.update(step.variable.number for step in formula.steps if not step.parameters)
    steps = tuple((step.variable.number, step_work(step, all_)) for step in formula.steps)
    result = all_.watching.formula(formula)
    if not steps:
        return result

    def worked_out(scope: Scope) -> Value:
        for number, step in steps:
            scope.names[number] = step(scope)
        return result(scope)

    return worked_out


def step_work(step: Step, all_: Preparation) -> Work:
    """What stands under its name until it is read, or called."""
    work = all_.watching.step(step)
    if not step.parameters:
        return lambda scope: Lazy(partial(work, scope))
    numbers = tuple(parameter.variable.number for parameter in step.parameters)

    def body(scope: Scope, arguments: Sequence[Value]) -> Value:
        scope.names.update(zip(numbers, arguments, strict=True))
        return work(scope)

    return lambda scope: LocalFunction(partial(body, scope))


# -- decisions ---------------------------------------------------------------------------------


def _decision(decision: Decision, all_: Preparation) -> Work:
    subjects = tuple((subject.variable.number, _subject(subject, all_)) for subject in decision.subjects)
    decide = all_.watching.decision(decision)

    def decided(scope: Scope) -> Value:
        for number, subject in subjects:
            scope.names[number] = subject(scope)
        return decide(scope)

    return decided


def _subject(subject: Subject, all_: Preparation) -> Work:
    """What stands under its name until the first cell asks for it; what it is called with, is known."""
    if subject.value is None:
        return lambda _scope: None
    parameter = plain_name(subject.value, all_)
    if parameter is not None:
        return lambda scope: scope.names[parameter]
    all_.lazy.add(subject.variable.number)
    work = all_.work(subject.value)
    return lambda scope: Lazy(partial(work, scope))
