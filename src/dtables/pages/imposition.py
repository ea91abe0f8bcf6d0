"""What is set on which page: layouts of sheets, scales of cards, four cards to a sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from typing import Any

from dtables.diagnostics import Diagnostic
from dtables.pages import messages
from dtables.pages.badges import svg
from dtables.pages.document import Block, Card, Document, Grid, Mark, Paper, Sheet, Steps
from dtables.pages.layout import (
    CARD_SCALES,
    CELL_MARGIN,
    LABEL_SHARE,
    LONG_LABEL,
    MOST_AIR,
    Heights,
    Measures,
    PageLayout,
    TooBig,
    aired,
    by_choice,
    column_widths,
    comfortable,
    full_widths,
    label_width,
    lay_out,
    narrowest,
    rows_in,
)
from dtables.pages.words import furniture
from dtables.provenance import CellRef, Location

# -- as plain data ----------------------------------------------------------------------------------
# The view as plain data for templates: nothing in it is ever read as code.

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


def _plain(value: object) -> Any:
    match value:
        case Mark():
            return {"kind": "mark", "svg": svg(value), "alt": value.alt}
        case Location() | CellRef():
            return str(value)
        case Enum():
            return value.value
        case tuple():
            return [_plain(item) for item in value]
        case _ if is_dataclass(value) and not isinstance(value, type):
            plain = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
            return {"kind": type(value).__name__.casefold(), **plain, **_drawn(value)}
        case _:
            return value


def _drawn(item: object) -> dict[str, Any]:
    """What templates need to know of widths; whether a grid has labels, and heads."""
    if isinstance(item, Block):
        return {"narrowest": narrowest(item)}
    if isinstance(item, Steps):
        widest = max((label_width(row.outcome) for row in item.rows), default=0.0)
        return {"outcome_grows": widest > LONG_LABEL}
    if not isinstance(item, Grid):
        return {}
    rows = [row for section in item.sections for row in section.rows]
    label = max((label_width(row.label) for row in rows), default=0.0)
    return {
        "labelled": any(row.label for row in rows) or bool(item.corner),
        "label_grows": label > LONG_LABEL,
        "headed": bool(item.corner) or any(column.head for column in item.columns),
        **_widths(item, label + CELL_MARGIN),
    }


def _widths(grid: Grid, label: float) -> dict[str, Any]:
    """In ems: what the columns need at least, and what they would take to break no line. What is left goes to
    those with longer texts."""
    if by_choice(grid):
        least = full = [1.0] * len(grid.columns)
        label = LABEL_SHARE * len(grid.columns)
    else:
        least, full = column_widths(grid), full_widths(grid)
    share = LABEL_SHARE * (sum(least) or 1.0)
    return {"least": least, "wanted": full, "label_least": min(share, label), "label_wanted": label}


BODY_SIZE = 9.6
GUTTER = 3.6 * POINTS
HAIR = 1.0
"""Points left free at the foot of a page, for what rounding adds."""
CARD_WIDTH = (70.0 - 2 * 4.0) * POINTS
ON_A_SHEET = 4

Layout = tuple[PageLayout, ...] | TooBig
Diagnostics = tuple[Diagnostic, ...]


def plans_of(
    document: Document, layouts: tuple[Layout, ...], cards: list[dict[str, Any]], paper: Paper | None
) -> tuple[dict[str, dict[str, Any]], Diagnostics]:
    """What to set: sheets in one file, cards in another; or what does not fit."""
    plans: dict[str, dict[str, Any]] = {}
    found: list[Diagnostic] = []
    sheets = []
    for index, (sheet, layout) in enumerate(zip(document.sheets, layouts, strict=True)):
        if isinstance(layout, TooBig):
            found += [_overflow(sheet, sheet.blocks[n]) for n in layout.blocks]
        else:
            sheets.append({"index": index, "pages": [_page_plan(page) for page in layout]})
    if sheets:
        plans[""] = {"mode": "sheets", "sheets": sheets}
    if document.cards:
        spots, too_big = _spots(document.cards, cards)
        found += too_big
        plans[".cards"] = _card_plan(spots, paper)
    return plans, tuple(found)


def lay_out_sheet(sheet: Sheet, title: float, heights: Heights) -> Layout:
    """Names unbroken, unless that takes more pages. `title` is how high the title is."""
    room = sheet_size(sheet)["height"] - title - HAIR
    with_whole_names = _laid_out(sheet, heights, room, comfortable)
    densest = _laid_out(sheet, heights, room, narrowest)
    if isinstance(densest, TooBig):
        return densest
    whole = not isinstance(with_whole_names, TooBig) and len(with_whole_names) <= len(densest)
    pages = with_whole_names if whole and not isinstance(with_whole_names, TooBig) else densest
    return tuple(
        aired(page, sheet.blocks, heights(page.density), GUTTER, room, BODY_SIZE * page.density)
        for page in pages
    )


def _laid_out(sheet: Sheet, heights: Heights, room: float, least_width: Callable[[Block], float]) -> Layout:
    widths = lane_widths(sheet)

    def wide_enough(density: float) -> Sequence[Sequence[float | None]]:
        return [
            [
                None if least_width(block) * BODY_SIZE * density > width else height
                for width, height in zip(widths, by_units, strict=True)
            ]
            for block, by_units in zip(sheet.blocks, heights(density), strict=True)
        ]

    units = len(widths)
    wishes = [None if block.units is None else min(block.units, units) for block in sheet.blocks]
    return lay_out(Measures(wide_enough, GUTTER), wishes, units, room)


def _page_plan(page: PageLayout) -> dict[str, Any]:
    bands = [
        {
            "lanes": [
                {"units": lane.units, "blocks": list(lane.blocks), "air": lane.air} for lane in band.lanes
            ]
        }
        for band in page.bands
    ]
    return {"density": page.density, "bands": bands}


def _overflow(sheet: Sheet, block: Block) -> Diagnostic:
    what = f"`{block.title}` on page {sheet.name or '1'}"
    return messages.page_overflow(block.where, what, sheet.paper.value)


@dataclass(frozen=True, slots=True)
class CardFace:
    """How a side of a card is set: the scale that fits, and the air that is left for each row, in points."""

    scale: float
    air: float


@dataclass(frozen=True, slots=True)
class Spot:
    card: int
    front: CardFace
    back: CardFace | None


def _spots(cards: tuple[Card, ...], measures: list[dict[str, Any]]) -> tuple[list[Spot], list[Diagnostic]]:
    spots: list[Spot] = []
    found: list[Diagnostic] = []
    for n, (card, sides) in enumerate(zip(cards, measures, strict=True)):
        front = _fitted(card.front, sides["front"])
        back = _fitted(card.back, sides["back"]) if card.back else None
        if front is None or (card.back and back is None):
            side = "front" if front is None else "back"
            found.append(messages.page_overflow(card.where, f"card `{card.name}` ({side})", "the card"))
        else:
            spots.append(Spot(n, front, back))
    return spots, found


def _fitted(blocks: tuple[Block, ...], side: dict[str, Any]) -> CardFace | None:
    """The largest scale at which the blocks are neither too high nor too wide."""
    widest = max((narrowest(block) for block in blocks), default=0.0) * BODY_SIZE
    rows = max(sum(rows_in(block) for block in blocks), 1)
    for scale, height in zip(CARD_SCALES, side["heights"], strict=True):
        if height <= side["room"] and widest * scale <= CARD_WIDTH:
            left = (side["room"] - HAIR - height) / (2 * rows)
            return CardFace(scale, max(0.0, min(left, MOST_AIR * BODY_SIZE * scale)))
    return None


def _card_plan(spots: list[Spot], paper: Paper | None) -> dict[str, Any]:
    if paper is Paper.TAROT:
        return {"mode": "cards", "faces": [[face for spot in spots for face in _single(spot)]]}
    width, height = PAPER_SIZES[paper or Paper.A4]
    faces = [face for n in range(0, len(spots), ON_A_SHEET) for face in _faces(spots[n : n + ON_A_SHEET])]
    return {
        "mode": "card-sheets",
        "page_width": width * POINTS,
        "page_height": height * POINTS,
        "faces": faces,
    }


def _single(spot: Spot) -> Iterator[dict[str, Any]]:
    yield _face(spot.card, "front", spot.front, 0, 0)
    if spot.back is not None:
        yield _face(spot.card, "back", spot.back, 0, 0)


def _faces(spots: list[Spot]) -> Iterator[list[dict[str, Any]]]:
    """Fronts, and backs where there are some, mirrored left to right for printing on both sides."""
    yield [_face(s.card, "front", s.front, n % 2, n // 2) for n, s in enumerate(spots)]
    if any(s.back is not None for s in spots):
        yield [
            _face(s.card, "back", s.back, 1 - n % 2, n // 2)
            for n, s in enumerate(spots)
            if s.back is not None
        ]


def _face(card: int, side: str, face: CardFace, column: int, row: int) -> dict[str, Any]:
    return {
        "card": card,
        "side": side,
        "scale": face.scale,
        "air": face.air,
        "column": column,
        "row": row,
    }


LaidOutSheet = tuple[Sheet, Layout]
"""How a sheet lies, and what that gives."""
LITTLE_SMALLER = 0.85
"""Of the type: so much is given for pages that all lie the same way."""


def chosen_ways(sheets: Sequence[Sequence[LaidOutSheet]]) -> tuple[LaidOutSheet, ...]:
    """Of each sheet's ways the best, or those that all lie alike, if they are nearly as good."""
    best = tuple(min(ways, key=lambda way: rank(*way)) for ways in sheets)
    alike = [_alike(sheets, landscape) for landscape in (True, False)]
    good = [ways for ways in alike if _lie_alike(ways) and _nearly_as_good(ways, best)]
    return max(good, key=lambda ways: sum(_density(layout) for _, layout in ways), default=best)


