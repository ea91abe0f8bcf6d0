"""Parquet by columns: cells have types of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtables.flat.columns import from_arrow
from dtables.runs.columns import Column, Row, columns_of, typed_line
from dtables.runs.flat_sources import ROWS, Batch, Read, Rising, rising_in, turn_first
from dtables.runs.jsonlines import Line
from dtables.runs.parquet_logs import numbered, opened_parquet

if TYPE_CHECKING:
    from dtables.model.tables import Ruleset


class TypedForm:
    def column(self, column: Column, array: Any) -> Read:
        return Read({column.path[1:]: from_arrow(array)})

    def line(self, row: Row, columns: tuple[Column, ...]) -> Line:
        return typed_line(row, columns)


@dataclass(frozen=True, slots=True)
class ParquetSource:
    """`named`: whether the file itself has turns; else its rows' numbers are them. `texts` are columns that
    are read as numbers of their different values."""

    file: Path
    name: str | None
    columns: tuple[Column, ...]
    named: bool
    texts: tuple[str, ...]
    groups: int
    bytes: int

    def rising(self) -> Rising | None:
        import pyarrow as pa

        if not self.named:
            return Rising(None, None)
        with opened_parquet(self.file) as stored:
            if not pa.types.is_integer(stored.schema_arrow.field(self._turn).type):
                return None
            return rising_in(batch.column(0) for batch in stored.iter_batches(ROWS, columns=[self._turn]))

    def batches(self, done: int, groups: int, read: int) -> Iterator[Batch]:
        with opened_parquet(self.file, self.texts) as stored:
            number = 1
            for index in range(stored.num_row_groups):
                group = stored.metadata.row_group(index)
                groups, read = groups + 1, read + group.total_byte_size
                if groups > done:
                    yield from self._group(stored, index, Counted(number, groups, read))
                number += group.num_rows

    def _group(self, stored: Any, index: int, counted: Counted) -> Iterator[Batch]:
        at, ordered = turn_first(self.columns)
        number, left = counted.number, stored.metadata.row_group(index).num_rows
        for batch in stored.iter_batches(ROWS, [index]):
            arrays = list(batch.columns)
            first = arrays.pop(at) if self.named else _numbers(number, batch.num_rows)
            left -= batch.num_rows
            yield Batch(
                self.name,
                ordered,
                (first, *arrays),
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
class Counted:
    """A row group's first row in its file; row groups and bytes of the log to its end."""

    number: int
    groups: int
    read: int


def parquet_source(file: Path, name: str | None, model: Ruleset) -> ParquetSource:
    """`name` is what rejects tell of one of several files."""
    with opened_parquet(file) as stored:
        heads = stored.schema_arrow.names
        texts = tuple(field.name for field in stored.schema_arrow if _is_text(field.type))
        sizes = [stored.metadata.row_group(i).total_byte_size for i in range(stored.num_row_groups)]
    named = numbered(heads, name is None)
    columns = columns_of(named, model, str(file))
    return ParquetSource(file, name, columns, named == heads, texts, len(sizes), sum(sizes))


def _numbers(first: int, rows: int) -> Any:
    import numpy as np
    import pyarrow as pa

    return pa.array(np.arange(first, first + rows, dtype=np.int64))


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
