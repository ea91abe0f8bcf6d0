"""Values of the neutral tree, each with what may be wrong with it, and how they are put together.

Trees are never changed once made, so a node may stand in several places. Constants are folded here, so
that a table called with constants comes out as small as it can.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from sqlglot import exp

from dtables.compilers.sql.neutral import Operation, Variable
from dtables.feel.types import Type, may_be_null
from dtables.feel.values import Date, DateTime, DaysDuration, YearsDuration

Tree = exp.Expr


@dataclass(frozen=True, slots=True)
class Term:
    """A value; `problem` is null where it could be computed, else the text that explains why not and where.
    The value then means nothing."""

    value: Tree
    type: Type
    problem: Tree | None = None

    @property
    def may_be_null(self) -> bool:
        return may_be_null(self.type)


# -- constants -----------------------------------------------------------------------------------

NULL = exp.Null()
TRUE = exp.Boolean(this=True)
FALSE = exp.Boolean(this=False)
NANOS = 1_000_000_000

Constant = int | Decimal | str | bool | Date | DateTime | DaysDuration | YearsDuration | None


def literal(value: Constant) -> Tree:
    match value:
        case None:
            return NULL
        case bool():
            return TRUE if value else FALSE
        case int() | Decimal():
            return _number(value)
        case str():
            return exp.Literal.string(value)
        case DaysDuration(nanos=nanos):
            return _number(Decimal(nanos).scaleb(-9) if nanos % NANOS else nanos // NANOS)
        case YearsDuration(months=months):
            return _number(months)
        case DateTime():
            return exp.Cast(this=exp.Literal.string(str(value)), to=exp.DataType(this=exp.DType.TIMESTAMPNTZ))
        case _:
            return exp.Cast(this=exp.Literal.string(str(value)), to=exp.DataType(this=exp.DType.DATE))


def _number(value: int | Decimal) -> Tree:
    number = exp.Literal.number(format(abs(value), "f") if isinstance(value, Decimal) else str(abs(value)))
    return exp.Neg(this=number) if value < 0 else number


def is_constant(tree: Tree) -> bool:
    return isinstance(tree.this if isinstance(tree, (exp.Neg, exp.Cast)) else tree, LITERALS)


LITERALS = (exp.Literal, exp.Boolean, exp.Null)


def is_trivial(tree: Tree) -> bool:
    """No work at all: it may stand in as many places as it likes."""
    return is_constant(tree) or isinstance(tree, (exp.Column, Variable))


# -- logic -----------------------------------------------------------------------------------------


def all_of(conditions: Iterable[Tree]) -> Tree:
    return _joined(exp.And, conditions, TRUE, FALSE)


def any_of(conditions: Iterable[Tree]) -> Tree:
    return _joined(exp.Or, conditions, FALSE, TRUE)


def _joined(
    connector: type[exp.And] | type[exp.Or], conditions: Iterable[Tree], neutral: Tree, settled: Tree
) -> Tree:
    kept: list[Tree] = []
    for condition in conditions:
        if condition == settled:
            return settled
        if condition != neutral:
            kept.append(condition)
    return _balanced(connector, kept) if kept else neutral


def _balanced(connector: type[exp.And] | type[exp.Or], parts: list[Tree]) -> Tree:
    """Hundreds of conditions must not nest hundreds deep."""
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    left, right = _balanced(connector, parts[:half]), _balanced(connector, parts[half:])
    return connector(this=paren(left), expression=paren(right))


def paren(tree: Tree) -> Tree:
    """Operators keep their operands together, whatever binds stronger."""
    return exp.Paren(this=tree) if isinstance(tree, (exp.Binary, exp.Not, exp.In)) else tree


def negated(tree: Tree) -> Tree:
    match tree:
        case exp.Boolean():
            return FALSE if tree.this else TRUE
        case exp.Null():
            return NULL
        case exp.Not():
            inner = tree.this
            inside: Tree = inner.this if isinstance(inner, exp.Paren) else inner
            return inside
        case _:
            return exp.Not(this=paren(tree))


def is_null(tree: Tree) -> Tree:
    if is_constant(tree):
        return literal(isinstance(tree, exp.Null))
    return exp.Is(this=paren(tree), expression=exp.Null())


def not_null(tree: Tree) -> Tree:
    return negated(is_null(tree))


def certainly(condition: Tree) -> Tree:
    """True, or else false: null counts as false."""
    if isinstance(condition, exp.Boolean):
        return condition
    return FALSE if isinstance(condition, exp.Null) else coalesce([condition, FALSE])


# -- choices ---------------------------------------------------------------------------------------


def case(branches: Iterable[tuple[Tree, Tree]], otherwise: Tree = NULL) -> Tree:
    """The value of the first condition that is true."""
    kept: list[tuple[Tree, Tree]] = []
    for condition, value in branches:
        if condition == TRUE:
            otherwise = value
            break
        if not isinstance(condition, exp.Null) and condition != FALSE:
            kept.append((condition, value))
    while kept and kept[-1][1] == otherwise:
        kept.pop()
    if not kept:
        return otherwise
    arms = [exp.If(this=condition, true=value) for condition, value in kept]
    if isinstance(otherwise, exp.Null):
        return exp.Case(ifs=arms)
    return exp.Case(ifs=arms, default=otherwise)


def coalesce(trees: Sequence[Tree]) -> Tree:
    known = [part for tree in trees for part in _coalesced(tree) if not isinstance(part, exp.Null)]
    if not known:
        return NULL
    return known[0] if len(known) == 1 else exp.Coalesce(this=known[0], expressions=known[1:])


def _coalesced(tree: Tree) -> list[Tree]:
    return [tree.this, *tree.expressions] if isinstance(tree, exp.Coalesce) else [tree]


# -- problems --------------------------------------------------------------------------------------


def first_problem(problems: Iterable[Tree | None]) -> Tree | None:
    """Of terms computed one after another."""
    known = [p for p in problems if p is not None and not isinstance(p, exp.Null)]
    return coalesce(known) if known else None


def problem_if(condition: Tree, problem: Tree | None) -> Tree | None:
    if problem is None:
        return None
    guarded = case([(condition, problem)])
    return None if isinstance(guarded, exp.Null) else guarded


def also(term: Term, *problems: Tree | None) -> Term:
    """The term, where nothing of these was wrong before."""
    return replace(term, problem=first_problem([*problems, term.problem]))


def typed(operation: Operation, type_: exp.DataType) -> Operation:
    operation.type = type_
    return operation
