"""What runs: a ruleset in which nothing is left to decide. Names are places in a frame, fields know their
record, tests are conditions, policies are folds; inert."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from dtables.feel.types import Type
from dtables.feel.values import Value
from dtables.model import expressions as model
from dtables.model import tables
from dtables.model.tables import Condition, Field, Others, Prefer, Record, Rule, Subject, Table, WhenOpen
from dtables.provenance import CellRef, Location

Slot = int
"""A place in the frame of a call. At 0 stands the turn."""


@dataclass(frozen=True, slots=True)
class Node:
    """`source` is the author's node whose value it has."""

    type: Type = field(kw_only=True)
    where: Location = field(compare=False, repr=False, kw_only=True)
    source: model.Node | None = field(default=None, compare=False, repr=False, kw_only=True)


# -- values ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Constant(Node):
    value: Value


@dataclass(frozen=True, slots=True)
class Name(Node):
    vocabulary: str
    id: str


@dataclass(frozen=True, slots=True)
class EachName(Node):
    vocabulary: str


@dataclass(frozen=True, slots=True)
class Rows(Node):
    """All rows of a data table without key."""

    table: str


@dataclass(frozen=True, slots=True)
class Local(Node):
    """`step` is the number of a step or draw, whose value may have to be worked out first; of any other
    variable None."""

    slot: Slot
    step: int | None = None


@dataclass(frozen=True, slots=True)
class LazyLocal(Node):
    """An entry of a context, which may still be made."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class Input(Node):
    field: str


@dataclass(frozen=True, slots=True)
class Switch(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Stored(Node):
    of: Expression
    record: str
    name: str


@dataclass(frozen=True, slots=True)
class Computed(Node):
    of: Expression
    record: str
    field: Field


@dataclass(frozen=True, slots=True)
class Property(Node):
    """Of a context, a date, a value of unknown type."""

    of: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Entry(Node):
    """What a name stands for in a map or a record."""

    of: Expression
    key: Expression


@dataclass(frozen=True, slots=True)
class ItemAt(Node):
    of: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Filter(Node):
    of: Expression
    item: Slot
    condition: Expression


@dataclass(frozen=True, slots=True)
class Select(Node):
    of: Expression
    item: Slot
    condition: Expression


@dataclass(frozen=True, slots=True)
class ItemEntry(Node):
    item: Slot
    name: str
    otherwise: Expression


# -- operators and conditions ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Negation(Node):
    operand: Expression


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    operator: str
    left: Expression
    right: Expression
    unbounded: bool = False
    """A product that grows no faster than a sum."""


@dataclass(frozen=True, slots=True)
class Comparison(Node):
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Logic(Node):
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Not(Node):
    operand: Expression


@dataclass(frozen=True, slots=True)
class Member(Node):
    """One of a list's items, or within one; null of no list."""

    value: Expression
    list: Expression


@dataclass(frozen=True, slots=True)
class Between(Node):
    """Both ends are read before either is compared; of null neither is, and it lies nowhere."""

    value: Expression
    low: Expression | None
    high: Expression | None
    low_included: bool
    high_included: bool


@dataclass(frozen=True, slots=True)
class Meets(Node):
    """Equality, or membership, if what is met turns out a list or a range."""

    value: Expression
    test: Expression


