"""Compiled tables and asks in Spark and PostgreSQL beside the evaluator: many records in one statement."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dtables.compilers.sql import Compiled, Dialect, to_sql
from dtables.evaluator import Evaluator
from dtables.model.tables import Ruleset
from dtables.records.json import to_json
from tests.compilers_sql.duck import KEY, Failed, expected, normal, sound, spelled
from tests.support.postgres import postgres_cluster
from tests.support.spark import spark_session

Records = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Compared:
    """`tried` counts the records that were sound and compared."""

    tried: int
    differing: tuple[str, ...]


def compared(dialect: Dialect, ruleset: Ruleset, what: str, given: Records) -> Compared | None:
    """None where the dialect cannot say it, which it then tells."""
    compiled = to_sql(ruleset, what, dialect, keys=(KEY,))
    assert (compiled.sql is None) == bool(compiled.diagnostics)
    if compiled.sql is None:
        return None
    evaluator = Evaluator(ruleset)
    pairs = [(one, plain) for one in given if (plain := sound(evaluator, what, one)) is not None]
    wanted = [_wanted(evaluator, what, one) for one, _ in pairs]
    found = [_answer(row, compiled) for row in RUN[dialect](compiled, [plain for _, plain in pairs])]
    assert len(found) == len(pairs)
    return Compared(
        len(pairs),
        tuple(
            f"{one}\n  evaluator: {spelled(right)}\n  {dialect}: {spelled(got)}"
            for (one, _), right, got in zip(pairs, wanted, found, strict=True)
            if spelled(got) != spelled(right) and got != right
        ),
    )


def _wanted(evaluator: Evaluator, what: str, given: Mapping[str, Any]) -> Any:
    asks = {ask.heading.name for ask in evaluator.ruleset.asks}
    answer = expected(evaluator, what, given)
    if isinstance(answer, Failed):
        return answer
    return normal(answer) if what in asks else {what: normal(answer)}


def _answer(row: dict[str, Any], compiled: Compiled) -> Any:
    values = {column.name: normal(row[column.name]) for column in compiled.answers}
    problem = row[compiled.problem]
    if problem is None:
        return values
    assert all(value is None for value in values.values()), row
    return Failed(problem.split(": ")[0])


# -- the databases -------------------------------------------------------------------------------


def _spark(compiled: Compiled, records: Records) -> list[dict[str, Any]]:
    """A record that does not fit its column is an error, never a null."""
    fields = ", ".join(f"`{column.name}` {column.type}" for column in compiled.inputs)
    rows = [(n, json.dumps(record, default=str)) for n, record in enumerate(records)]
    frame = spark_session().createDataFrame(rows, f"{KEY} bigint, record string").coalesce(1)
    read = f"from_json(record, {_text(fields)}, map('mode', 'FAILFAST')) as record"
    frame.selectExpr(KEY, read if fields else "record").createOrReplaceTempView("raw")
    columns = [f"record.`{column.name}` as `{column.name}`" for column in compiled.inputs]
    turns = spark_session().sql(f"select {', '.join([KEY, *columns])} from raw")
    turns.createOrReplaceTempView("turns")
    spark_session().conf.set("spark.sql.analyzer.maxIterations", 1000)  # as docs/sql.md says of large asks
    found = spark_session().sql(str(compiled.sql)).collect()
    return [row.asDict(recursive=True) for row in sorted(found, key=lambda row: row[KEY])]


def _postgres(compiled: Compiled, records: Records) -> list[dict[str, Any]]:
    rows = to_json([{KEY: n, **record} for n, record in enumerate(records)])
    columns = [_from_json(column.name, column.type) for column in compiled.inputs]
    make = (
        f"drop table if exists turns; create table turns as select (r ->> '{KEY}')::bigint as {KEY}"
        f"{''.join(', ' + column for column in columns)} from jsonb_array_elements({_text(rows)}) as r;"
    )
    cluster = postgres_cluster()
    cluster.run(make)
    return sorted(cluster.rows(str(compiled.sql)), key=lambda row: row[KEY])


def _from_json(name: str, type_: str) -> str:
    taken = f"nullif(r -> {_text(name)}, 'null')" if type_ == "JSONB" else f"(r ->> {_text(name)})::{type_}"
    return f'{taken} as "{name}"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


RUN: dict[Dialect, Callable[[Compiled, Records], list[dict[str, Any]]]] = {
    Dialect.SPARK: _spark,
    Dialect.POSTGRES: _postgres,
}
