"""Everything the reader of workbooks may say, one function per message."""

from __future__ import annotations

from collections.abc import Iterable

from dtables.diagnostics import Diagnostic, Remark, Severity
from dtables.provenance import CellRef, Location, Span, column_letters
from dtables.spreadsheet.messages import of_file
from dtables.workbook.tables import Cell

PROBLEMS = (
    ("unknown-kind", "a marker names no kind of table"),
    ("no-colon", "a marker or a property lacks the colon after its word"),
    ("name-missing", "a marker names no table"),
    ("marker-shape", "a marker's parameters or result cannot be read"),
    ("unknown-property", "a cell beside or under a marker is no property of its kind"),
    ("repeated-property", "a property stands twice"),
    ("no-roles", "no row of roles stands under a marker"),
    ("unknown-role", "a column's role is none of its kind"),
    ("repeated-role", "two columns have a role that only one may have"),
    ("names-missing", "the row of column names is missing"),
    ("column-without-role", "cells stand beside a table in a column without a role"),
    ("gap-in-roles", "an empty column cuts a table in two"),
    ("text-below", "text stands close below a table and is not part of it"),
    ("merged-cells", "cells of a table are merged"),
    ("hidden-rows", "hidden rows of a table count"),
    ("hidden-columns", "hidden columns of a table count"),
    ("hidden-sheet", "a hidden sheet has tables, which count"),
    ("converted-to-date", "the spreadsheet made a date or time of what was typed"),
    ("number-format", "the spreadsheet made another number of what was typed"),
    ("rounded-number", "a number has more digits than a spreadsheet keeps"),
    ("decimal-comma", "a number in text has a decimal comma"),
    ("error-value", "a cell holds a spreadsheet's error"),
    ("broken-formula", "a cell begins with `=` and is no working formula"),
    ("formula", "a cell's value is a formula's saved result"),
    ("no-saved-result", "a formula has no saved result"),
    ("no-tables", "a workbook holds no table"),
)
"""Code and what it means, for the documentation."""


def _at(
    cell: Cell, code: str, message: str, hint: str | None = None, severity: Severity = Severity.ERROR
) -> Diagnostic:
    return Diagnostic(Location(cell.ref), severity, code, message, typed=cell.typed or None, hint=hint)


def _part(cell: Cell, span: Span, code: str, message: str, hint: str | None = None) -> Diagnostic:
    where = Location(cell.ref, span)
    return Diagnostic(where, Severity.ERROR, code, message, typed=cell.typed, hint=hint)


def _suggestion(near: str | None, known: Iterable[str]) -> str | None:
    if near is not None:
        return f"did you mean `{near}`?"
    listed = ", ".join(f"`{word}`" for word in known)
    return f"write one of {listed}" if listed else None


# -- markers -----------------------------------------------------------------------------------


def unknown_kind(cell: Cell, span: Span, near: str | None, kinds: Iterable[str]) -> Diagnostic:
    """A cell looks like a marker, and its first word is no kind of table."""
    word = cell.typed[span.start : span.end]
    hint = f"did you mean `{near}:`?" if near else _suggestion(None, kinds)
    return _part(cell, span, "unknown-kind", f"`{word}` is no kind of table", hint)


def no_colon(cell: Cell, kind: Span) -> Diagnostic:
    """A marker lacks its colon; the table is read all the same."""
    written = f"{cell.typed[: kind.end]}:{cell.typed[kind.end :]}"
    return _at(cell, "no-colon", "a marker wants a colon after its kind", f"write `{written}`")


def property_colon(cell: Cell, word: str) -> Diagnostic:
    """The word of a property stands beside a marker without its colon."""
    return _at(cell, "no-colon", "a property wants a colon after its word", f"write `{word}:`")


def name_missing(cell: Cell, kind: str) -> Diagnostic:
    """A marker of a kind that needs a name has none."""
    return _at(cell, "name-missing", f"this {kind} has no name", "write the name after the colon")


def marker_shape(cell: Cell, span: Span, message: str) -> Diagnostic:
    """A marker has a name and something that can be read neither as parameters nor as a result."""
    return _part(cell, span, "marker-shape", message)


def property_behind(marker: Cell, piece: Cell) -> Diagnostic:
    """A marker and a property share one cell, `piece`."""
    typed = piece.typed.strip()
    span = Span(len(piece.typed) - len(piece.typed.lstrip()), len(piece.typed))
    message = f"`{typed}` is a property, and stands in the cell of the marker"
    return _part(marker, span, "marker-shape", message, "write it in a cell of its own, to the right")


