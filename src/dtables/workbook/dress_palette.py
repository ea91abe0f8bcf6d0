"""Colours: one hue for each kind of table, dark for its band, light for its names."""

from __future__ import annotations

from dataclasses import dataclass

from dtables.workbook.roles import KINDS

INK = "1F2933"
MUTED = "6B7280"
WHITE = "FFFFFF"
HAIRLINE = "E3E6EA"


@dataclass(frozen=True, slots=True)
class Hue:
    """`band` carries white letters, `names` and `roles` dark ones."""

    band: str
    names: str
    roles: str


_BANDS = {
    "decision": "1F6F6B",
    "scale": "3F5493",
    "matrix": "3D6B47",
    "dice": "74466B",
    "settings": "7D6122",
    "formulas": "4A647E",
    "formula": "4A647E",
    "ask": "2C4560",
    "input": "2F6489",
    "checks": "8A4B3C",
    "examples": "57685A",
    "data": "6A5D4D",
    "types": "5D5D70",
    "record": "5D5D70",
    "glossary": "6D5A74",
    "pages": "5B6470",
}


def hue(kind: str) -> Hue:
    band = _BANDS[kind]
    return Hue(band, lighter(band, 0.84), lighter(band, 0.94))


def lighter(colour: str, share: float) -> str:
    """Mixed with white: 0 is the colour itself, 1 is white."""
    return "".join(f"{round(c + (255 - c) * share):02X}" for c in _channels(colour))


def contrast(one: str, other: str) -> float:
    """How well one colour is read on another, from 1 to 21 (WCAG 2.1)."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def letters_on(colour: str) -> str:
    """White or ink, whichever is read better on the colour."""
    return max((WHITE, INK), key=lambda ink: contrast(ink, colour))


def _luminance(colour: str) -> float:
    parts = (c / 255 for c in _channels(colour))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[0:2], 16), int(colour[2:4], 16), int(colour[4:6], 16)


assert set(_BANDS) == {kind.name for kind in KINDS}
