"""The columns of a decision as the verifier sees them: one per value that cells look at.

Two columns of the sheet with the same expression are one. A cell that cannot be cut into atoms is a column
of its own, yes or no; two cells that say the same are the same column.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

from dtables.feel import types
from dtables.feel.types import Type, may_be_null, plain
from dtables.model.expressions import (
    Comparison,
    Expression,
    FieldOf,
    Guard,
    Holds,
    InputField,
    Logic,
    Matches,
    Not,
    Read,
    Switch,
    Test,
)
from dtables.model.tables import Condition, Decision, OutcomeColumn, OutcomeKind, Rule, Subject
from dtables.provenance import CellRef
from dtables.verifier.axes import Axis, axis, bits_of, can_be_cut, fits_kind
from dtables.verifier.grid import Bits, Box, Grid
from dtables.verifier.rewriting import with_own_names
from dtables.verifier.values import Values
from dtables.verifier.wanted import Against, Is, NotAny, Wanted, constant, values_in, wanted

Opaque = tuple[Expression | None, tuple[Test, ...]]
Key = Expression | Opaque


@dataclass(frozen=True, slots=True)
class Claim:
    """What one cell says of one column."""

    key: Key
    tests: tuple[Wanted, ...]


@dataclass(frozen=True)
class Column:
    """`full` leaves out what the type does not allow. `free`: each of its values may come, whatever the
    other columns have; of other columns it is not known which go together."""

    key: Key
    name: str
    type: Type
    axis: Axis
    full: Bits
    free: bool
    where: CellRef

    @property
    def expression(self) -> Expression | None:
        return None if isinstance(self.key, tuple) else self.key

    @property
    def plain(self) -> bool:
        """Does it have values, where others only hold or not?"""
        return isinstance(self.key, (Read, InputField, FieldOf, Switch))

    @property
    def missing(self) -> Bits:
        """The atom of an input field that a record lacks: what an ask needs is its own business."""
        return self.axis.nothing if isinstance(self.key, InputField) else 0


@dataclass(frozen=True)
class Plan:
    """A decision and its grid. `opaque` are the cells that have a column of their own."""

    decision: Decision
    columns: tuple[Column, ...]
    grid: Grid
    opaque: tuple[tuple[tuple[int, int], Key], ...]


MOST_ROWS = 20_000
MOST_COLUMNS = 200


def plan(written: Decision, values: Values) -> Plan | None:
    """None of a table that is too large to look at."""
    if len(written.rules) > MOST_ROWS:
        return None
    decision = with_own_names(written)
    claims = [list(_claims(decision, rule)) for rule in decision.rules]
    if len({claim.key for row in claims for claim, _, _ in row}) > MOST_COLUMNS:
        return None
    columns = _columns(decision, claims, values)
    place = {column.key: n for n, column in enumerate(columns)}
    full = tuple(column.full for column in columns)
    rows = tuple(_box(full, columns, place, row) for row in claims)
    opaque = tuple(
        ((number, column), key)
        for number, rule in enumerate(decision.rules)
        for column, key in _opaque_cells(decision, rule)
    )
    return Plan(decision, columns, Grid(full, rows), opaque)


def _box(
    full: Box, columns: tuple[Column, ...], place: dict[Key, int], row: list[tuple[Claim, str, CellRef]]
) -> Box:
    box = list(full)
    for claim, _, _ in row:
        n = place[claim.key]
        box[n] &= bits_of(claim.tests, columns[n].axis)
    return tuple(box)


# -- what cells say ----------------------------------------------------------------------------


def _claims(decision: Decision, rule: Rule) -> Iterator[tuple[Claim, str, CellRef]]:
    """With each claim its column's name and place."""
    for subject, condition in zip(decision.subjects, rule.conditions, strict=True):
        for claim in _of_cell(subject, condition):
            yield claim, _name(subject, condition, claim), _place(subject, condition, claim)
    for column, outcome in zip(decision.outcomes, rule.outcomes, strict=True):
        if may_not_fire(column, outcome.value):
            yield Claim((outcome.value, ()), (Is(True),)), f"{outcome.written} gives something", outcome.cell


def may_not_fire(column: OutcomeColumn, value: Expression) -> bool:
    return column.kind is OutcomeKind.TAKE and may_be_null(value.type)


def _name(subject: Subject, condition: Condition, claim: Claim) -> str:
    if subject.value is not None and claim.key == subject.value:
        return subject.name
    return f"{subject.name} {condition.written}".strip()


