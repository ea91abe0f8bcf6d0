"""How deep rules, and their explanations, may nest."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import TypeVar, cast

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


def _called(work: Callable[[], Result]) -> Result:
    return work()


LARGEST = 16_400
"""Words, somewhat over 128 KB: CPython takes the next power of two, and as much is left for frames below."""

in_one_piece = cast(
    Callable[[Callable[[], Result]], Result],
    FunctionType(_called.__code__.replace(co_stacksize=LARGEST), globals()),
)
"""Calls the work in a frame that says it is large. CPython keeps frames in pieces of 16 KB, and gives a piece
back as soon as it is empty: closures that call one another to and fro across such a border ask the system for
memory each time, and took up to twice as long where a caller stood just so deep. It costs some microseconds:
for what an ask comes to, not for a table."""
