"""Tables that are called: formulas, decisions, scales, matrices, dice, settings; inert."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dtables.feel.types import Type
from dtables.model.expressions import Expression, Test, Variable
from dtables.model.vocabularies import Heading, Parameter, Vocabulary, Words
from dtables.provenance import CellRef


@dataclass(frozen=True, slots=True)
class Step:
    """A local name of a formula or ask, worked out only if something reads it."""

    variable: Variable
    parameters: tuple[Parameter, ...]
    value: Expression
    where: CellRef
    cell: CellRef
    words: Words = ()


@dataclass(frozen=True, slots=True)
class Formula:
    """One expression, or steps and a result that reads them."""

    heading: Heading
    parameters: tuple[Parameter, ...]
    type: Type
    steps: tuple[Step, ...]
    result: Expression
    cell: CellRef
    words: Words = ()
    group: str | None = None
    """The `Formulas:` table it stands in."""


class Policy(StrEnum):
    """The hit policies; what follows from each is asked of its properties."""

    UNIQUE = "unique"
    ANY = "any"
    PRIORITY = "priority"
    FIRST = "first"
    COLLECT = "collect"
    COLLECT_SUM = "collect sum"
    COLLECT_MIN = "collect min"
    COLLECT_MAX = "collect max"
    COLLECT_COUNT = "collect count"
    RULE_ORDER = "rule order"
    OUTPUT_ORDER = "output order"

    @property
    def takes_one(self) -> bool:
        """The decision's value is what one of its rows gives."""
        return self in (Policy.UNIQUE, Policy.ANY, Policy.FIRST, Policy.PRIORITY)

    @property
    def is_listed(self) -> bool:
        """The decision's value is a list of what the rows give that apply."""
        return self in (Policy.COLLECT, Policy.RULE_ORDER, Policy.OUTPUT_ORDER)

    @property
    def is_ranked(self) -> bool:
        """Rows stand in the order of their outcomes among the columns' priorities."""
        return self in (Policy.PRIORITY, Policy.OUTPUT_ORDER)

    @property
    def has_precedence(self) -> bool:
        """Of several rows that apply one is taken before the others."""
        return self in (Policy.FIRST, Policy.PRIORITY)

    @property
    def follows_rows(self) -> bool:
        """Rows that apply come in the order in which they stand: another order may give another value."""
        return (self.has_precedence or self.is_listed) and not self.is_ranked

    @property
    def wants_agreement(self) -> bool:
        """It is an error if several rows apply, or if they give different values."""
        return self.takes_one and not self.has_precedence

    @property
    def counts_each(self) -> bool:
        """Each row that applies counts, also where another gives the same."""
        return not self.takes_one and not self.counts_once

    @property
    def counts_once(self) -> bool:
        """Several rows that apply and give the same count as one of them."""
        return self in (Policy.ANY, Policy.COLLECT_MIN, Policy.COLLECT_MAX)

    @property
    def needs_a_row(self) -> bool:
        """It is an error if no row applies; of others the list is empty then, the sum or count 0."""
        return self.takes_one or self in (Policy.COLLECT_MIN, Policy.COLLECT_MAX)


@dataclass(frozen=True, slots=True)
class Subject:
    """A condition column. Its expression is read once into `variable`; a column without name has
    none (`value` is None) and its cells are whole conditions (`Holds`)."""

    name: str
    variable: Variable
    value: Expression | None
    where: CellRef


class OutcomeKind(StrEnum):
    """Whether a row fires whatever its outcome is, or (`take`) only where that is not null."""

    THEN = "then"
    TAKE = "take"


@dataclass(frozen=True, slots=True)
class OutcomeColumn:
    """`priorities` are the allowed outcomes best first, for the policies that rank by them."""

    name: str
    kind: OutcomeKind
    type: Type
    where: CellRef
    priorities: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """The tests of one cell, joined by or; none: any value. `written` is for people."""

    tests: tuple[Test, ...]
    cell: CellRef
    written: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A cell of an outcome column; `written` is for people."""

    value: Expression
    cell: CellRef
    written: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A row. One condition per subject, one outcome per outcome column. `step`: it is one of a turn's."""

    number: str
    conditions: tuple[Condition, ...]
    outcomes: tuple[Outcome, ...]
    where: CellRef
    words: Words = ()
    step: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """Several outcome columns make a context of them. `type` is that of a whole call: a list for the
    collecting policies. A rule with a `take` outcome that is null does not fire."""

    heading: Heading
    parameters: tuple[Parameter, ...]
    policy: Policy
    subjects: tuple[Subject, ...]
    outcomes: tuple[OutcomeColumn, ...]
    rules: tuple[Rule, ...]
    otherwise: Outcome | None
    type: Type
    strict: bool = True
    """No rule fires and no `otherwise`: an error, or (the standard's models, steps that are tried) null."""

    @property
    def tries_steps(self) -> bool:
        """Its rows are the steps of a turn."""
        return any(rule.step for rule in self.rules[:1])


