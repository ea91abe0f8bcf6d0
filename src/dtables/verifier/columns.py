"""The columns of a decision as the verifier sees them: one per value that cells look at.

Two columns of the sheet with the same expression are one. A cell that is no region of a value is a column
of its own, yes or no; two cells that say the same are the same column."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from dtables.diagnostics import Diagnostic
from dtables.feel import types
from dtables.feel.types import (
    AnyType,
    RestrictedType,
    TextType,
    Type,
    VocabularyType,
    may_be_null,
    optional,
    plain,
    without_null,
)
from dtables.feel.values import Date, DateTime, DaysDuration, Time, Value, YearsDuration
from dtables.limits import LIMITS
from dtables.model.claims import Claim, Claims, OnNull, claims, fails, may_not_fire
from dtables.model.expressions import (
    CallBuiltin,
    Expression,
    FieldOf,
    Guard,
    InputField,
    Read,
    Switch,
    Test,
)
from dtables.model.grid import Box, RowGrid, grid
from dtables.model.index import Index
from dtables.model.reach import Reach
from dtables.model.regions import (
    Axis,
    Bits,
    Key,
    Line,
    Names,
    Region,
    Span,
    constants_in,
    extent,
    known_value,
    line_of,
    region,
)
from dtables.model.tables import Condition, Decision, Field, Rule, Ruleset, Subject, Vocabulary
from dtables.provenance import CellRef
from dtables.verifier import messages
from dtables.verifier.boxes import Boxes, runs
from dtables.verifier.rewriting import with_own_names

Opaque = tuple[Expression | None, tuple[Test, ...]]
"""A cell that only evaluation can tell: the value that it tests (None: it is a whole condition), and its
tests."""
Looked = Expression | Opaque
"""What tells one column from another: the value that its cells look at, or an opaque cell."""


def line(type_: Type, names: Names, cells: Iterable[Sequence[Test]] = ()) -> Line | None:
    """Yes stands before no, as examples are given."""
    found = line_of(type_, names, cells)
    return found and replace(found, names=(True, False)) if plain(type_) == types.BOOLEAN else found


@dataclass(frozen=True)
class GridColumn:
    """`extent` leaves out what the type does not allow, and `full` are its classes. `free`: each of its
    values may come, whatever the other columns have; of other columns it is not known which go together.
    `stored`: a record gives it. `tests` are those of its cells, and those that all its values pass."""

    looked: Looked
    name: str
    type: Type
    axis: Axis
    extent: Region
    full: Bits
    free: bool
    where: CellRef
    stored: bool
    tests: tuple[Test, ...]
    present: tuple[Value, ...]
    """What data has, where only that can come."""

    @property
    def expression(self) -> Expression | None:
        return None if isinstance(self.looked, tuple) else self.looked

    @property
    def plain(self) -> bool:
        """Is it a value that people know by its name, and no condition that holds or not?"""
        return isinstance(self.looked, (Read, InputField, FieldOf, Switch))

    @property
    def nothing(self) -> Bits:
        """The class of null alone."""
        return 0 if self.axis.null is None else 1 << self.axis.null

    @property
    def missing(self) -> Bits:
        """The class of null where a record may lack the field: whether it may is for `need` rows to say."""
        return self.nothing if self.stored else 0

    @property
    def ordered(self) -> bool:
        """Are its values described as intervals? Names and texts are listed."""
        return not self.axis.line.names and not isinstance(self.axis.line.type, TextType)

    def region(self, bits: Bits) -> Region:
        """What classes have together."""
        spans = [_span(self.axis, *run) for run in runs(bits & ~self.nothing)]
        return Region(tuple(spans), bool(bits & self.nothing))

    @cached_property
    def named(self) -> dict[Key, Value]:
        """The values that cells name, by their keys."""
        values: Iterable[Value] = chain(constants_in(self.tests), self.present)
        if self.axis.line.names or isinstance(self.axis.line.type, TextType):
            # Each has one spelling only; numbers and times have several.
            values = dict.fromkeys(values)
        keyed = ((self.axis.line.key(value), value) for value in values)
        return {key: value for key, value in keyed if key is not None}

    @cached_property
    def ranks(self) -> Sequence[int]:
        """Texts come as cells name them, then all others; elsewhere nothing."""
        if not isinstance(self.axis.line.type, TextType):
            return ()
        places = {self.axis.class_of(text): n for n, text in enumerate(self.named.values())}
        return [places.get(n, len(places) + (n == self.axis.null)) for n in range(self.axis.count)]

    def value(self, key: Key) -> Value:
        """As a cell writes it, if one does."""
        return self.named[key] if key in self.named else self.axis.line.value(key)

    def listed(self, of: Region) -> list[Value] | None:
        """All values of a region, in the order in which cells name texts, null last; None where they cannot
        be listed."""
        keys = self.axis.line.keys(of)
        if keys is None:
            return None
        if isinstance(self.axis.line.type, TextType):
            keys = [key for key in self.named if of.has(key)]
        return [*map(self.value, keys), *([None] if of.null else [])]


def has(box: Box, columns: Sequence[GridColumn], point: Sequence[Value]) -> bool:
    """Does the point lie in the box?"""
    places = (column.axis.class_of(value) for column, value in zip(columns, point, strict=True))
    return all(place is not None and bits >> place & 1 == 1 for place, bits in zip(places, box, strict=True))


def _span(axis: Axis, start: int, end: int) -> Span:
    first, last = axis.span(start), axis.span(end - 1)
    assert first is not None and last is not None
    return Span(first.low, last.high)


@dataclass(frozen=True)
class DecisionPlan:
    """A decision and its grid. `opaque` are the cells that have a column of their own, `joined` the fields
    that are read as tests of the row they belong to, with what the rows have."""

    decision: Decision
    columns: tuple[GridColumn, ...]
    grid: RowGrid
    claims: list[list[Claim]]
    lines: Mapping[Expression, Line]
    opaque: tuple[tuple[tuple[int, int], Opaque], ...]
    joined: Mapping[Looked, Rows]

    def fails(self, point: Sequence[Value], rows: Iterable[int] | None = None) -> bool:
        """Where the columns have these values, does looking at the rows, all or some, fail?"""
        if not self._failing:
            return False
        values = {column.looked: value for column, value in zip(self.columns, point, strict=True)}
        failing = self._failing if rows is None else self._failing.intersection(rows)
        return any(fails(self.claims[row], *self._claim_tests(values)) for row in failing)

    @cached_property
    def _failing(self) -> frozenset[int]:
        """Rows that null may make fail."""
        return frozenset(
            row
            for row, claimed in enumerate(self.claims)
            if any(claim.on_null is not OnNull.FALSE for claim in claimed)
        )

    def _claim_tests(
        self, values: Mapping[Looked, Value]
    ) -> tuple[Callable[[Claim], bool], Callable[[Claim], bool]]:
        """Which claims hold where this comes, and of which the value is null."""

        def value(claim: Claim) -> Value:
            if claim.value is None or claim.region is None:
                return values[claim.value, claim.opaque]
            if claim.value in self.joined:
                base, by_name = self.joined[claim.value]
                return by_name[values[base]]
            return values[claim.value]

        def holds(claim: Claim) -> bool:
            if claim.value is None or claim.region is None:
                return value(claim) is True
            return self.lines[claim.value].passes(claim.region, value(claim)) is True

        return holds, lambda claim: claim.region is not None and value(claim) is None

    @cached_property
    def regions(self) -> list[list[tuple[Condition, Region]]]:
        """Of each condition column what cells let through, of those that are regions."""
        found: list[list[tuple[Condition, Region]]] = [[] for _ in self.decision.subjects]
        for rule, row in zip(self.decision.rules, self.claims, strict=True):
            for claim in row:
                if claim.column is not None and claim.region is not None:
                    found[claim.column].append((rule.conditions[claim.column], claim.region))
        return found

    @cached_property
    def boxes(self) -> Boxes:
        return Boxes(self.grid.whole, self.grid.boxes, tuple(column.ranks for column in self.columns))


MOST_ROWS = 100_000
MOST_COLUMNS = 200


def plan(written: Decision, values: PossibleValues) -> DecisionPlan | Diagnostic:
    """Of a table that is too large to look at, what says so."""
    where, rules = written.heading.where, len(written.rules)
    if rules > MOST_ROWS:
        return messages.too_large(where, rules, MOST_ROWS, MOST_COLUMNS)
    decision = with_kinds(with_own_names(written))
    claimed = claims(decision, values.ids, line)
    separate = [
        [_cell(claim, rule) for claim in row] for rule, row in zip(decision.rules, claimed.rows, strict=True)
    ]
    first = _first(separate)
    if len(first) > MOST_COLUMNS:
        return messages.too_large(where, rules, MOST_ROWS, MOST_COLUMNS)
    cells, joined = tested_by_row(separate, first, claimed.lines, values)
    first = _first(cells) if joined else first
    drafts = [_draft(decision, looked, cell, claimed, values) for looked, cell in first.items()]
    row_grid = grid([one.line for one in drafts], _rows(cells, drafts), [one.extent for one in drafts])
    if row_grid.fineness > LIMITS.verified_bits:
        return messages.too_fine(where, rules, row_grid.fineness // rules)
    free = values.free(decision, [one.looked for one in drafts if not isinstance(one.looked, tuple)])
    columns = zip(drafts, row_grid.axes, row_grid.whole, strict=True)
    opaque = tuple(_opaque_cells(separate))
    return DecisionPlan(
        decision,
        tuple(_column(*column, free) for column in columns),
        row_grid,
        claimed.rows,
        claimed.lines,
        opaque,
        joined,
    )


def _opaque_cells(rows: list[list[_Cell]]) -> Iterator[tuple[tuple[int, int], Opaque]]:
    """Cells of named columns, and whole conditions, that only evaluation can tell."""
    for number, row in enumerate(rows):
        for cell in row:
            if cell.claim.column is not None and isinstance(cell.looked, tuple):
                yield (number, cell.claim.column), cell.looked


# -- columns -----------------------------------------------------------------------------------

_BOOLEAN = line(types.BOOLEAN, {})
assert _BOOLEAN is not None
YES_OR_NO = _BOOLEAN
YES = Region((YES_OR_NO.full.spans[0]._replace(high=YES_OR_NO.cut(1, False)),))


class _Cell(NamedTuple):
    """What a row's claim says of a column of the grid."""

    looked: Looked
    region: Region
    claim: Claim
    rule: Rule


