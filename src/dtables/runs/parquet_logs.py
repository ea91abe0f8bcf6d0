"""Logs as Parquet, some rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dtables.runs.arrow_rows import weighed_rows
from dtables.runs.chunks import Chunk, LogError, unread
from dtables.runs.columns import Row, columns_of, typed_line
from dtables.runs.parquet_pages import LARGEST_PAGE, MEBIBYTE, OddPage, rows_at_once
from dtables.runs.row_chunks import ROWS, row_chunks

if TYPE_CHECKING:
    from dtables.model.tables import Ruleset

_BOUND, _HIDDEN = b"PAR1", b"PARE"
_DELTAS = {"DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"}


def read_parquet_chunks(
    path: Path, model: Ruleset, file: str | None = None, groups: range | None = None, first: int = 1
) -> Iterator[Chunk]:
    """Columns as in CSV, or nested (`state` a struct). Rows are numbered from 1; of some row groups, from
    the number of their `first`. Where a log's only file names no turns, its rows' numbers are them."""
    number = first - 1
    with opened_parquet(path, lambda: number) as stored:
        named = stored.schema_arrow.names
        heads = numbered(named, file is None)
        columns = columns_of(heads, model, str(path))

        def rows() -> Iterator[tuple[Row, int]]:
            nonlocal number
            for group in range(stored.num_row_groups) if groups is None else groups:
                for batch in batches_of(path, stored, group, ROWS):
                    for cells, weight in weighed_rows(batch.columns):
                        number += 1
                        turn = (number,) if len(heads) > len(named) else ()
                        yield Row(number, (*turn, *cells)), weight

        yield from row_chunks(file, columns, rows(), typed_line)


def numbered(heads: list[str], alone: bool) -> list[str]:
    """With a column of turns in front, where there is none and the file is `alone`."""
    return heads if "turn" in heads or not alone else ["turn", *heads]


def row_groups(path: Path) -> tuple[tuple[int, int], ...]:
    """Rows and bytes of each."""
    with opened_parquet(path) as stored:
        groups = map(stored.metadata.row_group, range(stored.num_row_groups))
        return tuple((group.num_rows, group.total_byte_size) for group in groups)


def batches_of(
    path: Path, stored: Any, group: int, most: int, columns: list[str] | None = None
) -> Iterator[Any]:
    """Of a row group, as many rows at a time as memory holds."""
    try:
        with path.open("rb") as stream:
            rows = rows_at_once(stream, stored.metadata.row_group(group), most)
    except OddPage:
        limit = LARGEST_PAGE // MEBIBYTE
        raise _refused(path, f"a page of it unpacks to more than {limit} MiB") from None
    yield from stored.iter_batches(rows, [group], columns)


# -- the file ----------------------------------------------------------------------------------


@contextmanager
def opened_parquet(path: Path, row: Callable[[], int] = lambda: 0) -> Iterator[Any]:
    """Texts are read as numbers of their different values: a text may stand there any number of times. Of
    what cannot be read only the last `row` before it is known."""
    parquet = parquet_library()
    from pyarrow import ArrowException

    _look_at_ends(path)
    try:
        with parquet.ParquetFile(path) as stored:
            texts = list(_texts(stored))
        with parquet.ParquetFile(path, read_dictionary=texts) as stored:
            yield stored
    except (ArrowException, OSError, UnicodeDecodeError, OverflowError) as error:
        if isinstance(error, RuntimeError):
            raise _refused(path, "its data is kept in a way that is not read here") from None
        if isinstance(error, OSError) and error.errno is not None:
            raise unread(path, error) from None
        where = f", somewhere after row {row()}" if row() else ""
        raise _refused(path, f"it is damaged{where}") from None


def _refused(path: Path, why: str) -> LogError:
    return LogError(f"{path}: no Parquet that can be read: {why}")


def _texts(stored: Any) -> Iterator[str]:
    """Those that Arrow can read as numbers of their values."""
    groups = [stored.metadata.row_group(number) for number in range(stored.num_row_groups)]
    for number in range(len(stored.schema)):
        leaf = stored.schema.column(number)
        is_text = leaf.physical_type == "BYTE_ARRAY" and leaf.logical_type.type in ("STRING", "NONE")
        if is_text and not any(_DELTAS.intersection(group.column(number).encodings) for group in groups):
            yield leaf.path


def _look_at_ends(path: Path) -> None:
    """LogError where they are not those of Parquet."""
    try:
        with path.open("rb") as file:
            start = file.read(len(_BOUND))
            size = file.seek(0, 2)
            file.seek(max(0, size - len(_BOUND)))
            end = file.read()
    except OSError as error:
        raise unread(path, error) from None
    if _HIDDEN in (start, end):
        raise _refused(path, "it is encrypted")
    if start != _BOUND:
        raise _refused(path, "it is another kind of file" if size else "the file is empty")
    if end != _BOUND or size < 3 * len(_BOUND):
        raise _refused(path, "the file breaks off")


def parquet_library() -> ModuleType:
    try:
        return import_module("pyarrow.parquet")
    except ImportError:
        raise LogError("Parquet needs pyarrow, which is not installed here: pip install pyarrow") from None
