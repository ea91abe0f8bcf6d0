"""Columns as they come from a frame or a file: what each cell is, in numpy's terms; nothing is coerced.

A null is a cell that says nothing, as is a text without characters. What a column's kind cannot say for
sure is `Unclear`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, assert_never

from dtables.columnar.survey import Path
from dtables.feel.values import add

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Mask = NDArray[np.bool_] | None

DAY = 86_400
_SECOND = {unit: 1_000**place for place, unit in enumerate(("s", "ms", "us", "ns"))}
FIRST_DAY = date(1970, 1, 1).toordinal()
MOST_DIGITS = 18
"""Of a decimal that 64 bits hold."""
LAST_DAY = date.max.toordinal() - FIRST_DAY


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """Texts by their number in `values`; -1 is null."""

    values: tuple[str, ...]
    codes: Array


@dataclass(frozen=True, slots=True, eq=False)
class WholeNumbers:
    """Integers of any width up to 64 bits."""

    values: Array
    null: Mask = None


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """Binary fractions, each meant as its shortest decimal."""

    values: Array
    null: Mask = None


@dataclass(frozen=True, slots=True, eq=False)
class Scaled:
    """Decimals as whole numbers of their last place: each has so many `places`, at least one."""

    values: Array
    places: int
    null: Mask = None

    def number(self, value: int) -> Decimal:
        return Decimal(value).scaleb(-self.places)


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    values: Array
    null: Mask = None


@dataclass(frozen=True, slots=True, eq=False)
class Days:
    """Dates by their day since 1970-01-01."""

    values: Array
    null: Mask = None


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Dates with times, without a zone, by their second since 1970-01-01T00:00:00."""

    values: Array
    null: Mask = None


@dataclass(frozen=True, slots=True, eq=False)
class Times:
    """Times, without a zone, by their second since midnight."""

    values: Array
    null: Mask = None


@dataclass(frozen=True, slots=True, eq=False)
class Unclear:
    """Of these cells only is known which are null; None: none."""

    rows: int
    null: Mask = None


Cells = Coded | WholeNumbers | Binary | Scaled | Truth | Days | Moments | Times | Unclear


def part(cells: Cells, start: int, stop: int) -> Cells:
    """The rows from `start` to `stop`, without a copy."""
    match cells:
        case Coded(values=values, codes=codes):
            return Coded(values, codes[start:stop])
        case Unclear(null=null):
            return Unclear(min(stop, cells.rows) - start, None if null is None else null[start:stop])
        case WholeNumbers() | Binary() | Scaled() | Truth() | Days() | Moments() | Times():
            null = None if cells.null is None else cells.null[start:stop]
            return replace(cells, values=cells.values[start:stop], null=null)
        case _:
            assert_never(cells)


def rows_of(cells: Cells) -> int:
    match cells:
        case Coded(codes=codes):
            return len(codes)
        case Unclear(rows=rows):
            return rows
        case _:
            return len(cells.values)


def silent(cells: Cells) -> Array:
    """The cells that say nothing."""
    import numpy as np

    if not isinstance(cells, Coded):
        return np.zeros(rows_of(cells), bool) if cells.null is None else cells.null
    empty = np.array([*(not text for text in cells.values), True])
    found: Array = empty[cells.codes]
    return found


def state_of(columns: Mapping[Path, Cells], row: int) -> dict[str, Any]:
    """What a row's columns say, as a record would. Only for rows of which everything is clear."""
    state: dict[str, Any] = {}
    for path, cells in columns.items():
        value = plain_at(cells, row)
        if value is not None:
            inner = state
            for name in path[:-1]:
                inner = inner.setdefault(name, {})
            inner[path[-1]] = value
    return state


