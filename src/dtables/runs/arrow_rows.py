"""Arrow's columns as rows of Python's values, some at a time: no row takes more memory than a record may.

What Python cannot hold (a text that is no UTF-8, a map that has a key twice) is `Unread` in its place: the
record is rejected, the others are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dtables.feel.values import FeelError, day_text, moment_text
from dtables.findings import quoted
from dtables.runs.columns import Unread
from dtables.runs.jsonlines import LONGEST_LINE, MOST_VALUES, first_twice
from dtables.runs.row_chunks import EACH

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

ROWS = 1_000
VALUES = 50_000
BYTES = 4 * 1024 * 1024
"""Of the rows that are made at once, where there are several."""


TOO_LARGE = Unread("a row that is too large", f"at most {MOST_VALUES:,} values and 16 MiB")


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
        if row > start and (row - start == ROWS or weight + more > 1 or row in alone or row - 1 in alone):
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
        made: list[Any] = array.to_pylist()
    except _UNREADABLE:
        made = [_alone(one) for one in array]
    return made


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
        return [_doubled(first_twice(names)) if one else None for one in there]
    parts = [values_of(part) for part in array.flatten()]
    rows: Iterable[tuple[Any, ...]] = zip(*parts, strict=True) if parts else ((),) * len(array)
    return [dict(zip(names, row, strict=True)) if one else None for one, row in zip(there, rows, strict=True)]


def _of_lists(array: Any) -> list[Any]:
    import pyarrow as pa

    offsets = _offsets(array)
    parts = [values_of(part) for part in _items(array, offsets)]
    ends = (offsets - offsets[0]).tolist() if len(offsets) else []
    there = array.is_valid().to_pylist()
    made = _entries if pa.types.is_map(array.type) else _listed
    return [
        made([part[start:stop] for part in parts]) if one else None
        for one, start, stop in zip(there, ends, ends[1:], strict=False)
    ]


def _listed(parts: list[list[Any]]) -> Any:
    return parts[0]


def _entries(parts: list[list[Any]]) -> Any:
    keys, values = parts
    unread = next((key for key in keys if isinstance(key, (Unread, dict, list))), None)
    if unread is not None:
        return unread if isinstance(unread, Unread) else Unread("a key that is no text", "text")
    entries = dict(zip(keys, values, strict=True))
    return entries if len(entries) == len(keys) else _doubled(first_twice(keys))


def _doubled(key: object) -> Unread:
    return Unread(f"the key {quoted(key)} twice", "each key once")


def _alone(one: Any) -> Any:
    """A single value, or why there is none."""
    import pyarrow as pa

    is_, kind = pa.types, one.type
    try:
        if not one.is_valid or not (is_.is_date(kind) or is_.is_timestamp(kind)):
            return one.as_py()
        return _day_or_moment(one)
    except UnicodeDecodeError:
        return Unread("bytes that are no UTF-8", "UTF-8 text")
    except (*_UNREADABLE, FeelError):
        return Unread(f"a value of type {kind} that is out of reach", "a value that can be read")


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
