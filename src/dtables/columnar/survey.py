"""What an ask, or a table, does with each place of the state: one walk over everything it can reach.

A place that is only compared with constants splits into classes: all values of a class are treated alike.
One whose value itself is used (added, sorted, answered) has no such classes; `Uses.escaping` tells the
first of them. Lists, maps and records that are used whole are closed: it is only understood whether they
are missing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, assert_never

from dtables.feel.types import BOOLEAN as TRUTH
from dtables.feel.types import (
    WHOLE,
    AnyType,
    BooleanType,
    DateTimeType,
    DateType,
    DaysDurationType,
    NumberType,
    OptionalType,
    RecordType,
    RestrictedType,
    TextType,
    TimeType,
    Type,
    VocabularyType,
    YearsDurationType,
    optional,
    plain,
)
from dtables.model.expressions import (
    Arithmetic,
    AskAnswer,
    Belongs,
    ByKey,
    CallBuiltin,
    CallStep,
    CallTable,
    Compared,
    Comparison,
    Conditional,
    Constant,
    EqualTo,
    Expression,
    FieldOf,
    Guard,
    Holds,
    InList,
    InputField,
    ItemEntry,
    MakeList,
    MakeRange,
    Matches,
    NameOf,
    Node,
    NoneOf,
    Ranking,
    Read,
    Select,
    Switch,
    Test,
    Variable,
    Within,
)
from dtables.model.index import Index
from dtables.model.regions import Axis, Line, Names, Region, axis, extent, known_value, line_of, region
from dtables.model.tables import (
    AnswerField,
    Ask,
    Consistency,
    Counted,
    Decision,
    Dice,
    Draw,
    Field,
    Formula,
    Matrix,
    Need,
    Next,
    Record,
    Ruleset,
    Scale,
    Step,
    Stop,
    Table,
    table_name,
)
from dtables.provenance import CellRef, Location

# -- places and regions -----------------------------------------------------------------------------
# What is known of the places of the state: what they are compared with, where their value itself is used.

MOST_BY_VALUE = 300
"""So many whole numbers are classes of their own, where a type bounds them."""


@dataclass(frozen=True, slots=True)
class Bindings:
    """What variables are known here; `done` keeps what the steps came to."""

    bound: dict[int, Known] = field(default_factory=dict)
    steps: dict[int, Step] = field(default_factory=dict)
    done: dict[int, Known] = field(default_factory=dict)

    def where(self, variables: Iterable[Variable], known: Iterable[Known]) -> Bindings:
        pairs = {v.number: k for v, k in zip(variables, known, strict=True)}
        return Bindings({**self.bound, **pairs}, self.steps, self.done)


class PlaceSurvey(ABC):
    """`trouble` is the first thing that the walk cannot reason about."""

    def __init__(self, model: Ruleset) -> None:
        self.state = model.input.state
        self.trouble: Why | None = None
        self._model = model
        self._index = Index(model)
        self._fixed = {(f.input, f.field) for f in model.input.fixed}
        self._comparisons: dict[Path, Comparisons] = {}
        self._worked: dict[Worked, Comparisons] = {}
        self._read: set[Path] = set()
        self._closed: set[Path] = set()
        self._declared: dict[Path, DeclaredScalar] = {}
        self._called: dict[tuple[str, tuple[Known, ...]], Known] = {}

    def uses(self) -> Uses | Why:
        if self.trouble is not None:
            return self.trouble
        return Uses(
            self._comparisons, self._worked, frozenset(self._read), frozenset(self._closed), self._declared
        )

    @abstractmethod
    def visit(self, node: Expression, here: Bindings) -> Known:
        """What an expression comes to."""

    @abstractmethod
    def tests(self, tests: Iterable[Test], subject: Known, here: Bindings) -> None:
        """What tests ask of their subject."""

    # -- places --------------------------------------------------------------------------------

    def declare(self, path: Path, record: Record, above: tuple[str, ...]) -> None:
        """The scalars of a record and of the records in it, with the borders that their types have."""
        for one in record.fields:
            if one.computed is None and (*path[:1], one.name) not in self._fixed:
                allowed = () if one.allowed is None else one.allowed.tests
                self.declare_type((*path, one.name), one.type, allowed, (*above, record.name))
                if one.allowed is not None:
                    known = self.place((*path, one.name), one.type, allowed)
                    self.tests(allowed, known, Bindings().where([one.allowed.subject], [known]))
                if one.default is not None:
                    self.settle(self.visit(one.default, Bindings()), one.where)

    def declare_type(
        self, path: Path, type_: Type, allowed: tuple[Test, ...], above: tuple[str, ...]
    ) -> None:
        inner = plain(type_)
        if isinstance(inner, RecordType) and inner.name not in above:
            self.declare(path, self._index.records[inner.name], above)
        if not is_scalar(type_):
            return
        self._declared[path] = DeclaredScalar(type_, allowed)
        for name in tests_of(type_):
            restriction = self._index.restrictions[name]
            known = self.place(path, type_, allowed)
            self.tests(restriction.tests, known, Bindings().where([restriction.subject], [known]))

    def place(self, path: Path, type_: Type, allowed: tuple[Test, ...]) -> PathValue:
        line = self._line(type_)
        if line is None or not (line.whole and isinstance(line.type, NumberType)):
            return PathValue(path, type_)
        restrictions = {name: one.tests for name, one in self._index.restrictions.items()}
        found = extent(type_, line, self._index.names, restrictions) & (region(allowed, line) or line.full)
        keys = line.keys(found, MOST_BY_VALUE)
        return PathValue(path, type_, (int(min(keys)), int(max(keys))) if keys else None)

    def _line(self, type_: Type) -> Line | None:
        """Null has a class everywhere: a record may leave the place out."""
        return line_of(optional(type_), self._index.names)

    def settle(self, known: Known, where: Location | CellRef) -> None:
        """The value itself is used."""
        if isinstance(known, KnownByClasses):
            return
        if isinstance(known, Worked):
            for place in known.places:
                self.settle(place, where)
            return
        self._read.add(known.path)
        if is_record(known.type):
            self._closed.add(known.path)
        elif is_scalar(known.type) and not is_finite(known.type):
            self._by_value(known, where)

    def _by_value(self, place: PathValue, where: Location | CellRef) -> None:
        if place.bounds is None:
            comparisons = self._comparisons_of(place)
            comparisons.itself = comparisons.itself or where
            return
        low, high = place.bounds
        line = self._line(place.type)
        assert line is not None
        each = (line.holding([number]) for number in range(low, high + 1))
        self._comparisons_of(place).regions.update(one for one in each if one is not None)

    def _comparisons_of(self, place: PathValue) -> Comparisons:
        self._read.add(place.path)
        return self._comparisons.setdefault(place.path, Comparisons())

    def compared(self, operator: str, known: PathValue | Worked, value: Constant) -> None:
        """A place, or what is worked out of some, beside a constant."""
        if isinstance(known, PathValue):
            self._read.add(known.path)
            if value.value is None or is_finite(known.type):
                return
        line = self._line(known.type if isinstance(known, PathValue) else WHOLE)
        test = (
            EqualTo(value, type=TRUTH, where=value.where)
            if operator == "="
            else Compared(operator, value, type=TRUTH, where=value.where)
        )
        passing = None if line is None or value.value is None else region((test,), line)
        if passing is None or not (isinstance(known, Worked) or is_scalar(known.type)):
            self.settle(known, value.where)
        elif isinstance(known, PathValue):
            self._comparisons_of(known).regions.add(passing)
        elif all(place.bounds is not None for place in known.places):
            self.settle(known, value.where)
        else:
            self._compared_worked(known, passing)

    def _compared_worked(self, worked: Worked, passing: Region) -> None:
        """Of its places only matters that they say something; few values are classes."""
        for place in worked.places:
            self._comparisons_of(place)
        self._worked.setdefault(worked, Comparisons()).regions.add(passing)

    def stuck(self, reason: str, where: Location) -> None:
        self.trouble = self.trouble or Why(reason, where)


# -- expressions ------------------------------------------------------------------------------------
# What expressions and tests do with the places of the state.

CLOCK = ("now", "today")
MIRRORED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class ExpressionSurvey(PlaceSurvey):
    @abstractmethod
    def call(self, table: Table, given: tuple[Known, ...]) -> Known:
        """What a table comes to."""

    @abstractmethod
    def ask(self, ask: Ask, given: tuple[Known, ...]) -> None:
        """The answer of an ask, inside another's."""

    def visit(self, node: Expression, here: Bindings) -> Known:
        match node:
            case Read(variable=variable):
                return self._variable(variable, here)
            case InputField(name=name):
                return self.field(PathValue((), RecordType(self.state.name)), name)
            case FieldOf(of=of, name=name):
                return self._field_of(self.visit(of, here), of.type, name, node.where)
            case ByKey(of=of, key=key):
                self._by_key(self.visit(of, here), of.type, node.where)
                self.settle(self.visit(key, here), node.where)
            case Guard(operand=operand):
                return self.visit(operand, here)
            case Comparison(operator=operator, left=left, right=right):
                self._comparison(operator, left, right, here)
            case Matches(value=value, subject=subject, tests=tests):
                known = self.visit(value, here)
                self.tests(tests, known, here.where([subject], [known]))
            case Arithmetic(operator="+" | "-" | "*" as operator, left=left, right=right):
                return self._worked_out(operator, left, right, here)
            case Conditional(condition=condition, then=then, otherwise=otherwise):
                self.settle(self.visit(condition, here), node.where)
                return self._either(self.visit(then, here), self.visit(otherwise, here), node.where)
            case CallTable(table=name, arguments=arguments) | Ranking(scale=name, arguments=arguments):
                return self.call(self._index.tables[name], tuple(self.visit(a, here) for a in arguments))
            case CallStep(step=step, arguments=arguments):
                called = here.steps[step.number]
                given = [self.visit(argument, here) for argument in arguments]
                return self.visit(called.value, here.where([p.variable for p in called.parameters], given))
            case AskAnswer(ask=name, arguments=arguments):
                self.ask(self._index.asks[name], tuple(self.visit(a, here) for a in arguments))
            case Switch(name=name) if (overriding := self._index.switches[name][1]) is not None:
                self._closed.add((overriding,))
                self._read.add((overriding,))
            case CallBuiltin(builtin=name) if name in CLOCK:
                self.stuck("the clock is read", node.where)
            case Select() | ItemEntry():
                self.stuck("what is read is known only when it runs", node.where)
            case _:
                self.inside(node, here)
        return SETTLED

    def inside(self, node: object, here: Bindings) -> None:
        """Everything in a node that is not known any nearer is used for itself."""
        for child in _children(node):
            match child:
                case EqualTo() | InList() | Compared() | Within() | Holds() | Belongs() | NoneOf():
                    self.test(child, SETTLED, here)
                case Node():
                    assert isinstance(child, Expression)
                    self.settle(self.visit(child, here), child.where)
                case _:
                    self.inside(child, here)

    def _variable(self, variable: Variable, here: Bindings) -> Known:
        """One that a loop or a filter binds goes through what is settled."""
        number = variable.number
        if number in here.bound:
            return here.bound[number]
        step = here.steps.get(number)
        if step is None:
            return SETTLED
        if number not in here.done:
            here.done[number] = self.visit(step.value, here)
        return here.done[number]

    def _either(self, one: Known, other: Known, where: Location) -> Known:
        if one == other:
            return one
        self.settle(one, where)
        self.settle(other, where)
        return SETTLED

    def _comparison(self, operator: str, left: Expression, right: Expression, here: Bindings) -> None:
        one, other = self.visit(left, here), self.visit(right, here)
        first, second = self.constant(left), self.constant(right)
        match one, other:
            case ((PathValue() | Worked()), _) if second is not None:
                self.compared(operator, one, second)
            case _, (PathValue() | Worked()) if first is not None:
                self.compared(MIRRORED[operator], other, first)
            case ((PathValue() | Worked()), (PathValue() | Worked())) if is_number(one) and is_number(other):
                nothing = Constant(0, type=WHOLE, where=left.where)
                self.compared(operator, Worked("-", one, other), nothing)
            case _:
                self.settle(one, left.where)
                self.settle(other, right.where)

    def _worked_out(self, operator: str, left: Expression, right: Expression, here: Bindings) -> Known:
        one, other = (self._operand(side, here) for side in (left, right))
        if one is None or other is None or (isinstance(one, int) and isinstance(other, int)):
            for side in (left, right):
                self.settle(self.visit(side, here), side.where)
            return SETTLED
        return Worked(operator, one, other)

    def _operand(self, node: Expression, here: Bindings) -> Operand | None:
        constant = self.constant(node)
        if constant is not None and type(constant.value) is int:
            return constant.value
        known = self.visit(node, here)
        return known if isinstance(known, PathValue | Worked) and is_number(known) else None

    # -- fields --------------------------------------------------------------------------------

    def field(self, of: PathValue, name: str) -> Known:
        inner = plain(of.type)
        assert isinstance(inner, RecordType)
        record = self._index.records[inner.name]
        found = self._index.fields[inner.name][name]
        if (*of.path[:1], name) in self._fixed and len(of.path) == 1:
            return SETTLED
        if found.computed is not None:
            return self.visit(found.computed, Bindings().where([record.this], [of]))
        path = (*of.path, name)
        self._read.add(path)
        return self.place(path, found.type, () if found.allowed is None else found.allowed.tests)

    def _field_of(self, known: Known, type_: Type, name: str, where: Location) -> Known:
        if isinstance(known, PathValue) and is_record(known.type):
            return self.field(known, name)
        if isinstance(plain(type_), AnyType):
            self.stuck("what is read is known only when it runs", where)
        self.settle(known, where)
        for record, computed in self._computed(type_):
            if computed.name == name:
                self._work_out(record, computed, SETTLED)
        return SETTLED

    def _by_key(self, known: Known, type_: Type, where: Location) -> None:
        self.settle(known, where)
        for record, computed in self._computed(type_):
            self._work_out(record, computed, known)

    def _work_out(self, record: Record, computed: Field, this: Known) -> None:
        assert computed.computed is not None
        key = (f"{record.name}.{computed.name}", (this,))
        if key not in self._called:
            self._called[key] = SETTLED
            self.settle(
                self.visit(computed.computed, Bindings().where([record.this], [this])), computed.where
            )

    def _computed(self, type_: Type) -> Iterator[tuple[Record, Field]]:
        found = self._index.records.get(self._index.record_of(type_))
        if found is not None:
            yield from ((found, field) for field in found.fields if field.computed is not None)

    # -- tests ---------------------------------------------------------------------------------

    def tests(self, tests: Iterable[Test], subject: Known, here: Bindings) -> None:
        for test in tests:
            self.test(test, subject, here)

    def test(self, test: Test, subject: Known, here: Bindings) -> None:
        match test:
            case EqualTo(value=value):
                self.beside("=", subject, value, here)
            case Compared(operator=operator, value=value):
                self.beside(operator, subject, value, here)
            case Within(low=low, high=high, low_included=from_low, high_included=to_high):
                self.beside(">=" if from_low else ">", subject, low, here)
                self.beside("<=" if to_high else "<", subject, high, here)
            case InList(list=MakeList(items=items)):
                for item in items:
                    self._item(subject, item, here)
            case InList(list=value) | Belongs(value=value):
                self.settle(subject, test.where)
                self.settle(self.visit(value, here), test.where)
            case Holds(condition=condition):
                self.settle(self.visit(condition, here), test.where)
            case NoneOf(tests=tests):
                self.tests(tests, subject, here)
            case _:
                assert_never(test)

    def _item(self, subject: Known, item: Expression, here: Bindings) -> None:
        """A list's item that is a range is one to lie in."""
        if not isinstance(item, MakeRange):
            self.beside("=", subject, item, here)
            return
        self.beside(">=" if item.low_included else ">", subject, item.low, here)
        self.beside("<=" if item.high_included else "<", subject, item.high, here)

    def beside(self, operator: str, subject: Known, value: Expression | None, here: Bindings) -> None:
        if value is None:
            return
        constant = self.constant(value)
        if isinstance(subject, PathValue | Worked) and constant is not None:
            self.compared(operator, subject, constant)
            return
        self.settle(subject, value.where)
        self.settle(self.visit(value, here), value.where)

    def constant(self, node: Expression) -> Constant | None:
        """What stands there in every turn, where that is plain to see."""
        if isinstance(node, CallTable) and not node.arguments:
            table = self._index.tables[node.table]
            return self.constant(table.result) if isinstance(table, Formula) else None
        known = None if isinstance(node, NameOf) else known_value(node)
        return None if known is None else Constant(known[0], type=node.type, where=node.where)


