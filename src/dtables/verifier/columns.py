"""The columns of a decision as the verifier sees them: one per value that cells look at.

Two columns of the sheet with the same expression are one. A cell that cannot be cut into atoms is a column
of its own, yes or no; two cells that say the same are the same column.
"""

from __future__ import annotations

from dataclasses import dataclass

from dtables.diagnostics import Diagnostic
from dtables.feel import types
from dtables.feel.types import Type, may_be_null, plain
from dtables.model.expressions import Expression, FieldOf, InputField, Read, Switch
from dtables.model.tables import Decision
from dtables.provenance import CellRef
from dtables.verifier import problems
from dtables.verifier.axes import Axis, axis, bits_of, limited
from dtables.verifier.claims import Claim, Key, claims, opaque_cells
from dtables.verifier.grid import Bits, Box, Grid
from dtables.verifier.joined import by_rows
from dtables.verifier.kinds import with_kinds
from dtables.verifier.rewriting import with_own_names
from dtables.verifier.values import Values
from dtables.verifier.wanted import Is, Wanted, values_in


@dataclass(frozen=True)
class Column:
    """`full` leaves out what the type does not allow. `free`: each of its values may come, whatever the
    other columns have; of other columns it is not known which go together. `stored`: a record gives it."""

    key: Key
    name: str
    type: Type
    axis: Axis
    full: Bits
    free: bool
    where: CellRef
    stored: bool = False

    @property
    def expression(self) -> Expression | None:
        return None if isinstance(self.key, tuple) else self.key

    @property
    def plain(self) -> bool:
        """Is it a value that people know by its name, and no condition that holds or not?"""
        return isinstance(self.key, (Read, InputField, FieldOf, Switch))

    @property
    def missing(self) -> Bits:
        """The atom of null where a record may lack the field: whether it may is for `need` rows to say."""
        return self.axis.nothing if self.stored else 0


@dataclass(frozen=True)
class Plan:
    """A decision and its grid. `opaque` are the cells that have a column of their own, `joined` the fields
    that are read as tests of the row they belong to."""

    decision: Decision
    columns: tuple[Column, ...]
    grid: Grid
    opaque: tuple[tuple[tuple[int, int], Key], ...]
    joined: frozenset[Key]


MOST_ROWS = 100_000
MOST_COLUMNS = 200
MOST_BITS = 1 << 32
"""Of all rows and all atoms: half a gigabyte."""


def plan(written: Decision, values: Values) -> Plan | Diagnostic:
    """Of a table that is too large to look at, what says so."""
    where, rules = written.heading.where, len(written.rules)
    if rules > MOST_ROWS:
        return problems.too_large(where, rules, MOST_ROWS, MOST_COLUMNS)
    decision = with_kinds(with_own_names(written))
    separate = [list(claims(decision, rule)) for rule in decision.rules]
    if len({claim.key for row in separate for claim in row}) > MOST_COLUMNS:
        return problems.too_large(where, rules, MOST_ROWS, MOST_COLUMNS)
    said, joined = by_rows(separate, values)
    columns = _columns(decision, said, values)
    atoms = sum(len(column.axis.atoms) for column in columns)
    if atoms * rules > MOST_BITS:
        return problems.too_fine(where, rules, atoms)
    place = {column.key: n for n, column in enumerate(columns)}
    full = tuple(column.full for column in columns)
    rows = tuple(_box(full, columns, place, row) for row in said)
    opaque = tuple(
        ((number, column), key) for number, row in enumerate(separate) for column, key in opaque_cells(row)
    )
    return Plan(decision, columns, Grid(full, rows), opaque, joined)


def _box(full: Box, columns: tuple[Column, ...], place: dict[Key, int], row: list[Claim]) -> Box:
    box = list(full)
    for claim in row:
        n = place[claim.key]
        box[n] &= bits_of(claim.tests, columns[n].axis)
    return tuple(box)


# -- columns -----------------------------------------------------------------------------------


def _columns(decision: Decision, said: list[list[Claim]], values: Values) -> tuple[Column, ...]:
    named: dict[Key, tuple[str, CellRef]] = {}
    tests: dict[Key, list[Wanted]] = {}
    for row in said:
        for claim in row:
            named.setdefault(claim.key, (claim.name, claim.where or decision.heading.where.cell))
            tests.setdefault(claim.key, []).extend(claim.tests)
    free = values.free(decision, [key for key in named if not isinstance(key, tuple)])
    return tuple(_column(key, *named[key], tests[key], key in free, values) for key in named)


def _column(key: Key, name: str, where: CellRef, tests: list[Wanted], free: bool, values: Values) -> Column:
    type_: Type = types.BOOLEAN if isinstance(key, tuple) else key.type
    if isinstance(key, tuple):
        made = axis(type_, (), ())
        return Column(key, name, type_, made, made.full, False, where)
    present = values.present(key)
    cuts = [*values_in(tests), *(present or ())]
    made, full = limited(type_, cuts, values.names(type_), values.allowed(key))
    if present is not None:
        full &= bits_of(tuple(map(Is, present)), made)
    free = free and full != 0
    read = types.optional(plain(type_)) if may_be_null(type_) else plain(type_)
    return Column(key, name, read, made, full, free, where, values.is_stored(key))
