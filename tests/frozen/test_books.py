"""What is written for people: cells with their styles, comments, drop-downs, widths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import openpyxl
import pytest

from tests.cli.test_transcripts import cells
from tests.frozen.keeping import hold_parts, looked_at
from tests.frozen.turns import run
from tests.games.games import TERRA_MYSTICA
from tests.support.drawing import write_book
from tests.support.pages import KIND_EXAMPLES

FOLDER = Path(__file__).parent / "books"
BOOK = TERRA_MYSTICA.book
MADE: dict[str, tuple[object, ...]] = {
    "log": ("log", BOOK, "-o"),
    "dress": ("dress", BOOK, "-o"),
    "new.it": ("new", "--lang", "it"),
}
NOTED = ("--notes", "--test", "-o")
STYLED = re.compile(r" style (\d+)")


@pytest.mark.parametrize("name", looked_at(MADE))
def test_book(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out.xlsx"
    run(*MADE[name], out)
    hold_parts(FOLDER / f"{name}.txt", parts(cells(str(out))))


def test_annotated(tmp_path: Path) -> None:
    book, out = tmp_path / "kind_examples.xlsx", tmp_path / "out.xlsx"
    write_book(KIND_EXAMPLES.read_text(encoding="utf-8"), book)
    printed = run("annotate", book, *NOTED, out).replace(str(out), out.name)
    found = {**parts(cells(str(out))), "marks": "\n".join(marks(out)), "printed": printed}
    hold_parts(FOLDER / "annotate.kind_examples.txt", found)


def test_annotated_game(tmp_path: Path) -> None:
    """One that has comments and colours of its own: what is another cell than it was, or a new one."""
    out = tmp_path / "out.xlsx"
    run("annotate", BOOK, *NOTED, out)
    before, after, own = by_look(BOOK), by_look(out), [*marks(BOOK)]
    found = {
        **parts(line for sheet, line in after if line == sheet or (sheet, line) not in before),
        "cells that are another": "\n".join(
            f"{sheet.split(',')[0]} {line.split()[0]}" for sheet, line in before if (sheet, line) not in after
        ),
        "marks": "\n".join(mark for mark in marks(out) if mark not in own),
    }
    hold_parts(FOLDER / f"annotate.{TERRA_MYSTICA.name}.txt", found)


def parts(lines: Iterable[str]) -> dict[str, str]:
    """A sheet is a part, and what its styles look like another."""
    found: dict[str, list[str]] = {}
    for line in lines:
        if line.startswith("Sheet "):
            found[line.split(",")[0]] = [line]
        elif line.startswith(("Name ", "style ")):
            found.setdefault("names and styles", []).append(line)
        else:
            [*found.values()][-1].append(line)
    return {key: "\n".join(lines) for key, lines in found.items()}


def by_look(book: Path) -> dict[tuple[str, str], None]:
    """Lines with the first line of their sheet; each style as it looks, not by number."""
    lines = list(cells(str(book)))
    looks = dict(line.removeprefix("style ").split(": ", 1) for line in lines if line.startswith("style "))
    sheet, found = "", []
    for line in lines:
        sheet = line if line.startswith("Sheet ") else sheet
        if not line.startswith("style "):
            found.append((sheet, STYLED.sub(lambda style: f" style {looks[style[1]]}", line, count=1)))
    return dict.fromkeys(found)


def marks(book: Path) -> Iterator[str]:
    """Colours that a spreadsheet gives to cells by itself."""
    for sheet in openpyxl.load_workbook(book):
        for given in sheet.conditional_formatting:
            for rule in given.rules:
                fill = rule.dxf.fill.bgColor.rgb if rule.dxf and rule.dxf.fill else None
                yield f"{sheet.title} {given.sqref} {rule.type} {rule.formula} {fill}"