def _children(node: object) -> Iterator[Any]:
    """What a node, a row or a tuple of them holds: further nodes, and rows that may hold some."""
    if isinstance(node, (CellRef, Location, Variable)):
        return
    if isinstance(node, tuple):
        yield from node
        return
    if not is_dataclass(node):
        return
    for part in fields(node):
        if part.name not in ("type", "where", "heading", "cell"):
            yield getattr(node, part.name)


def survey_ask(model: Ruleset, ask: Ask) -> Uses | Why:
    """Everything that answering it may look at: its rows, and the checks that concern it."""
    survey = Survey(model)
    survey.declare((), survey.state, ())
    survey.ask(ask, ())
    for checks in model.checks:
        for row in checks.rows:
            if not row.asks or ask.heading.name in row.asks:
                survey.check(row)
    return survey.uses()


def survey_table(model: Ruleset, table: Table) -> Uses | Why:
    """A table called by itself: its parameters stand beside the input fields."""
    survey = Survey(model)
    survey.declare((), survey.state, ())
    given: list[Known] = []
    for parameter in table.parameters:
        place = survey.place((parameter.name,), parameter.type, ())
        survey.declare_type(place.path, parameter.type, (), ())
        given.append(place)
    survey.settle(survey.call(table, tuple(given)), table.heading.where)
    return survey.uses()


