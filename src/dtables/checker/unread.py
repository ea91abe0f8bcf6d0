"""Cells that nothing would read: they are said, never dropped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dtables.checker import table_problems
from dtables.checker.decisions import RANKED, policy_of
from dtables.checker.draft import Draft
from dtables.checker.settings import is_switches
from dtables.checker.written import cell_of, column, columns, filled_rows, property_text
from dtables.workbook.tables import TableText


@dataclass(frozen=True, slots=True)
class Unread:
    """In tables of the kind that have this form, these columns and properties mean nothing."""

    kind: str
    form: Callable[[TableText], bool]
    roles: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()


def _headed_by_keys(table: TableText) -> bool:
    names = {p.name.text for p in table.marker.parameters}
    heads = [table.columns[n].name for n in columns(table, "key")]
    return bool(names) and any(head is not None and head.code.strip() not in names for head in heads)


UNREAD = (
    Unread("record", lambda _: True, ("fixed",)),
    Unread("input", lambda _: True, ("also",), ("overridden by",)),
    Unread("checks", lambda table: column(table, "places") is not None, ("each", "at")),
    Unread("checks", lambda table: column(table, "places") is None, ("only for", "by", "at most")),
    Unread("settings", is_switches, ("parameter", "type", "level"), ("key", "inherit")),
    Unread("settings", lambda table: not is_switches(table), ("default", "other values"), ("overridden by",)),
    Unread("matrix", _headed_by_keys, ("value",)),
)


def tell_unread(draft: Draft) -> None:
    for table in draft.book.tables:
        for rule in UNREAD:
            if rule.kind == table.kind and rule.form(table):
                _tell_cells(draft, table, rule.roles)
                _tell_properties(draft, table, rule.properties)
        _tell_others(draft, table)


def _tell_cells(draft: Draft, table: TableText, roles: tuple[str, ...]) -> None:
    for n in columns(table, *roles):
        filled = next((row.cells[n] for row in filled_rows(table) if not row.cells[n].empty), None)
        if filled is not None:
            draft.error(filled, table_problems.column_unread(table.columns[n].role))


def _tell_properties(draft: Draft, table: TableText, names: tuple[str, ...]) -> None:
    for written in (property_text(table, name) for name in names):
        if written is not None:
            draft.error(written, table_problems.property_unread())


def _tell_others(draft: Draft, table: TableText) -> None:
    key, ranking = property_text(table, "key"), property_text(table, "priorities")
    if table.kind == "data" and key is not None and column(table, "key") is None:
        draft.error(key, table_problems.key_without_column())
    if ranking is not None and policy_of(draft, table) not in RANKED:
        draft.error(ranking, table_problems.priorities_unread(policy_of(draft, table).value))
    if table.kind == "types":
        _tell_types(draft, table)


def _tell_types(draft: Draft, table: TableText) -> None:
    """A row lists its names, or takes them `of` another: not a bit of both."""
    for row in filled_rows(table):
        derived = cell_of(table, row, "of") is not None
        for role in ("names",) if derived else ("allowed", "plus"):
            cell = cell_of(table, row, role)
            if cell is not None:
                draft.error(cell, table_problems.column_unread(role))
