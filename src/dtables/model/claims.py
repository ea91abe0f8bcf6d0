"""What the cells of a decision say: of which values, and what of them they let through.

A cell under a name speaks of the value over its column. A whole condition may speak of several values, and is
then read as tests of theirs: `x > 3 and y in [1..2]` says something of x and something of y.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from dtables.feel import types
from dtables.feel.types import Type, may_be_null, plain
from dtables.model.expressions import (
    Compared,
    Comparison,
    Constant,
    EqualTo,
    Expression,
    Guard,
    Holds,
    Logic,
    Matches,
    NoneOf,
    Not,
    Test,
)
from dtables.model.grid import Meeting, grid, meeting
from dtables.model.regions import Line, Names, Region, known_value, line_of, region
from dtables.model.tables import Condition, Decision, OutcomeColumn, OutcomeKind, Rule, Subject

LineOf = Callable[[Type, Names, Iterable[Sequence[Test]]], Line | None]


class OnNull(Enum):
    """What null is to a claim that does not hold of it. In a whole condition it may be a failure: at once,
    where a value is needed, or in the end, unless another part of the condition is false."""

    FALSE = "false"
    UNDECIDED = "undecided"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Claim:
    """That `region` has the value. Where that is None only evaluation can tell whether the value passes one
    of the `opaque` tests; without a value, whether one of them holds; without tests, whether it is null."""

    value: Expression | None
    region: Region | None
    opaque: tuple[Test, ...] = ()
    column: int | None = None
    """The condition column that says it; None of an outcome that may be nothing."""
    on_null: OnNull = OnNull.FALSE


def fails(row: Sequence[Claim], holds: Callable[[Claim], bool], is_null: Callable[[Claim], bool]) -> bool:
    """Does looking at a row fail, where it is known which claims hold and of which the value is null? They
    are asked in the order in which cells are worked out, as far as they are."""
    undecided: int | None = None
    for claim in row:
        if undecided is not None and claim.column != undecided:
            return True
        if claim.on_null is OnNull.FAILURE and is_null(claim):
            return True
        if holds(claim):
            continue
        if claim.on_null is not OnNull.UNDECIDED or not is_null(claim):
            return False
        undecided = claim.column
    return undecided is not None


class Claims(NamedTuple):
    """What each row claims, and of every value that has a line the line and all tests of the value."""

    rows: list[list[Claim]]
    lines: dict[Expression, Line]
    tests: dict[Expression, list[Test]]


def claims(decision: Decision, names: Names, line: LineOf = line_of) -> Claims:
    """`line` may lay the values of a type out in another order than `line_of` does."""
    statements = [list(_of_rule(decision, rule)) for rule in decision.rules]
    tests = _tests(decision, statements)
    found = {value: line(value.type, names, [asked]) for value, asked in tests.items()}
    lines = {value: on for value, on in found.items() if on is not None}
    reading = _Reading(lines, names)
    return Claims([[reading.claim(one) for one in row] for row in statements], lines, tests)


def _tests(decision: Decision, statements: list[list[_Statement]]) -> dict[Expression, list[Test]]:
    """All that is asked of each value."""
    found: dict[Expression, list[Test]] = {}
    for n, subject in enumerate(decision.subjects):
        if subject.value is not None:
            asked = (test for rule in decision.rules for test in rule.conditions[n].tests)
            found.setdefault(subject.value, []).extend(asked)
    for way in (way for row in statements for one in row if one.written is None for way in one.ways()):
        if way.value is not None:
            found.setdefault(way.value, []).extend(way.tests)
    return found


def may_not_fire(column: OutcomeColumn, value: Expression) -> bool:
    """Say whether a row fires only where this outcome of it is not null."""
    return column.kind is OutcomeKind.TAKE and may_be_null(value.type)


class _Statement(NamedTuple):
    """`otherwise` is what the cell says instead where these tests are no region."""

    value: Expression | None
    tests: tuple[Test, ...]
    column: int | None = None
    otherwise: _Statement | None = None
    written: str | None = None
    """Of a cell that speaks of the value over its column, its text: the same one says the same."""
    on_null: OnNull = OnNull.FALSE

    def of_column(self, column: int) -> _Statement:
        otherwise = None if self.otherwise is None else self.otherwise.of_column(column)
        return self._replace(column=column, otherwise=otherwise)

    def ways(self) -> Iterator[_Statement]:
        yield self
        if self.otherwise is not None:
            yield from self.otherwise.ways()


@dataclass(frozen=True, slots=True)
class _Reading:
    lines: dict[Expression, Line]
    names: Names
    known: dict[tuple[int | None, str], Region | None] = field(default_factory=dict)

    def claim(self, statement: _Statement) -> Claim:
        lets = self._region(statement)
        if lets is not None:
            return Claim(statement.value, lets, (), statement.column, statement.on_null)
        if statement.otherwise is not None:
            return self.claim(statement.otherwise)
        return Claim(statement.value, None, statement.tests, statement.column)

    def _region(self, statement: _Statement) -> Region | None:
        if not statement.written:
            return self._read(statement)
        cell = statement.column, statement.written
        if cell not in self.known:
            self.known[cell] = self._read(statement)
        return self.known[cell]

    def _read(self, statement: _Statement) -> Region | None:
        on = None if statement.value is None else self.lines.get(statement.value)
        return None if on is None or not statement.tests else region(statement.tests, on, self.names)


def _of_rule(decision: Decision, rule: Rule) -> Iterator[_Statement]:
    for n, (subject, condition) in enumerate(zip(decision.subjects, rule.conditions, strict=True)):
        yield from _of_cell(subject, condition, n)
    for column, outcome in zip(decision.outcomes, rule.outcomes, strict=True):
        if may_not_fire(column, outcome.value):
            yield _Statement(outcome.value, ())


def _of_cell(subject: Subject, condition: Condition, column: int) -> Iterable[_Statement]:
    match condition.tests:
        case ():
            return ()
        case (Holds(condition=whole),) if subject.value is None:
            return [one.of_column(column) for one in _of_condition(whole, isinstance(whole, Guard))]
        case tests:
            return (
                _Statement(
                    subject.value, tests, column, None, None if subject.value is None else condition.written
                ),
            )


# -- whole conditions ----------------------------------------------------------------------------


def _of_condition(condition: Expression, needed: bool) -> Iterator[_Statement]:
    """`needed`: it is a failure where the whole condition is null."""
    match condition:
        case Guard(operand=operand):
            yield from _of_condition(operand, needed)
        case Logic(operator="and", left=left, right=right):
            yield from _of_condition(left, needed)
            yield from _of_condition(right, needed)
        case Comparison():
            yield _compared(condition, _held(condition))
        case Matches(value=value, tests=tests):
            yield _Statement(_bare(value), tests, otherwise=_held(condition), on_null=_on_null(value))
        case Not(operand=operand):
            yield _denied(condition, operand, needed)
        case _:
            yield _held(condition, needed=needed)


def _on_null(value: Expression) -> OnNull:
    return OnNull.FAILURE if isinstance(value, Guard) else OnNull.FALSE


def _denied(condition: Expression, operand: Expression, needed: bool) -> _Statement:
    """`not(x > 3)` is a test of x too, and `not(b)` one of b."""
    match operand:
        case Comparison():
            statement = _compared(operand, _held(condition))
            return (
                statement
                if statement.otherwise is None
                else statement._replace(tests=_none_of(statement.tests))
            )
        case Matches(value=value, tests=tests) if not may_be_null(value.type):
            otherwise = _held(operand, False)
            return _Statement(_bare(value), _none_of(tests), otherwise=otherwise, on_null=_on_null(value))
        case _ if plain(operand.type) == types.BOOLEAN:
            return _held(_bare(operand), False, needed)
        case _:
            return _held(condition, needed=needed)


def _compared(comparison: Comparison, otherwise: _Statement) -> _Statement:
    """A comparison of a value with a constant."""
    left, right = _bare(comparison.left), comparison.right
    if known_value(right) is None or known_value(left) is not None:
        return otherwise
    operator, type_, where = comparison.operator, comparison.type, comparison.where
    if operator not in ("=", "!="):
        test: Test = Compared(operator, right, type=type_, where=where)
        return _Statement(left, (test,), otherwise=otherwise, on_null=_on_null(comparison.left))
    equal = (EqualTo(right, type=type_, where=where),)
    tests = equal if operator == "=" else _none_of(equal)
    return _Statement(left, tests, otherwise=otherwise, on_null=_on_null(comparison.left))


def _none_of(tests: tuple[Test, ...]) -> tuple[Test, ...]:
    return (NoneOf(tests, type=types.BOOLEAN, where=tests[0].where),)


def _held(condition: Expression, holds: bool = True, needed: bool = False) -> _Statement:
    """As a value, which is yes or no."""
    truth = Constant(holds, type=types.BOOLEAN, where=condition.where)
    on_null = OnNull.UNDECIDED if needed else OnNull.FALSE
    statement = _Statement(
        condition, (EqualTo(truth, type=types.BOOLEAN, where=condition.where),), on_null=on_null
    )
    whole = Holds(condition, type=types.BOOLEAN, where=condition.where)
    return statement._replace(otherwise=_Statement(None, (whole,))) if holds else statement


def _bare(expression: Expression) -> Expression:
    return _bare(expression.operand) if isinstance(expression, Guard) else expression


# -- rows that may fire together -----------------------------------------------------------------


def overlaps(decision: Decision, names: Names) -> Meeting:
    """The rows that claims do not prove apart. Values without a key (a time with an offset among times
    without) are not thought of."""
    found = claims(decision, names)
    return meeting(grid(list(found.lines.values()), (_box(row, found.lines) for row in found.rows)))


def _box(row: Iterable[Claim], lines: dict[Expression, Line]) -> list[Region]:
    box = {value: line.full for value, line in lines.items()}
    for claim in row:
        if claim.value is not None and claim.region is not None:
            box[claim.value] &= claim.region
    return list(box.values())
