"""Rules answered over columns: a row that is clearly sound is answered by the classes its cells are in; any
other row is left open.

What is left over (`DOUBT`) goes, one by one, to the compiled module, whose finding is its reject. So
nothing here decides what an answer is: the module worked out every one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dtables.columnar.cells import Cells, part, state_of
from dtables.columnar.classes import PlaceClasses, Steps, steps_along, without_null, worked_cells
from dtables.columnar.survey import Comparisons, Path, Uses, Why, survey_ask, survey_table
from dtables.compilers.python import load_source
from dtables.feel.types import WHOLE, VocabularyType, plain
from dtables.model.index import Index
from dtables.model.tables import Ruleset
from dtables.records.findings import RecordError, RuleError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

BLOCK = 1 << 15
"""Rows at a time: what is worked on stays near the processor."""
FARTHEST = 1 << 62
WORKED = ""
"""Stands where a field's name does, in the paths of what is worked out."""
REMEMBERED = 4096
"""Values of a place of which is kept whether they are sound."""
LONGEST_REMEMBERED = 1024
"""Characters of a text."""


@dataclass(frozen=True, slots=True)
class CodedAnswers:
    """A code for each row: the number of its answer in `answers`, or DOUBT."""

    codes: Array
    answers: list[Any]

    @property
    def doubtful(self) -> Array:
        """The rows that nothing here answers."""
        import numpy as np

        some = len(self.codes) > 0 and self.codes.min() == DOUBT
        rows: Array = np.flatnonzero(self.codes == DOUBT) if some else np.zeros(0, np.intp)
        return rows


class Codes:
    """Answers by their codes, each different one once. They only grow in number."""

    def __init__(self) -> None:
        self.answers: list[Any] = []
        self._codes: dict[str, int] = {}

    def code_of(self, answer: Any) -> int:
        """Of an answer that somebody worked out."""
        code = self._codes.setdefault(repr(answer), len(self.answers))
        if code == len(self.answers):
            self.answers.append(answer)
        return code


class FlatEngine(Codes):
    """One ask, or one table called by itself. What it has worked out it keeps for the next columns.

    `work` gives the reply to a state (of a table its value, for what it is given) or raises."""

    name = "columns"

    def __init__(self, uses: Uses, module: ModuleType, table: str | None, work: Callable[[Any], Any]) -> None:
        super().__init__()
        self._uses = uses
        self._rules = module.RULES
        self._table = table
        self._work = work
        self._axes: dict[Path, PlaceClasses | None] = {}
        self._numbers = {(WORKED, str(number)): worked for number, worked in enumerate(uses.worked)}
        self._cubes: dict[tuple[Path, ...], Dense | Sparse] = {}

    def answer(self, columns: Mapping[Path, Cells], rows: int) -> CodedAnswers:
        """A code for every row of these columns; each stands at its path of the state. Without columns
        there is no state: an ask has no answer to it."""
        import numpy as np

        stateless = self._table is None and not columns
        stored, columns = columns, {**columns, **self._worked(columns, rows)}
        laid_out = None if stateless else self._laid_out(columns)
        if laid_out is None:
            return CodedAnswers(np.full(rows, DOUBT, np.int32), self.answers)
        along, held = laid_out
        codes = np.empty(rows, np.int32)
        places, one = np.zeros((2, min(rows, BLOCK)), np.intp)
        for start in range(0, rows, BLOCK):
            count = min(BLOCK, rows - start)
            for number, (path, step) in enumerate(along):
                step(part(columns[path], start, start + count), (one if number else places)[:count])
                if number:
                    np.add(places, one, out=places)

            def work(row: int, start: int = start) -> int:
                return self._worked_out(state_of(stored, start + row))

            held.look_up(places[:count], codes[start : start + count], work)
        return CodedAnswers(codes, self.answers)

    def _worked_out(self, state: dict[str, Any]) -> int:
        try:
            answer = self._work(state)
        except (RecordError, RuleError):
            return DOUBT
        return self.code_of(answer)

    # -- the cube ------------------------------------------------------------------------------

    def _laid_out(
        self, columns: Mapping[Path, Cells]
    ) -> tuple[list[tuple[Path, Steps]], Dense | Sparse] | None:
        """The columns that make a difference, each with its steps, and what their sums are looked up in. None
        where there are more combinations than can be numbered."""
        axes = {path: self._axis(path) for path in sorted(columns)}
        size = prod(axis.count for axis in axes.values() if axis is not None)
        if size * (len(axes) + 1) > FARTHEST:
            return None
        along: list[tuple[Path, Steps]] = []
        stride = 1
        for path, axis in axes.items():
            step = steps_along(axis, columns[path], stride, size)
            if step is not None:
                along.append((path, without_null(step, size) if path in self._numbers else step))
            stride *= 1 if axis is None else axis.count
        distinguished = tuple(path for path, axis in axes.items() if axis is not None and axis.count > 1)
        if distinguished not in self._cubes:
            self._cubes[distinguished] = cube(size)
        return along, self._cubes[distinguished]

    def _worked(self, columns: Mapping[Path, Cells], rows: int) -> dict[Path, Cells]:
        return {path: worked_cells(worked, columns, rows) for path, worked in self._numbers.items()}

    def _axis(self, path: Path) -> PlaceClasses | None:
        if path in self._numbers:
            classes = self._uses.worked[self._numbers[path]].classes(WHOLE, {})
            return (
                None
                if classes is None
                else PlaceClasses(classes, lambda _: (), lambda _: True, distinguished=True)
            )
        if path not in self._axes:
            self._axes[path] = axis_at(path, self._uses, self._rules, lambda value: self._sound(path, value))
        return self._axes[path]

    def _sound(self, path: Path, value: object) -> bool:
        given: Any = value
        for name in reversed(path):
            given = {name: given}
        try:
            return bool(self._rules.is_sound(".".join(path), given, self._table))
        except RuleError:
            return False  # what its type allows cannot be said of it, as of a time with an offset


