"""Matrices and dice: the value that stands for some keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from sqlglot import exp

from dtables.compilers.sql import catalogues
from dtables.compilers.sql.apart import Point, may_meet, points
from dtables.compilers.sql.catalogues import Catalogue, catalogue_value, is_fixed
from dtables.compilers.sql.exact import plainly
from dtables.compilers.sql.neutral import XCatalogue, XItem
from dtables.compilers.sql.operators import same
from dtables.compilers.sql.plan import Plan, Scope
from dtables.compilers.sql.regions import Regions, region, regions_of
from dtables.compilers.sql.sizes import is_plain, size_of
from dtables.compilers.sql.terms import (
    FALSE,
    NULL,
    Term,
    Tree,
    all_of,
    any_of,
    case,
    certainly,
    first_problem,
    literal,
    negated,
    not_null,
    paren,
    problem_if,
    typed,
)
from dtables.compilers.sql.types import TEXT, WHOLE_NUMBER, data_type, list_of
from dtables.feel.types import BooleanType, NumberType, TextType, Type, VocabularyType, may_be_null, plain
from dtables.model.tables import Condition, Decision, Dice, DiceEntry, Matrix, OutcomeKind, Policy, Rule

FEW_ENTRIES = 6
"""More of them, all constant, are a catalogue."""

Entry = tuple[tuple[Term, ...], Term]


def looked_up(matrix: Matrix, scope: Scope) -> Term:
    seen = [scope.read(parameter.variable) for parameter in matrix.parameters]
    keys = [plainly(key, matrix.heading.where, scope) for key in seen]
    entries: list[Entry] = [
        (tuple(scope.term(key) for key in entry.keys), scope.term(entry.value)) for entry in matrix.entries
    ]
    value = _value(matrix.heading.name, keys, entries, matrix.type, scope.plan)
    hit = [all_of(same(key, one) for key, one in zip(keys, known, strict=True)) for known, _ in entries]
    failing = [(h, term.problem) for h, (_, term) in zip(hit, entries, strict=True) if term.problem]
    problem = case([(h, p) for h, p in failing]) if failing else None
    none = None if _is_whole(matrix, keys, scope.plan) else _without_entry(matrix, hit)
    return Term(value, matrix.type, first_problem([*(key.problem for key in keys), problem, none]))


def _without_entry(table: Matrix | Dice, hit: Sequence[Tree]) -> Tree | None:
    message = f"{table.heading.where}: there is no entry for these keys"
    return problem_if(negated(certainly(any_of(hit))), literal(message))


def _is_whole(matrix: Matrix, keys: Sequence[Term], plan: Plan) -> bool:
    """An entry for all there can be?"""
    kinds = [plain(parameter.type) for parameter in matrix.parameters]
    if any(may_be_null(parameter.type) for parameter in matrix.parameters):
        return False
    sizes = [len(plan.vocabularies[k.name].names) for k in kinds if isinstance(k, VocabularyType)]
    return len(sizes) == len(keys) and prod(sizes) == len(matrix.entries)


def _value(name: str, keys: Sequence[Term], entries: Sequence[Entry], type_: Type, plan: Plan) -> Tree:
    """By the first key, then by the others; what a constant key rules out is left out."""
    if not keys:
        return entries[0][1].value
    first, rest = keys[0], keys[1:]
    groups: dict[Tree, list[Entry]] = {}
    for known, value in entries:
        groups.setdefault(known[0].value, []).append((known[1:], value))
    known_terms = {known[0].value: known[0] for known, _ in entries}
    if first.value in groups:
        return _value(f"{name} {first.value.name}", rest, groups[first.value], type_, plan)
    if not rest and _is_catalogue(first, entries, plan):
        values = tuple(group[0][1].value for group in groups.values())
        kind = data_type(type_, plan.stored) or TEXT
        return catalogues.catalogue_value(Catalogue(name, tuple(groups), values, kind), first.value, plan)
    return case(
        (same(first, known_terms[key]), _value(f"{name} {key.name}", rest, group, type_, plan))
        for key, group in groups.items()
    )


def _is_catalogue(key: Term, entries: Sequence[Entry], plan: Plan) -> bool:
    kind = plain(key.type)
    keyed = isinstance(kind, (VocabularyType, TextType)) or (isinstance(kind, NumberType) and kind.whole)
    plain_keys = all(isinstance(known[0].value, (exp.Literal, exp.Neg)) for known, _ in entries)
    values = all(is_fixed(value.value, plan) and value.problem is None for _, value in entries)
    return keyed and plain_keys and values and len(entries) > FEW_ENTRIES


# -- dice ------------------------------------------------------------------------------------------


def rolled(dice: Dice, scope: Scope) -> Term:
    *kinds, total = [scope.read(parameter.variable) for parameter in dice.parameters]
    terms = [scope.term(entry.outcome) for entry in dice.entries]
    hit = [_falls(entry, kinds, total, dice) for entry in dice.entries]
    value = case(zip(hit, (term.value for term in terms), strict=True))
    failing = [(h, term.problem) for h, term in zip(hit, terms, strict=True) if term.problem is not None]
    problem = case(failing) if failing else None
    return Term(value, dice.type, first_problem([problem, _without_entry(dice, hit)]))


def _falls(entry: DiceEntry, kinds: Sequence[Term], total: Term, dice: Dice) -> Tree:
    rolled_total = paren(total.value)
    if entry.low == entry.high:
        between: Tree = exp.EQ(this=rolled_total, expression=literal(entry.low))
    else:
        low = exp.GTE(this=rolled_total, expression=literal(entry.low))
        between = all_of([low, exp.LTE(this=rolled_total, expression=literal(entry.high))])
    if not kinds:
        return between if entry.die == dice.dice[0] else FALSE
    return all_of([same(kinds[0], Term(literal(entry.die), kinds[0].type)), between])


# -- large decisions as one list --------------------------------------------------------------------
# Large decisions over names, whole numbers and ranges: every column's value finds its place, the places
# together a cell of one list, which holds what the row there gives.

MANY_ROWS = 40
"""Fewer are as soon tried one after another."""
MANY_RANGES = 100
"""With a column of ranges; a region is not found as quickly as a name."""
MOST_CELLS = 20_000
SPARSE = 8
"""So many cells may there be for each row."""


@dataclass(frozen=True, slots=True)
class Cube:
    """What its row gives, null where no row fires. `problem` is what is wrong with a column that is read."""

    value: Tree
    problem: Tree | None


def cube_of(decision: Decision, rows: Sequence[tuple[Rule, Term]], scope: Scope) -> Cube | None:
    """`rows` have what each gives. None where a row is no cell, or a cell several rows."""
    if len(rows) < MANY_ROWS or not _is_plain(decision, [value for _, value in rows], scope):
        return None
    seen = [_seen(decision, number, scope) for number in range(len(decision.subjects))]
    axes = _axes([rule for rule, _ in rows], seen)
    if axes is None or prod(map(len, axes)) > min(MOST_CELLS, SPARSE * len(rows)):
        return None
    has_ranges = any(isinstance(axis, Regions) for axis in axes)
    if has_ranges and (len(rows) < MANY_RANGES or any(one and one.problem for one in seen[1:])):
        return None
    if decision.policy is not Policy.FIRST and may_meet([rule for rule, _ in rows]):
        return None
    known = [one for one in seen if one is not None]
    kind = data_type(decision.type, scope.plan.stored)
    if kind is None or any(one.problem is not None for one in known[2:]):
        return None
    cells = _cells(rows, axes)
    if cells is None:
        return None
    return _made(decision.heading.name, cells, kind, list(zip(known, axes, strict=True)), scope)


def _is_plain(decision: Decision, values: Sequence[Term], scope: Scope) -> bool:
    return (
        decision.policy in (Policy.UNIQUE, Policy.ANY, Policy.FIRST)
        and all(column.kind is OutcomeKind.THEN for column in decision.outcomes)
        and all(value.problem is None and is_fixed(value.value, scope.plan) for value in values)
        and not any(isinstance(value.value, exp.Null) for value in values)
        and all(is_plain(size_of(value.value)) for value in values)
    )


Axis = Sequence[Point] | Regions
"""The different values of a column, or its regions."""


def _axes(rules: Sequence[Rule], seen: Sequence[Term | None]) -> list[Axis] | None:
    """None where a cell is neither a list of values nor ranges."""
    axes: list[Axis] = []
    for column, one in zip(zip(*(rule.conditions for rule in rules), strict=True), seen, strict=True):
        axis = None if one is None else _axis(column, one)
        if axis is None:
            return None
        axes.append(axis)
    return axes or None


def _axis(column: Sequence[Condition], seen: Term) -> Axis | None:
    told = [points(condition) for condition in column]
    known = [point for one in told if one is not None for point in one]
    if all(one is not None for one in told) and all(isinstance(one, (str, int)) for one in known):
        values = list(dict.fromkeys(known))
        if _fits(seen, values):
            return values
    if seen.may_be_null and not all(condition.tests for condition in column):
        return None
    return regions_of(column, seen.type)


def _seen(decision: Decision, number: int, scope: Scope) -> Term | None:
    subject = decision.subjects[number]
    if subject.value is None:
        return None
    return plainly(scope.read(subject.variable), decision.heading.where, scope)


def _fits(seen: Term, axis: Sequence[Point]) -> bool:
    are_truths = [isinstance(one, bool) for one in axis]
    match plain(seen.type):
        case BooleanType():
            return all(are_truths)
        case NumberType(whole=whole):
            return whole and all(isinstance(one, int) for one in axis) and not any(are_truths)
        case TextType() | VocabularyType():
            return all(isinstance(one, str) for one in axis)
        case _:
            return False


Side = tuple[Term, Axis]


def _made(name: str, cells: list[Tree], kind: exp.DataType, axes: Sequence[Side], scope: Scope) -> Cube:
    strides = [prod(len(axis) for _, axis in axes[number + 1 :]) for number in range(len(axes))]
    parts = [
        scope.held_as(f"{name} place", _place(name, axis, stride, scope), WHOLE_NUMBER)
        for axis, stride in zip(axes, strides, strict=True)
    ]
    place: Tree = literal(1)
    for part in parts:
        place = exp.Add(this=place, expression=part)
    listed = typed(XCatalogue(expressions=cells), list_of(kind))
    value = typed(
        XItem(this=scope.plan.column(f"{name} rows", listed, list_of(kind)), expression=place), kind
    )
    second = problem_if(not_null(parts[0]), axes[1][0].problem) if len(axes) > 1 else None
    return Cube(value, first_problem([axes[0][0].problem, second]))


MOST_FILLED = 200_000


def _cells(rows: Sequence[tuple[Rule, Term]], axes: Sequence[Axis]) -> list[Tree] | None:
    """The first row of a cell counts. None where rows lie over one another too often."""
    found: dict[tuple[Point, ...], Tree] = {}
    filled = 0
    for rule, value in rows:
        places = [_reached(c, axis) for c, axis in zip(rule.conditions, axes, strict=True)]
        filled += prod(map(len, places))
        if filled > MOST_FILLED:
            return None
        for cell in product(*places):
            found.setdefault(cell, value.value)
    every = [range(len(axis)) if isinstance(axis, Regions) else axis for axis in axes]
    return [found.get(cell, NULL) for cell in product(*every)]


def _reached(condition: Condition, axis: Axis) -> Sequence[Point]:
    return axis.of(condition) if isinstance(axis, Regions) else points(condition) or []


def _place(name: str, side: Side, stride: int, scope: Scope) -> Tree:
    """How far the value leads into the list, from 0; null where the column does not know it."""
    seen, among = side
    if isinstance(among, Regions):
        found = region(name, seen, among, scope)
        return found if stride == 1 else exp.Mul(this=paren(found), expression=literal(stride))
    if isinstance(plain(seen.type), BooleanType):
        return case(
            (seen.value if point is True else negated(seen.value), literal(number * stride))
            for number, point in enumerate(among)
        )
    places = tuple(literal(number * stride) for number in range(len(among)))
    catalogue = Catalogue(f"{name} places", tuple(map(_key, among)), places, WHOLE_NUMBER)
    return catalogue_value(catalogue, seen.value, scope.plan)


def _key(point: Point) -> Tree:
    assert isinstance(point, (str, int))
    return literal(point)
