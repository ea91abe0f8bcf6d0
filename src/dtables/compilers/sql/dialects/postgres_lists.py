"""Going through lists in PostgreSQL: a subselect over the items and their places."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlglot import exp

from dtables.compilers.sql.dialects import shapes
from dtables.compilers.sql.dialects import writing as b
from dtables.compilers.sql.dialects.lowering import FreshNames
from dtables.compilers.sql.dialects.shapes import Tree


@dataclass(frozen=True, slots=True)
class Going:
    """A relation of a list's items: the column `item`, of the list's own type, and `place`, from 1."""

    rows: Tree
    item: Tree
    place: Tree

    def collected(self, value: Tree, *order: Tree) -> Tree:
        """A list of the value for each row; an empty one where there are no rows."""
        aggregate = b.call("jsonb_agg", ordered(value, *(order or (self.place,))))
        return b.coalesce(aggregate, EMPTY_LIST)

    def select(self, value: Tree, where: Tree | None = None) -> exp.Select:
        return b.select(value, self.rows, where)


def going(list_: Tree, names: FreshNames, item: str | None = None) -> Going:
    shape = shapes.item_of(shapes.shape_of(list_))
    raw, place = names.fresh(), names.fresh()
    nested = shape is None or shapes.is_nested(shape)
    elements = b.call("jsonb_array_elements" if nested else "jsonb_array_elements_text", list_)
    value = from_json(b.read(raw), shape) if nested else from_text(b.read(raw), shape)
    named = exp.Alias(this=value, alias=exp.to_identifier(item or f"{raw}_item", quoted=True))
    typed = b.select([named, b.read(place)], _numbered(elements, raw, place))
    read = b.read(item or f"{raw}_item")
    read.type = shape
    return Going(relation(typed, f"{raw}_items"), read, b.read(place))


def _raw(list_: Tree, names: FreshNames) -> Going:
    """The items as JSON, for those who only hand them on."""
    raw, place = names.fresh(), names.fresh()
    return Going(_numbered(b.call("jsonb_array_elements", list_), raw, place), b.read(raw), b.read(place))


def _numbered(function: Tree, value: str, place: str) -> Tree:
    columns = [exp.to_identifier(name, quoted=True) for name in (value, place)]
    alias = exp.TableAlias(this=exp.to_identifier(f"{value}_rows", quoted=True), columns=columns)
    return exp.Table(this=function, ordinality=True, alias=alias)


def unless_null(list_: Tree, names: FreshNames, body: Callable[[Tree], Tree]) -> Tree:
    """The body of a list that is there; of none, null: a subselect over it would find no items."""
    if shapes.never_null(list_):
        return body(list_)
    if shapes.is_simple(list_):
        return b.either(b.is_not_null(list_), body(list_))
    name = names.fresh()
    read = b.read(name)
    read.type = shapes.shape_of(list_)
    return once(list_, name, b.either(b.is_not_null(read), body(read)))


# -- order ---------------------------------------------------------------------------------------


def collation(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=True)


def by_code_point(text: Tree) -> Tree:
    return exp.Collate(this=text, expression=collation("C"))


def ordered(value: Tree, *keys: Tree) -> exp.Order:
    return exp.Order(this=value, expressions=[exp.Ordered(this=key, nulls_first=False) for key in keys])


def falling(key: Tree) -> exp.Ordered:
    return exp.Ordered(this=key, desc=True, nulls_first=True)


def keys_of(value: Tree) -> list[Tree]:
    """What a value is ordered by: itself, or a record's fields one after another."""
    known = value.meta_get("keys")
    if known is not None:
        return [key for field in known for key in keys_of(field)]
    shape = shapes.shape_of(value)
    if shape is not None and shapes.is_struct(shape):
        fields = [part(value, exp.Literal.string(name), kind) for name, kind in shapes.fields_of(shape)]
        return [key for field in fields for key in keys_of(field)]
    return [by_code_point(value)] if shapes.is_text(shape) else [value]


def _first(of: Going, keys: list[exp.Ordered]) -> Tree:
    return scalar(b.select(of.item, of.rows, order=keys, limit=b.ONE))


# -- lambdas -------------------------------------------------------------------------------------


def _named(tree: Tree, list_: Tree, names: FreshNames) -> Going:
    return going(list_, names, b.variable_of(tree.expression))


