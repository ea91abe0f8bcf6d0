"""Large decisions as one list: the value of every column finds its place, the places together a cell of the
list, which holds what the row there gives.

Values that the same cells of a column let through have one place. It is looked up by the value where cells
name values one by one, and else searched for among the cuts between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import product
from math import prod

from sqlglot import exp

from dtables.compilers.sql.catalogues import Catalogue, catalogue_value, is_fixed
from dtables.compilers.sql.exact import plainly
from dtables.compilers.sql.neutral import XBucket, XCatalogue, XCuts, XDaysBetween, XItem, XSecondsBetween
from dtables.compilers.sql.plan import Scope
from dtables.compilers.sql.sizes import is_plain, size_of
from dtables.compilers.sql.terms import (
    NULL,
    Term,
    Tree,
    case,
    coalesce,
    first_problem,
    is_null,
    literal,
    negated,
    not_null,
    paren,
    problem_if,
    typed,
)
from dtables.compilers.sql.types import TEXT, WHOLE_NUMBER, data_type, decimal, list_of
from dtables.feel.types import (
    BooleanType,
    DateTimeType,
    DateType,
    DaysDurationType,
    NumberType,
    TextType,
    optional,
)
from dtables.feel.values import Date, DateTime, DaysDuration, Time, Value
from dtables.model.expressions import Test
from dtables.model.grid import members
from dtables.model.regions import SECOND, Axis, Bits, Cut, Key, Line, Names, Region, axis, line_of, region
from dtables.model.tables import Decision, OutcomeKind, Policy, Rule

MANY_ROWS = 40
"""Fewer are as soon tried one after another."""
MANY_RANGES = 100
"""With a column that is searched: a place among cuts is not found as quickly as a name."""
MOST_CELLS = 40_000
SPARSE = 8
"""So many cells may there be for each row."""
MOST_FILLED = 200_000


@dataclass(frozen=True, slots=True)
class Cube:
    """What its row gives, null where no row fires. `problem` is what is wrong with a column that is read."""

    value: Tree
    problem: Tree | None


def cube_of(decision: Decision, rows: Sequence[tuple[Rule, Term]], scope: Scope) -> Cube | None:
    """`rows` have what each gives. None where a row is no cell, or a cell several rows."""
    if len(rows) < MANY_ROWS or not _is_plain(decision, [value for _, value in rows], scope):
        return None
    sides = _sides(decision, [rule for rule, _ in rows], scope)
    kind = data_type(decision.type, scope.plan.stored)
    if not sides or kind is None:
        return None
    if prod(side.places.count for side in sides) > min(MOST_CELLS, SPARSE * len(rows)):
        return None
    searched = any(isinstance(side.places, Searched) for side in sides)
    if any(side.seen.problem is not None for side in sides[1 if searched else 2 :]):
        return None
    if searched and len(rows) < MANY_RANGES:
        return None
    cells = _cells([value.value for _, value in rows], sides, decision.policy is Policy.FIRST)
    return None if cells is None else _cube_of(decision.heading.name, cells, kind, sides, scope)


def _is_plain(decision: Decision, values: Sequence[Term], scope: Scope) -> bool:
    return (
        decision.policy.takes_one
        and all(column.kind is OutcomeKind.THEN for column in decision.outcomes)
        and all(value.problem is None and is_fixed(value.value, scope.plan) for value in values)
        and not any(isinstance(value.value, exp.Null) for value in values)
        and all(is_plain(size_of(value.value)) for value in values)
    )


# -- the places of a column ------------------------------------------------------------------------


@dataclass(frozen=True)
class Listed:
    """By the value itself: the `keys` that have a place, and that of all others, of null; None where no row
    lets it through. `rows` are the places that each row takes."""

    line: Line
    keys: dict[Key, int]
    others: int | None
    null: int | None
    count: int
    rows: Sequence[Sequence[int]]


@dataclass(frozen=True)
class Searched:
    """Among the cuts of an axis: a place is a class."""

    axis: Axis
    cells: Sequence[Region]

    @property
    def line(self) -> Line:
        return self.axis.line

    @property
    def null(self) -> int | None:
        return self.axis.null if any(cell.null for cell in self.cells) else None

    @property
    def count(self) -> int:
        return self.axis.count - (self.axis.null is not None and self.null is None)

    @cached_property
    def rows(self) -> Sequence[Sequence[int]]:
        known = {cell: [n for run in self.axis.runs(cell) for n in run] for cell in set(self.cells)}
        return [known[cell] for cell in self.cells]


Places = Listed | Searched


@dataclass(frozen=True, slots=True)
class Side:
    """A column's value, and its places."""

    seen: Term
    places: Places


