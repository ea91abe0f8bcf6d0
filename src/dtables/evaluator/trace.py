"""The steps of an answer, as they happened; and the observer that writes them down, or does nothing.

Values stand here as they are, each with its static type, so that they can be shown by their labels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dtables.feel.types import Type
from dtables.feel.values import Value
from dtables.model.expressions import Test
from dtables.model.tables import Heading, Policy, Ruleset, Words
from dtables.provenance import CellRef


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    value: Value
    type: Type


Arguments = tuple[tuple[str, Shown], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Reckoned:
    """A formula, or a step of one: what it came to."""

    name: str
    arguments: Arguments
    result: Shown
    cell: CellRef
    words: Words
    inside: tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Failed:
    """A condition that did not hold: what was seen in its column (None: the cell is a whole condition),
    and what the cell wants, as written and as tests."""

    column: str
    seen: Shown | None
    wanted: str
    tests: tuple[Test, ...]
    cell: CellRef


@dataclass(frozen=True, slots=True, eq=False)
class NothingToTake:
    """All conditions held, but the `take` cell gave null."""

    cell: CellRef


@dataclass(frozen=True, slots=True, eq=False)
class Fired:
    """`cell` is the row's first outcome."""

    cell: CellRef
    written: str


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """A row of a decision; `conditions` are its columns and what its cells want, as written, but for
    those that want nothing."""

    number: str
    where: CellRef
    words: Words
    conditions: tuple[tuple[str, str], ...]
    outcome: Failed | NothingToTake | Fired


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """`otherwise` is the cell that gave the value when no row fired."""

    heading: Heading
    policy: Policy
    arguments: Arguments
    tried: tuple[Tried, ...]
    otherwise: CellRef | None
    result: Shown
    inside: tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Narrowed:
    """A row of a scale that was read: who is left after it and who dropped, as positions in the list of
    candidates. `seen` has the value of `by` for those it concerns. `scale` is the scale the row stands in."""

    scale: str
    number: str
    words: Words
    written: str
    cell: CellRef
    seen: tuple[tuple[int, Shown], ...]
    left: tuple[int, ...]
    dropped: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """A scale: `left` are the positions of the chosen one, or of the equals. `decided` is the row after
    which one was left."""

    heading: Heading
    arguments: Arguments
    candidates: tuple[Shown, ...]
    rows: tuple[Narrowed, ...]
    left: tuple[int, ...]
    decided: Narrowed | None
    result: Shown
    inside: tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """The tiers that a scale makes of a list."""

    heading: Heading
    result: Shown


@dataclass(frozen=True, slots=True, eq=False)
class LookedUp:
    """An entry of a matrix or of a dice table."""

    heading: Heading
    arguments: Arguments
    cell: CellRef
    result: Shown


@dataclass(frozen=True, slots=True, eq=False)
class SwitchRead:
    """`recorded`: the record overrides the workbook's default."""

    name: str
    result: Shown
    recorded: bool
    cell: CellRef
    words: Words


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """`taken` is None while the draw is open, or when there is nothing to draw."""

    name: str
    options: tuple[Shown, ...]
    taken: Shown | None
    recorded: bool
    cell: CellRef
    words: Words
    inside: tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Stopped:
    """The answer ends here: what stands below is null."""

    cell: CellRef


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """One field of the answer."""

    name: str
    result: Shown
    any_of: tuple[Shown, ...]
    cell: CellRef
    words: Words
    inside: tuple[Step, ...]


Step = (
    Reckoned | Decided | Chosen | Ranked | LookedUp | SwitchRead | Drawn | Stopped | Answered
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Explanation:
    """An answer (or, of a single table, its value) and its steps. `ruleset` has the labels and words to
    tell them with."""

    ask: str
    answer: Any
    steps: tuple[Step, ...]
    ruleset: Ruleset
    heading: Heading


Maker = Callable[[tuple[Step, ...]], Step]


class Observer:
    """Sees nothing. The evaluator opens a step, works, and closes it; what happened between is inside."""

    def open(self) -> int:
        return 0

    def close(self, mark: int, make: Maker, key: object = None) -> None:
        """`key` names a value that is worked out once: reading it `again` is the same step."""

    def drop(self, mark: int) -> None:
        """What happened for one of many items is not told; the result of all of them is."""

    def again(self, key: object) -> None: ...


class Recorder(Observer):
    """Writes the steps down."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._known: dict[object, Step] = {}

    def open(self) -> int:
        return len(self.steps)

    def close(self, mark: int, make: Maker, key: object = None) -> None:
        step = make(tuple(self.steps[mark:]))
        del self.steps[mark:]
        self.steps.append(step)
        if key is not None:
            self._known[key] = step

    def drop(self, mark: int) -> None:
        del self.steps[mark:]

    def again(self, key: object) -> None:
        if key in self._known:
            self.steps.append(self._known[key])
