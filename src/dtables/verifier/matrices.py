"""Matrices of lists: what one list lacks that the others have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dtables.diagnostics import Diagnostic
from dtables.feel.values import Value, as_plain
from dtables.model.expressions import MakeList
from dtables.model.regions import known_value
from dtables.model.tables import Matrix, MatrixEntry
from dtables.verifier import messages

USUAL = 3
"""As many lists, and more than half of all, make a set the usual one."""


def verify_matrix(matrix: Matrix) -> Iterator[Diagnostic]:
    listed = [(entry, held) for entry in matrix.entries if (held := _held(entry)) is not None]
    for entry, held in listed:
        twice = [value for value, times in Counter(held).items() if times > 1]
        if twice and not matrix.down:
            yield messages.twice_in_entry(entry, _texts(twice))
    usual = _usual([frozenset(held) for _, held in listed])
    if usual is None:
        return
    in_order = list(dict.fromkeys(value for _, held in listed for value in held))
    for entry, held in listed:
        lacking = [value for value in in_order if value in usual and value not in held]
        beyond = [value for value in dict.fromkeys(held) if value not in usual]
        if lacking or beyond:
            yield messages.different_list(entry, _texts(lacking), _texts(beyond))


def _held(entry: MatrixEntry) -> list[Value] | None:
    """The values of a list of constants."""
    if not isinstance(entry.value, MakeList):
        return None
    known = [known_value(item) for item in entry.value.items]
    return [value[0] for value in known if value is not None] if None not in known else None


def _usual(sets: list[frozenset[Value]]) -> frozenset[Value] | None:
    common = Counter(sets).most_common(1)
    if not common or common[0][1] < USUAL or 2 * common[0][1] <= len(sets) or not common[0][0]:
        return None
    return common[0][0]


def _texts(values: list[Value]) -> list[str]:
    return [str(as_plain(value)) for value in values]