def _sides(decision: Decision, rules: Sequence[Rule], scope: Scope) -> list[Side] | None:
    """Of the columns that a row looks at. None where a cell is no region of its column's line, or a row
    passes over a column whose value may be a problem."""
    sides: list[Side] = []
    for number, subject in enumerate(decision.subjects):
        column = [rule.conditions[number].tests for rule in rules]
        if not any(column):
            continue
        if subject.value is None:
            return None
        seen = plainly(scope.read(subject.variable), decision.heading.where, scope)
        places = _places(column, seen, scope.plan.index.names)
        if places is None or (seen.problem is not None and not all(column)):
            return None
        sides.append(Side(seen, places))
    return sides


def _places(column: Sequence[tuple[Test, ...]], seen: Term, names: Names) -> Places | None:
    line = line_of(optional(seen.type) if seen.may_be_null else seen.type, names, column)
    if line is None or line.offset:
        return None
    cells = [region(tests, line, names) for tests in column]
    known = [cell for cell in cells if cell is not None]
    if len(known) < len(cells):
        return None
    cut = axis(line, set(known))
    listed = _listed(line, known)
    if listed is not None:
        return listed
    return Searched(cut, known) if all(is_plain(size_of(_end(line, one)[0])) for one in cut.cuts) else None


MOST_NAMED = 40
"""So many numbers or texts are as soon named; of more the cuts are searched, where a value that no cell names
is found as quickly as any other."""


def _listed(line: Line, cells: Sequence[Region]) -> Listed | None:
    """None where values are no names, texts or whole numbers, or cells name too many of them."""
    most = len(line.names) or MOST_NAMED
    if not (line.names or isinstance(line.type, TextType) or _is_whole_number(line)):
        return None
    different = {cell: 1 << number for number, cell in enumerate(dict.fromkeys(cells))}
    named: dict[Key, Bits] = {}
    others = 0
    for cell, bit in different.items():
        keys = line.keys(cell, most)
        if keys is None:
            keys = line.keys(line.full - cell, most)
            others |= bit
        if keys is None:
            return None
        for key in keys:
            named[key] = named.get(key, 0) ^ bit
        if len(named) > most:
            return None
    takers = {key: others ^ bits for key, bits in named.items()}
    null = sum(bit for cell, bit in different.items() if cell.null)
    places = {
        taken: n for n, taken in enumerate(dict.fromkeys(t for t in (*takers.values(), others, null) if t))
    }
    of_cell: list[list[int]] = [[] for _ in different]
    for taken, place in places.items():
        for number in members(taken):
            of_cell[number].append(place)
    known = dict(zip(different, of_cell, strict=True))
    found = {key: places[taken] for key, taken in takers.items() if taken}
    return Listed(
        line, found, places.get(others), places.get(null), len(places), [known[cell] for cell in cells]
    )


def _is_whole_number(line: Line) -> bool:
    return line.whole and isinstance(line.type, NumberType)


# -- the list --------------------------------------------------------------------------------------


def _cells(values: Sequence[Tree], sides: Sequence[Side], first: bool) -> list[Tree] | None:
    """The first row of a cell counts, if it may. None where two rows share one, or lie over one another too
    often."""
    found: dict[tuple[int, ...], int] = {}
    filled = 0
    for row, places in enumerate(zip(*(side.places.rows for side in sides), strict=True)):
        filled += prod(map(len, places))
        if filled > MOST_FILLED:
            return None
        for cell in product(*places):
            if found.setdefault(cell, row) != row and not first:
                return None
    every = product(*(range(side.places.count) for side in sides))
    return [values[found[cell]] if cell in found else NULL for cell in every]