def _cell(claim: Claim, rule: Rule) -> _Cell:
    if claim.value is not None and claim.region is not None:
        return _Cell(claim.value, claim.region, claim, rule)
    return _Cell((claim.value, claim.opaque), YES, claim, rule)


class _Draft(NamedTuple):
    """A column before it is known where cells cut it."""

    looked: Looked
    name: str
    where: CellRef
    line: Line
    extent: Region
    stored: bool = False
    tests: tuple[Test, ...] = ()
    present: tuple[Value, ...] = ()


def _first(cells: list[list[_Cell]]) -> dict[Looked, _Cell]:
    """The columns, each with the first cell that looks at it."""
    first: dict[Looked, _Cell] = {}
    for row in cells:
        for cell in row:
            first.setdefault(cell.looked, cell)
    return first


def _draft(
    decision: Decision, looked: Looked, cell: _Cell, claimed: Claims, values: PossibleValues
) -> _Draft:
    name, where = _name(decision, cell), _place(decision, cell)
    if isinstance(looked, tuple):
        return _Draft(looked, name, where, YES_OR_NO, YES_OR_NO.full)
    on, limits = claimed.lines[looked], values.limits(looked)
    tests = tuple(chain(claimed.tests.get(looked, ()), *limits))
    present = values.present(looked)
    return _Draft(
        looked, name, where, on, values.extent(looked, on), values.is_stored(looked), tests, present or ()
    )


