"""Digits are 0 to 9. Python also takes those of other scripts and underscores between them; here they are
text, wherever a number is read."""

from __future__ import annotations

LONGEST = 400
"""Nobody means a number of more digits; Python takes a time for them that grows with their square."""


def are_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def whole_in(text: str) -> int | None:
    """The number that a text of digits is; None where it is anything else."""
    return int(text) if are_digits(text) and len(text) <= LONGEST else None
