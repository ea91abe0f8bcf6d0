"""Findings that depend on values which perhaps never come together: the decision is tried with inputs that
are made up as a whole.

The evaluator says which rows fire and what the columns come to; only what it has seen is reported as
found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import count
from random import Random
from typing import TYPE_CHECKING

from dtables.feel import types
from dtables.feel.types import ListType, MapType, NumberType, RecordType, TextType, Type, may_be_null, plain
from dtables.feel.values import (
    Plain,
    Value,
    as_plain,
    parse_date,
    parse_date_time,
    parse_duration,
    parse_time,
)
from dtables.model.claims import may_not_fire
from dtables.model.expressions import (
    Comparison,
    Constant,
    Expression,
    Holds,
    Logic,
    MakeList,
    Matches,
    Variable,
)
from dtables.model.grid import Box
from dtables.model.reach import nodes
from dtables.model.regions import Line, axis, constants_in
from dtables.model.tables import (
    Allowed,
    Condition,
    Decision,
    Field,
    Formula,
    Heading,
    Outcome,
    OutcomeColumn,
    OutcomeKind,
    Policy,
    Rule,
    Ruleset,
    Subject,
)
from dtables.provenance import Location
from dtables.records.findings import RecordError, RuleError
from dtables.verifier.columns import KINDS, DecisionPlan, GridColumn, PossibleValues, has, line
from dtables.verifier.words import another, plain_text

if TYPE_CHECKING:
    from dtables.evaluator import Evaluator

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
class TriedInput:
    """One input, the rows that fire and the values of the columns."""

    given: dict[str, Plain]
    firing: tuple[int, ...]
    point: tuple[Value, ...]

    def within(self, box: Box, columns: Sequence[GridColumn]) -> bool:
        return has(box, columns, self.point)

    @property
    def shown(self) -> str:
        return ", ".join(f"{name} = {_text(value)}" for name, value in self.given.items())


@dataclass(frozen=True)
class Trial:
    """Tries a decision, at most once."""

    ruleset: Ruleset
    written: Decision
    plan: DecisionPlan
    values: PossibleValues
    _seen: list[TriedInput] = field(default_factory=list)

    def gap(self, box: Box) -> TriedInput | None:
        """An input of the box for which no row fires."""
        return next((t for t in self._tried() if not t.firing and t.within(box, self.plan.columns)), None)

    def overlap(self, first: int, second: int, box: Box) -> TriedInput | None:
        both = {first, second}
        fitting = (t for t in self._tried() if both <= set(t.firing))
        return next((t for t in fitting if t.within(box, self.plan.columns)), None)

    @property
    def number(self) -> int:
        """How many inputs have been worked out."""
        return len(self._seen)

    def _tried(self) -> Iterator[TriedInput]:
        """Those that are known already, and then further ones."""
        yield from self._seen
        for tried in self._further:
            self._seen.append(tried)
            yield tried

    @cached_property
    def _further(self) -> Iterator[TriedInput]:
        return self._new()

    def _new(self) -> Iterator[TriedInput]:
        samples = inputs(self.ruleset, self.written, self.values)
        for _ in range(TRIED):
            try:
                given = samples.next()
                firing = self._evaluator.call(FIRING, given)
                point = self._evaluator.call(COMING, given)
            except NoValue:
                return
            except (RecordError, RuleError):
                continue
            values = zip(self.plan.columns, point, strict=True)
            yield TriedInput(given, tuple(firing), tuple(_read_back(c, value) for c, value in values))

    @cached_property
    def _evaluator(self) -> Evaluator:
        from dtables.evaluator import Evaluator

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
    guards = [_is_there(o.value) for column, o in pairs if may_not_fire(column, o.value)]
    return rule_giving_place(rule, number, rule.conditions, guards)


def _is_there(value: Expression) -> Expression:
    nothing = Constant(None, type=types.NULL, where=value.where)
    return Comparison("!=", value, nothing, type=types.BOOLEAN, where=value.where)


def _coming(plan: DecisionPlan) -> Formula:
    """A list of what the columns come to."""
    decision = plan.decision
    where, type_ = decision.heading.where, types.ListType(types.ANY)
    result = MakeList(
        tuple(_column_value(decision, column) for column in plan.columns), type=type_, where=where
    )
    heading = Heading(COMING, where)
    return Formula(heading, decision.parameters, type_, (), result, where.cell)


def _column_value(decision: Decision, column: GridColumn) -> Expression:
    """An opaque cell is one that is yes or no: tests of a value, which they know as `?`, or an outcome that
    is there or not."""
    if not isinstance(column.looked, tuple):
        return column.looked
    value, tests = column.looked
    where = Location(column.where)
    if value is None:
        held = [test.condition for test in tests if isinstance(test, Holds)]
        return reduce(_either, held)
    if not tests:
        return _is_there(value)
    variable = next(subject.variable for subject in decision.subjects if subject.value == value)
    return Matches(value, variable, tests, type=types.BOOLEAN, where=where)


def _either(left: Expression, right: Expression) -> Expression:
    return Logic("or", left, right, type=types.BOOLEAN, where=left.where)


def _read_back(column: GridColumn, value: Plain) -> Value:
    """The evaluator says its values as a record does: dates and times as text."""
    how = READ_BACK.get(plain(column.type))
    return how(value) if how is not None and isinstance(value, str) else value


# -- probes --------------------------------------------------------------------------------------
# What the evaluator is asked about a decision: which of its rows fire.

NUMBERS = count(1_000_000_000)
"""Of variables that are no other variable's."""


