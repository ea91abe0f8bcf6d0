"""Scales: the smallest record of keys where every row is a key of the candidate alone and none can fail,
else row by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from sqlglot import exp

from dtables.compilers.sql.builtins import count
from dtables.compilers.sql.loops import GrowingList, filtered, first_in, has_any, left_of, mapped
from dtables.compilers.sql.neutral import (
    Variable,
    XContains,
    XDistinct,
    XFlatten,
    XGet,
    XItem,
    XList,
    XMax,
    XMin,
    XMinBy,
    XPlace,
    XPlaces,
    XRecord,
    XReverse,
    XSame,
    XSlice,
    XSort,
    going,
)
from dtables.compilers.sql.operators import has_order, same
from dtables.compilers.sql.plan import Scope, replaced
from dtables.compilers.sql.sharing import gone
from dtables.compilers.sql.terms import (
    FALSE,
    NULL,
    TRUE,
    Term,
    Tree,
    all_of,
    any_of,
    case,
    certainly,
    coalesce,
    first_problem,
    literal,
    negated,
    not_null,
    paren,
    problem_if,
    typed,
)
from dtables.compilers.sql.types import (
    BOOLEAN,
    DATE,
    TEXT,
    WHOLE_NUMBER,
    data_type,
    decimal,
    list_of,
    struct_of,
)
from dtables.feel.types import BOOLEAN as TRUTH
from dtables.feel.types import (
    WHOLE,
    DateType,
    ListType,
    NumberType,
    TextType,
    Type,
    describe,
    optional,
    plain,
    without_null,
)
from dtables.model.tables import Criterion, Embedded, Others, Prefer, Scale
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
        row = typed(best, rows.row.type or self.of)
        return row if whole is rows.row else replaced(whole, {rows.row.this.this: row})

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
        problem = first_in(left, row, self._get(row, f"p{number}", TEXT), self.scope.plan)
        many = exp.GT(this=count(left), expression=literal(1))
        return case([(many, problem or NULL)])

    def tiers(self) -> Tree:
        ordered, standing = self._standings
        same = typed(XSame(this=self._front(self.row, None), expression=standing), BOOLEAN)
        alike = self._items(filtered(self._rows, self.row, same))
        return mapped(ordered, standing, alike, list_of(self.of))

    def problem_of_tiers(self) -> Tree | None:
        """Tier by tier; a row is reached first by all that have the same keys in front of it."""
        ordered, standing = self._standings
        problems = [
            self._reached_with(standing, n, before) for n, (before, _) in enumerate(self.keys.failing)
        ]
        return first_in(ordered, standing, first_problem(problems), self.scope.plan)

    def _reached_with(self, standing: Variable, number: int, before: int) -> Tree:
        row = self.row
        front = _record([(name, self._get(standing, name, kind), kind) for name, kind in self._named(before)])
        same = typed(XSame(this=self._front(row, before), expression=front), BOOLEAN)
        left = filtered(self._rows, row, same) if before else self._rows
        problem = first_in(left, row, self._get(row, f"p{number}", TEXT), self.scope.plan)
        return case([(exp.GT(this=count(left), expression=literal(1)), problem or NULL)])

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
        values = mapped(rows.rows, rows.row, record, self.kind)
        return self.scope.held_as("rows", values, list_of(self.kind))

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
        result = Term(left.value, scale.type, left.problem)
    else:
        of = data_type(scale.item.type, scope.plan.stored) or TEXT
        best = typed(XItem(this=left.value, expression=literal(1)), of)
        undecided = None if scale.decides == "proved" else _undecided(scale, left.value)
        result = Term(best, scale.type, first_problem([left.problem, undecided]))
    return result


# -- narrowing -----------------------------------------------------------------------------------
# A scale row by row: each keeps the best of what is left and hands them on.
#
# Where a row concerns some of those left, the scale's `others` decides what becomes of the rest. `worst` are
# those that count as the worst of an embedding row.

Judged = Callable[[Scope], Tree]
"""Whether the candidate bound in a scope is one of those."""


@dataclass(frozen=True, slots=True)
class Narrowing:
    """`candidate` binds the scale's item to what a list of those left holds: the candidate itself, or its
    place."""

    scale: Scale
    scope: Scope
    candidate: Callable[[Scope], tuple[Variable, Scope]]

    def held(self, left: Term) -> Term:
        return self.scope.held("left", left)


def narrowed(
    going: Narrowing, criteria: Sequence[Criterion], others: Others, left: Term, scope: Scope, worst: Judged
) -> Term:
    open_: Tree = TRUE
    for criterion in criteria:
        applies = Term(TRUE, TRUTH) if criterion.only_if is None else scope.term(criterion.only_if)
        many = all_of([open_, exp.GT(this=count(left.value), expression=literal(1))])
        problem = problem_if(many, applies.problem)
        gate = all_of([many, applies.value])
        if criterion.prefer is Prefer.CHANCE:
            left = Term(left.value, left.type, first_problem([left.problem, problem]))
            if applies.value == TRUE:
                break
            open_ = all_of([open_, negated(certainly(applies.value))])
            continue
        after = _after(going, criterion, others, left, scope, worst)
        value = case([(gate, after.value)], left.value)
        failure = first_problem([left.problem, problem, problem_if(gate, after.problem)])
        left = going.held(Term(value, left.type, failure))
    return left


def _after(
    going: Narrowing, criterion: Criterion, others: Others, left: Term, scope: Scope, worst: Judged
) -> Term:
    """Who is left after a row that applies, of a list without problems of its own."""
    item, inner = going.candidate(scope)
    concerns, bad = concerned(criterion, inner), worst(inner)
    stands = all_of([negated(bad), concerns.value])
    apart = all_of([negated(bad), negated(concerns.value)])
    asked = None if concerns.problem is None else case([(negated(bad), concerns.problem)])
    every = _Row(left, item, inner, stands, FALSE)
    problem = every.first_problem(asked)
    nobody_apart = negated(every.some(apart)) if apart != FALSE else TRUE
    if criterion.embedded is not None:
        result = _embedded(going, criterion, others, left, scope, worst)
    else:
        staying = apart if others is Others.STAY else FALSE
        result = _best(going, criterion, replace(every, staying=staying))
    if others is Others.SKIP and nobody_apart != TRUE:
        skipped = problem_if(nobody_apart, result.problem)
        result = Term(case([(nobody_apart, result.value)], left.value), left.type, skipped)
    return Term(result.value, left.type, first_problem([problem, result.problem]))


def _embedded(
    going: Narrowing, criterion: Criterion, others: Others, left: Term, scope: Scope, worst: Judged
) -> Term:
    embedded = criterion.embedded
    assert embedded is not None
    if others is Others.STAY and criterion.concerns:
        what = "an embedded scale that concerns some of those left while others stay"
        return scope.plan.cannot(what, Location(criterion.cell), left.type)

    def judged(inner: Scope) -> Tree:
        return any_of([worst(inner), negated(concerned(criterion, inner).value)])

    start = Term(left.value, left.type)
    bound = with_bindings(embedded, scope)
    return narrowed(going, embedded.criteria, embedded.others, start, bound, judged)


# -- the best of those left ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Row:
    """A candidate of those left: whether it stands in a row, or stays whatever comes of it."""

    left: Term
    item: Variable
    scope: Scope
    stands: Tree
    staying: Tree

    def some(self, condition: Tree) -> Tree:
        rows = gone(self.left.value, self.item, self.scope, condition)
        return has_any(rows.rows, rows.row, rows.bodies[0] or FALSE)

    def where(self, condition: Tree) -> Tree:
        if condition == TRUE:
            return self.left.value
        rows = gone(self.left.value, self.item, self.scope, condition, self.item)
        return left_of(rows, rows.bodies[0] or FALSE, rows.bodies[1] or self.item)

    def values(self, by: Tree, there: Tree, kind: exp.DataType) -> Tree:
        """Of those for which the condition is true."""
        rows = gone(self.left.value, self.item, self.scope, by, there)
        value, holds = rows.bodies[0] or NULL, rows.bodies[1] or FALSE
        left = rows.rows if holds == TRUE else filtered(rows.rows, rows.row, holds)
        return mapped(left, rows.row, value, kind)

    def first_problem(self, problem: Tree | None) -> Tree | None:
        """Of those left, in their order."""
        rows = gone(self.left.value, self.item, self.scope, problem)
        return first_in(rows.rows, rows.row, rows.bodies[0], self.scope.plan)


def _best(going: Narrowing, criterion: Criterion, row: _Row) -> Term:
    plan, left = going.scope.plan, row.left
    if criterion.prefer is Prefer.FIRST:
        if row.staying != FALSE:
            what = "`first` that concerns some of those left while others stay"
            return plan.cannot(what, Location(criterion.cell), left.type)
        return Term(_first(row), left.type)
    by = ranked(criterion, row.scope)
    problem = row.first_problem(problem_if(row.stands, by.problem))
    match criterion.prefer:
        case Prefer.YES:
            return Term(_kept(row, certainly(by.value)), left.type, problem)
        case Prefer.NO:
            return Term(_kept(row, certainly(negated(by.value))), left.type, problem)
        case _:
            if not has_order(by.type):
                what = f"the order of values of type {describe(by.type)}"
                return plan.cannot(what, Location(criterion.cell), left.type)
            return Term(_extreme(going, criterion, row, by), left.type, problem)


def _kept(row: _Row, good: Tree) -> Tree:
    """Those that stand and are good, and who stays; all, where nobody is good."""
    best = all_of([row.stands, good])
    return case([(row.some(best), row.where(any_of([row.staying, best])))], row.left.value)


def _extreme(going: Narrowing, criterion: Criterion, row: _Row, by: Term) -> Tree:
    plan = going.scope.plan
    kind = data_type(by.type, plan.stored) or TEXT
    there = all_of([row.stands, not_null(by.value)] if by.may_be_null else [row.stands])
    values = row.values(by.value, there, kind)
    operation = XMax if criterion.prefer is Prefer.HIGHEST else XMin
    best = going.scope.held("best", Term(typed(operation(this=values), kind), without_null(by.type)))
    good = all_of([there, same(Term(by.value, without_null(by.type)), best)])
    return _kept(row, certainly(good))


def _first(row: _Row) -> Tree:
    """The first in the list's order that stands; nobody: all stay."""
    standing = row.where(row.stands)
    kind = row.left.value.type or TEXT
    first = typed(XSlice(this=standing, expression=literal(1), length=literal(1)), kind)
    if row.stands == TRUE:
        return first
    return case([(row.some(row.stands), first)], row.left.value)


