"""Whatever people do to the cells of a workbook, the check says what it makes of it, and ends."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from dtables.checker import Memory
from dtables.diagnostics import errors_in, overview, render
from dtables.provenance import CellRef
from dtables.verifier import verify
from dtables.workbook.layout import book_of
from dtables.workbook.tables import Cell, Position, Sheet, number_cell, text_cell
from tests.support.drawing import drawn_sheets, in_memory
from tests.support.rulesets import checked_book
from tests.support.thinned import draws

ROOT = Path(__file__).parent.parent
CASES = sorted((ROOT / "cases").rglob("book.txt"))
TIMES = int(os.environ.get("DTABLES_GARBLED", "12"))
CHARACTERS = "|;:=<>[](){}\"'#,.?!*-+/ 0123456789abyz\n\t\u200b\u00a0\ufffdè\U0001f3b2"
WORDS = (
    "-", "null", "yes", "?", "item", "[]", "{}", "not(", "for x in", "1..0", '"', "each", "if", "then", "key",
    "Decision: x", "Matrix: m(a: text)", "Ask:", "Data: d ; key: d", "Types:", "Input: state", "Pages:",
    "=1+1", "<= ", "first in", "scale", "place", "@\"2026-13-01\"", "9" * 400, "(" * 300, "a" * 3_000,
    "!= null",
)  # fmt: skip


def garbled(sheets: tuple[Sheet, ...], random: Random) -> tuple[Sheet, ...]:
    """The sheets with a few cells changed as hands, cats and programs change them."""
    cells = {sheet.name: dict(sheet.cells) for sheet in sheets}
    for _ in range(random.choice((1, 1, 2, 4))):
        name = random.choice(sorted(name for name in cells if cells[name]))
        _garble(cells[name], random)
        if not any(cells.values()):
            break
    return tuple(
        Sheet(sheet.book, name, {at: _placed(cell, sheet, at) for at, cell in cells[name].items()})
        for name, sheet in {sheet.name: sheet for sheet in sheets}.items()
    )


def _garble(cells: dict[Position, Cell], random: Random) -> None:
    at = row, column = random.choice(sorted(cells))
    other = random.choice(sorted(cells))
    match random.randrange(10):
        case 0:
            del cells[at]
        case 1:
            cells[row + random.randint(-2, 2) or 1, max(1, column + random.randint(-1, 1))] = cells[at]
        case 2:
            cells[at], cells[other] = cells[other], cells[at]
        case 3:
            cells[other] = cells[at]
        case 4:
            for there in [there for there in cells if there[0] == row]:
                del cells[there]
        case 5:
            moved = {(r + (r >= row), c): cell for (r, c), cell in cells.items()}
            cells.clear()
            cells.update(moved)
        case 6:
            for there in [there for there in cells if there[1] == column]:
                del cells[there]
        case 7:
            cells[at] = number_cell(cells[at].ref, random.choice((0, -1, 7, 10**9)))
        case 8:
            cells[at] = text_cell(cells[at].ref, random.choice(WORDS))
        case _:
            cells[at] = text_cell(cells[at].ref, _mistyped(cells[at].code, random))


def _mistyped(text: str, random: Random) -> str:
    for _ in range(random.choice((1, 1, 3))):
        at = random.randint(0, len(text))
        new = random.choice(("", random.choice(CHARACTERS), random.choice(WORDS[:20])))
        text = text[:at] + new + text[at + random.randint(0, 2) :]
    return text


def _placed(cell: Cell, sheet: Sheet, at: Position) -> Cell:
    return cell._replace(ref=CellRef(sheet.book, sheet.name, *at))


def looked_at(sheets: tuple[Sheet, ...], memory: Memory | None = None) -> str:
    """All that is said of a workbook."""
    book, found = book_of("book.xlsx", sheets, ())
    model, told = checked_book(book, found, memory)
    if model is not None and not errors_in(told):
        told = (*told, *verify(model))
    shown = overview(told)
    assert len(shown) < 60_000
    return render(told) + shown


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.parent.name)
def test_a_case(case: Path) -> None:
    drawn = drawn_sheets(case.read_text(encoding="utf-8"))
    sheets = tuple(in_memory("book.xlsx", sheet.name, sheet.cells) for sheet in drawn)
    random = Random(case.parent.name)
    for _ in range(draws(TIMES)):
        looked_at(garbled(sheets, random))
