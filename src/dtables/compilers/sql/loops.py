"""Going through lists: filters, `for`, `some`, `every`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import assert_never

from sqlglot import exp

from dtables.compilers.sql.neutral import (
    Variable,
    XAny,
    XCount,
    XFilter,
    XFlatten,
    XGet,
    XGrow,
    XItem,
    XList,
    XMap,
    XPlaces,
    XRange,
    XRecord,
    going,
)
from dtables.compilers.sql.plan import Frame, Plan, Scope, SoFar, replaced
from dtables.compilers.sql.sharing import Gone, gone
from dtables.compilers.sql.terms import (
    FALSE,
    NULL,
    TRUE,
    Term,
    Tree,
    case,
    certainly,
    first_problem,
    is_null,
    literal,
    negated,
    not_null,
    paren,
    typed,
)
from dtables.compilers.sql.types import BOOLEAN, TEXT, WHOLE_NUMBER, data_type, list_of, struct_of
from dtables.feel.types import (
    WHOLE,
    AnyType,
    ListType,
    NumberType,
    RangeType,
    Type,
    UnknownType,
    describe,
    item_type,
    may_be_null,
    plain,
    without_null,
)
from dtables.model.expressions import (
    Binding,
    CallBuiltin,
    Expression,
    Filter,
    For,
    MakeRange,
    Quantified,
    Quantifier,
    Read,
)
from dtables.model.expressions import Variable as Named
from dtables.model.reach import nodes


def gone_through(node: Filter | For | Quantified, scope: Scope) -> Term:
    match node:
        case Filter():
            return _filtered(node, scope)
        case For():
            return _for(node, scope)
        case Quantified():
            return _quantified(node, scope)
        case _:
            assert_never(node)


# -- one list at a time ----------------------------------------------------------------------------


def item_variable(plan: Plan, hint: str, of: Type) -> Variable:
    return plan.variable(hint, data_type(of, plan.stored) or TEXT)


def mapped(items: Tree, variable: Variable, body: Tree, item: exp.DataType) -> Tree:
    return typed(XMap(this=items, expression=going(variable.this.this, body)), list_of(item))


def filtered(items: Tree, variable: Variable, condition: Tree) -> Tree:
    filter_ = XFilter(this=items, expression=going(variable.this.this, condition))
    return typed(filter_, list_of(variable.type or TEXT))


def has_any(items: Tree, variable: Variable, condition: Tree) -> Tree:
    return typed(XAny(this=items, expression=going(variable.this.this, condition)), BOOLEAN)


def first_in(items: Tree, variable: Variable, problem: Tree | None, plan: Plan) -> Tree | None:
    """The first problem of a list's items."""
    if problem is None:
        return None
    return first_of(mapped(items, variable, problem, TEXT), plan)


def first_of(texts: Tree, plan: Plan) -> Tree:
    """The first text that is not null."""
    text = plan.variable("problem", TEXT)
    there = filtered(texts, text, not_null(text))
    return typed(XItem(this=there, expression=literal(1)), TEXT)


def left_of(rows: Gone, condition: Tree, item: Tree) -> Tree:
    """The items for which the condition is true; `item` reads one out of its row."""
    left = filtered(rows.rows, rows.row, condition)
    return left if item is rows.row else mapped(left, rows.row, item, item.type or TEXT)


def _filtered(node: Filter, scope: Scope) -> Term:
    items = scope.term(node.of)
    item, inner = scope.inside(node.item)
    condition = inner.term(node.condition)
    if condition.value == TRUE and condition.problem is None:
        return Term(items.value, node.type, items.problem)
    rows = gone(items.value, item, inner, condition.value, condition.problem, item)
    holds, row_problem, whole = rows.bodies
    assert holds is not None and whole is not None
    problem = first_in(rows.rows, rows.row, row_problem, scope.plan)
    return Term(left_of(rows, holds, whole), node.type, first_problem([items.problem, problem]))


# -- several lists ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Winding:
    """What becomes of a body over the innermost list, and of that over the lists around it."""

    inmost: Callable[[Gone, Tree], Tree]
    outward: Callable[[Gone, Tree], Tree]


class Loop:
    """The bindings of a loop, outermost first."""

    def __init__(self, bindings: tuple[Binding, ...], scope: Scope) -> None:
        self.plan = scope.plan
        self.lists: list[tuple[Term, Variable]] = []
        self.scopes: list[Scope] = []
        self.inner = scope
        for binding in bindings:
            items = source_of(binding, self.inner)
            self.go_through(items, *self.inner.inside(binding.variable))

    def go_through(self, items: Term, variable: Variable, inner: Scope) -> None:
        self.lists.append((items, variable))
        self.scopes.append(inner)
        self.inner = inner

    def wound(self, winding: Winding, inside: Tree | None, *bodies: Tree) -> tuple[Tree | None, list[Tree]]:
        """The lists around what is worked out inside, and what is wrong with them or inside, combination by
        combination."""
        values, problem, inmost = list(bodies), inside, True
        for (items, variable), inner in zip(reversed(self.lists), reversed(self.scopes), strict=True):
            rows = gone(items.value, variable, inner, problem, *values)
            problem, *found = rows.bodies
            wind = winding.inmost if inmost else winding.outward
            values = [wind(rows, body) for body in found if body is not None]
            problem = first_problem([items.problem, first_in(rows.rows, rows.row, problem, self.plan)])
            inmost = False
        return problem, values


