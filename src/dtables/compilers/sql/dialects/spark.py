"""Spark, with its ANSI mode on: an overflow and a wrong cast are errors there, not nulls."""

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
from dtables.compilers.sql.dialects.lowering import (
    Cannot,
    FreshNames,
    Speller,
    Spellers,
    WholeQuotient,
    lowered,
)
from dtables.compilers.sql.dialects.numbers import spell_counting, spell_fields, spell_round_of
from dtables.compilers.sql.dialects.shapes import Tree
from dtables.compilers.sql.types import DECIMAL_PLACES

# -- room for 38 digits -----------------------------------------------------------------------------
# Decimals in Spark: it rounds a result that may need more than 38 digits, without a word, and numbers that
# are compared with one another too. Operands are given so many digits that their result always has room: a
# number that has more is an error.

ROOM = shapes.MOST_DIGITS - 1
TOO_MANY_PLACES = "a product with so many decimal places"


def spell_decimals(tree: Tree, _: FreshNames) -> Tree | Cannot:
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
    operation: Tree = type(tree)(this=operands[0], expression=operands[1])
    operation.type = shapes.shape_of(operation)
    return operation


def roomy(shape: exp.DataType) -> exp.DataType:
    """A number of this type has room beside another for their sum."""
    return shapes.decimal(ROOM, shapes.places_of(shape))


def spell_side_by_side(tree: Tree, _: FreshNames) -> Tree:
    """Values that are compared: brought to one type that loses no place."""
    left, right = _alike([tree.this, tree.expression])
    return type(tree)(this=left, expression=right)


def spell_coalesce(tree: Tree, _: FreshNames) -> Tree:
    first, *others = _alike([tree.this, *tree.expressions])
    return exp.Coalesce(this=first, expressions=others)


def spell_case(tree: Tree, _: FreshNames) -> Tree:
    arms, default = tree.args["ifs"], tree.args.get("default")
    values = _alike(shapes.results_of(tree))
    conditions = [arm.this for arm in arms]
    ifs = [exp.If(this=condition, true=value) for condition, value in zip(conditions, values, strict=False)]
    for branch, arm in zip(ifs, arms, strict=True):
        branch.meta.update(arm.meta)
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


def lower_spark(tree: Tree) -> tuple[Tree, tuple[o.Unsupported, ...]]:
    """The tree for sqlglot's `spark`, and what Spark does not support."""
    return lowered(tree, SPELLERS)


def _once(value: Tree, names: FreshNames, body: Callable[[Tree], Tree]) -> Tree:
    if shapes.is_simple(value):
        return body(value)
    name = names.fresh()
    return _let(value, b.going(body(b.read(name)), name))


def _let(value: Tree, lambda_: Tree) -> Tree:
    return b.call("element_at", b.call("transform", b.call("array", value), lambda_), b.ONE)


def _lambda(tree: Tree, _: FreshNames) -> Tree:
    return b.going(tree.this, *(_name(name) for name in tree.expressions))


def _name(name: Tree) -> str:
    """Spark does not find a lambda's variable that has a full stop in its name, in quotes or not."""
    return str(name.name).replace(".", "_")


# -- lists ---------------------------------------------------------------------------------------


def _list(tree: Tree, _: FreshNames) -> Tree:
    """Cast to its type: Spark's array of nothing is of no type, and one of literals of 32-bit numbers."""
    array = b.call("array", *tree.expressions)
    return array if tree.type is None else shapes.cast(array, tree.type)


def _grow(tree: Tree, _: FreshNames) -> Tree:
    lambda_, kind = tree.expression, tree.type or shapes.list_of(shapes.TEXT)
    so_far, item = (name.name for name in lambda_.expressions)
    value = shapes.cast(b.call("array", lambda_.this), kind)
    grown = b.call("concat", b.read(so_far), value)
    return b.call("aggregate", tree.this, shapes.cast(b.call("array"), kind), b.going(grown, so_far, item))


def _any(tree: Tree, _: FreshNames) -> Tree:
    """`exists` would be null where the condition is null for an item."""
    lambda_ = tree.expression
    return b.call("exists", tree.this, b.going(b.coalesce(lambda_.this, b.FALSE), b.variable_of(lambda_)))


def _contains(tree: Tree, names: FreshNames) -> Tree | Cannot:
    """`array_contains` would be null where the list holds a null."""
    if shapes.holds_map(shapes.shape_of(tree.this)):
        return Cannot(shapes.COMPARED_MAPS)
    name = names.fresh()
    return b.call("exists", tree.this, b.going(b.same(b.read(name), tree.expression), name))


