"""Where classes of numbers and dates begin, in the terms of a column: integers, binary fractions, days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from math import ceil, floor, inf, nextafter
from sys import float_info
from typing import Any

from dtables.feel.values import Date
from dtables.flat.columns import FIRST_DAY, LAST_DAY
from dtables.flat.places import Cut

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
    told = [Decimal(repr(border)) for border in at]
    below = Decimal(repr(nextafter(at[0], -inf))) if at else Decimal(0)
    return Borders((-float_info.max, *at, inf), (None, *enumerate([below, *told]), None), False)


def day_borders(cuts: Sequence[Cut]) -> Borders | None:
    """Also the ends of the calendar."""
    at = [_day(cut) for cut in cuts]
    first, last = 1 - FIRST_DAY, LAST_DAY
    if any(not first < border <= last for border in at):
        return None
    below = at[0] - 1 if at else 0
    told = [date.fromordinal(FIRST_DAY + day).isoformat() for day in (below, *at)]
    return Borders((first, *at, last + 1), (None, *enumerate(told), None), True)


def _whole(cut: Cut) -> int:
    assert not isinstance(cut.at, Date)
    return floor(cut.at) + 1 if cut.after else ceil(cut.at)


def _binary(cut: Cut) -> float:
    """The least fraction whose shortest decimal lies on the far side."""
    assert not isinstance(cut.at, Date)
    found = float(cut.at)
    while _beyond(found, cut):
        found = nextafter(found, -inf)
    while not _beyond(found, cut):
        found = nextafter(found, inf)
    return found


def _beyond(value: float, cut: Cut) -> bool:
    assert not isinstance(cut.at, Date)
    told = Decimal(repr(value))
    return told > cut.at if cut.after else told >= cut.at


def _day(cut: Cut) -> int:
    assert isinstance(cut.at, Date)
    return cut.at.number + 1 if cut.after else cut.at.number
