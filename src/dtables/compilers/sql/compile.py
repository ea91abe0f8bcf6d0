"""A table or an ask as one select over a relation of turns.

The relation's columns are the input fields that are read (of a table: its parameters too), with records as
structs, lists as arrays; keyed columns are carried through. Records in it are taken to be sound. `problem` is
null, or explains why there is no answer and where: what the other columns then hold is null."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import groupby
from typing import Any, assert_never

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Writer
from sqlglot.generator import Generator

from dtables.collector import held_back
from dtables.compilers.sql import messages
from dtables.compilers.sql.asks import NEXT, answer_in_answer, answered
from dtables.compilers.sql.calls import call, rank
from dtables.compilers.sql.expressions import term_of, wide_of
from dtables.compilers.sql.inputs import normal, raw_type
from dtables.compilers.sql.neutral import Unsupported, XGiven, XShort, XShown
from dtables.compilers.sql.operators import passes
from dtables.compilers.sql.plan import Plan, Scope, Verbs
from dtables.compilers.sql.sizes import with_places
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
from dtables.compilers.sql.types import SHORT_DIGITS, SHORT_PLACES, TEXT, decimal, is_decimal, is_whole
from dtables.diagnostics import Diagnostic, in_order
from dtables.feel.types import TEXT as TEXT_TYPE
from dtables.feel.types import may_be_null
from dtables.model.index import Index
from dtables.model.tables import Ask, Parameter, Ruleset, Table, table_name
from dtables.provenance import Location, whole_book


class Dialect(StrEnum):
    """The databases that SQL is written for."""

    DUCKDB = "duckdb"
    SPARK = "spark"
    POSTGRES = "postgres"


@dataclass(frozen=True, slots=True)
class SqlColumn:
    """`type` is in the dialect's words."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Compiled:
    """`sql` is None where something is not supported: `diagnostics` name it. `inputs` are the columns that
    the relation must have besides `keys`, `answers` those that come out besides `keys` and `problem`; one of
    them, `next`, lists the asks that are demanded next, where the ask says so."""

    sql: str | None
    keys: tuple[str, ...]
    inputs: tuple[SqlColumn, ...]
    answers: tuple[SqlColumn, ...]
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
    index = Index(ruleset)
    if what in index.asks:
        return ask_to_sql(ruleset, index.asks[what], dialect, source, keys)
    if what in index.tables:
        return table_to_sql(ruleset, index.tables[what], dialect, source, keys)
    where = Location(whole_book(ruleset.book))
    return Compiled(None, tuple(keys), (), (), PROBLEM, (messages.no_such_table(what, where),))


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


def unsupported(ruleset: Ruleset, unit: Table | Ask) -> tuple[Diagnostic, ...]:
    """What no dialect supports in a table or an ask; nothing is written."""
    planned = _planned_ask(ruleset, unit, ()) if isinstance(unit, Ask) else _planned_table(ruleset, unit, ())
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
    return Plan(Index(ruleset), verbs, path, taken, short={} if dialect is Dialect.DUCKDB else None)


def _parameter(parameter: Parameter, of: Table | Ask, plan: Plan) -> Term:
    where = of.heading.where
    raw = raw_type(parameter.type, {}, plan, where)
    column = plan.input(parameter.name, parameter.type, raw, plan.size_among(parameter.type))
    if not may_be_null(parameter.type):
        plan.required.add(parameter.name)
    return plan.named(parameter.name, Term(normal(column, parameter.type, {}, plan), parameter.type))


# -- the whole statement ---------------------------------------------------------------------------


def lowered(tree: exp.Expression, dialect: Dialect) -> tuple[exp.Expression, tuple[Unsupported, ...]]:
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
    problem_column = _problem_name(answers)
    results = {name: _answer(term.value, failing, types[name], plan) for name, term in answers.items()}
    results[problem_column] = exp.Cast(this=NULL, to=TEXT) if failing is None else failing
    tree, more = lowered(select_of(plan.columns, results, source, keys, given), dialect)
    found = [*plan.diagnostics, *(messages.unsupported_by(dialect, one, where) for one in more)]
    return Compiled(
        None if found else written(tree, dialect.value),
        tuple(keys),
        _columns(plan.inputs, dialect),
        _columns(types, dialect),
        problem_column,
        in_order(dict.fromkeys(found), plan.index.ruleset.sheets),
        planned.next,
    )


def _type(term: Term, plan: Plan, where: Location) -> exp.DataType:
    return with_places(plan.data_type(term.type, where), term.value)


def _given(plan: Plan) -> tuple[dict[str, Tree], Tree | None]:
    """The first columns: what the relation gives, as exactly the type the rules expect, with the raw value
    beside it; and the message about the first that is something else."""
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
        message = exp.DPipe(this=shown, expression=literal(f", wanted {plan.expected[name]}"), safe=False)
        branches.append((all_of([not_null(raw), is_null(column)]), message))
        if name in plan.required:
            branches.append((is_null(raw), literal(f"{name}: found nothing, wanted {plan.expected[name]}")))
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
    if problem is None or _only_where_null(problem, bare, plan):
        return value
    return case([(is_null(problem), value)])


