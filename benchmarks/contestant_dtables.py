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


def decision(table: Table) -> list[list[Any]]:
    parameters = ", ".join(f"{c.name}: {TYPES[c.kind].format(name=c.name)}" for c in table.columns)
    rows: list[list[Any]] = [[f"Decision: benchmark({parameters})", f"policy: {table.hit}"]]
    rows.append([*["if" for _ in table.columns], "then"])
    rows.append([*[c.name for c in table.columns], table.output])
    return rows + [[*map(cell, cells), value] for cells, value in table.rules]


def write_workbook(table: Table, path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Rules"
    for rows in (vocabularies(table.columns), ranges(table.columns), decision(table)):
        for row in rows:
            sheet.append(row)
        sheet.append([None])
    book.save(path)


def loaded(table: Table) -> Any:
    import dtables

    with TemporaryDirectory() as folder:
        path = Path(folder) / "benchmark.xlsx"
        write_workbook(table, path)
        return dtables.load(path)


class Dtables(Contestant):
    name, role, needs, note = "dtables", "candidate", ("dtables",), "workbook -> load -> tables[name](row)"

    def w1(self, problem: Any) -> Callable[[dict[str, Any]], Any]:
        import dtables

        path = Path(problem.workdir) / f"{problem.variant}.xlsx"
        write_workbook(problem.table, path)
        function: Callable[[dict[str, Any]], Any] = dtables.load(path).tables["benchmark"]
        return function

    w3 = w1

    def w4(self, problem: Any) -> Batch | None:
        """In memory: one table over a pandas frame."""
        if problem.mode != "mem":
            return None
        rules = loaded(problem.table)
        frame = problem.arrow.to_pandas()
        return Batch(lambda: rules.table_frame("benchmark", frame), lambda out: out["benchmark"].to_numpy())


CONTESTANTS = [Dtables()]
