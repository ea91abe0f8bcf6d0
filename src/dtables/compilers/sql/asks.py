"""Asks: their answer rows as columns, `any_of` where chance leaves something open, and `next`. What is needed
is the reading's business."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from sqlglot import exp

from dtables import failures
from dtables.compilers.sql.builtins import count
from dtables.compilers.sql.builtins import count as how_many
from dtables.compilers.sql.calls import with_step
from dtables.compilers.sql.catalogues import constant_list
from dtables.compilers.sql.exact import plainly
from dtables.compilers.sql.expressions import record_of
from dtables.compilers.sql.inputs import get
from dtables.compilers.sql.loops import filtered, first_in, has_any, mapped
from dtables.compilers.sql.neutral import (
    Variable,
    XConcat,
    XContains,
    XDistinct,
    XFlatten,
    XGet,
    XItem,
    XList,
    XRecord,
    XSlice,
    XSort,
)
from dtables.compilers.sql.operators import same
from dtables.compilers.sql.plan import Frame, Scope
from dtables.compilers.sql.sharing import gone
from dtables.compilers.sql.terms import (
    FALSE,
    NULL,
    TRUE,
    Term,
    Tree,
    all_of,
    also,
    any_of,
    case,
    certainly,
    coalesce,
    first_problem,
    is_null,
    literal,
    negated,
    not_null,
    problem_if,
    typed,
)
from dtables.compilers.sql.types import BOOLEAN, TEXT, data_type, list_of, struct_of
from dtables.feel.types import BOOLEAN as TRUTH
from dtables.feel.types import TEXT as TEXT_TYPE
from dtables.feel.types import (
    BooleanType,
    ContextType,
    ListType,
    NumberType,
    RecordType,
    Type,
    VocabularyType,
    item_type,
    may_be_null,
    optional,
    plain,
)
from dtables.merging import MOST_OUTCOMES
from dtables.model import expressions as model
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
    way = AskProgress(scope)
    met: list[tuple[AnswerField, AskProgress]] = []
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


def _answers(met: Sequence[tuple[AnswerField, AskProgress]], last: AskProgress) -> Iterator[Answer]:
    """What stands above all draws is worked out there, everything else for the outcomes of all of them."""
    below = [Below(row, len(way.stops)) for row, way in met if way.outcomes is not None]
    outcome_values = None if last.outcomes is None else OutcomeValues(last, last.outcomes, below)
    for row, way in met:
        if way.outcomes is None or outcome_values is None:
            yield Answer(row.name, unless(way.stopped, way.scope.wide(row.value)))
        elif row.when_open is not WhenOpen.MERGED and way.draws < last.draws:
            what = "an answer above another draw that is not merged"
            yield Answer(row.name, last.base.plan.cannot(what, Location(row.cell), row.value.type))
        else:
            yield outcome_values.answer(Below(row, len(way.stops)))


def _any_of(answers: Sequence[Answer], ask: Ask, scope: Scope) -> Iterator[tuple[str, Term]]:
    """A record of the lists; null where nothing is open."""
    listed = [(one.name, one.listed) for one in answers if one.listed is not None]
    if not listed:
        return
    kind = ContextType(tuple((name, term.type) for name, term in listed))
    record = record_of(listed, MakeContext((), type=kind, where=ask.heading.where), scope.plan)
    something = any_of(not_null(term.value) for _, term in listed)
    yield ANY_OF, Term(case([(something, record.value)]), optional(kind))


def answer_in_answer(name: str, arguments: Sequence[Term], scope: Scope) -> Term:
    """Another ask's answer, as a record."""
    ask = scope.plan.index.asks[name]
    inner = Scope(scope.plan, {}, scope.frames)
    for parameter, value in zip(ask.parameters, arguments, strict=True):
        inner = inner.bind(parameter.variable, scope.held(parameter.name, replace(value, problem=None)))
    answers = answered(ask, inner)
    where = ask.heading.where
    fields = [(field, plainly(term, where, scope)) for field, term in answers.fields]
    kind: Type = ContextType(tuple((field, term.type) for field, term in fields))
    answer = also(record_of(fields, MakeContext((), type=kind, where=where), scope.plan), answers.problem)
    return also(answer, *(argument.problem for argument in arguments))


# -- draws ---------------------------------------------------------------------------------------
# Draws: what chance may give, what the record shows it gave, and a row for every outcome that stays open.
#
# Above the first draw a row of an ask is worked out once for the turn; below it once in a lambda over the
# outcomes. What does not depend on them stays outside, as with every other lambda.


