"""Scales: each row keeps the best of what is left and hands them on.

Candidates are positions in the list, so that the same value standing there twice stays two. A row that
concerns some of those left and not others goes by the scale's `others`: as the worst, staying, or
not at all. Those that count as the worst of an embedding row are `worst` in every embedded one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cmp_to_key
from typing import assert_never

from dtables import failures
from dtables.evaluator.state import Scope
from dtables.evaluator.trace import Chosen, Narrowed, Ranked, Shown, Step
from dtables.feel.types import ListType
from dtables.feel.values import Value, less, same
from dtables.model.tables import Criterion, Embedded, Others, Prefer, Scale
from dtables.provenance import Location
from dtables.records.findings import RuleError

WORST = (1, 0)
"""The standing of a null, of a name that the list does not hold, and of those a row does not concern."""

Standing = tuple[int, Value]
Left = list[int]


@dataclass(frozen=True, slots=True)
class Reading:
    """A scale being read: its candidates and the scope of its parameters; `told` gathers the rows, each
    under the `name` of the scale it stands in, `aside` what was worked out for rows passed over."""

    scale: Scale
    name: str
    candidates: list[Value]
    scope: Scope
    told: list[Narrowed] = field(default_factory=list)
    aside: list[Step] = field(default_factory=list)

    def at(self, position: int) -> Scope:
        return self.scope.bind(self.scale.item, self.candidates[position])


def choose(scale: Scale, scope: Scope, kind: type[Reading] = Reading) -> Value:
    """The best candidate, null of an empty list; of a scale that ends by chance the list of equals."""
    observer = scope.turn.observer
    mark = observer.open()
    reading = kind(scale, scale.heading.name, scope.read(scale.parameters[0].variable), scope)
    left = _narrowed(reading, scale.criteria, scale.others, _all(reading), frozenset())
    value = _chosen(reading, left)
    observer.close(mark, lambda inside: _told(reading, left, value, (*reading.aside, *inside)))
    return value


def rank(scale: Scale, scope: Scope, kind: type[Reading] = Reading) -> list[Value]:
    """Tiers of equals: the best of all, then the best of the rest."""
    observer = scope.turn.observer
    mark = observer.open()
    reading = kind(scale, scale.heading.name, scope.read(scale.parameters[0].variable), scope)
    rest, tiers = _all(reading), []
    while rest:
        best = _narrowed(reading, scale.criteria, scale.others, rest, frozenset())
        tiers.append([reading.candidates[position] for position in best])
        rest = [position for position in rest if position not in best]
    result = Shown(tiers, ListType(ListType(scale.item.type)))
    observer.close(mark, lambda _: Ranked(scale.heading, result, tuple(reading.told)))
    return tiers


def _all(reading: Reading) -> Left:
    return list(range(len(reading.candidates)))


def ends_by_chance(scale: Scale) -> bool:
    """Then its value is a list, where another scale's is a candidate or null."""
    return isinstance(scale.type, ListType)


def _chosen(reading: Reading, left: Left) -> Value:
    scale = reading.scale
    best = [reading.candidates[position] for position in left]
    if ends_by_chance(scale):
        return best
    if len(best) > 1:
        raise RuleError(failures.undecided(best), Location(scale.criteria[-1].cell), scale.heading.name)
    return best[0] if best else None


def _told(reading: Reading, left: Left, value: Value, inside: tuple[Step, ...]) -> Chosen:
    scale, scope = reading.scale, reading.scope
    deciding = [row for row in reading.told if len(row.left) == 1 and row.dropped]
    return Chosen(
        scale.heading,
        scope.given(scale.parameters[1:]),
        tuple(Shown(candidate, scale.item.type) for candidate in reading.candidates),
        tuple(reading.told),
        tuple(left),
        deciding[-1] if deciding and len(left) == 1 else None,
        Shown(value, scale.type),
        inside,
    )


# -- row by row --------------------------------------------------------------------------------


def _narrowed(
    reading: Reading, criteria: tuple[Criterion, ...], others: Others, left: Left, worst: frozenset[int]
) -> Left:
    observer = reading.scope.turn.observer
    for criterion in criteria:
        mark = observer.open()
        if len(left) <= 1 or (criterion.prefer is Prefer.CHANCE and _applies(criterion, reading)):
            break
        if _applies(criterion, reading):
            before = len(reading.told)
            left = _after(reading, criterion, others, left, worst)
            _keep_steps(reading, criterion, before, mark)
        else:
            reading.aside.extend(observer.take(mark))
    return left


def _keep_steps(reading: Reading, criterion: Criterion, before: int, mark: int) -> None:
    """What was worked out for a row stands inside it; the rows of an embedded scale keep their own."""
    if criterion.embedded is None and len(reading.told) > before:
        inside = reading.scope.turn.observer.take(mark)
        reading.told[-1] = replace(reading.told[-1], inside=inside)


def _applies(criterion: Criterion, reading: Reading) -> bool:
    return criterion.only_if is None or reading.scope.value(criterion.only_if) is True


def _after(reading: Reading, criterion: Criterion, others: Others, left: Left, worst: frozenset[int]) -> Left:
    """Who is left after a row that applies."""
    observer = reading.scope.turn.observer
    mark = observer.open()
    concerned = [p for p in left if p not in worst and _concerns(criterion, reading.at(p))]
    observer.drop(mark)
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
    inner = replace(reading, name=embedded.scale, scope=scope)
    return _narrowed(inner, embedded.criteria, embedded.others, left, worst)


def _best(reading: Reading, criterion: Criterion, left: Left, worst: frozenset[int]) -> Left:
    observer = reading.scope.turn.observer
    order = None if criterion.order is None else reading.scope.value(criterion.order)
    mark = observer.open()
    seen = {p: _seen(criterion, reading.at(p)) for p in left if p not in worst}
    observer.drop(mark)
    standings = {p: WORST if p in worst else standing_of(criterion.prefer, seen[p], order, p) for p in left}
    best = min(standings.values(), key=cmp_to_key(compared))
    kept = [p for p in left if compared(standings[p], best) == 0]
    reading.told.append(_row(reading, criterion, seen, left, kept))
    return kept


def _seen(criterion: Criterion, scope: Scope) -> Value:
    return None if criterion.by is None else scope.value(criterion.by)


def _row(reading: Reading, criterion: Criterion, seen: dict[int, Value], left: Left, kept: Left) -> Narrowed:
    by = criterion.by
    return Narrowed(
        reading.name,
        criterion,
        () if by is None else tuple((p, Shown(value, by.type)) for p, value in seen.items()),
        tuple(kept),
        tuple(p for p in left if p not in kept),
        (),
    )


# -- standings: the smaller, the better --------------------------------------------------------


def standing_of(prefer: Prefer, value: Value, order: list[Value] | None, position: int) -> Standing:
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


def compared(a: Standing, b: Standing) -> int:
    """Values of one kind are in their own order; for `highest` (-1) the other way round."""
    if a[0] != b[0]:
        return -1 if a[0] < b[0] else 1
    better, other = (b, a) if a[0] == -1 else (a, b)
    if less(better[1], other[1]):
        return -1
    return int(less(other[1], better[1]))
