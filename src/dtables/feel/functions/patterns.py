r"""Regular expressions as XPath has them (the standard's `matches`, `replace`, `split`).

They are translated to Python's, which differ: the dot, the dollar, `\w`, classes of characters and
their subtraction. What Python knows and XPath does not (look-ahead, possessive repetition) is refused.
Lengths are bounded; where a repeated group can match in several ways (`pattern_loops`), texts must be
short, because Python's search may then take a time that doubles with every character."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from dtables.feel.errors import FeelError, LimitError
from dtables.feel.limits import text_of

MOST_PATTERN = 1_000
MOST_TEXT = 100_000
MOST_TEXT_OF_NESTED = 24
MOST_REPEATS = 1_000

_REPLACEMENT = re.compile(r"\\([\\$])|\$([0-9]+)|([^\\$]+)|(.)", re.DOTALL)


def matches(text: str, pattern: str, flags: str) -> bool:
    return _compiled_for(text, pattern, flags).search(text) is not None


def replace(text: str, pattern: str, replacement: str, flags: str) -> str:
    compiled = _compiled_for(text, pattern, flags)
    if compiled.search("") is not None:
        raise FeelError("a pattern that matches the empty text cannot be replaced")
    pieces = _replacement(replacement, compiled.groups, literal="q" in flags)
    return text_of(_replaced(text, compiled, pieces))


def _replaced(text: str, compiled: re.Pattern[str], pieces: tuple[str | int, ...]) -> Iterator[str]:
    end = 0
    for match in compiled.finditer(text):
        yield text[end : match.start()]
        yield from _filled(pieces, match)
        end = match.end()
    yield text[end:]


def split(text: str, pattern: str) -> Iterator[str]:
    compiled = _compiled_for(text, pattern, "")
    if compiled.search("") is not None:
        raise FeelError("a pattern that matches the empty text splits nothing")
    end = 0
    for match in compiled.finditer(text):
        yield text[end : match.start()]
        end = match.end()
    yield text[end:]


# -- what a match is replaced by -----------------------------------------------------------------


def _replacement(replacement: str, groups: int, *, literal: bool) -> tuple[str | int, ...]:
    """Texts and numbers of groups."""
    if literal:
        return (replacement,)
    pieces: list[str | int] = []
    for escaped, group, plain, stray in _REPLACEMENT.findall(replacement):
        if stray:
            raise FeelError(f"in a replacement {stray} is written \\{stray}")
        pieces += _group(group, groups) if group else [escaped or plain]
    return tuple(pieces)


def _group(digits: str, groups: int) -> list[str | int]:
    """`$12` is group 12, or group 1 and a 2 where there are not so many."""
    length = min(len(digits), len(str(MOST_PATTERN)))
    while length > 1 and int(digits[:length]) > groups:
        length -= 1
    return [int(digits[:length]), digits[length:]]


def _filled(pieces: tuple[str | int, ...], match: re.Match[str]) -> Iterator[str]:
    count = match.re.groups
    for piece in pieces:
        if isinstance(piece, str):
            yield piece
        elif piece <= count:
            yield match[piece] or ""


# -- from XPath's spelling to Python's -----------------------------------------------------------


def _compiled_for(text: str, pattern: str, flags: str) -> re.Pattern[str]:
    if len(text) > MOST_TEXT:
        raise LimitError(f"a text of more than {MOST_TEXT:,} characters is not searched")
    compiled, nested = compile_pattern(pattern, flags)
    if nested and len(text) > MOST_TEXT_OF_NESTED:
        raise LimitError(
            f"a repeated group that matches in several ways searches at most {MOST_TEXT_OF_NESTED} characters"
        )
    return compiled


@lru_cache(maxsize=256)
def compile_pattern(pattern: str, flags: str) -> tuple[re.Pattern[str], bool]:
    """Python's pattern, and whether a repetition may take a time that doubles with every character."""
    if len(pattern) > MOST_PATTERN:
        raise LimitError(f"a pattern has at most {MOST_PATTERN:,} characters")
    if stray := set(flags) - set("smixq"):
        raise FeelError(f"there is no flag {min(stray)}")
    re_flags = re.IGNORECASE if "i" in flags else re.NOFLAG
    translation = _Translation(_without_spaces(pattern) if "x" in flags else pattern, flags, re_flags)
    try:
        translated = re.escape(pattern) if "q" in flags else translation.run()
        return re.compile(translated, re_flags), translation.nested
    except (re.error, RecursionError, OverflowError):
        raise FeelError(f"{pattern[:60]} is no regular expression") from None


