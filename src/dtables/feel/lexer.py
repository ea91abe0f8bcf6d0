"""Text to tokens, one at a time: FEEL's names need scope, so only the parser knows where one may stand."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum, auto

from dtables.provenance import Span

# The name characters of the standard (DMN 1.5, grammar rules 27 and 28) without `?`, and the marks that
# accents are made of where a text is decomposed.
_WORD_CHARACTERS = (
    r"\w\u00B7\u0300-\u036F\u200C\u200D\u203F\u2040\u2070-\u218F"
    r"\u2C00-\u2FEF\uFDF0-\uFEFE\uFF00-\uFFFD\U00010000-\U000EFFFF"
)
_SPACE_CHARACTERS = r"\s\u0085\u180E\u200B\uFEFF"
WORD = f"[{_WORD_CHARACTERS}]+"
SPACE = f"[{_SPACE_CHARACTERS}]+"
NAME = rf"{WORD}(?:[{_SPACE_CHARACTERS}\-+*/.']+{WORD})*"
"""A name where it is declared, with the standard's additional name symbols: `a+b`, `it's`, `1/2`."""


class Kind(Enum):
    NUMBER = auto()
    TEXT = auto()
    UNCLOSED_TEXT = auto()
    UNCLOSED_COMMENT = auto()
    AT = auto()
    WORD = auto()
    SYMBOL = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is the token's characters; of a symbol, which one it is."""

    kind: Kind
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


_SKIPPED = re.compile(rf"(?:{SPACE}|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_TOKEN = re.compile(
    rf"""
      (?P<AT>@\s*"(?:[^"\\]|\\.)*")
    | (?P<TEXT>"(?:[^"\\]|\\.)*")
    | (?P<UNCLOSED_TEXT>@?\s*".*)
    | (?P<UNCLOSED_COMMENT>/\*.*)
    | (?P<NUMBER>(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?!{WORD}))
    | (?P<WORD>{WORD})
    | (?P<SYMBOL>\*\*|<=|>=|!=|\.\.|==|<>|=>|=<|&&|\|\||.)
    """,
    re.DOTALL | re.VERBOSE,
)


def token_at(text: str, start: int, end: int) -> Token:
    """The token at or after `start`; space and comments before it are skipped."""
    skipped = _SKIPPED.match(text, start, end)
    at = skipped.end() if skipped else start
    found = _TOKEN.match(text, at, end)
    if found is None:
        return Token(Kind.END, "", end, end)
    assert found.lastgroup is not None
    return Token(Kind[found.lastgroup], found[0], found.start(), found.end())


def tidy_name(text: str) -> str:
    """A name as names are compared: runs of space are one, accents composed."""
    if text.isascii():
        return " ".join(text.split())
    return unicodedata.normalize("NFC", " ".join(re.sub(SPACE, " ", text).split()))