@dataclass(frozen=True, slots=True)
class IsTrue(Node):
    """What cannot be said does not hold."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Truth(Node):
    """A boolean, or null."""

    value: Expression


@dataclass(frozen=True, slots=True)
class InstanceOf(Node):
    value: Expression
    wanted: Type


@dataclass(frozen=True, slots=True)
class Present(Node):
    """Not null; of one of the `types`, where there are any."""

    operand: Expression
    types: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Plain(Node):
    """As it leaves the rules."""

    value: Expression


class Failure(Enum):
    NO_ROW = "no row"
    NO_ENTRY = "no entry"


@dataclass(frozen=True, slots=True)
class Fail(Node):
    failure: Failure
    arguments: tuple[Expression, ...] = ()


# -- compound ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Let(Node):
    slot: Slot
    value: Expression
    body: Expression


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Binding:
    slot: Slot
    source: Expression
    end: Expression | None


@dataclass(frozen=True, slots=True)
class For(Node):
    bindings: tuple[Binding, ...]
    result: Expression
    partial: Slot | None


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    some: bool
    bindings: tuple[Binding, ...]
    condition: Expression


@dataclass(frozen=True, slots=True)
class MakeList(Node):
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class MakeContext(Node):
    entries: tuple[tuple[str, Slot, Expression], ...]


@dataclass(frozen=True, slots=True)
class MakeRecord(Node):
    record: str
    fields: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class MakeRange(Node):
    low: Expression | None
    high: Expression | None
    low_included: bool
    high_included: bool


@dataclass(frozen=True, slots=True)
class MakeFunction(Node):
    parameters: tuple[tuple[str, Slot, Type], ...]
    body: Expression


# -- calls -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Builtin(Node):
    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """A function value is called."""

    function: Expression
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    table: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class CallStep(Node):
    slot: Slot
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Rank(Node):
    scale: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class AskAnswer(Node):
    ask: str
    arguments: tuple[Expression, ...]


Known = Constant | Name | EachName | Rows | Local | LazyLocal | Input | Switch
Read = Stored | Computed | Property | Entry | ItemAt | Filter | Select | ItemEntry
Operated = Negation | Arithmetic | Comparison | Logic | Not | InstanceOf | Present | Plain | Fail
Tested = Member | Between | Meets | IsTrue | Truth
Compound = Let | Conditional | For | Quantified
Constructed = MakeList | MakeContext | MakeRecord | MakeRange | MakeFunction
Called = Builtin | Apply | Call | CallStep | Rank | AskAnswer

Expression = Known | Read | Operated | Tested | Compound | Constructed | Called


# -- functions ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """Worked out when it is first read; one with parameters at every call."""

    slot: Slot
    parameters: tuple[Slot, ...]
    value: Expression
    source: tables.Step


@dataclass(frozen=True, slots=True)
class Column:
    """Its value is worked out when the first cell asks for it; None: it stands in its slot already."""

    slot: Slot
    value: Expression | None
    source: Subject | None


@dataclass(frozen=True, slots=True)
class Cell:
    column: int
    condition: Expression
    source: Condition | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """`taken`: the row does not fire where it is null."""

    value: Expression
    taken: bool
    source: tables.Outcome | None


@dataclass(frozen=True, slots=True)
class Row:
    """`name` is what a failure calls it, at `where`. `size` is that of the frame that it needs, if it is
    more than its function's."""

    cells: tuple[Cell, ...]
    outcomes: tuple[Outcome, ...]
    name: str
    where: CellRef
    source: Rule | None
    size: int | None = None

    def bare(self) -> Row:
        """Without its cells and outcomes, once something was made of them."""
        return Row((), (), self.name, self.where, self.source)


class Take(Enum):
    FIRST = "first"
    ONLY = "only"
    AGREED = "agreed"
    ALL = "all"


class Combine(Enum):
    NOTHING = "nothing"
    COUNT = "count"
    SUM = "sum"
    BUILTIN_SUM = "built-in sum"
    LEAST = "least"
    GREATEST = "greatest"


@dataclass(frozen=True, slots=True)
class Fold:
    """What is made of the rows that fire. `ranks` are the outcomes of each column, best first, by which they
    are put in order before."""

    take: Take
    combine: Combine = Combine.NOTHING
    ranks: tuple[tuple[Expression, ...], ...] | None = None

    @property
    def stops(self) -> bool:
        """The first row that fires settles it."""
        return self.take is Take.FIRST and self.ranks is None


@dataclass(frozen=True, slots=True)
class Choose:
    """`names` are those of several outcomes, which make a context. Of a decision each row is made when it is
    first looked at."""

    columns: tuple[Column, ...]
    rows: Sequence[Row]
    names: tuple[str, ...]
    fold: Fold
    empty: Expression


