"""Texts as a terminal shows them: nothing in them moves its cursor, rings, turns the direction of letters or
ends a line.
"""

from __future__ import annotations

import re

_ALIVE = re.compile(
    "[\0-\x08\x0a-\x1f\x7f-\x9f"  # controls, but for the tab
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # unseen, or turning
    "\ud800-\udfff\U000e0000-\U000e007f]"  # no characters, and hidden ones
)


def visible(text: str) -> str:
    """One line. What is alive in it is spelled as Python spells it."""
    return _ALIVE.sub(lambda found: ascii(found.group())[1:-1], text)


def visible_json(text: str) -> str:
    """Return the same value, whose strings spell what would be alive. Line ends stay."""
    return _ALIVE.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    character = found.group()
    if character == "\n":
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))
