"""Cells that nothing would read: they are said, never dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from dtables.checker import messages
from dtables.checker.rows import cell_of, column, columns, filled_rows, property_text
from dtables.checker.symbols import Draft
from dtables.checker.tables.decisions import policy_of
from dtables.checker.tables.settings import is_switches
from dtables.diagnostics import Diagnostic, Severity
from dtables.feel.types import may_be_null
from dtables.model.expressions import Comparison, Constant, InputField
from dtables.model.index import Index
from dtables.model.reach import Reach
from dtables.model.tables import Ask, Need, Ruleset
from dtables.provenance import CellRef, Location
from dtables.workbook.tables import BookText, TableText


@dataclass(frozen=True, slots=True)
class UnreadForm:
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
    UnreadForm("record", lambda _: True, ("fixed",)),
    UnreadForm("input", lambda _: True, ("also",), ("overridden by",)),
    UnreadForm("checks", lambda table: column(table, "places") is not None, ("each", "at")),
    UnreadForm("checks", lambda table: column(table, "places") is None, ("only for", "by", "at most")),
    UnreadForm("settings", is_switches, ("parameter", "type", "level"), ("key", "inherit")),
    UnreadForm(
        "settings", lambda table: not is_switches(table), ("default", "other values"), ("overridden by",)
    ),
    UnreadForm("matrix", _headed_by_keys, ("value",)),
    UnreadForm("turn", lambda table: column(table, "then") is None, (), ("otherwise",)),
)


def report_unread(draft: Draft) -> None:
    for table in draft.book.tables:
        for rule in UNREAD:
            if rule.kind == table.kind and rule.form(table):
                _report_cells(draft, table, rule.roles)
                _report_properties(draft, table, rule.properties)
        _report_others(draft, table)


def _report_cells(draft: Draft, table: TableText, roles: tuple[str, ...]) -> None:
    for n in columns(table, *roles):
        filled = next((row.cells[n] for row in filled_rows(table) if not row.cells[n].empty), None)
        if filled is not None:
            draft.error(filled, messages.column_unread(table.columns[n].role))


def _report_properties(draft: Draft, table: TableText, names: tuple[str, ...]) -> None:
    for written in (property_text(table, name) for name in names):
        if written is not None:
            draft.error(written, messages.property_unread())


def _report_others(draft: Draft, table: TableText) -> None:
    key, ranking = property_text(table, "key"), property_text(table, "priorities")
    if table.kind == "data" and key is not None and column(table, "key") is None:
        draft.error(key, messages.key_without_column())
    if ranking is not None and not policy_of(draft, table).is_ranked:
        draft.error(ranking, messages.priorities_unread(policy_of(draft, table).value))
    if table.kind == "types":
        _report_types(draft, table)


def _report_types(draft: Draft, table: TableText) -> None:
    """A row lists its names, or takes them `of` another: not a bit of both."""
    for row in filled_rows(table):
        derived = cell_of(table, row, "of") is not None
        for role in ("names",) if derived else ("allowed", "plus"):
            cell = cell_of(table, row, role)
            if cell is not None:
                draft.error(cell, messages.column_unread(role))


# -- inputs without a need --------------------------------------------------------------------------
# Fields that an ask reads, that a record may lack and that no `need` row asks for.


def warn_of_unneeded(draft: Draft, ruleset: Ruleset) -> None:
    """Such a record is rejected in the middle of answering, where a `need` row would say so up front."""
    reach = Reach(Index(ruleset))
    for ask in ruleset.asks:
        tried = set(_tried(reach, ask))
        unchecked = (name for name in dict.fromkeys(_read_unchecked(reach, ask)) if name not in tried)
        lacking = [name for name in unchecked if not _settled(draft, ask, name)]
        if lacking:
            places = [(name, Location(draft.inputs[name].where)) for name in lacking]
            where = Location(ask.heading.where.cell)
            draft.warning_at(where, None, messages.reads_without_need(ask.heading.name, places))


def _read_unchecked(reach: Reach, ask: Ask) -> Iterator[str]:
    """A field that is somewhere held against null first may be missing."""
    read = [node for node in reach.parts(ask) if isinstance(node, InputField)]
    tested = {node.name for node in read if may_be_null(node.type)}
    yield from (node.name for node in read if node.name not in tested)


def _tried(reach: Reach, ask: Ask) -> Iterator[str]:
    """Fields that the rules compare with null: they know what to do without them."""
    for node in reach.parts(ask):
        match node:
            case (
                Comparison(left=InputField(name=name), right=Constant(value=None))
                | Comparison(left=Constant(value=None), right=InputField(name=name))
            ):
                yield name
            case _:
                pass


def _settled(draft: Draft, ask: Ask, name: str) -> bool:
    symbol = draft.inputs.get(name)
    if symbol is None or symbol.has_default or may_be_null(symbol.type):
        return True
    return any(isinstance(row, Need) and row.place.fields[0] == name for row in ask.rows)


# -- what follows from other findings ---------------------------------------------------------------
# What is said only because an earlier stage has found something broken already.

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
