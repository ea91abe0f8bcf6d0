"""The neutral operations over the sample, and what they mean by hand: for usual values, for empty ones,
for nulls."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from sqlglot import exp

from dtables.compilers.sql import neutral as o
from tests.compilers_sql.dialects.sample import column

Tree = exp.Expression
Case = tuple[Tree, tuple[Any, Any, Any]]

COST_TYPE = "STRUCT<id TEXT, cost BIGINT>"


def typed(tree: Tree, type_: str) -> Tree:
    tree.type = exp.DataType.build(type_)
    return tree


def variable(name: str, type_: str) -> Tree:
    return o.variable(name, exp.DataType.build(type_))


def whole(value: int) -> Tree:
    made = exp.Literal.number(abs(value))
    return exp.Neg(this=made) if value < 0 else made


def number(value: str) -> Tree:
    return exp.Literal.number(value)


def text(value: str) -> Tree:
    return exp.Literal.string(value)


def null() -> Tree:
    return exp.Null()


def two(kind: type[exp.Expression], this: Tree, expression: Tree, type_: str = "BIGINT") -> Tree:
    return typed(kind(this=this, expression=expression), type_)


def one(kind: type[exp.Expression], this: Tree, type_: str = "BIGINT") -> Tree:
    return typed(kind(this=this), type_)


def listed(*items: Tree, type_: str = "ARRAY<BIGINT>") -> Tree:
    return typed(o.XList(expressions=list(items)), type_)


def record(type_: str, **fields: Tree) -> Tree:
    pairs = [exp.PropertyEQ(this=exp.to_identifier(n), expression=v) for n, v in fields.items()]
    return typed(o.XRecord(expressions=pairs), type_)


def field(of: Tree, name: str, type_: str) -> Tree:
    return two(o.XGet, of, exp.to_identifier(name), type_)


def going(kind: type[exp.Expression], list_: Tree, name: str, body: Tree, type_: str) -> Tree:
    return two(kind, list_, o.going(name, body), type_)


def above(name: str, limit: int) -> Tree:
    return exp.GT(this=variable(name, "BIGINT"), expression=whole(limit))


def plus(left: Tree, right: Tree) -> Tree:
    return exp.Add(this=left, expression=right)


def times(left: Tree, right: Tree) -> Tree:
    return exp.Mul(this=left, expression=right)


def minus(left: Tree, right: Tree) -> Tree:
    return exp.Sub(this=left, expression=right)


N, M, AT, D, FINE, YES, S, DAY = (column(c) for c in ("n", "m", "i", "d", "fine", "yes", "s", "day"))
NUMBERS, POINTS, PRICES, NAMES, DAYS = (column(c) for c in ("numbers", "points", "prices", "names", "days"))
THINGS, LISTS, COSTS, THING = (column(c) for c in ("things", "lists", "costs", "thing"))

A, B, C = {"id": "a", "cost": 3}, {"id": "b", "cost": 1}, {"id": "c", "cost": None}
NOTHING = (None, None, None)


def same_record(id_: str, cost: Tree) -> Tree:
    return record(COST_TYPE, id=text(id_), cost=cost)


def cost_of(name: str) -> Tree:
    return field(variable(name, COST_TYPE), "cost", "BIGINT")


def id_of(name: str) -> Tree:
    return field(variable(name, COST_TYPE), "id", "TEXT")


LISTS_OF = "ARRAY<BIGINT>"

LIST_CASES: dict[str, Case] = {
    "list of nothing": (listed(), ([], [], [])),
    "list with null": (listed(N, null(), whole(-3)), ([7, None, -3], [-7, None, -3], [None, None, -3])),
    "list of texts": (
        listed(text("it's"), S, type_="ARRAY<TEXT>"),
        (["it's", "Zoë"], ["it's", ""], ["it's", None]),
    ),
    "list of lists": (
        listed(POINTS, listed(), type_="ARRAY<ARRAY<BIGINT>>"),
        ([[3, 1, 2], []], [[], []], [None, []]),
    ),
    "list of days": (listed(DAY, type_="ARRAY<DATE>"), (["2024-02-29"], ["1999-12-31"], [None])),
    "map": (
        going(o.XMap, NUMBERS, "map_x", plus(variable("map_x", "BIGINT"), N), LISTS_OF),
        ([10, 8, None, 10], [], None),
    ),
    "map to fields": (
        going(o.XMap, THINGS, "id_x", id_of("id_x"), "ARRAY<TEXT>"),
        (["a", "b", "c"], [], None),
    ),
    "map to records": (
        going(
            o.XMap,
            POINTS,
            "rec_x",
            record(COST_TYPE, id=text("p"), cost=variable("rec_x", "BIGINT")),
            f"ARRAY<{COST_TYPE}>",
        ),
        ([{"id": "p", "cost": 3}, {"id": "p", "cost": 1}, {"id": "p", "cost": 2}], [], None),
    ),
    "map in map": (
        going(
            o.XMap,
            LISTS,
            "outer_x",
            going(
                o.XMap,
                variable("outer_x", LISTS_OF),
                "inner_x",
                plus(variable("inner_x", "BIGINT"), one(o.XCount, variable("outer_x", LISTS_OF))),
                LISTS_OF,
            ),
            "ARRAY<ARRAY<BIGINT>>",
        ),
        ([[3, 4], [], [4]], [], None),
    ),
    "filter": (going(o.XFilter, NUMBERS, "fil_x", above("fil_x", 1), LISTS_OF), ([3, 3], [], None)),
    "filter records": (
        going(
            o.XFilter,
            THINGS,
            "filr_x",
            exp.LT(this=cost_of("filr_x"), expression=whole(3)),
            f"ARRAY<{COST_TYPE}>",
        ),
        ([B], [], None),
    ),
    "filter where all are null": (
        going(o.XFilter, listed(null(), null()), "filn_x", above("filn_x", 1), LISTS_OF),
        ([], [], []),
    ),
    "any": (going(o.XAny, NUMBERS, "any_x", above("any_x", 2), "BOOLEAN"), (True, False, None)),
    "any of what is null": (
        going(o.XAny, NUMBERS, "anyn_x", above("anyn_x", 3), "BOOLEAN"),
        (False, False, None),
    ),
    "contains": (two(o.XContains, NUMBERS, whole(1), "BOOLEAN"), (True, False, None)),
    "contains not": (two(o.XContains, NUMBERS, whole(2), "BOOLEAN"), (False, False, None)),
    "contains null": (two(o.XContains, NUMBERS, null(), "BOOLEAN"), (True, False, None)),
    "contains a null column": (
        two(o.XContains, listed(N, whole(7)), column("i"), "BOOLEAN"),
        (False, False, True),
    ),
    "contains record": (two(o.XContains, THINGS, THING, "BOOLEAN"), (True, False, None)),
    "contains record with null": (
        two(o.XContains, THINGS, same_record("c", null()), "BOOLEAN"),
        (True, False, None),
    ),
    "contains text": (
        two(o.XContains, listed(text("a"), text("Zoë"), type_="ARRAY<TEXT>"), S, "BOOLEAN"),
        (True, False, False),
    ),
    "contains, of a choice of lists": (
        two(
            o.XContains,
            exp.Case(ifs=[exp.If(this=exp.Is(this=NAMES, expression=null()), true=null())], default=NAMES),
            S,
            "BOOLEAN",
        ),
        (False, False, None),
    ),
    "count": (one(o.XCount, NUMBERS), (4, 0, None)),
    "sum": (one(o.XSum, POINTS), (6, 0, None)),
    "sum of decimals": (one(o.XSum, PRICES, "DECIMAL(38, 10)"), (Decimal("0.3"), 0, None)),
    "sum of what is mapped": (
        one(o.XSum, going(o.XMap, POINTS, "sm_x", times(variable("sm_x", "BIGINT"), whole(2)), LISTS_OF)),
        (12, 0, None),
    ),
    "sum beyond 32 bits": (
        one(o.XSum, listed(whole(2_000_000_000), whole(2_000_000_000))),
        (4_000_000_000,) * 3,
    ),
    "min": (one(o.XMin, POINTS), (1, None, None)),
    "max": (one(o.XMax, POINTS), (3, None, None)),
    "min of texts": (one(o.XMin, NAMES, "TEXT"), ("B", None, None)),
    "max of texts": (one(o.XMax, NAMES, "TEXT"), ("b", None, None)),
    "min of days": (one(o.XMin, DAYS, "DATE"), ("1999-12-31", None, None)),
    "max of decimals": (one(o.XMax, PRICES, "DECIMAL(38, 10)"), (Decimal("0.2"), None, None)),
    "min of records": (
        one(
            o.XMin,
            going(
                o.XMap,
                NAMES,
                "mr_x",
                record("STRUCT<k BIGINT, id TEXT>", k=whole(1), id=variable("mr_x", "TEXT")),
                "ARRAY<STRUCT<k BIGINT, id TEXT>>",
            ),
            "STRUCT<k BIGINT, id TEXT>",
        ),
        ({"k": 1, "id": "B"}, None, None),
    ),
    "max of records": (
        one(
            o.XMax,
            going(
                o.XMap,
                NAMES,
                "xr_x",
                record("STRUCT<k BIGINT, id TEXT>", k=whole(1), id=variable("xr_x", "TEXT")),
                "ARRAY<STRUCT<k BIGINT, id TEXT>>",
            ),
            "STRUCT<k BIGINT, id TEXT>",
        ),
        ({"k": 1, "id": "b"}, None, None),
    ),
    "min by number": (
        going(o.XMinBy, POINTS, "mb_x", exp.Neg(this=variable("mb_x", "BIGINT")), "BIGINT"),
        (3, None, None),
    ),
    "min by, of equals the first": (
        going(o.XMinBy, THINGS, "me_x", whole(1), COST_TYPE),
        (A, None, None),
    ),
    "min by record": (
        going(
            o.XMinBy,
            THINGS,
            "mk_x",
            record(
                "STRUCT<a BIGINT, b TEXT>",
                a=exp.Case(
                    ifs=[exp.If(this=exp.Is(this=cost_of("mk_x"), expression=null()), true=whole(1))],
                    default=whole(0),
                ),
                b=id_of("mk_x"),
            ),
            COST_TYPE,
        ),
        (A, None, None),
    ),
    "min by a record held in a field": (
        going(
            o.XMinBy,
            going(
                o.XFilter,
                THINGS,
                "mh_f",
                exp.GT(this=cost_of("mh_f"), expression=whole(0)),
                f"ARRAY<{COST_TYPE}>",
            ),
            "mh_x",
            variable("mh_x", COST_TYPE),
            COST_TYPE,
        ),
        (A, None, None),
    ),
    "sort": (one(o.XSort, POINTS, LISTS_OF), ([1, 2, 3], [], None)),
    "sort texts": (one(o.XSort, NAMES, "ARRAY<TEXT>"), (["B", "a", "b"], [], None)),
    "sort records": (
        one(
            o.XSort,
            going(
                o.XMap,
                POINTS,
                "so_x",
                record(
                    "STRUCT<k BIGINT, v BIGINT>",
                    k=exp.Neg(this=variable("so_x", "BIGINT")),
                    v=variable("so_x", "BIGINT"),
                ),
                "ARRAY<STRUCT<k BIGINT, v BIGINT>>",
            ),
            "ARRAY<STRUCT<k BIGINT, v BIGINT>>",
        ),
        ([{"k": -3, "v": 3}, {"k": -2, "v": 2}, {"k": -1, "v": 1}], [], None),
    ),
    "item": (two(o.XItem, NUMBERS, whole(1)), (3, None, None)),
    "item beyond": (two(o.XItem, POINTS, whole(4)), NOTHING),
    "item from the end": (two(o.XItem, POINTS, whole(-1)), (2, None, None)),
    "item beyond the other end": (two(o.XItem, POINTS, whole(-4)), NOTHING),
    "item at a column": (two(o.XItem, POINTS, AT), (1, None, None)),
    "item at 0": (two(o.XItem, POINTS, whole(0)), NOTHING),
    "item at a column that is 0": (two(o.XItem, listed(whole(5), whole(6)), AT), (6, None, None)),
    "item that is a record": (two(o.XItem, THINGS, AT, COST_TYPE), (B, None, None)),
    "item at what is worked out": (two(o.XItem, POINTS, minus(AT, whole(1))), (3, None, None)),
    "place": (two(o.XPlace, NUMBERS, whole(3)), (1, None, None)),
    "place of none": (two(o.XPlace, NUMBERS, whole(2)), NOTHING),
    "place of null": (two(o.XPlace, NUMBERS, null()), NOTHING),
    "place of a column": (two(o.XPlace, listed(whole(0), null(), whole(2)), AT), (3, 1, None)),
    "place of a record": (two(o.XPlace, THINGS, THING), (2, None, None)),
    "slice": (
        typed(o.XSlice(this=NUMBERS, expression=whole(2), length=whole(2)), LISTS_OF),
        ([1, None], [], None),
    ),
    "slice to the end": (two(o.XSlice, NUMBERS, whole(3), LISTS_OF), ([None, 3], [], None)),
    "slice of nothing": (
        typed(o.XSlice(this=NUMBERS, expression=whole(2), length=whole(0)), LISTS_OF),
        ([], [], None),
    ),
    "slice beyond": (
        typed(o.XSlice(this=POINTS, expression=whole(3), length=whole(9)), LISTS_OF),
        ([2], [], None),
    ),
    "slice from a column": (
        typed(
            o.XSlice(
                this=listed(whole(1), whole(2), whole(3)),
                expression=exp.Coalesce(
                    this=typed(exp.Nullif(this=AT, expression=whole(0)), "BIGINT"), expressions=[whole(3)]
                ),
                length=whole(1),
            ),
            LISTS_OF,
        ),
        ([2], [3], [3]),
    ),
    "concat": (
        typed(o.XConcat(expressions=[listed(N), listed(), listed(whole(1), null())]), LISTS_OF),
        ([7, 1, None], [-7, 1, None], [None, 1, None]),
    ),
    "flatten": (one(o.XFlatten, LISTS, LISTS_OF), ([1, 2, 3], [], None)),
    "distinct": (
        one(o.XDistinct, listed(whole(3), N, null(), whole(3), null(), whole(7)), LISTS_OF),
        ([3, 7, None], [3, -7, None, 7], [3, None, 7]),
    ),
    "distinct column": (one(o.XDistinct, NUMBERS, LISTS_OF), ([3, 1, None], [], None)),
    "distinct records": (
        one(
            o.XDistinct,
            listed(THING, same_record("b", whole(1)), same_record("a", null()), type_=f"ARRAY<{COST_TYPE}>"),
            f"ARRAY<{COST_TYPE}>",
        ),
        (
            [B, {"id": "a", "cost": None}],
            [{"id": "a", "cost": None}, B],
            [None, B, {"id": "a", "cost": None}],
        ),
    ),
    "reverse": (one(o.XReverse, NUMBERS, LISTS_OF), ([3, None, 1, 3], [], None)),
    "range": (two(o.XRange, whole(2), whole(4), LISTS_OF), ([2, 3, 4],) * 3),
    "range downwards": (two(o.XRange, whole(1), whole(-1), LISTS_OF), ([1, 0, -1],) * 3),
    "range of one": (two(o.XRange, plus(whole(1), whole(1)), whole(2), LISTS_OF), ([2],) * 3),
    "places": (one(o.XPlaces, NUMBERS, LISTS_OF), ([1, 2, 3, 4], [], None)),
    "repeat": (two(o.XRepeat, N, whole(2), LISTS_OF), ([7, 7], [-7, -7], [None, None])),
    "repeat a text": (two(o.XRepeat, text("x"), whole(2), "ARRAY<TEXT>"), (["x", "x"],) * 3),
    "repeat never": (two(o.XRepeat, N, whole(0), LISTS_OF), ([], [], [])),
}

BIG = 5_000_000_000


def lookup(key: Tree, keys: list[Tree], values: list[Tree], type_: str) -> Tree:
    return typed(o.XLookup(this=key, keys=keys, values=values), type_)


def named(key: Tree, keys: list[Tree], values: list[Tree], type_: str) -> Tree:
    """A large catalogue, which stands in columns of a statement."""
    are_texts = isinstance(keys[0], exp.Literal) and keys[0].is_string
    names = typed(o.XNames(expressions=keys), f"ARRAY<{'TEXT' if are_texts else 'BIGINT'}>")
    listed = typed(o.XCatalogue(expressions=values), f"ARRAY<{type_}>")
    size = exp.Literal.number(len(keys))
    return typed(o.XNamed(this=listed, expression=key, names=names, size=size), type_)


MANY = [text(f"name {n}") for n in range(20)]
VERY_MANY = [text(f"name {n}") for n in range(300)]
PAIR = "STRUCT<key TEXT, value BIGINT>"

RECORD_CASES: dict[str, Case] = {
    "record": (
        same_record("x", N),
        ({"id": "x", "cost": 7}, {"id": "x", "cost": -7}, {"id": "x", "cost": None}),
    ),
    "record with a space": (
        typed(
            o.XRecord(expressions=[exp.PropertyEQ(this=exp.to_identifier("it's a"), expression=N)]),
            "STRUCT<`it's a` BIGINT>",
        )
        if False
        else field(
            typed(
                o.XRecord(expressions=[exp.PropertyEQ(this=exp.to_identifier("it's a"), expression=N)]),
                "STRUCT<a BIGINT>",
            ),
            "it's a",
            "BIGINT",
        ),
        (7, -7, None),
    ),
    "get": (field(THING, "cost", "BIGINT"), (1, None, None)),
    "get of nested": (
        field(field(record(f"STRUCT<in {COST_TYPE}>", **{"in": THING}), "in", COST_TYPE), "id", "TEXT"),
        ("b", "a", None),
    ),
    "entry": (two(o.XEntry, COSTS, text("wood")), (2, None, None)),
    "entry that is null": (two(o.XEntry, COSTS, text("clay")), NOTHING),
    "entry of none": (two(o.XEntry, COSTS, text("gold")), NOTHING),
    "entry by column": (two(o.XEntry, COSTS, S), NOTHING),
    "map of": (
        two(
            o.XEntry,
            one(
                o.XMapOf,
                going(
                    o.XMap,
                    NAMES,
                    "mo_x",
                    record(PAIR, key=variable("mo_x", "TEXT"), value=whole(4)),
                    f"ARRAY<{PAIR}>",
                ),
                "MAP<TEXT, BIGINT>",
            ),
            text("a"),
        ),
        (4, None, None),
    ),
    "same lists": (
        two(o.XSame, NUMBERS, listed(whole(3), whole(1), null(), whole(3)), "BOOLEAN"),
        (True, False, False),
    ),
    "same nulls": (two(o.XSame, NUMBERS, null(), "BOOLEAN"), (False, False, True)),
    "same records": (two(o.XSame, THING, same_record("a", null()), "BOOLEAN"), (False, True, False)),
    "same maps in another order": (
        two(
            o.XSame,
            COSTS,
            one(
                o.XMapOf,
                listed(
                    record(PAIR, key=text("clay"), value=null()),
                    record(PAIR, key=text("wood"), value=whole(2)),
                    type_=f"ARRAY<{PAIR}>",
                ),
                "MAP<TEXT, BIGINT>",
            ),
            "BOOLEAN",
        ),
        (True, False, False),
    ),
    "lookup": (
        lookup(S, [text("a"), text("Zoë")], [whole(1), whole(2)], "BIGINT"),
        (2, None, None),
    ),
    "lookup among many": (
        lookup(
            exp.DPipe(this=text("name "), expression=one(o.XText, AT, "TEXT")),
            MANY,
            [whole(n * 10) for n in range(20)],
            "BIGINT",
        ),
        (20, 0, None),
    ),
    "lookup of records": (
        field(
            lookup(S, [*MANY, text("Zoë")], [same_record(f"r{n}", whole(n)) for n in range(21)], COST_TYPE),
            "cost",
            "BIGINT",
        ),
        (20, None, None),
    ),
    "lookup of lists": (
        lookup(S, [text("Zoë"), *MANY], [listed(whole(n)) for n in range(21)], LISTS_OF),
        ([0], None, None),
    ),
    "catalogue": (
        named(
            exp.DPipe(this=text("name "), expression=one(o.XText, AT, "TEXT")),
            MANY,
            [whole(n * 10) for n in range(20)],
            "BIGINT",
        ),
        (20, 0, None),
    ),
    "catalogue of very many": (
        named(S, [text("Zoë"), *VERY_MANY], [null(), *(whole(n) for n in range(300))], "BIGINT"),
        NOTHING,
    ),
    "catalogue of very many, in a lambda": (
        going(
            o.XMap,
            NAMES,
            "ct_x",
            named(
                variable("ct_x", "TEXT"), [*VERY_MANY, text("a")], [whole(n) for n in range(301)], "BIGINT"
            ),
            LISTS_OF,
        ),
        ([None, 300, None], [], None),
    ),
    "catalogue by number": (
        named(N, [whole(n) for n in range(-9, 9)], [text(str(n)) for n in range(-9, 9)], "TEXT"),
        ("7", "-7", None),
    ),
    "catalogue by number, of very many": (
        named(N, [whole(n) for n in range(-9, 300)], [whole(n) for n in range(-9, 300)], "BIGINT"),
        (7, -7, None),
    ),
    "catalogue of records": (
        field(
            named(S, [*MANY, text("Zoë")], [same_record(f"r{n}", whole(n)) for n in range(21)], COST_TYPE),
            "cost",
            "BIGINT",
        ),
        (20, None, None),
    ),
    "catalogue of lists": (
        named(S, [text("Zoë"), *MANY], [listed(whole(n)) for n in range(21)], LISTS_OF),
        ([0], None, None),
    ),
    "lookup by number": (
        lookup(N, [whole(n) for n in range(-9, 9)], [text(str(n)) for n in range(-9, 9)], "TEXT"),
        ("7", "-7", None),
    ),
    "lookup in lambda": (
        going(
            o.XMap,
            NAMES,
            "lk_x",
            lookup(variable("lk_x", "TEXT"), [*MANY, text("a")], [whole(n) for n in range(21)], "BIGINT"),
            LISTS_OF,
        ),
        ([None, 20, None], [], None),
    ),
    "grow": (
        typed(
            o.XGrow(
                this=POINTS,
                expression=o.going(
                    "gr_so_far",
                    plus(one(o.XSum, variable("gr_so_far", LISTS_OF)), variable("gr_x", "BIGINT")),
                    "gr_x",
                ),
            ),
            LISTS_OF,
        ),
        ([3, 4, 9], [], None),
    ),
    "grow in a lambda": (
        going(
            o.XMap,
            LISTS,
            "gl_l",
            typed(
                o.XGrow(
                    this=variable("gl_l", LISTS_OF),
                    expression=o.going(
                        "gl_so_far",
                        plus(one(o.XCount, variable("gl_so_far", LISTS_OF)), variable("gl_x", "BIGINT")),
                        "gl_x",
                    ),
                ),
                LISTS_OF,
            ),
            "ARRAY<ARRAY<BIGINT>>",
        ),
        ([[1, 3], [], [3]], [], None),
    ),
    "a variable with a full stop": (
        going(o.XMap, POINTS, "a.b c_1", plus(variable("a.b c_1", "BIGINT"), whole(2)), LISTS_OF),
        ([5, 3, 4], [], None),
    ),
}

SCALAR_CASES: dict[str, Case] = {
    "operators keep together": (times(plus(N, whole(1)), minus(N, whole(2))), (40, 54, None)),
    "minus minus": (minus(N, exp.Neg(this=minus(N, whole(1)))), (13, -15, None)),
    "literals beyond 32 bits": (times(whole(100_000), whole(100_000)), (10**10,) * 3),
    "numbers of 64 bits": (times(N, whole(BIG)), (35_000_000_000, -35_000_000_000, None)),
    "decimals": (plus(D, number("0.1")), (Decimal("2.6"), Decimal("-2.4"), None)),
    "decimal product": (times(D, number("1.22")), (Decimal("3.05"), Decimal("-3.05"), None)),
    "decimal square": (times(D, D), (Decimal("6.25"), Decimal("6.25"), None)),
    "decimal and whole": (minus(times(D, N), whole(1)), (Decimal("16.5"), Decimal("16.5"), None)),
    "decimals of many places": (plus(D, FINE), (Decimal("3.50000000000000000001"), Decimal("-2.5"), None)),
    "decimals compared": (exp.GT(this=FINE, expression=whole(1)), (True, False, None)),
    "decimals compared with others": (exp.LT(this=number("1.0"), expression=FINE), (True, False, None)),
    "decimals compared with wholes": (exp.EQ(this=FINE, expression=N), (False, False, None)),
    "one of two decimals": (
        typed(exp.Coalesce(this=FINE, expressions=[whole(0)]), "DECIMAL(38, 20)"),
        (Decimal("1.00000000000000000001"), 0, 0),
    ),
    "modulo": (two(o.XModulo, N, M), (-1, 1, None)),
    "modulo of a literal": (two(o.XModulo, N, whole(3)), (1, 2, None)),
    "modulo by what is worked out": (two(o.XModulo, N, plus(whole(2), whole(2))), (3, 1, None)),
    "floor of a quotient": (one(o.XFloor, two(o.XDivide, N, M, "DECIMAL(38, 10)")), (-4, -4, None)),
    "ceiling of a quotient": (one(o.XCeiling, two(o.XDivide, N, whole(2), "DECIMAL(38, 10)")), (4, -3, None)),
    "division by 4": (
        two(o.XDivide, N, whole(4), "DECIMAL(38, 10)"),
        (Decimal("1.75"), Decimal("-1.75"), None),
    ),
    "division by 100": (
        two(o.XDivide, D, whole(100), "DECIMAL(38, 10)"),
        (Decimal("0.025"), Decimal("-0.025"), None),
    ),
    "floor": (one(o.XFloor, D), (2, -3, None)),
    "ceiling": (one(o.XCeiling, D), (3, -2, None)),
    "floor of a whole": (one(o.XFloor, N), (7, -7, None)),
    "abs": (one(o.XAbs, N), (7, 7, None)),
    "abs of a decimal": (one(o.XAbs, D, "DECIMAL(38, 10)"), (Decimal("2.5"), Decimal("2.5"), None)),
    "round to even": (two(o.XRound, D, whole(0), "DECIMAL(38, 10)"), (2, -2, None)),
    "round up to even": (two(o.XRound, plus(D, whole(1)), whole(0), "DECIMAL(38, 10)"), (4, -2, None)),
    "round to a place": (
        two(o.XRound, times(D, number("0.5")), whole(1), "DECIMAL(38, 10)"),
        (Decimal("1.2"), Decimal("-1.2"), None),
    ),
    "round what is no half": (
        two(o.XRound, times(D, number("0.30")), whole(0), "DECIMAL(38, 10)"),
        (1, -1, None),
    ),
    "equal to null": (exp.NullSafeEQ(this=N, expression=null()), (False, False, True)),
    "not the same": (exp.NullSafeNEQ(this=N, expression=M), (True, True, False)),
    "null and false": (
        exp.And(this=exp.EQ(this=N, expression=M), expression=exp.Boolean(this=False)),
        (False,) * 3,
    ),
    "null or true": (exp.Or(this=exp.EQ(this=N, expression=M), expression=YES), (True, False, None)),
    "not": (exp.Not(this=exp.EQ(this=N, expression=whole(7))), (False, True, None)),
    "not and": (exp.Not(this=exp.And(this=YES, expression=YES)), (False, True, None)),
    "in": (exp.In(this=N, expressions=[whole(7), whole(8)]), (True, False, None)),
    "texts in the order of their characters": (exp.LT(this=S, expression=text("a")), (True, True, None)),
    "texts beyond": (exp.GTE(this=text("b"), expression=S), (True, True, None)),
    "text of a number": (one(o.XText, N, "TEXT"), ("7", "-7", None)),
    "text of a truth": (one(o.XText, YES, "TEXT"), ("true", "false", None)),
    "joined texts": (exp.DPipe(this=S, expression=text("'\\\n%")), ("Zoë'\\\n%", "'\\\n%", None)),
    "length": (one(o.XLength, exp.DPipe(this=S, expression=text("🤦🏼"))), (5, 2, None)),
    "holds": (two(o.XHolds, S, text("oë"), "BOOLEAN"), (True, False, None)),
    "holds nothing": (two(o.XHolds, S, text(""), "BOOLEAN"), (True, True, None)),
    "starts": (two(o.XStarts, S, text("Zo"), "BOOLEAN"), (True, False, None)),
    "ends": (two(o.XEnds, S, text("ë"), "BOOLEAN"), (True, False, None)),
    "year": (two(o.XDatePart, DAY, exp.to_identifier("year")), (2024, 1999, None)),
    "month": (two(o.XDatePart, DAY, exp.to_identifier("month")), (2, 12, None)),
    "day": (two(o.XDatePart, DAY, exp.to_identifier("day")), (29, 31, None)),
    "weekday": (two(o.XDatePart, DAY, exp.to_identifier("weekday")), (4, 5, None)),
    "day of the year": (two(o.XDatePart, DAY, exp.to_identifier("yearday")), (60, 365, None)),
    "week": (two(o.XDatePart, DAY, exp.to_identifier("week")), (9, 52, None)),
    "days later": (two(o.XAddDays, DAY, whole(366), "DATE"), ("2025-03-01", "2000-12-31", None)),
    "days earlier": (two(o.XAddDays, DAY, M, "DATE"), ("2024-02-27", "2000-01-02", None)),
    "months later": (two(o.XAddMonths, DAY, whole(12), "DATE"), ("2025-02-28", "2000-12-31", None)),
    "months earlier": (two(o.XAddMonths, DAY, whole(-22), "DATE"), ("2022-04-29", "1998-02-28", None)),
    "days between": (
        two(o.XDaysBetween, DAY, exp.Cast(this=text("2000-01-01"), to=exp.DataType.build("DATE"))),
        (8825, -1, None),
    ),
    "made date": (
        typed(o.XMakeDate(this=whole(2024), expression=whole(2), length=whole(29)), "DATE"),
        ("2024-02-29",) * 3,
    ),
    "bucket": (
        typed(
            o.XBucket(
                this=exp.Coalesce(this=N, expressions=[whole(9)]),
                expression=typed(o.XCuts(expressions=[whole(n) for n in (-8, -7, 0, 7, 9)]), "ARRAY<BIGINT>"),
                size=whole(5),
            ),
            "BIGINT",
        ),
        (4, 2, 5),
    ),
    "days in order": (
        exp.LT(this=DAY, expression=exp.Cast(this=text("2000-01-01"), to=exp.DataType.build("DATE"))),
        (False, True, None),
    ),
}

CASES = LIST_CASES | RECORD_CASES | SCALAR_CASES
