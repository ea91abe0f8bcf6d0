"""Lists, records and maps as PostgreSQL's `jsonb`, and scalars out of them.

A value that is null is the database's null, never JSON's; inside lists and records it is JSON's. Constants
are written as JSON here, so that they are read once and not built for every row.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from sqlglot import exp

from dtables.compilers.sql.dialects import building as b
from dtables.compilers.sql.dialects import shapes
from dtables.compilers.sql.dialects.lowering import Names
from dtables.compilers.sql.dialects.shapes import Tree

JSONB = exp.DataType(this=exp.DType.JSONB)
MOST_ARGUMENTS = 100


# -- constants -----------------------------------------------------------------------------------


def constant(value: Any) -> Tree:
    made = exp.Cast(this=exp.Literal.string(_json_text(value)), to=JSONB)
    made.meta["json"] = (value,)
    return made


def _json_text(value: Any) -> str:
    match value:
        case Decimal():
            return format(value, "f")
        case list():
            return "[" + ", ".join(map(_json_text, value)) + "]"
        case dict():
            return "{" + ", ".join(f"{json.dumps(k)}: {_json_text(v)}" for k, v in value.items()) + "}"
        case _:
            return json.dumps(value, ensure_ascii=False)


EMPTY_LIST, EMPTY_OBJECT, JSON_NULL = constant([]), constant({}), constant(None)


def _constant_in(tree: Tree) -> tuple[Any] | None:
    """The value in a tuple; None where it is worked out."""
    match tree:
        case exp.Null():
            return (None,)
        case exp.Boolean():
            return (bool(tree.this),)
        case exp.Literal():
            return (str(tree.this) if tree.is_string else Decimal(tree.this),)
        case exp.Neg() if isinstance(tree.this, exp.Literal):
            return (-Decimal(tree.this.this),)
        case exp.Paren():
            return _constant_in(tree.this)
        case exp.Cast() if (known := tree.meta_get("json")) is not None:
            return (known[0],)
        case exp.Cast() if tree.to.this == exp.DType.DATE or shapes.is_number(tree.to):
            return _constant_in(tree.this)
        case _:
            return None


def _constants_in(trees: list[Tree]) -> list[Any] | None:
    found = [known[0] for tree in trees if (known := _constant_in(tree)) is not None]
    return found if len(found) == len(trees) else None


# -- between JSON and the database's own ---------------------------------------------------------


def as_json(tree: Tree) -> Tree:
    """As a part of a list or record, or as a value of one of these types; a null stays the database's."""
    if isinstance(tree, exp.Null):
        return shapes.cast(tree, JSONB)
    known = _constant_in(tree)
    if known is not None:
        return constant(known[0])
    return tree if _is_json(tree) else b.call("to_jsonb", tree)


def _is_json(tree: Tree) -> bool:
    shape = shapes.shape_of(tree)
    return shapes.is_nested(shape) or (shape is not None and shape.this == exp.DType.JSONB)


def as_type(tree: Tree, shape: exp.DataType) -> Tree:
    if shapes.is_nested(shape):
        return as_json(tree)
    made = exp.Cast(this=tree, to=stored_as(shape))
    made.type = shape
    return made


def stored_as(shape: exp.DataType) -> exp.DataType:
    """PostgreSQL's own type for it; decimals without a size, which would round."""
    if shapes.is_nested(shape):
        return JSONB
    return exp.DataType(this=exp.DType.DECIMAL) if shape.this == exp.DType.DECIMAL else shape


def from_json(json_: Tree, shape: shapes.Shape) -> Tree:
    """A list, record or map that was a part of another."""
    made = exp.Nullif(this=json_, expression=JSON_NULL)
    made.type = shape
    return made


def from_text(text: Tree, shape: shapes.Shape) -> Tree:
    """A scalar that was a part of another, where JSON's null has become the database's."""
    if shape is not None and not shapes.is_text(shape):
        return as_type(text, shape)
    text.type = shape
    return text


def part(of: Tree, key: Tree, shape: shapes.Shape) -> Tree:
    """The field, entry or item of that name or place, which counts from 0."""
    if shapes.is_nested(shape):
        return from_json(b.call("jsonb_extract_path", of, key), shape)
    return from_text(b.call("jsonb_extract_path_text", of, key), shape)


