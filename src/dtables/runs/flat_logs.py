"""Parquet logs of flat rules: columns are answered as columns, what is in doubt record by record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from dtables.flat import Why
from dtables.flat.columns import Cells, from_arrow
from dtables.flat.cube import DOUBT
from dtables.flat.engine import Told
from dtables.runs.answers import Answered, Engine, answer_line
from dtables.runs.columns import Column, Row, columns_of, typed_line
from dtables.runs.jsonlines import to_json
from dtables.runs.parquet_logs import numbered, opened_parquet
from dtables.runs.sources import PARQUET_ENDINGS, Log
from dtables.runs.turns import Turns, turn_key

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from dtables.model.tables import Ruleset

ROWS = 1 << 18
"""At most so many at a time."""
ROWS_PER_NOTE = 1 << 23
"""A note waits for the disk; so many rows are done again in a second or two."""


class Answering(Protocol):
    """What answers columns: the columnar engine, or another with the same answers. `answers` only grow."""

    answers: list[Any]

    def answer(self, columns: Mapping[tuple[str, ...], Cells], rows: int) -> Told: ...

    def code_of(self, answer: Any) -> int: ...


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows of a row group as they are read: Arrow arrays, the first of them the turns. `number` is the
    first row's in its file, `groups` how many row groups of the log are read with it, `ends` whether one ends
    here, `bytes` how far the log is read."""

    file: str | None
    columns: tuple[Column, ...]
    arrays: tuple[Any, ...]
    number: int
    groups: int
    ends: bool
    bytes: int


@dataclass(frozen=True, slots=True)
class Block:
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
    """A log that is gone through by columns. `model` and `flat` are those of the engine's rules; answers that
    come up get their codes from `flat`."""

    flat: Answering
    model: Ruleset
    log: Log

    def blocks(self, engine: Engine, done: int, used: Turns) -> Iterator[Block]:
        """All but the row groups that are `done`, whose turns are `used`. While rows are worked on, the next
        are read."""
        known = None if _turns_rise(self.log) else used
        read = _batches(self.log, self.model, done)
        rows = 0
        with ThreadPoolExecutor(1) as ahead:
            waiting = ahead.submit(next, read, None)
            while (batch := waiting.result()) is not None:
                waiting = ahead.submit(next, read, None)
                codes, rejects = self._settled(engine, batch, known)
                rows += len(codes)
                noted = batch.groups if batch.ends and rows >= ROWS_PER_NOTE else None
                rows = rows if noted is None else 0
                yield Block(batch, codes, rejects, noted)

    def _settled(self, engine: Engine, batch: Batch, used: Turns | None) -> tuple[NDArray[Any], list[str]]:
        """`used` None: every turn is greater than the one before it."""
        cells = {
            column.path[1:]: from_arrow(array)
            for column, array in zip(batch.columns[1:], batch.arrays[1:], strict=True)
        }
        codes = self.flat.answer(cells, len(batch.arrays[0])).codes
        if used is not None:
            _doubt_turns(batch.arrays[0], codes, used)
        rejects: list[str] = []
        doubtful = (codes == DOUBT).nonzero()[0]
        for row, line in zip(doubtful.tolist(), _lines(batch, doubtful), strict=True):
            result = answer_line(engine, line, Turns() if used is None else used)
            if isinstance(result, Answered):
                codes[row] = self.flat.code_of(result.answer)
                if used is not None:
                    used.add(turn_key(None, result.turn))
            else:
                rejects.append(to_json(result.as_plain(batch.file)))
        return codes, rejects


def columns_of_log(log: Log, model: Ruleset, flat: Answering | Why) -> Columns | Why:
    """Or why this log is not gone through by columns."""
    if isinstance(flat, Why):
        return flat
    for file in log.files:
        if not file.name.endswith(PARQUET_ENDINGS):
            return Why(f"{file.name} is no Parquet")
        with opened_parquet(file) as stored:
            heads = stored.schema_arrow.names
        columns = columns_of(numbered(heads, len(log.files) == 1), model, str(file))
        for column in columns:
            if column.path != ("turn",) and (column.path[0] != "state" or len(column.path) == 1):
                return Why(f"{file.name} has a column `{column.head}`, which says more than the state")
    return Columns(flat, model, log)


