"""Pieces of work on all cores, such as the chunks of a log: done by processes, handed on in their order."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, Generic, TypeVar

from dtables.files import temporary_folder, unheard
from dtables.logs.jsonlines import LogError

WAITING = 3
"""Chunks on their way per other process. This one looks after them only between chunks of its own, and is
slower, for it reads and writes as well: with two, others were idle for a tenth of their time."""
ASIDE = 8
"""Chunks that are done before their turn, per process: memory stays bounded."""
HEAVIEST = 64 * 1024 * 1024
"""So much they may weigh together, where they are large."""

UNGUARDED = 'a script keeps its work under `if __name__ == "__main__":`'

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(
    processes: int,
    work: Callable[[Piece], Result],
    chunks: Iterable[Piece],
    weight: Callable[[Piece], int] = lambda _: 1,
) -> Iterator[tuple[Piece, Result]]:
    """`weight`: about the bytes of a piece. This process is one of them, and works while the others start:
    they are new ones, not copies of it, so that whatever threads it has do not matter."""
    refuse_main_anew()
    if processes == 1:
        yield from ((chunk, work(chunk)) for chunk in chunks)
        return
    fresh = multiprocessing.get_context("spawn")
    with _kept(work) as file, ProcessPoolExecutor(processes - 1, fresh, _begin, (file,)) as pool:
        try:
            yield from _Sharing(pool, work, processes, weight).results(chunks)
        except BrokenProcessPool:
            raise LogError(f"a process was ended from outside (out of memory?); {UNGUARDED}") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def refuse_main_anew() -> None:
    """A new process imports the main module first. Where that begins the work again, that is reported."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise LogError(f"a new process begins the work of the first one again: {UNGUARDED}")


@contextmanager
def _kept(work: object) -> Iterator[Path]:
    """In a file: what is handed to a process itself stops both for ever if that process ends before it
    has read it all."""
    with temporary_folder() as folder:
        with folder.open_to_write("work") as file:
            file.write(pickle.dumps(work))
        yield folder.path / "work"


class _Sharing(Generic[Piece, Result]):
    """Hands out chunks, and works on those that nobody else has room for."""

    def __init__(
        self,
        pool: ProcessPoolExecutor,
        work: Callable[[Piece], Result],
        processes: int,
        weight: Callable[[Piece], int],
    ) -> None:
        self._pool, self._work, self._weight = pool, work, weight
        self._most, self._aside = WAITING * (processes - 1), ASIDE * processes
        self._line: deque[tuple[Piece, Future[Result]]] = deque()

    def results(self, chunks: Iterable[Piece]) -> Iterator[tuple[Piece, Result]]:
        for chunk in chunks:
            while len(self._line) >= self._aside or (self._line and self._load() > HEAVIEST):
                yield self._first()
            self._line.append((chunk, self._submitted(chunk)))
            while self._line and self._line[0][1].done():
                yield self._first()
        while self._line:
            yield self._first()

    def _load(self) -> int:
        return sum(self._weight(chunk) for chunk, _ in self._line)

    def _first(self) -> tuple[Piece, Result]:
        chunk, future = self._line.popleft()
        return chunk, future.result()

    def _submitted(self, chunk: Piece) -> Future[Result]:
        if sum(not future.done() for _, future in self._line) < self._most:
            with unheard():
                return self._pool.submit(_work_on, chunk)
        done: Future[Result] = Future()
        done.set_result(self._work(chunk))
        return done


# -- in the other process ----------------------------------------------------------------------

_work: Callable[[Any], Any] | None = None


def _begin(file: Path) -> None:
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        _work = pickle.loads(file.read_bytes())
    except FileNotFoundError:
        # The first process is done, or was interrupted, before this one began.
        os._exit(1)


def _work_on(chunk: object) -> Any:
    assert _work is not None
    return _work(chunk)


def _end_with_parent() -> None:
    """A run that is killed leaves no process behind."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