def _sum(tree: Tree, names: FreshNames) -> Tree:
    so_far, item = names.fresh(), names.fresh()
    shape = tree.type or shapes.BIGINT
    step = shapes.cast(exp.Add(this=_roomy(so_far, shape), expression=_roomy(item, shape)), shape)
    return b.call("aggregate", tree.this, shapes.cast(b.ZERO, shape), b.going(step, so_far, item))


def _roomy(name: str, shape: exp.DataType) -> Tree:
    """One digit less than there may be: the sum of two has room."""
    read = b.read(name)
    return read if shapes.is_whole(shape) else shapes.cast(read, roomy(shape))


def _least_by(tree: Tree, names: FreshNames) -> Tree:
    """The place goes after the keys, so that of equals the first is taken; the item after it is never
    compared, but a map in it has no order at all."""
    keyed, place, item = tree.expression, names.fresh(), shapes.shape_of(tree.this)
    fields = [("keys", keyed.this), ("place", b.read(place))]
    if shapes.holds_map(item):
        return _once(
            tree.this, names, lambda items: _item_at(items, _least(items, keyed, place, fields), names)
        )
    fields.append(("item", b.read(b.variable_of(keyed))))
    return _field(_least(tree.this, keyed, place, fields), "item")


def _least(items: Tree, keyed: Tree, place: str, fields: list[tuple[str, Tree]]) -> Tree:
    ranked = b.call("transform", items, b.going(_struct(*fields), b.variable_of(keyed), place))
    return b.call("array_min", ranked)


def _item_at(items: Tree, least: Tree, _: FreshNames) -> Tree:
    return b.call("try_element_at", items, b.plus(_field(least, "place"), b.ONE))


def _item(tree: Tree, _: FreshNames) -> Tree:
    """Place 0 is an error to Spark, and places are 32-bit numbers."""
    place = tree.expression
    if not isinstance(place, exp.Literal) or place.name == "0":
        place = shapes.cast(_null_if(place, b.ZERO), b.INT)
    return b.call("try_element_at", tree.this, place)


def _null_if(value: Tree, unwanted: Tree) -> Tree:
    return exp.Nullif(this=value, expression=unwanted)


def _place(tree: Tree, _: FreshNames) -> Tree | Cannot:
    if shapes.holds_map(shapes.shape_of(tree.this)):
        return Cannot(shapes.COMPARED_MAPS)
    return _null_if(b.call("array_position", tree.this, _typed_null(tree)), b.ZERO)


def _typed_null(tree: Tree) -> Tree:
    """A null without a type is refused as an argument."""
    value: Tree = tree.expression
    item = shapes.item_of(shapes.shape_of(tree.this))
    return shapes.cast(value, item) if isinstance(value, exp.Null) and item is not None else value


TO_THE_END = exp.Literal.number(2_147_483_647)


def _slice(tree: Tree, _: FreshNames) -> Tree:
    length = tree.args.get("length")
    sizes = [tree.expression, TO_THE_END if length is None else length]
    return b.call("slice", tree.this, *(b.as_int(size) for size in sizes))


def _distinct(tree: Tree, _: FreshNames) -> Tree | Cannot:
    return (
        Cannot(shapes.COMPARED_MAPS) if shapes.holds_map(tree.type) else b.call("array_distinct", tree.this)
    )


def _range(tree: Tree, _: FreshNames) -> Tree:
    return b.call("sequence", *(shapes.cast(end, shapes.BIGINT) for end in (tree.this, tree.expression)))


def _places(tree: Tree, names: FreshNames) -> Tree:
    item, place = names.fresh(), names.fresh()
    counted = shapes.cast(b.plus(b.read(place), b.ONE), shapes.BIGINT)
    return b.call("transform", tree.this, b.going(counted, item, place))


def _repeat(tree: Tree, _: FreshNames) -> Tree:
    item = shapes.item_of(tree.type)
    one = tree.this if item is None else shapes.cast(tree.this, item)
    return b.call("array_repeat", one, b.as_int(tree.expression))


# -- records and maps ----------------------------------------------------------------------------


def _struct(*fields: tuple[str, Tree]) -> Tree:
    parts = [part for name, value in fields for part in (exp.Literal.string(name), value)]
    return b.call("named_struct", *parts)


def _field(record: Tree, name: str) -> Tree:
    return exp.Dot(this=record, expression=exp.to_identifier(name, quoted=True))


