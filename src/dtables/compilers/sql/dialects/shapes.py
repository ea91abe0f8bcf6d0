"""The type of a spelled tree, as far as it is known, and numbers brought to the size the rules count in.

A literal `1` is a 32-bit number to every database, and so is all that is made of such: arithmetic on it would
stop at two thousand million.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from dtables.compilers.sql.neutral import Variable

Tree = exp.Expression
Shape = exp.DataType | None

BIGINT = exp.DataType(this=exp.DType.BIGINT)
BOOLEAN = exp.DataType(this=exp.DType.BOOLEAN)
TEXT = exp.DataType(this=exp.DType.TEXT)
DATE = exp.DataType(this=exp.DType.DATE)
MOMENT = exp.DataType(this=exp.DType.TIMESTAMPNTZ)
MOST_DIGITS = 38


def shape_of(tree: Tree) -> Shape:
    """None where it is unknown, as of a null."""
    match tree:
        case exp.Paren() | exp.Neg():
            return shape_of(tree.this)
        case exp.Add() | exp.Sub() | exp.Mul():
            return _arithmetic(tree) or tree.type
        case exp.Cast():
            return tree.type or tree.to
        case exp.Literal():
            return TEXT if tree.is_string else _number(tree.this)
        case exp.Null():
            return None
        case exp.Case():
            return tree.type or _first(results_of(tree))
        case exp.Coalesce():
            return tree.type or _first([tree.this, *tree.expressions])
        case exp.DPipe():
            return tree.type or TEXT  # lists are joined by it too
        case exp.Boolean() | exp.Predicate() | exp.Connector() | exp.Not():
            return BOOLEAN
        case _:
            return tree.type


def results_of(case: Tree) -> list[Tree]:
    """What it may give; `default` last, where there is one."""
    default = case.args.get("default")
    results = [arm.args["true"] for arm in case.args["ifs"]]
    return results if default is None else [*results, default]


def _first(trees: Iterable[Tree]) -> Shape:
    return next((shape for tree in trees if (shape := shape_of(tree)) is not None), None)


def _number(digits: str) -> exp.DataType:
    whole, _, places = digits.partition(".")
    return decimal(len(whole) + len(places), len(places)) if places else BIGINT


def _arithmetic(tree: Tree) -> Shape:
    left, right = shape_of(tree.this), shape_of(tree.expression)
    if any(shape is not None and not is_number(shape) for shape in (left, right)):
        return None
    if left is None or right is None or (is_whole(left) and is_whole(right)):
        return left or right
    if isinstance(tree, exp.Mul):
        return decimal(MOST_DIGITS, places_of(left) + places_of(right))
    return decimal(MOST_DIGITS, max(places_of(left), places_of(right)))


# -- questions about a type ----------------------------------------------------------------------


def decimal(digits: int, places: int) -> exp.DataType:
    sizes = [exp.DataTypeParam(this=exp.Literal.number(n)) for n in (digits, places)]
    return exp.DataType(this=exp.DType.DECIMAL, expressions=sizes)


def places_of(shape: exp.DataType) -> int:
    return int(shape.expressions[1].name) if len(shape.expressions) > 1 else 0


def digits_of(shape: exp.DataType) -> int:
    """A BIGINT's largest has 19."""
    return int(shape.expressions[0].name) if shape.expressions else 19


def is_whole(shape: Shape) -> bool:
    return shape is not None and shape.this == exp.DType.BIGINT


def is_text(shape: Shape) -> bool:
    return shape is not None and shape.this == exp.DType.TEXT


def is_number(shape: Shape) -> bool:
    return shape is not None and shape.this in (exp.DType.BIGINT, exp.DType.DECIMAL)


def is_struct(shape: Shape) -> bool:
    return shape is not None and shape.this == exp.DType.STRUCT


def is_map(shape: Shape) -> bool:
    return shape is not None and shape.this == exp.DType.MAP


def item_of(shape: Shape) -> Shape:
    """Of a list's type."""
    return shape.expressions[0] if shape is not None and shape.this == exp.DType.ARRAY else None


def fields_of(shape: exp.DataType) -> tuple[tuple[str, exp.DataType], ...]:
    """None of what is no record."""
    columns = shape.expressions if is_struct(shape) else []
    return tuple((column.name, column.args["kind"]) for column in columns)


def never_null(tree: Tree) -> bool:
    """Known not to be null."""
    if isinstance(tree, (exp.Cast, exp.Paren)):
        return never_null(tree.this)
    if isinstance(tree, (exp.Literal, exp.Boolean, exp.Array)):
        return True
    return tree.type is not None and tree.type.args.get("nullable") is False


def is_simple(tree: Tree) -> bool:
    """As good read twice as once."""
    return isinstance(tree.unnest(), (exp.Column, exp.Literal, exp.Boolean, exp.Null, Variable))


def is_field(tree: Tree) -> bool:
    """A name, or a field of one: hardly more work to read twice."""
    match tree:
        case exp.Anonymous(this="struct_extract"):
            return is_field(tree.expressions[0])
        case _:
            return is_simple(tree) or never_null(tree)


# -- numbers at their size -----------------------------------------------------------------------


def sized(tree: Tree) -> Tree:
    """The number with all of its type's room."""
    shape = shape_of(tree)
    if shape is None or not is_number(shape) or is_sized(tree):
        return tree
    return cast(tree, shape)


def is_sized(tree: Tree) -> bool:
    """Certainly as large as its type: a value brought there, or counted from such."""
    match tree:
        case exp.Cast():
            return True
        case exp.Paren() | exp.Neg():
            return is_sized(tree.this)
        case exp.Add() | exp.Sub() | exp.Mul():
            return is_sized(tree.this) or is_sized(tree.expression)
        case _:
            return False


def cast(tree: Tree, to: exp.DataType) -> exp.Cast:
    result = exp.Cast(this=tree, to=to)
    result.type = to
    return result


# -- what a type holds ---------------------------------------------------------------------------

COMPARED_MAPS = "a comparison of values that hold a map"


def list_of(item: exp.DataType) -> exp.DataType:
    return exp.DataType(this=exp.DType.ARRAY, expressions=[item], nested=True)


def holds_map(shape: Shape) -> bool:
    """At any depth."""
    return shape is not None and any(kind.this == exp.DType.MAP for kind in shape.find_all(exp.DataType))


def map_holds_map(shape: Shape) -> bool:
    return shape is not None and any(holds_map(kind) for kind in shape.expressions)


def is_nested(shape: Shape) -> bool:
    """A list, a record or a map."""
    return shape is not None and shape.this in (exp.DType.ARRAY, exp.DType.STRUCT, exp.DType.MAP)