class Survey(ExpressionSurvey):
    """One walk; `trouble` is the first thing that it cannot reason about."""

    def call(self, table: Table, given: tuple[Known, ...]) -> Known:
        given = tuple(
            self._fitting(p.type, known, table) for p, known in zip(table.parameters, given, strict=True)
        )
        key = (f"{type(table).__name__} {table_name(table)}", given)
        if key not in self._called:
            self._called[key] = SETTLED
            here = Bindings().where([p.variable for p in table.parameters], given)
            self._called[key] = self._table(table, here, given)
        return self._called[key]

    def _fitting(self, declared: Type, known: Known, table: Table) -> Known:
        """A worked out number that a parameter's type restricts: its value itself is looked at."""
        if not isinstance(known, Worked) or not tests_of(declared):
            return known
        self.settle(known, table.heading.where)
        return SETTLED

    def _table(self, table: Table, here: Bindings, given: tuple[Known, ...]) -> Known:
        match table:
            case Formula(steps=steps, result=result):
                return self.visit(result, Bindings(here.bound, {s.variable.number: s for s in steps}))
            case Decision():
                self._decision(table, here)
            case Matrix(entries=entries):
                for entry in entries:
                    for known, key in zip(given, entry.keys, strict=True):
                        self.beside("=", known, key, here)
                    self.settle(self.visit(entry.value, here), entry.value.where)
            case Dice(entries=totals):
                for total in totals:
                    self._beside_total(given[-1], total.low, total.high, total.outcome.where)
                    self.settle(self.visit(total.outcome, here), total.outcome.where)
                for known in given[:-1]:
                    self.settle(known, table.heading.where)
            case Scale():
                for known in given:
                    self.settle(known, table.heading.where)
                self.inside(table.criteria, here)
            case _:
                assert_never(table)
        return SETTLED

    def _beside_total(self, known: Known, low: int, high: int, where: Location) -> None:
        if isinstance(known, PathValue | Worked):
            for operator, end in ((">=", low), ("<=", high)):
                self.compared(operator, known, Constant(end, type=WHOLE, where=where))

    def _decision(self, decision: Decision, here: Bindings) -> None:
        subjects: list[Known] = []
        for subject in decision.subjects:
            known = SETTLED if subject.value is None else self.visit(subject.value, here)
            subjects.append(known)
            here = here.where([subject.variable], [known])
        for rule in decision.rules:
            for known, condition in zip(subjects, rule.conditions, strict=True):
                self.tests(condition.tests, known, here)
            for outcome in rule.outcomes:
                self.settle(self.visit(outcome.value, here), outcome.cell)
        if decision.otherwise is not None:
            self.settle(self.visit(decision.otherwise.value, here), decision.otherwise.cell)
        for column in decision.outcomes:
            self.inside(column.priorities, here)

    def ask(self, ask: Ask, given: tuple[Known, ...]) -> None:
        steps = {row.variable.number: row for row in ask.rows if isinstance(row, Step)}
        here = Bindings(Bindings().where([p.variable for p in ask.parameters], given).bound, steps)
        for row in ask.rows:
            match row:
                case Need(place=place, when=when, names=names):
                    self._closed_lists(self.at(place.fields))
                    self._maybe(when, here)
                    self._maybe(names, here)
                case Draw(options=options, recorded=recorded):
                    self.settle(self.visit(options, here), row.cell)
                    if recorded is not None:
                        self.settle(self.at(recorded.fields), row.cell)
                case Stop(condition=condition):
                    self.settle(self.visit(condition, here), row.where)
                case AnswerField(value=value, listed=listed):
                    self.settle(self.visit(value, here), row.cell)
                    self._maybe(listed, here)
                case Next(when=when):
                    self.settle(self.visit(when, here), row.cell)
                case Step():
                    pass
                case _:
                    assert_never(row)

    def check(self, row: Counted | Consistency) -> None:
        match row:
            case Counted():
                for place in row.places:
                    item = self.at(place.fields)
                    self.settle(item, row.where)
                    here = Bindings().where([row.item], [item]).where([row.subject], [item])
                    self.tests(row.only_for, item, here)
                    self.settle(self.visit(row.by, here), row.where)
            case Consistency():
                for known in [self.at(place.fields) for place in row.each] or [SETTLED]:
                    bound = [] if row.item is None else [row.item]
                    self._closed_lists(known)
                    here = Bindings().where(bound, [known] * len(bound))
                    self.settle(self.visit(row.wrong_if, here), row.where)
            case _:
                assert_never(row)

    def at(self, path: Path) -> Known:
        """Behind a list or a map there is nothing that is told apart: it is closed."""
        known: Known = PathValue((), RecordType(self.state.name))
        for name in path:
            if not (isinstance(known, PathValue) and is_record(known.type)):
                self._closed_lists(known)
                return SETTLED
            known = self.field(known, name)
        return known

    def _closed_lists(self, known: Known) -> None:
        if isinstance(known, PathValue):
            self._read.add(known.path)

    def _maybe(self, node: Expression | None, here: Bindings) -> None:
        if node is not None:
            self.settle(self.visit(node, here), node.where)


