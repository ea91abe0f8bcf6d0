"""Scales: the smallest record of keys where every row is a key of the candidate alone and none can fail,
else row by row."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from sqlglot import exp

from dtables.compilers.sql.keys import Keys, keys_of
from dtables.compilers.sql.lists import count
from dtables.compilers.sql.loops import filtered, first_in, mapped
from dtables.compilers.sql.narrowing import Narrowing, narrowed
from dtables.compilers.sql.operations import (
    Variable,
    XDistinct,
    XFlatten,
    XGet,
    XItem,
    XList,
    XMinBy,
    XRecord,
    XSame,
    XSlice,
    XSort,
    going,
)
from dtables.compilers.sql.plan import Scope
from dtables.compilers.sql.rankings import ranked_row_by_row
from dtables.compilers.sql.shapes import BOOLEAN, TEXT, data_type, list_of, struct_of
from dtables.compilers.sql.steps import gone
from dtables.compilers.sql.terms import FALSE, NULL, Term, Tree, all_of, case, first_problem, literal, typed
from dtables.compilers.sql.variables import replaced
from dtables.feel.types import ListType
from dtables.model.tables import Scale
from dtables.provenance import Location

UNDECIDED = "the last row leaves more than one"


def chosen(scale: Scale, scope: Scope) -> Term:
    candidates = scope.read(scale.parameters[0].variable)
    keyed = _keyed(scale, candidates.value, scope)
    if keyed is None:
        return _by_rows(scale, candidates, scope)
    if isinstance(scale.type, ListType):
        return Term(keyed.equals(), scale.type, keyed.problem())
    if scale.decides == "proved" or keyed.keys.decided:
        return Term(keyed.best(), scale.type, keyed.problem())
    undecided = _undecided(scale, keyed.equals())
    return Term(keyed.best(), scale.type, first_problem([keyed.problem(), undecided]))


def ranking(scale: Scale, scope: Scope) -> Term:
    """Tiers of equals, best first."""
    candidates = scope.read(scale.parameters[0].variable)
    keyed = _keyed(scale, candidates.value, scope)
    if keyed is None:
        return ranked_row_by_row(scale, candidates.value, scope)
    if not keyed.keys.keys:
        return Term(_tiers_without_keys(keyed), ListType(ListType(scale.item.type)))
    tiers = keyed.tiers()
    if keyed.keys.decided:
        tiers = _each_alone(typed(XFlatten(this=tiers), list_of(keyed.of)), keyed)
    return Term(tiers, ListType(ListType(scale.item.type)), keyed.problem_of_tiers())


def _each_alone(items: Tree, keyed: _Keyed) -> Tree:
    each = keyed.scope.plan.variable("item", keyed.of)
    return mapped(items, each, typed(XList(expressions=[each]), list_of(keyed.of)), list_of(keyed.of))


def _tiers_without_keys(keyed: _Keyed) -> Tree:
    """All in their order, or all alike."""
    if keyed.keys.decided:
        return _each_alone(keyed.candidates, keyed)
    kind = list_of(list_of(keyed.of))
    none = exp.EQ(this=count(keyed.candidates), expression=literal(0))
    nothing, all_ = typed(XList(expressions=[]), kind), typed(XList(expressions=[keyed.candidates]), kind)
    return case([(none, nothing)], all_)


def _undecided(scale: Scale, left: Tree) -> Tree:
    cell = Location(scale.criteria[-1].cell)
    many = exp.GT(this=count(left), expression=literal(1))
    return case([(many, literal(f"{cell}: {UNDECIDED}"))])


# -- by keys ---------------------------------------------------------------------------------------


class _Keyed:
    """The candidates, each with its keys and what is wrong with them: the rows of the scale are read once."""

    def __init__(
        self, keys: Keys, candidates: Tree, item: Variable, of: exp.DataType, scope: Scope, inner: Scope
    ) -> None:
        self.keys, self.candidates, self.item, self.of, self.scope = keys, candidates, item, of, scope
        self.inner = inner
        self.row = scope.plan.variable("row", TEXT)
        self.fields: list[tuple[str, Tree, exp.DataType]] = [("it", item, of)]
        self.fields += [(f"k{n}", key.tree, key.type) for n, key in enumerate(keys.keys)]
        self.fields += [(f"p{n}", problem, TEXT) for n, (_, problem) in enumerate(keys.failing)]
        self.kind = struct_of((name, kind) for name, _, kind in self.fields)
        self.row.type = self.kind

    def best(self) -> Tree:
        if not self.keys.keys:
            return typed(XItem(this=self.candidates, expression=literal(1)), self.of)
        if self.keys.failing:
            return self._get(self._best, "it", self.of)
        keys = _record(self.fields[1 : 1 + len(self.keys.keys)])
        rows = gone(self.candidates, self.item, self.inner, keys, self.item)
        front, whole = rows.bodies
        assert front is not None and whole is not None
        best = XMinBy(this=rows.rows, expression=going(rows.row.this.this, front))
        made = typed(best, rows.row.type or self.of)
        return made if whole is rows.row else replaced(whole, {rows.row.this.this: made})

    def equals(self) -> Tree:
        """All whose keys are the smallest; where `first` stands behind the keys, the first of them."""
        keyed = self.keys.keys
        every = self._items(self._level(len(keyed))) if keyed else self.candidates
        if not self.keys.decided:
            return every
        return typed(XSlice(this=every, expression=literal(1), length=literal(1)), list_of(self.of))

    def problem(self) -> Tree | None:
        """Of a row that is reached: more than one candidate has the best keys in front of it."""
        return first_problem(self._reached(n, before) for n, (before, _) in enumerate(self.keys.failing))

    def _reached(self, number: int, before: int) -> Tree:
        left = self._level(before)
        row = self.row
        told = first_in(left, row, self._get(row, f"p{number}", TEXT), self.scope.plan)
        many = exp.GT(this=count(left), expression=literal(1))
        return case([(many, told or NULL)])

    def tiers(self) -> Tree:
        ordered, standing = self._standings
        same = typed(XSame(this=self._front(self.row, None), expression=standing), BOOLEAN)
        alike = self._items(filtered(self._rows, self.row, same))
        return mapped(ordered, standing, alike, list_of(self.of))

    def problem_of_tiers(self) -> Tree | None:
        """Tier by tier; a row is reached first by all that have the same keys in front of it."""
        ordered, standing = self._standings
        told = [self._reached_with(standing, n, before) for n, (before, _) in enumerate(self.keys.failing)]
        return first_in(ordered, standing, first_problem(told), self.scope.plan)

    def _reached_with(self, standing: Variable, number: int, before: int) -> Tree:
        row = self.row
        front = _record([(name, self._get(standing, name, kind), kind) for name, kind in self._named(before)])
        same = typed(XSame(this=self._front(row, before), expression=front), BOOLEAN)
        left = filtered(self._rows, row, same) if before else self._rows
        told = first_in(left, row, self._get(row, f"p{number}", TEXT), self.scope.plan)
        return case([(exp.GT(this=count(left), expression=literal(1)), told or NULL)])

    @cached_property
    def _standings(self) -> tuple[Tree, Variable]:
        """The different keys, the best first, and a variable over them."""
        kind = struct_of((f"k{n}", key.type) for n, key in enumerate(self.keys.keys))
        each = typed(
            XDistinct(this=mapped(self._rows, self.row, self._front(self.row, None), kind)), list_of(kind)
        )
        ordered = self.scope.held_as("standings", typed(XSort(this=each), list_of(kind)), list_of(kind))
        return ordered, self.scope.plan.variable("standing", kind)

    # -- rows with their keys

    @cached_property
    def _rows(self) -> Tree:
        rows = gone(self.candidates, self.item, self.inner, _record(self.fields))
        (record,) = rows.bodies
        assert record is not None
        made = mapped(rows.rows, rows.row, record, self.kind)
        return self.scope.held_as("rows", made, list_of(self.kind))

    @cached_property
    def _best(self) -> Tree:
        row = self.row
        lambda_ = going(row.this.this, self._front(row, None))
        return self.scope.held_as(
            "best", typed(XMinBy(this=self._rows, expression=lambda_), self.kind), self.kind
        )

    def _level(self, before: int) -> Tree:
        """Those left after so many keys."""
        if not before:
            return self._rows
        row, best = self.row, self._best
        same = all_of(
            exp.EQ(this=self._get(row, name, kind), expression=self._get(best, name, kind))
            for name, kind in self._named(before)
        )
        return self.scope.held_as("left", filtered(self._rows, row, same), list_of(self.kind))

    def _items(self, rows: Tree) -> Tree:
        row = self.row
        return mapped(rows, row, self._get(row, "it", self.of), self.of)

    def _front(self, row: Tree, before: int | None) -> Tree:
        return _record([(name, self._get(row, name, kind), kind) for name, kind in self._named(before)])

    def _named(self, before: int | None) -> list[tuple[str, exp.DataType]]:
        return [(f"k{n}", key.type) for n, key in enumerate(self.keys.keys[:before])]

    def _get(self, row: Tree, name: str, kind: exp.DataType) -> Tree:
        return typed(XGet(this=row, expression=exp.to_identifier(name)), kind)


def _keyed(scale: Scale, candidates: Tree, scope: Scope) -> _Keyed | None:
    item, inner = scope.inside(scale.item)
    keys = keys_of(scale.criteria, scale.others, inner, FALSE)
    of = data_type(scale.item.type, scope.plan.stored) or TEXT
    return None if keys is None else _Keyed(keys, candidates, item, of, scope, inner)


def _record(fields: Sequence[tuple[str, Tree, exp.DataType]]) -> Tree:
    entries = [exp.PropertyEQ(this=exp.to_identifier(name), expression=tree) for name, tree, _ in fields]
    return typed(XRecord(expressions=entries), struct_of((name, kind) for name, _, kind in fields))


# -- row by row ------------------------------------------------------------------------------------


def _by_rows(scale: Scale, candidates: Term, scope: Scope) -> Term:
    walk = Narrowing(scale, scope, lambda around: around.inside(scale.item))
    start = Term(candidates.value, candidates.type)
    left = narrowed(walk, scale.criteria, scale.others, start, scope, lambda _: FALSE)
    if isinstance(scale.type, ListType):
        made = Term(left.value, scale.type, left.problem)
    else:
        of = data_type(scale.item.type, scope.plan.stored) or TEXT
        best = typed(XItem(this=left.value, expression=literal(1)), of)
        undecided = None if scale.decides == "proved" else _undecided(scale, left.value)
        made = Term(best, scale.type, first_problem([left.problem, undecided]))
    return made
