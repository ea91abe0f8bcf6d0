"""DuckDB: lists, structs and lambdas are its own, so nearly every operation has a spelling.

Its lambdas cannot hold a subselect: what is read more than once in them is bound by a list of one."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dtables.compilers.sql import neutral as o
from dtables.compilers.sql.dialects import shapes
from dtables.compilers.sql.dialects import writing as b
from dtables.compilers.sql.dialects.given import (
    Given,
    in_years,
    on_its_day,
    spell_narrow,
    spell_shown,
    typeof,
    within,
)
from dtables.compilers.sql.dialects.lowering import Cannot, FreshNames, Spellers, WholeQuotient, lowered
from dtables.compilers.sql.dialects.numbers import spell_counting, spell_fields
from dtables.compilers.sql.dialects.shapes import Tree
from dtables.compilers.sql.types import DECIMAL_PLACES

# -- names by enumeration ---------------------------------------------------------------------------
# Constant catalogues in DuckDB: a name finds its place in the list of names, the place its value.
#
# Of many names the place is an enumeration's, which finds it by a hash. The enumeration is written once, as
# the type of a null: what casts to "the type of that column" casts to it.

MANY = 200
"""Names that are not in an enumeration are found at a cost; fewer than these are as soon gone through."""


def spell_lookup(tree: Tree, _: FreshNames) -> Tree:
    """A few values are a choice; a key that is worked out is so once."""
    keys, values = tree.args["keys"], tree.args["values"]
    if shapes.is_simple(tree.this):
        return _choice(tree.this, keys, values)
    return b.call(
        "list_extract", _listed(values, tree.type), b.call("list_position", _names(keys), tree.this)
    )


def spell_names(tree: Tree, _: FreshNames) -> Tree:
    keys: list[Tree] = tree.expressions
    if len(keys) <= MANY:
        return _names(keys)
    names = [exp.Literal.string(_text(key)) for key in keys]
    return exp.Cast(this=exp.Null(), to=exp.DataType(this=exp.DType.ENUM, expressions=names))


def spell_catalogue(tree: Tree, _: FreshNames) -> Tree:
    return _listed(tree.expressions, shapes.item_of(tree.type))


def spell_named(tree: Tree, _: FreshNames) -> Tree:
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


def lower_duckdb(tree: Tree) -> tuple[Tree, tuple[o.Unsupported, ...]]:
    """The tree for sqlglot's `duckdb`, and what DuckDB does not support."""
    return lowered(tree, SPELLERS)


def _once(value: Tree, names: FreshNames, body: Callable[[Tree], Tree]) -> Tree:
    if shapes.is_simple(value):
        return body(value)
    name = names.fresh()
    return _let(value, b.going(body(b.read(name)), name))


def _let(value: Tree, lambda_: Tree) -> Tree:
    alone = exp.Array(expressions=[value])
    return b.call("list_extract", b.call("list_transform", alone, lambda_), b.ONE)


# -- lists ---------------------------------------------------------------------------------------


def _list(tree: Tree, _: FreshNames) -> Tree:
    array = exp.Array(expressions=list(tree.expressions))
    sized = tree.expressions and all(_has_its_size(item) for item in tree.expressions)
    return array if sized or tree.type is None else shapes.cast(array, tree.type)


def _has_its_size(item: Tree) -> bool:
    shape = shapes.shape_of(item)
    return shape is not None and (not shapes.is_number(shape) or shapes.is_sized(item))