# -- rankings ------------------------------------------------------------------------------------
# Tiers of a scale whose rows depend on who is left: the best of all, then the best of the rest, until
# nobody is left. Candidates go by their places, so that two that are the same are distinguished.

PLACES = list_of(WHOLE_NUMBER)


def ranked_row_by_row(scale: Scale, candidates: Tree, scope: Scope) -> Term:
    """As many rounds as there are candidates; those that find nobody left give no tier."""
    listed = scope.held("candidates", Term(candidates, ListType(scale.item.type))).value
    places = typed(XPlaces(this=listed), PLACES)
    walk = GrowingList("place", WHOLE_NUMBER, PLACES, scope)
    results = walk.read("results", list_of(walk.result))
    going = Narrowing(scale, walk.scope, lambda around: _at_place(scale, listed, around))
    rest = walk.scope.held("rest", Term(_rest(places, walk.values(results), scope), ListType(WHOLE)))
    best = narrowed(going, scale.criteria, scale.others, rest, walk.scope, lambda _: FALSE)
    every, problem = walk.grown(places, best, scope)
    return Term(_items(_there(walk.values(every), scope), listed, scale, scope), _tiers_of(scale), problem)


def _tiers_of(scale: Scale) -> ListType:
    return ListType(ListType(scale.item.type))


