"""Pieces of spelled trees that more than one dialect makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from dtables.compilers.sql.dialects.lowering import Cannot, FreshNames, Speller
from dtables.compilers.sql.dialects.shapes import (
    COMPARED_MAPS,
    Tree,
    cast,
    holds_map,
    is_map,
    map_holds_map,
    shape_of,
)

ZERO, ONE = exp.Literal.number(0), exp.Literal.number(1)
INT = exp.DataType(this=exp.DType.INT)
TRUE, FALSE, NULL = exp.Boolean(this=True), exp.Boolean(this=False), exp.Null()


def call(function: str, *arguments: Tree) -> exp.Anonymous:
    """A function by the name that the dialect has for it."""
    return exp.Anonymous(this=function, expressions=list(arguments))


def try_cast(value: Tree, to: exp.DataType) -> exp.TryCast:
    """Null where it cannot be cast."""
    result = exp.TryCast(this=value, to=to, safe=True)
    result.type = to
    return result


def read(name: str) -> exp.Column:
    return exp.Column(this=exp.to_identifier(name, quoted=True))


def going(body: Tree, *names: str) -> exp.Lambda:
    return exp.Lambda(this=body, expressions=[exp.to_identifier(name, quoted=True) for name in names])


def variable_of(lambda_: Tree) -> str:
    return str(lambda_.expressions[0].name)


def either(condition: Tree, then: Tree, otherwise: Tree | None = None) -> exp.Case:
    """Without `otherwise`: null."""
    arms = [exp.If(this=condition, true=then)]
    return exp.Case(ifs=arms) if otherwise is None else exp.Case(ifs=arms, default=otherwise)


def coalesce(first: Tree, *others: Tree) -> exp.Coalesce:
    return exp.Coalesce(this=first, expressions=list(others))


def is_not_null(tree: Tree) -> exp.Not:
    return exp.Not(this=exp.Is(this=tree, expression=exp.Null()))


def same(left: Tree, right: Tree) -> exp.NullSafeEQ:
    return exp.NullSafeEQ(this=left, expression=right)


def plus(left: Tree, right: Tree) -> exp.Add:
    return exp.Add(this=left, expression=right)


def minus(left: Tree, right: Tree) -> exp.Sub:
    return exp.Sub(this=left, expression=right)


def as_int(number: Tree) -> Tree:
    """At 32 bits, as some functions want it."""
    return number if isinstance(number, exp.Literal) else cast(number, INT)


def remainder(dividend: Tree, divisor: Tree) -> Tree:
    """With the divisor's sign, where the database gives it the dividend's."""
    cut = exp.Mod(this=dividend, expression=divisor)
    return exp.Mod(this=plus(cut, divisor), expression=divisor)


def select(
    value: Tree | list[Tree],
    rows: Tree,
    where: Tree | None = None,
    order: Sequence[Tree] = (),
    limit: Tree | None = None,
) -> exp.Select:
    """Without sqlglot's builders, which copy all that was built at every step."""
    query = exp.Select(expressions=value if isinstance(value, list) else [value], from_=exp.From(this=rows))
    if where is not None:
        query.set("where", exp.Where(this=where))
    if order:
        query.set("order", exp.Order(expressions=list(order)))
    if limit is not None:
        query.set("limit", exp.Limit(expression=limit))
    return query


# -- spellers ------------------------------------------------------------------------------------


def function(name: str) -> Speller:
    """All operands, in their order."""

    def spell(tree: Tree, _: FreshNames) -> Tree:
        return call(name, *operands(tree))

    return spell


def typed_function(name: str) -> Speller:
    """Brought to the operation's own type, where the function answers in another."""

    def spell(tree: Tree, _: FreshNames) -> Tree:
        result: Tree = call(name, *operands(tree))
        return result if tree.type is None else cast(result, tree.type)

    return spell


def spell_add_days(tree: Tree, _: FreshNames) -> Tree:
    """A date and a number are a date, where the number has 32 bits."""
    days = tree.expression
    if isinstance(days, exp.Neg) and isinstance(days.this, exp.Literal):
        return minus(tree.this, days.this)
    return plus(tree.this, as_int(days))


def halving(size: Tree) -> list[Tree]:
    """The steps of a search among so many: each half of the one before, the last is 1."""
    most = int(size.name).bit_length()
    return [exp.Literal.number(1 << power) for power in reversed(range(most))]


def step_further(value: Tree, so_far: Tree, step: Tree, cut: Tree, behind: bool) -> Tree:
    """Beyond the last cut there is null, and the search stays where it is."""
    further = plus(so_far, step)
    passed = exp.GT if behind else exp.GTE
    return either(passed(this=value, expression=cut), further, so_far)


def comparison(sorted_entries: Callable[[Tree], Tree]) -> Speller:
    """Null-safe equality of all but what holds a map; maps are equal by their entries in one order."""

    def spell(tree: Tree, _: FreshNames) -> Tree | Cannot:
        shape = shape_of(tree.this) or shape_of(tree.expression)
        if is_map(shape) and not map_holds_map(shape):
            return same(sorted_entries(tree.this), sorted_entries(tree.expression))
        if holds_map(shape):
            return Cannot(COMPARED_MAPS)
        return same(tree.this, tree.expression)

    return spell


def cannot(construct: str) -> Speller:
    def spell(_: Tree, __: FreshNames) -> Cannot:
        return Cannot(construct)

    return spell


def operands(tree: Tree) -> list[Tree]:
    return [tree.args[key] for key in ("this", "expression", "length") if tree.args.get(key) is not None]