def source_of(binding: Binding, scope: Scope) -> Term:
    written = binding.source
    if isinstance(written, MakeRange) and written.low is not None and written.high is not None:
        return _counted(scope.term(written.low), scope.term(written.high), binding, scope)
    source = scope.term(written)
    if binding.end is not None:
        return _counted(source, scope.term(binding.end), binding, scope)
    kind = plain(source.type)
    if isinstance(kind, RangeType):
        return scope.plan.cannot("a range that is gone through", binding.source.where, ListType(WHOLE))
    if not isinstance(kind, ListType):
        return scope.plan.cannot(
            f"a loop over a value of type {describe(source.type)}", binding.source.where, ListType(WHOLE)
        )
    return _there(source, binding.source, "null is no list to go through")


def _there(term: Term, node: Expression, message: str) -> Term:
    if not may_be_null(term.type):
        return term
    problem = case([(is_null(term.value), literal(f"{node.where}: {message}"))])
    return Term(term.value, without_null(term.type), first_problem([term.problem, problem]))


def _counted(start: Term, end: Term, binding: Binding, scope: Scope) -> Term:
    for term in (start, end):
        kind = plain(term.type)
        if not (isinstance(kind, NumberType) and kind.whole):
            what = f"a loop over values of type {describe(term.type)}"
            return scope.plan.cannot(what, binding.source.where, ListType(WHOLE))
    message = "a loop counts whole numbers or dates, not null"
    start = _there(start, binding.source, message)
    end = _there(end, binding.source, message)
    value = typed(XRange(this=start.value, expression=end.value), list_of(WHOLE_NUMBER))
    return Term(value, ListType(WHOLE), first_problem([start.problem, end.problem]))


def _for(node: For, scope: Scope) -> Term:
    return joined(Loop(node.bindings, scope), node)


def joined(loop: Loop, node: For) -> Term:
    """The result for each combination, as one list."""
    result = loop.inner.term(node.result)
    of = item_type(node.type)
    if isinstance(of, (UnknownType, AnyType)):  # another ask's answer, whose fields are known here
        of = result.type
    item = data_type(of, loop.plan.stored) or TEXT
    body = exp.Cast(this=result.value, to=item) if isinstance(result.value, exp.Null) else result.value
    problem, (items,) = loop.wound(_joining(item), result.problem, body)
    return Term(items, ListType(of), problem)


def _joining(item: exp.DataType) -> Winding:
    """A value for each combination, as one list."""

    def joined(rows: Gone, lists: Tree) -> Tree:
        nested = mapped(rows.rows, rows.row, lists, list_of(item))
        return typed(XFlatten(this=nested), list_of(item))

    return Winding(lambda rows, body: mapped(rows.rows, rows.row, body, item), joined)


def _some(rows: Gone, condition: Tree) -> Tree:
    return has_any(rows.rows, rows.row, condition)


SETTLED = ""
"""Stands among problems where a loop ends without one."""


def _quantified(node: Quantified, scope: Scope) -> Term:
    """Three-valued, as a chain of `or` or `and`; ends where the result is settled."""
    loop = Loop(node.bindings, scope)
    condition = loop.inner.term(node.condition)
    some = node.quantifier is Quantifier.SOME
    held = condition.value if some else negated(condition.value)
    inside = condition.problem and _ending(condition.problem, held)
    undecided = [exp.Is(this=paren(condition.value), expression=exp.Null())] if condition.may_be_null else []
    problem, (found, *opened) = loop.wound(SOME, inside, held, *undecided)
    for open_ in opened:
        arms = [exp.If(this=found, true=TRUE), exp.If(this=open_, true=exp.Null())]
        found = exp.Case(ifs=arms, default=FALSE)
    unsettled = problem if inside is None else exp.Nullif(this=problem, expression=literal(SETTLED))
    return Term(found if some else negated(found), node.type, unsettled)


SOME = Winding(_some, _some)


def _ending(problem: Tree, settled: Tree) -> Tree:
    """The loop ends where an item settles it."""
    return case([(not_null(problem), problem), (certainly(settled), literal(SETTLED))])


# -- results so far ---------------------------------------------------------------------------------
# Loops that read their results so far: `partial`.


def accumulated(node: For, partial: Named, scope: Scope) -> Term:
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


class GrowingList:
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
        message = exp.Cast(this=NULL, to=TEXT) if problem is None else problem
        record = _record(self.result, value=value, problem=message)
        both = _record(self.kind, results=self.so_far, item=self.item)
        alone = typed(XList(expressions=[both]), list_of(self.kind))
        rows = gone(alone, self.row, self.scope, record)
        results = mapped(rows.rows, rows.row, rows.bodies[0] or record, self.result)
        body: Tree = typed(XItem(this=results, expression=literal(1)), self.result)
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
        problem = None if result.problem is None else _of(each, "problem", TEXT)
        return every, first_in(every, each, problem, outside.plan)

    def values(self, results: Tree) -> Tree:
        each = self.scope.plan.variable("result", self.result)
        return mapped(results, each, _of(each, "value", self.value), self.value)


def _grown(node: For, partial: Named, scope: Scope) -> Term:
    (binding,) = node.bindings
    items = source_of(binding, scope)
    of = item_type(items.type)
    kind = data_type(of, scope.plan.stored) or TEXT
    value = data_type(item_type(node.type), scope.plan.stored) or TEXT
    walk = GrowingList(binding.variable.name, kind, value, scope)
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
