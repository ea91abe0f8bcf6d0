"""What the hit policies make of the rows that fire. A hit is a row, or its number, and its value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from dtables import failures
from dtables.feel.values import Value, add, less, same
from dtables.provenance import Written
from dtables.runtime.failing import failed

Row = TypeVar("Row")
Asked = TypeVar("Asked", contravariant=True)
Hits = list[tuple[Row, Value]]
Ranks = Sequence[Sequence[Value]]


class RowNames(Protocol[Asked]):
    """Name and place of each row of a table."""

    def __getitem__(self, row: Asked, /) -> tuple[str, Written]: ...


def only_hit(hits: Hits[Row], table: str | None, rows: RowNames[Row]) -> Any:
    """Return what the single hit gives; an error where there is another. There is at least one."""
    if len(hits) > 1:
        first, second = hits[0][0], hits[1][0]
        message = failures.two_rows_fire(rows[first][0], rows[second][0])
        raise failed(message, table, rows[second][1])
    return hits[0][1]


def agreed_hit(hits: Hits[Row], table: str | None, rows: RowNames[Row]) -> Any:
    """Return what all hits give; an error where two differ. There is at least one."""
    first, value = hits[0]
    for other, another in hits[1:]:
        if not same(value, another):
            raise failed(failures.rows_differ(rows[first][0], rows[other][0]), table, rows[other][1])
    return value


def best_hit(hits: Hits[Row], names: Sequence[str], ranks: Ranks) -> Any:
    """Return the hit whose outcomes stand first in their ranks. There is at least one."""
    return ordered_hits(hits, names, ranks)[0]


def ordered_hits(hits: Hits[Row], names: Sequence[str], ranks: Ranks) -> list[Value]:
    """The first column's order counts first; among equals the table's order stays."""
    return sorted((value for _, value in hits), key=_standing(names, ranks))


def best_first(answers: list[Value], names: Sequence[str], ranks: Ranks) -> list[int]:
    """Numbers of rows by their answers in that order."""
    standing = _standing(names, ranks)
    return sorted(range(len(answers)), key=lambda row: standing(answers[row]))


def _standing(names: Sequence[str], ranks: Ranks) -> Callable[[Value], tuple[int, ...]]:
    def standing(value: Value) -> tuple[int, ...]:
        values = [value] if len(names) < 2 else [value[name] for name in names]
        return tuple(_place(one, rank) for one, rank in zip(values, ranks, strict=True))

    return standing


def _place(value: Value, rank: Sequence[Value]) -> int:
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
