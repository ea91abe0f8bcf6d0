"""Two versions of a workbook compared as tables: what was added, removed, moved and changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from dtables.provenance import CellRef, Location
from dtables.versions.changes import Change, What
from dtables.versions.rows import Matched, Row, match_rows
from dtables.workbook.kinds import BY_NAME
from dtables.workbook.tables import BookText, Cell, ColumnText, Property, RowText, TableText, whole

RENAMED = 0.5
"""The share of equal rows from which on a table under another name is the same one."""

TablePair = tuple[TableText, TableText]
Group = Callable[[TableText], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class TableComparison:
    """`same` says where a cell of the old workbook stands in the new one."""

    changes: tuple[Change, ...]
    same: Mapping[CellRef, CellRef] = field(default_factory=dict)


def compare_books(old: BookText, new: BookText) -> TableComparison:
    """Compare two workbooks in the new one's order; tables that are no longer there come last."""
    pairs = _pairs(old.tables, new.tables)
    partners = {id(there): here for here, there in pairs}
    kept = {id(here) for here, _ in pairs}
    changes: list[Change] = []
    same: dict[CellRef, CellRef] = {}
    for table in new.tables:
        before = partners.get(id(table))
        if before is None:
            changes.append(_added(table))
        else:
            compared: ComparedTable = compare_tables(before, table)
            changes += compared.changes
            same.update(compared.same)
    changes += [_removed(table) for table in old.tables if id(table) not in kept]
    return TableComparison(tuple(changes), same)


@dataclass(frozen=True, slots=True)
class VersionedTable:
    """A table that is in both versions: columns and cells that are the same one, old and new; rows that came,
    went or moved; properties with what they were and are."""

    old: TableText
    new: TableText
    columns: tuple[tuple[ColumnText, ColumnText], ...]
    cells: tuple[tuple[Cell, Cell], ...]
    added: tuple[RowText, ...]
    removed: tuple[RowText, ...]
    moved: tuple[RowText, ...]
    properties: tuple[tuple[str, str, str], ...]


def versioned_tables(old: BookText, new: BookText) -> Iterator[VersionedTable]:
    """Return the tables that both versions have, row beside row."""
    for before, now in _pairs(old.tables, new.tables):
        versions = TableVersions(before, now, _common(before, now))
        matched = _matched(versions)
        cells = (
            (before.rows[a].cells[c], now.rows[b].cells[d])
            for a, b in matched.pairs
            for c, d in versions.columns
        )
        was, now_is = ({key: p.value.text for key, p in _by_word(table).items()} for table in (before, now))
        properties = (
            (key[0], was.get(key, ""), now_is.get(key, ""))
            for key in dict.fromkeys((*now_is, *was))
            if was.get(key, "") != now_is.get(key, "")
        )
        yield VersionedTable(
            before,
            now,
            tuple((before.columns[c], now.columns[d]) for c, d in versions.columns),
            tuple(cells),
            tuple(now.rows[b] for b in matched.added),
            tuple(before.rows[a] for a in matched.removed),
            tuple(now.rows[b] for _, b in sorted(matched.moved)),
            tuple(properties),
        )


def _added(table: TableText) -> Change:
    return Change(What.TABLE_ADDED, table.kind, table.name, None, table.where, now=_row_count(table))


def _removed(table: TableText) -> Change:
    return Change(What.TABLE_REMOVED, table.kind, table.name, table.where, None, was=_row_count(table))


def _row_count(table: TableText) -> str:
    return "1 row" if len(table.rows) == 1 else f"{len(table.rows)} rows"


# -- which table is which ----------------------------------------------------------------------


def _pairs(old: Sequence[TableText], new: Sequence[TableText]) -> list[TablePair]:
    """By kind and name, then, where several are called alike or a name is gone, by what they say."""
    pairs: list[TablePair] = []
    left, right = list(old), list(new)
    for fits, least in ((_called_alike, 0.0), (_of_one_kind, RENAMED)):
        found = list(_best(left, right, fits, least))
        pairs += found
        taken = {id(table) for pair in found for table in pair}
        left = [table for table in left if id(table) not in taken]
        right = [table for table in right if id(table) not in taken]
    return pairs


