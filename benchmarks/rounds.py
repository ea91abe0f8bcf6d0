"""Contestants side by side: every round runs a slice of each in shuffled order.

A ratio is the median of the ratios inside the rounds, so that a machine that slows down for a while slows
all of them. Only ratios of one comparison mean something.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median
from time import perf_counter

ROUNDS = 9
FEWEST_ROUNDS = 3


@dataclass(frozen=True)
class Contestant:
    """`run` does the work once; it makes `units` decisions, rows or whatever is counted. `limit`: it is the
    best that a person would write, and what the others are compared with."""

    name: str
    run: Callable[[], object]
    units: int = 1
    limit: bool = False


@dataclass(frozen=True)
class Field:
    """Who takes part; `notes` say who is missing and why, and what was found aside."""

    contestants: tuple[Contestant, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """`unit` is what is counted, in the singular. `enter` makes the contestants and checks that all of them
    answer alike. `large`: it takes minutes or much memory."""

    title: str
    unit: str
    enter: Callable[[], Field]
    large: bool = False


@dataclass(frozen=True)
class Line:
    """Seconds per unit: the median of the rounds, and the best. `base` is what the ratios are to."""

    name: str
    seconds: float
    best: float
    ratio: float
    rounds: int
    base: bool


def measured(field: Field, seconds: float) -> tuple[Line, ...]:
    """About so many seconds for each contestant."""
    repeats = {c.name: _repeats(c, seconds / ROUNDS) for c in field.contestants}
    slow = any(taken > seconds for taken, _ in repeats.values())
    rounds = FEWEST_ROUNDS if slow else ROUNDS
    times = _rounds(field.contestants, {name: n for name, (_, n) in repeats.items()}, rounds)
    base = _base(field.contestants, times)
    return tuple(_line(name, found, times[base], name == base) for name, found in times.items())


def _repeats(contestant: Contestant, slice_: float) -> tuple[float, int]:
    """Seconds of a warm run, and how many fit in a slice."""
    contestant.run()
    taken = _timed(contestant.run, 1)
    return taken, max(1, int(slice_ / max(taken, 1e-9)))


def _timed(run: Callable[[], object], repeats: int) -> float:
    start = perf_counter()
    for _ in range(repeats):
        run()
    return perf_counter() - start


def _rounds(
    contestants: Iterable[Contestant], repeats: dict[str, int], rounds: int
) -> dict[str, list[float]]:
    order = list(contestants)
    times: dict[str, list[float]] = {contestant.name: [] for contestant in order}
    shuffler = random.Random(1)
    gc.collect()
    gc.freeze()
    try:
        for _ in range(rounds):
            shuffler.shuffle(order)
            for contestant in order:
                count = repeats[contestant.name]
                taken = _timed(contestant.run, count)
                times[contestant.name].append(taken / count / contestant.units)
    finally:
        gc.unfreeze()
    return times


def _base(contestants: tuple[Contestant, ...], times: dict[str, list[float]]) -> str:
    """The fastest limit; where there is none, the first."""
    limits = [contestant.name for contestant in contestants if contestant.limit]
    return min(limits, key=lambda name: median(times[name]), default=contestants[0].name)


def _line(name: str, times: list[float], base: list[float], is_base: bool) -> Line:
    ratio = median(own / other for own, other in zip(times, base, strict=True))
    return Line(name, median(times), min(times), ratio, len(times), is_base)
