"""A grid as a workbook, loaded as any other: what stands for dtables in the comparisons."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import Any

import openpyxl

import dtables
from benchmarks.grids import Above, Between, Cell, Column, Except, Grid, Stretch

TABLE = "tried"
KEPT = Path(tempfile.gettempdir()) / "dtables-benchmarks"


def loaded(grid: Grid, answer: str = "then") -> dtables.Ruleset:
    """The workbook is written once and kept: a large one takes long to write."""
    return dtables.load(workbook(grid, answer))


def workbook(grid: Grid, answer: str = "then") -> Path:
    """`answer`: `then` for a plain value, `two` for a context of two."""
    known = hashlib.sha256(repr((grid, answer)).encode()).hexdigest()[:16]
    path = KEPT / f"{known}.xlsx"
    if not path.exists():
        KEPT.mkdir(exist_ok=True)
        write(grid, answer, path)
    return path


def write(grid: Grid, answer: str, path: Path) -> None:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Rules")
    for rows in (_names(grid), _ranges(grid), _decision(grid, answer)):
        for row in rows:
            sheet.append(row)
        sheet.append([None])
    unfinished = path.with_suffix(".part")
    book.save(unfinished)
    unfinished.replace(path)


def _names(grid: Grid) -> list[list[Any]]:
    listed = [[f"{c.name} name", ", ".join(c.names)] for c in grid.columns if c.names]
    return [["Types: names"], ["name", "names"], *listed] if listed else []


def _ranges(grid: Grid) -> list[list[Any]]:
    listed = [
        [f"{c.name} range", "whole number", f"[{c.low}..{c.high}]"] for c in grid.columns if _is_range(c)
    ]
    return [["Types: ranges"], ["name", "of", "allowed"], *listed] if listed else []


def _decision(grid: Grid, answer: str) -> list[list[Any]]:
    parameters = ", ".join(f"{c.name}: {_type(c)}" for c in grid.columns)
    outcomes = ["answer"] if answer == "then" else ["answer", "twice"]
    rows: list[list[Any]] = [[f"Decision: {TABLE}({parameters})", f"policy: {grid.policy}"]]
    if grid.policy == "priority":
        rows[0].append(f"priorities: {', '.join(map(str, sorted({row.answer for row in grid.rows})))}")
    rows.append([*["if" for _ in grid.columns], *["then" for _ in outcomes]])
    rows.append([*(c.name for c in grid.columns), *outcomes])
    for row in grid.rows:
        values = [_value(row.answer)] if answer == "then" else [row.answer, 2 * row.answer]
        rows.append([*map(_cell, grid.columns, row.cells), *values])
    return rows


def _type(column: Column) -> str:
    if column.kind is not None:
        return column.kind.type
    return f"{column.name} name" if column.names else "text" if column.known else f"{column.name} range"


def _is_range(column: Column) -> bool:
    return not (column.names or column.known or column.kind)


def _cell(column: Column, cell: Cell) -> str:
    """A condition as an author types it."""
    match cell:
        case None:
            return "-"
        case Except((_,) as single):
            return f"!= {_cell(column, single)}"
        case Except(Stretch(low, high)) if low == high:
            return f"!= {_written(column, low)}"
        case Except(other):
            return f"not({_cell(column, other)})"
        case Stretch(low, high):
            return f"[{_written(column, low)}..{_written(column, high)}]"
        case Between(low, high):
            return f'["{low}".."{high}")'
        case Above(other):
            return f"> {other}"
        case _:
            return ", ".join(f'"{name}"' if column.known else name for name in cell)


def _written(column: Column, number: int) -> str:
    return str(number) if column.kind is None else column.kind.written(number)


def _value(answer: Any) -> Any:
    return str(answer) if isinstance(answer, list) else answer
