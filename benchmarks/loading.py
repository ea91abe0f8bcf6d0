"""A large table from its file to rules that answer, beside what a pass of the spreadsheet library takes."""

from __future__ import annotations

import random
import tempfile
from datetime import date
from functools import partial
from pathlib import Path

import openpyxl

from benchmarks.rounds import Comparison, Contestant, Field
from dtables.checker import check_book
from dtables.compilers.python import load_source, to_python
from dtables.workbook.cells import read_workbook

ZONES, KINDS = [f"zone {n}" for n in range(50)], [f"kind {n}" for n in range(20)]


def written(rows: int, path: Path) -> Path:
    """Two columns of names, one of ranges, one of dates of which half are left open, and what comes out."""
    chance = random.Random(rows)
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Rules")
    for line in (
        ["Types: names"], ["name", "names"], ["zone", ", ".join(ZONES)], ["kind", ", ".join(KINDS)], [],
        [
            "Decision: fare(zone: zone, kind: kind, weight: number, day: date) -> number",
            "policy: first",
        ],
        [*["if"] * 4, "then"], ["zone", "kind", "weight", "day", "fare"],
    ):  # fmt: skip
        sheet.append(line)
    each = rows // (len(ZONES) * len(KINDS))
    for zone in ZONES:
        for kind in KINDS:
            for n in range(each):
                weight = f"[{n * 10}..{n * 10 + 10})" if n < each - 1 else f">= {n * 10}"
                day = "-" if n % 2 else date(2026, 1, 1 + n % 28)
                sheet.append([zone, kind, weight, day, round(chance.random() * 1000, 2)])
    book.save(path)
    return path


def loaded(path: Path) -> object:
    book, _ = read_workbook(path)
    assert book is not None
    model, found = check_book(book)
    assert model is not None, found
    source, _ = to_python(model)
    return load_source(source, "fares").TABLES["fare"]


def gone_through(path: Path) -> int:
    book = openpyxl.load_workbook(path, read_only=True)
    return sum(1 for _ in book["Rules"].iter_rows(values_only=True))


def entered(rows: int) -> Field:
    folder = tempfile.TemporaryDirectory(prefix="benchmark-")
    path = written(rows, Path(folder.name) / "fares.xlsx")
    fare = loaded(path)
    assert callable(fare)
    fare({"zone": "zone 3", "kind": "kind 7", "weight": 15, "day": date(2026, 6, 1)})
    assert gone_through(path) == rows + 8

    def through(_kept: object) -> object:
        return gone_through(path)

    return Field(
        (
            Contestant("openpyxl, read-only", partial(through, folder), rows, limit=True),
            Contestant("dtables, to a table that answers", partial(loaded, path), rows),
        )
    )


COMPARISONS = tuple(
    Comparison(f"{rows:,} rows of five columns", "row", partial(entered, rows), large=rows > 10_000)
    for rows in (10_000, 100_000)
)
