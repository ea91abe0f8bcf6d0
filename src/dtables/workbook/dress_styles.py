"""Letters, fills and lines as the dressed cells have them."""

from __future__ import annotations

from typing import Any

from openpyxl.styles import Border, Font, PatternFill, Side

FACE = "Calibri"
BODY, SMALL, BAND, HEADLINE = 10, 9, 13, 18


def letters(size: int, colour: str, **more: Any) -> Any:
    return Font(name=FACE, size=size, color=colour, **more)


def fill(colour: str) -> Any:
    return PatternFill("solid", start_color=colour, end_color=colour)


def underline(style: str, colour: str) -> Any:
    return Border(bottom=Side(style=style, color=colour))
