"""Cells that only a turn can tell: they are looked at behind the index, of the rows that are left.

Rows and their cells are read in order, so that what fails is found where the rules find it: behind a cell
that may fail, the other cells of its row are looked at in turn as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dtables.compilers.python.boxes import EVERYTHING, Boxes
from dtables.compilers.python.code import Code, Site, both
from dtables.compilers.python.conditions import passing
from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.ground import Ground
from dtables.compilers.python.hits import tested
from dtables.feel.types import ANY
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
                tested = ground.lowered.cell(cell.tests, types[n])
                fails = fails or failing[n] or may_fail(tested, ground)
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