def _grow(tree: Tree, names: FreshNames) -> Tree:
    """A fold is over values of one type: every item carries a list, which only what is folded fills."""
    before, after, each = names.fresh(), names.fresh(), names.fresh()
    so_far, item = (name.name for name in tree.expression.expressions)
    values = {so_far: _field(b.read(before), "list"), item: _field(b.read(after), "item")}

    def in_place(node: Tree) -> Tree:
        return values.get(node.name, node) if isinstance(node, exp.Column) else node

    nothing = shapes.cast(exp.Array(expressions=[]), tree.type or shapes.list_of(shapes.TEXT))
    grown = b.call("list_append", values[so_far], tree.expression.this.transform(in_place))
    step = _struct(("list", grown), ("item", values[item]))
    carried = b.going(_struct(("list", nothing), ("item", b.read(each))), each)
    rows = b.call("list_transform", tree.this, carried)
    start = _struct(("list", nothing), ("item", exp.Null()))
    return _field(b.call("list_reduce", rows, b.going(step, before, after), start), "list")


def _field(record: Tree, name: str) -> Tree:
    return b.call("struct_extract", record, exp.Literal.string(name))


def _any(tree: Tree, _: FreshNames) -> Tree:
    """`list_contains` leaves nulls out, as is required here."""
    return b.call("list_contains", b.call("list_transform", tree.this, tree.expression), b.TRUE)


def _contains(tree: Tree, names: FreshNames) -> Tree | Cannot:
    """`list_contains` ignores null, of which `list_position` finds the place."""
    if shapes.holds_map(shapes.shape_of(tree.this)):
        return Cannot(shapes.COMPARED_MAPS)
    if shapes.never_null(tree.expression):
        return b.call("list_contains", tree.this, tree.expression)

    def contains(items: Tree) -> Tree:
        there = b.is_not_null(b.call("list_position", items, tree.expression))
        return there if shapes.never_null(items) else b.either(b.is_not_null(items), there)

    return contains(tree.this) if shapes.never_null(tree.this) else _once(tree.this, names, contains)


def _sum(tree: Tree, names: FreshNames) -> Tree:
    def added(items: Tree) -> Tree:
        # The length of a list without sum is 0, or null where there is no list.
        nothing = b.ZERO if shapes.never_null(items) else b.call("len", items)
        total = b.coalesce(b.call("list_sum", items), nothing)
        return total if tree.type is None else shapes.cast(total, tree.type)

    return _once(tree.this, names, added)


def _least_by(tree: Tree, names: FreshNames) -> Tree:
    return _once(tree.this, names, lambda items: _item_at_least(items, tree.expression, names))


def _item_at_least(items: Tree, keyed: Tree, names: FreshNames) -> Tree:
    if shapes.is_struct(shapes.shape_of(keyed.this)):
        return _at_least_record(items, keyed, names)
    keys = b.call("list_transform", items, keyed)
    place = _once(keys, names, lambda k: b.call("list_position", k, b.call("list_min", k)))
    return b.call("list_extract", items, place)


def _at_least_record(items: Tree, keyed: Tree, names: FreshNames) -> Tree:
    """The place goes after the keys: of equals the first, and nothing is looked up twice."""
    place = names.fresh()
    both = _struct(("keys", keyed.this), ("place", b.read(place)))
    ranked = b.call("list_transform", items, b.going(both, b.variable_of(keyed), place))
    least = b.call("list_min", ranked)
    return b.call("list_extract", items, b.call("struct_extract", least, exp.Literal.string("place")))


def _place(tree: Tree, names: FreshNames) -> Tree | Cannot:
    if shapes.holds_map(shapes.shape_of(tree.this)):
        return Cannot(shapes.COMPARED_MAPS)

    def place_of(item: Tree) -> Tree:
        place = _whole(b.call("list_position", tree.this, item))
        return place if shapes.never_null(item) else b.either(b.is_not_null(item), place)

    return (
        place_of(tree.expression)
        if shapes.is_field(tree.expression)
        else _once(tree.expression, names, place_of)
    )


def _whole(tree: Tree) -> Tree:
    return shapes.cast(tree, shapes.BIGINT)


TO_THE_END = exp.Literal.number(2_147_483_647)


