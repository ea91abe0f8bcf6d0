"""The steps of an answer, as they happened: each names what it is of, and what values it met.

The rest is found when somebody asks: names and cells, why a condition is what it is, and values with their
static types, so that they can be shown by their labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, assert_never, dataclass_transform

from dtables.feel.types import (
    AnyType,
    BooleanType,
    ListType,
    NullType,
    NumberType,
    Type,
    UnknownType,
    may_be_null,
    plain,
)
from dtables.feel.values import Value
from dtables.model.expressions import (
    Arithmetic,
    CallBuiltin,
    Comparison,
    Conditional,
    Constant,
    Expression,
    Filter,
    For,
    Guard,
    Holds,
    InList,
    Logic,
    Matches,
    Negation,
    Not,
    Quantified,
    Quantifier,
    Test,
    Variable,
)
from dtables.model.tables import (
    AnswerField,
    Condition,
    Criterion,
    Decision,
    Dice,
    Field,
    Formula,
    Heading,
    Matrix,
    Parameter,
    Policy,
    Record,
    Rule,
    Ruleset,
    Scale,
    Subject,
    SwitchRule,
    Words,
)
from dtables.model.tables import Step as FormulaStep
from dtables.provenance import CellRef

Class = TypeVar("Class")
Seen = dict[int, Value]
"""Values by the identity of the expression: alike expressions may stand in several places."""


@dataclass_transform(eq_default=False, frozen_default=True)
def unchanging(cls: type[Class]) -> type[Class]:
    """Frozen for whoever checks the types, and equal only to itself; at run time it is not kept from being
    changed, since making one would take four times as long: there are hundreds of steps in an answer."""
    return dataclass(slots=True, eq=False)(cls)


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
Given = Sequence[Value]
"""What something was called with, in the order of its parameters."""


@unchanging
class Reckoned:
    """What a formula, or a step of one, came to; or a loop for the items it was at (then it has no name).
    `parts` are the values of parts of a condition."""

    of: Formula | FormulaStep | For
    given: Given
    value: Value
    parts: Seen | None
    inside: tuple[Step, ...]

    @property
    def name(self) -> str:
        """Of the formula or step; empty of a loop."""
        match self.of:
            case Formula(heading=heading):
                return heading.name
            case FormulaStep(variable=variable):
                return variable.name
            case For():
                return ""

    @property
    def arguments(self) -> Arguments:
        """What it was called with; of a loop the items it was at."""
        match self.of:
            case For(bindings=bindings):
                return _shown([binding.variable for binding in bindings], self.given)
            case of:
                return _shown(of.parameters, self.given)

    @property
    def result(self) -> Shown:
        return Shown(self.value, self.worked_out.type)

    @property
    def cell(self) -> CellRef:
        return self.of.result.where.cell if isinstance(self.of, For) else self.of.cell

    @property
    def words(self) -> Words:
        return () if isinstance(self.of, For) else self.of.words

    @property
    def reasons(self) -> Reasons:
        return reasons((self.worked_out,), self.parts)

    @property
    def worked_out(self) -> Expression:
        """What came to the value."""
        return self.of.value if isinstance(self.of, FormulaStep) else self.of.result


@unchanging
class Computed:
    """A computed field of a record, where it was first read."""

    record: Record
    field: Field
    holder: Value
    value: Value
    parts: Seen | None
    inside: tuple[Step, ...]

    @property
    def name(self) -> str:
        return self.field.name

    @property
    def of(self) -> Shown:
        return Shown(self.holder, self.record.this.type)

    @property
    def result(self) -> Shown:
        return Shown(self.value, self.field.type)

    @property
    def cell(self) -> CellRef:
        return self.field.where

    @property
    def reasons(self) -> Reasons:
        return () if self.field.computed is None else reasons((self.field.computed,), self.parts)


@unchanging
class Judged:
    """An item that a filter looked at; of one that it dropped also why."""

    filter: Filter
    value: Value
    kept: bool
    parts: Seen | None
    inside: tuple[Step, ...]

    @property
    def item(self) -> Shown:
        return Shown(self.value, self.filter.item.type)

    @property
    def reasons(self) -> Reasons:
        return reasons((self.filter.condition,), self.parts)


@unchanging
class Filtered:
    """A filter; without items where its condition itself shows what it drops. The items that a step of a turn
    tries, up to the first that works, are traced like those of a filter: it is `tried_by` the step there."""

    items: tuple[Judged, ...]
    calls: bool
    cell: CellRef
    tried_by: CellRef | None = None


@unchanging
class Failed:
    """A cell whose condition did not hold."""

    subject: Subject
    condition: Condition
    value: Value
    parts: Seen | None

    @property
    def column(self) -> str:
        return self.subject.name

    @property
    def seen(self) -> Shown | None:
        """In its column; None: the cell is a whole condition."""
        expression = self.subject.value
        return None if expression is None else Shown(self.value, expression.type)

    @property
    def wanted(self) -> str:
        """As it is written."""
        return self.condition.written

    @property
    def tests(self) -> tuple[Test, ...]:
        return self.condition.tests

    @property
    def reasons(self) -> Reasons:
        return reasons(whole(self.condition), self.parts)

    @property
    def cell(self) -> CellRef:
        return self.condition.cell


@unchanging
class NothingToTake:
    """All conditions held, but the `take` cell gave null."""

    cell: CellRef


@unchanging
class Fired:
    """`cell` is the row's first outcome; `parts` are the values of what its outcomes are made of."""

    cell: CellRef
    written: str
    parts: Seen | None = None


