"""What is said only because an earlier stage has found something broken already."""

from __future__ import annotations

from collections.abc import Iterable

from dtables.diagnostics import Diagnostic, Severity
from dtables.provenance import CellRef, Location
from dtables.workbook.tables import BookText, TableText

HEADS = ("unknown-role", "gap-in-roles")
"""Said of a column that is not read."""
NEAR_COLUMNS = 3
LACKS = frozenset(
    [
        "blank-needed", "criterion", "expects-nothing", "field-without-type", "form-of-checks",
        "incomplete-row", "matrix-shape", "may-not-decide", "missing-keys", "no-answer",
        "no-outcome", "no-result", "no-rows", "settings-without-levels", "switch-without-default", "unread",
        "vocabulary-without-names",
    ]
)  # fmt: skip
"""What a table lacks of which a column could not be read."""


def without_echoes(
    book: BookText, earlier: Iterable[Diagnostic], later: Iterable[Diagnostic]
) -> tuple[Diagnostic, ...]:
    """What the check says, without what it says of cells that reading found broken, and of what is missing
    in their rows, and in tables with a column that is not read."""
    errors = [d for d in earlier if d.severity is Severity.ERROR]
    broken = {d.where.cell for d in errors}
    rows = {(cell.sheet, cell.row) for cell in broken}
    heads = {d.where.cell for d in errors if d.code in HEADS}
    tables = [t.where for t in book.tables if any(_is_head_of(t, head) for head in heads)]

    def echoes(d: Diagnostic) -> bool:
        cell = d.where.cell
        if d.code not in LACKS:
            return cell in broken
        return (cell.sheet, cell.row) in rows or any(_lies_in(cell, table) for table in tables)

    return tuple(d for d in later if not echoes(d))


def _is_head_of(table: TableText, cell: CellRef) -> bool:
    """One that is cut off stands a little right of the table. A table may have no column that is read."""
    marker = table.marker.cell.ref
    first = table.columns[0].role_cell.ref if table.columns else marker
    rows = range(first.row, first.row + 1) if table.columns else range(marker.row + 1, table.last.row + 1)
    return (
        cell.sheet == first.sheet
        and cell.row in rows
        and first.column <= cell.column <= table.last.column + NEAR_COLUMNS
    )


def _lies_in(cell: CellRef, place: Location) -> bool:
    first, last = place.cell, place.last or place.cell
    return (
        cell.sheet == first.sheet
        and first.row <= cell.row <= last.row
        and first.column <= cell.column <= last.column
    )