def _at_place(scale: Scale, listed: Tree, around: Scope) -> tuple[Variable, Scope]:
    place, inner = around.inside(replace(scale.item, type=WHOLE))
    return place, inner.bind(
        scale.item, inner.held(scale.item.name, _candidate(scale, listed, place, around))
    )


def _candidate(scale: Scale, listed: Tree, place: Tree, scope: Scope) -> Term:
    kind = data_type(scale.item.type, scope.plan.stored) or TEXT
    return Term(typed(XItem(this=listed, expression=place), kind), scale.item.type)


def _rest(places: Tree, taken: Tree, scope: Scope) -> Tree:
    place, tier = scope.plan.variable("place", WHOLE_NUMBER), scope.plan.variable("tier", PLACES)
    among = has_any(taken, tier, typed(XContains(this=tier, expression=place), BOOLEAN))
    return filtered(places, place, negated(among))


def _there(tiers: Tree, scope: Scope) -> Tree:
    tier = scope.plan.variable("tier", PLACES)
    return filtered(tiers, tier, exp.GT(this=count(tier), expression=literal(0)))


def _items(tiers: Tree, listed: Tree, scale: Scale, scope: Scope) -> Tree:
    place, tier = scope.plan.variable("place", WHOLE_NUMBER), scope.plan.variable("tier", PLACES)
    kind = data_type(scale.item.type, scope.plan.stored) or TEXT
    of_tier = mapped(tier, place, _candidate(scale, listed, place, scope).value, kind)
    return mapped(tiers, tier, of_tier, list_of(kind))


