"""A column's cells as steps along one axis of a cube: a number per cell, already multiplied, so that a row's
place in the cube is the sum of its columns' steps. A cell that is no sound value steps beyond its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, inf, nextafter
from sys import float_info
from typing import TYPE_CHECKING, Any, assert_never

from dtables.columnar.cells import (
    DAY,
    FIRST_DAY,
    LAST_DAY,
    Binary,
    Cells,
    Coded,
    Days,
    Moments,
    Scaled,
    Times,
    Truth,
    Unclear,
    WholeNumbers,
    day_at,
    moment_at,
    time_at,
)
from dtables.columnar.survey import Operand, Path, PathValue, Worked
from dtables.feel.types import BooleanType, DateTimeType, DateType, NumberType, TimeType, Type, VocabularyType
from dtables.feel.values import Value
from dtables.model.regions import Axis as Classes
from dtables.model.regions import Cut, Number
from dtables.records.scalars import UNFIT, read_scalar

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtables.columnar.cells import Mask

    Array = NDArray[Any]

UNSOUND = -1
DIRECT = 1 << 17
"""Values no farther apart than this are looked up in a table; others are compared or searched for."""
MOST_COMPARED = 24

Steps = Callable[[Cells, "Array"], None]
"""Writes the steps of some rows' cells where it is told."""


@dataclass(frozen=True, slots=True)
class PlaceClasses:
    """The classes of a place; the last one is null. `names_of` gives the names that a spelling may mean,
    `sound` whether a plain value may stand there. Where nothing reads the place its classes are all one."""

    classes: Classes
    names_of: Callable[[str], tuple[str, ...]]
    sound: Callable[[object], bool]
    distinguished: bool

    @property
    def type(self) -> Type:
        return self.classes.line.type

    @property
    def cuts(self) -> tuple[Cut, ...]:
        return self.classes.cuts

    @property
    def count(self) -> int:
        return self.classes.count if self.distinguished else 1

    def of_text(self, text: str) -> int:
        """The class of a value that is given as text; without characters it is null."""
        if not text:
            return self.count - 1
        if not self.sound(text):
            return UNSOUND
        if isinstance(self.type, VocabularyType):
            return self._of(self.names_of(text)[0])
        value = read_scalar(text, self.type)
        return UNSOUND if value is UNFIT else self._of(value)

    def of_truth(self, truth: bool) -> int:
        if not isinstance(self.type, BooleanType) or not self.sound(truth):
            return UNSOUND
        return self._of(truth)

    def _of(self, value: Value) -> int:
        found = self.classes.class_of(value)
        if found is None:
            return UNSOUND
        return found if self.distinguished else 0

    def of_borders(self, borders: Borders) -> list[int]:
        """A class for each stretch between borders."""
        return [self._of_stretch(stretch) for stretch in borders.stretches]

    def _of_stretch(self, stretch: tuple[int, object] | None) -> int:
        if stretch is None or not self.sound(stretch[1]):
            return UNSOUND
        return stretch[0] if self.distinguished else 0


def steps_along(axis: PlaceClasses | None, cells: Cells, stride: int, size: int) -> Steps | None:
    """How the rows of a column step; None: they all stand still. Without an axis only null is sound."""

    def step(number: int) -> int:
        return size if number == UNSOUND else number * stride

    null = 0 if axis is None else step(axis.count - 1)
    kind = None if axis is None else axis.type
    match cells:
        case Coded(values=values):
            table = [size if axis is None else step(axis.of_text(text)) for text in values]
            return _by_code([*table, null])
        case Truth() if axis is not None:
            return _by_truth([step(axis.of_truth(False)), step(axis.of_truth(True))], null)
        case WholeNumbers() if axis is not None and isinstance(kind, NumberType):
            borders = whole_borders(axis.cuts)
        case Binary() if axis is not None and isinstance(kind, NumberType) and not kind.whole:
            borders = binary_borders(axis.cuts)
        case Scaled() if axis is not None and isinstance(kind, NumberType) and not kind.whole:
            borders = scaled_borders(axis.cuts, cells)
        case Days() if axis is not None and isinstance(kind, DateType):
            borders = day_borders(axis.cuts)
        case Days() if axis is not None and isinstance(kind, DateTimeType):
            borders = day_borders(axis.cuts, Fraction(1, DAY))
        case Moments() if axis is not None and isinstance(kind, DateTimeType):
            borders = moment_borders(axis.cuts)
        case Times() if axis is not None and isinstance(kind, TimeType):
            borders = time_borders(axis.cuts)
        case WholeNumbers() | Binary() | Scaled() | Days() | Moments() | Times() | Truth() | Unclear():
            return _by_null(size, null)
        case _:
            assert_never(cells)
    if borders is None:
        return _by_null(size, null)
    return _by_border(borders, [step(number) for number in axis.of_borders(borders)], null)


