"""One log answered into files: answers beside rejects, both whole, both counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Protocol, runtime_checkable

from dtables.runs.answers import Engine
from dtables.runs.chunks import CHUNK, Chunk, LogError
from dtables.runs.parts import Counts, Parts, Start
from dtables.runs.processes import cores, in_order, refuse_main_anew
from dtables.runs.settled import Settled, repeats, settle, settle_alone
from dtables.runs.sources import LOG_ENDINGS, Log
from dtables.runs.tables_out import finish_for
from dtables.runs.turns import Turns, turn_key

SMALL = 4 * 1024 * 1024
"""Up to here one process is done before others have started."""
PIECE = CHUNK // 4
"""Small enough that all processes are done at about the same time."""
CHUNKS_PER_NOTE = 32

Watch = Callable[[int, int], None]
"""Told after each chunk: records and bytes of the log that are done."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What became of some records. `noted` is how much of the log is done with them, in its way's own units,
    where a broken-off run may be continued behind them; `bytes` is how far the log is read, for a bar."""

    records: int
    settled: Settled
    noted: int | None
    bytes: int


class Way(Protocol):
    """How a log is gone through: on cores, by columns or on a cluster. Records are answered in the log's
    order, and the answers are the same in every way."""

    @property
    def words(self) -> dict[str, object]:
        """What must be the same for a run to be continued."""
        ...

    def pieces(self, engine: Engine, log: Log, done: int, used: Turns) -> Iterator[Piece]:
        """All but what is `done`, whose turns are `used`."""
        ...


@runtime_checkable
class OwnParts(Protocol):
    """A way whose pieces hold no lines of answers, but parts of its own that it makes the output of."""

    def turns(self, part: Path, length: int) -> Turns: ...

    def finish(self, part: Path, to: Path) -> None: ...


@dataclass(frozen=True, slots=True)
class Manner:
    """On this machine. `processes` None: as many as it takes."""

    processes: int | None = None
    chunk: int = PIECE
    chunks_per_note: int = CHUNKS_PER_NOTE

    def processes_for(self, log: Log) -> int:
        return self.processes or (1 if log.bytes < SMALL else cores())

    @property
    def words(self) -> dict[str, object]:
        return {"the engine": "python", "the size of the pieces": self.chunk}

    def pieces(self, engine: Engine, log: Log, done: int, used: Turns) -> Iterator[Piece]:
        for number, (chunk, settled) in zip(
            count(done + 1), settled_log(engine, log, self, done, used), strict=False
        ):
            noted = number if number % self.chunks_per_note == 0 else None
            yield Piece(chunk.records, settled, noted, number * self.chunk)


def settled_log(
    engine: Engine, log: Log, manner: Manner, done: int = 0, used: Turns | None = None
) -> Iterator[tuple[Chunk, Settled]]:
    """What became of each chunk, in the log's order, but for the first ones that are `done`: the same
    bytes on one process and on many. A chunk that uses a turn of an earlier one is settled again, here."""
    chunks = islice(log.chunks(manner.chunk), done, None)
    used = Turns() if used is None else used
    processes = manner.processes_for(log)
    if processes == 1:
        yield from ((chunk, settle(engine, chunk, used)) for chunk in chunks)
        return
    for chunk, settled in in_order(processes, partial(settle_alone, engine), chunks):
        yield chunk, settle(engine, chunk, used) if repeats(settled, used) else settled


def rejects_path(out: Path) -> Path:
    """`answers.jsonl` → `answers.rejected.jsonl`"""
    endings = sorted(LOG_ENDINGS, key=len, reverse=True)
    ending = next((e for e in endings if out.name.endswith(e)), "")
    return out.with_name(f"{out.name[: len(out.name) - len(ending)]}.rejected.jsonl")


def answer_into(
    engine: Engine,
    log: Log,
    out: Path,
    start: Start = Start.AFRESH,
    manner: Way | None = None,
    watch: Watch = lambda _records, _bytes: None,
) -> Counts:
    """The reject file is there only if there is something in it; one of an earlier run goes away.
    A run that breaks off leaves its parts beside `out`, for one that continues it."""
    refuse_main_anew()
    manner = manner or Manner()
    refuse_own_files(log, (out, rejects_path(out)))
    finish = manner.finish if isinstance(manner, OwnParts) else finish_for(out)
    with Parts(out, _run(engine, log, manner)) as parts:
        parts.begin(start)
        progress = parts.progress
        if not progress.whole:
            _answer(engine, log, parts, manner, watch)
        if progress.counts.records != progress.counts.answers + progress.counts.rejects:
            raise LogError(f"{log.name}: a record was lost ({progress.counts}); nothing is written")
        parts.publish(out, rejects_path(out), finish)
        return progress.counts


def refuse_own_files(log: Log, written: tuple[Path, ...]) -> None:
    """Recorded turns are never written over."""
    files = {file.resolve() for file in log.files}
    for path in written:
        if path.resolve() in files:
            raise LogError(f"{path} is read as part of the log: write somewhere else")


def _answer(engine: Engine, log: Log, parts: Parts, manner: Way, watch: Watch) -> None:
    progress = parts.progress
    turns = manner.turns if isinstance(manner, OwnParts) else _used_turns
    used = turns(parts.answers, progress.answer_bytes)
    for piece in manner.pieces(engine, log, progress.done, used):
        parts.write(piece.settled.answers, piece.settled.rejects)
        add(progress.counts, piece)
        if piece.noted is not None:
            progress.done = piece.noted
            parts.note()
        watch(progress.counts.records, piece.bytes)


def add(counts: Counts, piece: Piece) -> None:
    """What was read and what came of it are counted apart: that they agree says something."""
    counts.records += piece.records
    counts.answers += piece.settled.answered
    counts.rejects += piece.settled.rejected


def _used_turns(answers: Path, length: int) -> Turns:
    """The turns that a broken-off run has accepted stand in its answers."""
    used = Turns()
    if length:
        with answers.open("rb") as file:
            for line in file:
                answer = json.loads(line)
                used.add(turn_key(answer.get("game"), answer["turn"]))
    return used


def _run(engine: Engine, log: Log, manner: Way) -> dict[str, object]:
    """What must be the same for a run to be continued, by the words for it."""
    files = [[str(file), file.stat().st_size, file.stat().st_mtime_ns] for file in log.files]
    return {
        "the workbook": getattr(engine, "version", ""),
        "the log": files,
        "the language of the reasons": getattr(engine, "language", ""),
        **manner.words,
    }
