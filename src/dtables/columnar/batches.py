"""Files of a log that are gone through by columns: batches of Arrow arrays, and how their cells are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from dtables.columnar.cells import Cells
from dtables.logs.columns import LogColumn, NumberedRow
from dtables.logs.parquet import rows_of
from dtables.records.json import LogLine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class ReadColumn:
    """A column's cells, by where they stand in the state; `doubtful` rows are left to the careful reading."""

    cells: Mapping[tuple[str, ...], Cells]
    doubtful: NDArray[np.bool_] | None = None


class FileFormat(Protocol):
    """How cells of a kind of file are read: as columns, and one row by itself."""

    def column(self, column: LogColumn, array: Any) -> ReadColumn: ...

    def line(self, row: NumberedRow, columns: tuple[LogColumn, ...]) -> LogLine: ...


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows as they are read: Arrow arrays, the first of them the turns, which stand at place `at` in the
    file. `number` is the first row's in its file, `groups` how many row groups of the log are read with it,
    `ends` whether one ends here, `bytes` how far the log is read."""

    file: str | None
    columns: tuple[LogColumn, ...]
    arrays: tuple[Any, ...]
    at: int
    form: FileFormat
    number: int
    groups: int
    ends: bool
    bytes: int

    def part(self, start: int, stop: int) -> Batch:
        """What ends with all of it ends with its last part."""
        arrays = tuple(array.slice(start, stop - start) for array in self.arrays)
        ends = self.ends and stop == len(self.arrays[0])
        return replace(self, arrays=arrays, number=self.number + start, ends=ends)

    def lines(self, rows: NDArray[Any]) -> Iterator[LogLine]:
        """The records of some rows, their cells in the file's order: which of them is found wrong first is
        the same however a file is read."""
        import pyarrow as pa

        picked, columns = pa.array(rows), self._in_file(self.columns)
        cells_of = rows_of([array.take(picked) for array in self._in_file(self.arrays)])
        for row, cells in zip(rows.tolist(), cells_of, strict=True):
            yield self.form.line(NumberedRow(self.number + row, cells), columns)

    def _in_file(self, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        return *parts[1 : self.at + 1], parts[0], *parts[self.at + 1 :]


@dataclass(frozen=True, slots=True)
class Rising:
    """Turns that are whole numbers, each greater than the one before it; None: there are none, or they are
    the numbers of the rows."""

    first: int | None
    last: int | None


class Source(Protocol):
    """A file. Its row groups are what a run may be continued behind; the cells of columns that are `slow` are
    read one by one."""

    @property
    def columns(self) -> tuple[LogColumn, ...]: ...

    @property
    def slow(self) -> tuple[str, ...]: ...

    @property
    def groups(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    def rising(self) -> Rising | None:
        """None where the turns are anything else."""
        ...

    def batches(self, done: int, groups: int, read: int) -> Iterator[Batch]:
        """But for the row groups that are `done`. `groups` and `read` count what is before this file."""
        ...


def all_batches(sources: Iterable[Source], done: int) -> Iterator[Batch]:
    groups, read = 0, 0
    for source in sources:
        yield from source.batches(done, groups, read)
        groups, read = groups + source.groups, read + source.bytes


def turns_rise(sources: Iterable[Source]) -> bool:
    """Whether each turn is a whole number greater than the one before it: then none is there twice."""
    return joined(source.rising() for source in sources) is not None


def rising_in(arrays: Iterable[Any]) -> Rising | None:
    """Of Arrow's whole numbers."""
    return joined(_rising(array) for array in arrays)


def joined(parts: Iterable[Rising | None]) -> Rising | None:
    first: int | None = None
    last: int | None = None
    for part in parts:
        if part is None or (last is not None and part.first is not None and part.first <= last):
            return None
        if part.last is not None:
            first, last = part.first if first is None else first, part.last
    return Rising(first, last)


def _rising(turns: Any) -> Rising | None:
    import numpy as np

    values = np.asarray(turns)
    if turns.null_count or not (values[1:] > values[:-1]).all():
        return None
    return Rising(int(values[0]), int(values[-1])) if len(values) else Rising(None, None)


def turn_first(columns: tuple[LogColumn, ...]) -> tuple[int, tuple[LogColumn, ...]]:
    """Where the turns stand, and the columns with theirs in front."""
    at = next(place for place, column in enumerate(columns) if column.path == ("turn",))
    return at, (columns[at], *columns[:at], *columns[at + 1 :])
