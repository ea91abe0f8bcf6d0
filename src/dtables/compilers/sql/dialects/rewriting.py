"""What is said more simply before a dialect says it: division where it has an exact answer (by 2, 4, 5, 10,
100 …, and of whole numbers that are rounded).
"""

from __future__ import annotations

from sqlglot import exp

from dtables.compilers.sql.dialects.shapes import Tree, is_whole, shape_of
from dtables.compilers.sql.operations import TWO, Operation, XCeiling, XDivide, XFloor
from dtables.compilers.sql.sizes import inverse


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
    factor = inverse(division.expression)
    if factor is None:
        return division
    made = exp.Mul(this=division.this, expression=exp.Literal.number(format(factor, "f")))
    made.type = division.type
    return made
