"""What is said more simply before a dialect says it: division where it has an exact answer (by 2, 4, 5, 10,
100 …, and of whole numbers that are rounded).
"""

from __future__ import annotations

from decimal import Decimal

from sqlglot import exp

from dtables.compilers.sql.dialects.shapes import is_whole, shape_of
from dtables.compilers.sql.operations import TWO, Operation, XCeiling, XDivide, XFloor

Tree = exp.Expression


class WholeQuotient(Operation):
    """The greatest whole number not above `this` divided by `expression`, two whole numbers."""

    arg_types = TWO


def rewritten(tree: Tree) -> Tree:
    """The same value, said so that more dialects can say it; the tree itself where there is nothing to do."""
    match tree:
        case XFloor() if isinstance(inner := tree.this.unnest(), XDivide) and _of_wholes(inner):
            return _quotient(inner.this, inner.expression)
        case XCeiling() if isinstance(inner := tree.this.unnest(), XDivide) and _of_wholes(inner):
            return exp.Neg(this=_quotient(exp.Neg(this=inner.this), inner.expression))
        case XDivide():
            return _times_inverse(tree)
        case _:
            return tree


def _of_wholes(division: Tree) -> bool:
    return is_whole(shape_of(division.this)) and is_whole(shape_of(division.expression))


def _quotient(dividend: Tree, divisor: Tree) -> Tree:
    made = WholeQuotient(this=dividend, expression=divisor)
    made.type = exp.DataType(this=exp.DType.BIGINT)
    return made


def _times_inverse(division: Tree) -> Tree:
    """`x / 100` is `x * 0.01`: exact, where the inverse has an end."""
    divisor = division.expression.unnest()
    if not (isinstance(divisor, exp.Literal) and not divisor.is_string):
        return division
    inverse = _inverse(Decimal(divisor.this))
    if inverse is None:
        return division
    made = exp.Mul(this=division.this, expression=exp.Literal.number(format(inverse, "f")))
    made.type = division.type
    return made


MOST_PLACES = 9


def _inverse(divisor: Decimal) -> Decimal | None:
    """With so few places that a product still has room for large numbers."""
    if divisor <= 0:
        return None
    for places in range(MOST_PLACES + 1):
        scaled = Decimal(10) ** places
        if scaled % divisor == 0:
            return (scaled // divisor).scaleb(-places)
    return None
