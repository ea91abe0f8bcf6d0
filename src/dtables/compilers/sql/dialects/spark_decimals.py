"""Decimals in Spark: it rounds a result that may need more than 38 digits, without a word, and numbers that
are compared with one another too. Operands are given so many digits that their result always has room: a
number that has more is an error."""

from __future__ import annotations

from sqlglot import exp

from dtables.compilers.sql.dialects import shapes
from dtables.compilers.sql.dialects.lowering import Cannot, Names
from dtables.compilers.sql.dialects.shapes import Tree

ROOM = shapes.MOST_DIGITS - 1
TOO_MANY_PLACES = "a product with so many decimal places"


def spell_decimals(tree: Tree, _: Names) -> Tree | Cannot:
    left, right = shapes.shape_of(tree.this), shapes.shape_of(tree.expression)
    if left is None or right is None or (shapes.is_whole(left) and shapes.is_whole(right)):
        return tree
    if isinstance(tree, exp.Mul):
        return _product(tree, left, right)
    wide = roomy(shapes.decimal(ROOM, max(shapes.places_of(left), shapes.places_of(right))))
    return _of(tree, wide, wide)


def _product(tree: Tree, left: exp.DataType, right: exp.DataType) -> Tree | Cannot:
    """Digits of a product: those of both, and one. What is left of them in front of the points is shared:
    an operand that needs fewer gets what it needs, else half."""
    places = shapes.places_of(left), shapes.places_of(right)
    left_over = ROOM - sum(places)
    if left_over < 2:
        return Cannot(TOO_MANY_PLACES)
    before = shapes.digits_of(left) - places[0], shapes.digits_of(right) - places[1]
    mine = min(before[0], max(left_over // 2, left_over - before[1]))
    theirs = min(before[1], left_over - mine)
    return _of(
        tree, shapes.decimal(mine + places[0], places[0]), shapes.decimal(theirs + places[1], places[1])
    )


def _of(tree: Tree, left: exp.DataType, right: exp.DataType) -> Tree:
    operands = shapes.cast(tree.this, left), shapes.cast(tree.expression, right)
    made: Tree = type(tree)(this=operands[0], expression=operands[1])
    made.type = shapes.shape_of(made)
    return made


def roomy(shape: exp.DataType) -> exp.DataType:
    """A number of this type has room beside another for their sum."""
    return shapes.decimal(ROOM, shapes.places_of(shape))


def spell_side_by_side(tree: Tree, _: Names) -> Tree:
    """Values that are compared: brought to one type that loses no place."""
    left, right = _alike([tree.this, tree.expression])
    return type(tree)(this=left, expression=right)


def spell_coalesce(tree: Tree, _: Names) -> Tree:
    first, *others = _alike([tree.this, *tree.expressions])
    return exp.Coalesce(this=first, expressions=others)


def spell_case(tree: Tree, _: Names) -> Tree:
    arms, default = tree.args["ifs"], tree.args.get("default")
    values = _alike(shapes.results_of(tree))
    conditions = [arm.this for arm in arms]
    ifs = [exp.If(this=condition, true=value) for condition, value in zip(conditions, values, strict=False)]
    for made, arm in zip(ifs, arms, strict=True):
        made.meta.update(arm.meta)
    return exp.Case(ifs=ifs) if default is None else exp.Case(ifs=ifs, default=values[-1])


def _alike(values: list[Tree]) -> list[Tree]:
    known = [shape for value in values if (shape := shapes.shape_of(value)) is not None]
    if not any(kind.this == exp.DType.DECIMAL for kind in known) or not _would_round(known):
        return values
    wide = shapes.decimal(shapes.MOST_DIGITS, max(map(shapes.places_of, known)))
    return [shapes.cast(value, wide) for value in values]


def _would_round(kinds: list[exp.DataType]) -> bool:
    most_before = max(shapes.digits_of(kind) - shapes.places_of(kind) for kind in kinds)
    return most_before + max(map(shapes.places_of, kinds)) > shapes.MOST_DIGITS
