"""The view as plain data for templates: nothing in it is ever read as code."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

from dtables.printing.badges import svg
from dtables.printing.view_layout import (
    CELL_MARGIN,
    LABEL_SHARE,
    LONG_LABEL,
    by_choice,
    column_widths,
    full_widths,
    label_width,
    narrowest,
)
from dtables.printing.view_parts import Block, Document, Grid, Mark, Paper, Sheet, Steps
from dtables.printing.view_words import furniture
from dtables.provenance import CellRef, Location

POINTS = 72 / 25.4
PAPER_SIZES = {Paper.A4: (210.0, 297.0), Paper.LETTER: (215.9, 279.4), Paper.TAROT: (70.0, 120.0)}
"""Portrait, in millimetres."""
SIDE_MARGIN, TOP_MARGIN, BOTTOM_MARGIN = 11.0, 10.0, 12.0
UNITS = {"portrait": 2, "landscape": 4}


def as_data(document: Document, date: str) -> dict[str, Any]:
    plain = _plain(replace(document, cards_only=()))
    assert isinstance(plain, dict)
    for sheet, data in zip(document.sheets, plain["sheets"], strict=True):
        data.update(sheet_size(sheet))
        data["heading"] = " · ".join(part for part in (document.subtitle, sheet.title) if part)
    for card, data in zip(document.cards, plain["cards"], strict=True):
        data["sources"] = {"front": sources(card.front), "back": sources(card.back)}
    return {**plain, "words": furniture(document.language), "date": date}


def sources(blocks: tuple[Block, ...]) -> str:
    """`Turn!A1:H19, A21:F30`: a sheet is named once for cells that follow one another."""
    parts: list[str] = []
    last = ""
    for block in blocks:
        sheet, _, cells = block.source.rpartition("!")
        if cells:
            parts.append(cells if sheet == last else block.source)
            last = sheet
    return ", ".join(parts)


def sheet_size(sheet: Sheet) -> dict[str, float]:
    width, height = PAPER_SIZES[sheet.paper]
    if sheet.landscape:
        width, height = height, width
    return {
        "page_width": width * POINTS,
        "page_height": height * POINTS,
        "width": (width - 2 * SIDE_MARGIN) * POINTS,
        "height": (height - TOP_MARGIN - BOTTOM_MARGIN) * POINTS,
        "units": UNITS["landscape" if sheet.landscape else "portrait"],
    }


def _plain(thing: object) -> Any:
    match thing:
        case Mark():
            return {"kind": "mark", "svg": svg(thing), "alt": thing.alt}
        case Location() | CellRef():
            return str(thing)
        case Enum():
            return thing.value
        case tuple():
            return [_plain(item) for item in thing]
        case _ if is_dataclass(thing) and not isinstance(thing, type):
            made = {field.name: _plain(getattr(thing, field.name)) for field in fields(thing)}
            return {"kind": type(thing).__name__.casefold(), **made, **_drawn(thing)}
        case _:
            return thing


def _drawn(thing: object) -> dict[str, Any]:
    """What templates need to know of widths; whether a grid has labels, and heads."""
    if isinstance(thing, Block):
        return {"narrowest": narrowest(thing)}
    if isinstance(thing, Steps):
        widest = max((label_width(row.outcome) for row in thing.rows), default=0.0)
        return {"outcome_grows": widest > LONG_LABEL}
    if not isinstance(thing, Grid):
        return {}
    rows = [row for section in thing.sections for row in section.rows]
    label = max((label_width(row.label) for row in rows), default=0.0)
    return {
        "labelled": any(row.label for row in rows) or bool(thing.corner),
        "label_grows": label > LONG_LABEL,
        "headed": bool(thing.corner) or any(column.head for column in thing.columns),
        **_widths(thing, label + CELL_MARGIN),
    }


def _widths(grid: Grid, label: float) -> dict[str, Any]:
    """In ems: what the columns need at least, and what they would take to break no line. What is left goes to
    those that have more to say."""
    if by_choice(grid):
        least = wanted = [1.0] * len(grid.columns)
        label = LABEL_SHARE * len(grid.columns)
    else:
        least, wanted = column_widths(grid), full_widths(grid)
    share = LABEL_SHARE * (sum(least) or 1.0)
    return {"least": least, "wanted": wanted, "label_least": min(share, label), "label_wanted": label}