@dataclass(frozen=True, slots=True)
class Outcomes:
    """`rows` holds a record for each outcome of the draws so far, `row` is the variable over them."""

    rows: Tree
    row: Variable
    scope: Scope


@dataclass(frozen=True, slots=True)
class AskProgress:
    """How far an ask has come. `base` is the scope above the first draw, `since` the draws and steps from
    there on; `stops` has for every stop so far whether it or one above it holds: for the turn, or for an
    outcome."""

    base: Scope
    since: tuple[Draw | Step, ...] = ()
    outcomes: Outcomes | None = None
    stops: tuple[Tree, ...] = ()

    @property
    def scope(self) -> Scope:
        return self.base if self.outcomes is None else self.outcomes.scope

    @property
    def stopped(self) -> Tree | None:
        return self.stops[-1] if self.stops else None

    @property
    def draws(self) -> int:
        return sum(isinstance(row, Draw) for row in self.since)

    def after_step(self, step: Step) -> AskProgress:
        if self.outcomes is None:
            return replace(self, base=with_step(step, self.base))
        outcomes = replace(self.outcomes, scope=with_step(step, self.outcomes.scope))
        return replace(self, since=(*self.since, step), outcomes=outcomes)

    def is_of_turn(self, *trees: Tree | None) -> bool:
        """The same for all outcomes."""
        return len(self.scope.around(*trees)) <= len(self.base.frames)


def unless(stopped: Tree | None, term: Term) -> Term:
    """Null below a stop that holds."""
    if stopped is None:
        return term
    going_on = negated(stopped)
    return Term(case([(going_on, term.value)]), term.type, problem_if(going_on, term.problem))


def after_stop(condition: model.Expression, way: AskProgress) -> tuple[AskProgress, Tree | None]:
    """What is wrong with the condition, for the first outcome for which anything is."""
    term = unless(way.stopped, way.scope.term(condition))
    holds = certainly(term.value)
    both = holds if way.stopped is None else any_of([way.stopped, holds])
    problem, outcomes = term.problem, way.outcomes
    if outcomes is not None and problem is not None:
        rows = gone(outcomes.rows, outcomes.row, outcomes.scope, problem)
        problem = first_in(rows.rows, rows.row, rows.bodies[0], way.base.plan)
    return replace(way, stops=(*way.stops, way.scope.held_as("stopped", both, BOOLEAN))), problem


def after_draw(draw: Draw, way: AskProgress) -> tuple[AskProgress, Tree | None]:
    """A row for each outcome, and what is wrong with the options or with the one that is recorded."""
    scope, base = way.scope, way.base
    options = unless(way.stopped, scope.term(draw.options))
    recorded = _recorded(draw, base)
    drawn = _outcomes(draw, options, recorded, scope)
    of = data_type(draw.variable.type, base.plan.stored) or TEXT
    item = base.plan.variable(draw.variable.name, of)
    record = _Row(way, draw, item)
    if way.outcomes is None:
        rows, options_problem = mapped(drawn, item, record.value, record.kind), options.problem
    else:
        rows, options_problem = _spread(
            way.outcomes, mapped(drawn, item, record.value, record.kind), options, record
        )
    held = base.held_as("outcomes", rows, list_of(record.kind))
    problem = first_problem([options_problem, _too_many(draw, held), _refused(draw, held)])
    return _opened(draw, way, held, record), problem


def _spread(before: Outcomes, drawn: Tree, options: Term, record: _Row) -> tuple[Tree, Tree | None]:
    """The outcomes of each row, one after another; one more than there may be is enough."""
    lists = gone(before.rows, before.row, before.scope, drawn, options.problem)
    body, problem = lists.bodies
    each = list_of(record.kind)
    every = typed(XFlatten(this=mapped(lists.rows, lists.row, body or NULL, each)), each)
    cut = XSlice(this=every, expression=literal(1), length=literal(MOST_OUTCOMES + 1))
    return typed(cut, each), first_in(lists.rows, lists.row, problem, before.scope.plan)


