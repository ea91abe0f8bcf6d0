"""Numbers and texts as they are written, to the values they stand for."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_EVEN, Context, Decimal, Inexact, Overflow

from dtables.diagnostics import Problem
from dtables.feel import problems
from dtables.feel.lexer import Token
from dtables.feel.numbers import CONTEXT, DIGITS
from dtables.provenance import Span

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "'": "'", "\\": "\\"}
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{6})|(.))", re.DOTALL)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def number(token: Token) -> tuple[int | Decimal | None, tuple[Problem, ...]]:
    """A whole number is an int however it is written (`1.0`, `1e3`). More digits than numbers keep are
    a problem beside the rounded value; a number out of range has no value."""
    context = Context(DIGITS, ROUND_HALF_EVEN, Emin=CONTEXT.Emin, Emax=CONTEXT.Emax, traps=[])
    value = context.create_decimal(token.text)
    if context.flags[Overflow]:
        return None, (problems.number_too_large(token.span),)
    found = (problems.number_too_large(token.span),) if context.flags[Inexact] else ()
    return (int(value) if value == value.to_integral_value(context=context) else value), found


def text(quoted: str, start: int) -> tuple[str, tuple[Problem, ...]]:
    """The value of `"…"`, which stands at `start`; an escape nobody knows stays as it is written."""
    unknown: list[Problem] = []

    def replace(found: re.Match[str]) -> str:
        four, six, letter = found.groups()
        if letter is None:
            code = int(four or six, 16)
            if code <= 0x10FFFF:
                return chr(code)
        elif letter in _ESCAPES:
            return _ESCAPES[letter]
        unknown.append(problems.unknown_escape(found[0], _within(found, start)))
        return found[0]

    value = _ESCAPE.sub(replace, quoted[1:-1])
    joined = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), value)
    return joined, tuple(unknown)


def _within(found: re.Match[str], start: int) -> Span:
    """The quote before the text counts."""
    return Span(start + 1 + found.start(), start + 1 + found.end())
