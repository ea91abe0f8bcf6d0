"""Scales: each row keeps the best of what is left and hands them on.

Candidates are positions in the list, so that the same value standing there twice stays two. A row that
concerns some of those left and not others goes by the scale's `others`: as the worst, staying, or
not at all. Those that count as the worst of an embedding row are `worst` in every embedded one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cmp_to_key
from typing import assert_never

from dtables import failures
from dtables.feel.types import ListType
from dtables.feel.values import Value, less, same
from dtables.model.tables import Criterion, Embedded, Others, Prefer, Scale
from dtables.provenance import Location
from tests.oracle.failing import Failed
from tests.oracle.values import Scope

WORST = (1, 0)
"""The standing of a null, of a name that the list does not hold, and of those a row does not concern."""

Standing = tuple[int, Value]
Left = list[int]


@dataclass(frozen=True, slots=True)
class Reading:
    """A scale being read: its candidates and the scope of its parameters."""

    scale: Scale
    candidates: list[Value]
    scope: Scope

    def at(self, position: int) -> Scope:
        return self.scope.bind(self.scale.item, self.candidates[position])


def choose(scale: Scale, scope: Scope) -> Value:
    """The best candidate, null of an empty list; of a scale that ends by chance the list of equals."""
    reading = _reading(scale, scope)
    left = _narrowed(reading, scale.criteria, scale.others, _all(reading), frozenset())
    best = [reading.candidates[position] for position in left]
    if isinstance(scale.type, ListType):
        return best
    if len(best) > 1:
        raise Failed(failures.undecided(best), Location(scale.criteria[-1].cell), scale.heading.name)
    return best[0] if best else None


def rank(scale: Scale, scope: Scope) -> list[Value]:
    """Tiers of equals: the best of all, then the best of the rest."""
    reading = _reading(scale, scope)
    rest, tiers = _all(reading), []
    while rest:
        best = _narrowed(reading, scale.criteria, scale.others, rest, frozenset())
        tiers.append([reading.candidates[position] for position in best])
        rest = [position for position in rest if position not in best]
    return tiers


def _reading(scale: Scale, scope: Scope) -> Reading:
    return Reading(scale, scope.read(scale.parameters[0].variable), scope)


def _all(reading: Reading) -> Left:
    return list(range(len(reading.candidates)))


# -- row by row --------------------------------------------------------------------------------


def _narrowed(
    reading: Reading, criteria: tuple[Criterion, ...], others: Others, left: Left, worst: frozenset[int]
) -> Left:
    for criterion in criteria:
        if len(left) <= 1 or (criterion.prefer is Prefer.CHANCE and _applies(criterion, reading)):
            break
        if _applies(criterion, reading):
            left = _after(reading, criterion, others, left, worst)
    return left


def _applies(criterion: Criterion, reading: Reading) -> bool:
    return criterion.only_if is None or reading.scope.value(criterion.only_if) is True


def _after(reading: Reading, criterion: Criterion, others: Others, left: Left, worst: frozenset[int]) -> Left:
    """Who is left after a row that applies."""
    concerned = [p for p in left if p not in worst and _concerns(criterion, reading.at(p))]
    apart = frozenset(p for p in left if p not in worst and p not in concerned)
    if not concerned or (apart and others is Others.SKIP):
        return left
    if apart and others is Others.LAST:
        worst = worst | apart
    staying = apart if others is Others.STAY else frozenset()
    compared = [p for p in left if p not in staying]
    if criterion.embedded is not None:
        best = _embedded(reading, criterion.embedded, compared, worst)
    else:
        best = _best(reading, criterion, compared, worst)
    return [p for p in left if p in best or p in staying]


def _concerns(criterion: Criterion, scope: Scope) -> bool:
    for concern in criterion.concerns:
        seen = scope.value(concern.value)
        if scope.turn.meaning.passes(concern.tests, seen, scope.bind(concern.variable, seen)) is not True:
            return False
    return True


def _embedded(reading: Reading, embedded: Embedded, left: Left, worst: frozenset[int]) -> Left:
    scope = reading.scope
    for variable, value in embedded.bindings:
        scope = scope.bind(variable, scope.value(value))
    return _narrowed(replace(reading, scope=scope), embedded.criteria, embedded.others, left, worst)


def _best(reading: Reading, criterion: Criterion, left: Left, worst: frozenset[int]) -> Left:
    order = None if criterion.order is None else reading.scope.value(criterion.order)
    seen = {p: _seen(criterion, reading.at(p)) for p in left if p not in worst}
    standings = {p: WORST if p in worst else _standing(criterion.prefer, seen[p], order, p) for p in left}
    best = min(standings.values(), key=cmp_to_key(_compared))
    return [p for p in left if _compared(standings[p], best) == 0]


def _seen(criterion: Criterion, scope: Scope) -> Value:
    return None if criterion.by is None else scope.value(criterion.by)


# -- standings: the smaller, the better --------------------------------------------------------


def _standing(prefer: Prefer, value: Value, order: list[Value] | None, position: int) -> Standing:
    match prefer:
        case Prefer.YES:
            return (0, 0) if value is True else WORST
        case Prefer.NO:
            return (0, 0) if value is False else WORST
        case Prefer.HIGHEST:
            return WORST if value is None else (-1, value)
        case Prefer.LOWEST:
            return WORST if value is None else (0, value)
        case Prefer.FIRST_IN:
            return _in_list(value, order or [])
        case Prefer.LAST_IN:
            return _in_list(value, (order or [])[::-1])
        case Prefer.FIRST:
            return (0, position)
        case Prefer.SCALE | Prefer.CHANCE:
            raise AssertionError(f"{prefer} has no standing")
        case _:
            assert_never(prefer)


def _in_list(value: Value, order: list[Value]) -> Standing:
    for place, listed in enumerate(order):
        if value is not None and same(listed, value):
            return (0, place)
    return WORST


def _compared(a: Standing, b: Standing) -> int:
    """Values of one kind are in their own order; for `highest` (-1) the other way round."""
    if a[0] != b[0]:
        return -1 if a[0] < b[0] else 1
    better, other = (b, a) if a[0] == -1 else (a, b)
    if less(better[1], other[1]):
        return -1
    return int(less(other[1], better[1]))