def _slice(tree: Tree, names: FreshNames) -> Tree:
    def cut(start: Tree) -> Tree:
        length = tree.args.get("length")
        end = TO_THE_END if length is None else b.minus(b.plus(start, length), b.ONE)
        return b.call("list_slice", tree.this, start, end)

    return cut(tree.expression) if "length" not in tree.args else _once(tree.expression, names, cut)


def _distinct(tree: Tree, names: FreshNames) -> Tree | Cannot:
    """`list_distinct` loses the order and null."""
    if shapes.holds_map(tree.type):
        return Cannot(shapes.COMPARED_MAPS)
    item, place = names.fresh(), names.fresh()

    def firsts(items: Tree) -> Tree:
        first = exp.EQ(this=b.call("list_position", items, b.read(item)), expression=b.read(place))
        return b.call("list_filter", items, b.going(first, item, place))

    return _once(tree.this, names, firsts)


def _range(tree: Tree, names: FreshNames) -> Tree:
    def counted(start: Tree, end: Tree) -> Tree:
        down = exp.LT(this=end, expression=start)
        step = b.either(down, exp.Neg(this=b.ONE), b.ONE)
        return b.call("generate_series", start, end, step)

    return _once(
        tree.this, names, lambda start: _once(tree.expression, names, lambda end: counted(start, end))
    )


def _places(tree: Tree, names: FreshNames) -> Tree:
    item, place = names.fresh(), names.fresh()
    return b.call("list_transform", tree.this, b.going(b.read(place), item, place))


def _repeat(tree: Tree, _: FreshNames) -> Tree:
    item = shapes.item_of(tree.type)
    one = tree.this if item is None else shapes.cast(tree.this, item)
    return b.call("repeat", exp.Array(expressions=[one]), tree.expression)


# -- records and maps ----------------------------------------------------------------------------


def _struct(*fields: tuple[str, Tree]) -> Tree:
    pairs = [
        exp.PropertyEQ(this=exp.to_identifier(name, quoted=True), expression=value) for name, value in fields
    ]
    return exp.Struct(expressions=pairs)


def _record(tree: Tree, _: FreshNames) -> Tree:
    return _struct(*spell_fields(tree))


def _get(tree: Tree, _: FreshNames) -> Tree:
    return b.call("struct_extract", tree.this, exp.Literal.string(tree.expression.name))


def _map_of(tree: Tree, names: FreshNames) -> Tree:
    name = names.fresh()
    fields = ((f, b.call("struct_extract", b.read(name), exp.Literal.string(f))) for f in ("key", "value"))
    pairs = b.call("list_transform", tree.this, b.going(_struct(*fields), name))
    return b.call("map_from_entries", pairs)


def _bucket(tree: Tree, names: FreshNames) -> Tree:
    so_far, step = names.fresh(), names.fresh()
    at, further = b.read(so_far), b.read(step)
    is_behind = bool(tree.args.get("behind"))

    def searched(value: Tree) -> Tree:
        cut = b.call("list_extract", tree.expression, b.plus(at, further))
        body = b.going(b.step_further(value, at, further, cut, is_behind), so_far, step)
        steps = shapes.cast(
            exp.Array(expressions=b.halving(tree.args["size"])), shapes.list_of(shapes.BIGINT)
        )
        return b.call("list_reduce", steps, body, shapes.cast(b.ZERO, shapes.BIGINT))

    return _once(tree.this, names, searched)


def _sorted_entries(map_: Tree) -> Tree:
    """Two maps in another order are other maps to DuckDB."""
    return b.call("list_sort", b.call("map_entries", map_))


# -- numbers, dates ------------------------------------------------------------------------------


def _modulo(tree: Tree, names: FreshNames) -> Tree:
    return _once(tree.expression, names, lambda divisor: b.remainder(tree.this, divisor))


