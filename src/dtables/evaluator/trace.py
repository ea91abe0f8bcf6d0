"""The steps of an answer, as they happened.

Values stand here as they are, each with its static type, so that they can be shown by their labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, assert_never, dataclass_transform

from dtables.feel.types import Type
from dtables.feel.values import Value
from dtables.model.expressions import Expression, Test
from dtables.model.tables import Criterion, Heading, Policy, Ruleset, Words
from dtables.provenance import CellRef

Made = TypeVar("Made")


@dataclass_transform(eq_default=False, frozen_default=True)
def unchanging(made: type[Made]) -> type[Made]:
    """Frozen for whoever checks the types, and equal only to itself; at run time it is not kept from being
    changed, since making one would take four times as long: there are hundreds of steps in an answer."""
    return dataclass(slots=True, eq=False)(made)


@unchanging
class Shown:
    """A value with its static type, without which a name cannot be put into words."""

    value: Value
    type: Type


Arguments = tuple[tuple[str, Shown], ...]


@unchanging
class Reason:
    """A part of a condition that made it what it is. `seen` are the two values it compares, or else the one
    it looks at; of a part that compares nothing that is its own value."""

    part: Expression
    seen: tuple[Shown, ...]
    holds: bool | None


Reasons = tuple[Reason, ...]


@unchanging
class Reckoned:
    """A formula, or a step of one: what it came to; of a condition also why. Without a name: what a loop
    came to for the items it was at."""

    name: str
    arguments: Arguments
    result: Shown
    cell: CellRef
    words: Words
    reasons: Reasons
    inside: tuple[Step, ...]


@unchanging
class Computed:
    """A computed field of a record, where it was first read."""

    name: str
    of: Shown
    result: Shown
    cell: CellRef
    reasons: Reasons
    inside: tuple[Step, ...]


@unchanging
class Judged:
    """An item that a filter looked at; of one that it dropped also why."""

    item: Shown
    kept: bool
    reasons: Reasons
    inside: tuple[Step, ...]


@unchanging
class Filtered:
    """A filter; without items where its condition says itself what it drops."""

    items: tuple[Judged, ...]
    calls: bool
    cell: CellRef


@unchanging
class Failed:
    """A condition that did not hold: what was seen in its column (None: the cell is a whole condition),
    and what the cell wants, as written and as tests."""

    column: str
    seen: Shown | None
    wanted: str
    tests: tuple[Test, ...]
    reasons: Reasons
    cell: CellRef


@unchanging
class NothingToTake:
    """All conditions held, but the `take` cell gave null."""

    cell: CellRef


@unchanging
class Fired:
    """`cell` is the row's first outcome."""

    cell: CellRef
    written: str


@unchanging
class Tried:
    """A row of a decision; `conditions` are its columns and what its cells want, but for those that want
    nothing. `inside` has what was worked out for it first."""

    number: str
    where: CellRef
    words: Words
    conditions: tuple[tuple[str, tuple[Test, ...]], ...]
    outcome: Failed | NothingToTake | Fired
    inside: tuple[Step, ...]


@unchanging
class Decided:
    """`otherwise` is the cell that gave the value when no row fired."""

    heading: Heading
    policy: Policy
    arguments: Arguments
    tried: tuple[Tried, ...]
    otherwise: CellRef | None
    result: Shown
    inside: tuple[Step, ...]


@unchanging
class Narrowed:
    """A row of a scale that was read: who is left after it and who dropped, as positions in the list of
    candidates. `seen` has the value of `by` for those it concerns. `scale` is the scale the row stands in."""

    scale: str
    criterion: Criterion
    seen: tuple[tuple[int, Shown], ...]
    left: tuple[int, ...]
    dropped: tuple[int, ...]
    inside: tuple[Step, ...]

    @property
    def number(self) -> str:
        return self.criterion.number

    @property
    def cell(self) -> CellRef:
        return self.criterion.cell


@unchanging
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


@unchanging
class Ranked:
    """The tiers that a scale makes of a list, and the rows that were read for one tier after another."""

    heading: Heading
    result: Shown
    rows: tuple[Narrowed, ...]


@unchanging
class LookedUp:
    """An entry of a matrix or of a dice table."""

    heading: Heading
    arguments: Arguments
    cell: CellRef
    result: Shown


@unchanging
class SwitchRead:
    """`recorded`: the record overrides the workbook's default."""

    name: str
    result: Shown
    recorded: bool
    cell: CellRef
    words: Words


@unchanging
class Drawn:
    """`taken` is None while the draw is open, or when there is nothing to draw."""

    name: str
    options: tuple[Shown, ...]
    taken: Shown | None
    recorded: bool
    cell: CellRef
    words: Words
    inside: tuple[Step, ...]


@unchanging
class Stopped:
    """The answer ends here: what stands below is null."""

    cell: CellRef


@unchanging
class Answered:
    """One field of the answer."""

    name: str
    result: Shown
    any_of: tuple[Shown, ...]
    cell: CellRef
    words: Words
    inside: tuple[Step, ...]


@unchanging
class Demanded:
    """An ask that the rules demand next; `words` say why."""

    heading: Heading
    cell: CellRef
    words: Words
    inside: tuple[Step, ...]


Step = (
    Reckoned | Computed | Filtered | Decided | Chosen | Ranked | LookedUp | SwitchRead | Drawn | Stopped
    | Answered | Demanded
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Explanation:
    """An answer (or, of a single table, its value) and its steps; `next` are the asks that the rules demand
    after it."""

    ask: str
    answer: Any
    steps: tuple[Step, ...]
    ruleset: Ruleset
    heading: Heading
    next: tuple[str, ...] = ()


def steps_of(step: Step) -> tuple[Step, ...]:
    """What led to a step, in the order in which it happened, but for the items of a filter."""
    match step:
        case Reckoned(inside=inside) | Computed(inside=inside) | Drawn(inside=inside):
            return inside
        case Decided(tried=tried, inside=inside):
            return (*(one for row in tried for one in row.inside), *inside)
        case Chosen(rows=rows, inside=inside):
            return (*(one for row in rows for one in row.inside), *inside)
        case Answered(inside=inside) | Demanded(inside=inside):
            return inside
        case Filtered() | Ranked() | LookedUp() | SwitchRead() | Stopped():
            return ()
        case _:
            assert_never(step)


def all_steps(steps: Iterable[Step], inside: Callable[[Step], tuple[Step, ...]] = steps_of) -> Iterator[Step]:
    """Every step once, however deep it stands and however often it was read."""
    met: set[Step] = set()
    waiting = list(steps)[::-1]
    while waiting:
        step = waiting.pop()
        if step not in met:
            met.add(step)
            yield step
            waiting.extend(reversed(inside(step)))