def _rows(cells: list[list[_Cell]], drafts: list[_Draft]) -> Iterator[list[Region]]:
    place = {one.looked: n for n, one in enumerate(drafts)}
    for row in cells:
        regions = [one.extent for one in drafts]
        for cell in row:
            n = place[cell.looked]
            narrowed = regions[n] is not drafts[n].extent
            regions[n] = regions[n] & cell.region if narrowed else cell.region
        yield regions


def _column(draft: _Draft, axis: Axis, full: Bits, free: frozenset[Expression]) -> GridColumn:
    looked, name, where, on, extent_, stored, tests, present = draft
    type_ = optional(on.type) if on.nullable else on.type
    loose = isinstance(looked, tuple) or looked not in free or not full
    return GridColumn(looked, name, type_, axis, extent_, full, not loose, where, stored, tests, present)


# -- names -------------------------------------------------------------------------------------


def _name(decision: Decision, cell: _Cell) -> str:
    """As the author writes it, as far as the cell shows it."""
    looked, claim = cell.looked, cell.claim
    if claim.column is None:
        outcomes = zip(decision.outcomes, cell.rule.outcomes, strict=True)
        written = next(o.written for c, o in outcomes if o.value == claim.value and may_not_fire(c, o.value))
        return f"{written} gives something"
    if not isinstance(looked, tuple) and looked != claim.value:
        return path_text(looked)
    subject, condition = decision.subjects[claim.column], cell.rule.conditions[claim.column]
    if subject.value is not None:
        return _of_subject(subject, condition, looked)
    if isinstance(looked, tuple):
        return condition.written
    span = looked.where.span
    part = condition.written[span.start : span.end] if span and looked.where.cell == condition.cell else ""
    return path_text(looked) or part or condition.written


