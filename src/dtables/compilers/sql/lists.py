"""Built-ins on lists that take more than one operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlglot import exp

from dtables.compilers.sql.loops import filtered, has_any, item_type, item_variable, mapped
from dtables.compilers.sql.operations import (
    Operation,
    XCount,
    XItem,
    XList,
    XMax,
    XMin,
    XPlaces,
    XSlice,
)
from dtables.compilers.sql.operators import has_order, same
from dtables.compilers.sql.plan import held
from dtables.compilers.sql.shapes import TEXT, WHOLE_NUMBER, data_type, list_of
from dtables.compilers.sql.terms import (
    FALSE,
    NULL,
    TRUE,
    Term,
    Tree,
    all_of,
    any_of,
    case,
    is_null,
    literal,
    negated,
    paren,
    typed,
)
from dtables.feel.types import ListType, describe, join, may_be_null, plain

if TYPE_CHECKING:
    from dtables.compilers.sql.builtins import Call


def with_type(operation: Operation, call: Call) -> Operation:
    return typed(operation, call.scope.plan.data_type(call.node.type, call.node.where))


def count(items: Tree) -> Tree:
    return typed(XCount(this=items), WHOLE_NUMBER)


def several(call: Call) -> Term:
    """`f(list)` or `f(a, b, …)`: one list."""
    if len(call.terms) == 1 and isinstance(plain(call.terms[0].type), ListType):
        return call.terms[0]
    of = ListType(join([term.type for term in call.terms]))
    made = XList(expressions=[term.value for term in call.terms])
    return Term(typed(made, call.scope.plan.data_type(of, call.node.where)), of)


def nulls_in(items: Term, call: Call) -> Tree | None:
    """A null among numbers has no sum, no smallest, no greatest."""
    of = item_type(items.type)
    if not may_be_null(of):
        return None
    item = item_variable(call.scope.plan, "item", of)
    message = f"null is no {describe(plain(of))}"
    return call.problem(has_any(items.value, item, is_null(item)), message)


def smallest(call: Call) -> Term:
    return _extreme(call, XMin)


def greatest(call: Call) -> Term:
    return _extreme(call, XMax)


def _extreme(call: Call, operation: type[XMin] | type[XMax]) -> Term:
    items = several(call)
    if not has_order(item_type(items.type)):
        return call.cannot(f"the order of values of type {describe(item_type(items.type))}")
    return call.operation(operation(this=items.value), nulls_in(items, call))


def index_of(call: Call) -> Term:
    """The places whose item is the same."""
    items, wanted = call.terms
    plan = call.scope.plan

    def found(listed: Term) -> Term:
        place = plan.variable("place", WHOLE_NUMBER)
        of = item_type(items.type)
        item = typed(XItem(this=listed.value, expression=place), data_type(of, plan.stored) or TEXT)
        return Term(filtered(_places(listed.value), place, same(Term(item, of), wanted)), call.node.type)

    return call.made(held(call.scope, "list", _plain_term(items), found).value)


def _plain_term(term: Term) -> Term:
    return Term(term.value, term.type)


def _places(items: Tree) -> Tree:
    return typed(XPlaces(this=items), list_of(WHOLE_NUMBER))


def sublist(call: Call) -> Term:
    """A place or a length that the list does not have is an error."""
    items, start, *length = call.terms
    if isinstance(start.value, exp.Neg):
        return call.cannot("a part of a list counted from its end")
    size = count(items.value)
    outside = [
        exp.LT(this=paren(start.value), expression=literal(1)),
        exp.GT(this=start.value, expression=size),
    ]
    made = XSlice(this=items.value, expression=start.value)
    for many in length:
        made.set("length", many.value)
        end = exp.Add(this=exp.Cast(this=start.value, to=WHOLE_NUMBER), expression=paren(many.value))
        outside.append(exp.LT(this=paren(many.value), expression=literal(0)))
        outside.append(exp.GT(this=end, expression=exp.Add(this=size, expression=literal(1))))
    wrong = any_of(outside)
    value = case([(wrong, NULL)], with_type(made, call))
    return call.made(value, call.problem(wrong, "there are no such places in the list"))


def drop_highest(call: Call) -> Term:
    return _dropped(call, exp.GT)


def drop_lowest(call: Call) -> Term:
    return _dropped(call, exp.LT)


def _dropped(call: Call, comes_first: type[exp.GT] | type[exp.LT]) -> Term:
    """An item stays where as many as are dropped come before it: those beyond it, and of equals the
    earlier."""
    numbers, many = call.terms
    plan, of = call.scope.plan, item_type(numbers.type)
    kind = data_type(of, plan.stored) or TEXT

    def kept(listed: Term) -> Term:
        places = _places(listed.value)
        place, other = plan.variable("place", WHOLE_NUMBER), plan.variable("other", WHOLE_NUMBER)
        mine, theirs = (typed(XItem(this=listed.value, expression=at), kind) for at in (place, other))
        earlier = all_of([exp.EQ(this=theirs, expression=mine), exp.LT(this=other, expression=place)])
        before = filtered(places, other, any_of([comes_first(this=theirs, expression=mine), earlier]))
        stays = filtered(places, place, exp.GTE(this=count(before), expression=paren(many.value)))
        last = plan.variable("place", WHOLE_NUMBER)
        item = typed(XItem(this=listed.value, expression=last), kind)
        return Term(mapped(stays, last, item, kind), call.node.type)

    negative = call.problem(
        exp.LT(this=paren(many.value), expression=literal(0)), "items below 0 cannot be dropped"
    )
    value = held(call.scope, "numbers", _plain_term(numbers), kept).value
    return call.made(value, nulls_in(numbers, call), negative)


def all_true(call: Call) -> Term:
    """Three-valued: false where one is false, else null where one is null."""
    items = several(call)
    some_false = _some(items, call, negated)
    return call.made(_three_valued(some_false, items, call, FALSE, TRUE))


def any_true(call: Call) -> Term:
    items = several(call)
    some_true = _some(items, call, lambda tree: tree)
    return call.made(_three_valued(some_true, items, call, TRUE, FALSE))


def _some(items: Term, call: Call, condition: Callable[[Tree], Tree]) -> Tree:
    item = item_variable(call.scope.plan, "item", item_type(items.type))
    return has_any(items.value, item, condition(item))


def _three_valued(settled: Tree, items: Term, call: Call, then: Tree, otherwise: Tree) -> Tree:
    if not may_be_null(item_type(items.type)):
        return case([(settled, then)], otherwise)
    open_ = _some(items, call, is_null)
    arms = [exp.If(this=settled, true=then), exp.If(this=open_, true=NULL)]
    return exp.Case(ifs=arms, default=otherwise)