def _record(tree: Tree, _: FreshNames) -> Tree:
    return _struct(*spell_fields(tree))


def _get(tree: Tree, _: FreshNames) -> Tree:
    return _field(tree.this, tree.expression.name)


def _map_of(tree: Tree, names: FreshNames) -> Tree:
    name = names.fresh()
    fields = ((f, _field(b.read(name), f)) for f in ("key", "value"))
    return b.call("map_from_entries", b.call("transform", tree.this, b.going(_struct(*fields), name)))


def _sorted_entries(map_: Tree) -> Tree:
    """Maps are not compared by Spark at all."""
    return b.call("array_sort", b.call("map_entries", map_))


def _lookup(tree: Tree, _: FreshNames) -> Tree:
    """A constant map, made once."""
    keys, values = (b.call("array", *tree.args[part]) for part in ("keys", "values"))
    listed: Tree = values if tree.type is None else shapes.cast(values, shapes.list_of(tree.type))
    return b.call("try_element_at", b.call("map_from_arrays", keys, listed), tree.this)


def _named(tree: Tree, _: FreshNames) -> Tree:
    place = _null_if(b.call("array_position", tree.args["names"], tree.expression), b.ZERO)
    return b.call("try_element_at", tree.this, shapes.cast(place, b.INT))


def _bucket(tree: Tree, names: FreshNames) -> Tree:
    so_far, step = names.fresh(), names.fresh()
    at, further = b.read(so_far), b.read(step)
    is_behind = bool(tree.args.get("behind"))

    def searched(value: Tree) -> Tree:
        cut = b.call("try_element_at", tree.expression, b.as_int(b.plus(at, further)))
        body = b.going(b.step_further(value, at, further, cut, is_behind), so_far, step)
        steps = shapes.cast(b.call("array", *b.halving(tree.args["size"])), shapes.list_of(shapes.BIGINT))
        return b.call("aggregate", steps, shapes.cast(b.ZERO, shapes.BIGINT), body)

    return _once(tree.this, names, searched)


# -- numbers, dates ------------------------------------------------------------------------------


def _modulo(tree: Tree, names: FreshNames) -> Tree:
    return _once(tree.expression, names, lambda divisor: b.remainder(tree.this, divisor))


def _quotient(tree: Tree, names: FreshNames) -> Tree:
    """`div` cuts towards zero, which is exact where nothing is left."""

    def divided(dividend: Tree, divisor: Tree) -> Tree:
        even = b.minus(dividend, b.remainder(dividend, divisor))
        return exp.IntDiv(this=even, expression=divisor)

    return _once(tree.this, names, lambda a: _once(tree.expression, names, lambda d: divided(a, d)))


def _arithmetic(tree: Tree, names: FreshNames) -> Tree | Cannot:
    return spell_decimals(spell_counting(tree, names), names)


def _round(tree: Tree, _: FreshNames) -> Tree:
    if shapes.is_whole(shapes.shape_of(tree.this)):
        whole: Tree = tree.this
        return whole
    return b.call("bround", tree.this, tree.expression)


def _date_part(tree: Tree, _: FreshNames) -> Tree:
    part = tree.expression.name
    number: Tree = b.call(PARTS.get(part, part), tree.this)
    return shapes.cast(b.plus(number, b.ONE) if part == "weekday" else number, shapes.BIGINT)


PARTS = {"yearday": "dayofyear", "week": "weekofyear"}


def _of_whole(function: str, *whole: str) -> Speller:
    """Spark takes 32-bit numbers here."""

    def spell(tree: Tree, _: FreshNames) -> Tree:
        operands = [b.as_int(part) if key in whole else part for key, part in tree.args.items()]
        return b.call(function, *operands)

    return spell


SECOND = exp.Var(this="SECOND")
SECONDS = shapes.decimal(18, 6)


def _add_months(tree: Tree, names: FreshNames) -> Tree | Cannot:
    """`add_months` gives a date."""
    if tree.type != shapes.MOMENT:
        return _of_whole("add_months", "expression")(tree, names)
    return b.plus(tree.this, b.call("make_ym_interval", b.ZERO, b.as_int(tree.expression)))


def _add_seconds(tree: Tree, _: FreshNames) -> Tree:
    seconds = shapes.cast(tree.expression, SECONDS)
    return b.plus(tree.this, b.call("make_dt_interval", b.ZERO, b.ZERO, b.ZERO, seconds))


# -- what is given -------------------------------------------------------------------------------

