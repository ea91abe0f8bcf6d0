"""`make check` draws and sweeps a third of what `make full` does, `make quick` a twentieth: the same in every
run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")
FULL = "DTABLES_FULL"
SEARCH = "DTABLES_SEARCH"
QUICK = "DTABLES_QUICK"
FEWEST = 2
FEWEST_IN_QUICK = 5


def is_full() -> bool:
    return FULL in os.environ or SEARCH in os.environ


def is_quick() -> bool:
    return QUICK in os.environ and not is_full()


def draws(count: int) -> int:
    """How many examples a test draws at random."""
    if is_full():
        return count
    third = max(FEWEST, -(-count // 3))
    return min(third, max(FEWEST_IN_QUICK, count // 20)) if is_quick() else third


def swept(cases: Iterable[T], first: int = 0) -> list[T]:
    """Of a sweep over all combinations: every third, or twentieth, from the `first`."""
    if is_full():
        return list(cases)
    every = list(cases)
    step = min(20, max(3, len(every))) if is_quick() else 3
    return every[first % step :: step]
