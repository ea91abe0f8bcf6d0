"""PostgreSQL: it has no lambdas, so going through a list is a subselect; lists, records and maps are `jsonb`,
whose numbers are as exact as the database's own."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sqlglot import exp

from dtables.compilers.sql import neutral as o
from dtables.compilers.sql.dialects import postgres_lists as lists
from dtables.compilers.sql.dialects import shapes
from dtables.compilers.sql.dialects import writing as b
from dtables.compilers.sql.dialects.given import MOST_SHOWN, in_years, on_its_day, within
from dtables.compilers.sql.dialects.lowering import FreshNames, Speller, Spellers, WholeQuotient, lowered
from dtables.compilers.sql.dialects.numbers import spell_counting, spell_round_of
from dtables.compilers.sql.dialects.postgres_lists import (
    JSONB,
    MOST_WHOLE,
    as_json,
    as_type,
    as_whole,
    fenced,
    once,
    spell_entry,
    spell_get,
    spell_list,
    spell_lookup,
    spell_named,
    spell_names,
    spell_record,
    stored_as,
    without_nulls,
)
from dtables.compilers.sql.dialects.shapes import Tree
from dtables.compilers.sql.types import DECIMAL_PLACES, LARGEST

# -- what comes in ----------------------------------------------------------------------------------
# What PostgreSQL is given. It knows the type of a column when it plans the statement, as the others do, but
# refuses there and then a cast that it does not have: a boolean or a date where a number is expected is its
# own error, before any row is read.

REGTYPE = exp.DataType.build("regtype", dialect="postgres", udt=True)
NUMERIC = exp.DataType(this=exp.DType.DECIMAL)
DOUBLE = exp.DataType(this=exp.DType.DOUBLE)
PLACES = exp.Literal.number(DECIMAL_PLACES)


def spell_given(tree: Tree, _: FreshNames) -> Tree:
    raw, kind = tree.this, tree.type or shapes.TEXT
    match kind.this:
        case exp.DType.BIGINT:
            return _whole(raw)
        case exp.DType.DECIMAL:
            return _number(raw)
        case exp.DType.DATE:
            day = _from_text(raw, kind)
            return on_its_day(_is(raw, "date"), _is(raw, "timestamp"), day, _moment(raw))
        case exp.DType.TIMESTAMPNTZ:
            return _moment(raw)
        case exp.DType.BOOLEAN:
            return b.either(_is(raw, "boolean"), _from_text(raw, kind))
        case exp.DType.TEXT:
            return b.either(_is(raw, "text", "varchar", "bpchar"), shapes.cast(raw, shapes.TEXT))
        case _:
            return _json(raw, kind)


def _whole(raw: Tree) -> Tree:
    whole, number = shapes.cast(raw, shapes.BIGINT), _as_numeric(raw)
    no_places = exp.EQ(this=b.call("scale", number), expression=b.ZERO)
    decimal = exp.And(this=_is(raw, "numeric"), expression=no_places)
    is_int = _is(raw, "smallint", "integer", "bigint")
    return exp.Case(
        ifs=[
            exp.If(this=exp.And(this=is_int, expression=within(whole, shapes.BIGINT)), true=whole),
            exp.If(this=exp.And(this=decimal, expression=within(number, shapes.BIGINT)), true=whole),
        ]
    )


def _number(raw: Tree) -> Tree:
    """A float as the number of 15 digits that is read as this float: its cast gives so many. Those of the
    largest are read as none."""
    number, float_ = _as_numeric(raw), shapes.cast(raw, DOUBLE)
    short = _as_numeric(float_)
    few = exp.LTE(this=b.call("scale", number), expression=PLACES)
    cut = exp.EQ(this=b.call("trunc", number, PLACES), expression=number)
    exact = exp.And(this=within(number, NUMERIC), expression=exp.Or(this=few, expression=cut))
    same = exp.EQ(this=shapes.cast(short, DOUBLE), expression=float_)
    is_short = exp.LTE(this=b.call("scale", short), expression=PLACES)
    has_room = exp.And(this=within(short, NUMERIC), expression=is_short)
    fits = exp.And(this=has_room, expression=same)
    is_exact = _is(raw, "numeric", "smallint", "integer", "bigint")
    return exp.Case(
        ifs=[
            exp.If(this=exp.And(this=is_exact, expression=exact), true=number),
            exp.If(this=exp.And(this=_is(raw, "float8", "float4"), expression=fits), true=short),
        ]
    )


def _moment(raw: Tree) -> Tree:
    """Of whole seconds."""
    moment = _from_text(raw, shapes.MOMENT)
    second = b.call("date_trunc", exp.Literal.string("second"), moment)
    whole = exp.And(this=in_years(moment), expression=exp.EQ(this=second, expression=moment))
    return b.either(exp.And(this=_is(raw, "date", "timestamp"), expression=whole), moment)


def _as_numeric(value: Tree) -> Tree:
    return shapes.cast(value, NUMERIC)


def _from_text(raw: Tree, kind: exp.DataType) -> Tree:
    """Whatever the type is, it has a text."""
    return shapes.cast(shapes.cast(raw, shapes.TEXT), kind)


def _typeof(raw: Tree) -> Tree:
    return b.call("pg_typeof", raw)


def _is(raw: Tree, *names: str) -> Tree:
    known = [shapes.cast(exp.Literal.string(name), REGTYPE) for name in names]
    return exp.In(this=_typeof(raw), expressions=known)


def spell_shown(tree: Tree, _: FreshNames) -> Tree:
    text = b.call("left", shapes.cast(tree.this, shapes.TEXT), MOST_SHOWN)
    kind = shapes.cast(_typeof(tree.this), shapes.TEXT)
    words = exp.DPipe(this=text, expression=exp.Literal.string(" ("))
    return exp.DPipe(this=exp.DPipe(this=words, expression=kind), expression=exp.Literal.string(")"))


def spell_narrow(tree: Tree, _: FreshNames) -> Tree:
    cut = b.call("trunc", tree.this, exp.Literal.number(shapes.places_of(tree.type or shapes.BIGINT)))
    return b.either(exp.EQ(this=cut, expression=tree.this), tree.this)


# -- records and lists ---------------------------------------------------------------------------


def _json(raw: Tree, kind: exp.DataType) -> Tree:
    """Its parts keep their types in JSON, and its numbers all of their digits."""
    value = shapes.cast(raw, JSONB)
    found = b.call("jsonb_path_match", value, exp.Literal.string(" || ".join(_faults(kind, "$"))))
    sound = exp.And(this=_is(raw, "jsonb"), expression=exp.Not(this=found))
    checked = b.either(sound, value)
    checked.type = kind
    return checked


def _faults(kind: exp.DataType, at: str) -> Iterator[str]:
    """Is something not of its type? A path takes an array for its items, but for its `type()`."""
    item = shapes.item_of(kind)
    if item is not None:
        yield _other(at, "array")
        yield from _faults(item, f"{at}[*]")
    elif shapes.is_map(kind):
        yield _other(at, "object")
        yield from _faults(kind.expressions[1], f"{at}.*")
    elif shapes.is_struct(kind):
        yield _other(at, "object")
        for name, of in shapes.fields_of(kind):
            yield from _faults(of, f"{at}.{json.dumps(name)}")
    else:
        yield from _faults_of_scalar(kind, at)


def _faults_of_scalar(kind: exp.DataType, at: str) -> Iterator[str]:
    match kind.this:
        case exp.DType.BIGINT:
            yield _other(at, "number")
            yield _such(at, "number", f"@.floor() != @ || @.abs() > {MOST_WHOLE.name}")
        case exp.DType.DECIMAL:
            unit = f"(@ * {10**DECIMAL_PLACES})"
            yield _other(at, "number")
            yield _such(at, "number", f"@.abs() >= {LARGEST} || {unit}.floor() != {unit}")
        case exp.DType.BOOLEAN:
            yield _other(at, "boolean")
        case exp.DType.DATE | exp.DType.TIMESTAMPNTZ:
            pattern, form = TEXTS[kind.this]
            there = f'(@.datetime("{form}").type() == "") is unknown'
            yield _other(at, "string")
            yield _such(at, "string", f'!(@ like_regex "^{pattern}$") || ({there})')
        case _:
            yield _other(at, "string")


def _other(at: str, type_: str) -> str:
    return f'exists ({at}.type() ? (@ != "{type_}" && @ != "null"))'


def _such(at: str, of: str, fault: str) -> str:
    return f'exists ({at} ? (@.type() == "{of}" && ({fault})))'


DAY = "(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}"
TEXTS = {
    exp.DType.DATE: (DAY, "YYYY-MM-DD"),
    exp.DType.TIMESTAMPNTZ: (
        f"{DAY}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]",
        'YYYY-MM-DD\\"T\\"HH24:MI:SS',
    ),
}


def lower_postgres(tree: Tree) -> tuple[Tree, tuple[o.Unsupported, ...]]:
    """The tree for sqlglot's `postgres`, and what PostgreSQL does not support."""
    return lowered(tree, SPELLERS)


