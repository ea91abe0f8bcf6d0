"""Values as text, in FEEL's own spelling: what `string(...)` gives."""

from __future__ import annotations

import re
from decimal import Decimal

from dtables.feel import numbers
from dtables.feel.errors import FeelError
from dtables.feel.kinds import Fields, Range, Row, Value, kind_of
from dtables.feel.temporal import Date, DateTime, DaysDuration, Time, YearsDuration

_BARE_KEY = re.compile(r"[^\W\d]\w*(?: \w+)*")


def to_text(value: Value) -> str:
    """A text is itself; inside lists and contexts it stands in quotes."""
    return value if type(value) is str else literal(value)


def literal(value: Value) -> str:
    """As it would be written in an expression, but that dates and durations stand without @ and quotes."""
    kind = type(value)
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind is Decimal:
        return numbers.to_text(value)
    if kind is str:
        return quoted(value)
    if kind is list:
        return "[" + ", ".join(literal(item) for item in value) + "]"
    if kind is dict:
        return _context(value)
    if isinstance(value, (Date, Time, DateTime, DaysDuration, YearsDuration)):
        return str(value)
    if isinstance(value, Range):
        return _range(value)
    if isinstance(value, Row):
        return value.id
    if isinstance(value, Fields):
        return _context(dict(value.stored()))
    raise FeelError(f"{kind_of(value)} has no text")


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _context(entries: dict[str, Value]) -> str:
    return "{" + ", ".join(f"{_key(key)}: {literal(value)}" for key, value in entries.items()) + "}"


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else quoted(key)


def _range(range_: Range) -> str:
    if range_.high is None:
        return f"({'>=' if range_.low_included else '>'} {literal(range_.low)})"
    if range_.low is None:
        return f"({'<=' if range_.high_included else '<'} {literal(range_.high)})"
    opening, closing = "[" if range_.low_included else "(", "]" if range_.high_included else ")"
    return f"{opening}{literal(range_.low)}..{literal(range_.high)}{closing}"
