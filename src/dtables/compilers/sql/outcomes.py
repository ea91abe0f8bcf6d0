"""Answers below a draw: worked out for every outcome, then put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from dtables.compilers.sql.draws import Outcomes, Way, unless
from dtables.compilers.sql.lists import count
from dtables.compilers.sql.loops import filtered, first_in, has_any, mapped
from dtables.compilers.sql.merging import Different
from dtables.compilers.sql.operations import XDistinct, XFlatten, XGet, XItem, XList, XRecord
from dtables.compilers.sql.shapes import BOOLEAN, TEXT, data_type, list_of, struct_of
from dtables.compilers.sql.steps import gone
from dtables.compilers.sql.terms import (
    NULL,
    Term,
    Tree,
    all_of,
    case,
    coalesce,
    first_problem,
    literal,
    negated,
    problem_if,
    typed,
)
from dtables.feel.types import ListType, Type, optional
from dtables.model.tables import AnswerField, WhenOpen


@dataclass(frozen=True, slots=True)
class Answer:
    """A field, and what stands for it in `any_of`: null where nothing is open."""

    name: str
    value: Term
    listed: Term | None = None


@dataclass(frozen=True, slots=True)
class Below:
    """An answer row below a draw; so many stops stand above it."""

    row: AnswerField
    stops: int

    def stopped(self, way: Way) -> Tree | None:
        return way.stops[self.stops - 1] if self.stops else None


Entry = tuple[str, Tree, exp.DataType]


class Told:
    """What each outcome gives: a record of values, lists and problems, all out of one lambda."""

    def __init__(self, way: Way, outcomes: Outcomes, rows: Sequence[Below]) -> None:
        self._base, self._plan = way.base, way.base.plan
        self._types: dict[str, Type] = {}
        self._outside = {one.row.name: term for one in rows if (term := _the_same(one, way)) is not None}
        self._numbers = {one.row.name: number for number, one in enumerate(rows)}
        entries: list[Entry] = [(f"stopped {n}", stop, BOOLEAN) for n, stop in enumerate(way.stops, start=1)]
        for one in rows:
            if one.row.name not in self._outside:
                entries += self._entries(one, way)
        self._kinds = {name: kind for name, _, kind in entries}
        self._rows = self._worked_out(entries, outcomes)
        self._row = self._plan.variable("told", struct_of(self._kinds.items()))

    def _entries(self, one: Below, way: Way) -> list[Entry]:
        """Below a stop an answer is null, and lists nothing."""
        row, stopped = one.row, one.stopped(way)
        number, term = self._numbers[row.name], unless(stopped, way.scope.term(row.value))
        self._types[row.name] = term.type
        entries = [(f"value {number}", term.value, self._kind(term.type))]
        if row.listed is not None:
            listed, kind = unless(stopped, way.scope.term(row.listed)), self._kind(row.listed.type)
            nothing = typed(XList(expressions=[]), kind)
            entries.append((f"listed {number}", coalesce([listed.value, nothing]), kind))
            if listed.problem is not None:
                entries.append((f"listed problem {number}", listed.problem, TEXT))
        return entries if term.problem is None else [*entries, (f"problem {number}", term.problem, TEXT)]

    def _kind(self, of: Type) -> exp.DataType:
        return data_type(of, self._plan.stored) or TEXT

    def _worked_out(self, entries: Sequence[Entry], outcomes: Outcomes) -> Tree:
        kind = struct_of((name, kind) for name, _, kind in entries)
        pairs = [
            exp.PropertyEQ(
                this=exp.to_identifier(name),
                expression=exp.Cast(this=NULL, to=of) if isinstance(tree, exp.Null) else tree,
            )
            for name, tree, of in entries
        ]
        record = typed(XRecord(expressions=pairs), kind)
        rows = gone(outcomes.rows, outcomes.row, outcomes.scope, record)
        made = mapped(rows.rows, rows.row, rows.bodies[0] or record, kind)
        return self._base.held_as("outcome answers", made, list_of(kind))

    def _field(self, name: str) -> Tree:
        return typed(XGet(this=self._row, expression=exp.to_identifier(name)), self._kinds[name])

    def _every(self, name: str) -> Tree:
        return mapped(self._rows, self._row, self._field(name), self._kinds[name])

    # -- put together

    def answer(self, one: Below) -> Answer:
        row = one.row
        if row.name in self._outside:
            return Answer(row.name, self._outside[row.name])
        number, of = self._numbers[row.name], optional(self._types[row.name])
        problem = self._first_problem(f"problem {number}")
        values = self._every(f"value {number}")
        if row.when_open is WhenOpen.NULL:
            first = typed(XItem(this=values, expression=literal(1)), self._kind(of))
            return Answer(row.name, Term(case([(negated(self._open(one.stops)), first)]), of, problem))
        different = Different(row.name, values, of if one.stops else self._types[row.name], self._base)
        value = Term(different.merged(), of, problem)
        if row.when_open is WhenOpen.MERGED:
            return Answer(row.name, value, Term(different.open(), optional(ListType(of))))
        listed = self._listed(one, f"listed {number}")
        told = problem_if(self._open(one.stops), self._first_problem(f"listed problem {number}"))
        return Answer(row.name, replace(value, problem=first_problem([problem, told])), listed)

    def _first_problem(self, field: str) -> Tree | None:
        told = self._field(field) if field in self._kinds else None
        return first_in(self._rows, self._row, told, self._plan)

    def _open(self, stops: int) -> Tree:
        """Are there several outcomes? Those for which a stop holds are one."""
        if not stops:
            return exp.GT(this=count(self._rows), expression=literal(1))
        stopped = self._field(f"stopped {stops}")
        going_on = count(filtered(self._rows, self._row, negated(stopped)))
        one = case([(has_any(self._rows, self._row, stopped), literal(1))], literal(0))
        return exp.GT(this=exp.Paren(this=exp.Add(this=going_on, expression=one)), expression=literal(1))

    def _listed(self, one: Below, field: str) -> Term:
        assert one.row.listed is not None
        kind = self._kinds[field]
        lists = typed(XFlatten(this=self._every(field)), kind)
        distinct = typed(XDistinct(this=lists), kind)
        different = self._base.held_as(f"{one.row.name} listed", distinct, kind)
        something = exp.GT(this=count(different), expression=literal(0))
        made = case([(all_of([self._open(one.stops), something]), different)])
        return Term(made, optional(one.row.listed.type))


def _the_same(one: Below, way: Way) -> Term | None:
    """An answer that does not depend on the outcome."""
    stopped = one.stopped(way)
    if one.row.when_open is not WhenOpen.MERGED:
        return None
    term = unless(stopped, way.scope.term(one.row.value))
    return term if way.is_of_turn(term.value, term.problem) else None
