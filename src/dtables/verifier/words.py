"""Sets of values in a workbook's words: `Points is in [100..200)`, `Tier is gold or silver`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor

from dtables.feel.types import TEXT, BooleanType, NumberType, plain
from dtables.feel.values import Value, as_plain
from dtables.model.expressions import CallTable
from dtables.verifier.columns import Column
from dtables.verifier.grid import Bits, Box, members, runs
from dtables.verifier.regions import Atom

MOST_NAMES = 6
_NAME = re.compile(r"[\w .]+")


def name_of(column: Column) -> str:
    named = column.plain or isinstance(column.expression, CallTable)
    return column.name if named and _NAME.fullmatch(column.name) else f"`{column.name}`"


def value_text(column: Column, value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "null"
    if isinstance(value, str):
        return f'"{value}"' if plain(column.type) == TEXT else value
    return plain_text(value)


def plain_text(value: Value) -> str:
    return str(as_plain(value))


def point(columns: Sequence[Column], box: Box) -> tuple[Value, ...]:
    """One point of a box; null only where there is nothing else."""
    return tuple(_one(column, bits) for column, bits in zip(columns, box, strict=True))


def _one(column: Column, bits: Bits) -> Value:
    bits = bits & ~column.axis.nothing or bits
    return column.axis.atoms[(bits & -bits).bit_length() - 1].value


def example(columns: Sequence[Column], values: Sequence[Value], *boxes: Box) -> str:
    """Of the cells that are columns of their own only those that one of the boxes has to do with."""
    shown = []
    for n, (column, value) in enumerate(zip(columns, values, strict=True)):
        if column.plain or any(box[n] != column.full for box in boxes):
            shown.append(f"{name_of(column)} = {value_text(column, value)}")
    return ", ".join(shown)


def region(columns: Sequence[Column], box: Box) -> str:
    """Only the columns that it narrows; ordered values first."""
    narrowed = [(c, bits) for c, bits in zip(columns, box, strict=True) if bits != c.full]
    narrowed.sort(key=lambda pair: not pair[0].axis.ordered)
    said = [values(column, bits) for column, bits in narrowed]
    return " and ".join(said)


def values(column: Column, bits: Bits) -> str:
    name = name_of(column)
    if bits == column.full:
        return f"{name} is anything"
    null = bits & column.axis.nothing
    rest = bits & ~column.axis.nothing
    if not rest:
        return f"{name} is null"
    said = _ordered(column, rest) if column.axis.ordered else _listed(column, rest)
    return f"{name} {said}" + (" (or null)" if null else "")


def _listed(column: Column, bits: Bits) -> str:
    if isinstance(plain(column.type), BooleanType) and bits.bit_count() == 2:
        return "is yes or no"
    others = column.full & ~column.axis.nothing & ~bits
    rest = any(column.axis.atoms[n].rest for n in members(bits))
    if others and (rest or others.bit_count() < bits.bit_count()):
        return f"is {'not' if others.bit_count() == 1 else 'none of'} " + _either(column, others)
    return "is " + _either(column, bits)


def _either(column: Column, bits: Bits) -> str:
    named = [value_text(column, column.axis.atoms[n].value) for n in members(bits)]
    if len(named) > MOST_NAMES:
        named = [*named[: MOST_NAMES - 1], f"{len(named) - MOST_NAMES + 1} others"]
    return listed(named, "or")


def listed(words: Iterable[str], last: str) -> str:
    *before, end = words
    return f"{', '.join(before)} {last} {end}" if before else end


def _ordered(column: Column, bits: Bits) -> str:
    atoms = column.axis.atoms
    pieces = [stretch_text(column, atoms[a], atoms[b - 1], plain_text) for a, b in runs(bits)]
    if len(pieces) > MOST_NAMES:
        pieces = [*pieces[: MOST_NAMES - 1], f"{len(pieces) - MOST_NAMES + 1} others"]
    if len(pieces) > 1:
        return "is in " + ", ".join(pieces)
    if pieces[0][0] in "<>":
        return pieces[0]
    return f"is in {pieces[0]}" if ".." in pieces[0] else f"is {pieces[0]}"


def stretch_text(column: Column, first: Atom, last: Atom, said: Callable[[Value], str]) -> str:
    """From one atom to another: `said` writes single values."""
    low, low_in = first.low, first.low == first.high
    high, high_in = last.high, last.low == last.high
    kind = plain(column.type)
    if isinstance(kind, NumberType) and kind.whole:
        low, low_in = (low, True) if low is None or low_in else (floor(low) + 1, True)
        high, high_in = (high, True) if high is None or high_in else (ceil(high) - 1, True)
    if low is None:
        return "any value" if high is None else f"{'<=' if high_in else '<'} {said(high)}"
    if high is None:
        return f"{'>=' if low_in else '>'} {said(low)}"
    if low == high:
        return said(low)
    return f"{'[' if low_in else '('}{said(low)}..{said(high)}{']' if high_in else ')'}"
