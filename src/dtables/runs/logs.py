"""One log answered into files: answers beside rejects, both whole, both counted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from dtables.runs.answers import Answered, Engine, Rejected, answer_log
from dtables.runs.jsonlines import read_lines, to_json, written_whole

LOG_ENDINGS = (".jsonl", ".ndjson", ".json")


@dataclass(slots=True)
class Counts:
    """Records in = answers + rejects."""

    records: int = 0
    answers: int = 0
    rejects: int = 0

    def add(self, result: Answered | Rejected) -> None:
        self.records += 1
        if isinstance(result, Answered):
            self.answers += 1
        else:
            self.rejects += 1

    def __str__(self) -> str:
        records = "1 record" if self.records == 1 else f"{self.records} records"
        return f"{records}: {self.answers} answered, {self.rejects} rejected"


def results_of(engine: Engine, log: Path) -> Iterator[Answered | Rejected]:
    return answer_log(engine, read_lines(log))


def rejects_path(out: Path) -> Path:
    """`answers.jsonl` → `answers.rejected.jsonl`"""
    stem = out.name[: -len(out.suffix)] if out.suffix in LOG_ENDINGS else out.name
    return out.with_name(f"{stem}.rejected.jsonl")


def answer_into(engine: Engine, log: Path, out: Path) -> Counts:
    """The reject file is there only if there is something in it; one of an earlier run goes away."""
    counts = Counts()
    rejects = rejects_path(out)
    with ExitStack() as files:
        answers: IO[str] = files.enter_context(written_whole(out))
        rejected: IO[str] | None = None
        for result in results_of(engine, log):
            counts.add(result)
            if isinstance(result, Answered):
                answers.write(to_json(result.as_plain()) + "\n")
                continue
            if rejected is None:
                rejected = files.enter_context(written_whole(rejects))
            rejected.write(to_json(result.as_plain()) + "\n")
    if not counts.rejects:
        rejects.unlink(missing_ok=True)
    return counts
