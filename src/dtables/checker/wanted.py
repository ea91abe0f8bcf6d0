"""Cells that a row must have, and properties with a closed list of words: what is wrong with them is told."""

from __future__ import annotations

from collections.abc import Callable

from dtables.checker import table_problems
from dtables.checker.draft import Draft
from dtables.checker.problems import Wording
from dtables.checker.written import cell_of, property_text
from dtables.workbook.tables import Cell, Row, TableText
from dtables.workbook.words import ClosedWord, closed_word


def needed(draft: Draft, table: TableText, row: Row, role: str, words: Wording | None = None) -> Cell | None:
    """A cell without which the row says nothing: that it is blank is a mistake."""
    cell = cell_of(table, row, role)
    if cell is None:
        draft.error(row.cells[0], words or table_problems.row_without(role))
    return cell


def name_in(draft: Draft, table: TableText, row: Row, role: str = "name") -> Cell | None:
    return needed(draft, table, row, role, table_problems.row_without_name())


def expression_in(draft: Draft, table: TableText, row: Row) -> Cell | None:
    return needed(draft, table, row, "is", table_problems.row_without_expression())


def closed_property(
    draft: Draft,
    table: TableText,
    name: str,
    words: tuple[ClosedWord, ...],
    wrong: Callable[[str, list[str]], Wording] = table_problems.unknown_word,
) -> str | None:
    """What a property says out of a closed list; None where it says nothing, or what is not in the list."""
    said = property_text(table, name)
    found = None if said is None else closed_word(words, said.text)
    if said is not None and found is None:
        draft.error(said, wrong(said.text, [word.name for word in words]))
    return found
