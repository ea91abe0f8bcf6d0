"""What an answer field is when a draw is open: the values of all outcomes, merged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    kept: list[Plain] = []
    for value in values:
        if not any(equal_plain(value, other) for other in kept):
            kept.append(value)
    return kept


def equal_plain(a: Plain, b: Plain) -> bool:
    """As JSON: a boolean equals no number."""
    match a, b:
        case (bool(), _) | (_, bool()):
            return a is b
        case dict(), dict():
            return a.keys() == b.keys() and all(equal_plain(a[key], b[key]) for key in a)
        case list(), list():
            return len(a) == len(b) and all(map(equal_plain, a, b))
        case _:
            return bool(a == b)


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