def spell_map(tree: Tree, names: FreshNames) -> Tree:
    def mapped(list_: Tree) -> Tree:
        items = _named(tree, list_, names)
        return scalar(items.select(items.collected(as_json(tree.expression.this))))

    return unless_null(tree.this, names, mapped)


def spell_filter(tree: Tree, names: FreshNames) -> Tree:
    def filtered(list_: Tree) -> Tree:
        items = _named(tree, list_, names)
        return scalar(items.select(items.collected(items.item), tree.expression.this))

    return unless_null(tree.this, names, filtered)


def spell_grow(tree: Tree, names: FreshNames) -> Tree:
    """A row for each length of the list; the longest is the last."""
    so_far, item = (name.name for name in tree.expression.expressions)
    walk, place = names.fresh(), names.fresh()

    def grown(list_: Tree) -> Tree:
        each = part(list_, shapes.cast(b.read(place), shapes.TEXT), shapes.item_of(shapes.shape_of(list_)))
        value = b.call("jsonb_build_array", as_json(once(each, item, tree.expression.this)))
        longer = exp.DPipe(this=b.read(so_far), expression=value)
        open_ = exp.LT(this=b.read(place), expression=b.call("jsonb_array_length", list_))
        rows = exp.Table(this=exp.to_identifier(walk, quoted=True))
        start = exp.Select(expressions=[b.ZERO, EMPTY_LIST])
        step = b.select([b.plus(b.read(place), b.ONE), longer], rows, open_)
        columns = [exp.to_identifier(name, quoted=True) for name in (place, so_far)]
        alias = exp.TableAlias(this=exp.to_identifier(walk, quoted=True), columns=columns)
        both = exp.Union(this=start, expression=step, distinct=False)
        last = exp.Ordered(this=b.read(place), desc=True)
        query = b.select(b.read(so_far), rows, order=[last], limit=b.ONE)
        query.set("with_", exp.With(recursive=True, expressions=[exp.CTE(this=both, alias=alias)]))
        return scalar(query)

    return unless_null(tree.this, names, grown)


def spell_any(tree: Tree, names: FreshNames) -> Tree:
    def found(list_: Tree) -> Tree:
        items = _named(tree, list_, names)
        return exp.Exists(this=items.select(b.ONE, tree.expression.this))

    return unless_null(tree.this, names, found)


def spell_least_by(tree: Tree, names: FreshNames) -> Tree:
    items = _named(tree, tree.this, names)
    keys = [*keys_of(tree.expression.this), items.place]
    return _first(items, [exp.Ordered(this=key, nulls_first=False) for key in keys])


# -- questions about a list ----------------------------------------------------------------------


def spell_contains(tree: Tree, names: FreshNames) -> Tree:
    def found(list_: Tree) -> Tree:
        items = going(list_, names)
        item, target = _comparable(items.item, tree.expression)
        return exp.Exists(this=items.select(b.ONE, b.same(item, target)))

    return unless_null(tree.this, names, found)


def spell_place(tree: Tree, names: FreshNames) -> Tree:
    items = going(tree.this, names)
    item, target = _comparable(items.item, tree.expression)
    least = b.call("min", items.place)
    return scalar(items.select(least, exp.EQ(this=item, expression=target)))


def _comparable(item: Tree, target: Tree) -> tuple[Tree, Tree]:
    if shapes.is_nested(item.type):
        return without_nulls(item), without_nulls(as_json(target))
    return item, target


def spell_count(tree: Tree, _: FreshNames) -> Tree:
    return shapes.cast(b.call("jsonb_array_length", tree.this), shapes.BIGINT)


def spell_sum(tree: Tree, names: FreshNames) -> Tree:
    def added(list_: Tree) -> Tree:
        items = going(list_, names)
        total = b.coalesce(b.call("sum", items.item), b.ZERO)
        return scalar(items.select(as_whole(total) if shapes.is_whole(tree.type) else total))

    return unless_null(tree.this, names, added)


def spell_min(tree: Tree, names: FreshNames) -> Tree:
    items = going(tree.this, names)
    keys = [exp.Ordered(this=key, nulls_first=False) for key in keys_of(items.item)]
    return _first(items, keys)


def spell_max(tree: Tree, names: FreshNames) -> Tree:
    items = going(tree.this, names)
    return _first(items, [falling(key) for key in keys_of(items.item)])


# -- parts of lists, and lists of lists ----------------------------------------------------------


