"""A table that is longer than a page goes on on the next one, under the same head."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from dtables.printing.view_parts import (
    Block,
    Body,
    Document,
    Grid,
    GridRow,
    GridSection,
    Sheet,
    StepRow,
    Steps,
)
from dtables.printing.view_words import furniture

Row = TypeVar("Row")


def in_halves(document: Document, too_big: Sequence[Sequence[int]]) -> Document | None:
    """With those blocks of each sheet cut in two; None where one of them is a single row."""
    sheets = []
    for sheet, blocks in zip(document.sheets, too_big, strict=True):
        halved = _sheet(sheet, frozenset(blocks), document.language)
        if halved is None:
            return None
        sheets.append(halved)
    return replace(document, sheets=tuple(sheets))


def _sheet(sheet: Sheet, too_big: frozenset[int], language: str) -> Sheet | None:
    blocks: list[Block] = []
    for n, block in enumerate(sheet.blocks):
        halves = _halves(block, language) if n in too_big else (block,)
        if not halves:
            return None
        blocks += halves
    return replace(sheet, blocks=tuple(blocks))


def _halves(block: Block, language: str) -> tuple[Block, ...]:
    bodies = _bodies(block.body)
    if not bodies:
        return ()
    first, second = bodies
    goes_on = f" {furniture(language)['goes_on']}"
    title = block.title.removesuffix(goes_on) + goes_on
    return replace(block, body=first), replace(block, body=second, title=title)


def _bodies(body: Body) -> tuple[Body, Body] | None:
    match body:
        case Steps(rows=rows):
            at = _middle(rows, _step_ends)
            return None if at == 0 else (replace(body, rows=rows[:at]), replace(body, rows=rows[at:]))
        case Grid():
            return _grids(body)


def _grids(grid: Grid) -> tuple[Grid, Grid] | None:
    """Sections that stood side by side stand under one another then."""
    rows = [(section, row) for section in grid.sections for row in section.rows]
    at = _middle(rows, _row_ends)
    if at == 0:
        return None
    halves = (_sections(part) for part in (rows[:at], rows[at:]))
    first, second = (replace(grid, sections=sections, folded=False) for sections in halves)
    return first, second


def _sections(rows: Sequence[tuple[GridSection, GridRow]]) -> tuple[GridSection, ...]:
    sections = list(dict.fromkeys(section for section, _ in rows))
    return tuple(replace(s, rows=tuple(row for own, row in rows if own is s)) for s in sections)


# -- where -------------------------------------------------------------------------------------


def _middle(rows: Sequence[Row], ends: Callable[[Row, Row], bool]) -> int:
    """The place nearest to the middle where rows that belong together end; 0 where there is none."""
    places = [n for n in range(1, len(rows)) if ends(rows[n - 1], rows[n])]
    return min(places, key=lambda n: abs(2 * n - len(rows)), default=0)


def _step_ends(row: StepRow, _: StepRow) -> bool:
    return row.ruled


def _row_ends(one: tuple[GridSection, GridRow], other: tuple[GridSection, GridRow]) -> bool:
    """Rows without a label go on under the one above them."""
    return bool(other[1].label) or not one[1].label or one[0] is not other[0]