def _called_alike(one: TableText) -> tuple[str, ...]:
    return one.kind, one.name


def _of_one_kind(one: TableText) -> tuple[str, ...]:
    return (one.kind,)


def _best(
    left: Iterable[TableText], right: Sequence[TableText], group: Group, least: float
) -> Iterator[TablePair]:
    """In each group the likest first."""
    ranked = sorted(
        (
            (-_likeness(one, other), n, m, one, other)
            for n, one in enumerate(left)
            for m, other in enumerate(right)
            if group(one) == group(other)
        ),
        key=lambda found: found[:3],
    )
    taken: set[int] = set()
    for unlike, _, _, one, other in ranked:
        if -unlike >= least and not taken & {id(one), id(other)}:
            taken |= {id(one), id(other)}
            yield one, other


def _likeness(one: TableText, other: TableText) -> float:
    rows, others = set(content(one)), set(content(other))
    together = len(rows) + len(others)
    return 2 * len(rows & others) / together if together else 1.0


# -- one table --------------------------------------------------------------------------------------
# Two versions of one table: its signature, properties, columns, rows and cells.

NUMBER = "#"
NAMING: dict[str, tuple[str, ...]] = {
    "types": ("name",),
    "record": ("field",),
    "data": ("key",),
    "input": ("field",),
    "formulas": ("name",),
    "formula": ("step",),
    "settings": ("switch", "parameter"),
    "ask": ("role", "name"),
    "turn": ("phase", "step"),
    "cases": ("key",),
    "terms": ("term",),
    "pages": ("page", "table", "for"),
    "glossary": ("kind", "id"),
}
"""The roles of the cells by which a kind's rows are called. Rows of the other kinds have no names; the
numbers of decisions and scales change when a row comes between."""
MATRIX = "matrix"
KEYS = ("if", "key", "only for", "die")
ANYTHING = ("-", "")
"""Roles under which a row says when it applies, and cells that let anything pass."""
MOST_NUMBERS = 4

Columns = tuple[tuple[int, int], ...]
"""Places of the same column in both tables."""


@dataclass(frozen=True, slots=True)
class ComparedTable:
    """What changed from one table to another, and which cells of both are the same one."""

    changes: tuple[Change, ...]
    same: dict[CellRef, CellRef]


@dataclass(frozen=True, slots=True)
class TableVersions:
    """Both versions, and their common columns."""

    old: TableText
    new: TableText
    columns: Columns

    def change(self, what: What, old: Location | None, new: Location | None, **more: str) -> Change:
        """Make a change of this table, which is called as in the new version."""
        return Change(what, self.new.kind, self.new.name, old, new, **more)


def compare_tables(old: TableText, new: TableText) -> ComparedTable:
    """Compare two versions of a table: heading, properties, columns, rows and cells."""
    versions = TableVersions(old, new, _common(old, new))
    matched = _matched(versions)
    changes = (*_heading(versions), *_properties(versions), *_columns(versions), *_rows(versions, matched))
    same = {old.marker.cell.ref: new.marker.cell.ref}
    for a, b in matched.pairs:
        for c, d in versions.columns:
            same[old.rows[a].cells[c].ref] = new.rows[b].cells[d].ref
    for before, after in _same_properties(versions):
        same[before.cell.ref] = after.cell.ref
    return ComparedTable(changes, same)


def content(table: TableText) -> list[Row]:
    """What the rows say, but for their numbers."""
    places = [n for n, column in enumerate(table.columns) if column.role != NUMBER]
    return [tuple(row.cells[n].code for n in places) for row in table.rows]


# -- above the rows ----------------------------------------------------------------------------


def _heading(v: TableVersions) -> Iterator[Change]:
    old, new = v.old, v.new
    where = whole(old.marker.cell), whole(new.marker.cell)
    if old.name != new.name:
        yield v.change(What.TABLE_RENAMED, *where, was=old.name, now=new.name)
    if old.marker.cell.ref.sheet != new.marker.cell.ref.sheet:
        yield v.change(What.TABLE_MOVED, *where, was=old.marker.cell.ref.sheet, now=new.marker.cell.ref.sheet)
    if _signature(old) != _signature(new):
        yield v.change(What.SIGNATURE, *where, was=_signature(old), now=_signature(new))


