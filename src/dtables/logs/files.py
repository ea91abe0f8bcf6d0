"""What may be given as a log: a file, a folder, a pattern; each read by its kind."""

from __future__ import annotations

import csv
import gzip
import io
import shutil
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from glob import has_magic
from itertools import pairwise
from os.path import commonpath
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, assert_never, cast

from dtables.files import identity, temporary_folder
from dtables.logs.jsonlines import (
    CHUNK,
    Chunk,
    JsonChunk,
    LogError,
    is_packed,
    json_chunks,
    read_json_chunks,
    skip_rest,
    whole_lines,
)
from dtables.records.json import BYTE_ORDER_MARK

if TYPE_CHECKING:
    from dtables.model.tables import Ruleset

STANDARD_INPUT = "-"
PLAIN_ENDINGS = (".jsonl", ".ndjson", ".json")
JSON_ENDINGS = (*PLAIN_ENDINGS, *(f"{ending}.gz" for ending in PLAIN_ENDINGS))
CSV_ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
PARQUET_ENDINGS = (".parquet",)
EXCEL_ENDINGS = (".xlsx",)
TYPED_ENDINGS = (*CSV_ENDINGS, *PARQUET_ENDINGS, *EXCEL_ENDINGS)
LOG_ENDINGS = (*JSON_ENDINGS, *TYPED_ENDINGS)


@dataclass(frozen=True, slots=True)
class Log:
    """Files in the order in which they are read: by name, so that a folder is always the same log."""

    name: str
    files: tuple[Path, ...]
    model: Ruleset | None = None
    """Declares the types of columns; JSON Lines need none."""
    piped: Piped | None = None
    """Instead of files: JSON Lines that can be read once."""

    @property
    def first(self) -> str:
        """What it is called where it is one file."""
        return self.files[0].name if self.files else self.name

    def kept(self) -> Log:
        """A log that can be read as often as it takes."""
        return self if self.piped is None else replace(self, files=(self.piped.kept(),), piped=None)

    def reads(self, place: Path) -> bool:
        """Whether that is one of its files, however it is spelled."""
        found = identity(place)
        return found is not None and any(identity(file) == found for file in self.files)

    @property
    def bytes(self) -> int:
        """The size of its files as they stand on the disk, packed or not."""
        return sum(file.stat().st_size for file in self.files)

    @property
    def measured(self) -> bool:
        """Whether its pieces are as large as they stand on the disk: plain JSON Lines."""
        return bool(self.files) and all(file.name.endswith(PLAIN_ENDINGS) for file in self.files)

    @property
    def typed(self) -> bool:
        """Whether columns have to be read by the types that the model declares."""
        return any(file.name.endswith(TYPED_ENDINGS) for file in self.files)

    def chunks(self, size: int = CHUNK) -> Iterator[Chunk]:
        """Go through the log in pieces of about `size` bytes, its files in order; LogError where one is
        damaged."""
        if self.piped is not None:
            yield from json_chunks(self.piped.lines(), self.name, None, size, False)
        before = 0
        for file in self.files:
            for chunk in self.read(file, self.shown_name(file), size):
                if before and isinstance(chunk, JsonChunk) and chunk.end is not None:
                    chunk = replace(chunk, end=before + chunk.end)
                yield chunk
            before += file.stat().st_size

    def shown_name(self, file: Path) -> str | None:
        """What rejects tell of one of several files: its place below the folder that all are in."""
        if len(self.files) == 1:
            return None
        return file.relative_to(commonpath(file.parent for file in self.files)).as_posix()

    def read(self, file: Path, name: str | None, size: int) -> Iterator[Chunk]:
        """One of its files; `name` is what rejects tell of it."""
        if not file.name.endswith(TYPED_ENDINGS):
            return read_json_chunks(file, name, size)
        if self.model is None:
            raise no_types(file)
        if file.name.endswith(CSV_ENDINGS):
            from dtables.logs.csv import read_csv_chunks

            return read_csv_chunks(file, self.model, name)
        if file.name.endswith(EXCEL_ENDINGS):
            from dtables.logs.excel import read_sheet_chunks

            return read_sheet_chunks(file, self.model, name)
        from dtables.logs.parquet import read_parquet_chunks

        return read_parquet_chunks(file, self.model, name)


