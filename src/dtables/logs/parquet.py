"""Logs as Parquet, some rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import IO, TYPE_CHECKING, Any

from dtables.feel.values import FeelError, day_text, moment_text
from dtables.logs.columns import EACH, ROWS, NumberedRow, UnreadableCell, columns_of, row_chunks, typed_line
from dtables.logs.jsonlines import Chunk, LogError, unread
from dtables.records.findings import (
    doubled_key,
    no_text_for_key,
    no_utf8,
    too_large_row,
    value_out_of_reach,
)
from dtables.records.json import LONGEST_LINE, MOST_VALUES, first_twice

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtables.model.tables import Ruleset

    Array = NDArray[Any]

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

        def rows() -> Iterator[tuple[NumberedRow, int]]:
            nonlocal number
            for group in range(stored.num_row_groups) if groups is None else groups:
                for batch in batches_of(path, stored, group, ROWS):
                    for cells, weight in weighed_rows(batch.columns):
                        number += 1
                        turn = (number,) if len(heads) > len(named) else ()
                        yield NumberedRow(number, (*turn, *cells)), weight

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
    for batch in stored.iter_batches(rows, [group], columns):
        for column in batch.columns:
            _look_at_numbers(column)
        yield batch


def _look_at_numbers(array: Any) -> None:
    """Numbers of texts (of a dictionary) are taken by Arrow as the file has them, there or not."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = array.type
    if pa.types.is_dictionary(kind):
        ends = pc.min_max(array.indices).as_py()
        if ends["max"] is not None and not 0 <= ends["min"] <= ends["max"] < len(array.dictionary):
            raise pa.ArrowInvalid("a number of no text")
    elif pa.types.is_struct(kind):
        for number in range(kind.num_fields):
            _look_at_numbers(array.field(number))
    elif _is_listed(kind):
        for part in [array.keys, array.items] if pa.types.is_map(kind) else [array.values]:
            _look_at_numbers(part)


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


# -- heads of pages ---------------------------------------------------------------------------------
# How many rows of a Parquet file may be unpacked at once: a few bytes of it may stand for any number.
#
# What the file says of its columns tells for most. Where that leaves room for a page that no memory holds,
# the heads of the pages are looked at: they stand before each page, in Thrift's compact protocol.

