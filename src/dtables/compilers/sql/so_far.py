"""Loops that read their results so far: `partial`."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from dtables.compilers.sql.loops import Loop, first_in, item_type, joined, mapped, source_of
from dtables.compilers.sql.operations import (
    Variable,
    XCount,
    XGet,
    XGrow,
    XItem,
    XList,
    XPlaces,
    XRecord,
    going,
)
from dtables.compilers.sql.plan import Frame, Scope, SoFar
from dtables.compilers.sql.shapes import TEXT, WHOLE_NUMBER, data_type, list_of, struct_of
from dtables.compilers.sql.steps import gone
from dtables.compilers.sql.terms import NULL, Term, Tree, first_problem, literal, typed
from dtables.compilers.sql.variables import replaced
from dtables.feel.types import WHOLE, ListType
from dtables.model.expressions import CallBuiltin, For, Read
from dtables.model.expressions import Variable as Named
from dtables.model.walk import nodes


def gone_through(node: For, partial: Named, scope: Scope) -> Term:
    """Most loops only ask how many results there are: as many as items came before."""
    if len(node.bindings) > 1:
        return scope.plan.cannot("`partial`, the results so far, of several lists", node.where, node.type)
    if _is_only_counted(partial, node):
        return _numbered(node, partial, scope)
    return _grown(node, partial, scope)


def _is_only_counted(partial: Named, node: For) -> bool:
    inside = list(nodes(node.result))
    read = sum(isinstance(one, Read) and one.variable == partial for one in inside)
    return read == sum(_counts(one, partial) for one in inside)


def _counts(node: object, partial: Named) -> bool:
    match node:
        case CallBuiltin(builtin="count", arguments=(Read(variable=variable),)):
            return variable == partial
        case _:
            return False


def _numbered(node: For, partial: Named, scope: Scope) -> Term:
    """Over the places of the list."""
    (binding,) = node.bindings
    items = source_of(binding, scope)
    listed = scope.held(binding.variable.name, replace(items, problem=None))
    places = Term(typed(XPlaces(this=listed.value), list_of(WHOLE_NUMBER)), ListType(WHOLE), items.problem)
    place = scope.plan.variable("place", WHOLE_NUMBER)
    inner = replace(scope, frames=(*scope.frames, Frame(place.this.this)))
    of = item_type(items.type)
    item = typed(XItem(this=listed.value, expression=place), data_type(of, scope.plan.stored) or TEXT)
    inner = inner.bind(binding.variable, inner.held(binding.variable.name, Term(item, of)))
    before = Term(exp.Sub(this=place, expression=literal(1)), WHOLE)
    loop = Loop((), scope)
    loop.go_through(places, place, inner.bind(partial, SoFar(Term(NULL, partial.type), before)))
    return joined(loop, node)


# -- the results themselves ------------------------------------------------------------------------


class Walk:
    """The variables of a list that grows: so far a list of results, each with what is wrong with it. The body
    is that of a lambda over one row of both, so that what it holds has a place."""

    def __init__(self, item: str, of: exp.DataType, value: exp.DataType, scope: Scope) -> None:
        plan = scope.plan
        self.value = value
        self.result = struct_of([("value", self.value), ("problem", TEXT)])
        self.so_far = plan.variable("results", list_of(self.result))
        self.item = plan.variable(item, of)
        self.kind = struct_of([("results", list_of(self.result)), ("item", of)])
        self.row = plan.variable("walk", self.kind)
        self.frame = Frame(self.so_far.this.this)
        self.frame.names.add(self.item.this.this)
        self.scope = replace(scope, frames=(*scope.frames, self.frame, Frame(self.row.this.this)))

    def read(self, name: str, of: exp.DataType) -> Tree:
        return typed(XGet(this=self.row, expression=exp.to_identifier(name)), of)

    def body(self, value: Tree, problem: Tree | None) -> Tree:
        told = exp.Cast(this=NULL, to=TEXT) if problem is None else problem
        record = _record(self.result, value=value, problem=told)
        both = _record(self.kind, results=self.so_far, item=self.item)
        alone = typed(XList(expressions=[both]), list_of(self.kind))
        rows = gone(alone, self.row, self.scope, record)
        made = mapped(rows.rows, rows.row, rows.bodies[0] or record, self.result)
        body: Tree = typed(XItem(this=made, expression=literal(1)), self.result)
        for held in reversed(self.frame.kept):
            body = replaced(body, {held.name: held.tree})
        return body

    def grown(self, items: Tree, result: Term, outside: Scope) -> tuple[Tree, Tree | None]:
        """All results, where each is worked out by `result`, and what is wrong with the first that fails."""
        null = isinstance(result.value, exp.Null)
        value = exp.Cast(this=NULL, to=self.value) if null else result.value
        lambda_ = going(self.so_far.this.this, self.body(value, result.problem), self.item.this.this)
        kind = list_of(self.result)
        every = outside.held_as("results", typed(XGrow(this=items, expression=lambda_), kind), kind)
        each = outside.plan.variable("result", self.result)
        told = None if result.problem is None else _of(each, "problem", TEXT)
        return every, first_in(every, each, told, outside.plan)

    def values(self, results: Tree) -> Tree:
        each = self.scope.plan.variable("result", self.result)
        return mapped(results, each, _of(each, "value", self.value), self.value)


def _grown(node: For, partial: Named, scope: Scope) -> Term:
    (binding,) = node.bindings
    items = source_of(binding, scope)
    of = item_type(items.type)
    kind = data_type(of, scope.plan.stored) or TEXT
    value = data_type(item_type(node.type), scope.plan.stored) or TEXT
    walk = Walk(binding.variable.name, kind, value, scope)
    inner = walk.scope.bind(binding.variable, Term(walk.read("item", walk.item.type or TEXT), of))
    results = walk.read("results", list_of(walk.result))
    values = inner.held("partial", Term(walk.values(results), partial.type))
    count = typed(XCount(this=results), WHOLE_NUMBER)
    result = inner.bind(partial, SoFar(values, Term(count, WHOLE))).term(node.result)
    every, problem = walk.grown(items.value, result, scope)
    return Term(walk.values(every), node.type, first_problem([items.problem, problem]))


def _of(row: Variable, field: str, kind: exp.DataType) -> Tree:
    return typed(XGet(this=row, expression=exp.to_identifier(field)), kind)


def _record(kind: exp.DataType, **fields: Tree) -> Tree:
    pairs = [exp.PropertyEQ(this=exp.to_identifier(name), expression=tree) for name, tree in fields.items()]
    return typed(XRecord(expressions=pairs), kind)
