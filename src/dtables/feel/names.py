"""Names of vocabularies: which of them a spelling means, the same in cells, records and what was played.

Upper or lower case, accents, spaces and underscores don't matter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from typing import Protocol

Number = int | Decimal

LONGEST = 1_000
"""Of a spelling: to fold a long text of accents takes a time that grows with the square of its length."""


def fold(text: str) -> str:
    """Return the spelling by which texts are compared: no case, accents, blanks or underscores."""
    if text.isascii():
        return "".join(text.lower().split()).replace("_", "")
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not (unicodedata.combining(c) or c.isspace() or c == "_"))


class Spellings:
    """How the names of a vocabulary may be written: by id, in its order, further spellings of each.

    An id means itself. What folds to an id means that id, whatever labels fold to it. Only then labels
    count. Where several names share a spelling, it means none of them by itself."""

    __slots__ = ("_folded", "_ids", "known")

    def __init__(self, written: Mapping[str, Iterable[str]], exact: bool = False) -> None:
        """`exact`: only ids, as they are spelled. `known` is what may be suggested."""
        self._ids = frozenset(written)
        known = written if exact else (text for id_, more in written.items() for text in (id_, *more) if text)
        self.known = tuple(dict.fromkeys(known))
        self._folded = {} if exact else _folded(written)

    def matches(self, spelling: str) -> tuple[str, ...]:
        """The ids that it may mean, in the vocabulary's order."""
        if spelling in self._ids:
            return (spelling,)
        return self._folded.get(fold(spelling), ()) if len(spelling) <= LONGEST else ()


class NumberNames:
    """Names that stand for numbers. Its digits, as a text, are no name of a number."""

    __slots__ = ("_folded", "known")

    def __init__(self, written: Mapping[Number, Iterable[str]]) -> None:
        self._folded: dict[str, tuple[Number, ...]] = {}
        self.known = tuple(dict.fromkeys(text for more in written.values() for text in more))
        for number, more in written.items():
            for spelling in dict.fromkeys(map(fold, more)):
                self._folded[spelling] = (*self._folded.get(spelling, ()), number)

    def matches(self, spelling: str) -> tuple[Number, ...]:
        """The numbers that it may mean."""
        return self._folded.get(fold(spelling), ()) if len(spelling) <= LONGEST else ()


class Spelled(Protocol):
    """A vocabulary's names as they may be spelled."""

    @property
    def known(self) -> Iterable[str]:
        """What may be suggested for a misspelling, in order."""

    def matches(self, spelling: str, /) -> tuple[str, ...]:
        """Return the names that the spelling may mean: none, one, or several that share it."""


def matching_fields(key: str, fields: Collection[str], named: Iterable[Spelled]) -> tuple[str, ...]:
    """The fields of a record that a key may mean: by its name; where names of vocabularies are fields, by any
    spelling of one."""
    if key in fields:
        return (key,)
    return tuple(dict.fromkeys(name for one in named for name in one.matches(key) if name in fields))


def _folded(written: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    ids: dict[str, tuple[str, ...]] = {}
    labels: dict[str, tuple[str, ...]] = {}
    for id_, more in written.items():
        ids[fold(id_)] = (*ids.get(fold(id_), ()), id_)
        for spelling in dict.fromkeys(map(fold, more)):
            labels[spelling] = (*labels.get(spelling, ()), id_)
    meanings = labels | ids
    meanings.pop("", None)
    return meanings