# -- reading -----------------------------------------------------------------------------------


def _batches(log: Log, model: Ruleset, done: int) -> Iterator[Batch]:
    groups, size = 0, 0
    for file in log.files:
        name = log.told(file)
        with opened_parquet(file) as stored:
            texts = [field.name for field in stored.schema_arrow if _is_text(field.type)]
        with opened_parquet(file, texts) as stored:
            rows = 0
            for index in range(stored.num_row_groups):
                group = stored.metadata.row_group(index)
                groups, size = groups + 1, size + group.total_byte_size
                if groups > done:
                    yield from _group_batches(stored, index, model, Place(file, name, rows, groups, size))
                rows += group.num_rows


@dataclass(frozen=True, slots=True)
class Place:
    """Of a row group: `rows` stand before it in its file; `groups` and `bytes` are the log's to its end."""

    file: Path
    name: str | None
    rows: int
    groups: int
    bytes: int


def _group_batches(stored: Any, index: int, model: Ruleset, place: Place) -> Iterator[Batch]:
    import pyarrow as pa

    heads = stored.schema_arrow.names
    columns = columns_of(numbered(heads, place.name is None), model, str(place.file))
    turn = next((i for i, column in enumerate(columns) if column.path == ("turn",)), 0)
    ordered = (columns[turn], *columns[:turn], *columns[turn + 1 :])
    number, left = place.rows + 1, stored.metadata.row_group(index).num_rows
    for batch in stored.iter_batches(ROWS, [index]):
        arrays = list(batch.columns)
        first = arrays.pop(turn) if len(columns) == len(heads) else _numbers(pa, number, batch.num_rows)
        left -= batch.num_rows
        ends = left == 0
        yield Batch(place.name, ordered, (first, *arrays), number, place.groups, ends, place.bytes)
        number += batch.num_rows


def _numbers(pa: Any, first: int, rows: int) -> Any:
    import numpy as np

    return pa.array(np.arange(first, first + rows, dtype=np.int64))


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _lines(batch: Batch, rows: NDArray[Any]) -> Iterator[Any]:
    """The records of some rows."""
    import pyarrow as pa

    picked = pa.array(rows)
    values = [array.take(picked).to_pylist(maps_as_pydicts="strict") for array in batch.arrays]
    for row, cells in zip(rows.tolist(), zip(*values, strict=True), strict=True):
        yield typed_line(Row(batch.number + row, cells), batch.columns)


# -- turns -------------------------------------------------------------------------------------


def _turns_rise(log: Log) -> bool:
    """Whether each turn is a whole number greater than the one before: then none is there twice."""
    import numpy as np
    import pyarrow as pa

    last: int | None = None
    for file in log.files:
        with opened_parquet(file) as stored:
            if "turn" not in stored.schema_arrow.names:
                return True
            if not pa.types.is_integer(stored.schema_arrow.field("turn").type):
                return False
            for batch in stored.iter_batches(ROWS, columns=["turn"]):
                turns = batch.column(0)
                if turns.null_count:
                    return False
                values = np.asarray(turns)
                rising = bool((values[1:] > values[:-1]).all())
                if not rising or (last is not None and len(values) and values[0] <= last):
                    return False
                last = int(values[-1]) if len(values) else last
    return True


def _doubt_turns(turns: Any, codes: NDArray[Any], used: Turns) -> None:
    """A row whose turn was there before, or is none, is in doubt; the turns of the others are used now.

    Those that share a turn with a row in doubt are in doubt too: which of them is the first to be accepted is
    known only when they are answered in order."""
    values = turns.to_pylist()
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