def _same(tree: Tree, _: FreshNames) -> Tree:
    """A field that is missing is the same as one that is null."""
    return b.same(without_nulls(as_json(tree.this)), without_nulls(as_json(tree.expression)))


# -- texts are ordered by their characters' numbers, whatever the order of the database -----------


def _compared(tree: Tree, _: FreshNames) -> Tree:
    if not any(shapes.is_text(shapes.shape_of(side)) for side in (tree.this, tree.expression)):
        return tree
    return type(tree)(this=lists.by_code_point(tree.this), expression=tree.expression)


# -- numbers, texts, dates -----------------------------------------------------------------------


def _modulo(tree: Tree, names: FreshNames) -> Tree:
    name = names.fresh()
    return once(tree.expression, name, b.remainder(tree.this, b.read(name)))


def _quotient(tree: Tree, names: FreshNames) -> Tree:
    """`/` of two whole numbers cuts towards zero, which is exact where nothing is left."""
    dividend, divisor = names.fresh(), names.fresh()
    a, d = b.read(dividend), b.read(divisor)
    even = exp.Div(this=b.minus(a, b.remainder(a, d)), expression=d, typed=True, safe=False)
    return once(
        shapes.cast(tree.this, shapes.BIGINT),
        dividend,
        once(shapes.cast(tree.expression, shapes.BIGINT), divisor, even),
    )