def _quotient(tree: Tree, names: FreshNames) -> Tree:
    """`//` cuts towards zero, which is exact where nothing is left."""

    def divided(dividend: Tree, divisor: Tree) -> Tree:
        even = b.minus(dividend, b.remainder(dividend, divisor))
        return exp.IntDiv(this=shapes.cast(even, shapes.BIGINT), expression=divisor)

    return _once(tree.this, names, lambda a: _once(tree.expression, names, lambda d: divided(a, d)))


def _read(tree: Tree, _: FreshNames) -> Tree:
    return b.read(tree.name)


ONE_CAPITAL = "the capitals of a text (to DuckDB every letter has one, so not `SS` for `ß`)"
ONE_SMALL_LETTER = "the small letters of a text (to DuckDB every letter has one)"
PARTS = {
    **{name: name for name in ("year", "month", "day", "week", "hour", "minute", "second")},
    "weekday": "isodow",
    "yearday": "dayofyear",
}


SECOND = exp.Literal.string("second")


def _add_months(tree: Tree, _: FreshNames) -> Tree:
    """A date and an interval are a timestamp to DuckDB."""
    later = b.plus(tree.this, b.call("to_months", b.as_int(tree.expression)))
    return later if tree.type == shapes.MOMENT else shapes.cast(later, shapes.DATE)


# -- what is given -------------------------------------------------------------------------------

NUMBER = shapes.decimal(38, DECIMAL_PLACES)
DOUBLE = exp.DataType(this=exp.DType.DOUBLE)
ALL_INTS = "U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)"
INTS = "U?(TINYINT|SMALLINT|INTEGER)|BIGINT"
LONG_INTS = r"UBIGINT|U?HUGEINT|DECIMAL\([0-9]+,0\)"
DECIMALS = r"DECIMAL\(([0-9]|1[0-5]),([0-9]|10)\)"
"""With no more digits than a number may have, whatever it is."""
LONG_DECIMALS = r"BIGINT|UBIGINT|U?HUGEINT|DECIMAL\([0-9]+,([0-9]|10)\)"


class _Given(Given):
    """`typeof` is a constant when the statement is planned."""

    WHOLE = (rf"\b{ALL_INTS}\b", "BIGINT", "g")

    def scalar(self, raw: Tree, kind: exp.DataType) -> Tree:
        found = self.attempted(raw, kind)
        match kind.this:
            case exp.DType.BIGINT:
                plain = shapes.cast(raw, kind)
                return exp.Case(
                    ifs=[
                        exp.If(this=exp.And(this=_is(raw, INTS), expression=within(plain, kind)), true=plain),
                        exp.If(
                            this=exp.And(this=_is(raw, LONG_INTS), expression=within(found, kind)), true=found
                        ),
                    ]
                )
            case exp.DType.DECIMAL:
                return _number(raw)
            case exp.DType.DATE:
                return on_its_day(_is(raw, "DATE"), _is(raw, "TIMESTAMP.*"), found, _moment(raw))
            case exp.DType.TIMESTAMPNTZ:
                return _moment(raw)
            case exp.DType.BOOLEAN:
                return b.either(_is(raw, "BOOLEAN"), found)
            case _:
                return b.either(_is(raw, r"VARCHAR|ENUM\(.*\)"), _as_text(raw))

    def attempted(self, raw: Tree, kind: exp.DataType) -> Tree:
        return b.try_cast(raw, kind)

    def mapped(self, items: Tree, body: Callable[[Tree], Tree], names: FreshNames) -> Tree:
        name = names.fresh()
        return b.call("list_transform", items, b.going(body(b.read(name)), name))

    def some(self, items: Tree, condition: Callable[[Tree], Tree], names: FreshNames) -> Tree:
        return b.call("list_contains", self.mapped(items, condition, names), b.TRUE)

    def field(self, record: Tree, name: str) -> Tree:
        return _field(record, name)

    def struct(self, *fields: tuple[str, Tree]) -> Tree:
        return _struct(*fields)

    def entries(self, map_: Tree, change: Callable[[Tree], Tree]) -> Tree:
        return b.call("map", b.call("map_keys", map_), change(b.call("map_values", map_)))


