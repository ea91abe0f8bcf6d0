"""What can change between two versions of a workbook, and how it is described."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from dtables.provenance import Location
from dtables.workbook.kinds import BY_NAME

MOST_TEXT = 160
EMPTY = "(empty)"


class What(StrEnum):
    """What a change is, as `--json` calls it."""

    TABLE_ADDED = "table added"
    TABLE_REMOVED = "table removed"
    TABLE_RENAMED = "table renamed"
    TABLE_MOVED = "table moved"
    SIGNATURE = "signature"
    PROPERTY = "property"
    COLUMN_ADDED = "column added"
    COLUMN_REMOVED = "column removed"
    COLUMN_RENAMED = "column renamed"
    ROW_ADDED = "row added"
    ROW_REMOVED = "row removed"
    ROW_MOVED = "row moved"
    RENUMBERED = "rows renumbered"
    CELL = "cell"


@dataclass(frozen=True, slots=True)
class Change:
    """`kind` and `table` are the new workbook's where the table is there, `row` is what the table calls its
    row, `column` its role and name; `was` and `now` are as they were typed. What was added has no place in
    the old workbook, what was removed none in the new one."""

    what: What
    kind: str
    table: str
    old: Location | None
    new: Location | None
    row: str = ""
    column: str = ""
    was: str = ""
    now: str = ""

    @property
    def where(self) -> Location:
        """The place in the new workbook, or in the old one of what was removed."""
        place = self.new or self.old
        assert place is not None, "what changed stands somewhere"
        return place


def line(change: Change) -> str:
    """Return a change as one line: `fees.xlsx!Fees!C7: Decision fee, row 2, then: 5 → 8`."""
    return f"{change.where}: {_table(change)}{_what_changed(change)}"


def as_plain(change: Change) -> dict[str, str]:
    """Return the change for `--json`."""
    plain = {
        "what": change.what.value,
        "kind": change.kind,
        "table": change.table,
        "row": change.row,
        "column": change.column,
        "was": change.was,
        "now": change.now,
        "old": str(change.old) if change.old else "",
        "new": str(change.new) if change.new else "",
    }
    return {key: value for key, value in plain.items() if value}


def _table(change: Change) -> str:
    return f"{BY_NAME[change.kind].en[0]} {change.table}".strip()


def _what_changed(change: Change) -> str:
    was, now = _short(change.was), _short(change.now)
    match change.what:
        case What.TABLE_ADDED:
            return f" added ({now})"
        case What.TABLE_REMOVED:
            return f" removed ({was})"
        case What.TABLE_RENAMED:
            return f": was called {was}"
        case What.TABLE_MOVED:
            return f": was on the sheet {was}"
        case What.SIGNATURE:
            return f": {was} → {now}"
        case What.PROPERTY | What.CELL:
            return f"{_row(change)}, {change.column}: {was} → {now}"
        case What.COLUMN_ADDED:
            return f": column {change.column} added"
        case What.COLUMN_REMOVED:
            return f": column {change.column} removed"
        case What.COLUMN_RENAMED:
            return f": column {was} is called {now}"
        case What.ROW_ADDED:
            return f"{_row(change)} added: {now}"
        case What.ROW_REMOVED:
            return f"{_row(change)} removed: {was}"
        case What.ROW_MOVED:
            return f"{_row(change)} moved: was {was}"
        case What.RENUMBERED:
            return f", rows renumbered: {now}"
        case _:
            assert_never(change.what)


def _row(change: Change) -> str:
    return f", {change.row}" if change.row else ""


def _short(text: str) -> str:
    shown = " ⏎ ".join(text.split("\n"))
    return (shown if len(shown) <= MOST_TEXT else shown[: MOST_TEXT - 1] + "…") or EMPTY
