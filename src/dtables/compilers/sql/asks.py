"""Asks: their answer rows as columns, `any_of` where chance leaves something open, and `next`. What is needed
is the reading's business."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from sqlglot import exp

from dtables.compilers.sql.draws import Way, after_draw, after_stop, unless
from dtables.compilers.sql.exact import plainly
from dtables.compilers.sql.expressions import record_of
from dtables.compilers.sql.lists import count
from dtables.compilers.sql.operations import XConcat, XDistinct, XList
from dtables.compilers.sql.outcomes import Answer, Below, Told
from dtables.compilers.sql.plan import Scope
from dtables.compilers.sql.shapes import TEXT, list_of
from dtables.compilers.sql.terms import (
    Term,
    Tree,
    also,
    any_of,
    case,
    certainly,
    first_problem,
    literal,
    not_null,
    typed,
)
from dtables.feel.types import TEXT as TEXT_TYPE
from dtables.feel.types import ContextType, ListType, Type, optional
from dtables.model.expressions import MakeContext
from dtables.model.tables import AnswerField, Ask, Draw, Need, Next, Step, Stop, WhenOpen
from dtables.provenance import Location

ANY_OF = "any_of"
NEXT = "next"


@dataclass(frozen=True, slots=True)
class Answers:
    """`next` lists the asks that are demanded next, where the ask says so; null: none. `problem` is what is
    wrong with anything on the way."""

    fields: tuple[tuple[str, Term], ...]
    next: Term | None
    problem: Tree | None


def answered(ask: Ask, scope: Scope) -> Answers:
    """In the order of the rows; those below a stop that holds are null. Draws and stops are worked out before
    any answer."""
    way = Way(scope)
    met: list[tuple[AnswerField, Way]] = []
    demands: dict[str, Next] = {}
    problems: list[Tree | None] = []
    for row in ask.rows:
        match row:
            case Need():
                pass
            case Step():
                way = way.after_step(row)
            case Draw():
                way, problem = after_draw(row, way)
                problems.append(problem)
            case Stop(condition=condition):
                way, problem = after_stop(condition, way)
                problems.append(problem)
            case AnswerField():
                met.append((row, way))
            case Next():
                name = f"{NEXT}[{len(demands)}]"
                demands[name] = row
                met.append((_yes_or_no(name, row), way))
            case _:
                assert_never(row)
    every = {one.name: one for one in _answers(met, way)}
    answers = [one for name, one in every.items() if name not in demands]
    problems += [one.value.problem for one in (*answers, *(every[name] for name in demands))]
    fields = [(one.name, replace(one.value, problem=None)) for one in answers]
    following = _next([(row.ask, every[name].value.value) for name, row in demands.items()], scope)
    return Answers((*fields, *_any_of(answers, ask, scope)), following, first_problem(problems))


def _yes_or_no(name: str, row: Next) -> AnswerField:
    """Merged, it is yes where every outcome demands it. No other answer has a name with such a sign."""
    return AnswerField(name, row.when, WhenOpen.MERGED, None, row.where, row.cell, row.words)


def _next(demands: Sequence[tuple[str, Tree]], scope: Scope) -> Term | None:
    """In the order of the rows, each ask once; null where there is none."""
    if not demands:
        return None
    kind = list_of(TEXT)
    nothing = typed(XList(expressions=[]), kind)
    lists = [
        case([(certainly(when), typed(XList(expressions=[literal(ask)]), kind))], nothing)
        for ask, when in demands
    ]
    every = typed(XDistinct(this=typed(XConcat(expressions=lists), kind)), kind)
    held = scope.held_as(NEXT, every, kind)
    something = exp.GT(this=count(held), expression=literal(0))
    return Term(case([(something, held)]), optional(ListType(TEXT_TYPE)))


def _answers(met: Sequence[tuple[AnswerField, Way]], last: Way) -> Iterator[Answer]:
    """What stands above all draws is worked out there, everything else for the outcomes of all of them."""
    below = [Below(row, len(way.stops)) for row, way in met if way.outcomes is not None]
    told = None if last.outcomes is None else Told(last, last.outcomes, below)
    for row, way in met:
        if way.outcomes is None or told is None:
            yield Answer(row.name, unless(way.stopped, way.scope.wide(row.value)))
        elif row.when_open is not WhenOpen.MERGED and way.draws < last.draws:
            what = "an answer above another draw that is not merged"
            yield Answer(row.name, last.base.plan.cannot(what, Location(row.cell), row.value.type))
        else:
            yield told.answer(Below(row, len(way.stops)))


def _any_of(answers: Sequence[Answer], ask: Ask, scope: Scope) -> Iterator[tuple[str, Term]]:
    """A record of the lists; null where nothing is open."""
    listed = [(one.name, one.listed) for one in answers if one.listed is not None]
    if not listed:
        return
    kind = ContextType(tuple((name, term.type) for name, term in listed))
    made = record_of(listed, MakeContext((), type=kind, where=ask.heading.where), scope.plan)
    something = any_of(not_null(term.value) for _, term in listed)
    yield ANY_OF, Term(case([(something, made.value)]), optional(kind))


def answer_in_answer(name: str, arguments: Sequence[Term], scope: Scope) -> Term:
    """Another ask's answer, as a record."""
    ask = scope.plan.asks[name]
    inner = Scope(scope.plan, {}, scope.frames)
    for parameter, value in zip(ask.parameters, arguments, strict=True):
        inner = inner.bind(parameter.variable, scope.held(parameter.name, replace(value, problem=None)))
    answers = answered(ask, inner)
    where = ask.heading.where
    fields = [(field, plainly(term, where, scope)) for field, term in answers.fields]
    kind: Type = ContextType(tuple((field, term.type) for field, term in fields))
    made = also(record_of(fields, MakeContext((), type=kind, where=where), scope.plan), answers.problem)
    return also(made, *(argument.problem for argument in arguments))
