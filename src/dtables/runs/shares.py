"""A log cut into shares that can be read apart, by whoever can open its files.

What is in a share depends on the log alone: not on who reads it, nor on how many do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from dtables.runs.chunks import CHUNK, Chunk, JsonChunk, LogError, is_packed, skip_rest, whole_lines
from dtables.runs.jsonlines import BYTE_ORDER_MARK
from dtables.runs.sources import EXCEL_ENDINGS, PARQUET_ENDINGS, TYPED_ENDINGS, Log, no_types

if TYPE_CHECKING:
    from dtables.model.tables import Ruleset

SHARE = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Whole:
    """The file cannot be read but from its beginning: packed, or text whose lines may be within quotes."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The lines that begin between two bytes; `newlines` stand in the file before the first of them."""

    start: int
    stop: int
    newlines: int = 0


@dataclass(frozen=True, slots=True)
class RowGroups:
    """`rows` stand in the file before the first of them."""

    start: int
    stop: int
    rows: int


@dataclass(frozen=True, slots=True)
class Share:
    """`name` is what rejects tell of the file, where a log has several. `bytes` are those of the file, as far
    as they are in the share."""

    file: Path
    name: str | None
    part: Whole | Stretch | RowGroups
    bytes: int


def shares_of(log: Log, size: int = SHARE) -> tuple[Share, ...]:
    """In the log's order, their files by places that hold in every process. Before they are read, stretches
    have to be told the `newlines` before them."""
    if log.piped is not None:
        raise LogError(f"{log.name} is read on one machine only: leave out --engine spark")
    names = [log.told(file) for file in log.files]
    return tuple(
        share
        for file, name in zip(log.files, names, strict=True)
        for share in _cut(file.absolute(), name, size)
    )


def read_share(share: Share, model: Ruleset | None, size: int = CHUNK) -> Iterator[Chunk]:
    match share.part:
        case Whole():
            return Log(str(share.file), (share.file,), model).read(share.file, share.name, size)
        case Stretch() as stretch:
            return _read_stretch(share.file, share.name, stretch, size)
        case RowGroups(start, stop, rows):
            from dtables.runs.parquet_logs import read_parquet_chunks

            if model is None:
                raise no_types(share.file)
            return read_parquet_chunks(share.file, model, share.name, range(start, stop), rows + 1)
        case other:
            assert_never(other)


def uncounted(shares: Iterable[Share]) -> tuple[Share, ...]:
    """Those behind which another stretch of the same file comes."""
    return tuple(
        share
        for share, following in pairwise(shares)
        if isinstance(share.part, Stretch) and share.file == following.file
    )


def count_newlines(share: Share) -> int:
    assert isinstance(share.part, Stretch)
    found, left = 0, share.part.stop - share.part.start
    with share.file.open("rb") as stream:
        stream.seek(share.part.start)
        while left > 0 and (raw := stream.read(min(CHUNK, left))):
            found += raw.count(b"\n")
            left -= len(raw)
    return found


def with_newlines(shares: Iterable[Share], counted: Iterable[int]) -> Iterator[Share]:
    """`counted` has the newlines of those that were `uncounted`, in order."""
    counts = iter(counted)
    before: Share | None = None
    newlines = 0
    for share in shares:
        part = share.part
        if isinstance(part, Stretch):
            same = before is not None and before.file == share.file
            newlines = newlines + next(counts) if same else 0
            share = replace(share, part=replace(part, newlines=newlines))
        yield share
        before = share


# -- cutting -----------------------------------------------------------------------------------


def _cut(file: Path, name: str | None, size: int) -> Iterator[Share]:
    length = file.stat().st_size
    if file.name.endswith(EXCEL_ENDINGS):
        raise LogError(f"{file}: a log in Excel is read on one machine only: leave out --engine spark")
    if file.name.endswith(PARQUET_ENDINGS):
        yield from _cut_parquet(file, name, size)
    elif file.name.endswith(TYPED_ENDINGS) or is_packed(file):
        yield Share(file, name, Whole(), length)
    else:
        for start in range(0, length, size):
            stretch = Stretch(start, min(start + size, length))
            yield Share(file, name, stretch, stretch.stop - start)


def _cut_parquet(file: Path, name: str | None, size: int) -> Iterator[Share]:
    from dtables.runs.parquet_logs import row_groups

    start, rows, rows_here, bytes_here = 0, 0, 0, 0
    groups = row_groups(file)
    for number, (more_rows, more_bytes) in enumerate(groups, 1):
        rows_here, bytes_here = rows_here + more_rows, bytes_here + more_bytes
        if bytes_here >= size or number == len(groups):
            yield Share(file, name, RowGroups(start, number, rows), bytes_here)
            start, rows, rows_here, bytes_here = number, rows + rows_here, 0, 0


def _read_stretch(file: Path, name: str | None, stretch: Stretch, size: int) -> Iterator[JsonChunk]:
    with file.open("rb") as stream:
        number = 1 + stretch.newlines
        if stretch.start > 0:
            stream.seek(stretch.start - 1)
            if stream.read(1) != b"\n":
                skip_rest(stream)
                number += 1
        while (left := stretch.stop - stream.tell()) > 0 and (raw := whole_lines(stream, min(size, left))):
            if number == 1:
                raw = raw.removeprefix(BYTE_ORDER_MARK)
            yield JsonChunk(name, number, raw)
            number += raw.count(b"\n")