def rows_that_fire(decision: Decision, name: str, rules: Iterable[Rule]) -> Decision:
    """Gives the places of all rows that fire. Whether a row takes anything is a condition more."""
    where = decision.heading.where
    taking = Subject("", Variable("", next(NUMBERS), types.NULL), None, where.cell)
    return replace(
        decision,
        heading=Heading(name, where),
        policy=Policy.COLLECT,
        subjects=(*decision.subjects, taking),
        outcomes=(OutcomeColumn("", OutcomeKind.THEN, types.WHOLE, where.cell),),
        rules=tuple(rules),
        otherwise=None,
        type=types.ListType(types.WHOLE),
        strict=True,
    )


def rule_giving_place(
    rule: Rule, place: int, conditions: Sequence[Condition], guards: Sequence[Expression]
) -> Rule:
    """The row under these conditions, if all of `taken` is true besides."""
    tests = (holds(reduce(_both, guards)),) if guards else ()
    outcome = Outcome(Constant(place, type=types.WHOLE, where=Location(rule.where)), rule.where, "")
    return Rule(rule.number, (*conditions, Condition(tests, rule.where, "")), (outcome,), rule.where)


def holds(condition: Expression) -> Holds:
    return Holds(condition, type=types.BOOLEAN, where=condition.where)


def _both(left: Expression, right: Expression) -> Expression:
    return Logic("and", left, right, type=types.BOOLEAN, where=left.where)


# -- inputs --------------------------------------------------------------------------------------
# Inputs made up for a decision, to try it with: values of every type, first of all those that it names.
#
# The same decision gets the same inputs: chance is drawn from its name.

DEEPEST, LONGEST = 4, 4
SMALL = (0, 1, 2, 5)
"""Numbers that are tried whatever the decision names."""


class NoValue(Exception):
    """A type of which no value is made up."""


