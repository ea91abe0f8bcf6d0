"""Sets of values in a workbook's words: `Points is in [100..200)`, `Tier is gold or silver`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from dtables.feel.types import TEXT, BooleanType, NumberType, TextType, plain
from dtables.feel.values import Value, as_plain
from dtables.model.expressions import CallTable
from dtables.model.grid import Box
from dtables.model.regions import Bits, Cut, Key, Line, Region, Span
from dtables.verifier.columns import GridColumn

MOST_NAMES = 6
_NAME = re.compile(r"[\w .]+")


def name_of(column: GridColumn) -> str:
    named = column.plain or isinstance(column.expression, CallTable)
    return column.name if named and _NAME.fullmatch(column.name) else f"`{column.name}`"


def value_text(column: GridColumn, value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "null"
    if isinstance(value, str):
        return f'"{value}"' if plain(column.type) == TEXT else value
    return plain_text(value)


def plain_text(value: Value) -> str:
    return str(as_plain(value))


def point(columns: Sequence[GridColumn], box: Box) -> tuple[Value, ...]:
    """One point of a box; null only where there is nothing else."""
    return tuple(_one(column, bits) for column, bits in zip(columns, box, strict=True))


def _one(column: GridColumn, bits: Bits) -> Value:
    """Of texts one that a cell names, or else one that none does."""
    bits = bits & ~column.nothing or bits
    if isinstance(column.axis.line.type, TextType):
        for text in (*column.named.values(), another(column.named)):
            place = column.axis.class_of(text)
            if place is not None and bits >> place & 1:
                return text
    span = column.axis.span((bits & -bits).bit_length() - 1)
    return None if span is None else column.value(_key_in(column, span))


def another(named: Iterable[Value]) -> str:
    """A text that is none of these."""
    other, texts = "other", set(named)
    while other in texts:
        other += "…"
    return other


def _key_in(column: GridColumn, span: Span) -> Key:
    """Of all from where the line begins what comes before the value that a cell names."""
    on, (low, high) = column.axis.line, span
    if not column.ordered or low != on.full.spans[0].low:
        return on.key_in(span)
    if low is not None and low.key in column.named:
        return low.key
    if on.whole and high is not None:
        below = Cut(_before(high), False)
        if below.key in column.named and (low is None or low < below):
            return on.key_in(Span(low, below))
    return on.key_in(span)


def _before(cut: Cut) -> int:
    """The last key in front of a cut of whole keys."""
    assert isinstance(cut.key, int)
    return cut.key - 1


def example(columns: Sequence[GridColumn], values: Sequence[Value], *boxes: Box) -> str:
    """Of the cells that are columns of their own only those that one of the boxes has to do with."""
    shown = []
    for n, (column, value) in enumerate(zip(columns, values, strict=True)):
        if column.plain or any(box[n] != column.full for box in boxes):
            shown.append(f"{name_of(column)} = {value_text(column, value)}")
    return ", ".join(shown)


def region(columns: Sequence[GridColumn], box: Box) -> str:
    """Only the columns that it narrows; ordered values first."""
    narrowed = [(c, bits) for c, bits in zip(columns, box, strict=True) if bits != c.full]
    narrowed.sort(key=lambda pair: not pair[0].ordered)
    parts = [values(column, bits) for column, bits in narrowed]
    return " and ".join(parts)


def values(column: GridColumn, bits: Bits) -> str:
    name = name_of(column)
    if bits == column.full:
        return f"{name} is anything"
    found = column.region(bits)
    if not found.spans:
        return f"{name} is null"
    there = Region(found.spans)
    described = _among_all(column, there) or _stretches(column, there)
    return f"{name} {described}" + (" (or null)" if found.null else "")


def _among_all(column: GridColumn, there: Region) -> str:
    """Names and texts, or those that are left out; nothing where they are not listed."""
    if column.ordered:
        return ""
    chosen, others = column.listed(there), column.listed(Region(column.extent.spans) - there)
    if isinstance(plain(column.type), BooleanType) and chosen and len(chosen) == 2:
        return "is yes or no"
    if others and (chosen is None or len(others) < len(chosen)):
        return f"is {'not' if len(others) == 1 else 'none of'} " + _either(column, others)
    return "is " + _either(column, chosen) if chosen else ""


def _either(column: GridColumn, some: Iterable[Value]) -> str:
    return listed(_few([value_text(column, value) for value in some]), "or")


def _few(pieces: list[str]) -> list[str]:
    if len(pieces) <= MOST_NAMES:
        return pieces
    return [*pieces[: MOST_NAMES - 1], f"{len(pieces) - MOST_NAMES + 1} others"]


def listed(words: Iterable[str], last: str) -> str:
    *before, end = words
    return f"{', '.join(before)} {last} {end}" if before else end


def _stretches(column: GridColumn, there: Region) -> str:
    pieces = _few([span_text(column, span, partial(value_text, column)) for span in there.spans])
    if len(pieces) > 1:
        return "is in " + ", ".join(pieces)
    if pieces[0][0] in "<>":
        return pieces[0]
    return f"is in {pieces[0]}" if ".." in pieces[0] else f"is {pieces[0]}"


def span_text(column: GridColumn, span: Span, written: Callable[[Value], str]) -> str:
    """As a cell says it; `written` writes single values."""
    low, high = _low(column, span.low), _high(column, span.high)
    if low is None:
        return "any value" if high is None else f"{'<' if high.open else '<='} {written(high.value)}"
    if high is None:
        return f"{'>' if low.open else '>='} {written(low.value)}"
    if low.value == high.value:
        return written(low.value)
    return f"{'(' if low.open else '['}{written(low.value)}..{written(high.value)}{')' if high.open else ']'}"


class _End(NamedTuple):
    value: Value
    open: bool
    """Does the value itself not belong to it?"""


def _low(column: GridColumn, cut: Cut | None) -> _End | None:
    """Where a stretch begins: of whole numbers with the first one, of days and the like as a cell has it."""
    on = column.axis.line
    if cut is None or (cut == on.full.spans[0].low and cut.key not in column.named):
        return None
    if not on.whole:
        return _End(column.value(cut.key), cut.behind)
    behind = not _is_number(on) and cut.key not in column.named and _before(cut) in column.named
    return _End(column.value(_before(cut) if behind else cut.key), behind)


def _high(column: GridColumn, cut: Cut | None) -> _End | None:
    on = column.axis.line
    if cut is None:
        return None
    if not on.whole:
        return _End(column.value(cut.key), not cut.behind)
    included = _is_number(on) or _before(cut) in column.named
    if not included and cut == on.full.spans[0].high:
        return None
    return _End(column.value(_before(cut) if included else cut.key), not included)


def _is_number(on: Line) -> bool:
    return isinstance(on.type, NumberType)