# -- what is asked of a place -----------------------------------------------------------------------
# What rules ask of a place in the state: which regions, or the value itself; inert.

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Why:
    """Why rules cannot be worked out over columns: the reason, and the cell that stands in the way."""

    reason: str
    where: Location | CellRef | None = None

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}" if self.where is not None else self.reason


@dataclass(frozen=True, slots=True)
class KnownByClasses:
    """A value that the classes of the inputs determine."""


SETTLED = KnownByClasses()


@dataclass(frozen=True, slots=True)
class PathValue:
    """The value as it stands at a path of the state. `bounds` are those of a whole number that has them."""

    path: Path
    type: Type
    bounds: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Worked:
    """A whole number worked out of places that hold such: `left` and `right` of `+`, `-` or `*`."""

    operator: str
    left: Operand
    right: Operand

    @property
    def places(self) -> tuple[PathValue, ...]:
        parts = (self.left, self.right)
        inner = (part.places if isinstance(part, Worked) else (part,) for part in parts)
        return tuple(place for some in inner for place in some if isinstance(place, PathValue))


Operand = int | PathValue | Worked
Known = KnownByClasses | PathValue | Worked


@dataclass(slots=True)
class Comparisons:
    """`regions` are what comparisons let through of the value; `itself` is where it is used otherwise."""

    regions: set[Region] = field(default_factory=set)
    itself: Location | CellRef | None = None

    def classes(self, type_: Type, names: Names) -> Axis | None:
        """Of a closed list each name is one, and null is one everywhere: a record may leave the place out."""
        line = line_of(optional(type_), names)
        if line is None:
            return None
        each = (line.holding([name]) for name in line.names)
        return axis(line, {*self.regions, *(one for one in each if one is not None)})


