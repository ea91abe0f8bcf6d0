"""What `range("[1..5)")` reads: literals only, no names and no calculation."""

from __future__ import annotations

import re

from dtables.feel import numbers, temporal_text
from dtables.feel.errors import FeelError, LimitError
from dtables.feel.kinds import Range, Value
from dtables.feel.operators import less

MOST_CHARACTERS = 1_000

_END = (
    r'(?P<{0}number>-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+))|"(?P<{0}text>(?:[^"\\]|\\.)*)"|@"(?P<{0}at>[^"\\]*)"'
    r'|(?P<{0}function>date\s+and\s+time|date|time|duration)\s*\(\s*"(?P<{0}argument>[^"\\]*)"\s*\)'
)
_RANGE = re.compile(
    rf"\s*([\[(\]])\s*(?:{_END.format('low_')})\s*\.\.\s*(?:{_END.format('high_')})\s*([\])\[])\s*",
    re.ASCII | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}|.)", re.DOTALL)


def parse_range(text: str) -> Range:
    if len(text) > MOST_CHARACTERS:
        raise LimitError(f"a text is read as a range up to {MOST_CHARACTERS:,} characters")
    match = _RANGE.fullmatch(text)
    if match is None:
        raise FeelError(f'"{text[:60]}" is no range')
    low, high = _end(match, "low_"), _end(match, "high_")
    if less(high, low):
        raise FeelError("the range ends before it begins")
    return Range(low, high, match[1] == "[", match[match.re.groups] == "]")


def _end(match: re.Match[str], side: str) -> Value:
    if match[f"{side}number"] is not None:
        return numbers.from_text(match[f"{side}number"])
    if match[f"{side}text"] is not None:
        return _ESCAPE.sub(_character, match[f"{side}text"])
    if match[f"{side}at"] is not None:
        return temporal_text.parse_temporal(match[f"{side}at"])
    return _called(match[f"{side}function"], match[f"{side}argument"])


def _called(function: str, argument: str) -> Value:
    match "".join(function.split()):
        case "date":
            return temporal_text.parse_date(argument)
        case "time":
            return temporal_text.parse_time(argument)
        case "duration":
            return temporal_text.parse_duration(argument)
        case _:
            return temporal_text.parse_date_time(argument)


def _character(match: re.Match[str]) -> str:
    escaped = match[1]
    if escaped[0] in "uU" and len(escaped) > 1:
        return chr(int(escaped[1:], 16))
    return {"n": "\n", "r": "\r", "t": "\t"}.get(escaped, escaped)
