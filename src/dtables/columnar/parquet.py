"""Parquet by columns: cells have types of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_, or_
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtables.columnar import Why
from dtables.columnar.batches import Batch, ReadColumn, Rising, rising_in, turn_first
from dtables.columnar.cells import Cells, Coded, from_arrow, silent
from dtables.limits import LIMITS
from dtables.logs.columns import COMPOUND, LogColumn, NumberedRow, bare, columns_of, state_type, typed_line
from dtables.logs.parquet import batches_of, numbered, opened_parquet
from dtables.records.json import LogLine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dtables.model.tables import Ruleset

    Mask = NDArray[np.bool_]


class TypedForm:
    def column(self, column: LogColumn, array: Any) -> ReadColumn:
        """The fields of a struct stand below it."""
        cells: dict[tuple[str, ...], Cells] = {}
        doubtful = [mask for mask in _read(column.path[1:], array, cells) if mask.any()]
        return ReadColumn(cells, reduce(or_, doubtful) if doubtful else None)

    def line(self, row: NumberedRow, columns: tuple[LogColumn, ...]) -> LogLine:
        return typed_line(row, columns)


def _read(path: tuple[str, ...], array: Any, cells: dict[tuple[str, ...], Cells]) -> Iterator[Mask]:
    """Doubtful are records that are there and say nothing, states that are not there or no records, and empty
    texts inside records: unlike an empty cell, such a text says something."""
    import pyarrow as pa

    fields = list(array.type) if pa.types.is_struct(array.type) else []
    if len({field.name for field in fields}) != len(fields) or not pa.types.is_struct(array.type):
        if path:
            cells[path] = from_arrow(array)
        else:
            yield pa.repeat(True, len(array)).to_numpy(zero_copy_only=False)
        return
    below = array.flatten()
    for field, part in zip(fields, below, strict=True):
        inner = (*path, field.name)
        yield from _read(inner, part, cells)
        if isinstance(cells.get(inner), Coded):
            yield silent(cells[inner]) & ~_nulls(part)
    missing = _nulls(array)
    yield reduce(and_, map(_nulls, below), ~missing) if path else missing


def _nulls(array: Any) -> Mask:
    found: Mask = array.is_null().to_numpy(zero_copy_only=False)
    return found


def unread(column: LogColumn, kind: Any, model: Ruleset) -> bool:
    """Whether a column, or one below it, has lists, or records that are no structs: its cells are read one by
    one."""
    import pyarrow as pa

    if not pa.types.is_struct(kind):
        return len(column.path) > 1 and isinstance(bare(state_type(model, column.path[1:])), COMPOUND)
    below = (replace(column, path=(*column.path, field.name)) for field in kind)
    return any(unread(one, field.type, model) for one, field in zip(below, kind, strict=True))


@dataclass(frozen=True, slots=True)
class ParquetSource:
    """`named`: whether the file itself has turns; else its rows' numbers are them. `slow` are columns whose
    cells are read one by one."""

    file: Path
    name: str | None
    columns: tuple[LogColumn, ...]
    named: bool
    slow: tuple[str, ...]
    groups: int
    bytes: int

    def rising(self) -> Rising | None:
        import pyarrow as pa

        if not self.named:
            return Rising(None, None)
        with opened_parquet(self.file) as stored:
            if not pa.types.is_integer(stored.schema_arrow.field(self._turn).type):
                return None
            groups = range(stored.num_row_groups)
            turns = (
                b
                for group in groups
                for b in batches_of(self.file, stored, group, LIMITS.batch_rows, [self._turn])
            )
            return rising_in(batch.column(0) for batch in turns)

    def batches(self, done: int, groups: int, read: int) -> Iterator[Batch]:
        number = 1
        with opened_parquet(self.file, lambda: number - 1) as stored:
            for index in range(stored.num_row_groups):
                group = stored.metadata.row_group(index)
                groups, read = groups + 1, read + group.total_byte_size
                if groups > done:
                    yield from self._group(stored, index, RowGroupStart(number, groups, read))
                number += group.num_rows

    def _group(self, stored: Any, index: int, counted: RowGroupStart) -> Iterator[Batch]:
        at, ordered = turn_first(self.columns)
        number, left = counted.number, stored.metadata.row_group(index).num_rows
        for batch in batches_of(self.file, stored, index, LIMITS.batch_rows):
            arrays = list(batch.columns)
            first = arrays.pop(at) if self.named else _numbers(number, batch.num_rows)
            left -= batch.num_rows
            yield Batch(
                self.name,
                ordered,
                (first, *arrays),
                at,
                TypedForm(),
                number,
                counted.groups,
                left == 0,
                counted.read,
            )
            number += batch.num_rows

    @property
    def _turn(self) -> str:
        return next(column.head for column in self.columns if column.path == ("turn",))


@dataclass(frozen=True, slots=True)
class RowGroupStart:
    """A row group's first row in its file; row groups and bytes of the log to its end."""

    number: int
    groups: int
    read: int


def parquet_source(file: Path, name: str | None, model: Ruleset) -> ParquetSource | Why:
    """`name` is what rejects tell of one of several files. Why: it is not read by columns."""
    import pyarrow as pa

    with opened_parquet(file) as stored:
        schema = stored.schema_arrow
        sizes = [stored.metadata.row_group(i).total_byte_size for i in range(stored.num_row_groups)]
        rows = stored.metadata.num_rows
    heads = numbered(schema.names, name is None)
    columns = columns_of(heads, model, str(file))
    typed = list(zip(columns[len(heads) - len(schema.names) :], schema.types, strict=True))
    for column, kind in typed:
        part = next((one for one in columns if _inside(one, column)), None)
        if pa.types.is_struct(kind) and part is not None:
            return Why(
                f"{file.name} has a column `{part.head}` beside `{column.head}`, of which it is a part"
            )
        if column.path == ("turn",) and rows and not _tells_turns(kind):
            return Why(f"the turns of {file.name} are neither numbers nor texts: it is read record by record")
    slow = tuple(column.head for column, kind in typed if unread(column, kind, model))
    named = heads == schema.names
    return ParquetSource(file, name, columns, named, slow, len(sizes), sum(sizes))


def _inside(one: LogColumn, other: LogColumn) -> bool:
    return one is not other and one.path[: len(other.path)] == other.path


def _numbers(first: int, rows: int) -> Any:
    import numpy as np
    import pyarrow as pa

    return pa.array(np.arange(first, first + rows, dtype=np.int64))


def _tells_turns(kind: Any) -> bool:
    import pyarrow as pa

    is_ = pa.types
    of = kind.value_type if is_.is_dictionary(kind) else kind
    text = is_.is_string(of) or is_.is_large_string(of)
    return bool(text or is_.is_null(kind) or (is_.is_integer(kind) and kind != pa.uint64()))
