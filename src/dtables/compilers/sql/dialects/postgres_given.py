"""What PostgreSQL is given. It knows the type of a column when it plans the statement, as the others do, but
refuses there and then a cast that it does not have: a boolean or a date where a number is wanted is its own
error, before any row is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from sqlglot import exp

from dtables.compilers.sql.dialects import building as b
from dtables.compilers.sql.dialects import shapes
from dtables.compilers.sql.dialects.given import MOST_SHOWN, in_years, on_its_day, within
from dtables.compilers.sql.dialects.lowering import Names
from dtables.compilers.sql.dialects.postgres_json import JSONB, MOST_WHOLE
from dtables.compilers.sql.dialects.shapes import Tree
from dtables.compilers.sql.shapes import DECIMAL_PLACES, LARGEST

REGTYPE = exp.DataType.build("regtype", dialect="postgres", udt=True)
NUMERIC = exp.DataType(this=exp.DType.DECIMAL)
DOUBLE = exp.DataType(this=exp.DType.DOUBLE)
PLACES = exp.Literal.number(DECIMAL_PLACES)


def spell_given(tree: Tree, _: Names) -> Tree:
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
    whole, number = shapes.cast(raw, shapes.BIGINT), _numeric(raw)
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
    number, float_ = _numeric(raw), shapes.cast(raw, DOUBLE)
    short = _numeric(float_)
    few = exp.LTE(this=b.call("scale", number), expression=PLACES)
    cut = exp.EQ(this=b.call("trunc", number, PLACES), expression=number)
    exact = exp.And(this=within(number, NUMERIC), expression=exp.Or(this=few, expression=cut))
    same = exp.EQ(this=shapes.cast(short, DOUBLE), expression=float_)
    is_short = exp.LTE(this=b.call("scale", short), expression=PLACES)
    has_room = exp.And(this=within(short, NUMERIC), expression=is_short)
    told = exp.And(this=has_room, expression=same)
    is_exact = _is(raw, "numeric", "smallint", "integer", "bigint")
    return exp.Case(
        ifs=[
            exp.If(this=exp.And(this=is_exact, expression=exact), true=number),
            exp.If(this=exp.And(this=_is(raw, "float8", "float4"), expression=told), true=short),
        ]
    )


def _moment(raw: Tree) -> Tree:
    """Of whole seconds."""
    moment = _from_text(raw, shapes.MOMENT)
    second = b.call("date_trunc", exp.Literal.string("second"), moment)
    whole = exp.And(this=in_years(moment), expression=exp.EQ(this=second, expression=moment))
    return b.either(exp.And(this=_is(raw, "date", "timestamp"), expression=whole), moment)


def _numeric(value: Tree) -> Tree:
    return shapes.cast(value, NUMERIC)


def _from_text(raw: Tree, kind: exp.DataType) -> Tree:
    """Whatever the type is, it has a text."""
    return shapes.cast(shapes.cast(raw, shapes.TEXT), kind)


def _typeof(raw: Tree) -> Tree:
    return b.call("pg_typeof", raw)


def _is(raw: Tree, *names: str) -> Tree:
    known = [shapes.cast(exp.Literal.string(name), REGTYPE) for name in names]
    return exp.In(this=_typeof(raw), expressions=known)


def spell_shown(tree: Tree, _: Names) -> Tree:
    text = b.call("left", shapes.cast(tree.this, shapes.TEXT), MOST_SHOWN)
    kind = shapes.cast(_typeof(tree.this), shapes.TEXT)
    words = exp.DPipe(this=text, expression=exp.Literal.string(" ("))
    return exp.DPipe(this=exp.DPipe(this=words, expression=kind), expression=exp.Literal.string(")"))


def spell_narrow(tree: Tree, _: Names) -> Tree:
    cut = b.call("trunc", tree.this, exp.Literal.number(shapes.places_of(tree.type or shapes.BIGINT)))
    return b.either(exp.EQ(this=cut, expression=tree.this), tree.this)


# -- records and lists ---------------------------------------------------------------------------


def _json(raw: Tree, kind: exp.DataType) -> Tree:
    """Its parts keep their types in JSON, and its numbers all of their digits."""
    value = shapes.cast(raw, JSONB)
    found = b.call("jsonb_path_match", value, exp.Literal.string(" || ".join(_faults(kind, "$"))))
    sound = exp.And(this=_is(raw, "jsonb"), expression=exp.Not(this=found))
    made = b.either(sound, value)
    made.type = kind
    return made


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


def _other(at: str, wanted: str) -> str:
    return f'exists ({at}.type() ? (@ != "{wanted}" && @ != "null"))'


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
