"""A run's output while it grows: beside its place, in parts that a killed run leaves to the next.

Every few chunks the parts are forced to the disk and a note says how far they are good. Who continues
cuts them back to that note, skips what it covers, and goes on.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from dtables.runs.chunks import LogError

ANSWERS, REJECTS, NOTE, LOCK = "answers", "rejects", "note.json", "lock"


Finish = Callable[[Path, Path], None]


class Start(Enum):
    AFRESH = "afresh"
    CONTINUED = "where an earlier run broke off, if one did"


@dataclass(slots=True)
class Counts:
    """Records in = answers + rejects."""

    records: int = 0
    answers: int = 0
    rejects: int = 0

    def __str__(self) -> str:
        records = "1 record" if self.records == 1 else f"{self.records} records"
        return f"{records}: {self.answers} answered, {self.rejects} rejected"


@dataclass(slots=True)
class Progress:
    """How far a run is: what is done of the log, in the units of how it is gone through, and the bytes of the
    parts that are good."""

    counts: Counts
    done: int = 0
    answer_bytes: int = 0
    reject_bytes: int = 0
    whole: bool = False


class Parts(AbstractContextManager["Parts"]):
    """`run` says what is answered with what: only the same run is continued."""

    def __init__(self, out: Path, run: dict[str, object]) -> None:
        self._folder = out.with_name(f".{out.name}.parts")
        self._run = run
        self._files: list[IO[bytes]] = []
        self.progress = Progress(Counts())

    @property
    def answers(self) -> Path:
        return self._folder / ANSWERS

    def begin(self, start: Start) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._lock()
        note = self._folder / NOTE
        if start is Start.CONTINUED and note.exists():
            self._continue(json.loads(note.read_text(encoding="utf-8")))
        else:
            note.unlink(missing_ok=True)
        if not self.progress.whole:
            self._files += [
                _cut(self._folder / ANSWERS, self.progress.answer_bytes),
                _cut(self._folder / REJECTS, self.progress.reject_bytes),
            ]

    def write(self, answers: bytes, rejects: bytes) -> None:
        self._files[-2].write(answers)
        self._files[-1].write(rejects)
        self.progress.answer_bytes += len(answers)
        self.progress.reject_bytes += len(rejects)

    def note(self) -> None:
        for file in self._files[-2:]:
            file.flush()
            os.fsync(file.fileno())
        aside = self._folder / f"{NOTE}.new"
        with aside.open("w", encoding="utf-8") as written:
            json.dump({"run": self._run, "progress": asdict(self.progress)}, written)
            written.flush()
            os.fsync(written.fileno())
        aside.replace(self._folder / NOTE)

    def publish(self, out: Path, rejects: Path, finish: Finish | None) -> None:
        """Whoever is killed in here can still continue: a part that is not there has arrived. `finish`
        makes of the answers what is to stand at `out`; None: they are it."""
        if not self.progress.whole:
            self.progress.whole = True
            self.note()
        finished = self.answers
        if finish is not None:
            finished = self._folder / f"finished{out.suffix}"
            finish(self.answers, finished)
        _arrive(self._folder / REJECTS, rejects, self.progress.counts.rejects > 0)
        _arrive(finished, out, True)
        self.forget()

    def forget(self) -> None:
        self._close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def __enter__(self) -> Self:
        return self

    # -- helpers -------------------------------------------------------------------------------

    def _continue(self, note: dict[str, dict[str, Any]]) -> None:
        changed = [key for key, value in self._run.items() if note["run"].get(key) != value]
        if changed:
            raise LogError(
                f"the run that broke off cannot be continued: {_listed(changed)} changed; leave out --resume"
            )
        progress = note["progress"]
        self.progress = Progress(Counts(**progress.pop("counts")), **progress)

    def _lock(self) -> None:
        """Two runs into one file would spoil each other's parts. A killed run's lock is gone with it."""
        if os.name != "posix":
            return
        import fcntl

        lock = (self._folder / LOCK).open("wb")
        self._files.append(lock)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LogError("another run writes this output at the moment") from None

    def _close(self) -> None:
        for file in self._files:
            file.close()
        self._files = []


def _cut(path: Path, length: int) -> IO[bytes]:
    path.touch()
    file = path.open("r+b")
    file.truncate(length)
    file.seek(length)
    return file


def _arrive(part: Path, place: Path, wanted: bool) -> None:
    if not wanted:
        place.unlink(missing_ok=True)
    elif part.exists():
        part.replace(place)


def _listed(words: Iterable[str]) -> str:
    return " and ".join(words)
