"""Findings that depend on values which perhaps never come together: the decision is tried with inputs that
are made up as a whole.

The evaluator says which rows fire and what the columns come to; only what it has seen is told as found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce

from dtables.evaluator import Evaluator
from dtables.feel import types
from dtables.feel.types import plain
from dtables.feel.values import Plain, Value, parse_date, parse_date_time, parse_duration, parse_time
from dtables.findings import RecordError, RuleError
from dtables.model.expressions import (
    Comparison,
    Constant,
    Expression,
    Holds,
    Logic,
    MakeList,
    Matches,
)
from dtables.model.tables import Decision, Formula, Heading, Rule, Ruleset
from dtables.provenance import Location
from dtables.verifier.axes import atom_of
from dtables.verifier.claims import may_not_fire
from dtables.verifier.columns import Column, Plan
from dtables.verifier.grid import Box
from dtables.verifier.inputs import NoValue, inputs
from dtables.verifier.probes import giving_its_place, rows_that_fire
from dtables.verifier.shown import plain_text
from dtables.verifier.values import Values

TRIED = 250
FIRING, COMING = "rows that fire", "what columns come to"
READ_BACK: dict[types.Type, Callable[[str], Value]] = {
    types.DATE: parse_date,
    types.TIME: parse_time,
    types.DATE_TIME: parse_date_time,
    types.DAYS_DURATION: parse_duration,
    types.YEARS_DURATION: parse_duration,
}


@dataclass(frozen=True, slots=True)
class Tried:
    """One input, the rows that fire and the values of the columns."""

    given: dict[str, Plain]
    firing: tuple[int, ...]
    point: tuple[Value, ...]

    def within(self, box: Box, columns: Sequence[Column]) -> bool:
        triples = zip(self.point, box, columns, strict=True)
        return all(atom_of(value, column.axis) & bits for value, bits, column in triples)

    @property
    def shown(self) -> str:
        return ", ".join(f"{name} = {_text(value)}" for name, value in self.given.items())


@dataclass(frozen=True)
class Trial:
    """Tries a decision, at most once."""

    ruleset: Ruleset
    written: Decision
    plan: Plan
    values: Values
    _seen: list[Tried] = field(default_factory=list)

    def gap(self, box: Box) -> Tried | None:
        """An input of the box for which no row fires."""
        return next((t for t in self._tried() if not t.firing and t.within(box, self.plan.columns)), None)

    def overlap(self, first: int, second: int, box: Box) -> Tried | None:
        both = {first, second}
        fitting = (t for t in self._tried() if both <= set(t.firing))
        return next((t for t in fitting if t.within(box, self.plan.columns)), None)

    @property
    def number(self) -> int:
        """How many inputs have been worked out."""
        return len(self._seen)

    def _tried(self) -> Iterator[Tried]:
        """Those that are known already, and then further ones."""
        yield from self._seen
        for tried in self._further:
            self._seen.append(tried)
            yield tried

    @cached_property
    def _further(self) -> Iterator[Tried]:
        return self._new()

    def _new(self) -> Iterator[Tried]:
        made = inputs(self.ruleset, self.written, self.values)
        for _ in range(TRIED):
            try:
                given = made.next()
                firing = self._evaluator.call(FIRING, given)
                point = self._evaluator.call(COMING, given)
            except NoValue:
                return
            except (RecordError, RuleError):
                continue
            values = zip(self.plan.columns, point, strict=True)
            yield Tried(given, tuple(firing), tuple(_read_back(c, value) for c, value in values))

    @cached_property
    def _evaluator(self) -> Evaluator:
        probes = (_firing(self.plan.decision), _coming(self.plan))
        return Evaluator(replace(self.ruleset, tables=(*self.ruleset.tables, *probes)))


def _text(value: Plain) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "yes" if value else "no"
        case list():
            return f"[{', '.join(map(_text, value))}]"
        case dict():
            return "{" + ", ".join(f"{name}: {_text(part)}" for name, part in value.items()) + "}"
        case _:
            return plain_text(value)


# -- what the evaluator is asked ---------------------------------------------------------------


def _firing(decision: Decision) -> Decision:
    rules = (_rule(decision, n, rule) for n, rule in enumerate(decision.rules))
    return rows_that_fire(decision, FIRING, rules)


def _rule(decision: Decision, number: int, rule: Rule) -> Rule:
    pairs = zip(decision.outcomes, rule.outcomes, strict=True)
    taken = [_is_there(o.value) for column, o in pairs if may_not_fire(column, o.value)]
    return giving_its_place(rule, number, rule.conditions, taken)


def _is_there(value: Expression) -> Expression:
    nothing = Constant(None, type=types.NULL, where=value.where)
    return Comparison("!=", value, nothing, type=types.BOOLEAN, where=value.where)


def _coming(plan: Plan) -> Formula:
    """A list of what the columns come to."""
    decision = plan.decision
    where, type_ = decision.heading.where, types.ListType(types.ANY)
    result = MakeList(tuple(_worth(decision, column) for column in plan.columns), type=type_, where=where)
    heading = Heading(COMING, where)
    return Formula(heading, decision.parameters, type_, (), result, where.cell)


def _worth(decision: Decision, column: Column) -> Expression:
    """An opaque cell is one that is yes or no: tests of a value, which they know as `?`, or an outcome that
    is there or not."""
    if not isinstance(column.key, tuple):
        return column.key
    value, tests = column.key
    where = Location(column.where)
    if value is None:
        held = [test.condition for test in tests if isinstance(test, Holds)]
        return reduce(_either, held)
    if not tests:
        return _is_there(value)
    asked = next(subject.variable for subject in decision.subjects if subject.value == value)
    return Matches(value, asked, tests, type=types.BOOLEAN, where=where)


def _either(left: Expression, right: Expression) -> Expression:
    return Logic("or", left, right, type=types.BOOLEAN, where=left.where)


def _read_back(column: Column, value: Plain) -> Value:
    """The evaluator says its values as a record does: dates and times as text."""
    how = READ_BACK.get(plain(column.type))
    return how(value) if how is not None and isinstance(value, str) else value
