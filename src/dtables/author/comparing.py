"""Two versions of a workbook compared as tables: what was added, removed, moved and changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dtables.author.changes import Change, What
from dtables.author.comparing_tables import Compared, compare_tables, content
from dtables.provenance import CellRef
from dtables.workbook.tables import BookText, TableText

RENAMED = 0.5
"""The share of equal rows from which on a table under another name is the same one."""

TablePair = tuple[TableText, TableText]
Group = Callable[[TableText], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`same` says where a cell of the old workbook stands in the new one."""

    changes: tuple[Change, ...]
    same: Mapping[CellRef, CellRef] = field(default_factory=dict)


def compare_books(old: BookText, new: BookText) -> Comparison:
    """In the new workbook's order; tables that are no longer there come last."""
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
            compared: Compared = compare_tables(before, table)
            changes += compared.changes
            same.update(compared.same)
    changes += [_removed(table) for table in old.tables if id(table) not in kept]
    return Comparison(tuple(changes), same)


def _added(table: TableText) -> Change:
    return Change(What.TABLE_ADDED, table.kind, table.name, None, table.where, now=_rows(table))


def _removed(table: TableText) -> Change:
    return Change(What.TABLE_REMOVED, table.kind, table.name, table.where, None, was=_rows(table))


def _rows(table: TableText) -> str:
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