def _place(subject: Subject, condition: Condition, claim: Claim) -> CellRef:
    return subject.where if claim.key == subject.value else condition.cell


def _of_cell(subject: Subject, condition: Condition) -> tuple[Claim, ...]:
    if not condition.tests:
        return ()
    if subject.value is not None:
        tests = wanted(condition.tests)
        if tests is not None and can_be_cut(subject.value.type) and fits_kind(subject.value.type, tests):
            return (Claim(subject.value, tests),)
    elif len(condition.tests) == 1 and isinstance(condition.tests[0], Holds):
        return _of_condition(condition.tests[0].condition)
    return (Claim((subject.value, condition.tests), (Is(True),)),)


def _of_condition(condition: Expression) -> tuple[Claim, ...]:
    """A whole condition that compares one value with constants is a test of that value."""
    match condition:
        case Guard(operand=operand):
            return _of_condition(operand)
        case Logic(operator="and", left=left, right=right):
            return (*_of_condition(left), *_of_condition(right))
        case Comparison():
            return (_compared(condition, condition),)
        case Not(operand=Comparison() as operand):
            claim = _compared(operand, condition)
            opaque = claim.key == condition
            return (claim if opaque else Claim(claim.key, (NotAny(claim.tests),)),)
        case Not(operand=operand) if plain(operand.type) == types.BOOLEAN:
            return (Claim(_bare(operand), (Is(False),)),)
        case Matches(value=value, tests=tests):
            read = wanted(tests)
            if read is not None and can_be_cut(value.type) and fits_kind(value.type, read):
                return (Claim(_bare(value), read),)
            return (Claim(condition, (Is(True),)),)
        case _:
            return (Claim(condition, (Is(True),)),)


def _compared(comparison: Comparison, whole: Expression) -> Claim:
    known = constant(comparison.right)
    left = _bare(comparison.left)
    if known is None or constant(left) is not None or not can_be_cut(left.type):
        return Claim(whole, (Is(True),))
    test: Wanted = Against(comparison.operator, known[0])
    if comparison.operator in ("=", "!="):
        equal = Is(known[0])
        test = equal if comparison.operator == "=" else NotAny((equal,))
    elif known[0] is None or not fits_kind(left.type, (test,)):
        return Claim(whole, (Is(True),))
    return Claim(left, (test,))


def _bare(expression: Expression) -> Expression:
    return _bare(expression.operand) if isinstance(expression, Guard) else expression


def _opaque_cells(decision: Decision, rule: Rule) -> Iterator[tuple[int, Key]]:
    """Cells of named columns that say more than constants."""
    for n, (subject, condition) in enumerate(zip(decision.subjects, rule.conditions, strict=True)):
        for claim in _of_cell(subject, condition):
            if isinstance(claim.key, tuple):
                yield n, claim.key


# -- columns -----------------------------------------------------------------------------------


def _columns(
    decision: Decision, claims: list[list[tuple[Claim, str, CellRef]]], values: Values
) -> tuple[Column, ...]:
    named: dict[Key, tuple[str, CellRef]] = {}
    tests: dict[Key, list[Wanted]] = {}
    for row in claims:
        for claim, name, where in row:
            named.setdefault(claim.key, (name, where))
            tests.setdefault(claim.key, []).extend(claim.tests)
    free = values.free(decision, [key for key in named if not isinstance(key, tuple)])
    return tuple(_column(key, *named[key], tests[key], key in free, values) for key in named)


def _column(key: Key, name: str, where: CellRef, tests: list[Wanted], free: bool, values: Values) -> Column:
    type_: Type = types.BOOLEAN if isinstance(key, tuple) else key.type
    if isinstance(key, tuple):
        made = axis(type_, (), ())
        return Column(key, name, type_, made, made.full, False, where)
    allowed = [limit for limit in values.allowed(key) if fits_kind(type_, limit)]
    cuts = [*values_in(tests), *(cut for limit in allowed for cut in values_in(limit))]
    present = values.present(key)
    made = axis(type_, [*cuts, *(present or ())], values.names(type_))
    limits = [bits_of(limit, made) | made.nothing for limit in allowed]
    if present is not None:
        limits.append(bits_of(tuple(map(Is, present)), made))
    full = reduce(_common, limits, made.full)
    return Column(key, name, _read_type(type_), made, full, free and full != 0, where)


def _common(a: Bits, b: Bits) -> Bits:
    return a & b


def _read_type(type_: Type) -> Type:
    return types.optional(plain(type_)) if may_be_null(type_) else plain(type_)
