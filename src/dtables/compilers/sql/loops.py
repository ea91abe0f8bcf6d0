"""Going through lists: filters, `for`, `some`, `every`."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from sqlglot import exp

from dtables.compilers.sql.operations import (
    Variable,
    XAny,
    XFilter,
    XFlatten,
    XItem,
    XMap,
    XRange,
    going,
)
from dtables.compilers.sql.plan import Plan, Scope
from dtables.compilers.sql.shapes import BOOLEAN, TEXT, WHOLE_NUMBER, data_type, list_of
from dtables.compilers.sql.terms import (
    FALSE,
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
from dtables.feel.types import (
    WHOLE,
    ListType,
    NumberType,
    RangeType,
    Type,
    describe,
    may_be_null,
    plain,
    without_null,
)
from dtables.model.expressions import Binding, Expression, Filter, For, MakeRange, Quantified, Quantifier


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


def item_type(of: Type) -> Type:
    kind = plain(of)
    assert isinstance(kind, ListType)
    return kind.item


def mapped(items: Tree, variable: Variable, body: Tree, item: exp.DataType) -> Tree:
    return typed(XMap(this=items, expression=going(variable.this.this, body)), list_of(item))


def filtered(items: Tree, variable: Variable, condition: Tree) -> Tree:
    made = XFilter(this=items, expression=going(variable.this.this, condition))
    return typed(made, list_of(variable.type or TEXT))


def has_any(items: Tree, variable: Variable, condition: Tree) -> Tree:
    return typed(XAny(this=items, expression=going(variable.this.this, condition)), BOOLEAN)


def whole(term: Term, inner: Scope) -> Term:
    """The body of a lambda with all that it holds."""
    problem = None if term.problem is None else inner.whole(term.problem)
    return Term(inner.whole(term.value), term.type, problem)


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


def _filtered(node: Filter, scope: Scope) -> Term:
    plan, items = scope.plan, scope.term(node.of)
    item, inner = scope.inside(node.item)
    condition = whole(inner.term(node.condition), inner)
    value = items.value if condition.value == TRUE else filtered(items.value, item, condition.value)
    problem = first_in(items.value, item, condition.problem, plan)
    return Term(value, node.type, first_problem([items.problem, problem]))


# -- several lists ---------------------------------------------------------------------------------


class _Loop:
    """The bindings of a loop, outermost first; `wound` puts the lists around what is worked out inside."""

    def __init__(self, bindings: tuple[Binding, ...], scope: Scope) -> None:
        self.plan = scope.plan
        self.lists: list[tuple[Term, Variable]] = []
        self.scopes: list[Scope] = []
        inner = scope
        for binding in bindings:
            items = _source(binding, inner)
            variable, inner = inner.inside(binding.variable)
            self.lists.append((items, variable))
            self.scopes.append(inner)
        self.inner = inner

    def every(self, body: Tree, item: exp.DataType) -> Tree:
        """The body's value for each combination, as one list."""
        ((items, variable), inner), *outer = self._outwards()
        made = mapped(items.value, variable, inner.whole(body), item)
        for (items, variable), inner in outer:
            made = mapped(items.value, variable, inner.whole(made), list_of(item))
            made = typed(XFlatten(this=made), list_of(item))
        return made

    def _outwards(self) -> list[tuple[tuple[Term, Variable], Scope]]:
        return list(zip(reversed(self.lists), reversed(self.scopes), strict=True))

    def some(self, condition: Tree) -> Tree:
        for (items, variable), inner in self._outwards():
            condition = has_any(items.value, variable, inner.whole(condition))
        return condition

    def problem(self, inside: Tree | None, outcome: Callable[[Tree], Tree]) -> Tree | None:
        """What is wrong with the lists or inside, combination by combination. `outcome` takes the text of
        what is worked out inside, and may end the loop."""
        made = inside
        innermost = True
        for (items, variable), inner in self._outwards():
            if made is not None:
                told = inner.whole(outcome(made) if innermost else made)
                made = first_in(items.value, variable, told, self.plan)
            innermost = False
            made = first_problem([items.problem, made])
        return made


def _source(binding: Binding, scope: Scope) -> Term:
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
    if node.partial is not None:
        return scope.plan.cannot("`partial`, the results so far", node.where, node.type)
    loop = _Loop(node.bindings, scope)
    result = loop.inner.term(node.result)
    item = data_type(item_type(node.type), scope.plan.stored) or TEXT
    body = exp.Cast(this=result.value, to=item) if isinstance(result.value, exp.Null) else result.value
    problem = loop.problem(result.problem, lambda text: text)
    return Term(loop.every(body, item), node.type, problem)


SETTLED = ""
"""Stands among problems where a loop ends without one."""


def _quantified(node: Quantified, scope: Scope) -> Term:
    """Three-valued, as a chain of `or` or `and`; ends where the result is settled."""
    loop = _Loop(node.bindings, scope)
    condition = loop.inner.term(node.condition)
    some = node.quantifier is Quantifier.SOME
    held = condition.value if some else negated(condition.value)
    found: Tree = loop.some(held)
    if condition.may_be_null:
        unsaid = exp.Is(this=paren(condition.value), expression=exp.Null())
        open_ = loop.some(unsaid)
        found = exp.Case(
            ifs=[exp.If(this=found, true=TRUE), exp.If(this=open_, true=exp.Null())], default=FALSE
        )
    value = found if some else negated(found)
    return Term(value, node.type, _quantified_problem(loop, condition, held))


def _quantified_problem(loop: _Loop, condition: Term, held: Tree) -> Tree | None:
    if condition.problem is None:
        return loop.problem(None, lambda text: text)

    def ending(text: Tree) -> Tree:
        return case([(not_null(text), text), (certainly(held), literal(SETTLED))])

    problem = loop.problem(condition.problem, ending)
    assert problem is not None
    return exp.Nullif(this=problem, expression=literal(SETTLED))