def plain_at(cells: Cells, row: int) -> object:
    """A cell as a record would say it, whole numbers without a point."""
    match cells:
        case Coded(values=values, codes=codes):
            code = codes[row]
            return (values[code] or None) if code >= 0 else None
        case Unclear():
            return None
        case _ if cells.null is not None and cells.null[row]:
            return None
        case WholeNumbers():
            return int(cells.values[row])
        case Binary():
            return add(Decimal(repr(float(cells.values[row]))), 0)
        case Scaled():
            return add(cells.number(int(cells.values[row])), 0)
        case Truth():
            return bool(cells.values[row])
        case Days():
            return day_at(int(cells.values[row]))
        case Moments():
            return moment_at(int(cells.values[row]))
        case Times():
            return time_at(int(cells.values[row]))
        case _:
            assert_never(cells)


def day_at(number: int) -> str:
    return date.fromordinal(FIRST_DAY + number).isoformat()


def moment_at(second: int) -> str:
    return f"{day_at(second // DAY)}T{time_at(second % DAY)}"


def time_at(second: int) -> str:
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"


# -- from Arrow --------------------------------------------------------------------------------


def from_arrow(column: Any) -> Cells:
    """An Arrow array, or one in chunks."""
    import pyarrow as pa

    is_ = pa.types
    kind = column.type
    if is_.is_string(kind) or is_.is_large_string(kind):
        column = column.dictionary_encode()
    if isinstance(column, pa.ChunkedArray):
        column = _in_one(column)
    null = None if column.null_count == 0 else column.is_null().to_numpy(zero_copy_only=False)
    if is_.is_dictionary(column.type):
        return _from_dictionary(column, null)
    if is_.is_boolean(kind):
        return Truth(_filled(column, False), null)
    if is_.is_integer(kind):
        return whole(_filled(column, 0), null)
    if is_.is_float32(kind) or is_.is_float64(kind):
        return Binary(_filled(column, 0.0), null)
    if is_.is_decimal128(kind) and kind.precision <= MOST_DIGITS and 0 <= kind.scale <= MOST_DIGITS:
        return _from_decimals(column, null)
    if is_.is_date32(kind):
        return Days(_filled(column.view(pa.int32()), 0), null)
    if is_.is_timestamp(kind) and kind.tz is None:
        return _moments(_filled(column.view(pa.int64()), 0), kind.unit, null)
    if is_.is_time(kind):
        bits = pa.int32() if is_.is_time32(kind) else pa.int64()
        return _times(_filled(column.view(bits), 0), kind.unit, null)
    return Unclear(len(column), null)


def _from_decimals(column: Any, null: Mask) -> Cells:
    """The lower half of each: of so few digits it has all of them."""
    import numpy as np

    halves = np.frombuffer(column.buffers()[1] or b"", np.int64).reshape(-1, 2)
    values = halves[column.offset : column.offset + len(column), 0]
    values = values if null is None else np.where(null, 0, values)
    return Scaled(values, column.type.scale, null) if column.type.scale else WholeNumbers(values, null)


def unclear(null: NDArray[np.bool_]) -> Unclear:
    return Unclear(len(null), null)


def whole(values: Array, null: Mask) -> Cells:
    """Numbers beyond 63 bits are left to others."""
    import numpy as np

    if values.dtype != np.uint64:
        return WholeNumbers(values, null)
    if len(values) and values.max() > np.iinfo(np.int64).max:
        return Unclear(len(values), null)
    return WholeNumbers(values.astype(np.int64), null)


