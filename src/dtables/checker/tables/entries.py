"""What people look up or tick: cases by a name, words that are defined, boxes."""

from __future__ import annotations

from dtables.checker import messages
from dtables.checker.report import Text
from dtables.checker.rows import (
    cell_of,
    column,
    columns,
    filled_rows,
    first_cell,
    heading,
    listed,
    property_text,
    text_at,
    words_at,
)
from dtables.checker.symbols import Draft, ids_of
from dtables.checker.tables.turns import claim_of_page, names_along
from dtables.digits import whole_in
from dtables.model.tables import Boxes, Case, Cases, Definition, Definitions, TickRow, Ticks, Words
from dtables.workbook.tables import Cell, RowText, TableText

MOST_BOXES = 40
"""In one row and column; a person counts more than that otherwise."""


def check_cases(draft: Draft, table: TableText) -> Cases:
    """Rules that are looked up by name."""
    claim_of_page(draft, table)
    written = property_text(table, "key")
    vocabulary = written.text if written is not None and written.text in draft.vocabularies else None
    if written is not None and vocabulary is None:
        draft.error(written, messages.unknown_vocabulary(written.text, draft.vocabularies))
    rows = tuple(_case(draft, table, row, vocabulary) for row in filled_rows(table))
    if not rows:
        draft.error(table.marker.cell, messages.table_without_rows())
    return Cases(heading(table), vocabulary, tuple(row for row in rows if row is not None))


def _case(draft: Draft, table: TableText, row: RowText, vocabulary: str | None) -> Case | None:
    places = [n for n in columns(table, "key") if not row.cells[n].empty]
    if not places:
        draft.error(row.cells[0], messages.row_without("key"))
        return None
    cell = row.cells[places[0]]
    id_, owner = _named(draft, cell, vocabulary)
    icon = cell_of(table, row, "icon")
    return Case(
        key=id_,
        label=_label(draft, owner, id_) if owner else words_at(table, row, "key"),
        vocabulary=owner,
        words=words_at(table, row, "text"),
        along=names_along(draft, table, row),
        source=listed(text_at(table, row, "source")),
        icon=icon.code.strip() if icon else "",
        where=first_cell(row),
    )


def _named(draft: Draft, cell: Cell, vocabulary: str | None) -> tuple[str, str | None]:
    """The id and its vocabulary; words of its own have none."""
    written = cell.code.strip()
    for name in (vocabulary,) if vocabulary else draft.vocabularies:
        ids = ids_of(draft.symbols, name, written)
        if len(ids) == 1:
            return ids[0], name
    if vocabulary is not None:
        names = draft.vocabularies[vocabulary].ids
        draft.error(cell, messages.unknown_name_in(written, vocabulary, names))
    return written, None


def _label(draft: Draft, vocabulary: str, id_: str) -> Words:
    return next(label.words for label in draft.vocabularies[vocabulary].names if label.id == id_)


def check_definitions(draft: Draft, table: TableText) -> Definitions:
    """Words that pages use and define."""
    claim_of_page(draft, table)
    rows = tuple(_definition(draft, table, row) for row in filled_rows(table))
    if not rows:
        draft.error(table.marker.cell, messages.table_without_rows())
    return Definitions(heading(table), tuple(row for row in rows if row is not None))


def _definition(draft: Draft, table: TableText, row: RowText) -> Definition | None:
    forms = words_at(table, row, "term")
    if not forms:
        draft.error(row.cells[column(table, "term") or 0], messages.row_without("term"))
        return None
    return Definition(
        forms=forms,
        words=words_at(table, row, "text"),
        example=words_at(table, row, "example"),
        along=names_along(draft, table, row),
        source=listed(text_at(table, row, "source")),
        where=first_cell(row),
    )


def check_ticks(draft: Draft, table: TableText) -> Ticks:
    """Boxes that people tick."""
    claim_of_page(draft, table)
    columns = _boxes(draft, property_text(table, "columns"))
    rows = tuple(_tick_row(draft, table, row) for row in filled_rows(table))
    if not rows:
        draft.error(table.marker.cell, messages.table_without_rows())
    return Ticks(heading(table), columns, rows)


def _tick_row(draft: Draft, table: TableText, row: RowText) -> TickRow:
    boxes = _boxes(draft, text_at(table, row, "boxes"))
    return TickRow(words_at(table, row, "text"), boxes, first_cell(row))


def _boxes(draft: Draft, written: Text | None) -> Boxes:
    """A number, or the vocabulary whose names have one each; one where nothing is written."""
    if written is None:
        return 1
    text = written.text.strip()
    count = whole_in(text)
    if count is None and text in draft.vocabularies:
        return text
    if count is None or not 1 <= count <= MOST_BOXES:
        draft.error(written, messages.no_boxes(text, MOST_BOXES, draft.vocabularies))
        return 1
    return count
