"""Large tables: read, checked and proved, beside what the spreadsheet library alone takes to read them."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from functools import partial
from math import prod
from pathlib import Path

import openpyxl

from benchmarks.rounds import Comparison, Contestant, Field
from dtables.checker import check_book
from dtables.verifier import verify
from dtables.workbook.cells import read_workbook

Box = tuple[tuple[int, int], ...]
FULL: Box = ((0, 40), (0, 12), (0, 1000), (0, 100), (0, 2), (0, 500))
COLUMNS = ("country", "tier", "points", "weight", "member", "distance")
COUNTRIES, TIERS = ([f"{COLUMNS[n]} {name}" for name in range(FULL[n][1])] for n in (0, 1))


def split(rows: int, seed: int) -> list[Box]:
    """All values of the columns cut into so many boxes: no gap, and no two that meet."""
    chance, boxes = random.Random(seed), [FULL]
    while len(boxes) < rows:
        some = chance.sample(range(len(boxes)), min(8, len(boxes)))
        box = boxes.pop(max(some, key=lambda n: prod(high - low for low, high in boxes[n])))
        n = chance.choice([n for n, (low, high) in enumerate(box) if high - low > 1])
        low, high = box[n]
        cut = chance.randint(low + 1, high - 1)
        boxes += [(*box[:n], part, *box[n + 1 :]) for part in ((low, cut), (cut, high))]
    return boxes


def cells(box: Box) -> list[str]:
    """As an author would type them."""
    names = (", ".join(COUNTRIES[slice(*box[0])]), ", ".join(TIERS[slice(*box[1])]))
    member = "yes" if box[4][0] == 0 else "no"
    typed = (
        *names, _range(box[2], FULL[2], whole=1), _range(box[3], FULL[3]), member, _range(box[5], FULL[5]),
    )  # fmt: skip
    return ["-" if part == all_ else text for part, all_, text in zip(box, FULL, typed, strict=True)]


def _range(part: tuple[int, int], full: tuple[int, int], whole: int = 0) -> str:
    low, high = part
    if low == full[0]:
        return f"<= {high - 1}" if whole else f"< {high}"
    if high == full[1]:
        return f">= {low}"
    return f"[{low}..{high - 1}]" if whole else f"[{low}..{high})"


def written(boxes: list[Box], path: Path) -> Path:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Rules")
    types = "country: country, tier: tier, points: points, weight: number, member: boolean, distance: number"
    lines = (
        ["Types: names"], ["name", "names"],
        ["country", ", ".join(COUNTRIES)], ["tier", ", ".join(TIERS)], [],
        ["Types: ranges"], ["name", "of", "allowed"], ["points", "whole number", "[0..999]"], [],
        [f"Decision: fare({types}) -> number", "policy: unique"], [*["if"] * 6, "then"], [*COLUMNS, "fare"],
        *([*cells(box), n] for n, box in enumerate(boxes)),
    )  # fmt: skip
    for line in lines:
        sheet.append(line)
    book.save(path)
    return path


def entered(rows: int, lacking: int) -> Field:
    folder = tempfile.TemporaryDirectory(prefix="benchmark-")
    boxes = split(rows, seed=rows)
    path = written(boxes[lacking:], Path(folder.name) / "fares.xlsx")
    book, _ = read_workbook(path)
    assert book is not None
    model, _ = check_book(book)
    assert model is not None
    found = [d.code for d in verify(model)]
    assert ("gap" in found) == bool(lacking) and "not-verified" not in found, found
    works: tuple[tuple[str, Callable[[], object]], ...] = (
        ("openpyxl alone", partial(_loaded, path, folder)),
        ("dtables, read", partial(read_workbook, path)),
        ("dtables, check what was read", partial(check_book, book)),
        ("dtables, prove what was checked", partial(verify, model)),
    )
    return Field(tuple(Contestant(name, work, rows, limit=n == 0) for n, (name, work) in enumerate(works)))


def _loaded(path: Path, _folder: object) -> int:
    """The folder is kept as long as its file is read."""
    return sum(1 for _ in openpyxl.load_workbook(path)["Rules"].iter_rows(values_only=True))


def _comparison(rows: int, lacking: int) -> Comparison:
    title = f"{rows:,} rows of six columns, " + (f"{lacking} taken out" if lacking else "complete")
    return Comparison(title, "row", partial(entered, rows, lacking))


COMPARISONS = tuple(_comparison(rows, lacking) for rows in (1_000, 10_000) for lacking in (0, 5))
