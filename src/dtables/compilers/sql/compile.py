"""A table or an ask as one select over a relation of turns.

The relation's columns are the input fields that are read (of a table: its parameters too), with records as
structs, lists as arrays; keyed columns are carried through. Records in it are taken to be sound. `problem` is
null, or says why there is no answer and where: what the other columns then hold is null.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from sqlglot import exp

from dtables.collector import held_back
from dtables.compilers.sql import problems
from dtables.compilers.sql.asks import NEXT, answer_in_answer, answered
from dtables.compilers.sql.conditions import passes
from dtables.compilers.sql.expressions import term_of, wide_of
from dtables.compilers.sql.layout import written
from dtables.compilers.sql.operations import Unsayable, XGiven, XShort, XShown
from dtables.compilers.sql.plan import Plan, Scope, Verbs
from dtables.compilers.sql.records import normal, raw_type
from dtables.compilers.sql.select import select_of
from dtables.compilers.sql.shapes import SHORT_DIGITS, SHORT_PLACES, TEXT, decimal, is_decimal, is_whole
from dtables.compilers.sql.sizes import with_places
from dtables.compilers.sql.tables import call, rank
from dtables.compilers.sql.terms import (
    NULL,
    Term,
    Tree,
    all_of,
    case,
    first_problem,
    is_null,
    literal,
    not_null,
    typed,
)
from dtables.diagnostics import Diagnostic, in_order
from dtables.feel.types import TEXT as TEXT_TYPE
from dtables.feel.types import may_be_null
from dtables.model.tables import Ask, Parameter, Ruleset, Table, table_name
from dtables.provenance import Location, whole_book


class Dialect(StrEnum):
    DUCKDB = "duckdb"
    SPARK = "spark"
    POSTGRES = "postgres"


@dataclass(frozen=True, slots=True)
class Column:
    """`type` is in the dialect's words."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Compiled:
    """`sql` is None where something cannot be said: `diagnostics` tell what. `inputs` are the columns that
    the relation must have besides `keys`, `answers` those that come out besides `keys` and `problem`; one of
    them, `next`, lists the asks that are demanded next, where the ask says so."""

    sql: str | None
    keys: tuple[str, ...]
    inputs: tuple[Column, ...]
    answers: tuple[Column, ...]
    problem: str
    diagnostics: tuple[Diagnostic, ...]
    next: str | None = None


PROBLEM = "problem"
SOURCE = "turns"


def to_sql(
    ruleset: Ruleset,
    what: str,
    dialect: Dialect = Dialect.DUCKDB,
    source: str = SOURCE,
    keys: Sequence[str] = (),
) -> Compiled:
    """`what` is the name of a table or of an ask; an ask before a table of the same name."""
    asks = {ask.heading.name: ask for ask in ruleset.asks}
    tables = {table_name(table): table for table in ruleset.tables}
    if what in asks:
        return ask_to_sql(ruleset, asks[what], dialect, source, keys)
    if what in tables:
        return table_to_sql(ruleset, tables[what], dialect, source, keys)
    where = Location(whole_book(ruleset.book))
    return Compiled(None, tuple(keys), (), (), PROBLEM, (problems.no_such_table(what, where),))


@held_back()
def table_to_sql(
    ruleset: Ruleset, table: Table, dialect: Dialect, source: str = SOURCE, keys: Sequence[str] = ()
) -> Compiled:
    """One column, named as the table."""
    return _compiled(_planned_table(ruleset, table, keys, dialect), dialect, source, keys)


@held_back()
def ask_to_sql(
    ruleset: Ruleset, ask: Ask, dialect: Dialect, source: str = SOURCE, keys: Sequence[str] = ()
) -> Compiled:
    """A column for each answer row."""
    return _compiled(_planned_ask(ruleset, ask, keys, dialect), dialect, source, keys)


def unsaid(ruleset: Ruleset, thing: Table | Ask) -> tuple[Diagnostic, ...]:
    """What no dialect can say of a table or an ask; nothing is written."""
    planned = (
        _planned_ask(ruleset, thing, ()) if isinstance(thing, Ask) else _planned_table(ruleset, thing, ())
    )
    for term in planned.answers.values():
        planned.plan.data_type(term.type, planned.where)
    return in_order(planned.plan.diagnostics, ruleset.sheets)


@dataclass(frozen=True, slots=True)
class Planned:
    """The columns of the answer, and what is wrong with any of them; the plan has what they read."""

    plan: Plan
    answers: dict[str, Term]
    problem: Tree | None
    where: Location
    next: str | None = None


def _planned_table(
    ruleset: Ruleset, table: Table, keys: Sequence[str], dialect: Dialect | None = None
) -> Planned:
    plan = _plan(ruleset, "", keys, [parameter.name for parameter in table.parameters], dialect)
    arguments = [_parameter(parameter, table, plan) for parameter in table.parameters]
    name = table_name(table)
    term = call(name, arguments, Scope(plan, {}))
    return Planned(plan, {name: term}, term.problem, table.heading.where)


def _planned_ask(ruleset: Ruleset, ask: Ask, keys: Sequence[str], dialect: Dialect | None = None) -> Planned:
    plan = _plan(ruleset, "state", keys, [parameter.name for parameter in ask.parameters], dialect)
    scope = Scope(plan, {})
    for parameter in ask.parameters:
        scope = scope.bind(parameter.variable, _parameter(parameter, ask, plan))
    answers = answered(ask, scope)
    fields = dict(answers.fields)
    if answers.next is None:
        return Planned(plan, fields, answers.problem, ask.heading.where)
    return Planned(plan, {**fields, NEXT: answers.next}, answers.problem, ask.heading.where, NEXT)


