"""Logs in pieces: whole lines, as many as fit into a chunk, so that no log has to fit into memory."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple, Protocol, cast

from dtables.records.findings import long_line
from dtables.records.json import BYTE_ORDER_MARK, LONGEST_LINE, LogLine, parse_line

CHUNK = 1024 * 1024
_GZIP = b"\x1f\x8b"
_OTHERS = {
    b"\x28\xb5\x2f\xfd": "a file packed by zstd",
    b"BZh": "a file packed by bzip2",
    b"\xfd7zXZ\0": "a file packed by xz",
    b"7z\xbc\xaf\x27\x1c": "an archive (7z)",
    b"PK\x03\x04": "an archive (zip) or a workbook",
    b"PAR1": "a Parquet file, though its name does not say so",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
}


class LogError(Exception):
    """A log that cannot be read to its end, or a run that cannot go on. What it says is for people."""


class RawLine(NamedTuple):
    """A line as it stands in its file; parsed by whom it reaches."""

    number: int
    raw: bytes

    def line(self) -> LogLine:
        """Parse it; what is wrong with it becomes the line's finding."""
        return read_line(self.number, self.raw)


Given = LogLine | RawLine
"""What a log has for a record."""


def line_of(given: Given) -> LogLine:
    """Return a record of a log parsed, if it is not already."""
    return given.line() if isinstance(given, RawLine) else given


class Chunk(Protocol):
    """A piece of a log. `file` names the file where the log has several."""

    @property
    def file(self) -> str | None:
        """The file's name as rejects tell it; None where the log has one file only."""

    @property
    def records(self) -> int:
        """How many records it has; blank lines are none."""

    @property
    def weight(self) -> int:
        """About the bytes of what is in it."""
        ...

    def given(self) -> Iterator[Given]:
        """Go through its records, parsed or not."""

    def lines(self) -> Iterator[LogLine]:
        """Go through its records, parsed."""


@dataclass(frozen=True, slots=True)
class JsonChunk:
    """Lines as they stand in the file, the first of them with its number; parsed by whom it reaches. `end`
    is the byte behind them of all the log's files, one after the other, where that can be said."""

    file: str | None
    first: int
    raw: bytes
    end: int | None = None

    @property
    def weight(self) -> int:
        """The bytes of its lines."""
        return len(self.raw)

    @property
    def records(self) -> int:
        """Blank lines are no records."""
        return sum(1 for line in self.raw.split(b"\n") if line.strip())

    def given(self) -> Iterator[RawLine]:
        """Go through its lines, not parsed; blank ones are left out."""
        numbered = enumerate(self.raw.split(b"\n"), self.first)
        return (RawLine(number, raw) for number, raw in numbered if raw.strip())

    def lines(self) -> Iterator[LogLine]:
        """Go through its lines, parsed; blank ones are left out."""
        return map(line_of, self.given())


def read_line(number: int, raw: bytes) -> LogLine:
    """Parse a line; what is wrong with it, or that it is too long, becomes the line's finding."""
    if len(raw) > LONGEST_LINE:
        return LogLine(number, None, long_line().at("$"))
    return parse_line(number, raw)


def read_json_chunks(path: Path, file: str | None = None, size: int = CHUNK) -> Iterator[JsonChunk]:
    """JSON Lines, also gzip (recognised by its first bytes, whatever its name)."""
    with opened(path) as stream:
        yield from json_chunks(stream, str(path), file, size, not isinstance(stream, gzip.GzipFile))


def json_chunks(
    stream: IO[bytes], name: str, file: str | None, size: int, placed: bool
) -> Iterator[JsonChunk]:
    """A byte-order mark at the start is no part of the first record. `placed`: the stream tells where it is
    in its file."""
    number = 1
    with unpacking(name, lambda: number - 1):
        while raw := whole_lines(stream, size):
            if number == 1:
                raw = raw.removeprefix(BYTE_ORDER_MARK)
            yield JsonChunk(file, number, raw, stream.tell() if placed else None)
            number += raw.count(b"\n")


@contextmanager
def unpacking(name: str, line: Callable[[], int] = lambda: 0) -> Iterator[None]:
    """LogError where a file turns out to be damaged. Of the piece that could not be read nothing is known but
    the last `line` before it."""
    try:
        yield
    except EOFError:
        raise LogError(f"{name}: the gzip file breaks off{_somewhere_after(line())}") from None
    except (gzip.BadGzipFile, zlib.error):
        raise LogError(f"{name}: a damaged gzip file{_somewhere_after(line())}") from None
    except OSError as error:
        raise unread(name, error) from None


def unread(name: object, error: OSError) -> LogError:
    """Return the LogError of a file that the system does not let read."""
    return LogError(f"{name}: {error.strerror or 'cannot be read'}")


def _somewhere_after(line: int) -> str:
    return f", somewhere after line {line}" if line else ""


def read_lines(path: Path) -> Iterator[LogLine]:
    """Go through the records of a file of JSON Lines, gzip or plain; LogError where it is damaged."""
    for chunk in read_json_chunks(path):
        yield from chunk.lines()


def opened(path: Path) -> IO[bytes]:
    """LogError where the first bytes say that it is no text, plain or gzip."""
    start = _start(path)
    for beginning, kind in _OTHERS.items():
        if start.startswith(beginning):
            raise LogError(f"{path}: {kind}; text is read plain or packed by gzip, in UTF-8")
    return cast("IO[bytes]", gzip.open(path, "rb")) if start.startswith(_GZIP) else path.open("rb")


def is_packed(path: Path) -> bool:
    """Told by the first bytes."""
    return _start(path).startswith(_GZIP)


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(8)
    except OSError as error:
        raise unread(path, error) from None


def whole_lines(stream: IO[bytes], size: int) -> bytes:
    """About `size` bytes, to the end of a line. Of a line that is too long only the beginning is kept."""
    raw = stream.read(size)
    if not raw or raw.endswith(b"\n"):
        return raw
    raw += stream.readline(LONGEST_LINE + 1)
    if len(raw) > LONGEST_LINE and not raw.endswith(b"\n"):
        skip_rest(stream)
        raw += b"\n"
    return raw


def skip_rest(stream: IO[bytes]) -> None:
    """Go on to the end of the line."""
    while (piece := stream.readline(LONGEST_LINE)) and not piece.endswith(b"\n"):
        pass