def no_types(file: Path) -> LogError:
    """Return the error of a log in columns that is read without a workbook."""
    return LogError(f"{file}: columns have the types that a workbook declares, and none is given")


def find_log(given: str | Path, model: Ruleset | None = None) -> Log:
    """`-` is the standard input. LogError where there is nothing to read. Hidden files of a folder, and those
    whose ending says that they are no logs, are none; a file that is named is read whatever its ending."""
    if given == STANDARD_INPUT:
        return _piped("standard input", sys.stdin.buffer, model)
    place = _place(given) if isinstance(given, str) else given
    if place.is_fifo() or place.is_char_device():
        return _piped(str(given), place.open("rb"), model)
    if place.is_file():
        return Log(str(given), (place,), model)
    if place.is_dir():
        return _several(str(given), list(place.iterdir()), model)
    if has_magic(str(place)):
        anchor = Path(place.anchor)
        return _several(str(given), list(anchor.glob(str(place.relative_to(anchor)))), model)
    raise LogError(f"{given}: no such file or folder")


def _piped(name: str, stream: IO[bytes], model: Ruleset | None) -> Log:
    piped = Piped(stream)
    lines = piped.ending.endswith(JSON_ENDINGS)
    return Log(name, (), model, piped) if lines else Log(name, (piped.kept(),), model)


def _place(given: str) -> Path:
    """Also by an address as `file:///logs/may.jsonl`."""
    scheme, found, path = given.partition("://")
    if not found:
        return Path(given)
    if scheme == "file" and path.startswith("/"):
        from urllib.parse import unquote

        return Path(unquote(path))
    raise LogError(
        f"{given}: logs are read from this machine's file systems, storage that is mounted among them; what "
        "only Spark can read is answered by `answer_spark` (docs/scale.md)"
    )


def _several(name: str, found: list[Path], model: Ruleset | None) -> Log:
    files = tuple(sorted(f for f in found if f.is_file() and _is_log(f.name)))
    if not files:
        raise LogError(f"{name}: no log there (files that end with {', '.join(LOG_ENDINGS)})")
    return Log(name, files, model)


def _is_log(name: str) -> bool:
    rejects = any(name.endswith(f".rejected{ending}") for ending in LOG_ENDINGS)
    return name.endswith(LOG_ENDINGS) and not name.startswith(".") and not rejects


# -- shares --------------------------------------------------------------------------------------
# A log cut into shares that can be read apart, by whoever can open its files.
#
# What is in a share depends on the log alone: not on who reads it, nor on how many do.

SHARE = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Unsplittable:
    """The file cannot be read but from its beginning: packed, or text whose lines may be within quotes."""


@dataclass(frozen=True, slots=True)
class LineRange:
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
    part: Unsplittable | LineRange | RowGroups
    bytes: int


def shares_of(log: Log, size: int = SHARE) -> tuple[Share, ...]:
    """Cut a log in its order, its files by places that hold in every process. Before they are read, stretches
    have to be given the `newlines` before them."""
    if log.piped is not None:
        raise LogError(f"{log.name} is read on one machine only: leave out --engine spark")
    names = [log.shown_name(file) for file in log.files]
    return tuple(
        share
        for file, name in zip(log.files, names, strict=True)
        for share in _cut(file.absolute(), name, size)
    )


def read_share(share: Share, model: Ruleset | None, size: int = CHUNK) -> Iterator[Chunk]:
    """Read one share in pieces; the numbers of its lines are right after `with_newlines`."""
    match share.part:
        case Unsplittable():
            return Log(str(share.file), (share.file,), model).read(share.file, share.name, size)
        case LineRange() as stretch:
            return _read_stretch(share.file, share.name, stretch, size)
        case RowGroups(start, stop, rows):
            from dtables.logs.parquet import read_parquet_chunks

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
        if isinstance(share.part, LineRange) and share.file == following.file
    )


def count_newlines(share: Share) -> int:
    """Return the newlines of a share that is a stretch of lines."""
    assert isinstance(share.part, LineRange)
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
        if isinstance(part, LineRange):
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
        yield Share(file, name, Unsplittable(), length)
    else:
        for start in range(0, length, size):
            stretch = LineRange(start, min(start + size, length))
            yield Share(file, name, stretch, stretch.stop - start)