def spell_item(tree: Tree, names: FreshNames) -> Tree:
    place = tree.expression
    if isinstance(place, exp.Literal) and place.name != "0":
        return part(tree.this, exp.Literal.string(str(int(place.name) - 1)), tree.type)
    if shapes.is_simple(place):
        return part(tree.this, _path(place), tree.type)
    name = names.fresh()
    return once(place, name, part(tree.this, _path(b.read(name)), tree.type))


def _path(place: Tree) -> Tree:
    """PostgreSQL counts from 0, and -1 is the last: place 0 must not be taken for it."""
    behind = exp.If(this=exp.LT(this=place, expression=b.ZERO), true=place)
    before = exp.If(this=exp.GT(this=place, expression=b.ZERO), true=b.minus(place, b.ONE))
    return shapes.cast(exp.Case(ifs=[before, behind]), shapes.TEXT)


def spell_slice(tree: Tree, names: FreshNames) -> Tree:
    start, length = tree.expression, tree.args.get("length")

    def cut(list_: Tree) -> Tree:
        items = _raw(list_, names)
        kept: Tree = exp.GTE(this=items.place, expression=start)
        if length is not None:
            below = exp.LT(this=items.place, expression=b.plus(start, length))
            kept = exp.And(this=kept, expression=below)
        return scalar(items.select(items.collected(items.item), kept))

    return unless_null(tree.this, names, cut)


def spell_sort(tree: Tree, names: FreshNames) -> Tree:
    def sorted_(list_: Tree) -> Tree:
        items = going(list_, names)
        return scalar(items.select(items.collected(items.item, *keys_of(items.item))))

    return unless_null(tree.this, names, sorted_)


def spell_reverse(tree: Tree, names: FreshNames) -> Tree:
    def reversed_(list_: Tree) -> Tree:
        items = _raw(list_, names)
        return scalar(items.select(items.collected(items.item, exp.Neg(this=items.place))))

    return unless_null(tree.this, names, reversed_)


def spell_concat(tree: Tree, _: FreshNames) -> Tree:
    joined: Tree = tree.expressions[0]
    for list_ in tree.expressions[1:]:
        joined = exp.DPipe(this=joined, expression=list_)
    return joined


def spell_flatten(tree: Tree, names: FreshNames) -> Tree:
    def flat(list_: Tree) -> Tree:
        outer = _raw(list_, names)
        inner = _raw(outer.item, names)
        query = outer.select(inner.collected(inner.item, outer.place, inner.place))
        # A function in a join may read what stands before it.
        query.set("joins", [exp.Join(this=inner.rows, kind="CROSS")])
        return scalar(query)

    return unless_null(tree.this, names, flat)


def spell_distinct(tree: Tree, names: FreshNames) -> Tree:
    def firsts(list_: Tree) -> Tree:
        items = _raw(list_, names)
        alike = without_nulls(items.item)
        each = exp.Distinct(on=exp.Tuple(expressions=[alike]))
        kept = b.select([items.item, items.place], items.rows, order=[alike, items.place])
        kept.set("distinct", each)
        return scalar(b.select(items.collected(items.item), relation(kept, names.fresh())))

    return unless_null(tree.this, names, firsts)


# -- made lists and maps -------------------------------------------------------------------------


def spell_range(tree: Tree, names: FreshNames) -> Tree:
    start, end = names.fresh(), names.fresh()
    down = exp.LT(this=b.read(end), expression=b.read(start))
    step = b.either(down, exp.Neg(this=b.ONE), b.ONE)
    numbers = _numbered(
        b.call("generate_series", b.read(start), b.read(end), step), names.fresh(), names.fresh()
    )
    counted = _counted(numbers)
    return once(tree.this, start, once(tree.expression, end, counted))


def _counted(numbers: Tree) -> Tree:
    number, place = (b.read(column.name) for column in numbers.args["alias"].columns)
    rows = Going(numbers, number, place)
    return scalar(rows.select(rows.collected(rows.item)))


def spell_places(tree: Tree, names: FreshNames) -> Tree:
    def counted(list_: Tree) -> Tree:
        length = b.call("jsonb_array_length", list_)
        return _counted(_numbered(b.call("generate_series", b.ONE, length), names.fresh(), names.fresh()))

    return unless_null(tree.this, names, counted)


