"""Rows of a data frame, answered on a machine that has Python, Arrow and this package as an archive.

Batches of rows come in; for each a batch goes out that has a row for every record of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from dtables.answers.answering import Answered, Engine, Rejected, answer, reply_row
from dtables.answers.columns import Kind, fits, stored
from dtables.logs.columns import LogColumn, NumberedRow, typed_line
from dtables.logs.jsonlines import Given, JsonChunk, RawLine, line_of
from dtables.logs.parquet import rows_of
from dtables.logs.turns import record_key
from dtables.records.findings import quoted, too_large_for_column
from dtables.records.json import ENVELOPE_KEYS, LogLine
from dtables.spark.worker import Batches, unpacked

Result = Answered | Rejected

LINE = "value"
REJECTED = "rejected"
KEY, TURN_QUOTED, PLACE = "its key", "its turn as told", "its place"
"""Columns that are there on the way only."""


class BatchRecords(NamedTuple):
    """The rows of a batch that are records, and what stands in them."""

    batch: Any
    given: Sequence[Given]


@dataclass(frozen=True)
class FrameRows:
    """A column for each field. `kept` are the places of those that tell whose answer a row is."""

    columns: tuple[LogColumn, ...]
    kept: tuple[int, ...]

    def records(self, batch: Any) -> BatchRecords:
        return BatchRecords(
            batch, [typed_line(NumberedRow(0, row), self.columns) for row in rows_of(batch.columns[:-1])]
        )

    def named(self, batch: Any, results: list[Result]) -> list[Any]:
        del results
        return [batch.column(place) for place in self.kept]


@dataclass(frozen=True)
class Lines:
    """One column: JSON Lines, as bytes. Where one cannot be answered it is kept, for it may have no turn."""

    def records(self, batch: Any) -> BatchRecords:
        import pyarrow

        lines = [_raw_line(raw) for raw in batch.column(0).to_pylist()]
        held = batch.filter(pyarrow.array([line is not None for line in lines], pyarrow.bool_()))
        return BatchRecords(held, [line for line in lines if line is not None])

    def named(self, batch: Any, results: list[Result]) -> list[Any]:
        lines = zip(batch.column(0).to_pylist(), results, strict=True)
        return [
            _texts([result.turn for result in results]),
            _texts([result.game for result in results]),
            _bytes([line if isinstance(result, Rejected) else None for line, result in lines]),
        ]


def _raw_line(raw: bytes | None) -> RawLine | None:
    """JSON takes tabs where it takes ends of lines, and nowhere else."""
    return next(JsonChunk(None, 0, (raw or b"").replace(b"\n", b"\t")).given(), None)


@dataclass(frozen=True)
class FrameJob:
    """The rules travel as text. `columns` are the keys of the answers that a row may get."""

    engine: Engine
    rows: FrameRows | Lines
    columns: tuple[tuple[str, Kind], ...]


def answered_batches(packed: bytes, batches: Batches) -> Batches:
    """The last column that comes in is a row's place. A turn that comes twice is not seen here."""
    job: FrameJob = unpacked(packed)
    return (_answered(job, batch) for batch in batches)


def _answered(job: FrameJob, rows: Any) -> Any:
    from pyarrow import RecordBatch

    batch, records = job.rows.records(rows)
    results = [_held(job, answer(job.engine, given, None)) for given in records]
    answers = [reply_row(result.reply) if isinstance(result, Answered) else {} for result in results]
    places = batch.column(batch.num_columns - 1)
    columns = [
        *job.rows.named(batch, results),
        _texts([result.ask if isinstance(result, Answered) else None for result in results]),
        *(_column([answer.get(key) for answer in answers], kind) for key, kind in job.columns),
        _texts([str(r.findings[0]) if isinstance(r, Rejected) else None for r in results]),
        _bytes(list(_keys(records, results, places.to_pylist()))),
        _texts([quoted(result.turn) for result in results]),
        places,
    ]
    return RecordBatch.from_arrays(columns, [str(number) for number in range(len(columns))])


def _keys(records: Sequence[Given], results: list[Result], places: list[int]) -> Iterator[bytes]:
    """What is no record has no turn; what has none is the only one of its kind. So is a record with a key
    that none may have: that is wrong before its turn is."""
    for given, result, place in zip(records, results, places, strict=True):
        is_known = isinstance(result, Answered) or _has_known_keys(line_of(given))
        key = record_key(result.turn, result.game) if is_known else b""
        yield key or place.to_bytes(8, "big")


def _has_known_keys(line: LogLine) -> bool:
    return line.record is not None and line.record.keys() <= ENVELOPE_KEYS


def _held(job: FrameJob, result: Result) -> Result:
    """What no column can hold is reported, never cut."""
    if isinstance(result, Rejected):
        return result
    kinds = dict(job.columns)
    for key, value in result.answer.items():
        if not fits(value, kinds[key]):
            finding = too_large_for_column(f"answer.{key}", value)
            return Rejected(result.line, result.turn, result.game, (finding,))
    return result


def _column(values: list[Any], kind: Kind) -> Any:
    import pyarrow

    types = {"whole": pyarrow.int64(), "boolean": pyarrow.bool_(), "text": pyarrow.string()}
    return pyarrow.array([stored(value, kind) for value in values], types[kind])


def _texts(values: list[Any]) -> Any:
    return _column(values, "text")


def _bytes(values: list[bytes | None]) -> Any:
    import pyarrow

    return pyarrow.array(values, pyarrow.binary())
