"""A document as plain data for templates: nothing in it is ever read as code.

Badges and icons are named, and drawn once for each of them. For measuring, what does not change a height is
left out: letters, cells, ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dtables.pages import badges, icons
from dtables.pages.document import (
    Block,
    Body,
    Card,
    Chip,
    Document,
    Entries,
    Entry,
    Grid,
    Icon,
    Inline,
    Legend,
    Mark,
    Orders,
    Part,
    Pointer,
    Procedure,
    ProcedureRow,
    Ring,
    Run,
    Sheet,
    StepRow,
    Steps,
    sentence,
    text_of,
)
from dtables.pages.legend import legend_of
from dtables.pages.rings import ring_size, ring_svg
from dtables.pages.widths import label_beside, order_width, outcome_width, shared, steps_width
from dtables.provenance import CellRef

MARK_HIGH, SPLIT_WIDE = 1.3, 1.25
"""In ems; two colours need more room."""
EDGE = 1.08
"""A drawing's edges lie outside its square."""


@dataclass(slots=True)
class Drawing:
    """`drawings` are met on the way, by their names. `bare`: for measuring alone."""

    words: dict[str, str]
    bare: bool = False
    grey: bool = False
    drawings: dict[str, str] = field(default_factory=dict)

    # -- pages -----------------------------------------------------------------------------------

    def block(self, block: Block) -> dict[str, Any]:
        proof = "" if self.bare else " · ".join(block.proof)
        return {
            "title": block.title,
            "subtitle": block.subtitle,
            "letter": self._letter(block.letter),
            "proof": proof,
            "large": bool(block.phase),
            "body": self.body(block.body),
            "foot": self.inline(block.foot),
        }

    def head(self, document: Document, sheet: Sheet) -> dict[str, Any]:
        """The line over a face: its title, the game, the legend."""
        parts = [part for part in (sheet.title, document.subtitle, document.title) if part]
        return {
            "title": parts[0],
            "game": " · ".join(reversed(parts[1:])),
            "band": document.band,
            "legend": self.legend(sheet.legend),
        }

    def legend(self, entries: Sequence[Legend]) -> list[dict[str, Any]]:
        return [{"mark": self.part(entry.mark), "label": entry.label} for entry in entries]

    def card_head(self, document: Document, card: Card, count: int, side: str) -> dict[str, Any]:
        """What stands around a side of a card; its legend is that of what the side holds. Where the strip
        is the head of the one block in front, its second line is too."""
        of_front = side == "back" and len(card.front) == 1 and not card.front[0].title
        return {
            "index": self.inline((Run(str(card.number or "")),)),
            "marks": self.inline(card.marks),
            "title": card.title,
            "subtitle": "" if of_front else card.subtitle,
            "game": document.title,
            "number": card.number,
            "count": count,
            "legend": self.legend(legend_of(card.back if side == "back" else card.front)),
        }

    # -- bodies ----------------------------------------------------------------------------------

    def body(self, body: Body) -> dict[str, Any]:
        kind = type(body).__name__.casefold()
        match body:
            case Steps(rows=rows):
                aside = outcome_width(body) > 0
                steps = [self._step(row) for row in rows]
                return {"kind": kind, "rows": steps, "aside": aside, "widest": steps_width(body)}
            case Grid() as grid:
                return {"kind": kind, **self._grid(grid)}
            case Procedure(rows=rows):
                return {"kind": kind, "rows": [self._procedure(row) for row in rows]}
            case Entries(rows=rows):
                label = label_beside(body)
                return {"kind": kind, "rows": [self._entry(row) for row in rows], "label": label}
            case Orders() as orders:
                return {"kind": kind, **self._orders(orders)}
            case Ring() as ring:
                said = ", ".join(map(text_of, ring.names))
                return {"kind": kind, "drawing": self._drawn(ring_svg(ring), said, *ring_size(ring))}

    def _step(self, row: StepRow) -> dict[str, Any]:
        return {
            "number": row.number,
            "marks": self.inline(row.marks),
            "conditions": [self.inline(with_if(c, self.words["if"])) for c in row.conditions],
            "text": self.inline(sentence(row.text) if row.conditions else row.text),
            "outcome": self.inline(row.outcome),
            "variant": row.variant,
            "proof": self._proof(row.cell),
        }

    def _procedure(self, row: ProcedureRow) -> dict[str, Any]:
        return {
            "number": row.number,
            "icon": None if row.icon is None else self.part(row.icon),
            "who": row.who,
            "text": self.inline(row.text),
            "inside": [self.body(inner) for inner in row.inside],
            "proof": self._proof(row.cell, row.source),
        }

    def _entry(self, row: Entry) -> dict[str, Any]:
        return {
            "marks": self.inline(row.marks),
            "label": self.inline(row.label),
            "joint": row.joint if row.label and row.text else "",
            "text": self.inline(row.text),
            "example": self.inline(row.example),
            "inside": [self.body(inner) for inner in row.inside],
            "proof": self._proof(row.cell, row.source),
        }

    def _orders(self, orders: Orders) -> dict[str, Any]:
        """Lists of one name each need no list: the orders are of the names themselves."""
        single = orders.are_names
        shown = () if orders.spelled and not single else orders.orders
        parts = [orders.drawn(each) for each in shown]
        return {
            "lists": [
                {"sign": each.sign, "items": list(map(self.inline, each.items))}
                for each in ([] if single else orders.lists)
            ],
            "orders": [
                {"head": self.inline(each.head), "parts": list(map(self.inline, own))}
                for each, own in zip(shown, parts, strict=True)
            ],
            "first": list(map(self.inline, orders.first)),
            "last": list(map(self.inline, orders.last)),
            "joint": "›" if any(isinstance(p, Run) for own in parts for name in own for p in name) else "",
            "note": orders.note,
            "heads": order_width([[each.head] for each in shown]),
            "names": order_width(parts),
            "words": {"then": self.words["then"], "last": self.words["last_for_all"].split("{0}")},
        }

    def _grid(self, grid: Grid) -> dict[str, Any]:
        return {
            "corner": grid.corner,
            "columns": [{"head": self.inline(c.head), "sub": c.sub, "grow": c.grow} for c in grid.columns],
            "sections": [
                {
                    "title": section.title,
                    "note": section.note,
                    "align": section.align.value,
                    "rows": [
                        {
                            "label": self.inline(row.label),
                            "cells": [
                                {"text": self.inline(c.text), "span": c.span, "tinted": c.tinted}
                                for c in row.cells
                            ],
                            "closes": row.closes,
                        }
                        for row in section.rows
                    ],
                }
                for section in grid.sections
            ],
            "folded": grid.folded,
            **shared(grid),
        }

    # -- texts -----------------------------------------------------------------------------------

    def inline(self, inline: Inline) -> list[dict[str, Any]]:
        return [self.part(part) for part in inline]

    def part(self, part: Part) -> dict[str, Any]:
        match part:
            case Run(text=text, style=style):
                return {"kind": "run", "text": text, "style": style.value}
            case Mark():
                wide = MARK_HIGH * (SPLIT_WIDE if badges.is_split(part) else 1.0)
                return self._drawn(badges.svg(part), part.alt, wide, MARK_HIGH)
            case Icon():
                return self._drawn(icons.svg(part), part.alt, icons.width(part), icons.height(part))
            case Pointer(letter=letter, elsewhere=elsewhere):
                return {"kind": "pointer", "letter": self._letter(letter), "elsewhere": elsewhere}
            case Chip(text=text, kind=kind):
                return {"kind": "chip", "text": text, "is": kind.value}

    def _drawn(self, svg: str, alt: str, wide: float, high: float) -> dict[str, Any]:
        shape = {"kind": "drawing", "wide": round(wide, 3), "high": round(high, 3)}
        if self.bare:
            return shape
        name = self.drawings.setdefault(icons.in_grey(svg) if self.grey else svg, f"d{len(self.drawings)}")
        return {**shape, "draw": name, "alt": alt, "tall": round(high * EDGE, 3)}

    def _letter(self, letter: str) -> str:
        return "M" * len(letter) if self.bare else letter

    def _proof(self, cell: CellRef, source: Sequence[str] = ()) -> str:
        return "" if self.bare else " ".join((cell.address, *source))


def with_if(condition: Inline, word: str) -> Inline:
    """A condition with its `if`, where it has none of its own."""
    word = word.capitalize() + " "
    named = text_of(condition).lower().startswith(word.lower())
    return sentence(condition) if named else (Run(word), *condition)
