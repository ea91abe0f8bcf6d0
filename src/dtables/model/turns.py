"""What people are led through and look up: procedures step by step, cases by name, defined words; inert.

Steps that run stand among the ruleset's tables too, as a decision of the turn's name."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dtables.model.expressions import Expression, Variable
from dtables.model.vocabularies import Heading, Words
from dtables.provenance import CellRef


class Onward(StrEnum):
    """Where a step leads."""

    NEXT = "next"
    END = "end"
    END_IF = "end if"
    GO_TO = "go to"
    AGAIN = "again"


@dataclass(frozen=True, slots=True)
class Attempt:
    """How a step that runs is tried, as its cells say it: all `conditions` hold, then for an item of `each`,
    if there is such a list, those `of_item`, and the first of `outcomes` is not null. Cells read `tried` and
    `item`. The decision says the same of whole rows. `of_items` says that `tried` lists items, not steps."""

    of_items: bool
    tried: Variable
    item: Variable | None
    each: Expression | None
    conditions: tuple[Expression, ...]
    of_item: tuple[Expression, ...]
    outcomes: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class TurnStep:
    """A row of a procedure. A step that runs is row `rule` of the decision, which has its conditions but for
    those of each item, and has an `attempt`; of a person's step both are None and `conditions` all hold where
    it is done. `along` names the tables, formulas and records under `with`; `onward_step` the step that GO_TO
    and AGAIN lead to."""

    number: str
    phase: str
    who: str
    conditions: tuple[Expression, ...]
    condition_words: Words
    rule: int | None
    words: Words
    failed: Words
    along: tuple[str, ...]
    onward: Onward
    onward_step: str
    icon: str
    source: tuple[str, ...]
    where: CellRef
    attempt: Attempt | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A numbered procedure. `attempts` says that the workbook calls it so; `runs` that its steps with an
    outcome are a decision, which tries them in order. `ask` is the one that the turn plays."""

    heading: Heading
    attempts: bool
    phase: str
    ask: str | None
    steps: tuple[TurnStep, ...]
    runs: bool


@dataclass(frozen=True, slots=True)
class Case:
    """A rule that is looked up by `key`: an id of the vocabulary, or, where there is none, words."""

    key: str
    label: Words
    vocabulary: str | None
    words: Words
    along: tuple[str, ...]
    source: tuple[str, ...]
    icon: str
    where: CellRef


@dataclass(frozen=True, slots=True)
class Cases:
    """Rules looked up by name. `key` is the vocabulary that all keys belong to, if the table names one."""

    heading: Heading
    key: str | None
    rows: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """A word that pages use and define; `forms` as written, several with commas between."""

    forms: Words
    words: Words
    example: Words
    along: tuple[str, ...]
    source: tuple[str, ...]
    where: CellRef


@dataclass(frozen=True, slots=True)
class Definitions:
    """A table of terms."""

    heading: Heading
    rows: tuple[Definition, ...]


Boxes = int | str
"""So many boxes, or one for each name of a vocabulary."""


@dataclass(frozen=True, slots=True)
class TickRow:
    """What some boxes are for, and how many they are."""

    words: Words
    boxes: Boxes
    where: CellRef


@dataclass(frozen=True, slots=True)
class Ticks:
    """Boxes that a person ticks while playing; each row has its boxes in every column."""

    heading: Heading
    columns: Boxes
    rows: tuple[TickRow, ...]