_CLASS_OR_SPACE = re.compile(r"(\\[\[\]\\])|([\[\]])|([ \t\n\r]+)")


def _without_spaces(pattern: str) -> str:
    """The flag x: spaces count inside brackets only."""
    depth = 0

    def kept(match: re.Match[str]) -> str:
        nonlocal depth
        if match[2]:
            depth += 1 if match[2] == "[" else -1
        return match[0] if depth > 0 or not match[3] else ""

    return _CLASS_OR_SPACE.sub(kept, pattern)


class _Translation:
    """One pass over a pattern; `open` has, per open group, the parts of its alternatives so far."""

    def __init__(self, pattern: str, flags: str, re_flags: re.RegexFlag) -> None:
        self.pattern = pattern
        self.flags = flags
        self.re_flags = re_flags
        self.at = 0
        self.open: list[list[list[Part]]] = [[[]]]
        self.closed_group = False
        self.nested = False

    def run(self) -> str:
        return "".join(self._pieces())

    def _pieces(self) -> Iterator[str]:
        while self.at < len(self.pattern):
            character = self.pattern[self.at]
            self.at += 1
            yield self._piece(character)

    def _piece(self, character: str) -> str:
        match character:
            case "*" | "+" | "?" | "{":
                return self._repeat(character)
            case ")":
                return self._close()
        self.closed_group = False
        match character:
            case "(":
                return self._open()
            case "[":
                translated, self.at = character_class(self.pattern, self.at)
                return self._letter(translated)
            case "\\":
                return self._escape()
            case _:
                return self._plain(character)

    def _letter(self, translated: str) -> str:
        self._add(partial(letter, translated, self.re_flags))
        return translated

    def _add(self, part: Part) -> None:
        self.open[-1][-1].append(part)

    def _plain(self, character: str) -> str:
        match character:
            case ".":
                return self._letter("(?s:.)" if "s" in self.flags else r"[^\n\r]")
            case "^" | "$":
                self._add(_nothing)
                whole = r"\A" if character == "^" else r"\Z"
                return f"(?m:{character})" if "m" in self.flags else whole
            case "|":
                self.open[-1].append([])
                return "|"
            case "]" | "}":
                raise self._wrong()
            case _:
                return self._letter(re.escape(character))

    def _open(self) -> str:
        self.open.append([[]])
        if not self.pattern.startswith("?", self.at):
            return "("
        if not self.pattern.startswith("?:", self.at):
            raise self._wrong()
        self.at += 2
        return "(?:"

    def _close(self) -> str:
        if len(self.open) == 1:
            raise self._wrong()
        self._add(partial(either, self.open.pop()))
        self.closed_group = True
        return ")"

    def _escape(self) -> str:
        if self.at < len(self.pattern) and self.pattern[self.at] in "123456789":
            self.at += 1
            self._add(_anything)
            return f"(?:\\{self.pattern[self.at - 1]})"
        letter_at = self.at
        translated, self.at = escape_class(self.pattern, self.at)
        exact = self.pattern.startswith(("p", "P"), letter_at)
        return self._letter(f"(?-i:[{translated}])" if exact else f"[{translated}]")

    def _repeat(self, character: str) -> str:
        amount = character if character != "{" else self._amount()
        parts = self.open[-1][-1]
        if not parts:
            raise self._wrong()
        part = partial(repeated, parts.pop(), *_bounds(amount))
        parts.append(part)
        self.nested = self.nested or (self.closed_group and amount != "?" and not part().sure)
        if self.pattern.startswith("?", self.at):
            self.at += 1
            amount += "?"
        if self.at < len(self.pattern) and self.pattern[self.at] in "*+?{":
            raise self._wrong()
        return amount

    def _amount(self) -> str:
        found = re.compile(r"([0-9]+)(?:,([0-9]*))?\}").match(self.pattern, self.at)
        if found is None:
            raise self._wrong()
        if any(int(digits) > MOST_REPEATS for digits in found.groups() if digits):
            raise LimitError(f"a pattern repeats at most {MOST_REPEATS:,} times")
        self.at = found.end()
        return "{" + found[0]

    def _wrong(self) -> FeelError:
        return FeelError(f"{self.pattern[:60]} is no regular expression")


