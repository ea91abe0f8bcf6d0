"""Calling a table: its parameters are bound, its kind says how the value comes about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dtables import failures
from dtables.feel.values import FeelError, Value, as_plain, same
from dtables.model.tables import Decision, Dice, Formula, Matrix, Scale, Step, Table
from tests.oracle.attempts import attempt
from tests.oracle.decisions import decide
from tests.oracle.failing import Failed
from tests.oracle.scales import choose, rank
from tests.oracle.values import Lazy, LocalFunction, Mode, Scope, Turn


def call(name: str, arguments: Sequence[Value], turn: Turn) -> Value:
    """A table without parameters is worked out once a turn."""
    table = turn.index.tables[name]
    if arguments or table.parameters:
        return _worked_out(table, arguments, turn)
    if name not in turn.memo:
        turn.memo[name] = _worked_out(table, (), turn)
    return turn.memo[name]


def ranking(name: str, arguments: Sequence[Value], turn: Turn) -> Value:
    scale = turn.index.tables[name]
    assert isinstance(scale, Scale)
    return rank(scale, _bound(scale, arguments, turn))


def _worked_out(table: Table, arguments: Sequence[Value], turn: Turn) -> Value:
    scope = _bound(table, arguments, turn)
    try:
        return _value_of(table, scope)
    except (FeelError, Failed) as error:
        if turn.mode is Mode.STANDARD:
            return None
        if isinstance(error, FeelError):
            raise Failed(error.message, table.heading.where, table.heading.name) from None
        raise


def _value_of(table: Table, scope: Scope) -> Value:
    match table:
        case Formula(steps=steps, result=result):
            inner = scope
            for step in steps:
                inner = with_step(step, inner)
            return inner.value(result)
        case Decision() if turn := scope.turn.index.turns.get(table.heading.name):
            return attempt(turn, table, scope)
        case Decision():
            return decide(table, scope)
        case Scale():
            return choose(table, scope)
        case Matrix():
            return _look_up(table, scope)
        case Dice():
            return _read_dice(table, scope)
        case _:
            assert_never(table)


def _bound(table: Table, arguments: Sequence[Value], turn: Turn) -> Scope:
    scope = turn.scope(table.heading.name)
    for parameter, argument in zip(table.parameters, arguments, strict=True):
        scope = scope.bind(parameter.variable, argument)
    return scope


def with_step(step: Step, scope: Scope) -> Scope:
    """The step is worked out when it is first read; one with parameters at every call."""
    if not step.parameters:
        return scope.bind(step.variable, Lazy(lambda: scope.value(step.value)))

    def body(arguments: Sequence[Value]) -> Value:
        inner = scope
        for parameter, argument in zip(step.parameters, arguments, strict=True):
            inner = inner.bind(parameter.variable, argument)
        return inner.value(step.value)

    return scope.bind(step.variable, LocalFunction(body))


# -- matrices and dice -------------------------------------------------------------------------


def _look_up(matrix: Matrix, scope: Scope) -> Value:
    keys = [scope.read(parameter.variable) for parameter in matrix.parameters]
    for entry in matrix.entries:
        if all(same(key, scope.value(wanted)) for key, wanted in zip(keys, entry.keys, strict=True)):
            return scope.value(entry.value)
    raise _no_entry(matrix, keys)


def _read_dice(dice: Dice, scope: Scope) -> Value:
    *kinds, total = [scope.read(parameter.variable) for parameter in dice.parameters]
    die = as_plain(kinds[0]) if kinds else dice.dice[0]
    for entry in dice.entries:
        if entry.die == die and entry.low <= total <= entry.high:
            return scope.value(entry.outcome)
    raise _no_entry(dice, [*kinds, total])


def _no_entry(table: Matrix | Dice, keys: Sequence[Value]) -> Failed:
    return Failed(failures.no_entry(keys), table.heading.where, table.heading.name)
