"""Cards: how large they are, how large their type is, and how they lie on a sheet of paper."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dtables.pages.document import Block, Card, Paper
from dtables.pages.layout import HAIR, POINTS
from dtables.pages.letters import text_width
from dtables.pages.widths import width

LARGEST, LEAST, STEP = 10.4, 8.0, 0.2
"""Type on cards, in points."""
EASY, WORTH_BREAKING = 9.0, 0.6
"""In type below this names in cells are broken, where that makes it so much larger."""
MARGIN = 4.0
"""Nothing is printed nearer to a card's edge, in millimetres."""
FOOT = 8.5
"""The foot line, and 2.5 mm over it."""
UNDER_STRIP = 1.8
LEGEND = 8.0
"""Type of a legend and of what stands below a title, in points."""
BETWEEN = 0.9
"""Ems between blocks, at least."""
MOST_AIR = 2.0
MOST_GAP = 0.9
"""Ems more between blocks, at most."""


@dataclass(frozen=True, slots=True)
class CardSize:
    """In millimetres; `index` is the size of the type in the strip, in points."""

    width: float
    height: float
    strip: float
    index: float

    @property
    def inner(self) -> float:
        """The width of what is printed, in points."""
        return (self.width - 2 * MARGIN) * POINTS

    @property
    def room(self) -> float:
        """The height of what is printed under the strip, in points."""
        return (self.height - self.strip - UNDER_STRIP - FOOT) * POINTS - HAIR


CARD_SIZES = {
    Paper.TAROT: CardSize(70.0, 120.0, 11.0, 16.0),
    Paper.POKER: CardSize(63.0, 88.0, 11.0, 14.5),
    Paper.MINI: CardSize(44.0, 68.0, 10.6, 12.0),
}
PROOF_SIZES = (7.5, 7.0, 6.5, 6.0, 5.5, 5.0, 4.5, 4.0)
"""Of the author's proofs besides: these have rows that players do not see."""
SIZES = tuple(round(LARGEST - n * STEP, 1) for n in range(round((LARGEST - LEAST) / STEP) + 1))


@dataclass(frozen=True, slots=True)
class Side:
    """How a side of a card is set. `air` is added between rows, `gap` stands between blocks, in points;
    lines are nearer where it is `tight`."""

    size: float
    air: float
    gap: float
    tight: bool = False
    full: float = 1.0
    """Of its room."""


CROWDED, FULL, UNEVEN, THIN = 9.0, 0.85, 1.4, 0.6
"""A side is crowded in smaller type, if it is so full; the other is thin in type so much larger, if it is
emptier."""


def is_uneven(front: Side, back: Side | None) -> bool:
    """Say whether one side of a card is crowded and the other thin; one with nothing on it is thin."""
    sides = [side for side in (front, back) if side is not None]
    crowded, other = min(sides, key=_size), max(sides, key=_size)
    if crowded.size >= CROWDED or crowded.full < FULL:
        return False
    return back is None or (other.size - crowded.size >= UNEVEN and other.full < THIN)


def _size(side: Side) -> float:
    return side.size


@dataclass(frozen=True, slots=True)
class Unfit:
    """A side that does not fit: `needed` of `room`, in points, at the smallest type, and by which block."""

    block: Block
    wide: bool
    needed: float
    room: float


@dataclass(frozen=True, slots=True)
class Content:
    """What stands on a side of a card. `height` is that of a block at a width, in ems; `least` how wide
    blocks are at least, `gaps` how many gaps between rows they have; `legend` how high the line below is, in
    points whatever the type."""

    blocks: Sequence[Block]
    size: CardSize
    least: Sequence[float]
    gaps: Sequence[int]
    height: Callable[[int, float], float]
    legend: Callable[[], float]
    tight: bool = False

    def width(self, points: float) -> float:
        """In ems, in type of this size."""
        return self.size.inner / points

    def fits_across(self, points: float) -> bool:
        """Say whether no word runs out of its cell."""
        return max(self.least) <= self.width(points)

    def needed(self, points: float) -> float:
        """The height in points."""
        width, legend = self.width(points), self.legend()
        between = len(self.blocks) - 1 + (legend > 0)
        blocks = sum(self.height(n, width) for n in range(len(self.blocks)))
        return (blocks + BETWEEN * between) * points + legend

    def fits(self, points: float) -> bool:
        """Say whether it is neither too wide nor too high."""
        return self.fits_across(points) and self.needed(points) <= self.size.room

    def set_in(self, points: float) -> Side:
        """What is left goes between rows, then between blocks."""
        needed = self.needed(points)
        full = round(needed / self.size.room, 3)
        left = self.size.room - needed
        gaps, between = sum(self.gaps), len(self.blocks) - 1 + (self.legend() > 0)
        air = min(MOST_AIR, 0.9 * left / gaps) if gaps else 0.0
        more = min(MOST_GAP * points, (left - air * gaps) / between) if between else 0.0
        return Side(points, round(air, 3), round(BETWEEN * points + more, 3), self.tight, full)

    def unfit(self) -> Unfit:
        """Why it does not fit even in the smallest type."""
        widest = max(range(len(self.blocks)), key=lambda n: self.least[n])
        if not self.fits_across(LEAST):
            return Unfit(self.blocks[widest], True, self.least[widest] * LEAST, self.size.inner)
        width = self.width(LEAST)
        highest = max(range(len(self.blocks)), key=lambda n: self.height(n, width))
        return Unfit(self.blocks[highest], False, self.needed(LEAST), self.size.room)


