"""A change to a workbook as a person could type it: cells, each with what is in it before and afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from dtables.mutation.slips import Mistake
from dtables.provenance import CellRef, Location, quoted_sheet
from dtables.workbook.kinds import BY_NAME
from dtables.workbook.tables import Cell, Position, Sheet, blank, boolean_cell, number_cell, text_cell

MOST_SHOWN = 160
NOTHING = "(empty)"
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,14})?")
_TRUTHS = {"TRUE": True, "FALSE": False}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mistake. `where` is the cell, or the row, that it is about; `table` and `row` are what the workbook
    calls them, `column` is a role with its name. `cells` are all that change, as they are afterwards."""

    mistake: Mistake
    kind: str
    table: str
    where: Location
    row: str
    column: str
    before: str
    after: str
    cells: tuple[Cell, ...]

    @property
    def place(self) -> str:
        """The cells without the workbook: `Fees!C7`."""
        cell, last = self.where.cell, self.where.last
        end = f":{last.address}" if last is not None and last != cell else ""
        return f"{quoted_sheet(cell.sheet)}!{cell.address}{end}"

    def __str__(self) -> str:
        """`Fees!C7: Decision fee, row 2, then: 5 → 6`"""
        of = ", ".join(
            part for part in (f"{BY_NAME[self.kind].en[0]} {self.table}".strip(), self.row) if part
        )
        match self.mistake:
            case Mistake.ROW_GONE:
                return f"{self.place}: {of} gone: {_short(self.before)}"
            case Mistake.ROWS_SWAPPED:
                return f"{self.place}: {of} swapped: {_short(self.before)}"
            case _:
                return f"{self.place}: {of}, {self.column}: {_short(self.before)} → {_short(self.after)}"

    def as_plain(self) -> dict[str, object]:
        """For `--json`."""
        last = self.where.last
        plain = {
            "sheet": self.where.cell.sheet,
            "cell": self.where.cell.address,
            "to": last.address if last is not None and last != self.where.cell else "",
            "mistake": self.mistake.value,
            "kind": self.kind,
            "table": self.table,
            "row": self.row,
            "column": self.column,
            "before": self.before,
            "after": self.after,
        }
        return {key: value for key, value in plain.items() if value}


def retyped(cell: Cell, text: str) -> Cell:
    """The cell as it is once `text` was typed into it."""
    if _NUMBER.fullmatch(text):
        number = Decimal(text)
        return number_cell(cell.ref, int(number) if number == number.to_integral_value() else number)
    if text in _TRUTHS and isinstance(cell.value, bool):
        return boolean_cell(cell.ref, _TRUTHS[text])
    return text_cell(cell.ref, text)


def moved(cell: Cell, ref: CellRef) -> Cell:
    return cell._replace(ref=ref)


def applied(sheet: Sheet, cells: Iterable[Cell]) -> Sheet:
    """The sheet with these cells in place of its own; what is empty is not there."""
    changed: dict[Position, Cell] = dict(sheet.cells)
    troubles = dict(sheet.troubles)
    for cell in cells:
        position = (cell.ref.row, cell.ref.column)
        troubles.pop(position, None)
        if blank(cell):
            changed.pop(position, None)
        else:
            changed[position] = cell
    return replace(sheet, cells=changed, troubles=troubles)


def swapped(rows: Sequence[Sequence[Cell]]) -> tuple[Cell, ...]:
    """Two rows of cells, each in the place of the other."""
    one, other = rows
    pairs = [*zip(one, other, strict=True), *zip(other, one, strict=True)]
    return tuple(moved(given, place.ref) for place, given in pairs)


def without_first(rows: Sequence[Sequence[Cell]]) -> tuple[Cell, ...]:
    """Rows of cells of which the first is gone and the others have moved up."""
    pairs = ((place, given) for up, down in pairwise(rows) for place, given in zip(up, down, strict=True))
    return (*(moved(given, place.ref) for place, given in pairs), *(emptied(cell) for cell in rows[-1]))


def emptied(cell: Cell) -> Cell:
    return Cell(cell.ref, None, "", "")


def _short(text: str) -> str:
    shown = " ⏎ ".join(text.split("\n"))
    return (shown if len(shown) <= MOST_SHOWN else shown[: MOST_SHOWN - 1] + "…") or NOTHING