@unchanging
class Tried:
    """A row of a decision. `inside` has what was worked out for it first."""

    decision: Decision
    rule: Rule
    outcome: Failed | NothingToTake | Fired
    inside: tuple[Step, ...]

    @property
    def number(self) -> str:
        return self.rule.number

    @property
    def where(self) -> CellRef:
        return self.rule.where

    @property
    def words(self) -> Words:
        return self.rule.words

    @property
    def conditions(self) -> tuple[tuple[str, tuple[Test, ...]], ...]:
        """Its columns and what its cells want, but for those that want nothing."""
        return tuple(
            (subject.name if subject.value is not None else "", condition.tests)
            for subject, condition in zip(self.decision.subjects, self.rule.conditions, strict=True)
            if condition.tests
        )


FIRED = -1
NOTHING_TO_TAKE = -2


class RowsTried:
    """The rows of a decision that were tried, and what became of each: the place of the cell that failed,
    among those that want something; FIRED; or NOTHING_TO_TAKE less the place of the outcome that gave null.
    `seen` are the values of the columns."""

    __slots__ = ("_made", "_more", "_rows", "decision", "fates", "given", "seen")

    def __init__(self, decision: Decision) -> None:
        self.decision = decision
        self.fates: list[int] = []
        self.seen: Sequence[Value] = ()
        self.given: Sequence[Sequence[Value]] = ()
        """Of the rows that fired the values of their outcomes."""
        self._more: dict[int, tuple[Seen | None, tuple[Step, ...]]] | None = None
        self._made: dict[int, Seen] | None = None
        self._rows: tuple[Tried, ...] | None = None

    def add(self, fate: int, parts: Seen | None, inside: tuple[Step, ...]) -> None:
        """A row with more details than whether it fired."""
        if self._more is None:
            self._more = {}
        self._more[len(self.fates)] = parts, inside
        self.fates.append(fate)

    def made_of(self, parts: Seen) -> None:
        """The values that the outcomes of the row tried last are made of."""
        if self._made is None:
            self._made = {}
        self._made[len(self.fates) - 1] = parts

    @property
    def inside(self) -> Iterator[Step]:
        """What was worked out for the rows."""
        for _, steps in (self._more or {}).values():
            yield from steps

    def read(self) -> tuple[Tried, ...]:
        """They are made when somebody reads them: of a large table that is seldom."""
        if self._rows is None:
            self._rows = tuple([self._row(number, fate) for number, fate in enumerate(self.fates)])
        return self._rows

    def _row(self, number: int, fate: int) -> Tried:
        rule = self.decision.rules[number]
        parts, inside = (self._more or {}).get(number, (None, ()))
        made = (self._made or {}).get(number) if fate == FIRED else parts
        return Tried(self.decision, rule, self._outcome(rule, fate, made), inside)

    def _outcome(self, rule: Rule, fate: int, parts: Seen | None) -> Failed | NothingToTake | Fired:
        if fate == FIRED:
            return Fired(rule.outcomes[0].cell, rule.outcomes[0].written, parts)
        if fate <= NOTHING_TO_TAKE:
            return NothingToTake(rule.outcomes[NOTHING_TO_TAKE - fate].cell)
        column = [place for place, condition in enumerate(rule.conditions) if condition.tests][fate]
        return Failed(self.decision.subjects[column], rule.conditions[column], self.seen[column], parts)


@unchanging
class Decided:
    """`otherwise` is the cell that gave the value when no row fired."""

    decision: Decision
    given: Given
    rows: RowsTried
    otherwise: CellRef | None
    value: Value
    inside: tuple[Step, ...]

    @property
    def tried(self) -> tuple[Tried, ...]:
        return self.rows.read()

    @property
    def heading(self) -> Heading:
        return self.decision.heading

    @property
    def policy(self) -> Policy:
        return self.decision.policy

    @property
    def arguments(self) -> Arguments:
        return _shown(self.decision.parameters, self.given)

    @property
    def result(self) -> Shown:
        return Shown(self.value, self.decision.type)


