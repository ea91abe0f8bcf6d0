"""A contestant for the benchmark harness: the workload's table as a workbook, loaded as any other.

The harness finds contestants in its folder `contestants/`; README.md beside this file says how to run it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import openpyxl
from core.model import ANY, Column, In, Table
from core.registry import Batch, Contestant

Sheet = list[list[list[Any]]]
TYPES = {"enum": "{name} name", "int": "{name} range"}


def cell(tested: Any) -> str:
    """A unary test as an author would type it."""
    if tested is ANY:
        return "-"
    if isinstance(tested, In):
        return ", ".join(map(str, tested.values))
    if tested.lo is None and tested.hi is None:
        return "-"
    if tested.lo is None:
        return f"<= {tested.hi}"
    if tested.hi is None:
        return f">= {tested.lo}"
    return f"[{tested.lo}..{tested.hi}]"


def answer(value: Any) -> Any:
    """A list is written as one."""
    return str(value) if isinstance(value, list) else value


def vocabularies(columns: list[Column]) -> list[list[str]]:
    rows = [["Types: names"], ["name", "names"]]
    return rows + [[f"{c.name} name", ", ".join(c.domain)] for c in columns if c.kind == "enum"]


def ranges(columns: list[Column]) -> list[list[str]]:
    rows = [["Types: ranges"], ["name", "of", "allowed"]]
    for column in columns:
        if column.kind == "int":
            low, high = column.domain
            rows.append([f"{column.name} range", "whole number", f"[{low}..{high}]"])
    return rows


def decision(table: Table, marker: str) -> list[list[Any]]:
    rows: list[list[Any]] = [[marker, f"policy: {table.hit}"]]
    rows.append([*["if" for _ in table.columns], "then"])
    rows.append([*[c.name for c in table.columns], table.output])
    return rows + [[*map(cell, cells), answer(value)] for cells, value in table.rules]


def called(table: Table) -> Sheet:
    """The table as a function of its columns."""
    parameters = ", ".join(f"{c.name}: {TYPES[c.kind].format(name=c.name)}" for c in table.columns)
    return [
        vocabularies(table.columns),
        ranges(table.columns),
        decision(table, f"Decision: benchmark({parameters})"),
    ]


def asked(table: Table) -> Sheet:
    """The table as what a log asks for; its columns are the state's fields."""
    fields = [[c.name, TYPES[c.kind].format(name=c.name)] for c in table.columns]
    state = [["Input: state"], ["field", "type"], *fields]
    ask = [["Ask: decide", "main: yes"], ["role", "name", "is"]]
    ask += [["need", c.name, None] for c in table.columns]
    ask.append(["answer", table.output, "benchmark"])
    return [
        vocabularies(table.columns),
        ranges(table.columns),
        state,
        decision(table, "Decision: benchmark"),
        ask,
    ]


def choosing(criteria: Any, colours: Any) -> Sheet:
    """Of each turn's candidates the best by criteria of which each concerns some colours; for the others
    its value is 0."""
    fields = [["candidate", "whole number"], ["colour", "colour"]]
    fields += [[name, "number" if name == "distance" else "whole number"] for name, _, _ in criteria]
    record = [["Record: candidate"], ["field", "type", "default"], *([*field, "needed"] for field in fields)]
    state = [["Input: state"], ["field", "type"], ["candidates", "list of candidate"]]
    scale: list[list[Any]] = [["Scale: choice(options: list of candidate)"], ["#", "prefer", "by"]]
    for number, (name, direction, concerned) in enumerate(criteria, 1):
        by = (
            name
            if set(concerned) == set(colours)
            else f"if colour in ({', '.join(concerned)}) then {name} else 0"
        )
        scale.append([number, "lowest" if direction == "asc" else "highest", by])
    scale.append([len(criteria) + 1, "first", None])
    ask = [["Ask: pick", "main: yes"], ["role", "name", "is"], ["need", "candidates", None]]
    ask.append(["answer", "candidate", "choice(candidates).candidate"])
    return [[["Types: names"], ["name", "names"], ["colour", ", ".join(colours)]], record, state, scale, ask]


def write_workbook(tables: Sheet, path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Rules"
    for rows in tables:
        for row in rows:
            sheet.append(row)
        sheet.append([None])
    book.save(path)


def loaded(tables: Sheet) -> Any:
    import dtables

    with TemporaryDirectory() as folder:
        path = Path(folder) / "benchmark.xlsx"
        write_workbook(tables, path)
        return dtables.load(path)


class Dtables(Contestant):
    name, role, needs, note = "dtables", "candidate", ("dtables",), "workbook -> load -> tables[name](row)"

    def w1(self, problem: Any) -> Callable[[dict[str, Any]], Any]:
        function: Callable[[dict[str, Any]], Any] = loaded(called(problem.table)).tables["benchmark"]
        return function

    w2 = w3 = w1

    def w4(self, problem: Any) -> Batch:
        """In memory one table over a pandas frame; from file to file a log, as `dtables eval` answers it."""
        if problem.mode == "mem":
            rules = loaded(called(problem.table))
            frame = problem.arrow.to_pandas()
            return Batch(
                lambda: rules.table_frame("benchmark", frame), lambda out: out["benchmark"].to_numpy()
            )
        rules = loaded(asked(problem.table))
        return Batch(lambda: from_file_to_file(rules, problem), lambda _: written(problem))

    def w5(self, problem: Any) -> Batch:
        """The ask as SQL, in DuckDB: a list of candidates for each turn."""
        import duckdb
        from core.data import W5_COLOURS

        from dtables.compilers.sql import Dialect, to_sql

        rules = loaded(choosing(problem.extra["criteria"], W5_COLOURS))
        database = duckdb.connect()
        database.register("arrived", turns(problem.arrow))
        database.execute("create table turns as select row_number() over () as turn, * from arrived")
        statement = to_sql(rules.model, "pick", Dialect.DUCKDB, keys=("turn",)).sql
        answered = f"select candidate from ({statement}) order by turn"
        return Batch(lambda: database.execute(answered).fetchnumpy(), lambda out: out["candidate"])


def turns(table: Any) -> Any:
    """A list of candidates for each turn; the table has them in the turns' order."""
    import numpy
    import pyarrow as arrow

    numbers = table["turn_id"].to_numpy()
    starts = numpy.flatnonzero(numpy.concatenate(([True], numbers[1:] != numbers[:-1], [True])))
    names = [name for name in table.column_names if name != "turn_id"]
    columns = [table[name].combine_chunks() for name in names]
    heads = ["candidate" if name == "candidate_id" else name for name in names]
    candidates = arrow.StructArray.from_arrays(columns, heads)
    lists = arrow.ListArray.from_arrays(arrow.array(starts.astype(numpy.int32)), candidates)
    return arrow.table({"candidates": lists})


def from_file_to_file(rules: Any, problem: Any) -> None:
    from dtables.answers.engines import compiled_engine
    from dtables.answers.run import answer_into
    from dtables.columnar.log import columns_of_log
    from dtables.columnar.output import IntoColumns
    from dtables.logs.files import find_log

    log = find_log(problem.path, rules.model)
    way = IntoColumns(columns_of_log(log, rules.model, rules._flat_ask))
    answer_into(compiled_engine(rules.model, rules.source), log, Path(problem.out_path), manner=way)


def written(problem: Any) -> Any:
    import pyarrow.parquet as parquet

    return parquet.read_table(problem.out_path)[problem.table.output].to_numpy()


CONTESTANTS = [Dtables()]
