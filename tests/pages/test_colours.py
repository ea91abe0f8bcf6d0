"""Colours of the pages for screens, computed from their styles: text stands out from its ground."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dtables

TEMPLATES = Path(dtables.__file__).parent / "pages" / "templates"
INKS = {"page": ("ink", "quiet", "link", "navy"), "report": ("ink", "quiet", "link", "navy", "good", "bad")}
GROUNDS = {"page": ("paper", "card", "pale", "tint"), "report": ("paper", "card", "pale")}
OTHERS = {
    "page": (("on-navy", "navy"), ("on-head", "head"), ("head", "on-head"), ("paper", "ink")),
    "report": (
        ("on-navy", "navy"), ("ink", "good-pale"), ("quiet", "good-pale"), ("ink", "bad-pale"),
        ("quiet", "bad-pale"),
    ),
}  # fmt: skip
PALETTE = re.compile(r":root \{(.*?)\}", re.DOTALL)


def pairs(page: str) -> list[tuple[str, str]]:
    return [(ink, ground) for ink in INKS[page] for ground in GROUNDS[page]] + list(OTHERS[page])


def style(page: str) -> str:
    return (TEMPLATES / f"{page}.css").read_text(encoding="utf-8")


def palettes(page: str) -> dict[str, dict[str, str]]:
    """The colours by name: in light, in dark and on paper."""
    light, *others = (
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", body)) for body in PALETTE.findall(style(page))
    )
    dark, paper = ({**light, **other} for other in others)
    return {"light": light, "dark": dark, "paper": paper}


@pytest.mark.parametrize("scheme", ["light", "dark", "paper"])
@pytest.mark.parametrize("page", INKS)
def test_text_stands_out_from_every_ground(page: str, scheme: str) -> None:
    colours = palettes(page)[scheme]
    found = {(ink, ground): contrast(colours[ink], colours[ground]) for ink, ground in pairs(page)}
    assert {pair: round(value, 2) for pair, value in found.items() if value < 4.5} == {}
    assert all(contrast(colours["edge"], colours[ground]) >= 3 for ground in ("paper", "card"))


@pytest.mark.parametrize("page", INKS)
def test_colours_have_names(page: str) -> None:
    rules = PALETTE.sub("", style(page))
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?! ~)|\brgba?\(|opacity: 0?\.", rules) == []
    used = set(re.findall(r"(?<![-\w])color: var\(--([\w-]+)\)", rules))
    assert used <= {ink for ink, _ in pairs(page)}


def contrast(one: str, other: str) -> float:
    """As WCAG 2 computes it."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    parts = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
