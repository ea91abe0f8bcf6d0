"""Whole numbers that rules work out of inputs, for many rows at once: exact within 64 bits, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dtables.flat.axes import Steps
from dtables.flat.columns import Cells, Unclear, Whole
from dtables.flat.places import Operand, Path, Place, Worked

if TYPE_CHECKING:
    from dtables.flat.columns import Mask

FARTHEST = 1 << 62


@dataclass(frozen=True, slots=True)
class _Exact:
    """Values (an array, or one for all) from `low` to `high`."""

    values: Any
    null: Mask
    low: int
    high: int


def worked_cells(worked: Worked, columns: Mapping[Path, Cells], rows: int) -> Cells:
    """Null where one of its places is; Unclear where one is no column of whole numbers."""
    found = _exact(worked, columns)
    return Unclear(rows) if found is None else Whole(found.values, found.null)


def without_null(step: Steps, size: int) -> Steps:
    """Where a place says nothing its default may count: the row is in doubt, beyond the end of the cube."""
    import numpy as np

    def stepped(cells: Cells, out: Any) -> None:
        step(cells, out)
        null = cells.null if isinstance(cells, Whole) else None
        if null is not None:
            np.putmask(out, null, size)

    return stepped


def _exact(operand: Operand, columns: Mapping[Path, Cells]) -> _Exact | None:
    match operand:
        case int():
            return _Exact(operand, None, operand, operand)
        case Place(path=path):
            return _column(columns.get(path))
        case Worked(operator=operator, left=left, right=right):
            one, other = _exact(left, columns), _exact(right, columns)
            return None if one is None or other is None else _operated(operator, one, other)


def _column(cells: Cells | None) -> _Exact | None:
    import numpy as np

    if not isinstance(cells, Whole):
        return None
    values = cells.values.astype(np.int64)
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    return None if max(-low, high) > FARTHEST else _Exact(values, cells.null, low, high)


def _operated(operator: str, one: _Exact, other: _Exact) -> _Exact | None:
    ends = [_number(operator, a, b) for a in (one.low, one.high) for b in (other.low, other.high)]
    low, high = min(ends), max(ends)
    if max(-low, high) > FARTHEST:
        return None
    null = one.null if other.null is None else other.null if one.null is None else one.null | other.null
    return _Exact(_number(operator, one.values, other.values), null, low, high)


def _number(operator: str, one: Any, other: Any) -> Any:
    if operator == "*":
        return one * other
    return one + other if operator == "+" else one - other
