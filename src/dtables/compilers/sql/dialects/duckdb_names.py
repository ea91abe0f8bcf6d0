"""Constant catalogues in DuckDB: the key becomes a name's number, the number finds its value in a list.

An enumeration written where it is used needs no type made before, and turns a text into its number by a hash;
a map is searched key by key, at five times the cost.
"""

from __future__ import annotations

from sqlglot import exp

from dtables.compilers.sql.dialects import building as b
from dtables.compilers.sql.dialects import shapes
from dtables.compilers.sql.dialects.lowering import Names

Tree = exp.Expression

FEW = 8


def spell_lookup(tree: Tree, _: Names) -> Tree:
    keys, values = tree.args["keys"], tree.args["values"]
    if len(keys) <= FEW and shapes.is_simple(tree.this):
        return _choice(tree.this, keys, values)
    listed: Tree = exp.Array(expressions=list(values))
    if tree.type is not None:
        bare = exp.Array(expressions=[_bare(value) for value in values])
        listed = shapes.cast(bare, shapes.list_of(tree.type))
    return b.call("list_extract", listed, b.plus(_number(tree.this, keys), b.ONE))


def _choice(key: Tree, keys: list[Tree], values: list[Tree]) -> Tree:
    arms = [
        exp.If(this=exp.EQ(this=key, expression=one), true=value)
        for one, value in zip(keys, values, strict=True)
    ]
    return exp.Case(ifs=arms)


def _number(key: Tree, keys: list[Tree]) -> Tree:
    """From 0; null of a key that is none of them."""
    names = [exp.Literal.string(_text(one)) for one in keys]
    enumeration = exp.DataType(this=exp.DType.ENUM, expressions=names)
    text = key if shapes.is_text(shapes.shape_of(key)) else shapes.cast(key, shapes.TEXT)
    return b.call("enum_code", exp.TryCast(this=text, to=enumeration))


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