@unchanging
class Narrowed:
    """A row of a scale that was read: who is left after it and who dropped, as positions in the list of
    candidates. `values` are those of `by` for those it concerns. `scale` is the scale the row stands in."""

    scale: str
    criterion: Criterion
    values: dict[int, Value]
    left: tuple[int, ...]
    dropped: tuple[int, ...]
    inside: tuple[Step, ...]

    @property
    def number(self) -> str:
        return self.criterion.number

    @property
    def cell(self) -> CellRef:
        return self.criterion.cell

    @property
    def seen(self) -> tuple[tuple[int, Shown], ...]:
        """The values of `by`, each with its candidate's position."""
        by = self.criterion.by
        return () if by is None else tuple([(q, Shown(value, by.type)) for q, value in self.values.items()])


@unchanging
class Chosen:
    """A scale: `left` are the positions of the chosen one, or of the equals."""

    table: Scale
    given: Given
    listed: Sequence[Value]
    rows: tuple[Narrowed, ...]
    left: tuple[int, ...]
    value: Value
    inside: tuple[Step, ...]

    @property
    def heading(self) -> Heading:
        return self.table.heading

    @property
    def arguments(self) -> Arguments:
        return _shown(self.table.parameters[1:], self.given)

    @property
    def candidates(self) -> tuple[Shown, ...]:
        return tuple([Shown(candidate, self.table.item.type) for candidate in self.listed])

    @property
    def decided(self) -> Narrowed | None:
        """The row after which one was left."""
        deciding = [row for row in self.rows if len(row.left) == 1 and row.dropped]
        return deciding[-1] if deciding and len(self.left) == 1 else None

    @property
    def result(self) -> Shown:
        return Shown(self.value, self.table.type)


@unchanging
class Ranked:
    """The tiers that a scale makes of a list, and the rows that were read for one tier after another: of each
    tier the positions of its members in the list, and how many rows were read by then."""

    table: Scale
    listed: Sequence[Value]
    places: tuple[tuple[tuple[int, ...], int], ...]
    tiers: list[Value]
    rows: tuple[Narrowed, ...]

    @property
    def heading(self) -> Heading:
        return self.table.heading

    @property
    def candidates(self) -> tuple[Shown, ...]:
        return tuple([Shown(candidate, self.table.item.type) for candidate in self.listed])

    def parting(self, tier: int) -> Narrowed | None:
        """The row that put the tier after this one behind it; none behind the last."""
        if tier + 1 >= len(self.places):
            return None
        start = self.places[tier - 1][1] if tier else 0
        (behind, *_), _ = self.places[tier + 1]
        read = self.rows[start : self.places[tier][1]]
        return next((row for row in read if behind in row.dropped), None)

    @property
    def result(self) -> Shown:
        return Shown(self.tiers, ListType(ListType(self.table.item.type)))


@unchanging
class LookedUp:
    """An entry of a matrix or of a dice table."""

    table: Matrix | Dice
    given: Given
    cell: CellRef
    value: Value

    @property
    def heading(self) -> Heading:
        return self.table.heading

    @property
    def arguments(self) -> Arguments:
        return _shown(self.table.parameters, self.given)

    @property
    def result(self) -> Shown:
        return Shown(self.value, self.table.type)


@unchanging
class SwitchRead:
    """`recorded`: the record overrides the workbook's default."""

    rule: SwitchRule
    result: Shown
    recorded: bool

    @property
    def name(self) -> str:
        return self.rule.name

    @property
    def cell(self) -> CellRef:
        return self.rule.cell

    @property
    def words(self) -> Words:
        return self.rule.words


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
    """One field of the answer. `parts` are the values that it is made of, where only one can come of it."""

    of: AnswerField
    result: Shown
    any_of: tuple[Shown, ...]
    parts: Seen | None
    inside: tuple[Step, ...]

    @property
    def name(self) -> str:
        return self.of.name

    @property
    def cell(self) -> CellRef:
        return self.of.cell

    @property
    def words(self) -> Words:
        return self.of.words


@unchanging
class Demanded:
    """An ask that the rules demand next; `words` give the reason."""

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
        case Decided(rows=rows, inside=inside):
            return (*rows.inside, *inside)
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


# -- reasons -----------------------------------------------------------------------------------


def whole(condition: Condition) -> tuple[Expression, ...]:
    """Of a cell its whole conditions; a plain test shows itself what it expects."""
    return tuple([test.condition for test in condition.tests if isinstance(test, Holds)])


def _shown(parameters: Sequence[Parameter | Variable], given: Given) -> Arguments:
    return tuple([(one.name, Shown(value, one.type)) for one, value in zip(parameters, given, strict=True)])


