"""Cells that the spreadsheet keeps as a date or time."""

from __future__ import annotations

from datetime import date, time

from dtables.checker.sink import Sink, Text
from dtables.checker.types import untold
from dtables.feel.types import DateTimeType, DateType, TimeType, Type, plain
from dtables.workbook.problems import converted_to_date


def refused_date(piece: Text, wanted: Type | None, sink: Sink) -> bool:
    """Says so where a cell holds a date and no date is wanted: `3-4` was typed."""
    if not isinstance(piece.cell.value, date | time):
        return False
    goal = None if wanted is None else plain(wanted)
    if goal is not None and (untold(goal) or isinstance(goal, DateType | DateTimeType | TimeType)):
        return False
    sink.add(converted_to_date(piece.cell))
    return True
