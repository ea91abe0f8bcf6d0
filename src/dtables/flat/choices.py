"""Scales over columns: for many turns at once, the best of each turn's candidates.

A candidate's standing on a criterion is a whole number, the less the better; the standings on all criteria
are packed into one, with the candidate's place behind them, so that a turn's least number is its choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, assert_never

from dtables.flat.places import Why
from dtables.flat.terms import Items, Unsayable, either, names, numbers, passing, truths
from dtables.model.expressions import Expression, MakeList, NameOf
from dtables.model.tables import Concern, Criterion, Others, Prefer, Scale

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

MOST = 1 << 62
PLACES = 1 << 16
"""Candidates that are looked at together: their places fit behind the standings."""
NOBODY, DOUBT = -1, -2


@dataclass(frozen=True, slots=True)
class Standing:
    """Of each candidate, the less the better, from `low` to `high`."""

    values: Any
    low: int
    high: int


def best(scale: Scale, items: Items, starts: Array, sizes: Array) -> Array:
    """The candidate that each turn's scale chooses, by its place among all of them; NOBODY of none, DOUBT
    where candidates are equal and nothing decides. Turns' candidates stand in a row."""
    import numpy as np

    chosen = np.full(len(starts), NOBODY, np.int64)
    some = np.flatnonzero(sizes)
    if not len(some):
        return chosen
    at, count = starts[some], sizes[some]
    words = _packed([_standing(row, items) for row in _deciding(scale)], int(sizes.sum()))
    last = words[0]
    for word in words[1:]:
        left = last == np.repeat(np.minimum.reduceat(last, at), count)
        last = either(left, word, MOST // PLACES)
    found = np.minimum.reduceat(last * PLACES + np.arange(len(last)), at)
    chosen[some] = found & (PLACES - 1)
    if scale.criteria[-1].prefer is not Prefer.FIRST:
        equal = last == np.repeat(found // PLACES, count)
        chosen[some[np.add.reduceat(equal.astype(np.int64), at) > 1]] = DOUBT
    return chosen


def says(scale: Scale, items: Items) -> Why | None:
    """Why a scale cannot be worked out over columns like these."""
    last = scale.criteria[-1] if scale.criteria else None
    if last is None or last.prefer is Prefer.CHANCE:
        return Why("the rest is chance", None if last is None else last.where)
    if scale.others is not Others.LAST and any(row.concerns for row in scale.criteria):
        return Why("whom a row concerns depends on who is left", scale.heading.where)
    try:
        for row in _deciding(scale):
            _standing(row, items)
    except Unsayable as unsayable:
        return unsayable.why
    return None


def _deciding(scale: Scale) -> Iterator[Criterion]:
    for row in scale.criteria:
        if row.prefer is Prefer.FIRST:
            return
        yield row


# -- standings ---------------------------------------------------------------------------------


def _standing(row: Criterion, items: Items) -> Standing:
    if row.only_if is not None or row.embedded is not None or row.by is None:
        raise Unsayable("this row is gone through candidate by candidate", row.where)
    match row.prefer:
        case Prefer.YES | Prefer.NO:
            wanted = truths(row.by, items)
            found = Standing(_as_number(_not(wanted) if row.prefer is Prefer.YES else wanted), 0, 1)
            return _concerned(found, 1, row, items)
        case Prefer.LOWEST | Prefer.HIGHEST:
            of = numbers(row.by, items)
            found = Standing(of.values, of.low, of.high)
            if row.prefer is Prefer.HIGHEST:
                found = Standing(-of.values, -of.high, -of.low)
            return _concerned(found, found.high + 1, row, items)
        case Prefer.FIRST_IN | Prefer.LAST_IN:
            found = _in_list(row, items)
            return _concerned(found, found.high, row, items)
        case Prefer.SCALE | Prefer.FIRST | Prefer.CHANCE:
            raise Unsayable("this row is gone through candidate by candidate", row.where)
        case _:
            assert_never(row.prefer)


def _as_number(truth: Any) -> Any:
    import numpy as np

    return int(truth) if isinstance(truth, bool) else truth.astype(np.int64)


def _not(truth: Any) -> Any:
    return (not truth) if isinstance(truth, bool) else ~truth


def _in_list(row: Criterion, items: Items) -> Standing:
    """By the place in a list of names; who is not in it stands behind all who are."""
    import numpy as np

    assert row.by is not None
    named = names(row.by, items)
    if named is None or not isinstance(row.order, MakeList):
        raise Unsayable("this row is gone through candidate by candidate", row.where)
    listed = [_number(item, items) for item in row.order.items]
    if row.prefer is Prefer.LAST_IN:
        listed.reverse()
    places = np.full(max([*listed, *_all_numbers(items), 0]) + 2, len(listed), np.int64)
    for place, number in reversed(list(enumerate(listed))):
        places[number] = place
    return Standing(places[named], 0, len(listed))


def _number(item: Expression, items: Items) -> int:
    if not isinstance(item, NameOf):
        raise Unsayable("this list is worked out", item.where)
    return items.numbered[item.vocabulary][item.id]


def _all_numbers(items: Items) -> Iterator[int]:
    for numbered in items.numbered.values():
        yield len(numbered)


def _concerned(standing: Standing, worst: int, row: Criterion, items: Items) -> Standing:
    """Whom the row does not concern stands last."""
    if not row.concerns:
        return standing
    concerned: Any = True
    for concern in row.concerns:
        concerned = concerned & _passes(concern, items)
    if concerned is True:
        return standing
    values = either(concerned, standing.values, worst)
    return Standing(values, min(standing.low, worst), max(standing.high, worst))


def _passes(concern: Concern, items: Items) -> Any:
    return passing(concern.tests, concern.value, items.where(concern.variable.number, concern.value))


def _packed(standings: list[Standing], count: int) -> list[Array]:
    """As few numbers as hold all standings, the weightiest first; there is room for a place in the last."""
    import numpy as np

    words = [np.zeros(count, np.int64)]
    farthest = 0
    for standing in standings:
        width = standing.high - standing.low + 1
        reach = max(abs(standing.low), abs(standing.high))
        if (farthest * width + reach + 1) * PLACES >= MOST:
            words.append(np.zeros(count, np.int64))
            farthest = 0
        if (reach + 1) * PLACES >= MOST:
            raise Unsayable("numbers that are too large", None)
        words[-1] *= width
        words[-1] += standing.values
        farthest = farthest * width + reach
    return words
