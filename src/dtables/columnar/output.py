"""From Parquet to Parquet by columns. While a run goes on its part holds numbers of answers beside turns; the
answers themselves stand between them, where each came up first. What is published is made of that."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from decimal import Decimal
from typing import IO, TYPE_CHECKING, Any

from dtables.answers.answering import Engine, reply_keys, reply_row
from dtables.answers.chunks import ChunkResult
from dtables.answers.columns import ALWAYS, Kind, heads_of, kinds_that_fit, stored
from dtables.answers.parts import Answers
from dtables.answers.run import Piece
from dtables.columnar.engine import DOUBT
from dtables.columnar.log import BatchResult, Columns
from dtables.logs.files import Log
from dtables.logs.parquet import values_of
from dtables.logs.turns import Turns, turn_key
from dtables.records.json import to_json

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtables.columnar.log import Answering

BEGINS, ANSWERS, ROWS, COUNTED = b"B", b"A", b"R", b"C"
"""Of frames: where a run begins, answers that came up, rows, and rows whose turns count on from the first."""
_HEAD = struct.Struct("<cQ")
_FIRST = struct.Struct("<q16s")
_TURNS = "turns"


@dataclass(frozen=True)
class IntoColumns:
    """A way through a log whose pieces hold columns; `finish` makes a Parquet file of them."""

    columns: Columns

    @property
    def words(self) -> dict[str, object]:
        return {"the engine": "columns into columns"}

    @property
    def reads_here(self) -> bool:
        return True

    def pieces(self, engine: Engine, log: Log, done: int, used: Turns) -> Iterator[Piece]:
        assert log == self.columns.log
        numbers = _Numbers(engine.main_ask or "", self.columns.flat)
        packed = _frame(BEGINS, b"\n")
        for block in self.columns.blocks(engine, done, used):
            packed += numbers.packed(block)
            rejects = "".join(f"{line}\n" for line in block.rejects).encode()
            counted = block.records - len(block.rejects), len(block.rejects)
            yield Piece(
                block.records,
                ChunkResult(packed, rejects, *counted, b"", b""),
                block.noted,
                block.batch.bytes,
            )
            packed = b""

    def turns(self, part: Answers, length: int) -> Turns:
        """The turns that a broken-off run has accepted."""
        used = Turns()
        for rows in _rows(part, length):
            for turn in rows.turns.to_pylist():
                used.add(turn_key(None, turn))
        return used

    def finish(self, part: Answers, to: IO[bytes], kinds: Mapping[str, Kind]) -> None:
        """The same table that the answers' lines would become."""
        _write(part, to, kinds)


@dataclass
class _Numbers:
    """The numbers that answers have in a part, by their codes; each run that adds to a part counts anew."""

    ask: str
    flat: Answering
    numbered: dict[int, int] = field(default_factory=dict)

    def packed(self, block: BatchResult) -> bytes:
        """What came up first, then the rows."""
        import numpy as np
        import pyarrow as pa

        met = np.zeros(len(self.flat.answers) + 1, bool)
        met[block.codes] = True
        new = [code for code in np.flatnonzero(met[:-1]).tolist() if code not in self.numbered]
        self.numbered |= {code: len(self.numbered) + position for position, code in enumerate(new)}
        numbers = np.zeros(len(met), np.min_scalar_type(len(self.numbered)))
        numbers[list(self.numbered)] = list(self.numbered.values())
        turns, codes = block.batch.arrays[0], block.codes
        if block.rejects:
            sound = codes != DOUBT
            turns, codes = turns.filter(pa.array(sound)), codes[sound]
        lines = "".join(f"{self._line(code)}\n" for code in new).encode()
        rows = _packed(turns, np.take(numbers, codes, mode="clip")) if len(codes) else b""
        return _frame(ANSWERS, lines) + rows

    def _line(self, code: int) -> str:
        return to_json({"ask": self.ask, **reply_row(self.flat.answers[code])})


