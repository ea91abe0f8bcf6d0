"""Calls of tables: a column where the arguments are the same for the whole turn, else worked out in place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import assert_never

from dtables.compilers.sql.decisions import decided
from dtables.compilers.sql.lookups import looked_up, rolled
from dtables.compilers.sql.plan import Frames, Lazy, LocalFunction, Scope
from dtables.compilers.sql.scales import chosen, ranking
from dtables.compilers.sql.terms import Term, also
from dtables.model.tables import Decision, Dice, Formula, Matrix, Scale, Step, Table


def call(name: str, arguments: Sequence[Term], scope: Scope) -> Term:
    """What is wrong with an argument comes before anything of the table."""
    table = scope.plan.index.tables[name]
    return _called(table, name, partial(_worked_out, table), arguments, scope)


def rank(name: str, arguments: Sequence[Term], scope: Scope) -> Term:
    """A scale's tiers."""
    scale = scope.plan.index.tables[name]
    assert isinstance(scale, Scale)
    return _called(scale, f"{name} ranking", partial(ranking, scale), arguments, scope)


def _called(
    table: Table, hint: str, work: Callable[[Scope], Term], arguments: Sequence[Term], scope: Scope
) -> Term:
    parameters = table.parameters
    values = [
        scope.held(parameter.name, replace(argument, problem=None))
        for parameter, argument in zip(parameters, arguments, strict=True)
    ]

    def worked_out(outside: Scope) -> Term:
        for parameter, value in zip(parameters, values, strict=True):
            outside = outside.bind(parameter.variable, value)
        return work(outside)

    key = ("call", hint, tuple((value.value, value.may_be_null) for value in values))
    result = scope.once(key, [value.value for value in values], hint, worked_out)
    return also(result, *(argument.problem for argument in arguments))


def _worked_out(table: Table, scope: Scope) -> Term:
    match table:
        case Formula():
            return _reckoned(table, scope)
        case Decision():
            return decided(table, scope)
        case Scale():
            return chosen(table, scope)
        case Matrix():
            return looked_up(table, scope)
        case Dice():
            return rolled(table, scope)
        case _:
            assert_never(table)


def _reckoned(formula: Formula, scope: Scope) -> Term:
    for step in formula.steps:
        scope = with_step(step, scope)
    return scope.wide(formula.result)


def with_step(step: Step, scope: Scope) -> Scope:
    """A step is worked out where something reads it, one with parameters at every call."""
    if step.parameters:
        return scope.bind(step.variable, LocalFunction(partial(_called_step, step, scope)))
    return scope.bind(step.variable, Lazy(step.variable.name, scope, partial(scope.wide, step.value)))


def _called_step(step: Step, scope: Scope, arguments: Sequence[Term], frames: Frames) -> Term:
    inner = replace(scope, frames=frames)
    for parameter, value in zip(step.parameters, arguments, strict=True):
        inner = inner.bind(parameter.variable, inner.held(parameter.name, replace(value, problem=None)))
    result = inner.held(step.variable.name, inner.wide(step.value))
    return also(result, *(argument.problem for argument in arguments))