def _of_subject(subject: Subject, condition: Condition, looked: Looked) -> str:
    written = condition.written
    if looked == subject.value:
        return subject.name
    return written.replace("?", subject.name) if "?" in written else f"{subject.name} {written}"


def path_text(expression: Expression) -> str:
    match expression:
        case Read(variable=variable):
            return variable.name
        case InputField(name=name) | Switch(name=name):
            return name
        case FieldOf(of=of, name=name):
            before = path_text(of)
            return f"{before}.{name}" if before else ""
        case _:
            return ""


def _place(decision: Decision, cell: _Cell) -> CellRef:
    claim = cell.claim
    if claim.column is None:
        outcomes = zip(decision.outcomes, cell.rule.outcomes, strict=True)
        return next(o.cell for c, o in outcomes if o.value == claim.value and may_not_fire(c, o.value))
    subject, condition = decision.subjects[claim.column], cell.rule.conditions[claim.column]
    known = claim.region is not None and claim.value == subject.value
    return subject.where if known else condition.cell


# -- joined --------------------------------------------------------------------------------------
# Fields of one row of data go together: where a table looks at several, they are tests of the row.

Rows = tuple[Expression, Mapping[Value, Value]]
"""What gives a row, and the field's value by the row's name."""


def tested_by_row(
    cells: list[list[_Cell]], keys: Collection[Looked], lines: dict[Expression, Line], values: PossibleValues
) -> tuple[list[list[_Cell]], Mapping[Looked, Rows]]:
    """The cells, and the values whose tests were put as tests of rows, of which `lines` gets the lines."""
    found: dict[Looked, Rows] = {
        key: rows
        for key in keys
        if not isinstance(key, tuple)
        and (rows := values.cells(key))
        and lines[key].holding(rows[1].values()) is not None
    }
    shared = {key: rows for key, rows in found.items() if _is_shared(key, rows[0], keys, found)}
    if not shared:
        return cells, {}
    for base, _ in shared.values():
        on = line(base.type, values.ids)
        assert on is not None
        lines.setdefault(base, on)
    return [[_joined(cell, shared, lines) for cell in row] for row in cells], shared


def _is_shared(key: Looked, base: Expression, keys: Collection[Looked], found: Mapping[Looked, Rows]) -> bool:
    return base in keys or any(rows[0] == base for other, rows in found.items() if other != key)


def _joined(cell: _Cell, shared: Mapping[Looked, Rows], lines: Mapping[Expression, Line]) -> _Cell:
    if isinstance(cell.looked, tuple) or cell.looked not in shared:
        return cell
    base, by_name = shared[cell.looked]
    on = lines[cell.looked]
    names = lines[base].holding(name for name, value in by_name.items() if on.passes(cell.region, value))
    assert names is not None
    return cell._replace(looked=base, region=names)


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
        decision,
        subjects=tuple(_with_kind(subject, n, decision) for n, subject in enumerate(decision.subjects)),
    )


def _with_kind(subject: Subject, column: int, decision: Decision) -> Subject:
    value = subject.value
    if value is None or not isinstance(value.type, AnyType):
        return subject
    kinds = {KINDS.get(type(one)) for one in _values(decision, column) if one is not None}
    kind = kinds.pop() if len(kinds) == 1 else None
    return subject if kind is None else replace(subject, value=replace(value, type=optional(kind)))


def _values(decision: Decision, column: int) -> Iterator[Value]:
    for rule in decision.rules:
        yield from constants_in(rule.conditions[column].tests)


# -- values --------------------------------------------------------------------------------------
# Which values can come where: what types, fields and data allow, and what is tied to something else.