def _cube_of(name: str, cells: list[Tree], kind: exp.DataType, sides: Sequence[Side], scope: Scope) -> Cube:
    strides = [prod(side.places.count for side in sides[number + 1 :]) for number in range(len(sides))]
    parts = [
        scope.held_as(f"{name} place", _place(name, side, stride, scope), WHOLE_NUMBER)
        for side, stride in zip(sides, strides, strict=True)
    ]
    place: Tree = literal(1)
    for part in parts:
        place = exp.Add(this=place, expression=part)
    listed = typed(XCatalogue(expressions=cells), list_of(kind))
    value = typed(
        XItem(this=scope.plan.column(f"{name} rows", listed, list_of(kind)), expression=place), kind
    )
    second = problem_if(not_null(parts[0]), sides[1].seen.problem) if len(sides) > 1 else None
    return Cube(value, first_problem([sides[0].seen.problem, second]))


# -- the place of a value --------------------------------------------------------------------------


def _place(name: str, side: Side, stride: int, scope: Scope) -> Tree:
    """How far the value leads into the list, from 0; null where no row lets it through."""
    places, value = side.places, side.seen.value
    if isinstance(places, Searched):
        found = _searched(name, value, places.axis, scope)
        place = found if stride == 1 else exp.Mul(this=paren(found), expression=literal(stride))
    else:
        place = _looked_up(name, value, places, stride, scope)
    if not side.seen.may_be_null or (
        isinstance(places, Listed) and places.others is None and places.null is None
    ):
        return place
    null = NULL if places.null is None else literal(places.null * stride)
    return case([(is_null(value), null)], place)


def _looked_up(name: str, value: Tree, places: Listed, stride: int, scope: Scope) -> Tree:
    line = places.line
    if isinstance(line.type, BooleanType):
        return case(
            (value if line.value(key) is True else negated(value), literal(place * stride))
            for key, place in places.keys.items()
        )
    keys = tuple(_key(line.value(key)) for key in places.keys)
    numbers = tuple(literal(place * stride) for place in places.keys.values())
    catalogue = Catalogue(f"{name} places", keys, numbers, WHOLE_NUMBER)
    others = NULL if places.others is None else literal(places.others * stride)
    return coalesce([catalogue_value(catalogue, value, scope.plan), others])


def _key(value: Value) -> Tree:
    assert isinstance(value, str | int)
    return literal(value)


EPOCH = Date(1970, 1, 1)
MIDNIGHT = DateTime(EPOCH, Time(0, 0, 0))


def _searched(name: str, value: Tree, among: Axis, scope: Scope) -> Tree:
    """How many cuts lie before the value. One in front of a number is passed by it, one behind it by what is
    above."""
    match among.line.type:
        case DateType():
            value = typed(XDaysBetween(this=value, expression=literal(EPOCH)), WHOLE_NUMBER)
        case DateTimeType():
            value = typed(XSecondsBetween(this=value, expression=literal(MIDNIGHT)), WHOLE_NUMBER)
    ends = [_end(among.line, cut) for cut in among.cuts]
    place: Tree = literal(0)
    for behind, suffix in ((False, ""), (True, " upper")):
        passed = [end for end, is_behind in ends if is_behind is behind]
        if passed:
            counted = _passed(f"{name}{suffix}", value, passed, behind, among.line, scope)
            place = counted if place == literal(0) else exp.Add(this=place, expression=counted)
    return place


def _passed(name: str, value: Tree, ends: Sequence[Tree], behind: bool, line: Line, scope: Scope) -> Tree:
    kind = _kind(line)
    cuts = typed(XCuts(expressions=ends), list_of(kind))
    column = scope.plan.column(f"{name} cuts", cuts, list_of(kind))
    found = XBucket(this=value, expression=column, size=literal(len(ends)), behind=behind)
    return typed(found, WHOLE_NUMBER)


def _kind(line: Line) -> exp.DataType:
    if isinstance(line.type, TextType):
        return TEXT
    return WHOLE_NUMBER if line.whole and not isinstance(line.type, DaysDurationType) else decimal()


def _end(line: Line, cut: Cut) -> tuple[Tree, bool]:
    """A cut in the terms of a column, and whether it lies behind its value. Durations are seconds there: in
    front of a nanosecond after one is behind it."""
    key, behind = cut
    if isinstance(line.type, DaysDurationType):
        assert isinstance(key, int)
        behind = key % SECOND == 1
        return literal(DaysDuration(key - behind)), behind
    return literal(int(key) if isinstance(key, Decimal) and key == int(key) else key), behind
