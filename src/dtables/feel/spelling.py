"""Values as text, in FEEL's own spelling: what `string(...)` gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from dtables.feel import numbers
from dtables.feel.errors import FeelError
from dtables.feel.kinds import Fields, Range, Row, Value, kind_of
from dtables.feel.limits import text_of
from dtables.feel.temporal import Date, DateTime, DaysDuration, Time, YearsDuration

_BARE_KEY = re.compile(r"[^\W\d]\w*(?: \w+)*")


def to_text(value: Value) -> str:
    """A text is itself; inside lists and contexts it stands in quotes."""
    return value if type(value) is str else literal(value)


def literal(value: Value) -> str:
    """Spell a value as in an expression, but for dates and durations, which have no @ and quotes."""
    return text_of(_pieces(value)) if isinstance(value, _COMPOUND) else _scalar(value)


def _pieces(value: Value) -> Iterator[str]:
    kind = type(value)
    if kind is list:
        yield "["
        for number, item in enumerate(value):
            yield ", " if number else ""
            yield from _pieces(item)
        yield "]"
    elif kind is dict:
        yield from _context(value)
    elif isinstance(value, Fields) and not isinstance(value, Row):
        yield from _context(value.stored())
    elif isinstance(value, Range):
        yield _range(value)
    else:
        yield _scalar(value)


_COMPOUND = (list, dict, Fields, Range)


def _scalar(value: Value) -> str:
    kind = type(value)
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind is Decimal:
        return numbers.to_text(value)
    if kind is str:
        return quoted(value)
    if isinstance(value, (Date, Time, DateTime, DaysDuration, YearsDuration)):
        return str(value)
    if isinstance(value, Row):
        return value.id
    raise FeelError(f"{kind_of(value)} has no text")


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _context(entries: Mapping[str, Value]) -> Iterator[str]:
    yield "{"
    for number, (key, value) in enumerate(entries.items()):
        yield f"{', ' if number else ''}{_key(key)}: "
        yield from _pieces(value)
    yield "}"


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else quoted(key)


def _range(range_: Range) -> str:
    if range_.high is None:
        return f"({'>=' if range_.low_included else '>'} {literal(range_.low)})"
    if range_.low is None:
        return f"({'<=' if range_.high_included else '<'} {literal(range_.high)})"
    opening, closing = "[" if range_.low_included else "(", "]" if range_.high_included else ")"
    return f"{opening}{literal(range_.low)}..{literal(range_.high)}{closing}"
