"""What a log may ask and how it is tried: asks, checks of a record, examples, pages; inert."""

from __future__ import annotations

from dataclasses import dataclass

from dtables.feel.values import Plain
from dtables.merging import WhenOpen
from dtables.model.expressions import Expression, Test, Variable
from dtables.model.functions import Step
from dtables.model.vocabularies import ENGLISH, Heading, Parameter, Words, in_language
from dtables.provenance import CellRef, Location


@dataclass(frozen=True, slots=True)
class Place:
    """A path into the state, field by field: `solo.wonders.card` walks the lists on its way."""

    fields: tuple[str, ...]
    where: Location

    def __str__(self) -> str:
        return ".".join(("state", *self.fields))


@dataclass(frozen=True, slots=True)
class Need:
    """The place must be there when `when` is true (None: always); `some`: nor be an empty list;
    `names`: a list of names that the map there must have a value for."""

    place: Place
    when: Expression | None
    some: bool
    where: CellRef
    names: Expression | None = None


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


@dataclass(frozen=True, slots=True)
class Next:
    """Another ask that the rules demand after this one, where `when` is true: in every outcome, while a draw
    above is open."""

    ask: str
    when: Expression
    where: CellRef
    cell: CellRef
    words: Words = ()


AskRow = Need | Step | Draw | Stop | AnswerField | Next


@dataclass(frozen=True, slots=True)
class Ask:
    """What a log may ask for. One with parameters is only called by others' answers."""

    heading: Heading
    main: bool
    parameters: tuple[Parameter, ...]
    rows: tuple[AskRow, ...]
    context: tuple[Place, ...] = ()
    """What an audit shows beside a turn, and counts by."""

    @property
    def leads_on(self) -> bool:
        """Whether another ask may come next."""
        return any(isinstance(row, Next) for row in self.rows)


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

    @property
    def wanted(self) -> str:
        """What a finding says would have been right, in English if the workbook says it so."""
        return _in_a_language(self.words)


@dataclass(frozen=True, slots=True)
class Consistency:
    """For every item of `each` (or once, without) `wrong_if` must not be true. `at` is the path below
    the item, or below `state`. `key` is bound to the map's key where the items stand in a map, `position`
    to the place, counted from 1, where they stand in a list."""

    number: str
    asks: tuple[str, ...]
    each: tuple[Place, ...]
    item: Variable | None
    key: Variable | None
    wrong_if: Expression
    at: tuple[str, ...]
    words: Words
    where: CellRef
    position: Variable | None = None

    @property
    def wanted(self) -> str:
        """What a finding says would have been right, in English if the workbook says it so."""
        return _in_a_language(self.words)


def _in_a_language(words: Words) -> str:
    """A finding speaks English where it can."""
    return in_language(words, ENGLISH, "a value that fits")


@dataclass(frozen=True, slots=True)
class Checks:
    """A table of checks, in the order in which they are made."""

    heading: Heading
    rows: tuple[Counted | Consistency, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """What one cell of an example expects. `name` is an answer field, or None for the whole value."""

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
    next: Expected | None = None


@dataclass(frozen=True, slots=True)
class Examples:
    """Tests of an ask or of one table."""

    heading: Heading
    ask: str | None
    table: str | None
    rows: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class PageRow:
    """One block of a page; `settings` are the further cells by column (`face`, `size`, `for`…)."""

    table: str
    settings: tuple[tuple[str, str], ...]
    words: Words
    where: CellRef
    title: Words = ()
    note: Words = ()

    def setting(self, column: str) -> str:
        """Return the cell of a further column as it is written; "" where it is blank. `page` is `face`."""
        return dict(self.settings).get("face" if column == "page" else column, "")


@dataclass(frozen=True, slots=True)
class Pages:
    """A table of pages; several are printed in the order of the workbook. `colour` is the cards', `index`
    the card that lists them all, `credit` names the authors."""

    heading: Heading
    rows: tuple[PageRow, ...]
    colour: str = ""
    index: str = ""
    credit: Words = ()


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the glossary that is no name of a vocabulary: a field, a table, a title."""

    id: str
    words: Words
    spellings: tuple[str, ...]
    where: CellRef
