"""Logs in pieces: whole lines, as many as fit into a chunk, so that no log has to fit into memory."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol, cast

from dtables.findings import Finding
from dtables.runs.jsonlines import BYTE_ORDER_MARK, LONGEST_LINE, Line, parse_line

CHUNK = 1024 * 1024
_GZIP = b"\x1f\x8b"


class LogError(Exception):
    """A log that cannot be read to its end, or a run that cannot go on. What it says is for people."""


class Chunk(Protocol):
    """A piece of a log. `file` names the file where the log has several."""

    @property
    def file(self) -> str | None: ...

    @property
    def records(self) -> int: ...

    def lines(self) -> Iterator[Line]: ...


@dataclass(frozen=True, slots=True)
class JsonChunk:
    """Lines as they stand in the file, the first of them with its number; parsed by whom it reaches. `end`
    is the byte behind them of all the log's files, one after the other, where that can be said."""

    file: str | None
    first: int
    raw: bytes
    end: int | None = None

    @property
    def records(self) -> int:
        """Blank lines are no records."""
        return sum(1 for line in self.raw.split(b"\n") if line.strip())

    def raw_lines(self) -> Iterator[tuple[int, bytes]]:
        return ((number, raw) for number, raw in enumerate(self.raw.split(b"\n"), self.first) if raw.strip())

    def lines(self) -> Iterator[Line]:
        return (read_line(number, raw) for number, raw in self.raw_lines())


def read_line(number: int, raw: bytes) -> Line:
    if len(raw) > LONGEST_LINE:
        return Line(number, None, Finding("$", "a line over 16 MiB", "a JSON object on one line"))
    return parse_line(number, raw)


def read_json_chunks(path: Path, file: str | None = None, size: int = CHUNK) -> Iterator[JsonChunk]:
    """JSON Lines, also gzip (told by its first bytes, whatever its name)."""
    placed = not is_packed(path)
    with opened(path) as stream:
        yield from json_chunks(stream, str(path), file, size, placed)


def json_chunks(
    stream: IO[bytes], name: str, file: str | None, size: int, placed: bool
) -> Iterator[JsonChunk]:
    """A byte-order mark at the start is no part of the first record. `placed`: the stream tells where it is
    in its file."""
    number = 1
    try:
        while raw := whole_lines(stream, size):
            if number == 1:
                raw = raw.removeprefix(BYTE_ORDER_MARK)
            yield JsonChunk(file, number, raw, stream.tell() if placed else None)
            number += raw.count(b"\n")
    except EOFError:
        raise LogError(f"{name}: the gzip file breaks off{_somewhere_after(number - 1)}") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise LogError(f"{name}: a damaged gzip file{_somewhere_after(number - 1)}: {error}") from None


def _somewhere_after(line: int) -> str:
    """Of the piece that could not be read nothing is known."""
    return f", somewhere after line {line}" if line else ""


def read_lines(path: Path) -> Iterator[Line]:
    for chunk in read_json_chunks(path):
        yield from chunk.lines()


def opened(path: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path, "rb")) if is_packed(path) else path.open("rb")


def is_packed(path: Path) -> bool:
    """Told by the first bytes."""
    with path.open("rb") as file:
        return file.read(2) == _GZIP


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
    """To the end of the line."""
    while (piece := stream.readline(LONGEST_LINE)) and not piece.endswith(b"\n"):
        pass
