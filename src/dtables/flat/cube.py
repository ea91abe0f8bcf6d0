"""Answers by the classes of a row's cells: each combination is worked out once, when a row first has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

DOUBT = -1
"""The code of a combination that one answer does not settle."""
_UNKNOWN = -2
DENSE = 1 << 22
MOST_KEPT = 1 << 20

Work = Callable[[int], int]
"""Works out the row of that number: the code of its answer, or DOUBT."""


class Dense:
    """A cell for every combination."""

    def __init__(self, size: int) -> None:
        import numpy as np

        self._cells = np.full(size + 1, _UNKNOWN, np.int32)
        self._cells[size] = DOUBT

    def look_up(self, places: Array, out: Array, work: Work) -> None:
        """The codes of rows whose combinations stand at these places; one beyond the end is in doubt."""
        import numpy as np

        np.take(self._cells, places, mode="clip", out=out)
        if out.min() == _UNKNOWN:
            rows = np.flatnonzero(out == _UNKNOWN)
            new, first = np.unique(places[rows], return_index=True)
            self._cells[new] = [work(int(row)) for row in rows[first]]
            np.take(self._cells, places, mode="clip", out=out)


class Sparse:
    """Of more combinations than a cube can have, those that were met: no more than so many are kept."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: dict[int, int] = {}

    def look_up(self, places: Array, out: Array, work: Work) -> None:
        import numpy as np

        met, first, back = np.unique(places, return_index=True, return_inverse=True)
        found = [
            self._code(place, row, work) for place, row in zip(met.tolist(), first.tolist(), strict=True)
        ]
        out[:] = np.array(found, np.int32)[back]

    def _code(self, place: int, row: int, work: Work) -> int:
        if place >= self._size:
            return DOUBT
        code = self._kept.get(place)
        if code is None:
            code = work(row)
            if len(self._kept) < MOST_KEPT:
                self._kept[place] = code
        return code


def cube(size: int) -> Dense | Sparse:
    return Dense(size) if size <= DENSE else Sparse(size)
