"""Durations as numbers: one of days and time is its seconds, one of years and months its months.

What is known to be so many whole days is reckoned and compared in days.
"""

from __future__ import annotations

from decimal import Decimal

from sqlglot import exp

from dtables.compilers.sql.operations import XDivide, XFloor, XSecondsBetween
from dtables.compilers.sql.shapes import WHOLE_NUMBER, decimal
from dtables.compilers.sql.terms import Tree, literal, paren, typed

DAY = 86_400


def of_days(days: Tree) -> Tree:
    """Their seconds."""
    known = number_in(days)
    if known is not None:
        return literal(known * DAY)
    made = exp.Mul(this=paren(days), expression=literal(DAY))
    made.meta["days"] = days
    return made


def days_in(seconds: Tree) -> Tree | None:
    """None where they are not known to be whole days."""
    inside = seconds.unnest()
    told: Tree | None = inside.meta.get("days")
    if told is not None:
        return told
    known = number_in(inside)
    return literal(int(known) // DAY) if known is not None and known % DAY == 0 else None


def number_in(tree: Tree) -> int | Decimal | None:
    match tree.unnest():
        case exp.Neg(this=exp.Literal() as inner):
            return -_number(inner)
        case exp.Literal() as inner if not inner.is_string:
            return _number(inner)
        case _:
            return None


def _number(tree: exp.Literal) -> int | Decimal:
    known = Decimal(tree.this)
    return int(known) if known == int(known) else known


def is_whole(seconds: Tree) -> bool:
    """Without parts of a second, as far as it can be seen."""
    inside = seconds.unnest()
    if days_in(inside) is not None or isinstance(inside, XSecondsBetween):
        return True
    if isinstance(inside, exp.Neg):
        return is_whole(inside.this)
    return isinstance(number_in(inside), int)


def in_days(left: Tree, right: Tree) -> tuple[Tree, Tree]:
    """Two that are compared: in days, where both are of whole days."""
    if "days" not in left.unnest().meta and "days" not in right.unnest().meta:
        return left, right
    mine, theirs = days_in(left), days_in(right)
    return (left, right) if mine is None or theirs is None else (mine, theirs)


def whole_days(seconds: Tree) -> Tree:
    """The days that are full, counted downwards: an hour before midnight is the day before."""
    told = days_in(seconds)
    return quotient(whole_seconds(seconds), DAY) if told is None else told


def whole_seconds(seconds: Tree) -> Tree:
    return typed(XFloor(this=seconds), WHOLE_NUMBER)


def quotient(number: Tree, divisor: int) -> Tree:
    """The greatest whole number not above."""
    divided = typed(XDivide(this=number, expression=literal(divisor)), decimal())
    return typed(XFloor(this=divided), WHOLE_NUMBER)


def negative(number: Tree) -> Tree:
    match number:
        case exp.Neg():
            inner: Tree = number.this
            return inner
        case _ if (told := number.unnest().meta.get("days")) is not None:
            return of_days(negative(told))
        case _:
            return exp.Neg(this=paren(number))