def _round(tree: Tree, names: FreshNames) -> Tree:
    """`round` takes halves away from zero: where just a half was left, and the place above it is odd
    afterwards, it went too far."""
    if shapes.is_whole(shapes.shape_of(tree.this)):
        whole: Tree = tree.this
        return whole
    name, places = names.fresh(), tree.expression
    number = b.read(name)
    rounded, cut = b.call("round", number, places), b.call("trunc", number, places)
    unit = exp.Literal.number(10 ** int(places.name))
    left = exp.Mul(this=b.call("abs", b.minus(number, cut)), expression=unit)
    is_half = exp.EQ(this=left, expression=exp.Literal.number("0.5"))
    digit = exp.Mod(
        this=b.call("trunc", exp.Mul(this=cut, expression=unit)), expression=exp.Literal.number(2)
    )
    is_even = exp.EQ(this=digit, expression=b.ZERO)
    return once(_numeric(tree.this), name, b.either(exp.And(this=is_half, expression=is_even), cut, rounded))


def _numeric(tree: Tree) -> Tree:
    return as_type(tree, shapes.decimal(38, 10))


def _ends(tree: Tree, names: FreshNames) -> Tree:
    name = names.fresh()
    ending = b.read(name)
    last = b.call("right", tree.this, b.call("length", ending))
    whole = exp.And(this=exp.EQ(this=last, expression=ending), expression=b.is_not_null(ending))
    return once(tree.expression, name, whole)