@dataclass(frozen=True)
class Inputs:
    """Parameters, the input fields that are read and, where a record may say them, switches."""

    ruleset: Ruleset
    decision: Decision
    values: PossibleValues
    chance: Random
    _known: dict[object, tuple[Value, ...]] = field(default_factory=dict)
    _named: dict[Type, list[Value]] = field(default_factory=dict)

    def next(self) -> dict[str, Plain]:
        """Raises NoValue where a parameter is of a type of which none can be made up."""
        given: dict[str, Plain] = {p.name: self._value(p.type, 0) for p in self.decision.parameters}
        given |= self._fields((f for f in self.ruleset.input.state.fields if f.name in self._read), 0)
        return given | self._overriding()

    @cached_property
    def _read(self) -> frozenset[str]:
        return frozenset(self.values.reach.inputs(self.decision))

    @cached_property
    def _switches(self) -> frozenset[str]:
        return frozenset(self.values.reach.switches(self.decision))

    def _overriding(self) -> dict[str, Plain]:
        found: dict[str, Plain] = {}
        for table in self.ruleset.switches:
            rules = [rule for rule in table.rules if rule.name in self._switches]
            if table.field is not None and rules:
                found[table.field] = {rule.name: self.chance.choice(rule.values.ids) for rule in rules}
        return found

    def _fields(self, fields: Iterable[Field], depth: int) -> dict[str, Plain]:
        stored = [f for f in fields if f.computed is None]
        return {f.name: self._value(f.type, depth, f.allowed) for f in stored if not self._left_out(f)}

    def _left_out(self, one: Field) -> bool:
        may = one.default is not None or may_be_null(one.type)
        return may and self.chance.random() < 0.3

    def _value(self, type_: Type, depth: int, allowed: Allowed | None = None) -> Plain:
        if may_be_null(type_) and self.chance.random() < 0.2:
            return None
        kind = plain(type_)
        match kind:
            case ListType(item=item):
                length = self.chance.randrange(LONGEST + 1) if depth < DEEPEST else 0
                return [self._value(item, depth + 1) for _ in range(length)]
            case RecordType(name=name):
                return self._record(name, depth)
            case MapType(key=key, value=value):
                return {name: self._value(value, depth + 1) for name in self.values.names(key)}
            case _:
                candidates = self._candidates(type_, allowed)
                return as_plain(self.chance.choice(candidates))

    def _record(self, name: str, depth: int) -> Plain:
        found = self.values.index.records.get(name)
        if found is None or depth >= DEEPEST:
            raise NoValue
        return self._fields(found.fields, depth + 1)

    # -- simple values -------------------------------------------------------------------------

    def _candidates(self, type_: Type, allowed: Allowed | None) -> tuple[Value, ...]:
        key = (type_, None if allowed is None else allowed.subject.number)
        if key not in self._known:
            self._known[key] = tuple(self._simple(type_, allowed))
        if not self._known[key]:
            raise NoValue
        return self._known[key]

    def _simple(self, type_: Type, allowed: Allowed | None) -> Iterator[Value]:
        """What the decision tells apart: each value that it names, and one between each two."""
        kind = plain(type_)
        on = line(kind, self.values.ids)
        if on is None:
            raise NoValue
        tests = () if allowed is None else allowed.tests
        limits = constants_in([*self.values.restricting(type_), *tests])
        cuts, extent = [*self._constants(kind), *limits], self.values.narrowed(type_, on, tests)
        return (value for value in _samples(on, cuts) if on.passes(extent, value))

    def _constants(self, kind: Type) -> Iterable[Value]:
        if not self._named:
            for node in nodes((self.decision.subjects, self.decision.rules)):
                if isinstance(node, Constant) and type(node.value) in KINDS:
                    self._named.setdefault(KINDS[type(node.value)], []).append(node.value)
        if isinstance(kind, NumberType):
            return (*SMALL, *self._named.get(types.NUMBER, ()))
        return self._named.get(kind, ())


def _samples(on: Line, cuts: Iterable[Value]) -> Iterator[Value]:
    named = [value for value in dict.fromkeys(cuts) if on.key(value) is not None]
    if on.names:
        yield from map(on.value, range(len(on.names)))
    elif isinstance(on.type, TextType):
        yield from [*named, another(named)]
    else:
        cut = axis(on, [region for value in named if (region := on.holding([value])) is not None])
        yield from map(cut.sample, range(cut.count))


def inputs(ruleset: Ruleset, decision: Decision, values: PossibleValues) -> Inputs:
    name = f"{ruleset.name} {decision.heading.name}"
    return Inputs(ruleset, decision, values, Random(name))