def spell_repeat(tree: Tree, names: FreshNames) -> Tree:
    """In the order of the places: an aggregate that reads nothing of its own subselect is taken for one of
    the statement around it."""
    series = _numbered(b.call("generate_series", b.ONE, tree.expression), names.fresh(), names.fresh())
    number, place = (b.read(column.name) for column in series.args["alias"].columns)
    rows = Going(series, number, place)
    return scalar(rows.select(rows.collected(as_json(tree.this))))


def spell_map_of(tree: Tree, names: FreshNames) -> Tree:
    def gathered(list_: Tree) -> Tree:
        items = _raw(list_, names)
        key = b.call("jsonb_extract_path_text", items.item, exp.Literal.string("key"))
        value = b.call("jsonb_extract_path", items.item, exp.Literal.string("value"))
        return scalar(items.select(b.coalesce(b.call("jsonb_object_agg", key, value), EMPTY_OBJECT)))

    return unless_null(tree.this, names, gathered)


# -- as jsonb ---------------------------------------------------------------------------------------
# Lists, records and maps as PostgreSQL's `jsonb`, and scalars out of them.
#
# A value that is null is the database's null, never JSON's; inside lists and records it is JSON's.
# Constants are written as JSON here, so that they are read once and not built for every row.

JSONB = exp.DataType(this=exp.DType.JSONB)
MOST_ARGUMENTS = 100


# -- constants -----------------------------------------------------------------------------------


def constant(value: Any) -> Tree:
    json_ = exp.Cast(this=exp.Literal.string(_json_text(value)), to=JSONB)
    json_.meta["json"] = (value,)
    return json_


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
    value = exp.Cast(this=tree, to=stored_as(shape))
    value.type = shape
    return value


def stored_as(shape: exp.DataType) -> exp.DataType:
    """PostgreSQL's own type for it; decimals without a size, which would round."""
    if shapes.is_nested(shape):
        return JSONB
    return exp.DataType(this=exp.DType.DECIMAL) if shape.this == exp.DType.DECIMAL else shape


def from_json(json_: Tree, shape: shapes.Shape) -> Tree:
    """A list, record or map that was a part of another."""
    value = exp.Nullif(this=json_, expression=JSON_NULL)
    value.type = shape
    return value


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


def spell_list(tree: Tree, _: FreshNames) -> Tree:
    known = _constants_in(tree.expressions)
    if known is not None:
        return constant(known)
    items = [as_json(item) for item in tree.expressions]
    return _joined([b.call("jsonb_build_array", *some) for some in _chunks(items)])


def spell_record(tree: Tree, _: FreshNames) -> Tree:
    """The fields go along, for those who order by them."""
    fields = [(pair.this.name, pair.expression) for pair in tree.expressions]
    known = _constants_in([value for _, value in fields])
    if known is not None:
        record = constant(dict(zip((name for name, _ in fields), known, strict=True)))
    else:
        parts = [part for name, value in fields for part in (exp.Literal.string(name), as_json(value))]
        record = _joined([b.call("jsonb_build_object", *some) for some in _chunks(parts)])
    record.meta["keys"] = tuple(value for _, value in fields)
    return record


def _chunks(arguments: list[Tree]) -> list[list[Tree]]:
    """No function takes more."""
    return [arguments[at : at + MOST_ARGUMENTS] for at in range(0, len(arguments), MOST_ARGUMENTS)]


def _joined(parts: list[Tree]) -> Tree:
    joined = parts[0]
    for one in parts[1:]:
        joined = exp.DPipe(this=joined, expression=one)
    return joined


def spell_get(tree: Tree, _: FreshNames) -> Tree:
    return part(tree.this, exp.Literal.string(tree.expression.name), tree.type)


def spell_entry(tree: Tree, _: FreshNames) -> Tree:
    return part(tree.this, tree.expression, tree.type)


def spell_lookup(tree: Tree, _: FreshNames) -> Tree:
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


def spell_names(tree: Tree, _: FreshNames) -> Tree:
    """An object of the places, from 0: it is searched by halving."""
    names = _constants_in(tree.expressions)
    assert names is not None
    return constant({str(name): place for place, name in enumerate(names)})


def spell_named(tree: Tree, _: FreshNames) -> Tree:
    key = tree.expression
    text = key if shapes.is_text(shapes.shape_of(key)) else shapes.cast(key, shapes.TEXT)
    return part(tree.this, b.call("jsonb_extract_path_text", tree.args["names"], text), tree.type)
