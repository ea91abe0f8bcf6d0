"""How names are compared: in a log, upper or lower case, accents, spaces and underscores don't matter."""

from __future__ import annotations

import unicodedata


def fold(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not (unicodedata.combining(c) or c.isspace() or c == "_"))