# -- keys ----------------------------------------------------------------------------------------
# The rows of a scale as keys of a candidate: the smaller, the better, none of them null.


@dataclass(frozen=True, slots=True)
class Key:
    tree: Tree
    type: exp.DataType


@dataclass(frozen=True, slots=True)
class Keys:
    """`failing`: what is wrong with a row of which so many keys stand in front; it counts where those
    leave more than one. `decided`: what has the same keys goes by its place in the list."""

    keys: tuple[Key, ...] = ()
    failing: tuple[tuple[int, Tree], ...] = ()
    decided: bool = False


def concerned(criterion: Criterion, scope: Scope) -> Term:
    """Is the candidate one that the row concerns? Never null."""
    values: list[Tree] = []
    problems: list[Tree | None] = []
    for concern in criterion.concerns:
        seen = scope.term(concern.value)
        inner = scope.bind(concern.variable, replace(seen, problem=None))
        passed = scope.plan.verbs.passes(concern.tests, replace(seen, problem=None), inner)
        reached = all_of(values)
        for problem in (seen.problem, passed.problem):
            problems.append(None if problem is None else case([(reached, problem)]))
        values.append(certainly(passed.value) if passed.may_be_null else passed.value)
    return Term(all_of(values), TRUTH, first_problem(problems))


def with_bindings(embedded: Embedded, scope: Scope) -> Scope:
    for variable, value in embedded.bindings:
        scope = scope.bind(variable, scope.term(value))
    return scope


def ranked(criterion: Criterion, scope: Scope) -> Term:
    """What the row goes by: for `first in` the place in its list; null is worst."""
    assert criterion.by is not None
    by = scope.term(criterion.by)
    if criterion.prefer not in (Prefer.FIRST_IN, Prefer.LAST_IN):
        return by
    assert criterion.order is not None
    order = scope.term(criterion.order)
    listed = order.value
    if criterion.prefer is Prefer.LAST_IN:
        listed = typed(XReverse(this=listed), listed.type or TEXT)
    place = typed(XPlace(this=listed, expression=by.value), WHOLE_NUMBER)
    return Term(place, optional(WHOLE), first_problem([order.problem, by.problem]))


# -- keys ------------------------------------------------------------------------------------------


def keys_of(criteria: Sequence[Criterion], others: Others, scope: Scope, worst: Tree) -> Keys | None:
    """None where a row's standing is not the candidate's alone."""
    keys = Keys()
    for criterion in criteria:
        if criterion.prefer is Prefer.CHANCE:
            return None if criterion.only_if else keys
        if criterion.concerns and others is not Others.LAST:
            return None
        if criterion.prefer is Prefer.FIRST:
            plainly = criterion.only_if is None and not criterion.concerns and worst == FALSE
            return replace(keys, decided=True) if plainly else None
        row = _keys(criterion, scope, worst)
        if row is None or row.decided:
            return None
        keys = _joined(keys, row)
    return keys