def _alike(sheets: Sequence[Sequence[LaidOutSheet]], landscape: bool) -> tuple[LaidOutSheet, ...]:
    return tuple(next((way for way in ways if way[0].landscape is landscape), ways[0]) for ways in sheets)


def _lie_alike(ways: tuple[LaidOutSheet, ...]) -> bool:
    return len({sheet.landscape for sheet, _ in ways}) == 1


def _nearly_as_good(ways: tuple[LaidOutSheet, ...], best: tuple[LaidOutSheet, ...]) -> bool:
    return all(
        rank(*way)[:2] <= rank(*other)[:2] and _density(way[1]) >= LITTLE_SMALLER * _density(other[1])
        for way, other in zip(ways, best, strict=True)
    )


def _density(layout: Layout) -> float:
    return 0.0 if isinstance(layout, TooBig) else min(page.density for page in layout)


def rank(sheet: Sheet, layout: Layout) -> tuple[float, bool, float]:
    """Fewest pages, then names unbroken, then the largest type."""
    if isinstance(layout, TooBig):
        return (float("inf"), True, 0.0)
    density = min(page.density for page in layout)
    return (len(layout), _breaks_names(sheet, layout), -density)


def _breaks_names(sheet: Sheet, layout: tuple[PageLayout, ...]) -> bool:
    widths = lane_widths(sheet)
    return any(
        comfortable(sheet.blocks[n]) * BODY_SIZE * page.density > widths[lane.units - 1]
        for page in layout
        for band in page.bands
        for lane in band.lanes
        for n in lane.blocks
    )


def lane_widths(sheet: Sheet) -> list[float]:
    """Of one column of the page, of two with the gap between, and so on; in points."""
    size = sheet_size(sheet)
    units = int(size["units"])
    unit = (size["width"] - (units - 1) * GUTTER) / units
    return [unit * n + GUTTER * (n - 1) for n in range(1, units + 1)]