class _Row:
    """The outcome of every draw so far, and whether a stop holds for it."""

    def __init__(self, way: AskProgress, draw: Draw, item: Tree) -> None:
        plan = way.base.plan
        drawn = [row for row in way.since if isinstance(row, Draw)]
        values = [(way.scope.read(one.variable).value, one.variable.type) for one in drawn]
        values.append((item, draw.variable.type))
        entries = [
            (_field(number), tree, data_type(of, plan.stored) or TEXT)
            for number, (tree, of) in enumerate(values)
        ]
        entries += [
            (_stop(number), stop, BOOLEAN)
            for number, stop in enumerate(way.stops)
            if not way.is_of_turn(stop)
        ]
        self.kind = struct_of((name, kind) for name, _, kind in entries)
        pairs = [exp.PropertyEQ(this=exp.to_identifier(name), expression=tree) for name, tree, _ in entries]
        self.value = typed(XRecord(expressions=pairs), self.kind)


def _stop(number: int) -> str:
    return f"stopped {number}"


def _field(number: int) -> str:
    """Databases do not distinguish `Age` from `age`."""
    return f"drawn {number}"


def _opened(draw: Draw, way: AskProgress, rows: Tree, record: _Row) -> AskProgress:
    """Below the draw: steps that stand between draws are worked out anew, for the longer rows."""
    base = way.base
    row = base.plan.variable("outcome", record.kind)
    scope = replace(base, frames=(*base.frames, Frame(row.this.this)))
    since = (*way.since, draw)
    numbers = itertools.count()
    for one in since:
        if isinstance(one, Step):
            scope = with_step(one, scope)
        else:
            value = get(row, _field(next(numbers)), one.variable.type, base.plan)
            scope = scope.bind(one.variable, Term(value, one.variable.type))
    stops = tuple(
        stop if way.is_of_turn(stop) else get(row, _stop(number), TRUTH, base.plan)
        for number, stop in enumerate(way.stops)
    )
    return AskProgress(base, since, Outcomes(rows, row, scope), stops)


# -- one draw --------------------------------------------------------------------------------------


def _outcomes(draw: Draw, options: Term, recorded: Term | None, scope: Scope) -> Tree:
    """None: null. One: it, whatever is recorded. Several: the recorded one, or all."""
    of = item_type(options.type)
    kind = data_type(of, scope.plan.stored) or TEXT
    nothing = typed(XList(expressions=[]), list_of(kind))
    there = coalesce([options.value, nothing])
    several = scope.held_as(
        f"{draw.variable.name} options", typed(XDistinct(this=there), list_of(kind)), list_of(kind)
    )
    null = typed(XList(expressions=[exp.Cast(this=NULL, to=kind)]), list_of(kind))
    none = exp.EQ(this=how_many(several), expression=literal(0))
    if recorded is None:
        return case([(none, null)], several)
    item = scope.plan.variable(draw.variable.name, kind)
    alike = same(_compared(draw, Term(item, of), scope), recorded)
    open_ = any_of([exp.EQ(this=how_many(several), expression=literal(1)), is_null(recorded.value)])
    return case([(none, null), (open_, several)], filtered(several, item, alike))


def _compared(draw: Draw, option: Term, scope: Scope) -> Term:
    """What of an option is recorded."""
    if draw.by is None:
        return option
    read = model.Read(draw.variable, type=option.type, where=Location(draw.where))
    node = model.FieldOf(
        read, draw.by, type=_field_type(option.type, draw.by, scope), where=Location(draw.where)
    )
    return scope.bind(draw.variable, option).term(node)


def _field_type(of: Type, name: str, scope: Scope) -> Type:
    kind, plan = plain(of), scope.plan
    if isinstance(kind, VocabularyType):
        record = plan.index.vocabularies[kind.root].record
        assert record is not None
    else:
        assert isinstance(kind, RecordType)
        record = kind.name
    return plan.index.fields[record][name].type


def _recorded(draw: Draw, scope: Scope) -> Term | None:
    """Null where the record has none."""
    if draw.recorded is None:
        return None
    first, *more = draw.recorded.fields
    plan = scope.plan
    of: Type = optional(plan.index.inputs[first].type)
    node: model.Expression = model.InputField(first, type=of, where=draw.recorded.where)
    for name in more:
        if not isinstance(plain(of), RecordType):
            return plan.cannot("an outcome that is recorded in a list or a map", draw.recorded.where, of)
        of = optional(_field_type(of, name, scope))
        node = model.FieldOf(node, name, type=of, where=draw.recorded.where)
    return replace(scope.term(node), problem=None)


# -- what goes wrong -------------------------------------------------------------------------------