def _signature(table: TableText) -> str:
    marker = table.marker
    parameters = ", ".join(f"{p.name.text}: {p.type.text}" for p in marker.parameters)
    result = f" -> {marker.result.text}" if marker.result else ""
    return f"({parameters}){result}"


def _properties(v: TableVersions) -> Iterator[Change]:
    old, new = _by_word(v.old), _by_word(v.new)
    for key in dict.fromkeys((*new, *old)):
        before, after = old.get(key), new.get(key)
        was, now = (p.value.text if p else "" for p in (before, after))
        if was != now:
            word = " ".join(part for part in key if part)
            places = (p.value.where if p else None for p in (before, after))
            yield v.change(What.PROPERTY, *places, column=word, was=was, now=now)


def _by_word(table: TableText) -> dict[tuple[str, str], Property]:
    return {(p.word, p.language or ""): p for p in table.properties}


def _same_properties(v: TableVersions) -> Iterator[tuple[Property, Property]]:
    new = _by_word(v.new)
    for key, before in _by_word(v.old).items():
        if key in new:
            yield before, new[key]


# -- columns -----------------------------------------------------------------------------------


def _common(old: TableText, new: TableText) -> Columns:
    """Columns of one role and name; then, of one role, those left over in their order: a new name."""
    found: list[tuple[int, int]] = []
    for same in (_full, _role):
        left = [n for n in range(len(old.columns)) if n not in {a for a, _ in found}]
        right = [n for n in range(len(new.columns)) if n not in {b for _, b in found}]
        for n in left:
            fits = (m for m in right if same(old.columns[n]) == same(new.columns[m]))
            partner = next(fits, None)
            if partner is not None:
                right.remove(partner)
                found.append((n, partner))
    return tuple(sorted(found, key=lambda pair: pair[1]))


def _full(column: ColumnText) -> tuple[str, ...]:
    return column.role, column.language or "", column.name.code if column.name else ""


def _role(column: ColumnText) -> tuple[str, ...]:
    return column.role, column.language or ""


def _columns(v: TableVersions) -> Iterator[Change]:
    for a, b in v.columns:
        before, after = v.old.columns[a], v.new.columns[b]
        if _full(before) != _full(after):
            where = whole(_head(before)), whole(_head(after))
            yield v.change(What.COLUMN_RENAMED, *where, was=_title(before), now=_title(after))
    kept = {b for _, b in v.columns}
    for n, column in enumerate(v.new.columns):
        if n not in kept:
            yield v.change(What.COLUMN_ADDED, None, whole(_head(column)), column=_title(column))
    kept = {a for a, _ in v.columns}
    for n, column in enumerate(v.old.columns):
        if n not in kept:
            yield v.change(What.COLUMN_REMOVED, whole(_head(column)), None, column=_title(column))


def _head(column: ColumnText) -> Cell:
    return column.name if column.name is not None and not column.name.empty else column.role_cell


def _title(column: ColumnText) -> str:
    named = column.name.typed if column.name is not None else ""
    return f"{column.role_cell.typed} {named}".strip()


# -- rows --------------------------------------------------------------------------------------


def _matched(v: TableVersions) -> Matched:
    kept = [(a, b) for a, b in v.columns if v.new.columns[b].role != NUMBER]
    old = [tuple(row.cells[a].code for a, _ in kept) for row in v.old.rows]
    new = [tuple(row.cells[b].code for _, b in kept) for row in v.new.rows]
    naming = [n for n, (_, b) in enumerate(kept) if b in _naming(v.new)]
    return match_rows(old, new, partial(_name, naming))


def _naming(table: TableText) -> list[int]:
    """The columns that call a row; of a matrix the first keys, and the rank in a list."""
    if table.kind == MATRIX:
        ranks = [n for n, column in enumerate(table.columns) if column.role == "rank"]
        keys = [n for n, column in enumerate(table.columns) if column.role == "key"]
        return ranks or keys[:1]
    return [n for n, column in enumerate(table.columns) if column.role in NAMING.get(table.kind, ())]


def _name(naming: Sequence[int], row: Row) -> Hashable | None:
    name = tuple(row[n] for n in naming)
    return name if any(name) else None