def _cut_parquet(file: Path, name: str | None, size: int) -> Iterator[Share]:
    from dtables.logs.parquet import row_groups

    start, rows, rows_here, bytes_here = 0, 0, 0, 0
    groups = row_groups(file)
    for number, (more_rows, more_bytes) in enumerate(groups, 1):
        rows_here, bytes_here = rows_here + more_rows, bytes_here + more_bytes
        if bytes_here >= size or number == len(groups):
            yield Share(file, name, RowGroups(start, number, rows), bytes_here)
            start, rows, rows_here, bytes_here = number, rows + rows_here, 0, 0


def _read_stretch(file: Path, name: str | None, stretch: LineRange, size: int) -> Iterator[JsonChunk]:
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


# -- the standard input -----------------------------------------------------------------------------
# Logs that come through a pipe and can be read once: JSON Lines as they come, anything else from a file
# that is made of it.

LOOKED_AT = 64 * 1024
_GZIP, _PARQUET, _ZIP = b"\x1f\x8b", b"PAR1", b"PK\x03\x04"
_UNPACK_GZIP = 31
_SEPARATORS = (",", ";", "\t")


class Piped:
    """`ending` is that of a file with such a beginning."""

    def __init__(self, stream: IO[bytes]) -> None:
        head = _beginning(stream)
        self.ending = _ending(head)
        self._stream = io.BufferedReader(_Resumed(head, stream))

    def lines(self) -> IO[bytes]:
        """Go through lines as they come: nothing waits for more than there is."""
        packed = self.ending.endswith(".gz")
        return cast("IO[bytes]", _AsItComes(gzip.GzipFile(fileobj=self._stream) if packed else self._stream))

    def kept(self) -> Path:
        """All of it in a file, until this process ends."""
        folder = temporary_folder()
        name = f"standard input{self.ending}"
        with folder.open_to_write(name) as file:
            shutil.copyfileobj(self._stream, file)
        return folder.path / name


class _Resumed(io.RawIOBase):
    """What was read of a stream already, and then the stream."""

    def __init__(self, head: bytes, stream: IO[bytes]) -> None:
        self._head, self._stream = head, stream

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        piece = self._head[: len(room)] or _some(self._stream, len(room))
        self._head = self._head[len(room) :]
        room[: len(piece)] = piece
        return len(piece)


class _AsItComes(io.BufferedIOBase):
    """`read` gives what is there, and no more than is asked for."""

    def __init__(self, stream: Any) -> None:
        self._stream: io.BufferedReader = stream

    def read(self, size: int | None = -1, /) -> bytes:
        return self._stream.read1(-1 if size is None else size)

    def readline(self, size: int | None = -1, /) -> bytes:
        return self._stream.readline(-1 if size is None else size)


def _some(stream: IO[bytes], most: int) -> bytes:
    return cast("io.BufferedIOBase", stream).read1(most)


# -- what it is --------------------------------------------------------------------------------


def _beginning(stream: IO[bytes]) -> bytes:
    """Enough to tell: of text an object's bracket or the first line."""
    head = b""
    while len(head) < LOOKED_AT and (more := _some(stream, LOOKED_AT)):
        head += more
        text = _text(head).lstrip()
        if len(head) >= len(_ZIP) and (text.startswith(b"{") or b"\n" in text):
            break
    return head


def _ending(head: bytes) -> str:
    if head.startswith(_PARQUET):
        return ".parquet"
    if head.startswith(_ZIP):
        return ".xlsx"
    first = _text(head).split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    plain = ".csv" if any("turn" in _cells(first, separator) for separator in _SEPARATORS) else ".jsonl"
    return f"{plain}.gz" if head.startswith(_GZIP) else plain


def _text(head: bytes) -> bytes:
    """Unpacked, as far as it goes."""
    if head.startswith(_GZIP):
        try:
            head = zlib.decompressobj(_UNPACK_GZIP).decompress(head, LOOKED_AT)
        except zlib.error:
            return b""
    return head.removeprefix(BYTE_ORDER_MARK)


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error:
        return []