def _only_where_null(problem: Tree, value: Tree, plan: Plan) -> bool:
    """Is there a problem only where the value is null anyway?"""
    resolved = plan.columns.get(problem.name) if isinstance(problem, exp.Column) else problem
    match resolved:
        case exp.Case():
            return not resolved.args.get("default") and all(
                arm.this == is_null(value) for arm in resolved.args["ifs"]
            )
        case _:
            return False


def _columns(types: dict[str, exp.DataType], dialect: Dialect) -> tuple[SqlColumn, ...]:
    return tuple(SqlColumn(name, column_type(kind, dialect)) for name, kind in types.items())


def column_type(of: exp.DataType, dialect: Dialect) -> str:
    tree, _ = lowered(of, dialect)
    return tree.sql(dialect=dialect.value, identify=True)


# -- select --------------------------------------------------------------------------------------
# The named columns as one select: a common table expression for each depth, carrying only what is still
# read.


def select_of(
    columns: Mapping[str, Tree],
    results: Mapping[str, Tree],
    source: str,
    keys: Sequence[str],
    given: Mapping[str, Tree],
) -> exp.Select:
    """`columns` in an order in which each reads earlier ones only; the first read those of `given`, and
    these the relation."""
    reads = {name: _read_by(tree) for name, tree in columns.items()}
    read_last = list(dict.fromkeys(name for tree in results.values() for name in _read_by(tree)))
    needed = _reached(reads, read_last)
    depths = _depths({name: reads[name] for name in columns if name in needed})
    last = max(depths.values(), default=0)
    raw = {tree.name: name for name, tree in given.items() if isinstance(tree, exp.Column)}
    kept = {key: raw.get(key, key) for key in keys}
    read_above = [_read_above(reads, depths, read_last, [*kept.values()], depth) for depth in range(last + 1)]
    first = _unlike(source) if given else source
    names = [first, *(_stage(depth) for depth in range(1, last + 1))]
    stages = [
        (names[depth], _stage_select(columns, depths, depth, read_above[depth], names[depth - 1]))
        for depth in range(1, last + 1)
    ]
    if given:
        names_read = [name for name in read_above[0] if name not in depths]
        read = {name: given.get(name, exp.column(name, quoted=True)) for name in names_read}
        stages.insert(0, (first, _select(_aliased(read), source)))
    columns_kept = {key: exp.column(name, quoted=True) for key, name in kept.items()}
    final = _select([*_aliased(columns_kept), *_aliased(results)], names[last])
    if stages:
        final.set("with_", exp.With(expressions=[_cte(name, select) for name, select in stages]))
    return final


GIVEN = "given"


def _unlike(source: str) -> str:
    return GIVEN if source.casefold() != GIVEN else f"{GIVEN} 2"


def _stage(depth: int) -> str:
    return f"step {depth}"


def _read_by(tree: Tree) -> list[str]:
    """In the order in which they are met."""
    seen: dict[str, None] = {}
    visited: set[int] = set()
    waiting: list[Tree] = [tree]
    while waiting:
        node = waiting.pop()
        if id(node) in visited:
            continue
        visited.add(id(node))
        if isinstance(node, exp.Column):
            seen.setdefault(node.name)
        waiting.extend(node.iter_expressions(reverse=True))
    return list(seen)


def _reached(reads: Mapping[str, Sequence[str]], start: Iterable[str]) -> set[str]:
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name in reads and name not in found:
            found.add(name)
            waiting.extend(reads[name])
    return found


