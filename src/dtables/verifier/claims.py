"""What the cells of a row say, column by column: tests of a value in constants, or an opaque yes or no."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dtables.feel import types
from dtables.feel.types import may_be_null, plain
from dtables.model.expressions import (
    Comparison,
    Expression,
    FieldOf,
    Guard,
    Holds,
    InputField,
    Logic,
    Matches,
    Not,
    Read,
    Switch,
    Test,
)
from dtables.model.tables import Condition, Decision, OutcomeColumn, OutcomeKind, Rule, Subject
from dtables.provenance import CellRef
from dtables.verifier.regions import Against, Is, NotAny, Wanted, can_be_cut, constant, fits_kind, wanted

Opaque = tuple[Expression | None, tuple[Test, ...]]
"""A cell that says more than constants: the value it tests (None: it is a whole condition), and its tests."""
Key = Expression | Opaque
"""What tells one column from another: the value that its cells look at, or an opaque cell."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What one cell says of one column, and what people call that column."""

    key: Key
    tests: tuple[Wanted, ...]
    name: str = ""
    where: CellRef | None = None
    subject: int | None = None
    """The condition column that says it."""


def claims(decision: Decision, rule: Rule) -> Iterator[Claim]:
    for n, (subject, condition) in enumerate(zip(decision.subjects, rule.conditions, strict=True)):
        for claim in _of_cell(subject, condition):
            name, where = _name(subject, condition, claim), _place(subject, condition, claim)
            yield Claim(claim.key, claim.tests, name, where, n)
    for column, outcome in zip(decision.outcomes, rule.outcomes, strict=True):
        if may_not_fire(column, outcome.value):
            name = f"{outcome.written} gives something"
            yield Claim((outcome.value, ()), (Is(True),), name, outcome.cell)


def may_not_fire(column: OutcomeColumn, value: Expression) -> bool:
    return column.kind is OutcomeKind.TAKE and may_be_null(value.type)


def _name(subject: Subject, condition: Condition, claim: Claim) -> str:
    """As the author writes it, as far as the cell shows it."""
    written = condition.written
    if subject.value is not None:
        if claim.key == subject.value:
            return subject.name
        return written.replace("?", subject.name) if "?" in written else f"{subject.name} {written}"
    if isinstance(claim.key, tuple):
        return written
    span = claim.key.where.span
    part = written[span.start : span.end] if span and claim.key.where.cell == condition.cell else ""
    return path_text(claim.key) or part or written


def path_text(expression: Expression) -> str:
    match expression:
        case Read(variable=variable):
            return variable.name
        case InputField(name=name) | Switch(name=name):
            return name
        case FieldOf(of=of, name=name):
            before = path_text(of)
            return f"{before}.{name}" if before else ""
        case _:
            return ""


def _place(subject: Subject, condition: Condition, claim: Claim) -> CellRef:
    return subject.where if claim.key == subject.value else condition.cell


def _of_cell(subject: Subject, condition: Condition) -> tuple[Claim, ...]:
    if not condition.tests:
        return ()
    if subject.value is not None:
        tests = wanted(condition.tests)
        if tests is not None and can_be_cut(subject.value.type) and fits_kind(subject.value.type, tests):
            return (Claim(subject.value, tests),)
    elif len(condition.tests) == 1 and isinstance(condition.tests[0], Holds):
        return _of_condition(condition.tests[0].condition)
    return (Claim((subject.value, condition.tests), (Is(True),)),)


def _of_condition(condition: Expression) -> tuple[Claim, ...]:
    """A whole condition that compares one value with constants is a test of that value."""
    match condition:
        case Guard(operand=operand):
            return _of_condition(operand)
        case Logic(operator="and", left=left, right=right):
            return (*_of_condition(left), *_of_condition(right))
        case Comparison():
            return (_compared(condition, condition),)
        case Not(operand=Comparison() as operand):
            claim = _compared(operand, condition)
            opaque = claim.key == condition
            return (claim if opaque else Claim(claim.key, (NotAny(claim.tests),)),)
        case Not(operand=Matches(value=value) as operand) if not may_be_null(value.type):
            (claim,) = _of_condition(operand)
            said = (Is(False),) if claim.key == operand else (NotAny(claim.tests),)
            return (Claim(claim.key, said),)
        case Not(operand=operand) if plain(operand.type) == types.BOOLEAN:
            return (Claim(_bare(operand), (Is(False),)),)
        case Matches(value=value, tests=tests):
            read = wanted(tests)
            if read is not None and can_be_cut(value.type) and fits_kind(value.type, read):
                return (Claim(_bare(value), read),)
            return (Claim(condition, (Is(True),)),)
        case _:
            return (Claim(condition, (Is(True),)),)


def _compared(comparison: Comparison, whole: Expression) -> Claim:
    known = constant(comparison.right)
    left = _bare(comparison.left)
    if known is None or constant(left) is not None or not can_be_cut(left.type):
        return Claim(whole, (Is(True),))
    test: Wanted = Against(comparison.operator, known[0])
    if comparison.operator in ("=", "!="):
        equal = Is(known[0])
        test = equal if comparison.operator == "=" else NotAny((equal,))
    elif known[0] is None or not fits_kind(left.type, (test,)):
        return Claim(whole, (Is(True),))
    return Claim(left, (test,))


def _bare(expression: Expression) -> Expression:
    return _bare(expression.operand) if isinstance(expression, Guard) else expression


def opaque_cells(said: Iterable[Claim]) -> Iterator[tuple[int, Key]]:
    """Of a row: cells of named columns that say more than constants."""
    for claim in said:
        if claim.subject is not None and isinstance(claim.key, tuple):
            yield claim.subject, claim.key
