"""What a checked workbook is: vocabularies, records and tables, each with its cells; inert.

The order of every tuple is the workbook's. `where` of a row is its first cell, `cell` of an outcome
the cell that says it: explanations and generated code quote them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from dtables.feel.types import Type
from dtables.feel.values import Plain
from dtables.model.expressions import Expression, Test, Variable
from dtables.provenance import CellRef, Location

Words = tuple[tuple[str, str], ...]
"""Language and wording, e.g. (("it", "la meno cara"), ("en", "the cheapest")); "" is any language."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What every table has. `source` is kept as written, id by id (`A-19`, `D-37..D-47`)."""

    name: str
    where: Location
    title: Words = ()
    note: Words = ()
    source: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    variable: Variable

    @property
    def type(self) -> Type:
        return self.variable.type


# -- vocabularies and records ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Badge:
    """How a name is drawn on a page; a colour is never alone."""

    colour: str | None = None
    shape: str | None = None
    letter: str | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """One name of a vocabulary. `spellings` are further ways to write it in any language."""

    id: str
    words: Words
    spellings: tuple[str, ...]
    where: CellRef
    badge: Badge | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row of data: a constant expression for each stored field of the table's record."""

    values: tuple[tuple[str, Expression], ...]
    where: CellRef


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A closed list of names. Where `record` is set its values are rows (keyed data, level settings,
    a vocabulary made of another plus further names); `rows` then has one for each of the root's
    names. A narrowed vocabulary has another `root` than its own name, and no rows of its own."""

    name: str
    root: str
    names: tuple[Label, ...]
    where: Location
    record: str | None = None
    rows: tuple[Row, ...] = ()
    words: Words = ()
    source: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Restriction:
    """`age | whole number | [1..3]`: tests that a value read from a record or a cell must pass."""

    name: str
    type: Type
    subject: Variable
    tests: tuple[Test, ...]
    where: CellRef
    written: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """The same, for one field."""

    subject: Variable
    tests: tuple[Test, ...]
    written: str


@dataclass(frozen=True, slots=True)
class Field:
    """`computed` fields are worked out when read and never come from a log. `default` is None where
    a record may lack the field only if its type has `?`. `fixed` fields are given by the place a
    record stands in; the input's fields say which."""

    name: str
    type: Type
    where: CellRef
    default: Expression | None = None
    computed: Expression | None = None
    allowed: Allowed | None = None
    words: Words = ()
    help: Words = ()


@dataclass(frozen=True, slots=True)
class Record:
    """`this` is what computed fields read: the record itself."""

    name: str
    fields: tuple[Field, ...]
    this: Variable
    where: Location
    heading: Heading | None = None
    readable_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fixed:
    """`solo | city | fixed: who: solo`: in a record that stands at `input`, `field` is `value`."""

    input: str
    field: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Input:
    """The turn's state. `state` is the record with all its fields (of all `Input:` tables)."""

    headings: tuple[Heading, ...]
    state: Record
    fixed: tuple[Fixed, ...] = ()


@dataclass(frozen=True, slots=True)
class Data:
    """A data table without key: a constant list of records, read by the table's name."""

    heading: Heading
    record: str
    rows: tuple[Row, ...]


# -- functions ---------------------------------------------------------------------------------


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


@dataclass(frozen=True, slots=True)
class Subject:
    """A condition column. Its expression is read once into `variable`; a column without name has
    none (`value` is None) and its cells are whole conditions (`Holds`)."""

    name: str
    variable: Variable
    value: Expression | None
    where: CellRef


