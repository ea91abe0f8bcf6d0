"""Chunks on all cores: settled by processes, handed on in the log's order."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait

from dtables.runs.answers import Engine
from dtables.runs.chunks import Chunk, LogError
from dtables.runs.settled import Settled, repeats, settle, settle_alone
from dtables.runs.turns import Turns

WAITING = 3
"""Chunks on their way per process: none is idle, and memory stays bounded."""

Pair = tuple[Chunk, Settled]


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def settled_here(engine: Engine, chunks: Iterable[Chunk], used: Turns) -> Iterator[Pair]:
    for chunk in chunks:
        yield chunk, settle(engine, chunk, used)


def settled_on(processes: int, engine: Engine, chunks: Iterable[Chunk], used: Turns) -> Iterator[Pair]:
    """The same as one process gives, byte for byte. A chunk that uses a turn of an earlier one is
    settled again, here."""
    for chunk, settled in _in_order(processes, engine, chunks):
        yield chunk, settle(engine, chunk, used) if repeats(settled, used) else settled


def _in_order(processes: int, engine: Engine, chunks: Iterable[Chunk]) -> Iterator[Pair]:
    """New processes, not copies of this one: whatever threads it has, they do not matter."""
    fresh = multiprocessing.get_context("spawn")
    waiting: deque[tuple[Chunk, Future[Settled]]] = deque()
    with ProcessPoolExecutor(processes, fresh, _begin, (engine,)) as pool:
        try:
            for chunk in chunks:
                waiting.append((chunk, pool.submit(_settle, chunk)))
                if len(waiting) >= WAITING * processes:
                    yield _next(waiting)
            while waiting:
                yield _next(waiting)
        except BrokenProcessPool:
            raise LogError("a process was ended from outside (out of memory?)") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _next(waiting: deque[tuple[Chunk, Future[Settled]]]) -> Pair:
    chunk, future = waiting.popleft()
    return chunk, future.result()


# -- in the other process ----------------------------------------------------------------------

_settle_chunk: Callable[[Chunk], Settled] | None = None


def _begin(engine: Engine) -> None:
    global _settle_chunk
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def settle_chunk(chunk: Chunk) -> Settled:
        return settle_alone(engine, chunk)

    _settle_chunk = settle_chunk


def _settle(chunk: Chunk) -> Settled:
    assert _settle_chunk is not None
    return _settle_chunk(chunk)


def _end_with_parent() -> None:
    """A run that is killed leaves no process behind."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
