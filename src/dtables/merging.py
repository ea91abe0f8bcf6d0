"""What an answer field is while a draw is open, in every engine: the plain values of all outcomes, merged."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

Plain = Any
Order = Callable[[Plain], Any]
"""What the values that stand in `any_of` are ordered by."""
MOST_OUTCOMES = 10_000
"""Of all open draws together."""


class WhenOpen(StrEnum):
    """What an answer is while a draw is open: what all outcomes agree on, alone or with a list of its own, or
    null."""

    MERGED = "merged"
    NULL = "null"
    LISTED = "listed"


class Reply(NamedTuple):
    """What an ask gives: its answer, and the asks that the rules demand next."""

    answer: dict[str, Any]
    next: tuple[str, ...] = ()


def reply_of(
    answers: Iterable[tuple[str, tuple[Plain, list[Plain]]]], demands: Iterable[tuple[str, bool]]
) -> Reply:
    """The reply of fields, each with its value and what stands for it in `any_of`, and of asks, each with
    whether it is demanded. What comes next is worked out when everything is answered."""
    answer: dict[str, Plain] = {}
    any_of: dict[str, list[Plain]] = {}
    for name, (value, listed) in answers:
        answer[name] = value
        if listed:
            any_of[name] = listed
    if any_of:
        answer["any_of"] = any_of
    return Reply(answer, tuple(dict.fromkeys(ask for ask, is_demanded in demands if is_demanded)))


def by_value(value: Plain) -> Any:
    """Order plain values as they are."""
    return value


def by_vocabulary(names: Mapping[str, Any]) -> Order:
    """Return the order in which a vocabulary lists its names."""
    return {id_: place for place, id_ in enumerate(names)}.__getitem__


def merged(values: Sequence[Plain], order: Order | None) -> tuple[Plain, list[Plain]]:
    """The value, where all are equal; else null and the different values in their order. Null stands
    last; what has no order of its own stays in the order of the draw."""
    different = distinct_plain(values)
    if len(different) == 1:
        return different[0], []
    present = [value for value in different if value is not None]
    if order is not None:
        present.sort(key=order)
    return None, present + [value for value in different if value is None]


def certain(demanded: Sequence[object]) -> bool:
    """Whether the rules demand an ask in every outcome; below a stop they demand nothing."""
    return all(value is True for value in demanded)


def distinct_plain(values: Sequence[Plain]) -> list[Plain]:
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