def _holds(tree: Tree, _: FreshNames) -> Tree:
    return exp.GT(this=b.call("strpos", tree.this, tree.expression), expression=b.ZERO)


def _in_unicode(function: str) -> Speller:
    """With Unicode's own rules, not the database's: `SS` is the capital of `ß`."""

    def spell(tree: Tree, _: FreshNames) -> Tree:
        return b.call(function, exp.Collate(this=tree.this, expression=lists.collation("und-x-icu")))

    return spell


def _date_part(tree: Tree, _: FreshNames) -> Tree:
    part = exp.Literal.string(PARTS[tree.expression.name])
    return shapes.cast(b.call("date_part", part, tree.this), shapes.BIGINT)


PARTS = {
    **{name: name for name in ("year", "month", "day", "week", "hour", "minute", "second")},
    "weekday": "isodow",
    "yearday": "doy",
}


def _text(tree: Tree, _: FreshNames) -> Tree:
    """How a date is written is the database's to choose, unless it is specified."""
    if shapes.shape_of(tree.this) == shapes.DATE:
        return b.call("to_char", tree.this, exp.Literal.string("YYYY-MM-DD"))
    return shapes.cast(tree.this, shapes.TEXT)


NUMBERS = exp.DataType.build("numeric[]", dialect="postgres")
TEXT_ARRAY = exp.DataType.build("text[]", dialect="postgres")


def _cuts(tree: Tree, _: FreshNames) -> Tree:
    if shapes.item_of(tree.type) == shapes.TEXT:
        return exp.Cast(this=exp.Array(expressions=list(tree.expressions)), to=TEXT_ARRAY)
    written = ", ".join(number.sql() for number in tree.expressions)
    return exp.Cast(this=exp.Literal.string(f"{{{written}}}"), to=NUMBERS)


def _bucket(tree: Tree, _: FreshNames) -> Tree:
    is_text = shapes.is_text(shapes.shape_of(tree.this))
    value = lists.by_code_point(tree.this) if is_text else _numeric(tree.this)
    found = shapes.cast(b.call("width_bucket", value, tree.expression), shapes.BIGINT)
    if not tree.args.get("behind"):
        return found
    cut = exp.Bracket(this=tree.expression, expressions=[found], offset=1)
    return b.minus(found, b.either(exp.EQ(this=cut, expression=value), b.ONE, b.ZERO))


def _make_date(tree: Tree, _: FreshNames) -> Tree:
    return b.call("make_date", *map(b.as_int, b.operands(tree)))


def _add_months(tree: Tree, _: FreshNames) -> Tree:
    """A date and an interval are a timestamp to PostgreSQL."""
    later = b.plus(tree.this, b.call("make_interval", b.ZERO, b.as_int(tree.expression)))
    return later if tree.type == shapes.MOMENT else shapes.cast(later, shapes.DATE)


def _add_seconds(tree: Tree, _: FreshNames) -> Tree:
    return b.plus(tree.this, b.call("make_interval", *[b.ZERO] * 6, tree.expression))


def _seconds_between(tree: Tree, _: FreshNames) -> Tree:
    passed = b.call("date_part", exp.Literal.string("epoch"), b.minus(tree.this, tree.expression))
    return shapes.cast(passed, shapes.BIGINT)


def _try(tree: Tree, _: FreshNames) -> Tree:
    """Numerics have room for anything; whole numbers are reckoned as such first."""
    if not shapes.is_whole(tree.type) or not isinstance(tree.this, ARITHMETIC):
        inner: Tree = tree.this
        return inner
    return as_whole(_in_numerics(tree.this))


