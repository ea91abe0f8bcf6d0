"""Matrices whose columns are the same lists in other orders: the lists once, and the orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

MOST_LISTS = 6
SPARED = 2
"""There must be this many items to a list, or the columns are as short as the lists: if their names do not
spell the orders."""


@dataclass(frozen=True, slots=True)
class Factored:
    """Lists of places in the first column; for each column the lists in its order. `first` and `last` are
    the same in every column. `spelled`: the signs are the letters of the columns' names."""

    lists: tuple[tuple[str, ...], ...]
    signs: tuple[str, ...]
    orders: tuple[tuple[int, ...], ...]
    first: tuple[str, ...]
    last: tuple[str, ...]
    spelled: bool

    def expanded(self, column: int) -> tuple[str, ...]:
        """Return a column again, item by item."""
        middle = (item for n in self.orders[column] for item in self.lists[n])
        return (*self.first, *middle, *self.last)


def factored(heads: Sequence[str], columns: Sequence[tuple[str, ...]]) -> Factored | None:
    """Take columns apart into lists that stay together in all of them; None where that spares nothing."""
    if len(columns) < 2 or any(len(set(column)) != len(column) for column in columns):
        return None
    if any(set(column) != set(columns[0]) for column in columns):
        return None
    lists = _lists(columns)
    orders = [_order(lists, column) for column in columns]
    first, orders = _same(orders, 0)
    last, orders = _same(orders, -1)
    left = sorted(orders[0])
    if len(left) < 2 or len(left) > MOST_LISTS:
        return None
    renumbered = tuple(tuple(left.index(n) for n in order) for order in orders)
    signs = _spelled(heads, renumbered)
    if signs is None and sum(len(lists[n]) for n in left) < SPARED * len(left):
        return None
    found = Factored(
        tuple(lists[n] for n in left),
        signs or tuple(str(n) for n in range(1, len(left) + 1)),
        renumbered,
        tuple(item for n in first for item in lists[n]),
        tuple(item for n in reversed(last) for item in lists[n]),
        spelled=signs is not None,
    )
    same = all(found.expanded(n) == column for n, column in enumerate(columns))
    return found if same else None


def _lists(columns: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Items that follow one another in every column stay together."""
    followers = [dict(pairwise(column)) for column in columns]
    lists: list[list[str]] = []
    for item in columns[0]:
        together = lists and all(after.get(lists[-1][-1]) == item for after in followers)
        if together:
            lists[-1].append(item)
        else:
            lists.append([item])
    return [tuple(listed) for listed in lists]


def _order(lists: Sequence[tuple[str, ...]], column: tuple[str, ...]) -> list[int]:
    heads = {listed[0]: n for n, listed in enumerate(lists)}
    return [heads[item] for item in column if item in heads]


def _same(orders: list[list[int]], end: int) -> tuple[list[int], list[list[int]]]:
    """The lists that all columns have at one end, outermost first, and the columns without them."""
    found: list[int] = []
    while orders[0] and len({order[end] for order in orders}) == 1:
        found.append(orders[0][end])
        orders = [order[1:] if end == 0 else order[:-1] for order in orders]
    return found, orders


def _spelled(heads: Sequence[str], orders: Sequence[tuple[int, ...]]) -> tuple[str, ...] | None:
    """Letters for the lists, if each column's name spells its order with them; the last one may be left
    out."""
    count = len(orders[0])
    signs: dict[int, str] = {}
    for head, order in zip(heads, orders, strict=True):
        if len(head) not in (count, count - 1) or len(set(head)) != len(head):
            return None
        for letter, n in zip(head, order, strict=False):
            if signs.setdefault(n, letter) != letter:
                return None
    if len(signs) < count or len(set(signs.values())) < count:
        return None
    return tuple(signs[n] for n in range(count))
