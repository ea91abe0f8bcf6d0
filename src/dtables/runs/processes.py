"""Chunks on all cores: worked on by processes, handed on in the log's order."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import Any, TypeVar

from dtables.runs.chunks import Chunk, LogError

WAITING = 3
"""Chunks on their way per process: none is idle, and memory stays bounded."""

Result = TypeVar("Result")


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(
    processes: int, work: Callable[[Chunk], Result], chunks: Iterable[Chunk]
) -> Iterator[tuple[Chunk, Result]]:
    """New processes, not copies of this one: whatever threads it has, they do not matter."""
    fresh = multiprocessing.get_context("spawn")
    waiting: deque[tuple[Chunk, Future[Result]]] = deque()
    with ProcessPoolExecutor(processes, fresh, _begin, (work,)) as pool:
        try:
            for chunk in chunks:
                waiting.append((chunk, pool.submit(_work_on, chunk)))
                if len(waiting) >= WAITING * processes:
                    yield _next(waiting)
            while waiting:
                yield _next(waiting)
        except BrokenProcessPool:
            raise LogError("a process was ended from outside (out of memory?)") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _next(waiting: deque[tuple[Chunk, Future[Result]]]) -> tuple[Chunk, Result]:
    chunk, future = waiting.popleft()
    return chunk, future.result()


# -- in the other process ----------------------------------------------------------------------

_work: Callable[[Chunk], Any] | None = None


def _begin(work: Callable[[Chunk], Any]) -> None:
    global _work
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _work = work


def _work_on(chunk: Chunk) -> Any:
    assert _work is not None
    return _work(chunk)


def _end_with_parent() -> None:
    """A run that is killed leaves no process behind."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