def reasons(conditions: tuple[Expression, ...], seen: Seen | None) -> Reasons:
    """Which parts made conditions what they are, by the values that their parts had. Nothing is worked out
    here: a part that was never reached (the right side of an `and` that the left one settled) has no value
    and is no reason."""
    if seen is None:
        return ()
    return tuple([reason for condition in conditions for reason in _reasons(condition, seen)])


def _reasons(part: Expression, seen: Seen) -> Iterator[Reason]:
    if id(part) not in seen:
        return
    match part:
        case Logic():
            yield from _of_logic(part, seen)
        case Not(operand=operand) | Guard(operand=operand):
            yield from _reasons(operand, seen)
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            chosen = then if seen.get(id(condition)) is True else otherwise
            yield from _reasons(condition if isinstance(chosen, Constant) else chosen, seen)
        case Quantified(quantifier=Quantifier.EVERY, condition=condition) if seen[id(part)] is False:
            # the loop ended with the item that failed
            yield from _reasons(condition, seen)
        case Constant():
            return
        case _:
            yield from _leaf(part, looked_at(part), seen)


def looked_at(part: Expression) -> tuple[Expression, ...]:
    """The expressions whose values a part of a condition compares."""
    match part:
        case Comparison(left=left, right=right):
            return (left, right)
        case Matches(value=value, tests=(InList(list=listed),)):
            return (value, listed)
        case Matches(value=value):
            return (value,)
        case _:
            return (part,)


def _of_logic(part: Logic, seen: Seen) -> Iterator[Reason]:
    """Of an `and` that failed the parts that failed; of an `or` that held those that held."""
    value = seen[id(part)]
    for side in (part.left, part.right):
        if id(side) in seen and seen[id(side)] is value:
            yield from _reasons(side, seen)


def _leaf(part: Expression, compared: tuple[Expression, ...], seen: Seen) -> Iterator[Reason]:
    value = seen[id(part)]
    if all(id(one) in seen for one in compared) and (value is None or isinstance(value, bool)):
        yield Reason(part, tuple(Shown(seen[id(one)], one.type) for one in compared), value)


# -- what numbers are made of -------------------------------------------------------------------

MADE = ("count", "sum", "min", "max", "floor", "ceiling", "abs")
"""Functions of which an explanation shows what they were called with."""


def is_made(part: Expression) -> bool:
    """Say whether a number is made of others, which an explanation shows."""
    match part:
        case Arithmetic() | Negation():
            return isinstance(plain(part.type), NumberType)
        case CallBuiltin(builtin=builtin):
            return builtin in MADE
        case Guard(operand=operand):
            return is_made(operand)
        case Conditional(then=then, otherwise=otherwise):
            return is_made(then) or is_made(otherwise)
        case _:
            return False


def operands(part: Expression) -> Iterator[Expression]:
    """Go through the parts that a number is made of, outermost first, with and without their guards."""
    match part:
        case Arithmetic(left=left, right=right):
            parts: tuple[Expression, ...] = (left, right)
        case Negation(operand=operand) | Guard(operand=operand):
            parts = (operand,)
        case CallBuiltin(builtin=builtin, arguments=arguments) if builtin in MADE:
            parts = arguments
        case Conditional(then=then, otherwise=otherwise):
            parts = (then, otherwise)
        case _:
            return
    for one in parts:
        yield one
        yield from operands(one)


# -- what reasons look at ----------------------------------------------------------------------


def bears_reasons(part: Expression) -> bool:
    """Tell whether there can be any reason at all."""
    match part:
        case Logic():
            return True
        case Not(operand=operand) | Guard(operand=operand):
            return bears_reasons(operand)
        case Conditional(then=then, otherwise=otherwise):
            constant = isinstance(then, Constant) or isinstance(otherwise, Constant)
            return constant or bears_reasons(then) or bears_reasons(otherwise)
        case Constant():
            return False
        case _:
            kinds = (BooleanType, NullType, AnyType, UnknownType)
            return may_be_null(part.type) or isinstance(plain(part.type), kinds)


def parts_looked_at(part: Expression) -> Iterator[Expression]:
    """Yield the parts whose values reasons may want."""
    yield part
    match part:
        case Logic(left=left, right=right):
            yield from parts_looked_at(left)
            yield from parts_looked_at(right)
        case Not(operand=operand) | Guard(operand=operand):
            yield from parts_looked_at(operand)
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            for one in (condition, then, otherwise):
                yield from parts_looked_at(one)
        case Quantified(quantifier=Quantifier.EVERY, condition=condition):
            yield from parts_looked_at(condition)
        case Constant():
            return
        case _:
            yield from looked_at(part)
