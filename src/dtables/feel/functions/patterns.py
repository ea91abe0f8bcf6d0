"""Regular expressions as XPath has them (the standard's `matches`, `replace`, `split`).

They are translated to Python's, which differ: the dot, the dollar, `\\w`, classes of characters and
their subtraction. What Python knows and XPath does not (look-ahead, possessive repetition) is refused.
Lengths are bounded; where a repeated group can match in several ways (`pattern_loops`), texts must be
short, because Python's search may then take a time that doubles with every character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache, partial

from dtables.feel.errors import FeelError, LimitError
from dtables.feel.functions.pattern_classes import character_class, escape_class
from dtables.feel.functions.pattern_loops import ANYTHING, NOTHING, Part, Shape, either, letter, repeated
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
    wanted = re.IGNORECASE if "i" in flags else re.NOFLAG
    translation = _Translation(_without_spaces(pattern) if "x" in flags else pattern, flags, wanted)
    try:
        translated = re.escape(pattern) if "q" in flags else translation.run()
        return re.compile(translated, wanted), translation.nested
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

    def __init__(self, pattern: str, flags: str, wanted: re.RegexFlag) -> None:
        self.pattern = pattern
        self.flags = flags
        self.wanted = wanted
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
                made, self.at = character_class(self.pattern, self.at)
                return self._letter(made)
            case "\\":
                return self._escape()
            case _:
                return self._plain(character)

    def _letter(self, made: str) -> str:
        self._add(partial(letter, made, self.wanted))
        return made

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
        made, self.at = escape_class(self.pattern, self.at)
        exact = self.pattern.startswith(("p", "P"), letter_at)
        return self._letter(f"(?-i:[{made}])" if exact else f"[{made}]")

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


def _nothing() -> Shape:
    return NOTHING


def _anything() -> Shape:
    return ANYTHING


def _bounds(amount: str) -> tuple[int, int | None]:
    match amount:
        case "*" | "+" | "?":
            return int(amount == "+"), 1 if amount == "?" else None
        case _:
            least, comma, most = amount.strip("{}").partition(",")
            return int(least), int(most or least) if most or not comma else None
