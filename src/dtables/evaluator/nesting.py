"""How deep rules, and their explanations, may nest."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

from dtables import failures
from dtables.records.findings import LimitReached

Result = TypeVar("Result")
DEEPEST = 6_000


def bounded(work: Callable[[], Result]) -> Result:
    """Rules nest as deep as tables call one another, several Python frames for each: more than a program
    usually may, but never without end."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, DEEPEST))
    try:
        return work()
    except RecursionError:
        raise LimitReached(failures.too_deep(), None) from None
    finally:
        sys.setrecursionlimit(usual)
