"""The bundled fonts: where they are, which characters they have, how their letters are drawn."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

FONTS = Path(__file__).parent / "fonts"
TEXT_FACES = ("RobotoCondensed-Regular.ttf", "RobotoCondensed-Bold.ttf")
SYMBOL_FACES = ("DejaVuSansCondensed-symbols.ttf", "DejaVuSansCondensed-Bold-symbols.ttf")
LAYOUT_CHARACTERS = {"\n", "\t", "\r", "\u00ad", "\u200b"}
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
    font, symbols = _font(TEXT_FACES[1]), _font(SYMBOL_FACES[1])
    return sum(_advance(font, c) or _advance(symbols, c) or 0.6 for c in text)


def _advance(font: TTFont, character: str) -> float:
    name = font.getBestCmap().get(ord(character))
    return 0.0 if name is None else float(font["hmtx"][name][0]) / float(font["head"].unitsPerEm)


@cache
def _font(face: str) -> TTFont:
    return TTFont(FONTS / face)