NUMBER = shapes.decimal(38, DECIMAL_PLACES)
DOUBLE = exp.DataType(this=exp.DType.DOUBLE)
INTS = "tinyint|smallint|int"
LONG_INTS = "bigint|decimal[(][0-9]+,0[)]"
DECIMALS = "decimal[(]([0-9]|1[0-5]),([0-9]|10)[)]"
"""With no more digits than a number may have, whatever it is."""
LONG_DECIMALS = "bigint|decimal[(][0-9]+,([0-9]|10)[)]"


class _Given(Given):
    """`typeof` is a constant when the statement is planned."""

    WHOLE = (rf"(?<![A-Za-z0-9_])({INTS})(?![A-Za-z0-9_])", "bigint")

    def scalar(self, raw: Tree, kind: exp.DataType) -> Tree:
        found = self.attempted(raw, kind)
        match kind.this:
            case exp.DType.BIGINT:
                long = exp.And(this=_is(raw, LONG_INTS), expression=within(found, kind))
                return exp.Case(ifs=[exp.If(this=_is(raw, INTS), true=found), exp.If(this=long, true=found)])
            case exp.DType.DECIMAL:
                return _number(raw)
            case exp.DType.DATE:
                moment = self.scalar(raw, shapes.MOMENT)
                return on_its_day(_is(raw, "date"), _is(raw, "timestamp_ntz"), found, moment)
            case exp.DType.TIMESTAMPNTZ:
                whole = exp.EQ(this=b.call("date_trunc", SECOND_UNIT, found), expression=found)
                sound = exp.And(this=in_years(found), expression=whole)
                return b.either(exp.And(this=_is(raw, "date|timestamp_ntz"), expression=sound), found)
            case exp.DType.BOOLEAN:
                return b.either(_is(raw, "boolean"), found)
            case _:
                return b.either(_is(raw, "string"), _as_text(raw))

    def attempted(self, raw: Tree, kind: exp.DataType) -> Tree:
        """A date is cast from its text: a number is not refused then before anything is read."""
        is_day = kind.this in (exp.DType.DATE, exp.DType.TIMESTAMPNTZ)
        return b.try_cast(_as_text(raw) if is_day else raw, kind)

    def mapped(self, items: Tree, body: Callable[[Tree], Tree], names: FreshNames) -> Tree:
        name = names.fresh()
        return b.call("transform", items, b.going(body(b.read(name)), name))

    def some(self, items: Tree, condition: Callable[[Tree], Tree], names: FreshNames) -> Tree:
        name = names.fresh()
        return b.call("exists", items, b.going(b.coalesce(condition(b.read(name)), b.FALSE), name))

    def field(self, record: Tree, name: str) -> Tree:
        return _field(record, name)

    def struct(self, *fields: tuple[str, Tree]) -> Tree:
        return _struct(*fields)

    def entries(self, map_: Tree, change: Callable[[Tree], Tree]) -> Tree:
        return b.call("map_from_arrays", b.call("map_keys", map_), change(b.call("map_values", map_)))


def _number(raw: Tree) -> Tree:
    """A long decimal may end in zeros."""
    found = b.try_cast(raw, NUMBER)
    zeros = _matches(_as_text(raw), f"-?[0-9]+[.][0-9]{{0,{DECIMAL_PLACES}}}0*")
    ends = exp.And(this=_is(raw, "decimal.*"), expression=zeros)
    exact = exp.Or(this=_is(raw, LONG_DECIMALS), expression=ends)
    return exp.Case(
        ifs=[
            exp.If(this=_is(raw, f"{INTS}|{DECIMALS}"), true=found),
            _of_float(raw),
            exp.If(this=exp.And(this=exact, expression=within(found, NUMBER)), true=found),
        ]
    )


def _of_float(raw: Tree) -> exp.If:
    """The number of 15 digits that is read as this float: there is one at most. Java's own text of a float is
    not always the shortest."""
    value = b.try_cast(raw, DOUBLE)
    found = b.try_cast(b.call("format_string", exp.Literal.string("%.14e"), value), NUMBER)
    same = exp.EQ(this=b.try_cast(_as_text(found), DOUBLE), expression=value)
    is_exact = exp.And(this=same, expression=within(found, NUMBER))
    return exp.If(this=exp.And(this=_is(raw, "double|float"), expression=is_exact), true=found)


def _as_text(value: Tree) -> Tree:
    return shapes.cast(value, shapes.TEXT)


def _is(raw: Tree, pattern: str) -> Tree:
    return _matches(typeof(raw), pattern)


