"""Cells that only a turn can tell: they are looked at behind the index, of the rows that are left.

Rows and their cells are read in order, so that what fails is found where the rules find it: behind a cell
that may fail, the other cells of its row are looked at in turn as well.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from dtables.compilers.python.boxes import EVERYTHING, Boxes, Shape
from dtables.compilers.python.code import Code, Site, both
from dtables.compilers.python.conditions import truth
from dtables.compilers.python.failing import may_fail
from dtables.compilers.python.ground import Ground
from dtables.program.nodes import Row

Columns = tuple[int, ...]


def looked_at_behind(shape: Shape, ground: Ground) -> dict[int, Columns]:
    """Of the rows that have such cells, by number, their columns."""
    failing = [may_fail(column.value, ground) for column in shape.columns]
    if shape.boxes.known and not any(failing):
        return {}
    found = {}
    for number, (row, box) in enumerate(zip(shape.rows, shape.boxes.rows, strict=True)):
        columns, fails = [], False
        for cell in row.cells:
            n = cell.column
            if fails or failing[n] or box[n] is None:
                columns.append(n)
                fails = fails or failing[n] or may_fail(cell.condition, ground)
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


def condition(row: Row, columns: Container[int], site: Site) -> Code | None:
    """Whether some cells of a row pass; None where none of them asks anything."""
    parts = [truth(cell.condition, site) for cell in row.cells if cell.column in columns]
    return both(parts) if parts else None
