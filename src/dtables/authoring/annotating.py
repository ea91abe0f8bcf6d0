"""A copy of a workbook that shows what was found in it: a comment and a mark at each cell, and a sheet that
lists them all.

The marks are conditional formats, so that what the author formatted stays; comments of others stay too,
with ours under them. A copy of a copy has the marks of its own findings only.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from openpyxl.comments import Comment
from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Alignment, Font

from dtables.authoring.dressing.dress import save, settle
from dtables.authoring.dressing.listing import TOP, comment, first_sheet, link, without_listing
from dtables.authoring.dressing.look import BODY, HAIRLINE, INK, fill, letters, underline
from dtables.diagnostics import LONGEST, Diagnostic, Severity, by_severity, excerpt, explained
from dtables.spreadsheet.library import open_whole
from dtables.spreadsheet.writer import set_text
from dtables.workbook.tables import BookText

AUTHOR = "dtables check"
SIGN = "— dtables check —"
"""Above what was found, in a comment; what stands over it is somebody else's."""
MARK = 'N("dtables check")=0'
"""Always true, and nobody else's format."""
TITLE = "Findings"
SUBTITLE = "What the check found; a click on a place leads there."
HEADS = (
    ("place", 26.0), ("what", 10.0), ("code", 22.0), ("message", 64.0), ("typed", 36.0), ("more", 60.0)
)  # fmt: skip
MOST_IN_A_COMMENT = 10
MOST_IN_A_CELL = 30_000
COLOURS = {Severity.ERROR: "F4B6B0", Severity.WARNING: "FBE2A6", Severity.NOTE: "CFE3F5"}


def annotate(
    source: Path, text: BookText, findings: tuple[Diagnostic, ...], target: Path
) -> Diagnostic | None:
    """`text` and `findings` are what `source` says, and what was found in it. Return why there is no copy."""
    book = open_whole(source)
    if isinstance(book, Diagnostic):
        return book
    _without_findings(book)
    for table in text.tables:
        settle(book[table.marker.cell.ref.sheet], table)
    placed = [d for d in findings if d.where.cell.sheet in book.sheetnames]
    for _, here in groupby(sorted(placed, key=_cell), _cell):
        _mark(book, tuple(here))
    _list(book, text.name, findings)
    save(book, target)
    return None


def _cell(d: Diagnostic) -> tuple[str, int, int]:
    cell = d.where.cell
    return cell.sheet, cell.row, cell.column


# -- at the cells ------------------------------------------------------------------------------


def _mark(book: Any, here: tuple[Diagnostic, ...]) -> None:
    ref = here[0].where.cell
    sheet = book[ref.sheet]
    worst = min((d.severity for d in here), key=list(Severity).index)
    rule = FormulaRule(formula=[MARK], fill=fill(COLOURS[worst]), font=Font(color=INK))
    sheet.conditional_formatting.add(ref.address, rule)
    cell = sheet.cell(*_own_cell(sheet, ref.row, ref.column))
    first = by_severity(here)[:MOST_IN_A_COMMENT]
    lines = [SIGN, *("\n".join([f"{d.severity.value}: {d.message}", *explained(d)]) for d in first)]
    if len(first) < len(here):
        lines.append(f"and {len(here) - len(first):,} more: see the sheet {TITLE}")
    if cell.comment is not None:
        lines.insert(0, cell.comment.text)
    author = cell.comment.author if cell.comment is not None else AUTHOR
    cell.comment = comment("\n".join(lines), author)


def _own_cell(sheet: Any, row: int, column: int) -> tuple[int, int]:
    """Of merged cells the first one has the comment."""
    for merged in sheet.merged_cells.ranges:
        if merged.min_row <= row <= merged.max_row and merged.min_col <= column <= merged.max_col:
            return merged.min_row, merged.min_col
    return row, column


# -- the list ----------------------------------------------------------------------------------


def _list(book: Any, name: str, findings: Iterable[Diagnostic]) -> None:
    """Nothing on it reads like a table of the language: what was typed has a sign in front."""
    sheet = first_sheet(book, TITLE, name, SUBTITLE, HEADS)
    for row, d in enumerate(findings, TOP + 1):
        _row(sheet, row, d, set(book.sheetnames))


def _row(sheet: Any, row: int, d: Diagnostic, sheets: set[str]) -> None:
    where = d.where.cell
    place = f"› {where.sheet} {where.address}" if where.sheet else "› (workbook)"
    typed = f"› {excerpt(d, LONGEST)[0]}" if d.typed else ""
    more = "\n".join(explained(d))[:MOST_IN_A_CELL]
    values = (place, d.severity.value, d.code, f"› {d.message}", typed, more)
    for column, value in enumerate(values, 1):
        cell = sheet.cell(row, column)
        set_text(cell, value)
        cell.font = letters(BODY, INK)
        cell.alignment = Alignment(vertical="top", wrap_text=True)
        cell.border = underline("thin", HAIRLINE)
    sheet.cell(row, 2).fill = fill(COLOURS[d.severity])
    if where.sheet in sheets:
        link(sheet.cell(row, 1), where.sheet, where.address)


# -- an earlier list ---------------------------------------------------------------------------


def _without_findings(book: Any) -> None:
    without_listing(book, (SUBTITLE,))
    for sheet in book.worksheets:
        sheet.conditional_formatting = _formats_of_others(sheet)
        for row in sheet.iter_rows():
            for cell in row:
                if cell.comment is not None and SIGN in cell.comment.text:
                    cell.comment = _of_others(cell.comment)


def _formats_of_others(sheet: Any) -> ConditionalFormattingList:
    kept = ConditionalFormattingList()
    for found in sheet.conditional_formatting:
        for rule in found.rules:
            if rule.formula != [MARK]:
                kept.add(str(found.sqref), rule)
    return kept


def _of_others(comment: Any) -> Any:
    text = comment.text.partition(SIGN)[0].rstrip("\n")
    return Comment(text, comment.author, width=comment.width, height=comment.height) if text else None