def _too_many(draw: Draw, rows: Tree) -> Tree | None:
    message = f"{Location(draw.cell)}: {failures.too_many_outcomes(MOST_OUTCOMES)}"
    return case([(exp.GT(this=how_many(rows), expression=literal(MOST_OUTCOMES)), literal(message))])


def _refused(draw: Draw, rows: Tree) -> Tree | None:
    if draw.recorded is None:
        return None
    message = f"{draw.recorded}: found an outcome that is not among those that chance can give"
    return case([(exp.EQ(this=how_many(rows), expression=literal(0)), literal(message))])


# -- answers below a draw ---------------------------------------------------------------------------
# Answers below a draw: worked out for every outcome, then put together.


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

    def stopped(self, way: AskProgress) -> Tree | None:
        return way.stops[self.stops - 1] if self.stops else None


Entry = tuple[str, Tree, exp.DataType]


class OutcomeValues:
    """What each outcome gives: a record of values, lists and problems, all out of one lambda."""

    def __init__(self, way: AskProgress, outcomes: Outcomes, rows: Sequence[Below]) -> None:
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

    def _entries(self, one: Below, way: AskProgress) -> list[Entry]:
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
        answers = mapped(rows.rows, rows.row, rows.bodies[0] or record, kind)
        return self._base.held_as("outcome answers", answers, list_of(kind))

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
        listed_problem = problem_if(self._open(one.stops), self._first_problem(f"listed problem {number}"))
        return Answer(row.name, replace(value, problem=first_problem([problem, listed_problem])), listed)

    def _first_problem(self, field: str) -> Tree | None:
        problem = self._field(field) if field in self._kinds else None
        return first_in(self._rows, self._row, problem, self._plan)

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
        value = case([(all_of([self._open(one.stops), something]), different)])
        return Term(value, optional(one.row.listed.type))


def _the_same(one: Below, way: AskProgress) -> Term | None:
    """An answer that does not depend on the outcome."""
    stopped = one.stopped(way)
    if one.row.when_open is not WhenOpen.MERGED:
        return None
    term = unless(stopped, way.scope.term(one.row.value))
    return term if way.is_of_turn(term.value, term.problem) else None


# -- answers of all outcomes ------------------------------------------------------------------------
# What an answer is while a draw is open: the values of all outcomes, merged.


class Different:
    """The different ones of a list of values, in order."""

    def __init__(self, name: str, values: Tree, of: Type, scope: Scope) -> None:
        self._of, self._scope = of, scope
        self._kind = data_type(of, scope.plan.stored) or TEXT
        listed = list_of(self._kind)
        self._listed = listed
        self.values = scope.held_as(f"{name} values", typed(XDistinct(this=values), listed), listed)

    def merged(self) -> Tree:
        """The value, where all are equal."""
        alone = exp.EQ(this=count(self.values), expression=literal(1))
        return case([(alone, typed(XItem(this=self.values, expression=literal(1)), self._kind))])

    def open(self) -> Tree:
        """Where they are several: they, in the order of their type; null where not."""
        several = exp.GT(this=count(self.values), expression=literal(1))
        return case([(several, self._with_null(self._in_order()))])

    def _in_order(self) -> Tree:
        """Without null. What has no order of its own stays in the order of the draw."""
        match plain(self._of):
            case VocabularyType(root=root):
                names = [literal(label.id) for label in self._scope.plan.index.vocabularies[root].names]
                return self._among(constant_list(f"each {root}", names, self._listed, self._scope.plan))
            case BooleanType():
                return self._among(typed(XList(expressions=[FALSE, TRUE]), self._listed))
            case NumberType():
                return typed(XSort(this=self._there()), self._listed)
            case _:
                return self._there()

    def _among(self, every: Tree) -> Tree:
        one = self._scope.plan.variable("each", self._kind)
        return filtered(every, one, typed(XContains(this=self.values, expression=one), BOOLEAN))

    def _there(self) -> Tree:
        one = self._scope.plan.variable("value", self._kind)
        return filtered(self.values, one, not_null(one)) if may_be_null(self._of) else self.values

    def _with_null(self, present: Tree) -> Tree:
        """Null stands last."""
        if not may_be_null(self._of):
            return present
        one = self._scope.plan.variable("value", self._kind)
        null = typed(XList(expressions=[exp.Cast(this=NULL, to=self._kind)]), self._listed)
        nothing = typed(XList(expressions=[]), self._listed)
        last = case([(has_any(self.values, one, is_null(one)), null)], nothing)
        return typed(XConcat(expressions=[present, last]), self._listed)
