"""Cells that only a turn can tell: they are looked at behind the index, of the rows that are left.

Rows and their cells are read in order, so that what fails is found where the rules find it: behind a cell
that may fail, the other cells of its row are looked at in turn as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from dtables.compilers.python.boxes import EVERYTHING, Boxes
from dtables.compilers.python.code import Code, Site, both
from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.ground import Ground
from dtables.compilers.python.hits import tested
from dtables.compilers.python.tests import comparable, is_certain, passing
from dtables.feel.types import ANY, DateType, DaysDurationType, Type, YearsDurationType, plain
from dtables.model.expressions import (
    Belongs,
    Compared,
    EqualTo,
    Expression,
    Holds,
    InList,
    NoneOf,
    Test,
    Within,
)
from dtables.model.tables import Decision, Rule

Columns = tuple[int, ...]


def looked_at_behind(decision: Decision, boxes: Boxes, ground: Ground) -> dict[int, Columns]:
    """Of the rows that have such cells, by number, their columns."""
    failing = [may_fail(subject.value, ground) for subject in decision.subjects]
    if boxes.known and not any(failing):
        return {}
    types = [ANY if s.value is None else s.value.type for s in decision.subjects]
    found = {}
    for number, (rule, row) in enumerate(zip(decision.rules, boxes.rows, strict=True)):
        columns, fails = [], False
        for n, cell in enumerate(rule.conditions):
            if cell.tests and (fails or failing[n] or row[n] is None):
                columns.append(n)
                fails = fails or failing[n] or _tests_may_fail(cell.tests, types[n], ground)
        if columns:
            found[number] = tuple(columns)
    return found


def in_front(boxes: Boxes, behind: dict[int, Columns]) -> Boxes:
    """What the index tells: cells behind it let everything through."""
    whole = [EVERYTHING if column is None else column.full for column in boxes.columns]
    rows = tuple(
        tuple(whole[n] if n in behind[number] else cell for n, cell in enumerate(row))
        if number in behind
        else row
        for number, row in enumerate(boxes.rows)
    )
    return replace(boxes, rows=rows)


def condition(decision: Decision, rule: Rule, columns: Iterable[int], site: Site) -> Code | None:
    """Whether some cells of a row pass; None where none of them asks anything."""
    parts = [
        passing(rule.conditions[n].tests, tested(decision.subjects[n], site), site)
        for n in columns
        if rule.conditions[n].tests
    ]
    return both(parts) if parts else None


# -- failing -----------------------------------------------------------------------------------


def _tests_may_fail(tests: tuple[Test, ...], subject: Type, ground: Ground) -> bool:
    return may_fail(tests, ground) or any(_test_may_fail(test, subject) for test in tests)


def _test_may_fail(test: Test, subject: Type) -> bool:
    match test:
        case EqualTo() | Holds() | Compared(operator="!="):
            return False
        case Compared() | Within():
            return not (comparable(test, subject) or all(_in_order(subject, end) for end in _ends(test)))
        case InList():
            return not is_certain(test, subject)
        case NoneOf(tests=tests):
            return any(_test_may_fail(inner, subject) for inner in tests)
        case Belongs():
            return True
        case _:
            assert_never(test)


def _ends(test: Compared | Within) -> Iterator[Expression]:
    ends = (test.value,) if isinstance(test, Compared) else (test.low, test.high)
    yield from (end for end in ends if end is not None)


def _in_order(subject: Type, end: Expression) -> bool:
    """Values of such types always compare."""
    kind = plain(subject)
    return isinstance(kind, DateType | DaysDurationType | YearsDurationType) and plain(end.type) == kind