class OutcomeKind(StrEnum):
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
    value: Expression
    cell: CellRef
    written: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A row. One condition per subject, one outcome per outcome column."""

    number: str
    conditions: tuple[Condition, ...]
    outcomes: tuple[Outcome, ...]
    where: CellRef
    words: Words = ()


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
    """No rule fires and no `otherwise`: an error, or (the standard's models) null."""


class Others(StrEnum):
    LAST = "last"
    STAY = "stay"
    SKIP = "skip"


class Prefer(StrEnum):
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
    """`cells` has one place per element where the value is an ordered list down a column."""

    keys: tuple[Expression, ...]
    value: Expression
    cells: tuple[CellRef, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """A value for every combination of its keys."""

    heading: Heading
    parameters: tuple[Parameter, ...]
    type: Type
    entries: tuple[MatrixEntry, ...]
    down: bool = False
    words: Words = ()


@dataclass(frozen=True, slots=True)
class DiceEntry:
    """For one kind of die: the totals low..high give this outcome."""

    die: str
    low: int
    high: int
    outcome: Expression
    cell: CellRef


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


# -- asks --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """A path into the state, field by field: `solo.wonders.card` walks the lists on its way."""

    fields: tuple[str, ...]
    where: Location

    def __str__(self) -> str:
        return ".".join(("state", *self.fields))


@dataclass(frozen=True, slots=True)
class Need:
    """The place must be there when `when` is true (None: always); `some`: nor be an empty list."""

    place: Place
    when: Expression | None
    some: bool
    where: CellRef


@dataclass(frozen=True, slots=True)
class Draw:
    """One of equally good values. `recorded` is where a record tells which; `by` the field of the
    candidate that is compared with it. `options` is a list."""

    variable: Variable
    options: Expression
    recorded: Place | None
    by: str | None
    where: CellRef
    cell: CellRef
    words: Words = ()


@dataclass(frozen=True, slots=True)
class Stop:
    """When true, all answer rows below are null, without `any_of`."""

    condition: Expression
    where: CellRef


class WhenOpen(StrEnum):
    MERGED = "merged"
    NULL = "null"
    LISTED = "listed"


@dataclass(frozen=True, slots=True)
class AnswerField:
    """`listed` is the list that stands in `any_of` while a draw above is open (WhenOpen.LISTED)."""

    name: str
    value: Expression
    when_open: WhenOpen
    listed: Expression | None
    where: CellRef
    cell: CellRef
    words: Words = ()


AskRow = Need | Step | Draw | Stop | AnswerField


@dataclass(frozen=True, slots=True)
class Ask:
    """What a log may ask for. One with parameters is only called by others' answers."""

    heading: Heading
    main: bool
    parameters: tuple[Parameter, ...]
    rows: tuple[AskRow, ...]


# -- checks, examples, pages -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Counted:
    """Places read in order; the value whose `by` was there `at_most` times already is wrong."""

    number: str
    asks: tuple[str, ...]
    places: tuple[Place, ...]
    item: Variable
    only_for: tuple[Test, ...]
    subject: Variable
    by: Expression
    at_most: int
    words: Words
    where: CellRef


@dataclass(frozen=True, slots=True)
class Consistency:
    """For every item of `each` (or once, without) `wrong_if` must not be true. `at` is the path below
    the item, or below `state`. `key` is bound to the map's key where the items stand in a map."""

    number: str
    asks: tuple[str, ...]
    each: tuple[Place, ...]
    item: Variable | None
    key: Variable | None
    wrong_if: Expression
    at: tuple[str, ...]
    words: Words
    where: CellRef


@dataclass(frozen=True, slots=True)
class Checks:
    heading: Heading
    rows: tuple[Counted | Consistency, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """What one cell of an example wants. `name` is an answer field, or None for the whole value."""

    name: str | None
    value: Plain
    cell: CellRef


@dataclass(frozen=True, slots=True)
class Example:
    """`given` is a state or the arguments of a table, as a log would write them; `rejected` the path
    at which the record must be rejected."""

    number: str
    given: Plain
    arguments: tuple[tuple[str, Plain], ...]
    expected: tuple[Expected, ...]
    any_of: tuple[Expected, ...]
    rejected: str | None
    where: CellRef
    words: Words = ()


@dataclass(frozen=True, slots=True)
class Examples:
    """Tests of an ask or of one table."""

    heading: Heading
    ask: str | None
    table: str | None
    rows: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class PageRow:
    """One block of a page; `settings` are the further cells by column (`page`, `size`, `for`…)."""

    table: str
    settings: tuple[tuple[str, str], ...]
    words: Words
    where: CellRef


@dataclass(frozen=True, slots=True)
class Pages:
    heading: Heading
    rows: tuple[PageRow, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the glossary that is no name of a vocabulary: a field, a table, a title."""

    id: str
    words: Words
    spellings: tuple[str, ...]
    where: CellRef


# -- all of it ---------------------------------------------------------------------------------

Table = Formula | Decision | Scale | Matrix | Dice


def table_name(table: Table) -> str:
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
