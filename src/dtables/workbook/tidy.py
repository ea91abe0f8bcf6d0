"""What keyboards and spreadsheets do to text, undone.

`typed_text` leaves what an author sees; `code_text` gives the plain spelling the expression language
reads, character for character as long as what was typed, so that a caret points right.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_UNSEEN = dict.fromkeys(map(ord, "\u200b\u200c\u200e\u200f\u2060\u00ad\ufeff"))
_JOINER = re.compile("(?<![\u2600-\U0001ffff\ufe0f])\u200d")
"""The zero-width joiner is kept only where it glues pictures together."""

_DOUBLE = {"“": "”", "„": "”“", "‟": "”", "«": "»", "»": "«", "″": "″", "”": "”", "＂": "＂"}
"""Opening quote and what may close it; a plain `"` always may."""
_SINGLE = "’‘ʼ′‛`´"
_DASHES = "–—−‐‑‒―﹣－"

_WIDE = {ord(c): chr(ord(c) - 0xFEE0) for c in "０１２３４５６７８９：；，．（）［］＜＞＝＋＊／％"}
"""Digits and signs of East Asian keyboards."""

_PLAIN = {
    **_WIDE,
    **{ord(c): "'" for c in _SINGLE},
    **{ord(c): "-" for c in _DASHES},
    **{ord(c): " " for c in "\t\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))},
}

_SPACES = re.compile(r"(?<![ \n])  +(?!\n)")
_DECIMAL_COMMA = re.compile(r"-?[0-9]+,[0-9]+")


def typed_and_code(raw: str) -> tuple[str, str]:
    return _often(raw) if len(raw) <= _SHORT else _typed_and_code(raw)


def _typed_and_code(raw: str) -> tuple[str, str]:
    typed = typed_text(raw)
    return typed, code_text(typed)


_SHORT = 100
_often = lru_cache(maxsize=4096)(_typed_and_code)
"""Columns say the same over and over."""


def typed_text(raw: str) -> str:
    """Composed accents, no characters of no width, one kind of line end, no space around it."""
    text = raw.replace("_x000D_", "").replace("\r\n", "\n").replace("\r", "\n")
    text = _JOINER.sub("", text.translate(_UNSEEN))
    return unicodedata.normalize("NFC", text).strip()


def code_text(typed: str) -> str:
    plain = typed.translate(_PLAIN)
    return _straight_quotes(plain) if any(c in _DOUBLE for c in plain) else plain


def _straight_quotes(text: str) -> str:
    """Inside a text in quotes the other kinds of quotes are its content."""
    result: list[str] = []
    closers = ""
    for position, char in enumerate(text):
        escaped = bool(result) and result[-1] == "\\"
        if closers:
            ends = char in closers and not escaped
            result.append('"' if ends else char)
            closers = "" if ends else closers
        elif char == '"' or char in _DOUBLE:
            result.append('"')
            closers = _closers(char, text[position + 1 :])
        else:
            result.append(char)
    return "".join(result)


def _closers(opener: str, rest: str) -> str:
    if opener == '"':
        return '"' if '"' in rest else '"”“»'
    return _DOUBLE[opener] + '"'


def spare_spaces(code: str) -> frozenset[int]:
    """Where spaces follow spaces, but for those inside texts and at the ends of lines."""
    if "  " not in code:
        return frozenset()
    inside = [False]
    for char, before in zip(code, " " + code, strict=False):
        inside.append(inside[-1] != (char == '"' and before != "\\"))
    return frozenset(
        n
        for found in _SPACES.finditer(code)
        if found.start() and found.end() < len(code) and not inside[found.start()]
        for n in range(found.start() + 1, found.end())
    )


def with_decimal_point(code: str) -> str | None:
    """`3,5` as an Italian hand writes a number; None for anything else."""
    return code.replace(",", ".") if _DECIMAL_COMMA.fullmatch(code) else None
