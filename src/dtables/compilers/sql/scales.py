"""Scales: the smallest record of keys where every row is a key of the candidate alone and none can fail,
else row by row."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from dtables.compilers.sql.keys import Key, Keys, keys_of
from dtables.compilers.sql.lists import count
from dtables.compilers.sql.loops import filtered, item_variable, mapped
from dtables.compilers.sql.narrowing import Narrowing, narrowed
from dtables.compilers.sql.operations import (
    Variable,
    XDistinct,
    XFlatten,
    XItem,
    XList,
    XMin,
    XMinBy,
    XRecord,
    XSame,
    XSort,
    going,
)
from dtables.compilers.sql.plan import Lazy, Scope
from dtables.compilers.sql.shapes import BOOLEAN, TEXT, data_type, list_of, struct_of
from dtables.compilers.sql.terms import FALSE, Term, Tree, case, first_problem, literal, typed
from dtables.feel.types import BOOLEAN as BOOLEAN_TYPE
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
        return Term(keyed.equals(), scale.type)
    problem = None
    if scale.decides != "proved" and not keyed.keys.decided:
        problem = _undecided(scale, keyed.equals())
    return Term(keyed.best(), scale.type, problem)


def ranking(scale: Scale, scope: Scope) -> Term | None:
    """Tiers of equals, best first; None where the rows are no keys."""
    candidates = scope.read(scale.parameters[0].variable)
    keyed = _keyed(scale, candidates.value, scope)
    if keyed is None:
        return None
    tiers = keyed.tiers()
    if keyed.keys.decided:
        each = keyed.scope.plan.variable("item", keyed.of)
        alone = typed(XList(expressions=[each]), list_of(keyed.of))
        tiers = mapped(typed(XFlatten(this=tiers), list_of(keyed.of)), each, alone, list_of(keyed.of))
    return Term(tiers, ListType(ListType(scale.item.type)))


def _undecided(scale: Scale, left: Tree) -> Tree:
    cell = Location(scale.criteria[-1].cell)
    many = exp.GT(this=count(left), expression=literal(1))
    return case([(many, literal(f"{cell}: {UNDECIDED}"))])


# -- by keys ---------------------------------------------------------------------------------------


class _Keyed:
    """The candidates and the record of keys of one."""

    def __init__(self, keys: Keys, candidates: Tree, item: Variable, of: exp.DataType, scope: Scope) -> None:
        self.keys, self.candidates, self.item, self.of, self.scope = keys, candidates, item, of, scope
        self.record, self.kind = _record(keys.keys)

    def best(self) -> Tree:
        if not self.keys.keys:
            return typed(XItem(this=self.candidates, expression=literal(1)), self.of)
        lambda_ = going(self.item.this.this, self.record)
        return typed(XMinBy(this=self.candidates, expression=lambda_), self.of)

    def equals(self) -> Tree:
        """All whose keys are the smallest."""
        if not self.keys.keys:
            return self.candidates
        least = typed(XMin(this=self._standings()), self.kind)
        once = Lazy("smallest", self.scope.plan, lambda: Term(least, BOOLEAN_TYPE))
        read = once.term().value
        read.type = self.kind
        return once.around(Term(self._at(read), BOOLEAN_TYPE)).value

    def tiers(self) -> Tree:
        standings = typed(XDistinct(this=self._standings()), list_of(self.kind))
        ordered = typed(XSort(this=standings), list_of(self.kind))
        standing = self.scope.plan.variable("standing", self.kind)
        return mapped(ordered, standing, self._at(standing), list_of(self.of))

    def _standings(self) -> Tree:
        return mapped(self.candidates, self.item, self.record, self.kind)

    def _at(self, standing: Tree) -> Tree:
        same = typed(XSame(this=self.record, expression=standing), BOOLEAN)
        return filtered(self.candidates, self.item, same)


def _keyed(scale: Scale, candidates: Tree, scope: Scope) -> _Keyed | None:
    item = item_variable(scope.plan, scale.item.name, scale.item.type)
    inner = scope.deeper().bind(scale.item, Term(item, scale.item.type))
    keys = keys_of(scale.criteria, scale.others, inner, FALSE)
    of = data_type(scale.item.type, scope.plan.stored) or TEXT
    return None if keys is None else _Keyed(keys, candidates, item, of, scope)


def _record(keys: Sequence[Key]) -> tuple[Tree, exp.DataType]:
    fields = [(f"k{number}", key) for number, key in enumerate(keys)]
    entries = [exp.PropertyEQ(this=exp.to_identifier(name), expression=key.tree) for name, key in fields]
    kind = struct_of((name, key.type) for name, key in fields)
    return typed(XRecord(expressions=entries), kind), kind


# -- row by row ------------------------------------------------------------------------------------


def _by_rows(scale: Scale, candidates: Term, scope: Scope) -> Term:
    walk = Narrowing(scale, scope, [])
    start = Term(candidates.value, candidates.type)
    left = narrowed(walk, scale.criteria, scale.others, start, scope, lambda _: FALSE)
    if isinstance(scale.type, ListType):
        made = Term(left.value, scale.type, left.problem)
    else:
        of = data_type(scale.item.type, scope.plan.stored) or TEXT
        best = typed(XItem(this=left.value, expression=literal(1)), of)
        undecided = None if scale.decides == "proved" else _undecided(scale, left.value)
        made = Term(best, scale.type, first_problem([left.problem, undecided]))
    for lazy in reversed(walk.lazies):
        made = lazy.around(made)
    return made
