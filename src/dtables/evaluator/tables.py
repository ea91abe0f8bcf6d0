"""Calling a table: its parameters are bound, its kind says how the value comes about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dtables import failures
from dtables.evaluator.decisions import decide
from dtables.evaluator.scales import choose, rank
from dtables.evaluator.state import Lazy, LocalFunction, Mode, Scope, Turn
from dtables.evaluator.trace import LookedUp, Reckoned, Shown
from dtables.evaluator.trace import Step as Told
from dtables.feel.types import Type
from dtables.feel.values import FeelError, Value, as_plain, same
from dtables.model.expressions import Expression
from dtables.model.tables import Decision, Dice, Formula, Matrix, Scale, Step, Table
from dtables.provenance import CellRef
from dtables.records.findings import RuleError


def call(name: str, arguments: Sequence[Value], turn: Turn) -> Value:
    """A table without parameters is worked out once a turn."""
    table = turn.index.tables[name]
    if arguments or table.parameters:
        return worked_out(table, arguments, turn)
    if name in turn.memo:
        turn.observer.again(name)
    else:
        turn.memo[name] = worked_out(table, (), turn)
    return turn.memo[name]


def ranking(name: str, arguments: Sequence[Value], turn: Turn) -> Value:
    scale = turn.index.tables[name]
    assert isinstance(scale, Scale)
    return rank(scale, bound(scale, arguments, turn))


def worked_out(table: Table, arguments: Sequence[Value], turn: Turn) -> Value:
    scope = bound(table, arguments, turn)
    try:
        return value_of(table, scope)
    except (FeelError, RuleError) as error:
        if turn.mode is Mode.STANDARD:
            turn.watch.failed(error, table.heading.where)
            return None
        if isinstance(error, FeelError):
            raise RuleError(error.message, table.heading.where, table.heading.name) from None
        raise


def value_of(table: Table, scope: Scope) -> Value:
    match table:
        case Formula():
            return _reckon(table, scope)
        case Decision():
            return decide(table, scope)
        case Scale():
            return choose(table, scope)
        case Matrix():
            return look_up(table, scope)
        case Dice():
            return read_dice(table, scope)
        case _:
            assert_never(table)


def bound(table: Table, arguments: Sequence[Value], turn: Turn) -> Scope:
    scope = turn.scope(table.heading.name)
    for parameter, argument in zip(table.parameters, arguments, strict=True):
        scope = scope.bind(parameter.variable, argument)
    return scope


# -- formulas ----------------------------------------------------------------------------------


def _reckon(formula: Formula, scope: Scope) -> Value:
    inner = scope
    for step in formula.steps:
        inner = with_step(step, inner)
    key = None if formula.parameters else formula.heading.name
    return _told(formula, formula.heading.name, formula.result, formula.type, inner, key)


def with_step(step: Step, scope: Scope) -> Scope:
    """The step is worked out when it is first read; one with parameters at every call."""
    if not step.parameters:
        return scope.bind(step.variable, Lazy(lambda: _step_value(step, scope)))

    def body(arguments: Sequence[Value]) -> Value:
        inner = scope
        for parameter, argument in zip(step.parameters, arguments, strict=True):
            inner = inner.bind(parameter.variable, argument)
        return _step_value(step, inner)

    return scope.bind(step.variable, LocalFunction(body))


def _step_value(step: Step, scope: Scope) -> Value:
    return _told(step, step.variable.name, step.value, step.value.type, scope, step.variable.number)


def _told(
    of: Formula | Step, name: str, value: Expression, type_: Type, scope: Scope, key: str | int | None
) -> Value:
    """What a formula or step comes to; that is a step of the explanation."""
    observer = scope.turn.observer
    mark, watched = observer.open(), observer.watch()
    result = scope.value(value)

    def made(inside: tuple[Told, ...]) -> Reckoned:
        given, why = scope.given(of.parameters), observer.why(watched, value)
        return Reckoned(name, given, Shown(result, type_), of.cell, of.words, why, inside)

    observer.close(mark, made, key)
    return result


# -- matrices and dice -------------------------------------------------------------------------


def look_up(matrix: Matrix, scope: Scope) -> Value:
    keys = [scope.read(parameter.variable) for parameter in matrix.parameters]
    for entry in matrix.entries:
        if all(same(key, scope.value(wanted)) for key, wanted in zip(keys, entry.keys, strict=True)):
            return entry_of(matrix, entry.value, entry.cells[0], scope)
    raise no_entry(matrix, keys)


def read_dice(dice: Dice, scope: Scope) -> Value:
    *kinds, total = [scope.read(parameter.variable) for parameter in dice.parameters]
    die = as_plain(kinds[0]) if kinds else dice.dice[0]
    for entry in dice.entries:
        if entry.die == die and entry.low <= total <= entry.high:
            return entry_of(dice, entry.outcome, entry.cell, scope)
    raise no_entry(dice, [*kinds, total])


def entry_of(table: Matrix | Dice, entry: Expression, cell: CellRef, scope: Scope) -> Value:
    observer = scope.turn.observer
    mark = observer.open()
    value = scope.value(entry)
    shown = Shown(value, table.type)
    arguments = scope.given(table.parameters)
    observer.close(mark, lambda _: LookedUp(table.heading, arguments, cell, shown))
    return value


def no_entry(table: Matrix | Dice, keys: Sequence[Value]) -> RuleError:
    return RuleError(failures.no_entry(keys), table.heading.where, table.heading.name)
