"""A checked workbook, whole. What its parts are is in `vocabularies`, `functions`, `asks` and `turns`; this
module gives all of them under one name.

The order of every tuple is the workbook's. `where` of a row is its first cell, `cell` of an outcome
the cell that says it: explanations and generated code quote them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dtables.merging import WhenOpen
from dtables.model.asks import (
    AnswerField,
    Ask,
    AskRow,
    Checks,
    Consistency,
    Counted,
    Draw,
    Example,
    Examples,
    Expected,
    Need,
    Next,
    PageRow,
    Pages,
    Place,
    Stop,
    Term,
)
from dtables.model.functions import (
    Concern,
    Condition,
    Criterion,
    Decision,
    Dice,
    DiceEntry,
    Embedded,
    Formula,
    Matrix,
    MatrixEntry,
    Others,
    Outcome,
    OutcomeColumn,
    OutcomeKind,
    Policy,
    Prefer,
    Rule,
    Scale,
    Step,
    Subject,
    Switches,
    SwitchRule,
)
from dtables.model.turns import (
    Attempt,
    Boxes,
    Case,
    Cases,
    Definition,
    Definitions,
    Onward,
    TickRow,
    Ticks,
    Turn,
    TurnStep,
)
from dtables.model.vocabularies import (
    Allowed,
    Badge,
    Data,
    Field,
    Fixed,
    Heading,
    Input,
    Label,
    Parameter,
    Record,
    Restriction,
    Row,
    Vocabulary,
    Words,
)

Table = Formula | Decision | Scale | Matrix | Dice


def table_name(table: Table) -> str:
    """Return the name by which a table is called."""
    return table.heading.name


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A checked workbook. `tables` are in an order in which callees come before their callers."""

    name: str
    book: str
    languages: tuple[str, ...]
    sheets: tuple[str, ...]
    vocabularies: tuple[Vocabulary, ...]
    restrictions: tuple[Restriction, ...]
    records: tuple[Record, ...]
    data: tuple[Data, ...]
    input: Input
    switches: tuple[Switches, ...]
    tables: tuple[Table, ...]
    asks: tuple[Ask, ...]
    checks: tuple[Checks, ...]
    examples: tuple[Examples, ...]
    pages: tuple[Pages, ...]
    terms: tuple[Term, ...]
    headings: tuple[Heading, ...] = field(default=())
    """Every table of the workbook, in its order, for listings and coverage."""
    version: str = ""
    """Of the workbook's content: the same cells, the same version."""
    turns: tuple[Turn, ...] = ()
    cases: tuple[Cases, ...] = ()
    definitions: tuple[Definitions, ...] = ()
    """The words that tables of terms define; `terms` are those of the glossary."""
    ticks: tuple[Ticks, ...] = ()

    @property
    def open_asks(self) -> tuple[Ask, ...]:
        """Those that a log may ask for, the main one first."""
        return tuple(sorted((ask for ask in self.asks if not ask.parameters), key=lambda ask: not ask.main))
