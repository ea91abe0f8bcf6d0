"""Logs as Parquet, a batch of rows at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dtables.runs.chunks import Chunk, LogError
from dtables.runs.columns import Row, columns_of, typed_line
from dtables.runs.row_chunks import ROWS, RowChunk

if TYPE_CHECKING:
    from dtables.model.tables import Ruleset


def read_parquet_chunks(
    path: Path, model: Ruleset, file: str | None = None, groups: range | None = None, first: int = 1
) -> Iterator[Chunk]:
    """Columns as in CSV, or nested (`state` a struct). Rows are numbered from 1; of some row groups, from
    the number of their `first`. Where a log's only file names no turns, its rows' numbers are them."""
    number = first
    with opened_parquet(path) as stored:
        named = stored.schema_arrow.names
        heads = numbered(named, file is None)
        columns = columns_of(heads, model, str(path))
        for batch in stored.iter_batches(batch_size=ROWS, row_groups=groups):
            values: list[Iterable[Any]] = [
                column.to_pylist(maps_as_pydicts="strict") for column in batch.columns
            ]
            if len(heads) > len(named):
                values.insert(0, range(number, number + batch.num_rows))
            rows = tuple(Row(n, cells) for n, cells in enumerate(zip(*values, strict=True), number))
            yield RowChunk(file, columns, rows, typed_line)
            number += len(rows)


def numbered(heads: list[str], alone: bool) -> list[str]:
    """With a column of turns in front, where there is none and the file is `alone`."""
    return heads if "turn" in heads or not alone else ["turn", *heads]


def row_groups(path: Path) -> tuple[tuple[int, int], ...]:
    """Rows and bytes of each."""
    with opened_parquet(path) as stored:
        groups = map(stored.metadata.row_group, range(stored.num_row_groups))
        return tuple((group.num_rows, group.total_byte_size) for group in groups)


@contextmanager
def opened_parquet(path: Path, texts: Iterable[str] = ()) -> Iterator[Any]:
    """`texts` are columns that are read as numbers of their different values."""
    parquet = parquet_library()
    from pyarrow import ArrowException

    try:
        with parquet.ParquetFile(path, read_dictionary=list(texts)) as stored:
            yield stored
    except (ArrowException, KeyError) as error:
        raise LogError(f"{path}: no Parquet that can be read: {error}") from None


def parquet_library() -> ModuleType:
    try:
        return import_module("pyarrow.parquet")
    except ImportError:
        raise LogError("Parquet needs pyarrow, which is not installed here: pip install pyarrow") from None
