"""Logs of flat rules as tables: columns are answered as columns, what is in doubt record by record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from dtables.answers.answering import AnsweredRecord, Engine, answer
from dtables.columnar import Why
from dtables.columnar.batches import Batch, Source, all_batches, turns_rise
from dtables.columnar.cells import Cells
from dtables.columnar.csv import csv_source
from dtables.columnar.engine import DOUBT, CodedAnswers
from dtables.columnar.parquet import parquet_source
from dtables.limits import LIMITS
from dtables.logs.files import CSV_ENDINGS, PARQUET_ENDINGS, Log
from dtables.logs.parquet import values_of
from dtables.logs.turns import Turns, turn_key
from dtables.records.json import to_json

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from dtables.model.tables import Ruleset

REJECTS_AT_ONCE = 16 * 1024 * 1024


class Answering(Protocol):
    """What answers columns: the columnar engine, or another with the same answers. `answers` only grow; of an
    ask they are replies."""

    answers: list[Any]

    @property
    def name(self) -> str: ...

    def answer(self, columns: Mapping[tuple[str, ...], Cells], rows: int) -> CodedAnswers: ...

    def code_of(self, answer: Any) -> int: ...


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What became of a batch. `codes` number the rows' answers; DOUBT: the row is one of the `rejects`. A run
    may be continued behind the row group that is `noted`."""

    batch: Batch
    codes: NDArray[Any]
    rejects: list[str]
    noted: int | None

    @property
    def records(self) -> int:
        return len(self.codes)


@dataclass(frozen=True, slots=True)
class Columns:
    """A log that is gone through by columns, file by file. `flat` is of the engine's rules; answers that come
    up get their codes from it."""

    flat: Answering
    log: Log
    sources: tuple[Source, ...]

    def blocks(self, engine: Engine, done: int, used: Turns) -> Iterator[BatchResult]:
        """All but the row groups that are `done`, whose turns are `used`. While rows are worked on, the next
        are read."""
        known = None if turns_rise(self.sources) else used
        read = all_batches(self.sources, done)
        rows = 0
        with ThreadPoolExecutor(1) as ahead:
            waiting = ahead.submit(next, read, None)
            while (batch := waiting.result()) is not None:
                waiting = ahead.submit(next, read, None)
                for part, codes, rejects in self._settled(engine, batch, known):
                    rows += len(codes)
                    noted = part.groups if part.ends and rows >= LIMITS.rows_per_note else None
                    rows = rows if noted is None else 0
                    yield BatchResult(part, codes, rejects, noted)

    def _settled(
        self, engine: Engine, batch: Batch, used: Turns | None
    ) -> Iterator[tuple[Batch, NDArray[Any], list[str]]]:
        """In parts whose rejects take no more than some memory. `used` None: every turn is greater than the
        one before it."""
        named = zip(batch.columns[1:], batch.arrays[1:], strict=True)
        reads = [batch.form.column(column, array) for column, array in named]
        cells = {path: cells for read in reads for path, cells in read.cells.items()}
        codes = self.flat.answer(cells, len(batch.arrays[0])).codes
        for read in reads:
            if read.doubtful is not None:
                codes[read.doubtful] = DOUBT
        if used is not None:
            _doubt_turns(batch.arrays[0], codes, used)
        start, size, rejects = 0, 0, list[str]()
        doubtful = (codes == DOUBT).nonzero()[0]
        for row, line in zip(doubtful.tolist(), batch.lines(doubtful), strict=True):
            result = answer(engine, line, used)
            if isinstance(result, AnsweredRecord):
                codes[row] = self.flat.code_of(result.reply)
            else:
                rejects.append(to_json(result.as_plain(batch.file)))
                size += len(rejects[-1])
            if size > REJECTS_AT_ONCE:
                yield batch.part(start, row + 1), codes[start : row + 1], rejects
                start, size, rejects = row + 1, 0, []
        yield batch.part(start, len(codes)), codes[start:], rejects


def columns_of_log(log: Log, model: Ruleset, flat: Answering | Why) -> Columns | Why:
    """Or why this log is not gone through by columns."""
    if isinstance(flat, Why):
        return flat
    sources: list[Source] = []
    for file in log.files:
        source = _source(file, log.shown_name(file), model)
        if isinstance(source, Why):
            return source
        for column in source.columns:
            if column.path != ("turn",) and column.path[0] != "state":
                return Why(f"{file.name} has a column `{column.head}`, which says more than the state")
        sources.append(source)
    return Columns(flat, log, tuple(sources))


def _source(file: Path, name: str | None, model: Ruleset) -> Source | Why:
    if file.name.endswith(PARQUET_ENDINGS):
        return parquet_source(file, name, model)
    if file.name.endswith(CSV_ENDINGS):
        return csv_source(file, name, model)
    return Why(f"{file.name} is neither Parquet nor CSV")


# -- turns -------------------------------------------------------------------------------------


def _doubt_turns(turns: Any, codes: NDArray[Any], used: Turns) -> None:
    """A row whose turn was there before, or is none, is in doubt; the turns of the others are used now.

    Those that share a turn with a row in doubt are in doubt too: which of them is the first to be accepted is
    known only when they are answered in order."""
    values = values_of(turns)
    doubted = {value for value, code in zip(values, codes.tolist(), strict=True) if code == DOUBT}
    for row, turn in enumerate(values):
        sound = isinstance(turn, str | int) and not isinstance(turn, bool) and turn != ""
        if not sound or turn in doubted:
            codes[row] = DOUBT
            continue
        key = turn_key(None, turn)
        if key in used:
            codes[row] = DOUBT
        else:
            used.add(key)
