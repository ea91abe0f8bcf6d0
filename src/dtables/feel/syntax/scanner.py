"""Text to tokens, one at a time: FEEL's names need scope, so only the parser knows where one may stand."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

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


class Token(NamedTuple):
    """`text` is the token's characters; of a symbol, which one it is."""

    kind: Kind
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


_KINDS = {kind.name: kind for kind in Kind}
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
    return Token(_KINDS[found.lastgroup], found[0], found.start(), found.end())


def tidy_name(text: str) -> str:
    """A name as names are compared: runs of space are one, accents composed."""
    if text.isascii():
        return " ".join(text.split())
    return unicodedata.normalize("NFC", " ".join(re.sub(SPACE, " ", text).split()))


# -- known names ------------------------------------------------------------------------------------
# The names that may stand at a place, and the longest of them that a text continues with.

# A name is matched piece by piece, so that a match never ends inside a word.
_PIECE = re.compile(rf"(?P<space>{SPACE})|{WORD}|.", re.DOTALL)
_PIECES = re.compile(rf"{WORD}|\S").findall


@dataclass(slots=True, eq=False)
class _Branch:
    """`complete`: a name ends here."""

    complete: bool = False
    next: dict[str, _Branch] = field(default_factory=dict)


class KnownNames:
    """An unchanging set of names; `|` joins two without copying either."""

    __slots__ = ("_firsts", "_layers")

    def __init__(self, names: Iterable[str] = ()) -> None:
        tree = _tree(names)
        self._layers: tuple[_Branch, ...] = (tree,) if tree.next else ()
        self._firsts: frozenset[str] = frozenset(piece[0] for piece in tree.next)

    def __or__(self, other: KnownNames) -> KnownNames:
        joined = KnownNames.__new__(KnownNames)
        joined._layers = self._layers + tuple(t for t in other._layers if t not in self._layers)
        joined._firsts = self._firsts | other._firsts
        return joined

    def __eq__(self, other: object) -> bool:
        """The same layers; the same names in other layers count as others."""
        return isinstance(other, KnownNames) and self._layers == other._layers

    def __hash__(self) -> int:
        return hash(self._layers)

    def longest_at(self, text: str, start: int, end: int | None = None) -> int | None:
        """Return where the longest name that begins at `start` ends, or None. A run of space in the text is
        one space of the name; `text` ends at `end`."""
        stop = len(text) if end is None else end
        if start < stop and (first := text[start]) < "A" and first not in self._firsts:
            return None  # Digits and signs stay what they are in whatever accents are composed.
        piece = _PIECE.match(text, start, stop)
        if piece is None:
            return None
        first = _written(piece)
        ends = [_longest(tree, text, start, stop) for tree in self._layers if first in tree.next]
        return max((end for end in ends if end is not None), default=None) if ends else None

    def any_begins_in(self, text: str) -> bool:
        """Say whether the text holds a word with which one of the names begins."""
        heads = [tree.next for tree in self._layers]
        return any(_composed(piece) in head for head in heads for piece in _PIECES(text))

    def __contains__(self, name: str) -> bool:
        tidy = tidy_name(name)
        return tidy != "" and self.longest_at(tidy, 0) == len(tidy)


def _tree(names: Iterable[str]) -> _Branch:
    root = _Branch()
    for name in names:
        branch = root
        for piece in _pieces(name):
            following = branch.next.get(piece)
            if following is None:
                following = branch.next[piece] = _Branch()
            branch = following
        branch.complete = True
    root.complete = False
    return root


@lru_cache(maxsize=50_000)
def _pieces(name: str) -> tuple[str, ...]:
    """The same names are known in most places of a workbook."""
    return tuple(piece[0] for piece in _PIECE.finditer(tidy_name(name)))


def _longest(tree: _Branch, text: str, start: int, stop: int) -> int | None:
    branch, at, longest = tree, start, None
    while at < stop and branch.next:
        piece = _PIECE.match(text, at, stop)
        assert piece is not None
        written = _written(piece)
        if written not in branch.next:
            break
        branch, at = branch.next[written], piece.end()
        if branch.complete:
            longest = at
    return longest


def _written(piece: re.Match[str]) -> str:
    return " " if piece["space"] else _composed(piece[0])


def _composed(piece: str) -> str:
    return piece if piece.isascii() else unicodedata.normalize("NFC", piece)