COUNTING = ("count", "string length")
"""Built-ins that never give less than nothing."""


@dataclass(frozen=True, slots=True)
class FieldPath:
    """A parameter, input field or switch and the stored fields read below it. `rows`: rows of data are on
    the way, whose fields go together."""

    root: Expression
    fields: tuple[str, ...]
    rows: bool


@dataclass(frozen=True)
class PossibleValues:
    ruleset: Ruleset

    @cached_property
    def index(self) -> Index:
        return Index(self.ruleset)

    @cached_property
    def reach(self) -> Reach:
        return Reach(self.index)

    @property
    def ids(self) -> Names:
        return self.index.names

    def names(self, type_: Type) -> Sequence[str]:
        kind = plain(type_)
        return self.index.names.get(kind.name, ()) if isinstance(kind, VocabularyType) else ()

    def extent(self, expression: Expression, on: Line) -> Region:
        """What can come of an expression: of its type, of its field, of what the rows of data have."""
        found = self.narrowed(expression.type, on, self._allowed(expression))
        if isinstance(expression, CallBuiltin) and expression.builtin in COUNTING:
            found &= Region((Span(on.cut(0, False), None),), True)
        present = self.present(expression)
        listed = None if present is None else on.holding(present)
        return found if listed is None else found & listed

    def narrowed(self, type_: Type, on: Line, allowed: Sequence[Test] = ()) -> Region:
        """What a type and the tests of a field let through."""
        held_to = region(allowed, on, self.ids)
        found = extent(type_, on, self.ids, self._tests)
        return found if held_to is None else found & (held_to | Region((), True))

    def limits(self, expression: Expression) -> list[Sequence[Test]]:
        """Tests that every value of it passes."""
        return [self.restricting(expression.type), self._allowed(expression)]

    def restricting(self, type_: Type) -> list[Test]:
        """The tests of a restricted type, and of what it restricts."""
        return [test for name in _restricted(type_) for test in self._tests[name]]

    @cached_property
    def _tests(self) -> Mapping[str, Sequence[Test]]:
        return {name: restriction.tests for name, restriction in self.index.restrictions.items()}

    def _allowed(self, expression: Expression) -> Sequence[Test]:
        field = self._field(expression)
        return () if field is None or field.allowed is None else field.allowed.tests

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
        known = known_value(cells[name])
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

    def path(self, expression: Expression, own: set[int]) -> FieldPath | None:
        match expression:
            case Guard(operand=operand):
                return self.path(operand, own)
            case Read(variable=variable) if variable.number in own:
                return FieldPath(expression, (), False)
            case InputField() | Switch():
                field = self._field(expression)
                return None if field is not None and field.computed else FieldPath(expression, (), False)
            case FieldOf(of=of, name=name):
                path, field = self.path(of, own), self._field(expression)
                if path is None or field is None or field.computed is not None:
                    return None
                rows = path.rows or isinstance(plain(of.type), VocabularyType)
                if rows and self.present(expression) is None:
                    return None
                return FieldPath(path.root, (*path.fields, name), rows)
            case _:
                return None

    def _field(self, expression: Expression) -> Field | None:
        match expression:
            case InputField(name=name):
                return self.index.inputs.get(name)
            case FieldOf(of=of, name=name):
                return self.index.field(self.index.record_of(of.type), name)
            case _:
                return None

    def _rows_of(self, expression: Expression) -> Vocabulary | None:
        kind = plain(expression.of.type) if isinstance(expression, FieldOf) else None
        if not isinstance(kind, VocabularyType):
            return None
        return self.index.vocabularies.get(kind.root)

    @cached_property
    def _places(self) -> dict[str, dict[str, int]]:
        """Where the row of each name stands."""
        return {
            v.name: {label.id: n for n, label in enumerate(v.names[: len(v.rows)])}
            for v in self.index.vocabularies.values()
        }


def _restricted(type_: Type) -> list[str]:
    type_ = without_null(type_)
    found = []
    while isinstance(type_, RestrictedType):
        found.append(type_.name)
        type_ = without_null(type_.of)
    return found


def _tied(path: FieldPath, other: FieldPath) -> bool:
    """Do they go together? The same row's fields go together, and so do a value and what is inside it."""
    if path.root != other.root:
        return False
    shared = min(len(path.fields), len(other.fields))
    return path.rows or other.rows or path.fields[:shared] == other.fields[:shared]
