"""What the hit policies make of the rows that fire. A hit is a row's number and its value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dtables import failures
from dtables.feel.values import Value, add, less, same
from dtables.runtime.failing import failed

Hits = list[tuple[int, Value]]
RowNames = tuple[tuple[str, str], ...]
"""Name and place of each row of a table."""


def only_hit(hits: Hits, table: str, rows: RowNames) -> Any:
    """Return what the single hit gives; an error where there is another. There is at least one."""
    if len(hits) > 1:
        first, second = hits[0][0], hits[1][0]
        message = failures.two_rows_fire(rows[first][0], rows[second][0])
        raise failed(message, table, rows[second][1])
    return hits[0][1]


def agreed_hit(hits: Hits, table: str, rows: RowNames) -> Any:
    """Return what all hits give; an error where two differ. There is at least one."""
    first, value = hits[0]
    for other, another in hits[1:]:
        if not same(value, another):
            raise failed(failures.rows_differ(rows[first][0], rows[other][0]), table, rows[other][1])
    return value


def best_hit(hits: Hits, names: list[str], ranks: list[list[Value]]) -> Any:
    """Return the hit whose outcomes stand first in their ranks. There is at least one."""
    return ordered_hits(hits, names, ranks)[0]


def ordered_hits(hits: Hits, names: list[str], ranks: list[list[Value]]) -> list[Value]:
    """The first column's order counts first; among equals the table's order stays."""
    return sorted((value for _, value in hits), key=_standing(names, ranks))


def best_first(answers: list[Value], names: list[str], ranks: list[list[Value]]) -> list[int]:
    """Numbers of rows by their answers in that order."""
    standing = _standing(names, ranks)
    return sorted(range(len(answers)), key=lambda row: standing(answers[row]))


def _standing(names: list[str], ranks: list[list[Value]]) -> Callable[[Value], tuple[int, ...]]:
    def standing(value: Value) -> tuple[int, ...]:
        values = [value] if len(names) == 1 else [value[name] for name in names]
        return tuple(_place(one, rank) for one, rank in zip(values, ranks, strict=True))

    return standing


def _place(value: Value, rank: list[Value]) -> int:
    for place, listed in enumerate(rank):
        if same(listed, value):
            return place
    return len(rank)


def collected_sum(values: list[Value]) -> Value:
    """Return the sum, 0 of nothing; FeelError where values cannot be added."""
    result = values[0] if values else 0
    for value in values[1:]:
        result = add(result, value)
    return result


def collected_min(values: list[Value]) -> Value:
    """Return the least value, the first of equal ones. There is at least one."""
    result = values[0]
    for value in values[1:]:
        result = value if less(value, result) else result
    return result


def collected_max(values: list[Value]) -> Value:
    """Return the greatest value, the first of equal ones. There is at least one."""
    result = values[0]
    for value in values[1:]:
        result = value if less(result, value) else result
    return result
