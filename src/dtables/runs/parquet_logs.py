"""Logs as Parquet, a batch of rows at a time. Its library is an extra: `dtables[parquet]`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from dtables.runs.chunks import Chunk, LogError
from dtables.runs.columns import Column, Row, columns_of, typed_line
from dtables.runs.jsonlines import Line

if TYPE_CHECKING:
    from dtables.model.tables import Ruleset

ROWS = 1_000


@dataclass(frozen=True, slots=True)
class TypedChunk:
    """Rows whose cells have types of their own."""

    file: str | None
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def records(self) -> int:
        return len(self.rows)

    def lines(self) -> Iterator[Line]:
        return (typed_line(row, self.columns) for row in self.rows)


def read_parquet_chunks(path: Path, model: Ruleset, file: str | None = None) -> Iterator[Chunk]:
    """Columns as in CSV, or nested (`state` a struct). Rows are numbered from 1."""
    parquet = parquet_library()
    from pyarrow import ArrowException

    number = 1
    try:
        with parquet.ParquetFile(path) as stored:
            heads = stored.schema_arrow.names
            columns = columns_of(heads, model, str(path))
            for batch in stored.iter_batches(batch_size=ROWS):
                values = [column.to_pylist(maps_as_pydicts="strict") for column in batch.columns]
                rows = tuple(Row(n, cells) for n, cells in enumerate(zip(*values, strict=True), number))
                yield TypedChunk(file, columns, rows)
                number += len(rows)
    except (ArrowException, KeyError) as error:
        raise LogError(f"{path}: no Parquet that can be read: {error}") from None


def parquet_library() -> ModuleType:
    try:
        return import_module("pyarrow.parquet")
    except ImportError:
        raise LogError("Parquet needs another library: pip install 'dtables[parquet]'") from None
