"""Tiers of a scale whose rows depend on who is left: the best of all, then the best of the rest, until nobody
is left. Candidates go by their places, so that two that are the same are told apart."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from dtables.compilers.sql.lists import count
from dtables.compilers.sql.loops import filtered, has_any, mapped
from dtables.compilers.sql.narrowing import Narrowing, narrowed
from dtables.compilers.sql.operations import Variable, XContains, XItem, XPlaces
from dtables.compilers.sql.plan import Scope
from dtables.compilers.sql.shapes import BOOLEAN, TEXT, WHOLE_NUMBER, data_type, list_of
from dtables.compilers.sql.so_far import Walk
from dtables.compilers.sql.terms import FALSE, Term, Tree, literal, negated, typed
from dtables.feel.types import WHOLE, ListType
from dtables.model.tables import Scale

PLACES = list_of(WHOLE_NUMBER)


def ranked_row_by_row(scale: Scale, candidates: Tree, scope: Scope) -> Term:
    """As many rounds as there are candidates; those that find nobody left give no tier."""
    listed = scope.held("candidates", Term(candidates, ListType(scale.item.type))).value
    places = typed(XPlaces(this=listed), PLACES)
    walk = Walk("place", WHOLE_NUMBER, PLACES, scope)
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
