"""What an answer field is when a draw is open: the values of all outcomes, merged."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from decimal import Decimal
from typing import Any

from dtables.evaluator.index import Index
from dtables.feel.types import BooleanType, NumberType, Type, VocabularyType, plain

Plain = Any


def merged(values: Sequence[Plain], type_: Type, index: Index) -> tuple[Plain, list[Plain]]:
    """The value, where all are equal; else null and the different values in the order of their type."""
    different = distinct(values)
    if len(different) == 1:
        return different[0], []
    return None, _in_order(different, type_, index)


def distinct(values: Sequence[Plain]) -> list[Plain]:
    """The first of each, in order."""
    kept: dict[Hashable, Plain] = {}
    for value in values:
        kept.setdefault(_identity(value), value)
    return list(kept.values())


def _identity(value: Plain) -> Hashable:
    """Equal for what is equal as JSON: a number in any spelling, but a boolean equals no number."""
    match value:
        case bool():
            return ("boolean", value)
        case dict():
            return ("object", frozenset((key, _identity(entry)) for key, entry in value.items()))
        case list():
            return ("list", tuple(map(_identity, value)))
        case _:
            scalar: Hashable = value
            return scalar


def _in_order(values: list[Plain], type_: Type, index: Index) -> list[Plain]:
    """Null stands last; what has no order of its own stays in the order of the draw."""
    place = _order_of(type_, index)
    present = [value for value in values if value is not None]
    if place is not None:
        present.sort(key=place)
    return present + [value for value in values if value is None]


def _order_of(type_: Type, index: Index) -> Callable[[Plain], int | Decimal] | None:
    match plain(type_):
        case VocabularyType(root=root):
            ids = [label.id for label in index.vocabularies[root].names]
            return ids.index
        case NumberType() | BooleanType():
            return _itself
        case _:
            return None


def _itself(value: Plain) -> int | Decimal:
    number: int | Decimal = value
    return number
