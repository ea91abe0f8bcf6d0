"""Things that read one another: an order in which each comes after those it reads, and the circles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

Thing = TypeVar("Thing")


def in_reading_order(
    starts: Iterable[Thing], reads: Mapping[Thing, Iterable[Thing]]
) -> tuple[tuple[Thing, ...], tuple[tuple[Thing, ...], ...]]:
    """What is read before what reads it, as far as circles let it; and the path of each circle."""
    order: dict[Thing, None] = {}
    circles: list[tuple[Thing, ...]] = []
    for start in starts:
        path = [] if start in order else [start]
        waiting = [iter(reads[member]) for member in path]
        while path:
            following = next(waiting[-1], None)
            if following is None:
                order[path.pop()] = None
                waiting.pop()
            elif following in path:
                circles.append(tuple(path[path.index(following) :]))
            elif following not in order:
                path.append(following)
                waiting.append(iter(reads[following]))
    return tuple(order), tuple(circles)
