"""One log answered into files: answers beside rejects, both whole, both counted."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from pathlib import Path
from secrets import token_hex
from typing import IO, Protocol, runtime_checkable

from dtables.answers.answering import Engine
from dtables.answers.chunks import ChunkResult, each_chunk, settle
from dtables.answers.columns import Kind
from dtables.answers.output import finish_for
from dtables.answers.parts import Answers, Counts, Finish, Parts, RunStart
from dtables.answers.processes import cores, refuse_main_anew
from dtables.logs.files import LOG_ENDINGS, Log
from dtables.logs.jsonlines import CHUNK, Chunk, JsonChunk, LogError
from dtables.logs.turns import Turns, turn_key

SMALL = 4 * 1024 * 1024
"""Up to here one process is done before others have started."""
PIECE = CHUNK // 4
"""Small enough that all processes are done at about the same time."""
CHUNKS_PER_NOTE = 32

LONGEST_START = 64 * 1024
_A_REJECT = re.compile(rb'\{(?:"file": "(?:[^"\\]|\\.)*", )?"line": \d+, "turn": ')

Watch = Callable[[int, int], None]
"""Told after each chunk: records and bytes of the log that are done."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What became of some records. `noted` is how much of the log is done with them, in its way's own units,
    where a broken-off run may be continued behind them; `bytes` is how far the log is read, for a bar. Of the
    log's files, one after the other, no more than `read` bytes were gone through; None: nobody knows."""

    records: int
    settled: ChunkResult
    noted: int | None
    bytes: int
    read: int | None = None


class Strategy(Protocol):
    """How a log is gone through: on cores, by columns or on a cluster. Records are answered in the log's
    order, and the answers are the same in every way."""

    @property
    def words(self) -> dict[str, object]:
        """What must be the same for a run to be continued."""
        ...

    @property
    def reads_here(self) -> bool:
        """Whether the log's files are read on this machine."""
        ...

    def pieces(self, engine: Engine, log: Log, done: int, used: Turns) -> Iterator[Piece]:
        """All but what is `done`, whose turns are `used`."""
        ...


@runtime_checkable
class OwnParts(Protocol):
    """A way whose pieces hold no lines of answers, but parts of its own that it makes the output of."""

    def turns(self, part: Answers, length: int) -> Turns:
        """Return the turns that the first `length` bytes of the parts have used."""

    def finish(self, part: Answers, to: IO[bytes], kinds: Mapping[str, Kind]) -> None:
        """Make the output out of the parts."""


@dataclass(frozen=True, slots=True)
class OnCores:
    """On this machine. `processes` None: as many as it takes."""

    processes: int | None = None
    chunk: int = PIECE
    chunks_per_note: int = CHUNKS_PER_NOTE

    def processes_for(self, log: Log) -> int:
        """Return the number of processes: that asked for, else one for a small log, or all cores."""
        return self.processes or (1 if log.bytes < SMALL else cores())

    @property
    def words(self) -> dict[str, object]:
        """What must be the same for a run to be continued."""
        return {"the engine": "python", "the size of the pieces": self.chunk}

    @property
    def reads_here(self) -> bool:
        """True: the log's files are read on this machine."""
        return True

    def pieces(self, engine: Engine, log: Log, done: int, used: Turns) -> Iterator[Piece]:
        """Answer the log piece by piece, in its order, from the first that is not `done`."""
        for number, (chunk, settled) in zip(
            count(done + 1), settled_log(engine, log, self, done, used), strict=False
        ):
            noted = number if number % self.chunks_per_note == 0 else None
            read = chunk.end if isinstance(chunk, JsonChunk) else None
            yield Piece(chunk.records, settled, noted, number * self.chunk, read)


def settled_log(
    engine: Engine, log: Log, manner: OnCores, done: int = 0, used: Turns | None = None
) -> Iterator[tuple[Chunk, ChunkResult]]:
    """What became of each chunk, in the log's order, but for the first ones that are `done`: the same
    bytes on one process and on many."""
    chunks = islice(log.chunks(manner.chunk), done, None)
    used = Turns() if used is None else used
    return each_chunk(partial(settle, engine), chunks, manner.processes_for(log), used)