ARITHMETIC = (exp.Add, exp.Sub, exp.Mul)


def _in_numerics(tree: Tree) -> Tree:
    if isinstance(tree, ARITHMETIC):
        return type(tree)(this=_in_numerics(tree.this), expression=_in_numerics(tree.expression))
    if isinstance(tree, (exp.Paren, exp.Neg)):
        return type(tree)(this=_in_numerics(tree.this))
    return exp.Cast(this=tree, to=exp.DataType(this=exp.DType.DECIMAL))


def _cast(tree: Tree, _: FreshNames) -> Tree:
    return tree if tree.type is None else as_type(tree.this, tree.type)


def _stage(tree: Tree, _: FreshNames) -> Tree:
    """A table expression that is read once is such a subselect too."""
    fenced(tree.this)
    return tree


def _type(tree: Tree, _: FreshNames) -> Tree:
    assert isinstance(tree, exp.DataType)
    return stored_as(tree)


SPELLERS: Spellers = {
    exp.Add: spell_counting,
    exp.Sub: spell_counting,
    exp.Mul: spell_counting,
    exp.LT: _compared,
    exp.LTE: _compared,
    exp.GT: _compared,
    exp.GTE: _compared,
    exp.Cast: _cast,
    exp.CTE: _stage,
    exp.DataType: _type,
    o.XGiven: spell_given,
    o.XShown: spell_shown,
    o.XTry: _try,
    o.XNarrow: spell_narrow,
    o.Variable: lambda tree, _: b.read(tree.name),
    o.XList: spell_list,
    o.XMap: lists.spell_map,
    o.XFilter: lists.spell_filter,
    o.XGrow: lists.spell_grow,
    o.XAny: lists.spell_any,
    o.XContains: lists.spell_contains,
    o.XCount: lists.spell_count,
    o.XSum: lists.spell_sum,
    o.XMin: lists.spell_min,
    o.XMax: lists.spell_max,
    o.XMinBy: lists.spell_least_by,
    o.XSort: lists.spell_sort,
    o.XItem: lists.spell_item,
    o.XPlace: lists.spell_place,
    o.XSlice: lists.spell_slice,
    o.XConcat: lists.spell_concat,
    o.XFlatten: lists.spell_flatten,
    o.XDistinct: lists.spell_distinct,
    o.XReverse: lists.spell_reverse,
    o.XRange: lists.spell_range,
    o.XPlaces: lists.spell_places,
    o.XRepeat: lists.spell_repeat,
    o.XRecord: spell_record,
    o.XGet: spell_get,
    o.XEntry: spell_entry,
    o.XMapOf: lists.spell_map_of,
    o.XSame: _same,
    o.XLookup: spell_lookup,
    o.XNames: spell_names,
    o.XCatalogue: spell_list,
    o.XNamed: spell_named,
    o.XCuts: _cuts,
    o.XBucket: _bucket,
    o.XDivide: b.cannot("a division that may not come out even"),
    o.XModulo: _modulo,
    WholeQuotient: _quotient,
    o.XFloor: spell_round_of("floor"),
    o.XCeiling: spell_round_of("ceil"),
    o.XAbs: b.function("abs"),
    o.XRound: _round,
    o.XLength: b.typed_function("length"),
    o.XUpper: _in_unicode("upper"),
    o.XLower: _in_unicode("lower"),
    o.XHolds: _holds,
    o.XStarts: b.function("starts_with"),
    o.XEnds: _ends,
    o.XText: _text,
    o.XMakeDate: _make_date,
    o.XAddDays: b.spell_add_days,
    o.XAddMonths: _add_months,
    o.XAddSeconds: _add_seconds,
    o.XSecondsBetween: _seconds_between,
    o.XDaysBetween: lambda tree, _: b.minus(tree.this, tree.expression),
    o.XDatePart: _date_part,
}
