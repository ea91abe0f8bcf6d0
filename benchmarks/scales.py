"""A scale over many turns in DuckDB: as `compile --to sql` writes it, and as a person would."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

import openpyxl

from benchmarks.rounds import Comparison, Contestant, Field
from benchmarks.scratch import scratch

if TYPE_CHECKING:
    import duckdb

MOST_CANDIDATES = 11
COLOURS = ("red", "amber", "green", "blue", "white")
CRITERIA = (
    ("blocked", "no", 0, COLOURS),
    ("urgency", "highest", 3, ("red", "amber")),
    ("skill", "highest", 5, ("green", "blue", "white")),
    ("distance", "lowest", 40, ("red", "green", "blue")),
    ("wait", "highest", 29, ("amber", "white", "blue")),
    ("tier", "lowest", 2, ("red", "white")),
    ("load", "lowest", 99, ("amber", "green", "blue", "white")),
    ("score", "highest", 999, COLOURS),
)
"""A field with what is preferred of it, its largest value (0: it is yes or no), and whom its row concerns."""
SCALE, LISTED, LONG = "chosen", "turns", "candidates"


def workbook(path: Path) -> None:
    """Each criterion concerns some candidates, the others come last; the first of those left is taken."""
    types = [(f"{name} range", "whole number", f"[0..{most}]") for name, _, most, _ in CRITERIA if most]
    fields = [(name, f"{name} range" if most else "boolean") for name, _, most, _ in CRITERIA]
    rows = [(", ".join(colours), prefer, name) for name, prefer, _, colours in CRITERIA]
    tables: tuple[list[tuple[Any, ...]], ...] = (
        [("Types: colours",), ("name", "names"), ("colour", ", ".join(COLOURS))],
        [("Types: ranges",), ("name", "of", "allowed"), *types],
        [("Record: candidate",), ("field", "type"), ("id", "whole number"), ("colour", "colour"), *fields],
        [
            (f"Scale: {SCALE}(listed: list of candidate)", "others: last"),
            ("only for", "prefer", "by"),
            ("colour", "", ""),
            *rows,
            ("", "first", ""),
        ],
    )
    book = openpyxl.Workbook()
    sheet = book.active
    for table in tables:
        for row in table:
            sheet.append(row)
        sheet.append([None])
    book.save(path)


def database(turns: int, threads: int | None = None) -> duckdb.DuckDBPyConnection:
    """Turns of one to eleven candidates in any order, a row for each candidate and a list for each turn; they
    are always the same."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("set enable_progress_bar = false")
    if threads is not None:
        connection.execute(f"set threads = {threads}")
    connection.execute(f"create type colour as enum ({', '.join(map(repr, COLOURS))})")
    drawn = [f"hash(turn, place, '{name}') % {most + 1 if most else 2}" for name, _, most, _ in CRITERIA]
    cast = [
        f"({value})::{'bigint' if most else 'boolean'} as {name}"
        for (name, _, most, _), value in zip(CRITERIA, drawn, strict=True)
    ]
    named = f"{list(COLOURS)}[(1 + hash(turn, place, 'colour') % {len(COLOURS)})::bigint] as colour"
    connection.execute(
        f"create table {LONG} as select turn, place, turn * 16 + place as id, {named}, {', '.join(cast)} "
        f"from range({turns}) as t(turn), range({MOST_CANDIDATES}) as p(place) "
        f"where place <= hash(turn) % {MOST_CANDIDATES}"
    )
    fields = ", ".join(f"{name} := {name}" for name in ("id", "colour", *(c[0] for c in CRITERIA)))
    connection.execute(
        f"create table {LISTED} as select turn, list(struct_pack({fields}) order by place) as listed "
        f"from {LONG} group by turn order by hash(turn)"
    )
    connection.execute(
        f"create or replace table {LONG} as select * replace (colour::colour as colour) from {LONG} "
        "order by hash(turn), place"
    )
    return connection


# -- the queries -----------------------------------------------------------------------------------


def compiled(path: Path) -> str:
    """As the command writes it."""
    out = path.with_suffix(".sql")
    written = ("--to", "sql", "--table", SCALE, "--from", LISTED, "--key", "turn", "-o", str(out))
    subprocess.run([sys.executable, "-m", "dtables", "compile", str(path), *written], check=True)
    return out.read_text(encoding="utf-8").strip().removesuffix(";")


def by_hand() -> str:
    """All keys in one whole number, of which the smallest is taken."""
    size, terms = MOST_CANDIDATES, ["place"]
    for name, prefer, most, colours in reversed(CRITERIA):
        key = f"{most} - {name}" if prefer == "highest" else f"{name}::bigint"
        last = most + 1 if most else 2
        terms.append(f"{size} * ({_concerned(key, str(last), colours)})")
        size *= last + 1
    assert size < 2**63
    return f"select turn, arg_min(id, {' + '.join(terms)}) as id from {LONG} group by turn"


def by_row() -> str:
    """The keys side by side, compared one after another."""
    keys = [
        _concerned(f"-{name}" if prefer == "highest" else f"{name}::bigint", str(most + 2), colours)
        for name, prefer, most, colours in CRITERIA
    ]
    return f"select turn, arg_min(id, row({', '.join(keys)}, place)) as id from {LONG} group by turn"


def _concerned(key: str, otherwise: str, colours: tuple[str, ...]) -> str:
    if colours == COLOURS:
        return key
    return f"case when colour in ({', '.join(map(repr, colours))}) then {key} else {otherwise} end"


def run(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    """The answer stays in the database: handing it over is no part of it."""
    connection.execute(f"create or replace temp table answered as {query}")


def seconds(connection: duckdb.DuckDBPyConnection, query: str) -> float:
    """Of the processor, on all cores; the quickest of three."""
    best = float("inf")
    for _ in range(3):
        begun = process_time()
        run(connection, query)
        best = min(best, process_time() - begun)
    return best


def over(turns: int) -> Field:
    path = scratch("scales") / "scale.xlsx"
    workbook(path)
    connection = database(turns)
    queries = {"dtables' SQL": compiled(path), "packed `arg_min`": by_hand(), "`arg_min` of a row": by_row()}
    answers = [_answers(connection, query) for query in queries.values()]
    assert answers[0] == answers[1] == answers[2]
    return Field(
        tuple(
            Contestant(name, partial(run, connection, query), turns, limit=query == by_hand())
            for name, query in queries.items()
        )
    )


def _answers(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    """What is chosen in all turns, as one number."""
    run(connection, query)
    columns = [name for name, *_ in connection.execute("describe answered").fetchall()]
    chosen = "id" if "id" in columns else f"{SCALE}.id"
    found = connection.execute(f"select sum(hash(turn, {chosen}::bigint)), count({chosen}) from answered")
    return hash(found.fetchone())


COMPARISONS = (
    Comparison("A scale over 100,000 turns", "turn", partial(over, 100_000)),
    Comparison("A scale over 1,000,000 turns", "turn", partial(over, 1_000_000), large=True),
)
