"""CSV by columns, where it is plain: cells that are clearly of their type are read at once.

The file is looked through before. Quotes, blank lines, rows of other lengths, turns of two kinds: then it is
read record by record, for the quick reader would not see in them what the careful one sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from dtables.columnar import Why
from dtables.columnar.batches import Batch, ReadColumn, Rising, joined, rising_in, turn_first
from dtables.columnar.cells import Binary, Truth, Unclear, WholeNumbers, from_arrow
from dtables.feel.types import BooleanType, NumberType
from dtables.limits import LIMITS
from dtables.logs.columns import COMPOUND, LogColumn, NumberedRow, bare, columns_of, text_line
from dtables.logs.csv import csv_head, may_be_guarded, opened_csv
from dtables.records.json import BYTE_ORDER_MARK, LONGEST_LINE, LogLine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dtables.model.tables import Ruleset

    Mask = NDArray[np.bool_]

_TURN = "^(0|[1-9][0-9]{0,17})$"
_WHOLE = "^-?(0|[1-9][0-9]{0,17})$"
_DECIMAL = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$"
LINE_ENDS = "line ends of other or of several kinds"
MOST_DIGITS = 15
"""A decimal of so many digits and its binary fraction tell each other."""


class TextForm:
    def column(self, column: LogColumn, array: Any) -> ReadColumn:
        match bare(column.type(None)):
            case NumberType(whole=whole):
                return _numbers(column, array, whole)
            case BooleanType():
                return _truths(column, array)
            case of if isinstance(of, COMPOUND):
                given = _mask(array, "not_equal", "")
                return ReadColumn({column.path[1:]: Unclear(len(array), ~given)}, given)
            case _:
                return ReadColumn({column.path[1:]: from_arrow(array)})

    def line(self, row: NumberedRow, columns: tuple[LogColumn, ...]) -> LogLine:
        return text_line(NumberedRow(row.number, tuple(map(str, row.cells))), columns)


@dataclass(frozen=True, slots=True)
class CsvSource:
    """A plain file. `whole`: its turns are numbers; `rises` is None where they do not rise."""

    file: Path
    name: str | None
    columns: tuple[LogColumn, ...]
    separator: str
    whole: bool
    rises: Rising | None
    slow: tuple[str, ...]
    groups: int
    bytes: int

    def rising(self) -> Rising | None:
        return self.rises

    def batches(self, done: int, groups: int, read: int) -> Iterator[Batch]:
        import pyarrow as pa

        at, ordered = turn_first(self.columns)
        number = 2
        with opened_csv(self.file) as stream:
            _first_line(stream)
            for raw in _blocks(stream):
                groups, read = groups + 1, read + len(raw)
                if groups <= done:
                    number += _lines_in(raw)
                    continue
                arrays = _parsed(raw, len(self.columns), self.separator, None)
                turns = arrays.pop(at)
                turns = turns.cast(pa.int64()) if self.whole else turns
                yield Batch(self.name, ordered, (turns, *arrays), at, TextForm(), number, groups, True, read)
                number += len(turns)


def csv_source(file: Path, name: str | None, model: Ruleset) -> CsvSource | Why:
    """Or why the file is not read by columns."""
    from pyarrow import ArrowInvalid

    with opened_csv(file) as stream:
        first = _first_line(stream)
        if _mixed_ends(first):
            return Why(f"{file.name} has {LINE_ENDS}: it is read record by record")
        heads, separator = csv_head(first.decode("utf-8-sig"), file)
        columns = columns_of(heads, model, str(file))
        at, _ = turn_first(columns)
        look = _Look(file.name)
        try:
            for raw in _blocks(stream):
                obstacle = look.obstacle(raw) or look.turns(_parsed(raw, len(columns), separator, at)[0])
                if obstacle is not None:
                    return obstacle
        except ArrowInvalid as error:
            return Why(f"{file.name} has rows of another length: it is read record by record ({error})")
    slow = tuple(c.head for c in columns if isinstance(bare(c.type(None)), COMPOUND))
    return CsvSource(file, name, columns, separator, look.whole, look.rises(), slow, look.groups, look.bytes)


class _Look:
    """What is seen on the way through a file."""

    def __init__(self, name: str) -> None:
        self.groups = self.bytes = 0
        self._name = name
        self._kinds: set[bool] = set()
        self._rising: list[Rising | None] = []

    @property
    def whole(self) -> bool:
        return self._kinds <= {True}

    def rises(self) -> Rising | None:
        return joined(self._rising)

    def obstacle(self, raw: bytes) -> Why | None:
        self.groups, self.bytes = self.groups + 1, self.bytes + len(raw)
        found = _obstacle(raw)
        return None if found is None else Why(f"{self._name} has {found}: it is read record by record")

    def turns(self, turns: Any) -> Why | None:
        import pyarrow as pa

        self._kinds |= set(_matches(turns, _TURN).tolist())
        if len(self._kinds) > 1 or _mask(turns, "equal", "").any():
            return Why(f"the turns of {self._name} are not all numbers, and not all texts")
        self._rising.append(rising_in([turns.cast(pa.int64())]) if self.whole else None)
        return None


def _obstacle(raw: bytes) -> str | None:
    """What the quick reader would read otherwise."""
    found = (
        (b'"' in raw, "quotes"),
        (b"\0" in raw, "NUL characters"),
        (_mixed_ends(raw), LINE_ENDS),
        (raw.startswith((b"\n", b"\r")) or b"\n\n" in raw or b"\n\r" in raw, "blank lines"),
        (may_be_guarded(raw), "cells with an apostrophe in front"),
        (raw.startswith(BYTE_ORDER_MARK), "a byte-order mark inside"),
        (len(raw) > LIMITS.csv_bytes + LONGEST_LINE, "a line over 16 MiB"),
        (not _is_text(raw), "bytes that are no UTF-8"),
    )
    return next((words for true, words in found if true), None)


def _mixed_ends(raw: bytes) -> bool:
    return raw.count(b"\r") != raw.count(b"\r\n")


def _is_text(raw: bytes) -> bool:
    try:
        return raw.isascii() or raw.decode() != ""
    except UnicodeDecodeError:
        return False


# -- the file ----------------------------------------------------------------------------------


def _first_line(stream: IO[bytes]) -> bytes:
    return stream.readline(LONGEST_LINE)


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    """Whole lines."""
    while raw := stream.read(LIMITS.csv_bytes):
        yield raw if raw.endswith(b"\n") else raw + stream.readline(LONGEST_LINE + 1)


def _lines_in(raw: bytes) -> int:
    return raw.count(b"\n") + (not raw.endswith(b"\n"))


def _parsed(raw: bytes, count: int, separator: str, only: int | None) -> list[Any]:
    """The columns as texts, as they stand there."""
    import pyarrow as pa
    from pyarrow import csv

    names = [str(number) for number in range(count)]
    table = csv.read_csv(
        pa.BufferReader(raw),
        csv.ReadOptions(use_threads=False, block_size=len(raw) + 1, column_names=names),
        csv.ParseOptions(delimiter=separator, quote_char=False, escape_char=False),
        csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            include_columns=names if only is None else [names[only]],
            strings_can_be_null=False,
        ),
    )
    return [column.combine_chunks() for column in table.columns]


# -- cells -------------------------------------------------------------------------------------


def _numbers(column: LogColumn, array: Any, whole: bool) -> ReadColumn:
    """Digits that 64 bits hold; where there are others, decimals that binary fractions tell. The rest is
    doubtful."""
    import pyarrow.compute as pc

    null, good = _mask(array, "equal", ""), _matches(array, _WHOLE)
    only = whole or bool((good | null).all())
    if not only:
        good = _matches(array, _DECIMAL) & _mask(pc.utf8_length(array), "less_equal", MOST_DIGITS)
    values = _cast(array, good, "int64" if only else "float64")
    nothing, doubtful = _some(null), _some(~(good | null))
    return ReadColumn(
        {column.path[1:]: WholeNumbers(values, nothing) if only else Binary(values, nothing)}, doubtful
    )


def _cast(array: Any, good: Mask, kind: str) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    return (array if good.all() else pc.if_else(pa.array(good), array, "0")).cast(kind).to_numpy()


def _truths(column: LogColumn, array: Any) -> ReadColumn:
    null, yes = _mask(array, "equal", ""), _matches(array, "^(true|TRUE)$")
    doubtful = ~(null | yes | _matches(array, "^(false|FALSE)$"))
    return ReadColumn({column.path[1:]: Truth(yes, _some(null))}, _some(doubtful))


def _some(mask: Mask) -> Mask | None:
    return mask if mask.any() else None


def _matches(array: Any, pattern: str) -> Mask:
    import pyarrow.compute as pc

    found: Mask = pc.match_substring_regex(array, pattern).to_numpy(zero_copy_only=False)
    return found


def _mask(array: Any, comparison: str, value: object) -> Mask:
    import pyarrow.compute as pc

    found: Mask = pc.call_function(comparison, [array, value]).to_numpy(zero_copy_only=False)
    return found
