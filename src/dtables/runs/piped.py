"""Logs that come through a pipe and can be read once: JSON Lines as they come, anything else from a file that
is made of it.
"""

from __future__ import annotations

import csv
import gzip
import io
import shutil
import zlib
from typing import IO, TYPE_CHECKING, Any, cast

from dtables.files import temporary_folder
from dtables.runs.jsonlines import BYTE_ORDER_MARK

if TYPE_CHECKING:
    from pathlib import Path

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
        """As they come: nothing waits for more than there is."""
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