def _joined(first: Keys, then: Keys) -> Keys:
    failing = tuple((len(first.keys) + before, problem) for before, problem in then.failing)
    return Keys((*first.keys, *then.keys), (*first.failing, *failing))


def _keys(criterion: Criterion, scope: Scope, worst: Tree) -> Keys | None:
    applies = Term(TRUE, TRUTH) if criterion.only_if is None else scope.term(criterion.only_if)
    concerns = concerned(criterion, scope)
    apart = scope.held("apart", Term(any_of([worst, negated(concerns.value)]), TRUTH)).value
    if criterion.embedded is not None:
        inner = with_bindings(criterion.embedded, scope)
        own = keys_of(criterion.embedded.criteria, criterion.embedded.others, inner, apart)
    else:
        own = _own_keys(criterion, scope, apart)
    if own is None:
        return None
    keys = [Key(case([(applies.value, key.tree)], _nothing(key.type)), key.type) for key in own.keys]
    concerns_problem = problem_if(negated(worst), concerns.problem)
    failing = [(0, concerns_problem)] if concerns_problem is not None else []
    gated = [(n, problem_if(applies.value, p)) for n, p in (*failing, *own.failing)]
    known = [(n, p) for n, p in ((0, applies.problem), *gated) if p is not None]
    return Keys(tuple(keys), tuple(known), own.decided)


def _own_keys(criterion: Criterion, scope: Scope, apart: Tree) -> Keys | None:
    term = ranked(criterion, scope)
    by = scope.held("by", replace(term, problem=None))
    stands = negated(apart)
    keys = _of_row(criterion, by, stands)
    problem = problem_if(stands, term.problem)
    if keys is None:
        return None
    return Keys(tuple(keys), () if problem is None else ((0, problem),))


def _of_row(criterion: Criterion, by: Term, stands: Tree) -> list[Key] | None:
    match criterion.prefer:
        case Prefer.YES | Prefer.NO:
            good = certainly(by.value) if criterion.prefer is Prefer.YES else certainly(negated(by.value))
            return [Key(case([(all_of([stands, good]), literal(0))], literal(1)), WHOLE_NUMBER)]
        case Prefer.HIGHEST:
            kind = plain(by.type)
            if not isinstance(kind, NumberType):
                return None
            negative = exp.Neg(this=paren(_wide(by.value, kind)))
            return _placed(by, stands, negative)
        case _:
            return _placed(by, stands, by.value)


def _wide(value: Tree, kind: NumberType) -> Tree:
    return exp.Cast(this=value, to=WHOLE_NUMBER) if kind.whole and isinstance(value, exp.Column) else value


def _placed(by: Term, stands: Tree, value: Tree) -> list[Key] | None:
    """Null and what does not stand come last: a key of their own in front of the value."""
    kind = key_type(by.type)
    if kind is None:
        return None
    if not by.may_be_null and stands == TRUE:
        return [Key(value, kind)]
    there = all_of([stands, not_null(by.value)] if by.may_be_null else [stands])
    last = Key(case([(there, literal(0))], literal(1)), WHOLE_NUMBER)
    nothing = _nothing(kind)
    standing = coalesce([value, nothing]) if stands == TRUE else case([(there, value)], nothing)
    return [last, Key(standing, kind)]


def key_type(of: Type) -> exp.DataType | None:
    match plain(of):
        case NumberType(whole=whole):
            return WHOLE_NUMBER if whole else decimal()
        case TextType():
            return TEXT
        case DateType():
            return DATE
        case _:
            return None


def _nothing(of: exp.DataType) -> Tree:
    if of == TEXT:
        return literal("")
    if of == DATE:
        return exp.Cast(this=literal("0001-01-01"), to=DATE)
    return literal(0)
