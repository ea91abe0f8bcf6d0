"""Classes of characters in XPath's regular expressions, as Python's can say them.

Python knows no `\\p{Lu}`, no `\\i` and `\\c`, no subtraction `[a-z-[aeiou]]`, and counts the underscore
as a letter of words.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from dtables.feel.errors import FeelError

_SINGLE = {"n": "\\n", "r": "\\r", "t": "\\t"}
_QUOTED = set("\\|.-^?*+{}()[]$")
_SPACES = " \\t\\n\\r"
_START_OF_NAME = (
    ":A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_IN_NAME = _START_OF_NAME + "\\-.0-9\u00b7\u0300-\u036f\u203f-\u2040"
_BLOCKS = {
    "BasicLatin": "\u0000-\u007f",
    "Latin-1Supplement": "\u0080-\u00ff",
    "LatinExtended-A": "\u0100-\u017f",
    "LatinExtended-B": "\u0180-\u024f",
    "IPAExtensions": "\u0250-\u02af",
    "CombiningDiacriticalMarks": "\u0300-\u036f",
    "Greek": "\u0370-\u03ff",
    "GreekandCoptic": "\u0370-\u03ff",
    "Cyrillic": "\u0400-\u04ff",
    "Hebrew": "\u0590-\u05ff",
    "Arabic": "\u0600-\u06ff",
    "Thai": "\u0e00-\u0e7f",
    "GeneralPunctuation": "\u2000-\u206f",
    "CurrencySymbols": "\u20a0-\u20cf",
    "Arrows": "\u2190-\u21ff",
    "MathematicalOperators": "\u2200-\u22ff",
    "BoxDrawing": "\u2500-\u257f",
    "Hiragana": "\u3040-\u309f",
    "Katakana": "\u30a0-\u30ff",
    "CJKUnifiedIdeographs": "\u4e00-\u9fff",
    "HangulSyllables": "\uac00-\ud7a3",
}
_PROPERTY = re.compile(r"\{([A-Za-z0-9-]+)\}")


def escape_class(pattern: str, at: int) -> tuple[str, int]:
    """What stands in brackets for the escape whose letter is at `at`, and where it ends."""
    letter = pattern[at] if at < len(pattern) else ""
    if letter in _SINGLE:
        return _SINGLE[letter], at + 1
    if letter in _QUOTED:
        return "\\" + letter, at + 1
    if letter in ("p", "P"):
        found = _PROPERTY.match(pattern, at + 1)
        if found is None:
            raise _wrong(pattern)
        return _property(found[1], negated=letter == "P"), found.end()
    if letter and letter in "sSdDwWiIcC":
        return _letter_class(letter), at + 1
    raise _wrong(pattern)


def character_class(pattern: str, at: int) -> tuple[str, int]:
    """The class whose opening bracket stands before `at`, and where it ends."""
    negated = pattern.startswith("^", at)
    at += negated
    plain, exact, taken_away = "", "", ""
    while not pattern.startswith("]", at):
        if pattern.startswith("-[", at) and plain + exact:
            taken_away, at = character_class(pattern, at + 2)
            break
        is_exact = pattern.startswith(("\\p", "\\P"), at)
        part, at = _part(pattern, at)
        plain, exact = (plain, exact + part) if is_exact else (plain + part, exact)
    if not plain + exact or not pattern.startswith("]", at):
        raise _wrong(pattern)
    made = _joined(plain, exact, negated=negated)
    return (f"(?:(?!{taken_away}){made})" if taken_away else made), at + 1


def _joined(plain: str, exact: str, *, negated: bool) -> str:
    """Categories mean their own characters only, also where capitals are as good as small letters."""
    if not exact:
        return f"[{'^' if negated else ''}{plain}]"
    either = f"(?-i:[{exact}])" + (f"|[{plain}]" if plain else "")
    return f"(?:(?!{either})(?s:.))" if negated else f"(?:{either})"


def _part(pattern: str, at: int) -> tuple[str, int]:
    """One character, a range or an escape."""
    low, end = _member(pattern, at)
    if not pattern.startswith("-", end) or pattern.startswith(("-]", "-["), end):
        return low, end
    high, after = _member(pattern, end + 1)
    if _width(low) != 1 or _width(high) != 1:
        raise _wrong(pattern)
    return f"{low}-{high}", after


def _member(pattern: str, at: int) -> tuple[str, int]:
    character = pattern[at] if at < len(pattern) else ""
    if character == "\\":
        return escape_class(pattern, at + 1)
    if not character or character == "[":
        raise _wrong(pattern)
    return re.escape(character), at + 1


def _width(member: str) -> int:
    """1 for a single character, perhaps escaped."""
    return 1 if len(member) == 1 or (len(member) == 2 and member[0] == "\\") else 2


def _letter_class(letter: str) -> str:
    match letter.lower():
        case "s":
            positive = _SPACES
        case "d":
            positive = _categories("Nd")
        case "w":
            return _words() if letter == "w" else _categories("P") + _categories("Z") + _categories("C")
        case "i":
            positive = _START_OF_NAME
        case _:
            positive = _IN_NAME
    return positive if letter.islower() else _complement(positive)


def _property(name: str, *, negated: bool) -> str:
    positive = _BLOCKS.get(name.removeprefix("Is"), "") if name.startswith("Is") else _categories(name)
    if not positive:
        raise FeelError(f"there is no class of characters {name}")
    return _complement(positive) if negated else positive


@lru_cache(maxsize=1)
def _words() -> str:
    """All but punctuation, separators and others."""
    return "".join(_categories(kind) for kind in "LMNS")


@lru_cache(maxsize=64)
def _categories(name: str) -> str:
    """The characters whose Unicode category begins with the name."""
    runs = (run for category, run in _runs() if category.startswith(name))
    return "".join(_spelled(first, last) for first, last in runs)


@lru_cache(maxsize=1)
def _runs() -> tuple[tuple[str, tuple[int, int]], ...]:
    return tuple(_scan())


def _scan() -> Iterator[tuple[str, tuple[int, int]]]:
    first, category = 0, unicodedata.category("\0")
    for point in range(1, sys.maxunicode + 1):
        following = unicodedata.category(chr(point))
        if following != category:
            yield category, (first, point - 1)
            first, category = point, following
    yield category, (first, sys.maxunicode)


@lru_cache(maxsize=64)
def _complement(positive: str) -> str:
    """Python has no complement inside brackets, so it is worked out."""
    is_member = re.compile(f"[{positive}]").match
    outside = [point for point in range(sys.maxunicode + 1) if not is_member(chr(point))]
    return "".join(_spelled(first, last) for first, last in _as_runs(outside))


def _as_runs(points: list[int]) -> Iterator[tuple[int, int]]:
    start = previous = None
    for point in points:
        if start is None or previous is None:
            start = point
        elif point != previous + 1:
            yield start, previous
            start = point
        previous = point
    if start is not None and previous is not None:
        yield start, previous


def _spelled(first: int, last: int) -> str:
    low, high = re.escape(chr(first)), re.escape(chr(last))
    return low if first == last else f"{low}-{high}"


def _wrong(pattern: str) -> FeelError:
    return FeelError(f"{pattern[:60]} is no regular expression")
