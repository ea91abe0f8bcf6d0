"""The workbook's checks of a record, row by row: what is wrong and where. Compiled code has looked first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dtables.failures import quotable
from dtables.feel.values import Fields, Tally, Value
from dtables.places import Found
from dtables.provenance import location
from dtables.records.findings import Findings, RecordError, broken_check
from dtables.runtime.places import Place, items_at
from dtables.runtime.records import Turn, field_named


@dataclass(frozen=True, slots=True)
class Counted:
    """`by` tells by what a value is counted; None: not at all."""

    asks: tuple[str, ...]
    wording: str
    place: str
    places: tuple[Place, ...]
    by: Callable[[Turn, Value], Value]
    at_most: int


@dataclass(frozen=True, slots=True)
class Consistency:
    """A check of each item in some places, or of the state; `at` is the path below them."""

    asks: tuple[str, ...]
    wording: str
    place: str
    each: tuple[Place, ...]
    wrong: Callable[[Turn, Value, Value, int | None], bool]
    at: tuple[str, ...]


Check = Counted | Consistency


def broken(checks: Iterable[Check], turn: Turn) -> Findings:
    """In the order of the rows."""
    findings = Findings()
    for row in checks:
        _find(row, turn, findings)
    return findings


def nothing_wrong(_turn: Turn, _ask: str) -> bool:
    """The look at a record where there are no checks."""
    return False


def too_often(values: list[Value], at_most: int) -> bool:
    """So many of one are only there where so many are not the first of theirs."""
    if len(values) - len(set(values)) < at_most:
        return False
    return any(count > at_most for count in Counter(values).values())


def _find(row: Check, turn: Turn, findings: Findings) -> None:
    """A field that the row needs and the record lacks is a finding too."""
    try:
        if isinstance(row, Counted):
            _find_counted(row, turn, findings)
        else:
            _find_inconsistent(row, turn, findings)
    except RecordError as error:
        findings.take(error.findings, error.more)


def _find_counted(row: Counted, turn: Turn, findings: Findings) -> None:
    tally = Tally()
    where = location(row.place)
    for place in row.places:
        for found in items_at(place, turn):
            by = row.by(turn, found.value)
            if by is not None and tally.add(by) >= row.at_most:
                findings.add(broken_check, found.path, quotable(found.value), row.wording, where)


def _find_inconsistent(row: Consistency, turn: Turn, findings: Findings) -> None:
    if not row.each:
        if row.wrong(turn, None, None, None):
            _offend(row, Found(turn.path, turn), turn, findings)
        return
    for place in row.each:
        for found in items_at(place, turn):
            if row.wrong(turn, found.value, found.key, found.position):
                _offend(row, found, turn, findings)


def _offend(row: Consistency, found: Found, turn: Turn, findings: Findings) -> None:
    value = found.value
    for name in row.at:
        value = field_named(turn, value, name) if isinstance(value, Fields) else None
    path = ".".join(part for part in (found.path, *row.at) if part)
    findings.add(broken_check, path, quotable(value), row.wording, location(row.place))