@dataclass(frozen=True, slots=True)
class By:
    """How good a candidate is: the value of `by`, and how it is looked at."""

    prefer: Prefer
    by: Expression | None
    order: Expression | None


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of another scale."""

    scale: str
    lets: tuple[tuple[Slot, Expression], ...]
    others: Others
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class Criterion:
    """Without `standing` chance decides. It concerns a candidate for which all of `concerns` hold."""

    applies: Expression | None
    concerns: tuple[Expression, ...]
    standing: By | Group | None
    source: tables.Criterion


@dataclass(frozen=True, slots=True)
class Narrow:
    candidates: Slot
    item: Slot
    others: Others
    criteria: tuple[Criterion, ...]
    level: bool
    """Those that are equal at the end are the value; else there must be one at most."""


@dataclass(frozen=True, slots=True)
class Function:
    """A table, as it is called. `size` is that of its frame."""

    name: str
    source: Table
    parameters: tuple[Slot, ...]
    size: int
    steps: tuple[Step, ...]
    body: Expression | Choose | Narrow


@dataclass(frozen=True, slots=True)
class FieldFunction:
    """A computed field; its record stands at 1."""

    record: Record
    field: Field
    size: int
    body: Expression


@dataclass(frozen=True, slots=True)
class FreeFunction:
    """An expression by itself; the variables that it reads stand from 1 on."""

    size: int
    body: Expression


# -- asks and checks ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Of the state, field by field. `named` are for each field the vocabularies by whose names it may be
    spelled."""

    fields: tuple[str, ...]
    type: Type
    named: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Need:
    """A finding, unless the place is there; `some`: an empty list is not enough. A map there has a value for
    each of `names`."""

    place: Place
    when: Expression | None
    some: bool
    names: Expression | None
    source: tables.Need


@dataclass(frozen=True, slots=True)
class Draw:
    """One of the options. A record tells at `recorded` which: the option that is equal to what stands there,
    or whose field `compared` is."""

    slot: Slot
    options: Expression
    recorded: Place | None
    compared: str | None
    source: tables.Draw


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the condition is true, all answers below are null."""

    condition: Expression
    source: tables.Stop


@dataclass(frozen=True, slots=True)
class Answer:
    """`listed`: what stands for it while a draw above is open."""

    name: str
    value: Expression
    when_open: WhenOpen
    listed: Expression | None
    source: tables.AnswerField


@dataclass(frozen=True, slots=True)
class Next:
    """The other ask comes next, where `when` is true in every outcome."""

    ask: str
    when: Expression
    source: tables.Next


AskRow = Need | Step | Draw | Stop | Answer | Next


@dataclass(frozen=True, slots=True)
class Ask:
    """All its rows share a frame."""

    name: str
    parameters: tuple[Slot, ...]
    size: int
    rows: tuple[AskRow, ...]
    source: tables.Ask

    @property
    def answers(self) -> tuple[Answer, ...]:
        return tuple(row for row in self.rows if isinstance(row, Answer))


@dataclass(frozen=True, slots=True)
class Counted:
    """Of the items at the places that it `concerns` the one whose `by` was there `at_most` times already is
    wrong. Null is not counted."""

    places: tuple[Place, ...]
    item: Slot
    concerns: Expression
    by: Expression
    at_most: int
    source: tables.Counted


@dataclass(frozen=True, slots=True)
class Consistency:
    """Of each item at the places `wrong_if` must not be true; without places it is asked once. `key` is bound
    where the item stands in a map, `position` where it stands in a list."""

    each: tuple[Place, ...]
    item: Slot | None
    key: Slot | None
    position: Slot | None
    wrong_if: Expression
    source: tables.Consistency


Check = Counted | Consistency


@dataclass(frozen=True, slots=True)
class Checks:
    """All its rows share a frame."""

    name: str
    size: int
    rows: tuple[Check, ...]