def _moments(values: Array, unit: str, null: Mask) -> Cells:
    """Timestamps of no zone are days where each is a midnight."""
    days, rest = values // (_SECOND[unit] * DAY), values % (_SECOND[unit] * DAY)
    if not rest.any():
        return Days(days, null)
    return Unclear(len(values), null) if _too_fine(values, unit) else Moments(values // _SECOND[unit], null)


def _times(values: Array, unit: str, null: Mask) -> Cells:
    return Unclear(len(values), null) if _too_fine(values, unit) else Times(values // _SECOND[unit], null)


def _too_fine(values: Array, unit: str) -> bool:
    """Not every reader has parts of a microsecond: each value is looked at by itself."""
    return unit == "ns" and bool((values % 1_000).any())


def _in_one(column: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _filled(column: Any, value: object) -> Array:
    column_of_whole_numbers = column if column.null_count == 0 else column.fill_null(value)
    values: Array = column_of_whole_numbers.to_numpy(zero_copy_only=False)
    return values


def _from_dictionary(column: Any, null: Mask) -> Cells:
    import pyarrow as pa

    values, indices = column.dictionary, column.indices
    if not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)) or values.null_count:
        return Unclear(len(column), null)
    if pa.types.is_unsigned_integer(indices.type):
        indices = indices.cast(pa.int64())
    try:
        return Coded(tuple(values.to_pylist()), _filled(indices, -1))
    except UnicodeDecodeError:
        return Unclear(len(column), null)


# -- from pandas -------------------------------------------------------------------------------


def from_series(series: Any) -> Cells:
    """A column of a pandas frame. What pandas has for nothing is null, NaN too."""
    import numpy as np
    import pandas as pd

    kind = series.dtype
    if isinstance(kind, pd.CategoricalDtype):
        values = tuple(kind.categories)
        clear = all(isinstance(value, str) for value in values)
        return Coded(values, series.cat.codes.to_numpy()) if clear else unclear(_nulls(series))
    if isinstance(kind, (pd.ArrowDtype, pd.StringDtype)):
        import pyarrow as pa

        return _without_nan(from_arrow(pa.array(series.array)))
    if isinstance(kind, np.dtype):
        return _from_numpy(series, kind)
    null = _nulls(series)
    mask = null if null.any() else None
    match kind.kind:
        case "b":
            return Truth(series.to_numpy(bool, na_value=False), mask)
        case "i" | "u":
            return whole(series.to_numpy(kind.numpy_dtype, na_value=0), mask)
        case "f":
            return _without_nan(Binary(series.to_numpy(kind.numpy_dtype, na_value=0.0), mask))
        case _:
            return unclear(null)


def _from_numpy(series: Any, kind: np.dtype[Any]) -> Cells:
    match kind.kind:
        case "b":
            return Truth(series.to_numpy())
        case "i" | "u":
            return whole(series.to_numpy(), None)
        case "f" if kind.itemsize in (4, 8):
            return _without_nan(Binary(series.to_numpy()))
        case "M":
            return _from_moments(series, kind)
        case "O":
            return _from_objects(series)
        case _:
            return unclear(_nulls(series))


def _nulls(series: Any) -> Any:
    """A cell that does not let itself be asked (a signalling NaN) is there: row by row it is refused."""
    import numpy as np

    try:
        return series.isna().to_numpy()
    except ArithmeticError:
        return np.zeros(len(series), bool)


def _from_moments(series: Any, kind: Any) -> Cells:
    import numpy as np

    null = _nulls(series)
    values = np.where(null, 0, series.to_numpy().view(np.int64))
    return _moments(values, np.datetime_data(kind)[0], null if null.any() else None)


def _from_objects(series: Any) -> Cells:
    """Only a column of one kind throughout is taken for it."""
    import numpy as np
    import pandas as pd

    null = _nulls(series)
    match pd.api.types.infer_dtype(series, skipna=True):
        case "string":
            codes, values = pd.factorize(series)
            return Coded(tuple(map(str, values)), codes)
        case "boolean":
            return Truth(np.where(null, False, series.to_numpy()).astype(bool), null)
        case "integer":
            try:
                return WholeNumbers(np.where(null, 0, series.to_numpy()).astype(np.int64), null)
            except OverflowError:
                return unclear(null)
        case _:
            return unclear(null)


def _without_nan(cells: Cells) -> Cells:
    import numpy as np

    if not isinstance(cells, Binary):
        return cells
    nan = np.isnan(cells.values)
    if not nan.any():
        return cells
    return Binary(cells.values, nan if cells.null is None else nan | cells.null)