def _number(raw: Tree) -> Tree:
    """A long decimal may end in zeros."""
    found, plain = b.try_cast(raw, NUMBER), shapes.cast(raw, NUMBER)
    zeros = _matches(_as_text(raw), rf"-?[0-9]+\.[0-9]{{0,{DECIMAL_PLACES}}}0*")
    ends = exp.And(this=_is(raw, "DECIMAL.*"), expression=zeros)
    exact = exp.Or(this=_is(raw, LONG_DECIMALS), expression=ends)
    return exp.Case(
        ifs=[
            exp.If(this=_is(raw, rf"U?(TINYINT|SMALLINT|INTEGER)|{DECIMALS}"), true=plain),
            *_of_float(raw),
            exp.If(this=exp.And(this=exact, expression=within(found, NUMBER)), true=found),
        ]
    )


def _short(tree: Tree, _: FreshNames) -> Tree:
    """Only where its type shows that it is: cutting a long number takes longer than reckoning with it."""
    raw, kind = tree.this, tree.type or NUMBER
    value, places = b.try_cast(raw, DOUBLE), shapes.places_of(kind)
    most = shapes.digits_of(kind) - places
    by_type = rf"{INTS}|DECIMAL\(([0-9]|1[0-{most - 10}]),[0-{places}]\)"
    few = b.try_cast(value, shapes.decimal(15, places))
    same = exp.EQ(this=shapes.cast(few, DOUBLE), expression=value)
    is_float = exp.And(this=_is(raw, "DOUBLE|FLOAT"), expression=same)
    return exp.Case(
        ifs=[
            exp.If(this=_is(raw, by_type), true=b.try_cast(raw, kind)),
            exp.If(this=is_float, true=shapes.cast(few, kind)),
        ]
    )


def _rounded(function: str) -> Callable[[Tree, FreshNames], Tree]:
    """The short number is tried first; where it is null, or has no room, it is the long one's turn."""

    def rounded(number: Tree, tree: Tree) -> Tree:
        places = tree.args.get("expression")
        if places is not None:
            return b.call(function, number, places)
        return shapes.cast(b.call(function, number), shapes.BIGINT)

    def spell(tree: Tree, _: FreshNames) -> Tree:
        number, short = tree.this, tree.args.get("short")
        if shapes.is_whole(shapes.shape_of(number)):
            return number if tree.args.get("expression") is None else rounded(number, tree)
        long = rounded(number, tree)
        return long if short is None else b.coalesce(b.call("try", rounded(short, tree)), long)

    return spell


def _of_float(raw: Tree) -> list[Tree]:
    """The number of 15 digits that is read as this float, or else the one in its shortest text: two of 15
    digits are never the same float."""
    is_float, value = _is(raw, "DOUBLE|FLOAT"), b.try_cast(raw, DOUBLE)
    short, long = (
        b.try_cast(value, shapes.decimal(15, 6)),
        b.try_cast(_as_text(value), NUMBER),
    )
    same_short = exp.EQ(this=shapes.cast(short, DOUBLE), expression=value)
    same_long = exp.EQ(this=shapes.cast(_as_text(long), DOUBLE), expression=value)
    is_exact = exp.And(this=same_long, expression=within(long, NUMBER))
    return [
        exp.If(this=exp.And(this=is_float, expression=same_short), true=shapes.cast(short, NUMBER)),
        exp.If(this=exp.And(this=is_float, expression=is_exact), true=long),
    ]