def axis_at(path: Path, uses: Uses, rules: Any, sound: Callable[[object], bool]) -> PlaceClasses | None:
    """The axis of a place; None where only null is understood. `rules` are the compiled module's."""
    declared = uses.declared.get(path)
    if declared is None or (uses.is_closed(path) and not uses.finite(path)):
        return None
    declared_type = plain(declared.type)
    names, known = None, {}
    if isinstance(declared_type, VocabularyType):
        names = rules.shapes.vocabularies[declared_type.name]
        known = {declared_type.root: tuple(names)}
    classes = uses.comparisons.get(path, Comparisons()).classes(declared_type, known)
    if classes is None:
        return None
    return PlaceClasses(
        classes,
        (lambda _: ()) if names is None else names.matches,
        _remembered(sound),
        uses.looks_at(path),
    )


def _remembered(sound: Callable[[object], bool]) -> Callable[[object], bool]:
    """What was found of the latest values; of a long text it is found again, for it would be kept whole."""
    known = lru_cache(REMEMBERED, typed=True)(sound)

    def remembered(value: object) -> bool:
        return sound(value) if isinstance(value, str) and len(value) > LONGEST_REMEMBERED else known(value)

    return remembered


def flat_engine(model: Ruleset, source: str, ask: str | None = None) -> FlatEngine | Why:
    """The engine of an ask (None: the main one), or why it is not flat. `source` is the compiled module."""
    found = next((one for one in model.open_asks if ask in (None, one.heading.name)), None)
    if found is None:
        return Why("the workbook has no such ask")
    uses = survey_ask(model, found)
    stuck = uses if isinstance(uses, Why) else uses.escaping()
    if stuck is not None or isinstance(uses, Why):
        return stuck or Why("")
    module = load_source(source, model.name)
    name = found.heading.name
    return FlatEngine(uses, module, None, lambda state: module.reply(name, state))


def flat_table(model: Ruleset, source: str, table: str) -> FlatEngine | Why:
    """Prepare one table for columns, its parameters and the input fields that it reads, or say why not."""
    found = Index(model).tables.get(table)
    if found is None:
        return Why(f"the workbook has no table `{table}`")
    uses = survey_table(model, found)
    stuck = uses if isinstance(uses, Why) else uses.escaping()
    if stuck is not None or isinstance(uses, Why):
        return stuck or Why("")
    module = load_source(source, model.name)
    return FlatEngine(uses, module, table, module.TABLES[table])


# -- the table of answers ---------------------------------------------------------------------------
# Answers by the classes of a row's cells: each combination is worked out once, when a row first has it.

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
