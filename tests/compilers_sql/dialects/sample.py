"""A relation of three rows, in every database: usual values, empty ones, nulls; and what they answer."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa
from sqlglot import exp

from dtables.compilers.sql.dialects.duckdb import lower_duckdb
from dtables.compilers.sql.dialects.postgres import lower_postgres
from dtables.compilers.sql.dialects.spark import lower_spark
from dtables.compilers.sql.neutral import Unsupported
from tests.support.postgres import Cluster, postgres_cluster
from tests.support.spark import spark_session

Plain = Any
DIALECTS = {"duckdb": lower_duckdb, "spark": lower_spark, "postgres": lower_postgres}

TYPES: dict[str, tuple[str, pa.DataType]] = {
    "n": ("BIGINT", pa.int64()),
    "m": ("BIGINT", pa.int64()),
    "i": ("BIGINT", pa.int64()),
    "d": ("DECIMAL(38, 10)", pa.decimal128(38, 10)),
    "fine": ("DECIMAL(38, 20)", pa.decimal128(38, 20)),
    "yes": ("BOOLEAN", pa.bool_()),
    "s": ("TEXT", pa.string()),
    "day": ("DATE", pa.date32()),
    "numbers": ("ARRAY<BIGINT>", pa.list_(pa.int64())),
    "points": ("ARRAY<BIGINT>", pa.list_(pa.int64())),
    "prices": ("ARRAY<DECIMAL(38, 10)>", pa.list_(pa.decimal128(38, 10))),
    "names": ("ARRAY<TEXT>", pa.list_(pa.string())),
    "days": ("ARRAY<DATE>", pa.list_(pa.date32())),
    "things": (
        "ARRAY<STRUCT<id TEXT, cost BIGINT>>",
        pa.list_(pa.struct([("id", pa.string()), ("cost", pa.int64())])),
    ),
    "lists": ("ARRAY<ARRAY<BIGINT>>", pa.list_(pa.list_(pa.int64()))),
    "costs": ("MAP<TEXT, BIGINT>", pa.map_(pa.string(), pa.int64())),
    "thing": ("STRUCT<id TEXT, cost BIGINT>", pa.struct([("id", pa.string()), ("cost", pa.int64())])),
}

USUAL: dict[str, Plain] = {
    "n": 7,
    "m": -2,
    "i": 2,
    "d": Decimal("2.5"),
    "fine": Decimal("1.00000000000000000001"),
    "yes": True,
    "s": "Zoë",
    "day": datetime.date(2024, 2, 29),
    "numbers": [3, 1, None, 3],
    "points": [3, 1, 2],
    "prices": [Decimal("0.1"), Decimal("0.2")],
    "names": ["b", "a", "B"],
    "days": [datetime.date(2024, 2, 29), datetime.date(1999, 12, 31)],
    "things": [{"id": "a", "cost": 3}, {"id": "b", "cost": 1}, {"id": "c", "cost": None}],
    "lists": [[1, 2], [], [3]],
    "costs": {"wood": 2, "clay": None},
    "thing": {"id": "b", "cost": 1},
}
EMPTY: dict[str, Plain] = {
    "n": -7,
    "m": 2,
    "i": 0,
    "d": Decimal("-2.5"),
    "fine": Decimal(0),
    "yes": False,
    "s": "",
    "day": datetime.date(1999, 12, 31),
    **{name: [] for name in ("numbers", "points", "prices", "names", "days", "things", "lists")},
    "costs": {},
    "thing": {"id": "a", "cost": None},
}
NOTHING: dict[str, Plain] = dict.fromkeys(USUAL)
ROWS = (USUAL, EMPTY, NOTHING)


def column(name: str) -> exp.Column:
    made = exp.column(name, quoted=True)
    made.type = exp.DataType.build(TYPES[name][0])
    return made


# -- the three databases -------------------------------------------------------------------------


def answers(dialect: str, trees: Mapping[str, exp.Expression]) -> dict[str, tuple[Plain, ...]]:
    """What the database answers to each tree, for the three rows."""
    rows = RUN[dialect](statement(dialect, trees))
    return {name: tuple(plain(row[name]) for row in rows) for name in trees}


def statement(dialect: str, trees: Mapping[str, exp.Expression]) -> str:
    spelled = {name: lowered(dialect, tree) for name, tree in trees.items()}
    columns = [exp.alias_(tree, name, quoted=True) for name, tree in spelled.items()]
    made = exp.Select(expressions=columns).from_(exp.to_table("sample")).order_by("row")
    return made.sql(dialect=dialect, identify=True)


def lowered(dialect: str, tree: exp.Expression) -> exp.Expression:
    made, unsayable = DIALECTS[dialect](tree)
    assert unsayable == ()
    return made


def unsayable(dialect: str, tree: exp.Expression) -> tuple[Unsupported, ...]:
    return DIALECTS[dialect](tree)[1]


def _duckdb(sql: str) -> list[dict[str, Plain]]:
    cursor = _connection().execute(sql)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.register("sample", _arrow())
    return connection


def _arrow() -> pa.Table:
    schema = pa.schema([("row", pa.int64()), *((name, kind) for name, (_, kind) in TYPES.items())])
    rows = [
        {"row": number, **{name: _entries(v) for name, v in row.items()}} for number, row in enumerate(ROWS)
    ]
    return pa.Table.from_pylist(
        [{**row, "thing": ROWS[number]["thing"]} for number, row in enumerate(rows)], schema=schema
    )


def _entries(value: Plain) -> Plain:
    """Arrow takes a map as pairs."""
    return list(value.items()) if isinstance(value, dict) else value


def _spark(sql: str) -> list[dict[str, Plain]]:
    _spark_relation()
    return [row.asDict(recursive=True) for row in spark_session().sql(sql).collect()]


@cache
def _spark_relation() -> None:
    spark_session().createDataFrame(_arrow()).createOrReplaceTempView("sample")


def _postgres(sql: str) -> list[dict[str, Plain]]:
    return _postgres_relation().rows(sql)


@cache
def _postgres_relation() -> Cluster:
    cluster = postgres_cluster()
    rows = [{"row": number, **row} for number, row in enumerate(ROWS)]
    columns = [f'{_from_json(name, kind)} as "{name}"' for name, (kind, _) in TYPES.items()]
    text = json.dumps(rows, default=str, ensure_ascii=False).replace("'", "''")
    cluster.run(
        f"create table sample as select (r ->> 'row')::bigint as row, {', '.join(columns)} "
        f"from jsonb_array_elements('{text}') as r"
    )
    return cluster


def _from_json(name: str, kind: str) -> str:
    if kind.startswith(("ARRAY", "MAP", "STRUCT")):
        return f"nullif(r -> '{name}', 'null')"
    return f"(r ->> '{name}')::{kind}"


RUN = {"duckdb": _duckdb, "spark": _spark, "postgres": _postgres}


def plain(value: Plain) -> Plain:
    """The same value, whichever database gave it."""
    match value:
        case datetime.date():
            return value.isoformat()
        case Decimal():
            return int(value) if value == int(value) else value.normalize()
        case list() | tuple():
            return [plain(item) for item in value]
        case dict():
            return {name: plain(item) for name, item in value.items()}
        case _:
            return value