def _depths(reads: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Of a column that reads the relation alone: 1."""
    depths: dict[str, int] = {}
    for name, others in reads.items():
        depths[name] = 1 + max((depths.get(other, 0) for other in others), default=0)
    return depths


def _read_above(
    reads: Mapping[str, Sequence[str]],
    depths: Mapping[str, int],
    read_last: Sequence[str],
    keys: Sequence[str],
    depth: int,
) -> list[str]:
    """What the stages above a depth read, in a steady order."""
    above = [others for name, others in reads.items() if depths.get(name, 0) > depth]
    read = {name for others in (*above, read_last) for name in others}
    return [*keys, *sorted(read - set(keys))]


def _stage_select(
    columns: Mapping[str, Tree], depths: Mapping[str, int], depth: int, read_above: Sequence[str], below: str
) -> exp.Select:
    carried = [name for name in read_above if depths.get(name, 0) < depth]
    computed = {name: tree for name, tree in columns.items() if depths.get(name) == depth}
    return _select([*_carried(carried), *_aliased(computed)], below)


def _carried(names: Iterable[str]) -> list[Tree]:
    return [exp.column(name, quoted=True) for name in names]


def _aliased(trees: Mapping[str, Tree]) -> list[Tree]:
    return [
        tree
        if isinstance(tree, exp.Column) and tree.name == name
        else exp.Alias(this=tree, alias=exp.to_identifier(name, quoted=True))
        for name, tree in trees.items()
    ]


def _select(columns: list[Tree], source: str) -> exp.Select:
    """A dot in a relation's name parts it from its schema, and that from its catalogue."""
    name, *around = (exp.to_identifier(part, quoted=True) for part in reversed(source.split(".", 2)))
    table = exp.Table(this=name, **dict(zip(("db", "catalog"), around, strict=False)))
    return exp.Select(expressions=columns, from_=exp.From(this=table))


def _cte(name: str, select: exp.Select) -> exp.CTE:
    return exp.CTE(this=select, alias=exp.TableAlias(this=exp.to_identifier(name, quoted=True)))


# -- layout --------------------------------------------------------------------------------------
# A statement on lines: a column on a line of its own, what is only carried along side by side.
#
# A column of some length is laid out, a row of a decision on a line; constants, and one that is very long,
# are a line: indented for every bracket it would be twice as long, and no easier to read.

WIDTH = 110
SHORT = 90
LONG = 2_000
INDENT = "  "
BRANCHING = (exp.Case, exp.Lambda, exp.Subquery)


def written(statement: exp.Expr, dialect: str) -> str:
    stages = statement.args.get("with_")
    ctes: list[exp.Expr] = stages.expressions if stages else []
    blocks = [f"{_name(cte, dialect)} AS (\n{_select_lines(cte.this, dialect, INDENT)}\n)" for cte in ctes]
    start = f"WITH {', '.join(blocks)}\n" if blocks else ""
    return start + _select_lines(statement, dialect, "")


def _name(cte: exp.Expr, dialect: str) -> str:
    return _flat(cte.args["alias"], dialect)


def _select_lines(select: exp.Expr, dialect: str, indent: str) -> str:
    rest = {key: value for key, value in select.args.items() if key not in ("with_", "expressions")}
    tail = _flat(exp.Select(expressions=[exp.Star()], **rest), dialect).removeprefix("SELECT *").strip()
    columns = ",\n".join(_column_lines(select.expressions, dialect, indent + INDENT))
    return f"{indent}SELECT\n{columns}\n{indent}{tail}"


def _column_lines(columns: Sequence[exp.Expr], dialect: str, indent: str) -> Iterator[str]:
    for carried, together in groupby(columns, key=lambda column: isinstance(column, exp.Column)):
        if carried:
            yield from _filled([_flat(column, dialect) for column in together], indent)
        else:
            yield from (_column(column, dialect, indent) for column in together)


def _filled(names: Sequence[str], indent: str) -> Iterator[str]:
    line = indent + names[0]
    for name in names[1:]:
        if len(line) + len(name) > WIDTH:
            yield line
            line = indent + name
        else:
            line = f"{line}, {name}"
    yield line


def _column(column: exp.Expr, dialect: str, indent: str) -> str:
    flat = _flat(column, dialect)
    if not WIDTH < len(flat) <= LONG or "\n" in flat or column.find(*BRANCHING) is None:
        return indent + flat
    pretty = _writer(dialect).generate(column, copy=False)
    return textwrap.indent(pretty, indent)


class _Lines:
    """A row of a decision is a line, and what is short is not torn apart."""

    def case_sql(self: Any, expression: exp.Case) -> str:
        start = " ".join(["CASE", *filter(None, [self.sql(expression, "this")])])
        arms = [(self.sql(arm, "this"), self.sql(arm, "true")) for arm in expression.args["ifs"]]
        parts = [_arm(condition, value) for condition, value in arms]
        default = self.sql(expression, "default")
        parts += [f"ELSE {default}"] if default else []
        together = " ".join([start, *parts, "END"])
        if len(together) <= SHORT and "\n" not in together:
            return together
        lines = "\n".join([start, *parts, "END"])
        return str(self.indent(lines, skip_first=True, skip_last=True))

    def paren_sql(self: Any, expression: exp.Paren) -> str:
        inside = self.sql(expression, "this")
        return f"({inside})" if "\n" not in inside else f"(\n{self.indent(inside)}\n)"


def _arm(condition: str, value: str) -> str:
    first_line = value.partition("\n")[0]
    if "\n" in condition or len(condition) + len(first_line) > WIDTH:
        return f"WHEN {condition}\nTHEN {value}"
    return f"WHEN {condition} THEN {value}"


@cache
def _writer(dialect: str) -> Generator:
    known = Writer.get_or_raise(dialect)
    lines = type("Lines", (_Lines, known.generator_class), {})
    writer: Generator = lines(dialect=known, identify=True, pretty=True, max_text_width=SHORT)
    return writer


def _flat(tree: exp.Expr, dialect: str) -> str:
    return tree.sql(dialect=dialect, identify=True, copy=False)
