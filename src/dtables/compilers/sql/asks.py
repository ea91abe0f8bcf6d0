"""Asks: their answer rows as columns. What is needed is the reading's business; what chance decides cannot
be said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from dtables.compilers.sql.expressions import record_of
from dtables.compilers.sql.plan import Scope
from dtables.compilers.sql.tables import with_step
from dtables.compilers.sql.terms import (
    NULL,
    Term,
    Tree,
    also,
    any_of,
    case,
    certainly,
    first_problem,
    negated,
    problem_if,
)
from dtables.feel.types import ContextType, Type
from dtables.model.expressions import MakeContext
from dtables.model.tables import AnswerField, Ask, Draw, Need, Step, Stop
from dtables.provenance import Location


@dataclass(frozen=True, slots=True)
class Answers:
    """`problem` is what is wrong with anything on the way."""

    fields: tuple[tuple[str, Term], ...]
    problem: Tree | None


def answered(ask: Ask, scope: Scope) -> Answers:
    """In the order of the rows; those below a stop that holds are null."""
    fields: list[tuple[str, Term]] = []
    problems: list[Tree | None] = []
    stopped: Tree | None = None
    for row in ask.rows:
        match row:
            case Need():
                pass
            case Step():
                scope = with_step(row, scope)
            case Draw():
                scope.plan.cannot("what chance decides", Location(row.cell), row.variable.type)
                scope = scope.bind(row.variable, Term(NULL, row.variable.type))
            case Stop(condition=condition):
                term = _unless(stopped, scope.term(condition))
                problems.append(term.problem)
                holds = certainly(term.value)
                stopped = holds if stopped is None else any_of([stopped, holds])
            case AnswerField():
                term = _unless(stopped, scope.term(row.value))
                fields.append((row.name, replace(term, problem=None)))
                problems.append(term.problem)
            case _:
                assert_never(row)
    return Answers(tuple(fields), first_problem(problems))


def _unless(stopped: Tree | None, term: Term) -> Term:
    if stopped is None:
        return term
    going_on = negated(stopped)
    return Term(case([(going_on, term.value)]), term.type, problem_if(going_on, term.problem))


def answer_in_answer(name: str, arguments: Sequence[Term], scope: Scope) -> Term:
    """Another ask's answer, as a record."""
    ask = scope.plan.asks[name]
    inner = Scope(scope.plan, {}, scope.frames)
    for parameter, value in zip(ask.parameters, arguments, strict=True):
        inner = inner.bind(parameter.variable, scope.held(parameter.name, replace(value, problem=None)))
    answers = answered(ask, inner)
    kind: Type = ContextType(tuple((field, term.type) for field, term in answers.fields))
    node = MakeContext((), type=kind, where=ask.heading.where)
    made = also(record_of(answers.fields, node, scope.plan), answers.problem)
    return also(made, *(argument.problem for argument in arguments))
