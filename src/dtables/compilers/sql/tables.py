"""Calls of tables: a column where the arguments are the same for the whole turn, else worked out in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import assert_never

from dtables.compilers.sql.decisions import decided
from dtables.compilers.sql.lookups import looked_up, rolled
from dtables.compilers.sql.plan import Lazy, LocalFunction, Plan, Scope, is_closed
from dtables.compilers.sql.scales import chosen, ranking
from dtables.compilers.sql.terms import Term, also
from dtables.feel.types import ListType
from dtables.model.tables import Decision, Dice, Formula, Matrix, Parameter, Scale, Step, Table


def call(name: str, arguments: Sequence[Term], scope: Scope) -> Term:
    """What is wrong with an argument comes before anything of the table."""
    plan, table = scope.plan, scope.plan.tables[name]
    values = [replace(argument, problem=None) for argument in arguments]
    if all(map(is_closed, values)):
        made = _column(table, values, plan)
    else:
        made = with_arguments(table.parameters, values, scope, partial(_worked_out, table))
    return also(made, *(argument.problem for argument in arguments))


def _column(table: Table, values: list[Term], plan: Plan) -> Term:
    name = table.heading.name
    named = [plan.named(p.name, value) for p, value in zip(table.parameters, values, strict=True)]
    key = ("call", name, tuple((term.value, term.may_be_null) for term in named))
    if key not in plan.calls:
        scope = Scope(plan, {}, table=name)
        for parameter, term in zip(table.parameters, named, strict=True):
            scope = scope.bind(parameter.variable, term)
        plan.calls[key] = plan.named(name, _worked_out(table, scope))
    return plan.calls[key]


def with_arguments(
    parameters: Sequence[Parameter], values: Sequence[Term], scope: Scope, body: partial[Term]
) -> Term:
    """The body with its parameters bound, each worked out once."""
    inner = Scope(scope.plan, {}, depth=scope.depth)
    lazies = []
    for parameter, value in zip(parameters, values, strict=True):
        lazy = Lazy(parameter.name, scope.plan, partial(_itself, value))
        lazies.append(lazy)
        inner = inner.bind(parameter.variable, lazy)
    made = body(inner)
    for lazy in reversed(lazies):
        made = lazy.around(made)
    return made


def _itself(term: Term) -> Term:
    return term


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
    inner, steps = with_steps(formula.steps, scope)
    made = inner.term(formula.result)
    for step in reversed(steps):
        made = step.around(made)
    return made


def with_steps(steps: Sequence[Step], scope: Scope) -> tuple[Scope, list[Lazy]]:
    """A step is worked out where something reads it, one with parameters at every call."""
    lazies: list[Lazy] = []
    for step in steps:
        if step.parameters:
            body = partial(called_step, step, scope)
            scope = scope.bind(step.variable, LocalFunction(body))
        else:
            lazy = Lazy(step.variable.name, scope.plan, partial(scope.term, step.value))
            lazies.append(lazy)
            scope = scope.bind(step.variable, lazy)
    return scope, lazies


def called_step(step: Step, scope: Scope, arguments: Sequence[Term], depth: int) -> Term:
    inner = replace(scope, depth=depth)
    lazies = []
    for parameter, value in zip(step.parameters, arguments, strict=True):
        lazy = Lazy(parameter.name, scope.plan, partial(replace, value, problem=None))
        lazies.append(lazy)
        inner = inner.bind(parameter.variable, lazy)
    made = inner.term(step.value)
    for lazy in reversed(lazies):
        made = lazy.around(made)
    return also(made, *(argument.problem for argument in arguments))


def rank(name: str, arguments: Sequence[Term], scope: Scope) -> Term:
    """A scale's tiers."""
    scale = scope.plan.tables[name]
    assert isinstance(scale, Scale)
    values = [replace(argument, problem=None) for argument in arguments]
    made = with_arguments(scale.parameters, values, scope, partial(_ranked, scale))
    return also(made, *(argument.problem for argument in arguments))


def _ranked(scale: Scale, scope: Scope) -> Term:
    tiers = ranking(scale, scope)
    if tiers is None:
        what = "the ranking by a scale whose rows depend on who is left"
        return scope.plan.cannot(what, scale.heading.where, ListType(ListType(scale.item.type)))
    return tiers