def unknown_property(cell: Cell, span: Span, kind: str, near: str | None, known: Iterable[str]) -> Diagnostic:
    """The word before a colon beside a marker is no property of that kind of table."""
    word = cell.typed[span.start : span.end]
    message = f"`{word}` is no property of {kind} tables"
    return _part(cell, span, "unknown-property", message, _suggestion(near, known))


def no_property(cell: Cell, marker: Cell) -> Diagnostic:
    """A cell beside a marker has text without the word of a property."""
    message = f"beside the marker in {marker.ref.address} stands text that is no property"
    return _at(cell, "unknown-property", message, "write `word: value`, or move the text away")


def repeated_property(cell: Cell, word: str, first: Cell) -> Diagnostic:
    """Two cells beside a marker give the same property in the same language."""
    remark = Remark(Location(first.ref), "it stands here first")
    message = f"the property `{word}` stands twice"
    where = Location(cell.ref)
    return Diagnostic(where, Severity.ERROR, "repeated-property", message, cell.typed, (remark,))


# -- roles -------------------------------------------------------------------------------------


def no_roles(marker: Cell, place: CellRef, known: Iterable[str]) -> Diagnostic:
    """The row under a marker is blank."""
    message = f"no row of roles stands under this marker: {place.address} is empty"
    listed = ", ".join(f"`{word}`" for word in known)
    return _at(marker, "no-roles", message, f"write the columns' roles there: {listed}")


def unknown_role(cell: Cell, kind: str, near: str | None, known: Iterable[str]) -> Diagnostic:
    """A cell of the row of roles is no role of that kind of table."""
    message = f"`{cell.typed}` is no role of {kind} tables"
    return _part(cell, Span(0, len(cell.typed)), "unknown-role", message, _suggestion(near, known))


def repeated_role(cell: Cell, role: str, first: Cell) -> Diagnostic:
    """Two columns have a role of which a table has one only."""
    remark = Remark(Location(first.ref), "the first one")
    message = f"only one column may have the role `{role}`"
    return Diagnostic(Location(cell.ref), Severity.ERROR, "repeated-role", message, cell.typed, (remark,))


def names_missing(cell: Cell) -> Diagnostic:
    """The row under the roles is a criterion, and columns of a scale need their names there."""
    message = "under the roles stands a rule where the row of column names should be"
    return _at(cell, "names-missing", message, "put a row with the columns' names under the roles")


def column_without_role(first: CellRef, last: CellRef, role_cell: CellRef, typed: str) -> Diagnostic:
    """A column of filled cells touches a table and has no role."""
    message = f"these cells touch the table, but no role stands above them in {role_cell.address}"
    return Diagnostic(
        Location(first, last=last), Severity.ERROR, "column-without-role", message, typed,
        hint=f"write the column's role in {role_cell.address}, or leave a column free beside the table",
    )  # fmt: skip


def gap_in_roles(cell: Cell, gap: CellRef) -> Diagnostic:
    """A role stands right of a blank cell in the row of roles, so that its column is not read."""
    column = column_letters(gap.column)
    message = f"`{cell.typed}` is cut off from its table by the empty role cell {gap.address}"
    return _at(cell, "gap-in-roles", message, f"write a role in {gap.address}, or delete column {column}")


# -- around tables -----------------------------------------------------------------------------


def too_large_a_table(cell: Cell) -> Diagnostic:
    """The tables of a workbook pass the limit of cells; the rest is not read."""
    message = "the tables of this workbook have more cells than are read, counting blank ones"
    return _at(cell, "too-large", message)


def text_below(first: CellRef, last: CellRef, blank_row: int, typed: str) -> Diagnostic:
    """Text stands so close below a table's last row that it may belong to it."""
    rows = f"row {first.row} is" if first.row == last.row else f"rows {first.row}–{last.row} are"
    message = f"{rows} not part of the table above, which ends at the blank row {blank_row}"
    hint = f"delete row {blank_row} if the text belongs to the table, or move it further away"
    where = Location(first, last=last)
    return Diagnostic(where, Severity.WARNING, "text-below", message, typed, hint=hint)


def merged_key(first: CellRef, last: CellRef, typed: str) -> Diagnostic:
    """Cells of a table's first column are merged over several rows."""
    message = f"merged cells in a table: {first.address}:{last.address} show one value for several rows"
    hint = f"unmerge them and repeat `{typed}` in every row" if typed else "unmerge them"
    return Diagnostic(Location(first, last=last), Severity.ERROR, "merged-cells", message, typed, hint=hint)