def rejects_path(out: Path) -> Path:
    """Return where rejects go: `answers.jsonl` → `answers.rejected.jsonl`."""
    endings = sorted(LOG_ENDINGS, key=len, reverse=True)
    ending = next((e for e in endings if out.name.endswith(e)), "")
    return out.with_name(f"{out.name[: len(out.name) - len(ending)]}.rejected.jsonl")


def answer_into(
    engine: Engine,
    log: Log,
    out: Path,
    start: RunStart = RunStart.AFRESH,
    manner: Strategy | None = None,
    watch: Watch = lambda _records, _bytes: None,
) -> Counts:
    """The reject file is there only if there is something in it; one of an earlier run goes away.
    A run that breaks off leaves its parts beside `out`, for one that continues it."""
    refuse_main_anew()
    manner = manner or OnCores()
    refuse_own_files(log, (out, rejects_path(out)))
    refuse_other_file(rejects_path(out))
    if isinstance(manner, OwnParts):
        finish: Finish | None = partial(manner.finish, kinds=engine.kinds)
    else:
        finish = finish_for(out, engine.kinds)
    with Parts(out, _run(engine, log, manner), log.files if manner.reads_here else ()) as parts:
        parts.begin(start)
        progress = parts.progress
        if not progress.whole:
            _answer(engine, log, parts, manner, watch)
        if progress.counts.records != progress.counts.answers + progress.counts.rejects:
            raise LogError(f"{log.name}: a record was lost ({progress.counts}); nothing is written")
        parts.publish(rejects_path(out), finish)
        return progress.counts


def refuse_own_files(log: Log, written: tuple[Path, ...]) -> None:
    """Recorded turns are never written over."""
    for path in written:
        if log.reads(path):
            raise LogError(f"{path} is read as part of the log: write somewhere else")


def refuse_other_file(rejects: Path) -> None:
    """What stands where rejects go is replaced only if it holds rejects: nobody has named it."""
    if not rejects.exists() and not rejects.is_symlink():
        return
    if not rejects.is_symlink() and rejects.is_file():
        with rejects.open("rb") as file:
            start = file.read(LONGEST_START)
        if not start or _A_REJECT.match(start):
            return
    raise LogError(f"{rejects} exists and is not a file of rejects: move it, or write the answers elsewhere")


def _answer(engine: Engine, log: Log, parts: Parts, manner: Strategy, watch: Watch) -> None:
    progress = parts.progress
    turns = manner.turns if isinstance(manner, OwnParts) else _used_turns
    used = turns(parts.answers, progress.answer_bytes)
    for piece in manner.pieces(engine, log, progress.done, used):
        parts.write(piece.settled.answers, piece.settled.rejects)
        add(progress.counts, piece)
        if piece.noted is not None:
            progress.done = piece.noted
            parts.note(piece.read)
        watch(progress.counts.records, piece.bytes)


def add(counts: Counts, piece: Piece) -> None:
    """What was read and what came of it are counted apart: that they agree says something."""
    counts.records += piece.records
    counts.answers += piece.settled.answered
    counts.rejects += piece.settled.rejected


def _used_turns(answers: Answers, length: int) -> Turns:
    """The turns that a broken-off run has accepted stand in its answers."""
    used = Turns()
    if length:
        with answers() as file:
            for line in file:
                answer = json.loads(line)
                used.add(turn_key(answer.get("game"), answer["turn"]))
    return used


def _run(engine: Engine, log: Log, manner: Strategy) -> dict[str, object]:
    """What must be the same for a run to be continued, by the words for it. What is read elsewhere is not
    read along here: of such a log the system must not have noted any change."""
    stamps = [(file, file.stat()) for file in log.files]
    files: list[object] = [[str(file), s.st_size, s.st_mtime_ns] for file, s in stamps]
    if log.piped is not None:
        files = [token_hex()]
    if not manner.reads_here:
        files += [[s.st_ctime_ns] for _, s in stamps]
    return {
        "the workbook": getattr(engine, "version", ""),
        "the log": files,
        "the language of the reasons": getattr(engine, "language", ""),
        **manner.words,
    }
