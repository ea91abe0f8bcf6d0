"""Constant catalogues in DuckDB: a name finds its place in the list of names, the place its value.

Of many names the place is an enumeration's, which finds it by a hash. The enumeration is written once, as the
type of a null: what casts to "the type of that column" casts to it.
"""

from __future__ import annotations

from sqlglot import exp

from dtables.compilers.sql.dialects import building as b
from dtables.compilers.sql.dialects import shapes
from dtables.compilers.sql.dialects.lowering import Names
from dtables.compilers.sql.dialects.shapes import Tree

MANY = 200
"""Names that are not in an enumeration are found at a cost; fewer than these are as soon gone through."""


def spell_lookup(tree: Tree, _: Names) -> Tree:
    """A few values are a choice; a key that is worked out is so once."""
    keys, values = tree.args["keys"], tree.args["values"]
    if shapes.is_simple(tree.this):
        return _choice(tree.this, keys, values)
    return b.call(
        "list_extract", _listed(values, tree.type), b.call("list_position", _names(keys), tree.this)
    )


def spell_names(tree: Tree, _: Names) -> Tree:
    keys: list[Tree] = tree.expressions
    if len(keys) <= MANY:
        return _names(keys)
    names = [exp.Literal.string(_text(key)) for key in keys]
    return exp.Cast(this=exp.Null(), to=exp.DataType(this=exp.DType.ENUM, expressions=names))


def spell_catalogue(tree: Tree, _: Names) -> Tree:
    return _listed(tree.expressions, shapes.item_of(tree.type))


def spell_named(tree: Tree, _: Names) -> Tree:
    key, names = tree.expression, tree.args["names"]
    if int(tree.args["size"].name) <= MANY:
        return b.call("list_extract", tree.this, b.call("list_position", names, key))
    text = key if shapes.is_text(shapes.shape_of(key)) else shapes.cast(key, shapes.TEXT)
    number = b.call("enum_code", b.call("try", b.call("cast_to_type", text, names)))
    return b.call("list_extract", tree.this, b.plus(number, b.ONE))


def _choice(key: Tree, keys: list[Tree], values: list[Tree]) -> Tree:
    arms = [
        exp.If(this=exp.EQ(this=key, expression=one), true=value)
        for one, value in zip(keys, values, strict=True)
    ]
    return exp.Case(ifs=arms)


def _names(keys: list[Tree]) -> Tree:
    return exp.Array(expressions=list(keys))


def _listed(values: list[Tree], item: shapes.Shape) -> Tree:
    if item is None:
        return exp.Array(expressions=list(values))
    return shapes.cast(exp.Array(expressions=[_bare(value) for value in values]), shapes.list_of(item))


def _text(key: Tree) -> str:
    return f"-{key.this.name}" if isinstance(key, exp.Neg) else str(key.name)


def _bare(value: Tree) -> Tree:
    """Numbers in it without their size: the list as a whole gives it to them."""
    if isinstance(value, exp.Cast) and isinstance(value.this, (exp.Literal, exp.Null)):
        return value if shapes.is_text(shapes.shape_of(value.this)) else value.this
    if not isinstance(value, (exp.Struct, exp.Array, exp.PropertyEQ)):
        return value
    return type(value)(**{key: _bare_argument(argument) for key, argument in value.args.items()})


def _bare_argument(argument: object) -> object:
    if isinstance(argument, list):
        return [_bare(item) for item in argument]
    return _bare(argument) if isinstance(argument, exp.Expression) else argument
