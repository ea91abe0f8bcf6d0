"""The pages that are printed: every table, vocabulary, paper and side that a row names."""

from __future__ import annotations

from dtables.checker import messages
from dtables.checker.rows import (
    columns,
    filled_rows,
    first_cell,
    heading,
    parts,
    property_text,
    property_words,
    stripped,
    text_of,
    words_at,
)
from dtables.checker.symbols import Draft, needed
from dtables.digits import whole_in
from dtables.model.tables import PageRow, Pages
from dtables.workbook.language import PAPERS, PLACES, SIDES, ClosedWord, closed_word
from dtables.workbook.tables import Cell, RowText, TableText

PAGE_SETTINGS = ("page", "size", "side", "language", "for", "columns", "place", "letter", "icon")
MOST_COLUMNS = 4


def check_pages(draft: Draft, table: TableText) -> Pages:
    rows = [_page_row(draft, table, row) for row in filled_rows(table)]
    colour, index = (property_text(table, word) for word in ("colour", "index"))
    return Pages(
        heading(table),
        tuple(row for row in rows if row is not None),
        colour.text.strip() if colour else "",
        index.text.strip() if index else "",
        property_words(table, "credit"),
    )


def _page_row(draft: Draft, table: TableText, row: RowText) -> PageRow | None:
    cell = needed(draft, table, row, "table")
    if cell is None:
        return None
    known = printable(draft)
    name = cell.code.strip()
    if name not in known:
        draft.error(cell, messages.unknown_table(name, known))
        return None
    settings = tuple(
        ("face" if role == "page" else role, _setting(draft, role, row.cells[n]))
        for role in PAGE_SETTINGS
        for n in columns(table, role)
        if not row.cells[n].empty
    )
    title, note = words_at(table, row, "title"), words_at(table, row, "note")
    note = note or words_at(table, row, "text")
    return PageRow(name, settings, note or title, first_cell(row), title, note)


def printable(draft: Draft) -> frozenset[str]:
    """Names of all that a page may show: tables, and formulas that stand in a table of them."""
    return frozenset((*draft.functions, *(t.name for t in draft.book.tables if t.name)))


def _setting(draft: Draft, role: str, cell: Cell) -> str:
    """The cell's text, or the canonical word where the language has a closed list."""
    text = cell.code.strip()
    match role:
        case "for":
            _vocabularies(draft, cell)
        case "size":
            return _closed(draft, cell, PAPERS, "paper")
        case "side":
            return _closed(draft, cell, SIDES, "side")
        case "place":
            return _closed(draft, cell, PLACES, "place")
        case "columns" if not 1 <= (whole_in(text) or 0) <= MOST_COLUMNS:
            draft.error(cell, messages.no_page_columns(text, MOST_COLUMNS))
    return text


def _vocabularies(draft: Draft, cell: Cell) -> None:
    for name in parts(text_of(cell)):
        if name.text not in draft.vocabularies:
            draft.error(stripped(name), messages.unknown_vocabulary(name.text, draft.vocabularies))


def _closed(draft: Draft, cell: Cell, words: tuple[ClosedWord, ...], what: str) -> str:
    text = cell.code.strip()
    found = closed_word(words, text)
    if found is None:
        draft.error(cell, messages.unknown_page_word(what, text, [word.name for word in words]))
    return found or text