# -- frames ------------------------------------------------------------------------------------


def _frame(kind: bytes, raw: bytes) -> bytes:
    return _HEAD.pack(kind, len(raw)) + raw if raw else b""


def _frames(part: Answers, length: int | None = None) -> Iterator[tuple[bytes, bytes]]:
    with part() as file:
        while (length is None or file.tell() < length) and (head := file.read(_HEAD.size)):
            kind, size = _HEAD.unpack(head)
            yield kind, file.read(size)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Turns (an Arrow array) and the numbers of their answers."""

    turns: Any
    numbers: NDArray[Any]


def _packed(turns: Any, numbers: NDArray[Any]) -> bytes:
    """A frame of rows; of turns that count on from the first only that one."""
    import numpy as np
    import pyarrow as pa

    whole = _whole(turns)
    if whole and bool((np.diff(counted := turns.cast(pa.int64()).to_numpy()) == 1).all()):
        return _frame(COUNTED, _FIRST.pack(counted[0], numbers.dtype.str.encode()) + numbers.tobytes())
    batch = pa.record_batch(
        [turns.cast(pa.int64() if whole else pa.string()), pa.array(numbers)], [_TURNS, "numbers"]
    )
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return _frame(ROWS, sink.getvalue().to_pybytes())


def _unpacked(kind: bytes, raw: bytes) -> _Rows:
    import numpy as np
    import pyarrow as pa

    if kind == COUNTED:
        first, of = _FIRST.unpack_from(raw)
        numbers = np.frombuffer(raw, np.dtype(of.rstrip(b"\0").decode()), offset=_FIRST.size)
        return _Rows(pa.array(np.arange(first, first + len(numbers), dtype=np.int64)), numbers)
    with pa.ipc.open_stream(raw) as reader:
        batch = reader.read_next_batch()
    return _Rows(batch.column(0), batch.column(1).to_numpy())


def _rows(part: Answers, length: int | None = None) -> Iterator[_Rows]:
    """The numbers counted through all runs that added to the part."""
    import numpy as np

    counted = before = 0
    for kind, raw in _frames(part, length):
        if kind == BEGINS:
            before = counted
        elif kind == ANSWERS:
            counted += raw.count(b"\n")
        else:
            rows = _unpacked(kind, raw)
            numbers = rows.numbers.astype(np.intp) + before if before else rows.numbers
            yield _Rows(rows.turns, numbers)


# -- the table ---------------------------------------------------------------------------------


def _write(part: Answers, to: IO[bytes], declared: Mapping[str, Kind]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [json.loads(line, parse_float=Decimal) for line in _lines(part)]
    heads = heads_of([{"turn": 0, **row} for row in rows])
    kinds = kinds_that_fit(rows, heads, declared)
    columns = {
        head: _Column(kinds[head], [row.get(head) for row in rows]) for head in heads if head != "turn"
    }
    writer = None
    tables = _tables(part, columns)
    with ThreadPoolExecutor(1) as ahead:
        waiting = ahead.submit(next, tables, None)
        while (table := waiting.result()) is not None:
            waiting = ahead.submit(next, tables, None)
            writer = writer or _writer(pq, to, table.schema)
            writer.write_table(table)
    writer = writer or _writer(
        pq, to, pa.schema([pa.field(head, pa.string(), head not in ALWAYS) for head in heads])
    )
    writer.close()


def _tables(part: Answers, columns: Mapping[str, _Column]) -> Iterator[Any]:
    """Each is good until the next but one is asked for. Turns are texts where some are."""
    import pyarrow as pa

    texts = any(kind == ROWS and not _whole(_unpacked(kind, raw).turns) for kind, raw in _frames(part))
    for some in _rows(part):
        turns = some.turns.cast(pa.string()) if texts else some.turns
        arrays = {head: column.at(some.numbers) for head, column in columns.items()}
        fields = [pa.field(head, array.type, head not in ALWAYS) for head, array in arrays.items()]
        schema = pa.schema([pa.field("turn", turns.type, False), *fields])
        yield pa.Table.from_arrays([turns, *arrays.values()], schema=schema)


def _whole(turns: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(turns.type))


def _lines(part: Answers) -> Iterator[bytes]:
    for kind, raw in _frames(part):
        if kind == ANSWERS:
            yield from raw.splitlines()


def _writer(pq: Any, to: IO[bytes], schema: Any) -> Any:
    """Turns mostly rise, everything else repeats itself. Texts are texts, however they are packed; the ask is
    nearly always the same, and to find its least and greatest would take as long as to write it."""
    import pyarrow as pa

    rising = schema.names[:1] if pa.types.is_integer(schema.types[0]) else []
    return pq.ParquetWriter(
        to,
        schema,
        store_schema=False,
        use_dictionary=[name for name in schema.names if name not in rising],
        column_encoding=dict.fromkeys(rising, "DELTA_BINARY_PACKED") or None,
        write_statistics=[name for name in schema.names if name != "ask"],
    )


class _Column:
    """The values of an answer's field by the answer's number."""

    def __init__(self, kind: Kind, values: list[Any]) -> None:
        import numpy as np
        import pyarrow as pa

        self._kind = kind
        self._missing = np.array([value is None for value in values], bool)
        if kind == "text":
            texts = [None if value is None else stored(value, kind) for value in values]
            different = {text: number for number, text in enumerate(dict.fromkeys(texts))}
            self._table = np.array([different[text] for text in texts], np.int32)
            self._texts = pa.array([text or "" for text in different], pa.string())
        else:
            self._table = np.array([value or 0 for value in values], np.int64 if kind == "whole" else bool)
        self._rooms = [self._table[:0], self._table[:0]]

    def at(self, numbers: NDArray[Any]) -> Any:
        """Good until it is asked twice more: to make room for so many rows takes longer than to fill it."""
        import numpy as np
        import pyarrow as pa

        missing = self._missing[numbers] if self._missing.any() else None
        self._rooms.reverse()
        if len(self._rooms[0]) < len(numbers):
            self._rooms[0] = np.empty(len(numbers), self._table.dtype)
        values = np.take(self._table, numbers, mode="clip", out=self._rooms[0][: len(numbers)])
        if self._kind == "text":
            return pa.DictionaryArray.from_arrays(pa.array(values, mask=missing), self._texts)
        return pa.array(values, mask=missing)


# -- as lines ---------------------------------------------------------------------------------------
# From Parquet to lines by columns: each answer is written once, each row takes it with its turn in front.


@dataclass(frozen=True, slots=True)
class IntoLines:
    columns: Columns

    @property
    def words(self) -> dict[str, object]:
        return {"the engine": "columns into lines"}

    @property
    def reads_here(self) -> bool:
        return True

    def pieces(self, engine: Engine, log: Log, done: int, used: Turns) -> Iterator[Piece]:
        assert log == self.columns.log
        ends: list[str] = []
        for block in self.columns.blocks(engine, done, used):
            for reply in self.columns.flat.answers[len(ends) :]:
                ends.append(f", {to_json({'ask': engine.main_ask, **reply_keys(reply)})[1:]}\n")
            yield Piece(block.records, _settled(block, ends), block.noted, block.batch.bytes)


def _settled(block: BatchResult, ends: list[str]) -> ChunkResult:
    rows = zip(values_of(block.batch.arrays[0]), block.codes.tolist(), strict=True)
    answers = [f'{{"turn": {to_json(turn)}{ends[code]}' for turn, code in rows if code != DOUBT]
    rejects = [f"{line}\n" for line in block.rejects]
    counted = len(answers), len(rejects)
    return ChunkResult("".join(answers).encode(), "".join(rejects).encode(), *counted, b"", b"")