def without_nulls(json_: Tree) -> Tree:
    """Records are the same where one leaves out what is null in the other."""
    return b.call("jsonb_strip_nulls", json_)


def once(value: Tree, name: str, body: Tree) -> Tree:
    """The body, which reads the value as the column `name`."""
    column = exp.Alias(this=value, alias=exp.to_identifier(name, quoted=True))
    return scalar(b.select(body, relation(fenced(exp.Select(expressions=[column])), f"{name}_")))


def fenced(select: exp.Select) -> exp.Select:
    """PostgreSQL would put what a subselect works out in place of each of its names: twice as much at every
    level, until memory is full. It does not where rows are left out, be it none."""
    select.set("offset", exp.Offset(expression=b.ZERO))
    return select


def relation(select: exp.Select, name: str) -> exp.Subquery:
    return exp.Subquery(this=select, alias=exp.TableAlias(this=exp.to_identifier(name, quoted=True)))


def scalar(select: exp.Select) -> Tree:
    return exp.Subquery(this=select)


MOST_WHOLE = exp.Literal.number(2**63 - 1)


def as_whole(number: Tree) -> Tree:
    """A numeric of 64 bits; null where it is larger."""
    there = exp.Between(this=number, low=exp.Neg(this=MOST_WHOLE), high=MOST_WHOLE)
    return b.either(there, shapes.cast(number, shapes.BIGINT))


# -- spellers ------------------------------------------------------------------------------------


def spell_list(tree: Tree, _: Names) -> Tree:
    known = _constants_in(tree.expressions)
    if known is not None:
        return constant(known)
    items = [as_json(item) for item in tree.expressions]
    return _joined([b.call("jsonb_build_array", *some) for some in _chunks(items)])


def spell_record(tree: Tree, _: Names) -> Tree:
    """The fields go along, for those who order by them."""
    fields = [(pair.this.name, pair.expression) for pair in tree.expressions]
    known = _constants_in([value for _, value in fields])
    if known is not None:
        made = constant(dict(zip((name for name, _ in fields), known, strict=True)))
    else:
        parts = [part for name, value in fields for part in (exp.Literal.string(name), as_json(value))]
        made = _joined([b.call("jsonb_build_object", *some) for some in _chunks(parts)])
    made.meta["keys"] = tuple(value for _, value in fields)
    return made


def _chunks(arguments: list[Tree]) -> list[list[Tree]]:
    """No function takes more."""
    return [arguments[at : at + MOST_ARGUMENTS] for at in range(0, len(arguments), MOST_ARGUMENTS)]


def _joined(parts: list[Tree]) -> Tree:
    joined = parts[0]
    for one in parts[1:]:
        joined = exp.DPipe(this=joined, expression=one)
    return joined


def spell_get(tree: Tree, _: Names) -> Tree:
    return part(tree.this, exp.Literal.string(tree.expression.name), tree.type)


def spell_entry(tree: Tree, _: Names) -> Tree:
    return part(tree.this, tree.expression, tree.type)


def spell_lookup(tree: Tree, _: Names) -> Tree:
    """An object is searched by halving."""
    keys, values = tree.args["keys"], tree.args["values"]
    known, names = _constants_in(values), _constants_in(keys)
    if known is None or names is None:
        arms = [
            exp.If(this=exp.EQ(this=tree.this, expression=key), true=value)
            for key, value in zip(keys, values, strict=True)
        ]
        return exp.Case(ifs=arms)
    key = tree.this if shapes.is_text(shapes.shape_of(tree.this)) else shapes.cast(tree.this, shapes.TEXT)
    return part(constant(dict(zip(map(str, names), known, strict=True))), key, tree.type)


def spell_names(tree: Tree, _: Names) -> Tree:
    """An object of the places, from 0: it is searched by halving."""
    names = _constants_in(tree.expressions)
    assert names is not None
    return constant({str(name): place for place, name in enumerate(names)})


def spell_named(tree: Tree, _: Names) -> Tree:
    key = tree.expression
    text = key if shapes.is_text(shapes.shape_of(key)) else shapes.cast(key, shapes.TEXT)
    return part(tree.this, b.call("jsonb_extract_path_text", tree.args["names"], text), tree.type)