def _moment(raw: Tree) -> Tree:
    """Of whole seconds; a cast would cut what is smaller than a microsecond."""
    found = b.try_cast(raw, shapes.MOMENT)
    whole = exp.EQ(this=b.call("date_trunc", SECOND, found), expression=found)
    fraction = exp.Like(this=_as_text(raw), expression=_literal("%.%"))
    nanos = exp.And(this=_is(raw, "TIMESTAMP_NS"), expression=fraction)
    sound = exp.And(this=in_years(found), expression=exp.And(this=whole, expression=exp.Not(this=nanos)))
    return b.either(exp.And(this=_is(raw, "DATE|TIMESTAMP(_S|_MS|_NS)?"), expression=sound), found)


def _as_text(value: Tree) -> Tree:
    return shapes.cast(value, shapes.TEXT)


def _literal(text: str) -> Tree:
    return exp.Literal.string(text)


def _is(raw: Tree, pattern: str) -> Tree:
    return _matches(typeof(raw), pattern)


def _matches(text: Tree, pattern: str) -> Tree:
    return b.call("regexp_full_match", text, _literal(pattern))


_GIVEN = _Given()

SPELLERS: Spellers = {
    exp.Add: spell_counting,
    exp.Sub: spell_counting,
    exp.Mul: spell_counting,
    o.XGiven: lambda tree, names: _GIVEN.value(tree.this, tree.type or shapes.TEXT, names),
    o.XShort: _short,
    o.XShown: spell_shown,
    o.XTry: b.function("try"),
    o.XNarrow: spell_narrow,
    o.Variable: _read,
    o.XList: _list,
    o.XMap: b.function("list_transform"),
    o.XFilter: b.function("list_filter"),
    o.XGrow: _grow,
    o.XAny: _any,
    o.XContains: _contains,
    o.XCount: b.function("len"),
    o.XSum: _sum,
    o.XMin: b.function("list_min"),
    o.XMax: b.function("list_max"),
    o.XMinBy: _least_by,
    o.XSort: b.function("list_sort"),
    o.XItem: b.function("list_extract"),
    o.XPlace: _place,
    o.XSlice: _slice,
    o.XConcat: lambda tree, _: b.call("list_concat", *tree.expressions),
    o.XFlatten: b.function("flatten"),
    o.XDistinct: _distinct,
    o.XReverse: b.function("list_reverse"),
    o.XRange: _range,
    o.XPlaces: _places,
    o.XRepeat: _repeat,
    o.XRecord: _record,
    o.XGet: _get,
    o.XEntry: b.function("map_extract_value"),
    o.XMapOf: _map_of,
    o.XSame: b.comparison(_sorted_entries),
    o.XLookup: spell_lookup,
    o.XNames: spell_names,
    o.XCatalogue: spell_catalogue,
    o.XNamed: spell_named,
    o.XCuts: _list,
    o.XBucket: _bucket,
    o.XDivide: b.cannot("a division that may not come out even"),
    o.XModulo: _modulo,
    WholeQuotient: _quotient,
    o.XFloor: _rounded("floor"),
    o.XCeiling: _rounded("ceil"),
    o.XAbs: b.typed_function("abs"),
    o.XRound: _rounded("round_even"),
    o.XLength: b.function("length"),
    o.XUpper: b.cannot(ONE_CAPITAL),
    o.XLower: b.cannot(ONE_SMALL_LETTER),
    o.XHolds: b.function("contains"),
    o.XStarts: b.function("starts_with"),
    o.XEnds: b.function("suffix"),
    o.XText: lambda tree, _: shapes.cast(tree.this, shapes.TEXT),
    o.XMakeDate: b.function("make_date"),
    o.XAddDays: b.spell_add_days,
    o.XAddMonths: _add_months,
    o.XAddSeconds: lambda tree, _: b.plus(tree.this, b.call("to_seconds", tree.expression)),
    o.XSecondsBetween: lambda tree, _: b.call("date_diff", SECOND, tree.expression, tree.this),
    o.XDaysBetween: lambda tree, _: b.minus(tree.this, tree.expression),
    o.XDatePart: lambda tree, _: b.call(PARTS[tree.expression.name], tree.this),
}