def _plan(
    ruleset: Ruleset, path: str, keys: Sequence[str], parameters: Sequence[str], dialect: Dialect | None
) -> Plan:
    verbs = Verbs(term_of, wide_of, passes, call, rank, answer_in_answer)
    fields = [field.name for field in ruleset.input.state.fields]
    taken = {name.casefold() for name in (*fields, *keys, *parameters, PROBLEM)}
    return Plan(ruleset, verbs, path, taken, short={} if dialect is Dialect.DUCKDB else None)


def _parameter(parameter: Parameter, of: Table | Ask, plan: Plan) -> Term:
    where = of.heading.where
    raw = raw_type(parameter.type, {}, plan, where)
    column = plan.input(parameter.name, parameter.type, raw, plan.size_among(parameter.type))
    if not may_be_null(parameter.type):
        plan.required.add(parameter.name)
    return plan.named(parameter.name, Term(normal(column, parameter.type, {}, plan), parameter.type))


# -- the whole statement ---------------------------------------------------------------------------


def lowered(tree: exp.Expression, dialect: Dialect) -> tuple[exp.Expression, tuple[Unsayable, ...]]:
    match dialect:
        case Dialect.DUCKDB:
            from dtables.compilers.sql.dialects.duckdb import lower_duckdb

            return lower_duckdb(tree)
        case Dialect.SPARK:
            from dtables.compilers.sql.dialects.spark import lower_spark

            return lower_spark(tree)
        case Dialect.POSTGRES:
            from dtables.compilers.sql.dialects.postgres import lower_postgres

            return lower_postgres(tree)
        case _:
            assert_never(dialect)


def _compiled(planned: Planned, dialect: Dialect, source: str, keys: Sequence[str]) -> Compiled:
    plan, answers, problem, where = planned.plan, planned.answers, planned.problem, planned.where
    types = {name: _type(term, plan, where) for name, term in answers.items()}
    given, misread = _given(plan)
    wrong = first_problem([misread, problem])
    failing = None if wrong is None else plan.named("first", Term(NULL, TEXT_TYPE, wrong)).problem
    told = _problem_name(answers)
    results = {name: _answer(term.value, failing, types[name], plan) for name, term in answers.items()}
    results[told] = exp.Cast(this=NULL, to=TEXT) if failing is None else failing
    tree, more = lowered(select_of(plan.columns, results, source, keys, given), dialect)
    found = [*plan.diagnostics, *(problems.dialect_cannot(dialect, one, where) for one in more)]
    return Compiled(
        None if found else written(tree, dialect.value),
        tuple(keys),
        _columns(plan.inputs, dialect),
        _columns(types, dialect),
        told,
        in_order(dict.fromkeys(found), plan.ruleset.sheets),
        planned.next,
    )


def _type(term: Term, plan: Plan, where: Location) -> exp.DataType:
    return with_places(plan.data_type(term.type, where), term.value)


def _given(plan: Plan) -> tuple[dict[str, Tree], Tree | None]:
    """The first columns: what the relation gives, as exactly what the rules want of it, with the raw value
    beside it; and what is said of the first that is something else."""
    columns: dict[str, Tree] = {}
    branches: list[tuple[Tree, Tree]] = []
    for name, kind in plan.inputs.items():
        column, raw = (
            exp.column(name, quoted=True),
            exp.column(plan.column_name(f"{name} given"), quoted=True),
        )
        columns[name] = typed(XGiven(this=column), kind)
        columns[raw.name] = column
        if plan.short is not None and name in plan.short:
            columns[plan.short[name]] = typed(XShort(this=column), decimal(SHORT_PLACES, SHORT_DIGITS))
        place = literal(f"{plan.path}.{name}: found " if plan.path else f"{name}: found ")
        shown = exp.DPipe(this=place, expression=typed(XShown(this=raw), TEXT), safe=False)
        told = exp.DPipe(this=shown, expression=literal(f", wanted {plan.wanted[name]}"), safe=False)
        branches.append((all_of([not_null(raw), is_null(column)]), told))
        if name in plan.required:
            branches.append((is_null(raw), literal(f"{name}: found nothing, wanted {plan.wanted[name]}")))
    return columns, case(branches) if branches else None


def _problem_name(answers: dict[str, Term]) -> str:
    name = PROBLEM
    while name in answers:
        name = f"{name}_"
    return name


def _answer(value: Tree, problem: Tree | None, type_: exp.DataType, plan: Plan) -> Tree:
    """A number has room in its type: to the database it may be narrower."""
    if isinstance(value, exp.Null) or is_whole(type_) or is_decimal(type_):
        value = exp.Cast(this=value, to=type_)
    bare = value.this if isinstance(value, exp.Cast) else value
    if problem is None or _says_null(problem, bare, plan):
        return value
    return case([(is_null(problem), value)])


def _says_null(problem: Tree, value: Tree, plan: Plan) -> bool:
    """Is there a problem only where the value is null anyway?"""
    told = plan.columns.get(problem.name) if isinstance(problem, exp.Column) else problem
    match told:
        case exp.Case():
            return not told.args.get("default") and all(
                arm.this == is_null(value) for arm in told.args["ifs"]
            )
        case _:
            return False


def _columns(types: dict[str, exp.DataType], dialect: Dialect) -> tuple[Column, ...]:
    return tuple(Column(name, column_type(kind, dialect)) for name, kind in types.items())


def column_type(of: exp.DataType, dialect: Dialect) -> str:
    tree, _ = lowered(of, dialect)
    return tree.sql(dialect=dialect.value, identify=True)
