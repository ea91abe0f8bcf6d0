"""What an answer field is when a draw is open: the plain values of all outcomes, merged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Plain = Any
Order = Callable[[Plain], Any]
"""What the values that stand in `any_of` are ordered by."""


def by_value(value: Plain) -> Any:
    return value


def by_vocabulary(names: Mapping[str, Any]) -> Order:
    return {id_: place for place, id_ in enumerate(names)}.__getitem__


def merged(values: Sequence[Plain], order: Order | None) -> tuple[Plain, list[Plain]]:
    """The value, where all are equal; else null and the different values in their order. Null stands
    last; what has no order of its own stays in the order of the draw."""
    first = values[0]
    if all(value is first for value in values):
        return first, []
    different = distinct(values)
    if len(different) == 1:
        return first, []
    present = [value for value in different if value is not None]
    if order is not None:
        present.sort(key=order)
    return None, present + [value for value in different if value is None]


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