# -- steps -------------------------------------------------------------------------------------


def _by_code(table: list[int]) -> Steps | None:
    """The last entry is null's, whose code is -1: from the end."""
    import numpy as np

    if not any(table):
        return None
    steps = np.array(table, np.intp)

    def by_code(cells: Cells, out: Array) -> None:
        assert isinstance(cells, Coded)
        np.take(steps, cells.codes, mode="wrap", out=out)

    return by_code


def _by_truth(table: list[int], null: int) -> Steps | None:
    import numpy as np

    if not any((*table, null)):
        return None
    steps = np.array(table, np.intp)

    def by_truth(cells: Cells, out: Array) -> None:
        assert isinstance(cells, Truth)
        np.take(steps, cells.values.view(np.int8), mode="clip", out=out)
        _step_over_nulls(out, cells.null, null)

    return by_truth


def _by_null(size: int, null: int) -> Steps:
    """Whatever says something is beyond the cube's end."""

    def by_null(cells: Cells, out: Array) -> None:
        assert not isinstance(cells, Coded)
        out[:] = size
        _step_over_nulls(out, cells.null, null)

    return by_null


def _by_border(borders: Borders, table: Sequence[int], null: int) -> Steps | None:
    import numpy as np

    if not any((*table, null)):
        return None
    steps = np.array(table, np.intp)
    at = np.array(borders.at)
    if borders.whole and borders.at and borders.at[-1] - min(borders.at[0] - 1, 0) < DIRECT:
        return _looked_up(at, steps, null)

    def by_border(cells: Cells, out: Array) -> None:
        assert isinstance(cells, (WholeNumbers, Binary, Scaled, Days, Moments, Times))
        values = cells.values if borders.whole else cells.values.astype(np.float64, copy=False)
        if len(at) > MOST_COMPARED:
            number = np.searchsorted(at, values, side="right")
        else:
            number = np.zeros(len(values), np.int8)
            for border in at:
                number += values >= border
        np.take(steps, number, mode="clip", out=out)
        _step_over_nulls(out, cells.null, null)

    return by_border


def _looked_up(at: Array, steps: Array, null: int) -> Steps:
    """All values from below the first border and 0 to the last; farther out it is as at its ends."""
    import numpy as np

    low = min(int(at[0]) - 1, 0)
    high = max(int(at[-1]), 0)
    table = steps[np.searchsorted(at, np.arange(low, high + 1), side="right")]
    from_zero = table[-low:]

    def looked_up(cells: Cells, out: Array) -> None:
        assert isinstance(cells, (WholeNumbers, Scaled, Days, Moments, Times))
        values = cells.values
        if low == 0 or (len(values) and values.min() >= 0):
            np.take(from_zero, values, mode="clip", out=out)
        else:
            np.take(table, values.astype(np.intp) - low, mode="clip", out=out)
        _step_over_nulls(out, cells.null, null)

    return looked_up


def _step_over_nulls(out: Array, null: Mask, step: int) -> None:
    import numpy as np

    if null is not None:
        np.putmask(out, null, step)


# -- borders -------------------------------------------------------------------------------------
# Where classes of numbers, dates and times begin, in the terms of a column: integers, binary fractions, days,
# seconds.

FARTHEST = 1 << 62


@dataclass(frozen=True, slots=True)
class Borders:
    """`at` are the least values of the second stretch and those after it, rising. `stretches` has the class
    of each and a value in it as a record would say it; None: what lies there is no value."""

    at: tuple[Any, ...]
    stretches: tuple[tuple[int, object] | None, ...]
    whole: bool


def whole_borders(cuts: Sequence[Cut]) -> Borders | None:
    """None where a border lies beyond what a column can hold."""
    at = [_whole(cut) for cut in cuts]
    if any(abs(border) > FARTHEST for border in at):
        return None
    return Borders(tuple(at), tuple(enumerate([at[0] - 1, *at] if at else [0])), True)


def binary_borders(cuts: Sequence[Cut]) -> Borders | None:
    """Also the ends: the infinities and what is no number lie beyond them and are no values."""
    try:
        at = [_binary(cut) for cut in cuts]
    except OverflowError:
        return None
    if any(abs(border) == inf for border in at):
        return None
    values = [Decimal(repr(border)) for border in at]
    below = Decimal(repr(nextafter(at[0], -inf))) if at else Decimal(0)
    return Borders((-float_info.max, *at, inf), (None, *enumerate([below, *values]), None), False)


