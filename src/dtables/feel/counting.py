"""What a loop goes through that counts: whole numbers one by one, dates day by day."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from dtables.feel import numbers
from dtables.feel.errors import FeelError
from dtables.feel.kinds import Range, Value, kind_of
from dtables.feel.operators import less, same
from dtables.feel.temporal import Date, date_of


class DaySequence(Sequence[Date]):
    """The days of day numbers, each made when it is read."""

    def __init__(self, numbers: range) -> None:
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> Date: ...
    @overload
    def __getitem__(self, place: slice) -> DaySequence: ...
    def __getitem__(self, place: int | slice) -> Date | DaySequence:
        return DaySequence(self.numbers[place]) if isinstance(place, slice) else date_of(self.numbers[place])


def steps(start: Value, end: Value) -> Sequence[Value]:
    """Both ends and all between them; down where the end is the smaller one."""
    match start, end:
        case (bool(), _) | (_, bool()):
            pass
        case int(), int():
            return _between(start, end)
        case Date(), Date():
            return DaySequence(_between(start.number, end.number))
    raise FeelError(f"a loop counts whole numbers or dates, not {_shown(start)} to {_shown(end)}")


def _shown(value: Value) -> str:
    return numbers.to_text(value) if numbers.is_number(value) else kind_of(value)


def _between(start: int, end: int) -> range:
    return range(start, end + 1) if start <= end else range(start, end - 1, -1)


def elements(range_: Range) -> Sequence[Value]:
    """What lies in a range that is gone through: an end that is not included is passed over. A range never
    runs down."""
    found = steps(range_.low, range_.high)
    if less(range_.high, range_.low):
        raise FeelError("the range ends before it begins")
    if not range_.low_included and found:
        found = found[1:]
    if not range_.high_included and found and same(found[-1], range_.high):
        found = found[:-1]
    return found
