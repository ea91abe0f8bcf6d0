"""Which repetitions of groups Python's search can do in time that does not double with every character.

It tries one way after the other; they multiply only where a character may belong to more than one part
of what is repeated. In `(,\\s*[0-9]+)*` each character has one place, in `(a|a?)+` it has several.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

# Without the halves of pairs; what lies beyond counts as unknown.
_CHARACTERS = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x10000))))


@dataclass(frozen=True, slots=True)
class Shape:
    """Sets of characters are the bits of a number. `first` may begin it, `after` may go on with it where
    it could also be over; `empty`: it may match nothing; `sure`: each character has one place in it."""

    first: int
    after: int
    empty: bool
    sure: bool


Part = Callable[[], Shape]
"""Worked out only where something is repeated."""

NOTHING = Shape(0, 0, empty=True, sure=True)
ANYTHING = Shape((1 << 0x10000) - 1, (1 << 0x10000) - 1, empty=True, sure=False)


def letter(python: str, flags: re.RegexFlag) -> Shape:
    """What matches one character."""
    found = _found(python, flags)
    return Shape(found, 0, empty=False, sure=found != 0)


@lru_cache(maxsize=512)
def _found(python: str, flags: re.RegexFlag) -> int:
    bits = bytearray(0x2000)
    for character in re.findall(python, _CHARACTERS, flags):
        bits[ord(character) >> 3] |= 1 << (ord(character) & 7)
    return int.from_bytes(bits, "little")


def either(alternatives: Sequence[Sequence[Part]]) -> Shape:
    first = after = 0
    empty, sure = False, True
    for alternative in map(_in_turn, alternatives):
        sure = sure and alternative.sure and not (first & alternative.first or (empty and alternative.empty))
        first, after = first | alternative.first, after | alternative.after
        empty = empty or alternative.empty
    return Shape(first, after, empty, sure)


def _in_turn(parts: Sequence[Part]) -> Shape:
    first = after = 0
    empty = sure = True
    for part in parts:
        shape = part()
        sure = sure and shape.sure and not after & shape.first
        first |= shape.first if empty else 0
        after = after | shape.first | shape.after if shape.empty else shape.after
        empty = empty and shape.empty
    return Shape(first, after, empty, sure)


def repeated(part: Part, least: int, most: int | None) -> Shape:
    shape = part()
    if most is not None and most <= 1:
        return Shape(shape.first, shape.after, shape.empty or least == 0, shape.sure)
    sure = shape.sure and not shape.empty and not shape.after & shape.first
    return Shape(shape.first, shape.after | shape.first, shape.empty or least == 0, sure)