def _matches(text: Tree, pattern: str) -> Tree:
    return b.call("regexp_like", text, exp.Literal.string(f"^({pattern})$"))


_GIVEN = _Given()
SECOND_UNIT = exp.Literal.string("SECOND")


# -- numbers that may have no room ---------------------------------------------------------------

TRIED: dict[type[exp.Expression], str] = {
    exp.Add: "try_add",
    exp.Sub: "try_subtract",
    exp.Mul: "try_multiply",
}


def _try(tree: Tree, _: FreshNames) -> Tree:
    return _tried(tree.this)


def _tried(tree: Tree) -> Tree:
    """What is an error inside is null."""
    if type(tree) is exp.Cast:
        return b.try_cast(_tried(tree.this), tree.to)
    function = TRIED.get(type(tree))
    if function is not None:
        return b.call(function, _tried(tree.this), _tried(tree.expression))
    parts = {
        key: _tried(part) if isinstance(part, exp.Expression) else _tried_all(part)
        for key, part in tree.args.items()
    }
    attempt = type(tree)(**parts)
    attempt.type = tree.type
    return attempt


def _tried_all(parts: object) -> object:
    if not isinstance(parts, list):
        return parts
    return [_tried(part) if isinstance(part, exp.Expression) else part for part in parts]


COMPARISONS: tuple[type[exp.Expression], ...] = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE),
    *(exp.NullSafeEQ, exp.NullSafeNEQ),
)

SPELLERS: Spellers = {
    exp.Add: _arithmetic,
    exp.Sub: _arithmetic,
    exp.Mul: _arithmetic,
    **dict.fromkeys(COMPARISONS, spell_side_by_side),
    exp.Coalesce: spell_coalesce,
    exp.Case: spell_case,
    exp.Lambda: _lambda,
    o.XGiven: lambda tree, names: _GIVEN.value(tree.this, tree.type or shapes.TEXT, names),
    o.XShown: spell_shown,
    o.XTry: _try,
    o.XNarrow: spell_narrow,
    o.Variable: lambda tree, _: b.read(_name(tree.this)),
    o.XList: _list,
    o.XMap: b.function("transform"),
    o.XFilter: b.function("filter"),
    o.XGrow: _grow,
    o.XAny: _any,
    o.XContains: _contains,
    o.XCount: lambda tree, _: shapes.cast(b.call("array_size", tree.this), shapes.BIGINT),
    o.XSum: _sum,
    o.XMin: b.function("array_min"),
    o.XMax: b.function("array_max"),
    o.XMinBy: _least_by,
    o.XSort: b.function("array_sort"),
    o.XItem: _item,
    o.XPlace: _place,
    o.XSlice: _slice,
    o.XConcat: lambda tree, _: b.call("concat", *tree.expressions),
    o.XFlatten: b.function("flatten"),
    o.XDistinct: _distinct,
    o.XReverse: b.function("reverse"),
    o.XRange: _range,
    o.XPlaces: _places,
    o.XRepeat: _repeat,
    o.XRecord: _record,
    o.XGet: _get,
    o.XEntry: b.function("try_element_at"),
    o.XMapOf: _map_of,
    o.XSame: b.comparison(_sorted_entries),
    o.XLookup: _lookup,
    o.XNames: _list,
    o.XCatalogue: _list,
    o.XNamed: _named,
    o.XCuts: _list,
    o.XBucket: _bucket,
    o.XDivide: b.cannot("a division that may not come out even"),
    o.XModulo: _modulo,
    WholeQuotient: _quotient,
    o.XFloor: spell_round_of("floor"),
    o.XCeiling: spell_round_of("ceil"),
    o.XAbs: b.function("abs"),
    o.XRound: _round,
    o.XLength: b.typed_function("length"),
    o.XUpper: b.function("upper"),
    o.XLower: b.function("lower"),
    o.XHolds: b.function("contains"),
    o.XStarts: b.function("startswith"),
    o.XEnds: b.function("endswith"),
    o.XText: lambda tree, _: shapes.cast(tree.this, shapes.TEXT),
    o.XMakeDate: _of_whole("make_date", "this", "expression", "length"),
    o.XAddDays: _of_whole("date_add", "expression"),
    o.XAddMonths: _add_months,
    o.XAddSeconds: _add_seconds,
    o.XSecondsBetween: lambda tree, _: b.call("timestampdiff", SECOND, tree.expression, tree.this),
    o.XDaysBetween: b.function("datediff"),
    o.XDatePart: _date_part,
}
