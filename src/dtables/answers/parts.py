"""A run's output while it grows: in a folder of its own beside its place, which a killed run leaves there.

Every few chunks the parts are forced to the disk and a note says how far they are good, and what the log held
so far. Who continues cuts them back to that note, skips what it covers, and goes on.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from dtables.files import OutputError, PrivateFolder, folders_left, private_folder
from dtables.logs.jsonlines import CHUNK, LogError

ANSWERS, REJECTS, FINISHED, NOTE = "answers", "rejects", "finished", "note.json"

Answers = Callable[[], IO[bytes]]
"""What was answered, to be read from its beginning as often as it takes."""
Finish = Callable[[Answers, IO[bytes]], None]


class Start(Enum):
    """Whether a run into a file begins from nothing, or may continue an interrupted one."""

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
    parts that are good. `whole`: all is answered; `published`: all has its place."""

    counts: Counts
    done: int = 0
    answer_bytes: int = 0
    reject_bytes: int = 0
    whole: bool = False
    published: bool = False


class Parts(AbstractContextManager["Parts"]):
    """`run` says what is answered with what: only the same run is continued, and only while the `files` hold
    what was read of them."""

    def __init__(self, out: Path, run: dict[str, object], files: Sequence[Path] = ()) -> None:
        self._out = out
        self._run = run
        self._files = files
        self._content = Content(files)
        self._folder: PrivateFolder | None = None
        self._open: list[IO[bytes]] = []
        self.progress = Progress(Counts())

    def answers(self) -> IO[bytes]:
        """Open what was answered so far; the caller closes it."""
        return self._parts.open(ANSWERS)

    def begin(self, start: Start) -> None:
        """Two runs into one output would spoil each other's parts: the second is refused."""
        try:
            left = folders_left(self._out)
        except OutputError as error:
            raise LogError(str(error)) from None
        with ExitStack() as stack:
            for folder in left:
                stack.callback(folder.leave)
            continued = self._continued(left) if start is Start.CONTINUED else None
            for folder in left:
                if folder is not continued:
                    folder.end((NOTE,))
            self._folder = continued or private_folder(self._out)
            stack.pop_all()
        if not self.progress.whole:
            self._open.append(self._parts.open_to_write(ANSWERS, self.progress.answer_bytes))
            self._open.append(self._parts.open_to_write(REJECTS, self.progress.reject_bytes))

    def write(self, answers: bytes, rejects: bytes) -> None:
        """Add to both parts. Nothing of it counts for a continued run before the next `note`."""
        self._open[0].write(answers)
        self._open[1].write(rejects)
        self.progress.answer_bytes += len(answers)
        self.progress.reject_bytes += len(rejects)

    def note(self, read: int | None = None) -> None:
        """`read` bytes of the files, one after the other, were gone through at most; None: all."""
        for file in self._open:
            _to_disk(file)
        note = {"run": self._run, "progress": asdict(self.progress), "read": self._content.up_to(read)}
        with self._parts.open_to_write(f"{NOTE}.new") as file:
            file.write(json.dumps(note).encode())
            _to_disk(file)
        self._parts.replace(NOTE, f"{NOTE}.new")

    def publish(self, rejects: Path, finish: Finish | None) -> None:
        """Whoever is killed in here can still continue: a part that is not there has arrived. `finish`
        makes of the answers what is to stand in their place; None: they are it."""
        if not self.progress.whole:
            self.progress.whole = True
            self.note()
        if not self.progress.published:
            if finish is not None:
                with self._parts.open_to_write(FINISHED) as file:
                    finish(self.answers, file)
                    _to_disk(file)
            self._arrive(REJECTS, rejects, self.progress.counts.rejects > 0)
            self._arrive(ANSWERS if finish is None else FINISHED, self._out, True)
            self.progress.published = True
            self.note()
        self.forget()

    def forget(self) -> None:
        """The note goes last: while it is there, it can be told that all has arrived."""
        self._close()
        if self._folder is not None:
            self._folder.end((NOTE,))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()
        if self._folder is not None:
            self._folder.leave()

    def __enter__(self) -> Self:
        return self

    # -- helpers -------------------------------------------------------------------------------

    @property
    def _parts(self) -> PrivateFolder:
        assert self._folder is not None, "it has begun"
        return self._folder

    def _continued(self, left: Iterable[PrivateFolder]) -> PrivateFolder | None:
        """The one that came furthest. LogError where it is another run's."""
        noted = [(note, folder) for folder in left if (note := _note(folder)) is not None]
        if not noted:
            return None
        note, folder = max(noted, key=lambda one: int(one[0]["progress"]["counts"]["records"]))
        changed = [key for key, value in self._run.items() if note["run"].get(key) != value]
        if not changed and not self._content.holds(*note["read"]):
            changed = ["the log"]
        if changed:
            raise LogError(
                f"the run that broke off cannot be continued: {' and '.join(changed)} changed; "
                "leave out --resume"
            )
        progress = note["progress"]
        self.progress = Progress(Counts(**progress.pop("counts")), **progress)
        return folder

    def _arrive(self, part: str, place: Path, wanted: bool) -> None:
        if not wanted:
            place.unlink(missing_ok=True)
        elif part in self._parts.names():
            self._parts.publish(part, place)

    def _close(self) -> None:
        for file in self._open:
            file.close()
        self._open = []


def _note(folder: PrivateFolder) -> dict[str, Any] | None:
    if NOTE not in folder.names():
        return None
    with folder.open(NOTE) as file:
        note: dict[str, Any] = json.load(file)
    return note


def _to_disk(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


class Content:
    """A digest of the first bytes of some files, one after the other; it only grows."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = files
        self._digest = hashlib.sha256()
        self._length = 0

    def up_to(self, length: int | None) -> tuple[int, str]:
        """How many bytes it covers, at least those that are asked for as far as there are so many."""
        before = 0
        for path in self._files:
            size = path.stat().st_size
            stop = before + size if length is None else min(before + size, length)
            if self._length < stop:
                self._add(path, self._length - before, stop - before)
            before += size
        return self._length, self._digest.hexdigest()

    def holds(self, length: int, digest: str) -> bool:
        """Say whether so many first bytes have this digest still."""
        return self.up_to(length) == (length, digest)

    def _add(self, path: Path, start: int, stop: int) -> None:
        with path.open("rb") as file:
            file.seek(start)
            while start < stop and (piece := file.read(min(CHUNK, stop - start))):
                self._digest.update(piece)
                start += len(piece)
                self._length += len(piece)
