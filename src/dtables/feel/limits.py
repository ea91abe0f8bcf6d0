"""How much rules may make, in every engine: a loop that doubles what it makes must end before memory does."""

from __future__ import annotations

from collections.abc import Iterable

from dtables.feel.errors import LimitError

MOST_TEXT = 1_000_000
"""Characters of a text that is made of others; what a record gives, or what is cut from it, may be longer."""
MOST_ITEMS = 1_000_000
MOST_ITERATIONS = 1_000_000


def text_of(pieces: Iterable[str]) -> str:
    """The pieces as one text. No more of them is made than fits."""
    joined: list[str] = []
    length = 0
    for piece in pieces:
        length += len(piece)
        if length > MOST_TEXT:
            raise LimitError(text_too_long())
        joined.append(piece)
    return "".join(joined)


def text_too_long() -> str:
    """Return the words of the LimitError for a text over `MOST_TEXT`."""
    return f"the text is too long: at most {MOST_TEXT:,} characters"