def merged_cells(first: CellRef, last: CellRef, typed: str) -> Diagnostic:
    """Cells of a table are merged, and not down its first column."""
    message = f"merged cells in a table: only {first.address} holds a value"
    hint = "unmerge them and fill in every cell"
    return Diagnostic(Location(first, last=last), Severity.ERROR, "merged-cells", message, typed, hint=hint)


def hidden_rows(first: CellRef, last: CellRef) -> Diagnostic:
    """Rows of a table are hidden, and are read."""
    rows = f"row {first.row} is" if first.row == last.row else f"rows {first.row}–{last.row} are"
    where = Location(first, last=last)
    return Diagnostic(where, Severity.WARNING, "hidden-rows", f"{rows} hidden but part of the table")


def hidden_columns(first: CellRef, last: CellRef) -> Diagnostic:
    """Columns of a table are hidden, and are read."""
    one, other = column_letters(first.column), column_letters(last.column)
    columns = f"column {one} is" if one == other else f"columns {one}–{other} are"
    where = Location(first, last=last)
    return Diagnostic(where, Severity.WARNING, "hidden-columns", f"{columns} hidden but part of the table")


def hidden_sheet(book: str, sheet: str) -> Diagnostic:
    """A hidden sheet has tables, which are read."""
    where = Location(CellRef(book, sheet, 1, 1))
    message = "the sheet is hidden, but its tables count"
    hint = "show the sheet, or delete it if it must not count"
    return Diagnostic(where, Severity.WARNING, "hidden-sheet", message, hint=hint)


# -- cells -------------------------------------------------------------------------------------


def converted_to_date(cell: Cell) -> Diagnostic:
    """A date stands where none is wanted: the reader says it of names, the checker of expressions."""
    message = f"the spreadsheet turned what was typed into a date or time ({cell.typed})"
    hint = "format the cell as Text and type it again; `3 > 4` is never turned into a date"
    return _at(cell, "converted-to-date", message, hint)


def scientific_number(cell: Cell) -> Diagnostic:
    """A number is formatted with an exponent: it may have been typed as a text such as `1E5`."""
    message = f"the spreadsheet turned what was typed into the number {cell.code}"
    hint = "format the cell as Text, or as a plain number, and type it again"
    return _at(cell, "number-format", message, hint)


def percentage(cell: Cell) -> Diagnostic:
    """A number is formatted as a percentage, so that 50% is read as 0.5."""
    message = f"`{cell.typed}` is kept by the spreadsheet as {cell.code}"
    return _at(cell, "number-format", message, "write the number without `%`")


def rounded_number(cell: Cell) -> Diagnostic:
    """A whole number is longer than a spreadsheet stores exactly."""
    message = f"{cell.typed} has more digits than a spreadsheet keeps: it is already rounded"
    return _at(cell, "rounded-number", message, "format the cell as Text and type it again")


def decimal_comma(cell: Cell, read: str) -> Diagnostic:
    """A text in a column of numbers has a decimal comma; `read` is what it is taken for."""
    return _at(cell, "decimal-comma", f"text in a number column, read as {read}", severity=Severity.NOTE)


def error_value(cell: Cell) -> Diagnostic:
    """A cell without a formula holds an error such as `#N/A`."""
    message = f"the cell holds the spreadsheet's error {cell.typed}"
    return _at(cell, "error-value", message, "type the value")


def error_formula(cell: Cell, error: str) -> Diagnostic:
    """The saved result of a formula is an error other than `#NAME?`."""
    message = f"the formula gives {error}"
    return _at(cell, "error-value", message, "type the value itself")


def broken_formula(cell: Cell) -> Diagnostic:
    """The saved result of a formula is `#NAME?`: most likely it was never meant as one."""
    message = "the text begins with `=`, so the spreadsheet takes it for a formula"
    return _at(cell, "broken-formula", message, "write it without `=`, or format the cell as Text")


def formula(cell: Cell, source: str) -> Diagnostic:
    """A cell is computed by the spreadsheet, and its saved result is read: a note."""
    message = f"`{source}` is a formula; its saved result {cell.typed or 'nothing'} is read"
    return _at(cell, "formula", message, severity=Severity.NOTE)


def no_saved_result(cell: Cell) -> Diagnostic:
    """A formula has never been computed, as other programs than spreadsheets write it."""
    hint = "open the workbook in a spreadsheet, save it, and run again; or type the value"
    return _at(cell, "no-saved-result", "the formula has no saved result", hint)


def no_tables(book: str) -> Diagnostic:
    """No sheet of a workbook that can be read has a marker."""
    hint = "start one with a cell like `Decision: name`"
    return of_file(book, "no-tables", "the workbook holds no table", hint)