MEBIBYTE = 1024 * 1024
LARGEST_PAGE = 128 * MEBIBYTE
"""Unpacked. Nobody writes pages of more than some megabytes."""
MOST_VALUES_OF_A_PAGE = 1 << 24
"""Of a page."""
BYTES_AT_ONCE = 32 * MEBIBYTE
ALIKE_AT_ONCE = 8 * MEBIBYTE
"""Of texts that begin alike: Arrow and Python each have a copy of every one of them."""
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
        if alike or size > LARGEST_PAGE or values > MOST_VALUES_OF_A_PAGE:
            pages = list(_pages(stream, column))
            if any(page.size > LARGEST_PAGE or page.values > MOST_VALUES_OF_A_PAGE for page in pages):
                raise OddPage
            if alike:
                rows = min(rows, ALIKE_AT_ONCE // max(1, *(page.size for page in pages), 1))
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


# -- rows of Arrow ----------------------------------------------------------------------------------
# Arrow's columns as rows of Python's values, some at a time: no row takes more memory than a record may.
#
# What Python cannot hold (no UTF-8, a map that has a key twice) is `UnreadableCell` in its place:
# the record is rejected, the others are not.

ROWS_AT_ONCE = 1_000
VALUES = 50_000
BYTES = 4 * 1024 * 1024
"""Of the rows that are made at once, where there are several."""


TOO_LARGE = UnreadableCell(too_large_row(MOST_VALUES))


def rows_of(columns: Sequence[Any]) -> Iterator[tuple[object, ...]]:
    """Of arrays of one length."""
    return (cells for cells, _ in weighed_rows(columns))


def weighed_rows(columns: Sequence[Any]) -> Iterator[tuple[tuple[object, ...], int]]:
    """With about the bytes that each takes."""
    import numpy as np

    sizes = [sizes_of(column) for column in columns]
    values, size = (np.sum([of[kind] for of in sizes], axis=0) for kind in ("values", "bytes"))
    large = set(np.flatnonzero((values > MOST_VALUES) | (size > LONGEST_LINE)).tolist())
    for start, stop in _stretches(values, size, large):
        if start in large:
            yield (TOO_LARGE,) * len(columns), EACH
        else:
            rows = zip(*(values_of(column.slice(start, stop - start)) for column in columns), strict=True)
            weights = size[start:stop] + EACH * values[start:stop]
            yield from zip(rows, weights.tolist(), strict=True)


def _stretches(values: Array, size: Array, alone: set[int]) -> Iterator[tuple[int, int]]:
    start, weight = 0, 0.0
    for row, (count, length) in enumerate(zip(values.tolist(), size.tolist(), strict=True)):
        more = count / VALUES + length / BYTES
        is_full = row - start == ROWS_AT_ONCE or weight + more > 1
        if row > start and (is_full or row in alone or row - 1 in alone):
            yield start, row
            start, weight = row, 0.0
        weight += more
    if len(values):
        yield start, len(values)


# -- how much there is -------------------------------------------------------------------------


def sizes_of(array: Any) -> dict[str, Array]:
    """Of each row: how many values are in it, and the bytes of its texts."""
    import numpy as np
    import pyarrow as pa

    is_, kind = pa.types, array.type
    none = {"values": np.ones(len(array), np.int64), "bytes": np.zeros(len(array), np.int64)}
    if isinstance(kind, pa.BaseExtensionType):
        return sizes_of(array.storage)
    if is_.is_dictionary(kind):
        held = sizes_of(array.dictionary)
        at = array.indices.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        return none if not len(array.dictionary) else {name: sizes[at] for name, sizes in held.items()}
    if is_.is_struct(kind):
        parts = [sizes_of(part) for part in array.flatten()]
        return {name: np.sum([none[name], *(part[name] for part in parts)], axis=0) for name in none}
    if _is_listed(kind):
        offsets = _offsets(array)
        below = [sizes_of(part) for part in _items(array, offsets)]
        sums = {name: [_sums(part[name], offsets - offsets[0]) for part in below] for name in none}
        return {name: np.sum([none[name], *sums[name]], axis=0) for name in none}
    if _has_bytes(kind):
        return {"values": none["values"], "bytes": _lengths(array)}
    return none


def _is_listed(kind: Any) -> bool:
    import pyarrow as pa

    is_ = pa.types
    return bool(
        is_.is_list(kind) or is_.is_large_list(kind) or is_.is_fixed_size_list(kind) or is_.is_map(kind)
    )


def _has_bytes(kind: Any) -> bool:
    import pyarrow as pa

    is_ = pa.types
    return bool(
        is_.is_string(kind) or is_.is_large_string(kind) or is_.is_binary(kind) or is_.is_large_binary(kind)
    )


def _lengths(array: Any) -> Array:
    import numpy as np
    import pyarrow.compute as pc

    lengths: Array = pc.binary_length(array).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    return lengths


def _offsets(array: Any) -> Array:
    import numpy as np
    import pyarrow as pa

    if pa.types.is_fixed_size_list(array.type):
        found: Array = np.arange(array.offset, array.offset + len(array) + 1) * array.type.list_size
    else:
        found = array.offsets.to_numpy().astype(np.int64)
    return found


def _items(array: Any, offsets: Array) -> list[Any]:
    """What stands between the offsets: of a map its keys and its values."""
    import pyarrow as pa

    held = [array.keys, array.items] if pa.types.is_map(array.type) else [array.values]
    start, count = (int(offsets[0]), int(offsets[-1] - offsets[0])) if len(offsets) else (0, 0)
    return [one.slice(start, count) for one in held]


def _sums(sizes: Array, offsets: Array) -> Array:
    import numpy as np

    sums = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    found: Array = sums[offsets[1:]] - sums[offsets[:-1]]
    return found


# -- values ------------------------------------------------------------------------------------


def values_of(array: Any) -> list[Any]:
    """Texts that are there several times are one object."""
    import pyarrow as pa

    is_, kind = pa.types, array.type
    if is_.is_dictionary(kind):
        return _of_dictionary(array)
    if is_.is_struct(kind):
        return _of_struct(array)
    if _is_listed(kind):
        return _of_lists(array)
    try:
        values: list[Any] = array.to_pylist()
    except _UNREADABLE:
        values = [_alone(one) for one in array]
    return values


_UNREADABLE = (ValueError, OverflowError, LookupError, TypeError, RuntimeError)
"""How Arrow says that Python has no such value."""


def _of_dictionary(array: Any) -> list[Any]:
    numbers = array.indices.to_pylist()
    known = {number: _alone(array.dictionary[number]) for number in set(numbers) if number is not None}
    return [known.get(number) for number in numbers]


def _of_struct(array: Any) -> list[Any]:
    names = [array.type.field(number).name for number in range(array.type.num_fields)]
    there = array.is_valid().to_pylist()
    if len(set(names)) < len(names):
        return [UnreadableCell(doubled_key(first_twice(names))) if one else None for one in there]
    parts = [values_of(part) for part in array.flatten()]
    rows: Iterable[tuple[Any, ...]] = zip(*parts, strict=True) if parts else ((),) * len(array)
    return [dict(zip(names, row, strict=True)) if one else None for one, row in zip(there, rows, strict=True)]


def _of_lists(array: Any) -> list[Any]:
    import pyarrow as pa

    offsets = _offsets(array)
    parts = [values_of(part) for part in _items(array, offsets)]
    ends = (offsets - offsets[0]).tolist() if len(offsets) else []
    there = array.is_valid().to_pylist()
    values = _entries if pa.types.is_map(array.type) else _listed
    return [
        values([part[start:stop] for part in parts]) if one else None
        for one, start, stop in zip(there, ends, ends[1:], strict=False)
    ]


def _listed(parts: list[list[Any]]) -> Any:
    return parts[0]


def _entries(parts: list[list[Any]]) -> Any:
    keys, values = parts
    unread = next((key for key in keys if isinstance(key, (UnreadableCell, dict, list))), None)
    if unread is not None:
        return unread if isinstance(unread, UnreadableCell) else UnreadableCell(no_text_for_key())
    entries = dict(zip(keys, values, strict=True))
    return entries if len(entries) == len(keys) else UnreadableCell(doubled_key(first_twice(keys)))


def _alone(one: Any) -> Any:
    """A single value, or why there is none."""
    import pyarrow as pa

    is_, kind = pa.types, one.type
    try:
        if not one.is_valid or not (is_.is_date(kind) or is_.is_timestamp(kind)):
            return one.as_py()
        return _day_or_moment(one)
    except UnicodeDecodeError:
        return UnreadableCell(no_utf8())
    except (*_UNREADABLE, FeelError):
        return UnreadableCell(value_out_of_reach(kind))


def _day_or_moment(one: Any) -> Any:
    """Python's own calendar ends at the year 9999."""
    import pyarrow as pa

    try:
        return one.as_py()
    except (ValueError, OverflowError):
        kind = one.type
        if pa.types.is_date(kind):
            per_day = 1 if pa.types.is_date32(kind) else 86_400_000
            return day_text(one.value // per_day)
        if kind.tz is not None:
            raise
        return moment_text(one.value, _NANOS[kind.unit])


_NANOS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