def scaled_borders(cuts: Sequence[Cut], cells: Scaled) -> Borders | None:
    """None where a border lies beyond what a column can hold."""
    at = [_whole(cut, 10**cells.places) for cut in cuts]
    if any(abs(border) > FARTHEST for border in at):
        return None
    found = [cells.number(border) for border in ([at[0] - 1, *at] if at else [0])]
    return Borders(tuple(at), tuple(enumerate(found)), True)


def day_borders(cuts: Sequence[Cut], days: int | Fraction = 1) -> Borders | None:
    """Keys are of so many days each."""
    return _within([_whole(cut, days) for cut in cuts], CALENDAR, day_at)


def moment_borders(cuts: Sequence[Cut]) -> Borders | None:
    return _within([_whole(cut) for cut in cuts], range(CALENDAR.start * DAY, CALENDAR.stop * DAY), moment_at)


def time_borders(cuts: Sequence[Cut]) -> Borders | None:
    return _within([_whole(cut) for cut in cuts], range(DAY), time_at)


CALENDAR = range(1 - FIRST_DAY, LAST_DAY + 1)
"""Python's days."""


def _within(at: Sequence[int], all_: range, value_at: Callable[[int], str]) -> Borders | None:
    """Also the ends of what the column's kind can say; None where a border lies beyond them."""
    if any(not all_.start < border < all_.stop for border in at):
        return None
    values = [value_at(number) for number in (at[0] - 1 if at else 0, *at)]
    return Borders((all_.start, *at, all_.stop), (None, *enumerate(values), None), True)


def _whole(cut: Cut, times: int | Fraction = 1) -> int:
    """The least whole number on the far side of so many times the cut."""
    key = Fraction(_number(cut)) * times
    return floor(key) + 1 if cut.behind else ceil(key)


def _number(cut: Cut) -> Number:
    assert not isinstance(cut.key, str)
    return cut.key


def _binary(cut: Cut) -> float:
    """The least fraction whose shortest decimal lies on the far side."""
    found = float(_number(cut))
    while _beyond(found, cut):
        found = nextafter(found, -inf)
    while not _beyond(found, cut):
        found = nextafter(found, inf)
    return found


def _beyond(value: float, cut: Cut) -> bool:
    found, key = Decimal(repr(value)), _number(cut)
    return found > key if cut.behind else found >= key


# -- sums of columns --------------------------------------------------------------------------------
# Whole numbers that rules work out of inputs, for many rows at once: exact within 64 bits, or not at all.


@dataclass(frozen=True, slots=True)
class _Exact:
    """Values (an array, or one for all) from `low` to `high`."""

    values: Any
    null: Mask
    low: int
    high: int


def worked_cells(worked: Worked, columns: Mapping[Path, Cells], rows: int) -> Cells:
    """Null where one of its places is; Unclear where one is no column of whole numbers."""
    found = _exact(worked, columns)
    return Unclear(rows) if found is None else WholeNumbers(found.values, found.null)


def without_null(step: Steps, size: int) -> Steps:
    """Where a place says nothing its default may count: the row is in doubt, beyond the end of the cube."""
    import numpy as np

    def stepped(cells: Cells, out: Any) -> None:
        step(cells, out)
        null = cells.null if isinstance(cells, WholeNumbers) else None
        if null is not None:
            np.putmask(out, null, size)

    return stepped


def _exact(operand: Operand, columns: Mapping[Path, Cells]) -> _Exact | None:
    match operand:
        case int():
            return _Exact(operand, None, operand, operand)
        case PathValue(path=path):
            return _column(columns.get(path))
        case Worked(operator=operator, left=left, right=right):
            one, other = _exact(left, columns), _exact(right, columns)
            return None if one is None or other is None else _operated(operator, one, other)


def _column(cells: Cells | None) -> _Exact | None:
    import numpy as np

    if not isinstance(cells, WholeNumbers):
        return None
    values = cells.values.astype(np.int64)
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    return None if max(-low, high) > FARTHEST else _Exact(values, cells.null, low, high)


def _operated(operator: str, one: _Exact, other: _Exact) -> _Exact | None:
    ends = [_applied(operator, a, b) for a in (one.low, one.high) for b in (other.low, other.high)]
    low, high = min(ends), max(ends)
    if max(-low, high) > FARTHEST:
        return None
    null = one.null if other.null is None else other.null if one.null is None else one.null | other.null
    return _Exact(_applied(operator, one.values, other.values), null, low, high)


def _applied(operator: str, one: Any, other: Any) -> Any:
    if operator == "*":
        return one * other
    return one + other if operator == "+" else one - other
