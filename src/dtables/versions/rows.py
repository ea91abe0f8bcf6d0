"""Which row of an old table is which row of the new one.

Rows that have a name of their own are found by it, the others by what they say: a row put in between
makes no other row look changed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile

ALIKE = 0.5
"""The share of equal cells from which on two rows are one that was changed."""
MOST_COMPARED = 40_000
"""Pairs of rows between two equal stretches; beyond that rows are paired by their place."""

Row = tuple[str, ...]
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Matched:
    """Rows by their place. `moved` are pairs that stand in another order than the others."""

    pairs: tuple[Pair, ...]
    moved: frozenset[Pair]
    removed: tuple[int, ...]
    added: tuple[int, ...]


def match_rows(old: Sequence[Row], new: Sequence[Row], named: Callable[[Row], Hashable | None]) -> Matched:
    """`named` gives a row's own name, or None where it has none."""
    pairs = _by_name([named(row) for row in old], [named(row) for row in new])
    pairs |= _aligned(old, new, pairs)
    pairs |= _elsewhere(old, new, pairs)
    ordered = sorted(pairs, key=lambda pair: pair[1])
    kept = _longest_rising([o for o, _ in ordered])
    moved = frozenset(pair for place, pair in enumerate(ordered) if place not in kept)
    return Matched(
        tuple(ordered),
        moved,
        _without(len(old), (o for o, _ in pairs)),
        _without(len(new), (n for _, n in pairs)),
    )


# -- by name -----------------------------------------------------------------------------------


def _by_name(old: Sequence[Hashable | None], new: Sequence[Hashable | None]) -> set[Pair]:
    """Names that stand once in both."""
    places, others = _once(old), _once(new)
    return {(place, others[name]) for name, place in places.items() if name in others}


def _once(names: Sequence[Hashable | None]) -> dict[Hashable, int]:
    often = Counter(names)
    return {name: place for place, name in enumerate(names) if name is not None and often[name] == 1}


# -- by content --------------------------------------------------------------------------------


def _aligned(old: Sequence[Row], new: Sequence[Row], known: set[Pair]) -> set[Pair]:
    """Of the rows that no name has matched: equal ones in order, and between them those that are alike. What
    begins and ends alike is set aside first, so that of rows that repeat the right ones are found."""
    left = _without(len(old), (o for o, _ in known))
    right = _without(len(new), (n for _, n in known))
    head = _alike_until((old[o] for o in left), (new[n] for n in right))
    tail = _alike_until((old[o] for o in reversed(left[head:])), (new[n] for n in reversed(right[head:])))
    ends = {*zip(left[:head], right[:head], strict=True)}
    if tail:
        ends |= {*zip(left[-tail:], right[-tail:], strict=True)}
    inner = left[head : len(left) - tail], right[head : len(right) - tail]
    return ends | _stretches(old, new, *inner)


def _alike_until(one: Iterable[Row], other: Iterable[Row]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _stretches(
    old: Sequence[Row], new: Sequence[Row], left: Sequence[int], right: Sequence[int]
) -> set[Pair]:
    matcher = SequenceMatcher(None, [old[o] for o in left], [new[n] for n in right], autojunk=False)
    found: set[Pair] = set()
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            found |= set(zip(left[a:b], right[c:d], strict=True))
        elif tag == "replace":
            found |= _alike(old, new, left[a:b], right[c:d])
    return found


def _alike(old: Sequence[Row], new: Sequence[Row], left: Sequence[int], right: Sequence[int]) -> set[Pair]:
    if len(left) == 1 and len(right) == 1:
        pair = left[0], right[0]
        return {pair} if likeness(old[pair[0]], new[pair[1]]) > 0 else set()
    if len(left) * len(right) > MOST_COMPARED:
        return {(o, n) for o, n in zip(left, right, strict=False) if likeness(old[o], new[n]) >= ALIKE}
    return _best_in_order(left, right, [[likeness(old[o], new[n]) for n in right] for o in left])


def likeness(one: Row, other: Row) -> float:
    """The share of equal cells among those that are not empty in both."""
    filled = [(a, b) for a, b in zip(one, other, strict=True) if a or b]
    return sum(a == b for a, b in filled) / len(filled) if filled else 1.0


def _best_in_order(left: Sequence[int], right: Sequence[int], like: list[list[float]]) -> set[Pair]:
    """The pairs that are alike and keep their order, so that they are most alike together."""
    best = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            here = like[i][j] + best[i + 1][j + 1] if like[i][j] >= ALIKE else 0.0
            best[i][j] = max(here, best[i + 1][j], best[i][j + 1])
    found: set[Pair] = set()
    i = j = 0
    while i < len(left) and j < len(right):
        if like[i][j] >= ALIKE and best[i][j] == like[i][j] + best[i + 1][j + 1]:
            found.add((left[i], right[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


def _elsewhere(old: Sequence[Row], new: Sequence[Row], known: set[Pair]) -> set[Pair]:
    """Rows that say the same somewhere else."""
    waiting: dict[Row, list[int]] = {}
    for place in _without(len(old), (o for o, _ in known)):
        waiting.setdefault(old[place], []).append(place)
    found: set[Pair] = set()
    for place in _without(len(new), (n for _, n in known)):
        if waiting.get(new[place]):
            found.add((waiting[new[place]].pop(0), place))
    return found


# -- order -------------------------------------------------------------------------------------


def _longest_rising(numbers: Sequence[int]) -> frozenset[int]:
    """The places of a longest rising run: what is not in it has moved."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers):
        at = bisect_left(tails, number)
        before.append(ends[at - 1] if at else -1)
        tails[at : at + 1], ends[at : at + 1] = [number], [place]
    kept = set()
    place = ends[-1] if ends else -1
    while place >= 0:
        kept.add(place)
        place = before[place]
    return frozenset(kept)


def _without(count: int, taken: Iterable[int]) -> tuple[int, ...]:
    gone = set(taken)
    return tuple(place for place in range(count) if place not in gone)
