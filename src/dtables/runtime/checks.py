"""The workbook's checks of a record, row by row: what is wrong and where. Compiled code has looked first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from dtables.feel.values import Fields, Value, as_plain, same
from dtables.findings import Finding, RecordError, broken_check
from dtables.places import Found
from dtables.runtime.failing import location
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
    asks: tuple[str, ...]
    wording: str
    place: str
    each: tuple[Place, ...]
    wrong: Callable[[Turn, Value, Value, int | None], bool]
    at: tuple[str, ...]


Check = Counted | Consistency


def broken(checks: Iterable[Check], turn: Turn) -> list[Finding]:
    """In the order of the rows."""
    return [finding for row in checks for finding in _found(row, turn)]


def nothing_wrong(_turn: Turn, _ask: str) -> bool:
    """The look at a record where there are no checks."""
    return False


def too_often(values: list[Value], at_most: int) -> bool:
    """So many of one are only there where so many are not the first of theirs."""
    if len(values) - len(set(values)) < at_most:
        return False
    return any(count > at_most for count in Counter(values).values())


def _found(row: Check, turn: Turn) -> Iterator[Finding]:
    """A field that the row needs and the record lacks is a finding too."""
    try:
        yield from _counted(row, turn) if isinstance(row, Counted) else _inconsistent(row, turn)
    except RecordError as error:
        yield from error.findings


def _counted(row: Counted, turn: Turn) -> Iterator[Finding]:
    seen: list[Value] = []
    for place in row.places:
        for found in items_at(place, turn):
            by = row.by(turn, found.value)
            if by is None:
                continue
            if sum(same(by, earlier) for earlier in seen) >= row.at_most:
                yield broken_check(found.path, as_plain(found.value), row.wording, location(row.place))
            seen.append(by)


def _inconsistent(row: Consistency, turn: Turn) -> Iterator[Finding]:
    if not row.each:
        if row.wrong(turn, None, None, None):
            yield _offence(row, Found(turn.path, turn), turn)
        return
    for place in row.each:
        for found in items_at(place, turn):
            if row.wrong(turn, found.value, found.key, found.position):
                yield _offence(row, found, turn)


def _offence(row: Consistency, found: Found, turn: Turn) -> Finding:
    value = found.value
    for name in row.at:
        value = field_named(turn, value, name) if isinstance(value, Fields) else None
    path = ".".join(part for part in (found.path, *row.at) if part)
    return broken_check(path, as_plain(value), row.wording, location(row.place))
