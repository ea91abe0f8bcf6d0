"""Cells that say again what another cell of their column says: read once, and put in their own place.

Only tests in literals and names are kept so: a cell that binds a name, or about which there was something to
say, is read anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dtables.checker.draft import Draft
from dtables.model.expressions import Compared, Constant, EqualTo, Expression, NameOf, NoneOf, Test, Within
from dtables.provenance import CellRef, Location
from dtables.workbook.tables import Cell


@dataclass(frozen=True, slots=True)
class Repeated:
    """What the cells of one column have said so far, by their text."""

    tests: dict[str, tuple[Test, ...]] = field(default_factory=dict)

    def read(self, draft: Draft, cell: Cell, read: Callable[[], tuple[Test, ...]]) -> tuple[Test, ...]:
        known = self.tests.get(cell.code)
        if known is not None and isinstance(cell.value, str | int):
            return tuple(_placed(test, cell.ref) for test in known)
        before = draft.sink.number
        found = read()
        if draft.sink.number == before and all(map(_is_plain, found)):
            self.tests[cell.code] = found
        return found


def _is_plain(test: Test) -> bool:
    match test:
        case EqualTo(value=value) | Compared(value=value):
            return isinstance(value, Constant | NameOf)
        case Within(low=low, high=high):
            return all(end is None or isinstance(end, Constant) for end in (low, high))
        case NoneOf(tests=tests):
            return all(map(_is_plain, tests))
        case _:
            return False


def _placed(test: Test, ref: CellRef) -> Test:
    """Built by hand: `replace` would take most of the time that is saved."""
    where = Location(ref, test.where.span)
    match test:
        case EqualTo(value=value):
            return EqualTo(_moved(value, ref), type=test.type, where=where)
        case Compared(operator=operator, value=value):
            return Compared(operator, _moved(value, ref), type=test.type, where=where)
        case Within(low=low, high=high, low_included=low_included, high_included=high_included):
            ends = [None if end is None else _moved(end, ref) for end in (low, high)]
            return Within(ends[0], ends[1], low_included, high_included, type=test.type, where=where)
        case NoneOf(tests=tests):
            return NoneOf(tuple(_placed(one, ref) for one in tests), type=test.type, where=where)
        case _:
            return test


def _moved(value: Expression, ref: CellRef) -> Expression:
    where = Location(ref, value.where.span)
    match value:
        case NameOf(vocabulary=vocabulary, id=id_):
            return NameOf(vocabulary, id_, type=value.type, where=where)
        case Constant(value=held):
            return Constant(held, type=value.type, where=where)
        case _:
            return value