class Others(StrEnum):
    """What becomes of candidates that a criterion does not concern, where it concerns others that are left:
    they come last, they stay, or the criterion is skipped."""

    LAST = "last"
    STAY = "stay"
    SKIP = "skip"


class Prefer(StrEnum):
    """What a criterion keeps of the candidates that are left."""

    YES = "yes"
    NO = "no"
    HIGHEST = "highest"
    LOWEST = "lowest"
    FIRST_IN = "first in"
    LAST_IN = "last in"
    SCALE = "scale"
    FIRST = "first"
    CHANCE = "chance"


@dataclass(frozen=True, slots=True)
class Concern:
    """An `only for` column and this row's tests on it; `value` reads the item."""

    name: str
    variable: Variable
    value: Expression
    tests: tuple[Test, ...]
    cell: CellRef
    written: str


@dataclass(frozen=True, slots=True)
class Embedded:
    """The rows of another scale, gone through here: those of `numbers` (None: all), read with this
    scale's item. `bindings` give the other scale's further parameters."""

    scale: str
    numbers: tuple[str, ...] | None
    written: str
    bindings: tuple[tuple[Variable, Expression], ...]
    others: Others
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class Criterion:
    """One row. `by` reads the item; `order` is the list of `first in` and `last in` and does not.
    `keyed` says that every candidate's standing depends on the candidate alone."""

    number: str
    only_if: Expression | None
    concerns: tuple[Concern, ...]
    prefer: Prefer
    by: Expression | None
    order: Expression | None
    embedded: Embedded | None
    where: CellRef
    cell: CellRef
    written: str
    words: Words = ()

    @property
    def for_everybody(self) -> bool:
        """It is gone through whatever is asked, and concerns every candidate."""
        return self.only_if is None and not self.concerns


@dataclass(frozen=True, slots=True)
class Scale:
    """The first parameter is the list of candidates. `type` is the candidate's type with `?`, or with
    `chance` the list of equals. `decides` is "proved", "claimed" or "no"."""

    heading: Heading
    parameters: tuple[Parameter, ...]
    item: Variable
    others: Others
    decides: str
    criteria: tuple[Criterion, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class MatrixEntry:
    """`cells` has one place per element where the value is an ordered list down a column. `words` are those
    of its row."""

    keys: tuple[Expression, ...]
    value: Expression
    cells: tuple[CellRef, ...]
    words: Words = ()


@dataclass(frozen=True, slots=True)
class Matrix:
    """A value for every combination of its keys."""

    heading: Heading
    parameters: tuple[Parameter, ...]
    type: Type
    entries: tuple[MatrixEntry, ...]
    down: bool = False


@dataclass(frozen=True, slots=True)
class DiceEntry:
    """For one kind of die: the totals low..high give this outcome. `number` is what stands under `#`."""

    die: str
    low: int
    high: int
    outcome: Expression
    cell: CellRef
    words: Words = ()
    number: str = ""


@dataclass(frozen=True, slots=True)
class Dice:
    """Called with a kind of die (if there are several: `parameters` then has `die` and `total`) and
    a total. `chances` are exact: per die and total, ways out of all."""

    heading: Heading
    parameters: tuple[Parameter, ...]
    dice: tuple[str, ...]
    chances: tuple[tuple[str, tuple[tuple[int, int], ...]], ...]
    entries: tuple[DiceEntry, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class SwitchRule:
    """A named setting with a closed set of values, which a record may override."""

    name: str
    values: Vocabulary
    default: str
    where: CellRef
    cell: CellRef
    words: Words = ()


@dataclass(frozen=True, slots=True)
class Switches:
    """`field` is the input field whose entries override the defaults, if any."""

    heading: Heading
    field: str | None
    rules: tuple[SwitchRule, ...]
