"""A compiled table or ask in DuckDB beside the evaluator: the same records, the same answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

import duckdb
from sqlglot import exp

from dtables.answers.answering import reply_row
from dtables.compilers.sql import Compiled, Dialect, to_sql
from dtables.evaluator import Evaluator
from dtables.feel.values import DaysDuration, YearsDuration, as_plain, parse_duration
from dtables.model.tables import Ruleset
from dtables.records.findings import RecordError, RuleError
from dtables.records.reader import read_arguments, read_state

KEY = "nth"


@dataclass(frozen=True)
class Failed:
    """What SQL says in `problem`, and the evaluator raises. Equal whatever it says: words that quote values
    are not the same everywhere, the cell in front of them is."""

    place: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Failed) and (self.place == other.place or "" in (self.place, other.place))

    def __hash__(self) -> int:
        return 0


def expected(evaluator: Evaluator, what: str, given: Mapping[str, Any]) -> Any:
    """The evaluator's answer on a sound record, as a row."""
    asks = {ask.heading.name for ask in evaluator.ruleset.asks}
    try:
        return reply_row(evaluator.reply(what, given)) if what in asks else evaluator.call(what, given)
    except RuleError as error:
        return Failed(str(error.where))
    except RecordError as error:
        return Failed(error.path)


def sound(evaluator: Evaluator, what: str, given: Mapping[str, Any]) -> dict[str, Any] | None:
    """The record with its names as ids, as a relation holds it; None where reading it finds fault."""
    ruleset = evaluator.ruleset
    tables = {table.heading.name: table for table in ruleset.tables}
    shapes = evaluator._shapes
    try:
        if what in {ask.heading.name for ask in ruleset.asks}:
            typed = read_state(given, shapes, evaluator._turn(evaluator._planner, "state"), "state")
        else:
            types = {p.name: p.type for p in tables[what].parameters}
            turn, where = evaluator._turn(evaluator._planner, ""), tables[what].heading.where
            arguments, typed = read_arguments(given, types, where, shapes, turn)
            typed |= dict(zip(types, arguments, strict=True))
    except RecordError:
        return None
    return {
        name: _ids(value, _lengths(as_plain(typed[name])))
        for name, value in given.items()
        if value is not None
    }


DURATION = re.compile(r"-?P(\d.*|T\d.*)")


def _lengths(value: Any) -> Any:
    match value:
        case list():
            return [_lengths(one) for one in value]
        case str():
            return normal(value)
        case _:
            return value


def _length(duration: DaysDuration | YearsDuration) -> Any:
    if isinstance(duration, YearsDuration):
        return duration.months
    return normal(Decimal(duration.nanos).scaleb(-9))


def _ids(given: Any, typed: Any) -> Any:
    match given:
        case dict():
            there = {key: value for key, value in given.items() if value is not None}
            names = there if all(key in typed for key in there) else typed  # a map's keys by label
            return {key: _ids(value, typed[key]) for key, value in zip(names, there.values(), strict=True)}
        case list():
            return [_ids(value, one) for value, one in zip(given, typed, strict=True)]
        case _:
            return typed


def answers(compiled: Compiled, records: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Per record a dict by answer column, or what the problem column says."""
    assert compiled.sql is not None, compiled.diagnostics
    with duckdb.connect() as connection:
        connection.execute("set threads = 1; set memory_limit = '2GB'")
        connection.execute("create table raw (nth bigint, record json)")
        kinds = {column.name: exp.DataType.build(column.type, dialect="duckdb") for column in compiled.inputs}
        whole = [{name: _filled(one.get(name), kind) for name, kind in kinds.items()} for one in records]
        rows = [(n, json.dumps(record, default=str)) for n, record in enumerate(whole)]
        connection.executemany("insert into raw values (?, ?)", rows)
        fields = ", ".join(_field(column.name, column.type) for column in compiled.inputs)
        typed = f"select {KEY}, unnest(cast(record as struct({fields}))) from raw"
        connection.execute(f"create table turns as {typed if fields else 'select nth from raw'}")
        told = connection.execute(f"select * from ({compiled.sql}) order by {KEY}")
        names = [described[0] for described in told.description or []]
        found = [dict(zip(names, row, strict=True)) for row in told.fetchall()]
    return [_answer(row, compiled) for row in found]


def _filled(value: Any, kind: exp.DataType) -> Any:
    """A field left out is null in a struct."""
    match value:
        case dict() if kind.this == exp.DType.STRUCT:
            return {
                field.name: _filled(value.get(field.name), field.args["kind"]) for field in kind.expressions
            }
        case dict():
            return {key: _filled(one, kind.expressions[1]) for key, one in value.items()}
        case list():
            return [_filled(one, kind.expressions[0]) for one in value]
        case _:
            return value


def _field(name: str, type_: str) -> str:
    return f'"{name}" {type_}'


def _answer(row: dict[str, Any], compiled: Compiled) -> Any:
    problem = row[compiled.problem]
    values = {column.name: normal(row[column.name]) for column in compiled.answers}
    if problem is None:
        return values
    assert all(value is None for value in values.values()), row
    return Failed(problem.split(": ")[0])


def normal(value: Any) -> Any:
    """A whole decimal is a whole number, a date its text, a duration its seconds or months."""
    match value:
        case datetime():
            return value.isoformat()
        case str() if DURATION.fullmatch(value):
            return _length(parse_duration(value))
        case dict():
            return {key: normal(one) for key, one in value.items()}
        case list():
            return [normal(one) for one in value]
        case Decimal():
            return int(value) if value == int(value) else value.normalize()
        case bool() | int() | str() | None:
            return value
        case _:
            return str(value)


def disagreements(ruleset: Ruleset, what: str, given: Sequence[Mapping[str, Any]]) -> list[str]:
    """Where DuckDB says something else than the evaluator."""
    return compared(to_sql(ruleset, what, Dialect.DUCKDB, keys=(KEY,)), ruleset, what, given)


def compared(
    compiled: Compiled, ruleset: Ruleset, what: str, given: Sequence[Mapping[str, Any]]
) -> list[str]:
    evaluator = Evaluator(ruleset)
    pairs = [(one, sound(evaluator, what, one)) for one in given]
    kept = [(one, plain) for one, plain in pairs if plain is not None]
    found = answers(compiled, [plain for _, plain in kept]) if kept else []
    differing = []
    for (one, _), got in zip(kept, found, strict=True):
        wanted = expected(evaluator, what, one)
        is_ask = what in {ask.heading.name for ask in ruleset.asks}
        if not isinstance(wanted, Failed):
            wanted = normal(wanted) if is_ask else {what: normal(wanted)}
        if spelled(got) != spelled(wanted) and got != wanted:
            differing.append(f"{one}\n  evaluator: {spelled(wanted)}\n  SQL:       {spelled(got)}")
    return differing


def spelled(value: Any) -> str:
    """Tells 1 from true; a null entry is as none, and entries have no order."""
    match value:
        case dict():
            return (
                "{"
                + ", ".join(f"{k!r}: {spelled(v)}" for k, v in sorted(value.items()) if v is not None)
                + "}"
            )
        case list():
            return "[" + ", ".join(map(spelled, value)) + "]"
        case _:
            return repr(value)