@dataclass(frozen=True, slots=True)
class DeclaredScalar:
    """A scalar of the state: its type, and the tests of its own field."""

    type: Type
    allowed: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Uses:
    """`read` are the places that rules look at, `closed` those of which nothing is known but null; `worked`
    is what numbers that are worked out are compared with."""

    comparisons: dict[Path, Comparisons]
    worked: dict[Worked, Comparisons]
    read: frozenset[Path]
    closed: frozenset[Path]
    declared: dict[Path, DeclaredScalar]

    def looks_at(self, path: Path) -> bool:
        """Whether it matters what stands there, or that anything does."""
        return any(path[: len(place)] == place or place[: len(path)] == path for place in self.read)

    def is_closed(self, path: Path) -> bool:
        return any(path[: len(place)] == place for place in self.closed)

    def finite(self, path: Path) -> bool:
        return path in self.declared and is_finite(self.declared[path].type)

    def escaping(self) -> Why | None:
        """A place whose value is used for itself: its classes do not say enough."""
        for path, comparisons in self.comparisons.items():
            if comparisons.itself is not None:
                place = ".".join(path)
                return Why(f"`{place}` is worked with, not only compared with constants", comparisons.itself)
        return None


def is_finite(type_: Type) -> bool:
    """Whether its values are a closed list."""
    return isinstance(plain(type_), (VocabularyType, BooleanType))


ORDERED = (NumberType, DateType, TimeType, DateTimeType, DaysDurationType, YearsDurationType)


def is_ordered(type_: Type) -> bool:
    return isinstance(plain(type_), ORDERED)


def is_number(known: PathValue | Worked) -> bool:
    return isinstance(known, Worked) or isinstance(plain(known.type), NumberType)


def is_scalar(type_: Type) -> bool:
    return is_finite(type_) or is_ordered(type_) or isinstance(plain(type_), TextType)


def is_record(type_: Type) -> bool:
    return isinstance(plain(type_), RecordType)


def tests_of(type_: Type) -> tuple[str, ...]:
    """The named types on the way down to what they restrict."""
    names: list[str] = []
    while isinstance(type_, (OptionalType, RestrictedType)):
        if isinstance(type_, RestrictedType):
            names.append(type_.name)
        type_ = type_.of
    return tuple(names)
