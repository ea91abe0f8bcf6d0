"""The bundled fonts: where they are, which characters they have, how their letters are drawn. They are read
when they are first asked for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from dtables.diagnostics import Diagnostic
from dtables.model.tables import Ruleset
from dtables.pages import messages
from dtables.pages.document import (
    Block,
    Card,
    Document,
    Entries,
    Grid,
    Inline,
    Orders,
    Procedure,
    Ring,
    Steps,
    drawn_text,
    texts_in,
)
from dtables.provenance import Location, whole_book

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

FONTS = Path(__file__).parent / "fonts"
TEXT_FACES = ("RobotoCondensed-Regular.ttf", "RobotoCondensed-Bold.ttf")
SYMBOL_FACES = ("DejaVuSansCondensed-symbols.ttf", "DejaVuSansCondensed-Bold-symbols.ttf")
LAYOUT_CHARACTERS = {"\n", "\t", "\r", "\u00ad", "\u200b", "\u2060"}
"""Never drawn."""


def missing_characters(text: str) -> tuple[str, ...]:
    """Characters that would come out as an empty box, each once."""
    known = characters()
    return tuple(dict.fromkeys(c for c in text if c not in known and c not in LAYOUT_CHARACTERS))


@cache
def characters() -> frozenset[str]:
    """What can be printed, in regular and in bold."""
    regular = _characters(TEXT_FACES[0]) | _characters(SYMBOL_FACES[0])
    bold = _characters(TEXT_FACES[1]) | _characters(SYMBOL_FACES[1])
    return frozenset(regular & bold)


def _characters(face: str) -> set[str]:
    return {chr(code) for code in _font(face).getBestCmap()}


@cache
def outline(text: str) -> tuple[str, float]:
    """The outline of a few bold letters as an SVG path, one unit high, and its width."""
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen

    font = _font(TEXT_FACES[1])
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    scale = 1 / font["head"].unitsPerEm
    pen = SVGPathPen(glyphs, ntos=lambda number: f"{number:.4g}")
    at = 0.0
    for character in text:
        name = names.get(ord(character))
        if name is not None:
            glyphs[name].draw(TransformPen(pen, (scale, 0, 0, scale, at, 0)))
            at += glyphs[name].width * scale
    return pen.getCommands(), at


@cache
def text_width(text: str) -> float:
    """In ems, in bold."""
    return sum(_width(c) for c in text if c not in LAYOUT_CHARACTERS)


@cache
def _width(character: str) -> float:
    font, symbols = _font(TEXT_FACES[1]), _font(SYMBOL_FACES[1])
    return _advance(font, character) or _advance(symbols, character) or 0.6


def _advance(font: TTFont, character: str) -> float:
    name = font.getBestCmap().get(ord(character))
    return 0.0 if name is None else float(font["hmtx"][name][0]) / float(font["head"].unitsPerEm)


@cache
def _font(face: str) -> TTFont:
    from fontTools.ttLib import TTFont

    return TTFont(FONTS / face)


# -- characters that can be printed -----------------------------------------------------------------
# Every character that is to be printed is looked up in the bundled fonts first.


def check_characters(ruleset: Ruleset, document: Document) -> tuple[Diagnostic, ...]:
    """One diagnostic for each cell and character that would come out as an empty box."""
    labels = _labels(ruleset)
    found: dict[tuple[Location, str], Diagnostic] = {}
    for where, text in _texts(document):
        for character in missing_characters(text):
            label = next((words for words in labels if character in words and words in text), None)
            place, typed = (where, text) if label is None else (labels[label], label)
            found.setdefault((place, character), messages.missing_character(place, character, typed))
    return tuple(found.values())


def _labels(ruleset: Ruleset) -> dict[str, Location]:
    """The names whose labels are printed in many places: their cells are the ones to look at."""
    return {
        text: Location(label.where)
        for vocabulary in ruleset.vocabularies
        for label in vocabulary.names
        for _, text in label.words
    }


def _texts(document: Document) -> Iterator[tuple[Location, str]]:
    book = Location(whole_book(document.book))
    for text in (
        document.title,
        document.subtitle,
        document.book,
        document.band,
        document.credit,
        *(words for _, words in document.signs),
    ):
        yield book, text
    for sheet in document.sheets:
        for legend in sheet.legend:
            yield sheet.where, _joined((legend.mark,))
            yield sheet.where, legend.label
        yield sheet.where, sheet.title
        for block in sheet.blocks:
            yield from _block(block)
    for card in document.cards:
        yield from _card(card)


def _card(card: Card) -> Iterator[tuple[Location, str]]:
    yield card.where, card.title
    yield card.where, card.subtitle
    yield card.where, _joined(card.marks)
    for legend in card.legend:
        yield card.where, _joined((legend.mark,))
        yield card.where, legend.label
    for block in (*card.front, *card.back):
        yield from _block(block)


def _block(block: Block) -> Iterator[tuple[Location, str]]:
    for text in (block.title, block.subtitle, block.source, block.letter, *block.proof):
        yield block.where, text
    match block.body:
        case Steps(rows=rows, heads=heads):
            for head in heads or ():
                yield block.where, head
            for step in rows:
                yield Location(step.cell), step.number
                for inline in (step.marks, *step.conditions, step.text, step.outcome):
                    yield Location(step.cell), _joined(inline)
        case Grid(corner=corner, columns=columns, sections=sections):
            yield block.where, corner
            for column in columns:
                yield block.where, _joined(column.head)
                yield block.where, column.sub
            for section in sections:
                for text in (section.title, section.note, section.source):
                    yield block.where, text
                for row in section.rows:
                    yield block.where, _joined(row.label)
                    for cell in row.cells:
                        yield block.where, _joined(cell.text)
        case Procedure(rows=rows):
            for line in rows:
                yield Location(line.cell), line.number
                yield Location(line.cell), line.who
                for text in line.source:
                    yield Location(line.cell), text
                for inline in texts_in(Procedure((line,))):
                    yield Location(line.cell), _joined(inline)
        case Entries(rows=rows):
            for entry in rows:
                for text in entry.source:
                    yield Location(entry.cell), text
                for inline in texts_in(Entries((entry,))):
                    yield Location(entry.cell), _joined(inline)
        case Orders(lists=lists, orders=orders):
            for text in (*(each.sign for each in lists), *(sign for each in orders for sign in each.signs)):
                yield block.where, text
            for inline in texts_in(block.body):
                yield block.where, _joined(inline)
        case Ring():
            for inline in texts_in(block.body):
                yield block.where, _joined(inline)
    yield block.where, _joined(block.foot)


def _joined(inline: Inline) -> str:
    """Badges are drawn with their letters."""
    return drawn_text(inline).strip()
