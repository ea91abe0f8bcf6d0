"""Relations whose columns are of whatever types: SQL answers what the rules answer to the same, or says
that there is a problem. Never another number."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cache
from random import Random
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from dtables.checker import check_book
from dtables.compilers.sql import Compiled, Dialect, to_sql
from dtables.diagnostics import errors_in
from dtables.evaluator import Evaluator
from dtables.model.tables import Ruleset
from dtables.records.findings import RecordError, RuleError
from tests.support.drawing import book_text
from tests.support.postgres import postgres_cluster
from tests.support.spark import spark_session
from tests.support.thinned import draws, swept

KEY = "nth"
WORDS = """
# Sheet: Words
Record: line
  field | type
  price | number
  pieces | whole number

Input: state
  field | type
  ignored | text?

# Sheet: Rules
"""
_EXACTLY = Context(prec=200)
PARAMETERS = "amount: number, percent: number, n: whole number, lines: list of line"
FORMULAS = [
    "decimal(amount * percent / 100, 2)",
    "amount + percent * n",
    "amount * amount * percent",
    "amount * amount * amount * percent - amount",
    "(amount - percent) / 8",
    "if amount > percent then amount else percent * 0.1",
    "if amount * percent > 1.155 then amount * percent else n",
    "n * n + n",
    "n * n * n * 1000000",
    "-n * (n + 1) * abs(n)",
    "floor(amount) + ceiling(percent)",
    "floor(amount * amount * amount)",
    "floor(amount * n)",
    "floor(-amount * n * 0.000001)",
    "ceiling(amount * amount / 4)",
    "decimal(amount * n, 0)",
    "if amount = 0.35 then 1 else percent",
    "if amount in [0.1..percent] then 1 else 2",
    "sum([amount, percent, n])",
    "max([amount, percent * 2])",
    "max([amount * percent, amount])",
    "[amount * percent, n, amount]",
    "total(for i in 1..3 return amount * i * percent)",
    "if amount * percent in (2, 1.5, amount) then 1 else 2",
    "modulo(n, 7)",
    "floor(n / 7)",
    "total(lines.price)",
    "total(for l in lines return l.price * l.pieces)",
    "total(lines.pieces) * n",
    "count(lines[price > 0.3])",
    "[lines[1].price * amount, lines[1].price]",
]
DECISION = """Decision: tried({parameters}) ; policy: first
  if | if | then
  amount | amount * percent | outcome
  < 0 | - | percent
  0.35 | > 0.1 | amount * percent
  [1..2.5) | - | amount * amount
  - | >= 1.155 | 1.5
  - | - | n"""
FORMULA = "Formula: tried({parameters})\n  step | type | is\n  result | | {value}"


@cache
def ruleset(value: str | None) -> Ruleset:
    text = DECISION if value is None else FORMULA
    return checked(text.format(parameters=PARAMETERS, value=value))


def checked(text: str) -> Ruleset:
    book, found = book_text(WORDS + text)
    model, more = check_book(book)
    assert model is not None
    assert not errors_in((*found, *more)), [one.message for one in (*found, *more)]
    return model


# -- values in columns -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Kind:
    """A type of a column, by its name in each database that has it, and what a text becomes in it."""

    names: Mapping[Dialect, str]
    read: Callable[[str], Any]

    def value(self, text: str | None) -> Any:
        """What the rules are given; None where the type has no such value."""
        try:
            return None if text is None else self.read(text)
        except (ArithmeticError, ValueError, struct.error):
            return None

    def cast(self, text: str | None, dialect: Dialect) -> str:
        value = self.value(text)
        shown = "null" if value is None else f"'{value!r}'" if isinstance(value, float) else f"'{text}'"
        return f"cast({shown} as {self.names[dialect]})"


def _everywhere(name: str, **others: str) -> dict[Dialect, str]:
    return {dialect: others.get(dialect.value, name) for dialect in Dialect}


def _double(text: str) -> float:
    return float(text)


def _float(text: str) -> float:
    return float(struct.unpack("f", struct.pack("f", float(text)))[0])


def _decimal(digits: int, places: int) -> Callable[[str], Decimal | int]:
    def read(text: str) -> Decimal | int:
        number = Decimal(text)
        if not number.is_finite() or number.adjusted() > 60 or "e" in text.lower():
            raise ValueError
        unit = abs(number).scaleb(places, _EXACTLY)
        if unit != int(unit) or unit >= 10**digits:
            raise ValueError
        return number if places else int(number)

    return read


def _int(bits: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        number = int(text)
        if not -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
            raise ValueError
        return number

    return read


def _decimals(digits: int, places: int) -> Kind:
    return Kind(_everywhere(f"DECIMAL({digits}, {places})"), _decimal(digits, places))


KINDS: dict[str, Kind] = {
    "double": Kind(_everywhere("DOUBLE", postgres="DOUBLE PRECISION"), _double),
    "float": Kind(_everywhere("FLOAT", postgres="REAL"), _float),
    "price": _decimals(12, 2),
    "rate": _decimals(18, 4),
    "exact": _decimals(38, 10),
    "fine": _decimals(38, 20),
    "large": _decimals(38, 0),
    "small": Kind(_everywhere("SMALLINT"), _int(16)),
    "int": Kind(_everywhere("INTEGER"), _int(32)),
    "long": Kind(_everywhere("BIGINT"), _int(64)),
    "text": Kind(_everywhere("VARCHAR", spark="STRING", postgres="TEXT"), str),
    "huge": Kind({Dialect.DUCKDB: "HUGEINT"}, _int(127)),
}


def known(dialect: Dialect) -> list[str]:
    return [name for name, kind in KINDS.items() if dialect in kind.names]


NUMBERS = st.one_of(
    st.integers(-200_000, 200_000).map(lambda cents: str(Decimal(cents).scaleb(-2))),
    st.integers(0, 10_000).map(lambda parts: str(Decimal(parts).scaleb(-3))),
    st.integers(-100, 100).map(str),
    st.sampled_from(["330", "0.35", "0.1", "1.005", "2.675", "-0.0", "9007199254740993", "999999999999999"]),
    st.sampled_from(
        [
            "NaN",
            "Infinity",
            "-Infinity",
            "5e-324",
            "1e22",
            "1.7976931348623157e308",
            "0.30000000000000004",
            "1e-11",
        ]
    ),
    st.integers(-(10**40), 10**40).map(str),
    st.integers(-(2**63), 2**63 - 1).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-1e7, 1e7).map(repr),
    st.decimals(-1e15, 1e15, places=10).map(str),
    st.decimals(-1, 1, places=20).map(lambda number: format(number, "f")),
)
WHOLES = st.one_of(st.integers(-100, 100).map(str), st.integers(-(10**20), 10**20).map(str))


_PIECES = KINDS["long"]
Line = tuple[str, str]


@dataclass(frozen=True)
class Relation:
    """`kinds` of amount, percent, n and the prices of lines; each row has their texts."""

    kinds: tuple[str, str, str, str]
    rows: tuple[tuple[str | None, str | None, str | None, list[Line]], ...]

    def records(self) -> list[dict[str, Any]]:
        amount, percent, n, price = (KINDS[name] for name in self.kinds)
        return [
            {
                "amount": amount.value(row[0]),
                "percent": percent.value(row[1]),
                "n": n.value(row[2]),
                "lines": [
                    {"price": price.value(cost), "pieces": _PIECES.value(pieces)}
                    for cost, pieces in self._lines(row[3])
                ],
            }
            for row in self.rows
        ]

    def _lines(self, lines: Sequence[Line]) -> list[Line]:
        """Those that the types can hold."""
        price = KINDS[self.kinds[3]]
        return [(p, n) for p, n in lines if price.value(p) is not None and _PIECES.value(n) is not None]

    def select(self, dialect: Dialect) -> str:
        amount, percent, n, price = (KINDS[name] for name in self.kinds)
        line = LINE[dialect].format(price.cast(None, dialect), _PIECES.cast(None, dialect))
        made = []
        for number, row in enumerate(self.rows):
            lines = [
                LINE[dialect].format(price.cast(cost, dialect), _PIECES.cast(pieces, dialect))
                for cost, pieces in self._lines(row[3])
            ]
            columns = [
                f"{number} as {KEY}",
                f"{amount.cast(row[0], dialect)} as amount",
                f"{percent.cast(row[1], dialect)} as percent",
                f"{n.cast(row[2], dialect)} as n",
                f"{LIST[dialect].format(', '.join([line, *lines]), len(lines))} as lines",
            ]
            made.append("select " + ", ".join(columns))
        return " union all ".join(made)


LINE = {
    Dialect.DUCKDB: "{{'price': {}, 'pieces': {}}}",
    Dialect.SPARK: "named_struct('price', {}, 'pieces', {})",
    Dialect.POSTGRES: "jsonb_build_object('price', {}, 'pieces', {})",
}
LIST = {
    Dialect.DUCKDB: "([{}])[2:]",
    Dialect.SPARK: "slice(array({}), 2, {})",
    Dialect.POSTGRES: "jsonb_build_array({}) - 0",
}
"""Without the first, which is there for the types of an empty one."""


@st.composite
def relations(draw: st.DrawFn, dialect: Dialect, rows: int) -> Relation:
    names = st.sampled_from([name for name, kind in KINDS.items() if dialect in kind.names])
    whole = draw(st.sampled_from(["small", "int", "long", "large", "double", "text"]))
    row = st.tuples(NUMBERS, NUMBERS, WHOLES, st.lists(st.tuples(NUMBERS, WHOLES), max_size=3))
    drawn = draw(st.lists(row, min_size=rows, max_size=rows))
    return Relation((draw(names), draw(names), whole, draw(names)), tuple(drawn))


# -- the databases ---------------------------------------------------------------------------------


def _duckdb(compiled: Compiled, select: str) -> list[dict[str, Any]]:
    with duckdb.connect() as connection:
        connection.execute("set threads = 1; set memory_limit = '1GB'")
        connection.execute(f"create table turns as {select}")
        told = connection.execute(str(compiled.sql))
        names = [column[0] for column in told.description or []]
        return [dict(zip(names, row, strict=True)) for row in told.fetchall()]


def _spark(compiled: Compiled, select: str) -> list[dict[str, Any]]:
    spark_session().sql(select).createOrReplaceTempView("turns")
    return [row.asDict(recursive=True) for row in spark_session().sql(str(compiled.sql)).collect()]


def _postgres(compiled: Compiled, select: str) -> list[dict[str, Any]]:
    cluster = postgres_cluster()
    cluster.run(f"drop table if exists turns; create table turns as {select}")
    return cluster.rows(str(compiled.sql))


RUN = {Dialect.DUCKDB: _duckdb, Dialect.SPARK: _spark, Dialect.POSTGRES: _postgres}


# -- beside the rules ------------------------------------------------------------------------------


class Refused:
    pass


@cache
def evaluator(value: str | None) -> Evaluator:
    return Evaluator(ruleset(value))


@cache
def compiled(value: str | None, dialect: Dialect) -> Compiled:
    return to_sql(ruleset(value), "tried", dialect, keys=(KEY,))


def expected(value: str | None, record: Mapping[str, Any]) -> Any:
    try:
        return evaluator(value).call("tried", record)
    except (RecordError, RuleError):
        return Refused


@dataclass(frozen=True)
class Told:
    """Rows where SQL answers something else than the rules; and how many it leaves to them."""

    wrong: tuple[str, ...]
    left: int


def told(dialect: Dialect, value: str | None, relation: Relation) -> Told:
    statement = compiled(value, dialect)
    assert statement.sql is not None, statement.diagnostics
    rows = RUN[dialect](statement, relation.select(dialect))
    found = {row[KEY]: row for row in rows}
    wrong, left = [], 0
    for number, record in enumerate(relation.records()):
        row, wanted = found[number], expected(value, record)
        if row[statement.problem] is not None:
            assert row["tried"] is None
            left += wanted is not Refused
        elif wanted is Refused or not same(row["tried"], wanted):
            wrong.append(f"{value}: {relation.kinds} {record}\n  {wanted}\n  {dialect}: {row['tried']}")
    return Told(tuple(wrong), left)


def same(found: Any, wanted: Any) -> bool:
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    return type(found) is not float and (found == wanted)


STARTED: dict[Dialect, Callable[[], object]] = {
    Dialect.SPARK: spark_session,
    Dialect.POSTGRES: postgres_cluster,
}
VALUES = st.sampled_from([*FORMULAS, None])
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


@settings(max_examples=draws(100), deadline=None, suppress_health_check=SLOW)
@given(VALUES, relations(Dialect.DUCKDB, 8))
def test_duckdb(value: str | None, relation: Relation) -> None:
    assert told(Dialect.DUCKDB, value, relation).wrong == ()


@pytest.mark.xdist_group("servers")
@pytest.mark.parametrize(("dialect", "examples"), [(Dialect.POSTGRES, 40), (Dialect.SPARK, 8)])
def test_elsewhere(dialect: Dialect, examples: int) -> None:
    """What fails is not made smaller: a statement takes a second."""
    STARTED[dialect]()

    @settings(
        max_examples=draws(examples), deadline=None, suppress_health_check=SLOW, phases=[Phase.generate]
    )
    @given(VALUES, relations(dialect, 12))
    def drawn(value: str | None, relation: Relation) -> None:
        assert told(dialect, value, relation).wrong == ()

    drawn()


# -- what is usual has an answer -------------------------------------------------------------------


def _usual(kind: str) -> Relation:
    """Prices and rates as they are written down."""
    random = Random(7)
    rows = []
    for _ in range(100):
        amount, cost = (str(Decimal(random.randrange(1_000_000)).scaleb(-2)) for _ in range(2))
        rate, n = str(Decimal(random.randrange(3000)).scaleb(-2)), str(random.randrange(-100, 100))
        rows.append((amount, rate, n, [(cost, n), (rate, "3")]))
    return Relation((kind, kind, "long", kind), tuple(rows))


KINDS_OF_NUMBERS = ["double", "price", "rate", "exact"]


@pytest.mark.parametrize("kind", KINDS_OF_NUMBERS)
def test_duckdb__usual_numbers_are_no_problem(kind: str) -> None:
    for value in swept([*FORMULAS, None], KINDS_OF_NUMBERS.index(kind)):
        assert told(Dialect.DUCKDB, value, _usual(kind)) == Told((), 0), value


@pytest.mark.xdist_group("servers")
@pytest.mark.parametrize("dialect", [Dialect.POSTGRES, Dialect.SPARK])
@pytest.mark.parametrize("kind", ["double", "price"])
def test_elsewhere__usual_numbers_are_no_problem(dialect: Dialect, kind: str) -> None:
    for value in ["decimal(amount * percent / 100, 2)", "total(for l in lines return l.price * l.pieces)"]:
        assert told(dialect, value, _usual(kind)) == Told((), 0), value


HALF = Relation(
    ("double", "double", "long", "double"),
    (("330", "0.35", "1", []), ("NaN", "1", "1", []), ("1", "1.7976931348623157e308", "1", [])),
)


@pytest.mark.xdist_group("servers")
@pytest.mark.parametrize("dialect", list(Dialect))
def test_a_double_is_what_it_says(dialect: Dialect) -> None:
    """330 times 0.35 % is 1.155, whose halves go to the even neighbour; as doubles it is less."""
    statement = compiled("decimal(amount * percent / 100, 2)", dialect)
    rows = sorted(RUN[dialect](statement, HALF.select(dialect)), key=lambda row: int(row[KEY]))
    assert [row["tried"] for row in rows] == [Decimal("1.16"), None, None]
    assert [row["problem"] is None for row in rows] == [True, False, False]


@pytest.mark.parametrize(
    ("column", "problem"),
    [
        (
            "amount",
            "amount: found 12 (VARCHAR), wanted number of at most 15 digits before the point and 10 after it",
        ),
        ("n", "n: found 2.5 (DOUBLE), wanted whole number of at most 15 digits"),
    ],
)
def test_what_a_problem_says(column: str, problem: str) -> None:
    value = {"amount": "cast('12' as VARCHAR)", "n": "cast(2.5 as DOUBLE)"}[column]
    others = {"amount": "1.5", "percent": "0.35", "n": "3", "lines": "[{'price': 1.5, 'pieces': 2}]"}
    columns = [f"{shown} as {name}" for name, shown in {**others, column: value}.items()]
    [row] = _duckdb(compiled("amount * n", Dialect.DUCKDB), f"select 1 as {KEY}, {', '.join(columns)}")
    assert row == {KEY: 1, "tried": None, "problem": problem}


# -- days, and what stands in lists ----------------------------------------------------------------

DAYS = "Formula: tried(day: date, at: date and time, ok: boolean)\n  step | type | is\n  result | | {}"
ITEMS = "Formula: tried(days: list of date, prices: list of number)\n  step | type | is\n  result | | {}"


def _answers(text: str, dialect: Dialect, columns: Mapping[str, str]) -> list[Any]:
    """One row."""
    statement = to_sql(checked(text), "tried", dialect, keys=(KEY,))
    assert statement.sql is not None, statement.diagnostics
    shown = [f"{value} as {name}" for name, value in columns.items()]
    return [str(row["tried"]) for row in RUN[dialect](statement, f"select 1 as {KEY}, {', '.join(shown)}")]


@pytest.mark.xdist_group("servers")
@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize(
    ("day", "at", "answer"),
    [
        ("date '2024-02-29'", "{0} '2024-02-29 10:00:00'", "2024-02-29"),
        ("{0} '2024-02-29 00:00:00'", "date '2024-02-29'", "2024-02-29"),
        ("{0} '2024-02-29 00:00:01'", "{0} '2024-02-29 10:00:00'", "None"),
        ("date '2024-02-29'", "{0} '2024-02-29 10:00:00.5'", "None"),
        ("cast('2024-02-29' as {1})", "{0} '2024-02-29 10:00:00'", "None"),
        ("date '2024-02-29'", "cast('2024-02-29' as {1})", "None"),
    ],
)
def test_days(dialect: Dialect, day: str, at: str, answer: str) -> None:
    """Nothing is cut off a time, or read out of a text."""
    names = ("timestamp_ntz" if dialect is Dialect.SPARK else "timestamp", KINDS["text"].names[dialect])
    columns = {"day": day.format(*names), "at": at.format(*names), "ok": "true"}
    assert _answers(DAYS.format("if ok and at != null then day else null"), dialect, columns) == [answer]


@pytest.mark.xdist_group("servers")
@pytest.mark.parametrize(
    ("days", "prices", "answer"),
    [
        (["2024-02-29", "0001-01-01"], [0.35, -1, 7], "3"),
        ([], [], "0"),
        (["2023-02-29"], [], "None"),
        (["0000-01-01"], [], "None"),
        (["2024-2-3"], [], "None"),
        ([20240203], [], "None"),
        ({"a": "2024-02-29"}, [], "None"),
        ("2024-02-29", [], "None"),
        ([], ["1"], "None"),
        ([], [[1]], "None"),
        ([], [10**15], "None"),
        ([], [1e-11], "None"),
        ([], [True], "None"),
    ],
)
def test_postgres__each_part_of_json_is_of_its_type(days: object, prices: object, answer: str) -> None:
    columns = {"days": f"'{json.dumps(days)}'::jsonb", "prices": f"'{json.dumps(prices)}'::jsonb"}
    value = "count(days) + count(prices[item = 7])"
    assert _answers(ITEMS.format(value), Dialect.POSTGRES, columns) == [answer]