def _rows(v: TableVersions, matched: Matched) -> Iterator[Change]:
    yield from _renumbered(v, matched)
    partners = {b: a for a, b in matched.pairs}
    for b, row in enumerate(v.new.rows):
        a = partners.get(b)
        if a is None:
            where = whole(row.cells[0])
            yield v.change(What.ROW_ADDED, None, where, row=_label(v.new, b), now=_row_text(v.new, b))
            continue
        if (a, b) in matched.moved:
            places = whole(v.old.rows[a].cells[0]), whole(row.cells[0])
            was = f"{_label(v.old, a)} ({v.old.rows[a].cells[0].ref.address})"
            yield v.change(What.ROW_MOVED, *places, row=_label(v.new, b), was=was)
        yield from _cells(v, a, b)
    for a in matched.removed:
        where = whole(v.old.rows[a].cells[0])
        yield v.change(What.ROW_REMOVED, where, None, row=_label(v.old, a), was=_row_text(v.old, a))


def _cells(v: TableVersions, a: int, b: int) -> Iterator[Change]:
    for c, d in v.columns:
        before, after = v.old.rows[a].cells[c], v.new.rows[b].cells[d]
        if before.code != after.code and v.new.columns[d].role != NUMBER:
            yield v.change(
                What.CELL, whole(before), whole(after), row=_label(v.new, b),
                column=_title(v.new.columns[d]), was=before.typed, now=after.typed,
            )  # fmt: skip


def _renumbered(v: TableVersions, matched: Matched) -> Iterator[Change]:
    """All of a table in one: a row put in between renumbers those below."""
    places = [(c, d) for c, d in v.columns if v.new.columns[d].role == NUMBER]
    for c, d in places[:1]:
        cells = [(v.old.rows[a].cells[c], v.new.rows[b].cells[d]) for a, b in matched.pairs]
        changed = [(before, after) for before, after in cells if before.code != after.code]
        if changed:
            renumbered = [f"{before.typed or '-'} → {after.typed or '-'}" for before, after in changed]
            more = f" and {len(renumbered) - MOST_NUMBERS} more" if len(renumbered) > MOST_NUMBERS else ""
            where = whole(changed[0][0]), whole(changed[0][1])
            yield v.change(What.RENUMBERED, *where, now=", ".join(renumbered[:MOST_NUMBERS]) + more)


def _label(table: TableText, place: int) -> str:
    """Its name, its number, what it is for, or else which of the rows it is."""
    row = table.rows[place]
    called = [row.cells[n].typed for n in _naming(table) if not row.cells[n].empty]
    if called:
        return " ".join(called)
    numbers = [row.cells[n].typed for n, column in enumerate(table.columns) if column.role == NUMBER]
    if numbers and numbers[0]:
        return f"row {numbers[0]}"
    return ", ".join(_keys(table, row)) or f"row {place + 1}"


def _keys(table: TableText, row: RowText) -> Iterator[str]:
    """The conditions under which a row applies, each with its column; what lets anything pass is left out."""
    for cell, column in zip(row.cells, table.columns, strict=True):
        if column.role in KEYS and not cell.empty and cell.code.strip() not in ANYTHING:
            name = column.name.typed if column.name is not None else ""
            yield f"{name} {cell.typed}".strip()


class RowLabels:
    """What tables call the rows of a workbook, by their cells."""

    def __init__(self, book: BookText) -> None:
        self._rows: dict[tuple[str, int], list[tuple[TableText, int]]] = {}
        for table in book.tables:
            for place, row in enumerate(table.rows):
                ref = row.cells[0].ref
                self._rows.setdefault((ref.sheet, ref.row), []).append((table, place))

    def of(self, cell: CellRef) -> str:
        """The table and the row that a cell stands in; "" for a cell of none."""
        for table, place in self._rows.get((cell.sheet, cell.row), ()):
            if any(cell == one.ref for one in table.rows[place].cells):
                kind = BY_NAME[table.kind].en[0]
                return f"{kind} {table.name}".strip() + f", {_label(table, place)}"
        return ""


def _row_text(table: TableText, place: int) -> str:
    cells = (
        c for c, column in zip(table.rows[place].cells, table.columns, strict=True) if column.role != NUMBER
    )
    return " | ".join(cell.typed or "-" for cell in cells)
