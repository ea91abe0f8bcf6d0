"""The workbook's checks of a record, row by row: what is wrong and where, in every engine. Compiled code has
looked first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from dtables.failures import quotable
from dtables.feel.values import Fields, Tally, Value
from dtables.places import Found
from dtables.provenance import Written, location
from dtables.records.findings import Findings, RecordError, broken_check
from dtables.runtime.places import Place, State, state_of
from dtables.runtime.records import Turn


class Counted(NamedTuple):
    """`by` tells by what a value is counted; None: not at all."""

    asks: tuple[str, ...]
    wording: str
    place: Written
    places: tuple[Place, ...]
    by: Callable[[Any, Value], Value]
    at_most: int


class Consistency(NamedTuple):
    """A check of each item in some places, or of the state; `at` is the path below them."""

    asks: tuple[str, ...]
    wording: str
    place: Written
    each: tuple[Place, ...]
    wrong: Callable[[Any, Value, Value, int | None], bool]
    at: tuple[str, ...]


Check = Counted | Consistency


def broken(checks: Iterable[Check], turn: Turn) -> Findings:
    """What a compiled module's checks find, in the order of the rows."""
    return found_by(checks, turn, state_of(turn))


def found_by(checks: Iterable[Check], turn: Any, state: State) -> Findings:
    """The same in any engine: `turn` is what the rows' functions take. A field that a row needs and the
    record lacks is a finding too."""
    findings = Findings()
    for row in checks:
        try:
            if isinstance(row, Counted):
                _find_counted(row, turn, state, findings)
            else:
                _find_inconsistent(row, turn, state, findings)
        except RecordError as error:
            findings.take(error.findings, error.more)
    return findings


def nothing_wrong(_turn: Turn, _ask: str) -> bool:
    """The look at a record where there are no checks."""
    return False


def too_often(values: list[Value], at_most: int) -> bool:
    """So many of one are only there where so many are not the first of theirs."""
    if len(values) - len(set(values)) < at_most:
        return False
    return any(count > at_most for count in Counter(values).values())


def _find_counted(row: Counted, turn: Any, state: State, findings: Findings) -> None:
    tally = Tally()
    where = location(row.place)
    for place in row.places:
        for found in state.items_at(place):
            by = row.by(turn, found.value)
            if by is not None and tally.add(by) >= row.at_most:
                findings.add(broken_check, found.path, quotable(found.value), row.wording, where)


def _find_inconsistent(row: Consistency, turn: Any, state: State, findings: Findings) -> None:
    if not row.each:
        if row.wrong(turn, None, None, None):
            _offend(row, Found(state.path, state.value), state, findings)
        return
    for place in row.each:
        for found in state.items_at(place):
            if row.wrong(turn, found.value, found.key, found.position):
                _offend(row, found, state, findings)


def _offend(row: Consistency, found: Found, state: State, findings: Findings) -> None:
    value = found.value
    for name in row.at:
        value = state.field(value, name) if isinstance(value, Fields) else None
    path = ".".join(part for part in (found.path, *row.at) if part)
    findings.add(broken_check, path, quotable(value), row.wording, location(row.place))
