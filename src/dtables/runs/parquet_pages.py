"""How many rows of a Parquet file may be unpacked at once: a few bytes of it may stand for any number.

What the file says of its columns tells for most. Where that leaves room for a page that no memory holds, the
heads of the pages are looked at: they stand before each page, in Thrift's compact protocol.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

MEBIBYTE = 1024 * 1024
LARGEST_PAGE = 128 * MEBIBYTE
"""Unpacked. Nobody writes pages of more than some megabytes."""
MOST_VALUES = 1 << 24
"""Of a page."""
BYTES_AT_ONCE = 32 * MEBIBYTE
VALUES_AT_ONCE = 1 << 20
_ALIKE = "DELTA_BYTE_ARRAY"
"""Texts that begin as the one before them: of a page of some bytes each may be as long as the page."""
_HEAD = 64 * 1024
_UNPACKED, _PACKED, _KINDS = 2, 3, (5, 7, 8)


class OddPage(Exception):
    """A page that is not read."""


@dataclass(frozen=True, slots=True)
class Page:
    """`size` is that of what is unpacked."""

    values: int
    size: int


def rows_at_once(stream: IO[bytes], group: Any, most: int) -> int:
    """Of a row group, whose description is Arrow's. OddPage where not even one row can be read."""
    rows = most
    for number in range(group.num_columns):
        column = group.column(number)
        size, values = column.total_uncompressed_size, column.num_values
        alike = _ALIKE in column.encodings
        if alike or size > LARGEST_PAGE or values > MOST_VALUES:
            pages = list(_pages(stream, column))
            if any(page.size > LARGEST_PAGE or page.values > MOST_VALUES for page in pages):
                raise OddPage
            if alike:
                rows = min(rows, BYTES_AT_ONCE // max(1, *(page.size for page in pages), 1))
        each = max(size / BYTES_AT_ONCE, values / VALUES_AT_ONCE) / max(1, group.num_rows)
        rows = min(rows, int(1 / each)) if each else rows
    return max(1, rows)


def _pages(stream: IO[bytes], column: Any) -> Iterator[Page]:
    at = column.data_page_offset
    if column.has_dictionary_page and column.dictionary_page_offset is not None:
        at = min(at, column.dictionary_page_offset)
    end = at + column.total_compressed_size
    while at < end:
        stream.seek(at)
        head = _Compact(stream.read(_HEAD))
        fields = head.struct()
        kind = next((fields[kind] for kind in _KINDS if kind in fields), None)
        yield Page(_number(kind, 1), _number(fields, _UNPACKED))
        at += head.at + _number(fields, _PACKED)


def _number(fields: Any, name: int) -> int:
    found = fields.get(name) if isinstance(fields, dict) else None
    if not isinstance(found, int) or found < 0:
        raise OddPage
    return found


class _Compact:
    """Reads what is needed of it: numbers by the number of their field, in structs within one another."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.at = 0

    def struct(self, deep: int = 0) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        name = 0
        while (head := self._byte()) != 0:
            name = name + (head >> 4) if head >> 4 else self._zigzag()
            fields[name] = self._value(head & 15, deep)
        return fields

    def _value(self, kind: int, deep: int) -> Any:
        if deep > 8:
            raise OddPage
        match kind:
            case 1 | 2:
                return kind == 1
            case 3:
                return self._byte()
            case 4 | 5 | 6:
                return self._zigzag()
            case 7:
                return self._skip(8)
            case 8:
                return self._skip(self._varint())
            case 9 | 10:
                head = self._byte()
                count = head >> 4 if head >> 4 < 15 else self._varint()
                if count > len(self.raw):
                    raise OddPage
                return [self._item(head & 15, deep + 1) for _ in range(count)]
            case 12:
                return self.struct(deep + 1)
            case _:
                raise OddPage

    def _item(self, kind: int, deep: int) -> Any:
        """Truths in a list take a byte."""
        return self._byte() if kind in (1, 2) else self._value(kind, deep)

    def _skip(self, count: int) -> None:
        self.at += count

    def _byte(self) -> int:
        if self.at >= len(self.raw):
            raise OddPage
        self.at += 1
        return self.raw[self.at - 1]

    def _varint(self) -> int:
        found = shift = 0
        while (byte := self._byte()) & 128 and shift < 64:
            found, shift = found | (byte & 127) << shift, shift + 7
        return found | byte << shift

    def _zigzag(self) -> int:
        found = self._varint()
        return found >> 1 ^ -(found & 1)
