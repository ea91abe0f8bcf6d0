"""Whole numbers with room for 64 bits, in every dialect: literals alone have 32."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from dtables.compilers.sql.dialects import shapes
from dtables.compilers.sql.dialects import writing as b
from dtables.compilers.sql.dialects.lowering import FreshNames, Speller
from dtables.compilers.sql.dialects.shapes import Tree


def spell_counting(tree: Tree, _: FreshNames) -> Tree:
    """A sum, difference or product: one operand of full size gives it to the whole."""
    whole = shapes.is_whole(shapes.shape_of(tree.this)) and shapes.is_whole(shapes.shape_of(tree.expression))
    if not whole or shapes.is_sized(tree):
        return tree
    return type(tree)(this=shapes.cast(tree.this, shapes.BIGINT), expression=tree.expression)


def spell_fields(record: Tree) -> Iterator[tuple[str, Tree]]:
    """Numbers at full size: two records of one type must be of one type to the database."""
    kinds = {} if record.type is None else dict(shapes.fields_of(record.type))
    for pair in record.expressions:
        name, value = pair.this.name, shapes.sized(pair.expression)
        yield name, shapes.cast(value, kinds[name]) if isinstance(value, exp.Null) and kinds else value


def spell_round_of(function: str) -> Speller:
    """To a whole number; a whole one stays as it is (DuckDB would make it a binary float)."""

    def spell(tree: Tree, _: FreshNames) -> Tree:
        if shapes.is_whole(shapes.shape_of(tree.this)):
            whole: Tree = tree.this
            return whole
        return shapes.cast(b.call(function, tree.this), shapes.BIGINT)

    return spell
