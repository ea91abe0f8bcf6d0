"""Fields of one row of data go together: where a table looks at several, they are tests of the row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dtables.feel.values import Value
from dtables.model.expressions import Expression
from dtables.verifier.axes import axis, bits_of
from dtables.verifier.claims import Claim, Key, path_text
from dtables.verifier.values import Values
from dtables.verifier.wanted import Is, values_in

Rows = tuple[Expression, Mapping[Value, Value]]
"""What gives a row, and the field's value by the row's name."""


def by_rows(said: list[list[Claim]], values: Values) -> tuple[list[list[Claim]], frozenset[Key]]:
    """The claims, and the keys of those that were put as tests of rows."""
    keys = {claim.key for row in said for claim in row}
    found: dict[Key, Rows] = {
        key: rows for key in keys if not isinstance(key, tuple) and (rows := values.cells(key))
    }
    shared: dict[Key, Rows] = {
        key: rows for key, rows in found.items() if _is_shared(key, rows[0], keys, found)
    }
    if not shared:
        return said, frozenset()
    return [[_joined(claim, shared, values) for claim in row] for row in said], frozenset(shared)


def _is_shared(key: Key, base: Expression, keys: set[Key], found: Mapping[Key, Rows]) -> bool:
    return base in keys or any(rows[0] == base for other, rows in found.items() if other != key)


def _joined(claim: Claim, shared: Mapping[Key, Rows], values: Values) -> Claim:
    if isinstance(claim.key, tuple) or claim.key not in shared:
        return claim
    base, by_name = shared[claim.key]
    cells = list(by_name.values())
    cut = axis(claim.key.type, [*values_in(claim.tests), *cells], values.names(claim.key.type))
    passing = bits_of(claim.tests, cut)
    tests = tuple(Is(name) for name, value in by_name.items() if bits_of((Is(value),), cut) & passing)
    return replace(claim, key=base, tests=tests, name=path_text(base))