def _nothing() -> PatternShape:
    return NOTHING


def _anything() -> PatternShape:
    return ANYTHING


def _bounds(amount: str) -> tuple[int, int | None]:
    match amount:
        case "*" | "+" | "?":
            return int(amount == "+"), 1 if amount == "?" else None
        case _:
            least, comma, most = amount.strip("{}").partition(",")
            return int(least), int(most or least) if most or not comma else None


# -- classes of characters --------------------------------------------------------------------------
# Classes of characters in XPath's regular expressions, as Python's can say them.
#
# Python knows no `\p{Lu}`, no `\i` and `\c`, no subtraction `[a-z-[aeiou]]`, and counts the underscore
# as a letter of words.

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
    translated = _joined(plain, exact, negated=negated)
    return (f"(?:(?!{taken_away}){translated})" if taken_away else translated), at + 1


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


# -- groups that repeat -----------------------------------------------------------------------------
# Which repetitions of groups Python's search can do in time that does not double with every character.
#
# It tries one way after the other; they multiply only where a character may belong to more than one part
# of what is repeated. In `(,\s*[0-9]+)*` each character has one place, in `(a|a?)+` it has several.

# Without the halves of pairs; what lies beyond counts as unknown.
_CHARACTERS = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x10000))))


@dataclass(frozen=True, slots=True)
class PatternShape:
    """Sets of characters are the bits of a number. `first` may begin it, `after` may go on with it where
    it could also be over; `empty`: it may match nothing; `sure`: each character has one place in it."""

    first: int
    after: int
    empty: bool
    sure: bool


Part = Callable[[], PatternShape]
"""Worked out only where something is repeated."""

NOTHING = PatternShape(0, 0, empty=True, sure=True)
ANYTHING = PatternShape((1 << 0x10000) - 1, (1 << 0x10000) - 1, empty=True, sure=False)


def letter(python: str, flags: re.RegexFlag) -> PatternShape:
    """What matches one character."""
    found = _characters_matching(python, flags)
    return PatternShape(found, 0, empty=False, sure=found != 0)


@lru_cache(maxsize=512)
def _characters_matching(python: str, flags: re.RegexFlag) -> int:
    bits = bytearray(0x2000)
    for character in re.findall(python, _CHARACTERS, flags):
        bits[ord(character) >> 3] |= 1 << (ord(character) & 7)
    return int.from_bytes(bits, "little")


def either(alternatives: Sequence[Sequence[Part]]) -> PatternShape:
    first = after = 0
    empty, sure = False, True
    for alternative in map(_in_turn, alternatives):
        sure = sure and alternative.sure and not (first & alternative.first or (empty and alternative.empty))
        first, after = first | alternative.first, after | alternative.after
        empty = empty or alternative.empty
    return PatternShape(first, after, empty, sure)


def _in_turn(parts: Sequence[Part]) -> PatternShape:
    first = after = 0
    empty = sure = True
    for part in parts:
        shape = part()
        sure = sure and shape.sure and not after & shape.first
        first |= shape.first if empty else 0
        after = after | shape.first | shape.after if shape.empty else shape.after
        empty = empty and shape.empty
    return PatternShape(first, after, empty, sure)


def repeated(part: Part, least: int, most: int | None) -> PatternShape:
    shape = part()
    if most is not None and most <= 1:
        return PatternShape(shape.first, shape.after, shape.empty or least == 0, shape.sure)
    sure = shape.sure and not shape.empty and not shape.after & shape.first
    return PatternShape(shape.first, shape.after | shape.first, shape.empty or least == 0, sure)
