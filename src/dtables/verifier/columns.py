"""The columns of a decision as the verifier sees them: one per value that cells look at.

Two columns of the sheet with the same expression are one. A cell that cannot be cut into atoms is a column
of its own, yes or no; two cells that say the same are the same column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from dtables.diagnostics import Diagnostic
from dtables.feel import types
from dtables.feel.types import (
    AnyType,
    RestrictedType,
    Type,
    VocabularyType,
    may_be_null,
    optional,
    plain,
    without_null,
)
from dtables.feel.values import Date, DateTime, DaysDuration, Time, Value, YearsDuration
from dtables.model.expressions import CallBuiltin, Expression, FieldOf, Guard, InputField, Read, Switch, Test
from dtables.model.tables import Decision, Field, Ruleset, Subject, Vocabulary
from dtables.provenance import CellRef
from dtables.verifier import messages
from dtables.verifier.claims import Claim, Key, claims, opaque_cells, path_text
from dtables.verifier.grid import Bits, Box, Grid
from dtables.verifier.regions import (
    Against,
    Axis,
    Is,
    Wanted,
    axis,
    bits_of,
    constant,
    limited,
    values_in,
    wanted,
)
from dtables.verifier.rewriting import with_own_names


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
        return messages.too_large(where, rules, MOST_ROWS, MOST_COLUMNS)
    decision = with_kinds(with_own_names(written))
    separate = [list(claims(decision, rule)) for rule in decision.rules]
    if len({claim.key for row in separate for claim in row}) > MOST_COLUMNS:
        return messages.too_large(where, rules, MOST_ROWS, MOST_COLUMNS)
    said, joined = by_rows(separate, values)
    columns = _columns(decision, said, values)
    atoms = sum(len(column.axis.atoms) for column in columns)
    if atoms * rules > MOST_BITS:
        return messages.too_fine(where, rules, atoms)
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


# -- joined --------------------------------------------------------------------------------------
# Fields of one row of data go together: where a table looks at several, they are tests of the row.

Rows = tuple[Expression, Mapping[Value, Value]]
"""What gives a row, and the field's value by the row's name."""


def by_rows(said: list[list[Claim]], values: Values) -> tuple[list[list[Claim]], frozenset[Key]]:
    """The claims, and the keys of those that were put as tests of rows."""
    keys = {claim.key for row in said for claim in row}
    found: dict[Key, Rows] = {
        key: rows for key in keys if not isinstance(key, tuple) and (rows := values.cells(key))
    }
    shared: dict[Key, Rows] = {
        key: rows for key, rows in found.items() if _is_shared(key, rows[0], keys, found)
    }
    if not shared:
        return said, frozenset()
    return [[_joined(claim, shared, values) for claim in row] for row in said], frozenset(shared)


def _is_shared(key: Key, base: Expression, keys: set[Key], found: Mapping[Key, Rows]) -> bool:
    return base in keys or any(rows[0] == base for other, rows in found.items() if other != key)


def _joined(claim: Claim, shared: Mapping[Key, Rows], values: Values) -> Claim:
    if isinstance(claim.key, tuple) or claim.key not in shared:
        return claim
    base, by_name = shared[claim.key]
    cells = list(by_name.values())
    cut = axis(claim.key.type, [*values_in(claim.tests), *cells], values.names(claim.key.type))
    passing = bits_of(claim.tests, cut)
    tests = tuple(Is(name) for name, value in by_name.items() if bits_of((Is(value),), cut) & passing)
    return replace(claim, key=base, tests=tests, name=path_text(base))


# -- kinds ---------------------------------------------------------------------------------------
# Columns whose type is not known, as in the standard's models, have the kind that their cells have.

KINDS: dict[type, Type] = {
    bool: types.BOOLEAN,
    int: types.NUMBER,
    Decimal: types.NUMBER,
    str: types.TEXT,
    Date: types.DATE,
    Time: types.TIME,
    DateTime: types.DATE_TIME,
    DaysDuration: types.DAYS_DURATION,
    YearsDuration: types.YEARS_DURATION,
}


def with_kinds(decision: Decision) -> Decision:
    if not any(s.value is not None and isinstance(s.value.type, AnyType) for s in decision.subjects):
        return decision
    return replace(
        decision, subjects=tuple(_known(subject, n, decision) for n, subject in enumerate(decision.subjects))
    )


def _known(subject: Subject, column: int, decision: Decision) -> Subject:
    value = subject.value
    if value is None or not isinstance(value.type, AnyType):
        return subject
    kinds = {KINDS.get(type(one)) for one in _values(decision, column) if one is not None}
    kind = kinds.pop() if len(kinds) == 1 else None
    return subject if kind is None else replace(subject, value=replace(value, type=optional(kind)))


def _values(decision: Decision, column: int) -> Iterator[Value]:
    for rule in decision.rules:
        yield from values_in(wanted(rule.conditions[column].tests) or ())


# -- values --------------------------------------------------------------------------------------
# Which values can come where: what types, fields and data allow, and what is tied to something else.

COUNTING = ("count", "string length")
"""Built-ins that never give less than nothing."""


@dataclass(frozen=True, slots=True)
class Path:
    """A parameter, input field or switch and the stored fields read below it. `rows`: rows of data are on
    the way, whose fields go together."""

    root: Expression
    fields: tuple[str, ...]
    rows: bool


@dataclass(frozen=True)
class Values:
    ruleset: Ruleset

    def names(self, type_: Type) -> Sequence[str]:
        kind = plain(type_)
        if not isinstance(kind, VocabularyType) or kind.name not in self._vocabularies:
            return ()
        return self._vocabularies[kind.name].ids

    def vocabulary(self, name: str) -> Vocabulary | None:
        return self._vocabularies.get(name)

    def allowed(self, expression: Expression) -> list[tuple[Wanted, ...]]:
        """Tests that every value of it passes, as far as they are plain."""
        limits: list[tuple[Wanted, ...] | None] = [*self.limits(expression.type)]
        field = self._field(expression)
        if field is not None and field.allowed is not None:
            limits.append(wanted(field.allowed.tests))
        if isinstance(expression, CallBuiltin) and expression.builtin in COUNTING:
            limits.append((Against(">=", 0),))
        return [limit for limit in limits if limit]

    def limits(self, type_: Type) -> list[tuple[Wanted, ...]]:
        """The plain tests of a restricted type, and of what it restricts."""
        found = [wanted(self._restrictions[name]) for name in _restricted(type_)]
        return [limit for limit in found if limit]

    def is_stored(self, expression: Expression) -> bool:
        """Does a record of a turn give it, which may leave it out?"""
        if isinstance(expression, FieldOf) and not isinstance(plain(expression.of.type), types.RecordType):
            return False
        field = self._field(expression)
        return field is not None and field.computed is None

    def present(self, expression: Expression) -> tuple[Value, ...] | None:
        """What a stored field of a row of data can be: what the rows have."""
        found = self.cells(expression)
        return None if found is None else tuple(dict.fromkeys(found[1].values()))

    def cells(self, expression: Expression) -> tuple[Expression, dict[Value, Value]] | None:
        """Of a stored field of a row: what gives the row, and the field's value by the row's name."""
        vocabulary = self._rows_of(expression)
        if vocabulary is None or not isinstance(expression, FieldOf):
            return None
        known = {id_: self._cell(vocabulary, id_, expression.name) for id_ in self.names(expression.of.type)}
        found = {id_: value[0] for id_, value in known.items() if value is not None}
        if len(found) < len(known):
            return None
        return expression.of, found | ({None: None} if may_be_null(expression.of.type) else {})

    def _cell(self, vocabulary: Vocabulary, id_: str, name: str) -> tuple[Value] | None:
        row = self._places[vocabulary.name].get(id_)
        cells = dict(vocabulary.rows[row].values) if row is not None else {}
        if name not in cells:
            return None
        known = constant(cells[name])
        return known if known is not None and not isinstance(known[0], (list, dict)) else None

    # -- what goes together --------------------------------------------------------------------

    def free(self, decision: Decision, columns: Sequence[Expression]) -> frozenset[Expression]:
        """Columns each of whose values may come whatever the others have."""
        own = {parameter.variable.number for parameter in decision.parameters}
        paths = {column: self.path(column, own) for column in columns}
        return frozenset(
            column
            for column, path in paths.items()
            if path is not None
            and not any(_tied(path, other) for key, other in paths.items() if other and key != column)
        )

    def path(self, expression: Expression, own: set[int]) -> Path | None:
        match expression:
            case Guard(operand=operand):
                return self.path(operand, own)
            case Read(variable=variable) if variable.number in own:
                return Path(expression, (), False)
            case InputField() | Switch():
                field = self._field(expression)
                return None if field is not None and field.computed else Path(expression, (), False)
            case FieldOf(of=of, name=name):
                path, field = self.path(of, own), self._field(expression)
                if path is None or field is None or field.computed is not None:
                    return None
                rows = path.rows or isinstance(plain(of.type), VocabularyType)
                if rows and self.present(expression) is None:
                    return None
                return Path(path.root, (*path.fields, name), rows)
            case _:
                return None

    def _field(self, expression: Expression) -> Field | None:
        match expression:
            case InputField(name=name):
                return self._fields.get((self.ruleset.input.state.name, name))
            case FieldOf(of=of, name=name):
                return self._fields.get((self._record(of.type), name))
            case _:
                return None

    def _record(self, type_: Type) -> str:
        kind = plain(type_)
        if isinstance(kind, VocabularyType):
            return self._vocabularies[kind.root].record or "" if kind.root in self._vocabularies else ""
        return kind.name if isinstance(kind, types.RecordType) else ""

    def _rows_of(self, expression: Expression) -> Vocabulary | None:
        kind = plain(expression.of.type) if isinstance(expression, FieldOf) else None
        if not isinstance(kind, VocabularyType):
            return None
        return self._vocabularies.get(kind.root)

    @cached_property
    def _fields(self) -> dict[tuple[str, str], Field]:
        records = (*self.ruleset.records, self.ruleset.input.state)
        return {(record.name, field.name): field for record in records for field in record.fields}

    @cached_property
    def _vocabularies(self) -> dict[str, Vocabulary]:
        switches = (rule.values for table in self.ruleset.switches for rule in table.rules)
        return {v.name: v for v in (*switches, *self.ruleset.vocabularies)}

    @cached_property
    def _places(self) -> dict[str, dict[str, int]]:
        """Where the row of each name stands."""
        return {
            v.name: {label.id: n for n, label in enumerate(v.names[: len(v.rows)])}
            for v in self._vocabularies.values()
        }

    @cached_property
    def _restrictions(self) -> dict[str, tuple[Test, ...]]:
        return {restriction.name: restriction.tests for restriction in self.ruleset.restrictions}


def _restricted(type_: Type) -> list[str]:
    type_ = without_null(type_)
    found = []
    while isinstance(type_, RestrictedType):
        found.append(type_.name)
        type_ = without_null(type_.of)
    return found


def _tied(path: Path, other: Path) -> bool:
    """Of one thing: the same row's fields go together, and so do a value and what is inside it."""
    if path.root != other.root:
        return False
    shared = min(len(path.fields), len(other.fields))
    return path.rows or other.rows or path.fields[:shared] == other.fields[:shared]
