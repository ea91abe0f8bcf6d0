"""`make check` draws and sweeps a third of what `make full` does: the same third in every run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")
FULL = "DTABLES_FULL"
SEARCH = "DTABLES_SEARCH"
PART = 3
FEWEST = 2


def is_full() -> bool:
    return FULL in os.environ or SEARCH in os.environ


def draws(count: int) -> int:
    """How many examples a test draws at random."""
    return count if is_full() else max(FEWEST, -(-count // PART))


def swept(cases: Iterable[T], first: int = 0) -> list[T]:
    """Of a sweep over all combinations: every third, from the `first`."""
    return list(cases) if is_full() else list(cases)[first % PART :: PART]