# -- on paper ------------------------------------------------------------------------------------

EDGE = 5.5
"""Of the paper, in millimetres: printers leave as much free."""
GUTTERS = (3.0, 2.0)
"""Between cards: the narrow one where it makes room for more."""
OVER = 1.0
"""So far a card is printed beyond its edge at home."""


@dataclass(frozen=True, slots=True)
class Table:
    """How many cards lie on a sheet of paper, in columns and rows, and how far apart, in millimetres."""

    columns: int
    rows: int
    gutter: float = GUTTERS[0]

    @property
    def count(self) -> int:
        return self.columns * self.rows


def table_of(size: CardSize, width: float, height: float) -> Table:
    """As many as the paper takes; sizes in millimetres."""

    def count(room: float, card: float, gutter: float) -> int:
        return int((room - 2 * EDGE + gutter) // (card + gutter))

    tables = [Table(count(width, size.width, g), count(height, size.height, g), g) for g in GUTTERS]
    return max(tables, key=lambda table: table.count)


def imposed(
    sides: Sequence[tuple[dict[str, Any], dict[str, Any]]], table: Table
) -> Iterator[list[dict[str, Any]]]:
    """A page of fronts and a page of backs by turns; backs are mirrored for the long edge."""
    for start in range(0, len(sides), table.count):
        part = sides[start : start + table.count]
        yield [_spot(front, n, table, mirrored=False) for n, (front, _) in enumerate(part)]
        yield [_spot(back, n, table, mirrored=True) for n, (_, back) in enumerate(part)]


def _spot(face: dict[str, Any], n: int, table: Table, *, mirrored: bool) -> dict[str, Any]:
    column = n % table.columns
    return {
        "face": face,
        "column": table.columns - 1 - column if mirrored else column,
        "row": n // table.columns,
    }


def size_of(card: Card) -> CardSize:
    """The size of a card."""
    return CARD_SIZES[card.paper]


CORNER_ICON = 0.72
"""Of the number's type, beside which it stands."""


def with_short_head(card: Card) -> Card:
    """What a card is for stands under its title; where that is long, under the strip."""
    size = size_of(card)
    corner = text_width(str(card.number or "")) * size.index
    if card.marks:
        corner += (width(card.marks) * CORNER_ICON + 0.5) * size.index + 5.0
    if not card.subtitle or text_width(card.subtitle) * LEGEND <= size.inner - corner - 6.0:
        return card
    first, *rest = card.front
    said = " · ".join(filter(None, (card.subtitle, first.subtitle)))
    return replace(card, subtitle="", front=(replace(first, subtitle=said), *rest))


OFFSET = re.compile(rb"[0-9]{10} [0-9]{5} n")
"""A line of a PDF's table of objects."""


def with_bleed(pdf: bytes) -> bytes:
    """The same PDF, every page saying what is printed beyond its trimmed edge: up to the page's own.

    Offsets in the table of objects follow what was put in."""
    table = pdf.rindex(b"\nxref\n") + 1
    added: list[tuple[int, int]] = []
    parts: list[bytes] = []
    end = 0
    while (at := pdf.find(b"/TrimBox[", end, table)) >= 0:
        start = pdf.rindex(b"/MediaBox[", 0, at)
        box = b"/BleedBox" + pdf[start + len(b"/MediaBox") : pdf.index(b"]", start) + 1]
        parts += [pdf[end:at], box, pdf[at : at + 1]]
        added.append((at, len(box)))
        end = at + 1
    parts.append(pdf[end:table])

    def moved(offset: int) -> int:
        return offset + sum(length for place, length in added if place < offset)

    lines = pdf[table:].split(b"\n")
    for n, line in enumerate(lines):
        if OFFSET.match(line):
            lines[n] = b"%010d" % moved(int(line[:10])) + line[10:]
    where = lines.index(b"startxref") + 1
    lines[where] = b"%d" % moved(int(lines[where]))
    return b"".join(parts) + b"\n".join(lines)
