"""A program as closures: each node a function of a frame, made once."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, TypeVar, assert_never

from dtables import failures
from dtables.collector import held_back
from dtables.evaluator.asks import AskPlan
from dtables.evaluator.checks import Checks
from dtables.evaluator.index import Index
from dtables.evaluator.standings import best_of
from dtables.evaluator.state import DataRow, Holder, Lazy, RecordValue, Turn
from dtables.feel.builtins import BY_NAME
from dtables.feel.limits import MOST_ITERATIONS
from dtables.feel.types import (
    ANY,
    BooleanType,
    FunctionType,
    ListType,
    NumberType,
    TextType,
    Type,
    VocabularyType,
    describe,
    may_be_null,
    plain,
    without_null,
)
from dtables.feel.values import (
    ARITHMETIC,
    COMPARISONS,
    WORKBOOK_COMPARISONS,
    FeelError,
    Function,
    LimitError,
    Names,
    Range,
    Row,
    Value,
    add,
    as_plain,
    belongs,
    bounded,
    conjunction,
    disjunction,
    elements,
    entry,
    instance_of,
    item_at,
    kind_of,
    less,
    meets,
    negate,
    negation,
    same,
    steps,
    truth,
    within,
)
from dtables.model import expressions as model
from dtables.model.tables import Ask, Others
from dtables.program import nodes as p
from dtables.program.lowering import Program
from dtables.provenance import Location
from dtables.records.findings import RecordError, RuleError, missing

Frame = list[Any]
Operation = Callable[[Value, Value], Value]
Closure = Callable[[Frame], Value]
TableClosure = Callable[[Sequence[Value], Turn], Value]
FieldClosure = Callable[[Turn, Holder], Value]
FreeClosure = Callable[..., Value]
"""Of a turn, and of what variables are."""
Hits = list[tuple[p.Row, list[Value]]]
"""The rows that fire, with the values of their outcomes."""
Failure = Callable[[FeelError, Location, Frame], Value]
"""What is told where something fails, and what it comes to then."""
Outcomes = tuple[tuple[Closure, bool], ...]
"""Of a row; what is taken may not be null."""
Found = TypeVar("Found")


class Reading:
    """A scale that is being read. `rows` are what was noted of its rows, `aside` what was worked out for
    those that do not apply; `mark` is where the tape was before, `row_mark` where it was before a row."""

    __slots__ = ("aside", "candidates", "mark", "row_mark", "rows")

    def __init__(self, candidates: Sequence[Value], mark: int) -> None:
        self.candidates = candidates
        self.mark = self.row_mark = mark
        self.rows: list[Any] = []
        self.aside: list[Any] = []


Narrowing = Callable[[Frame, Reading, list[int], frozenset[int]], list[int]]
"""Who is left, as positions in the list of candidates, so that the same value standing there twice stays two.
Those that count as the worst of an embedding row are so in every embedded one."""
OfCandidates = Callable[[Frame, Sequence[Value], list[int], frozenset[int]], Found]
ScaleChosen = Callable[[Frame, Reading, list[int], Value], None]
ScaleRanked = Callable[[Frame, Reading, list[Value]], None]
CriterionKept = Callable[[Reading, dict[int, Value], list[int], list[int]], None]


class Unread:
    """Stands in a column's place until a cell asks for its value."""


UNREAD = Unread()


class Planner:
    """Makes each function when it is first called."""

    def __init__(self, program: Program, index: Index) -> None:
        self.program = program
        self.index = index
        self.tables = _Tables(self)
        self.checks = Checks(self)
        self._asks: dict[str, AskPlan] = {}
        self._rankings: dict[str, TableClosure] = {}
        self._fields: dict[tuple[str, str], FieldClosure] = {}
        self._functions: dict[int, tuple[FreeClosure, model.Expression]] = {}

    def plan(self, table: str | None) -> Plan:
        return Plan(self, table)

    # -- expressions by themselves -------------------------------------------------------------

    def function(
        self,
        expression: model.Expression,
        variables: Sequence[model.Variable] = (),
        table: str | None = None,
    ) -> FreeClosure:
        """`expression` as a function of a turn and of its variables."""
        return self._free(self.program.free(expression, variables), table)

    def test(
        self, tests: tuple[model.Test, ...], variables: Sequence[model.Variable], table: str | None = None
    ) -> FreeClosure:
        """Does the last of the variables pass?"""
        if not tests:
            return lambda _turn, *_values: True
        return self._free(self.program.free_tests(tests, variables), table)

    def _free(self, function: p.FreeFunction, table: str | None) -> FreeClosure:
        run, size = self.plan(table).closure(function.body), function.size
        return lambda turn, *values: run([turn, *values, *[None] * (size - 1 - len(values))])

    def worked_out(self, expression: model.Expression, turn: Turn) -> Value:
        """What an expression without variables comes to."""
        known = self._functions.get(id(expression))
        if known is None:
            known = self._functions[id(expression)] = self.function(expression), expression
        return known[0](turn)

    # -- functions -----------------------------------------------------------------------------

    def ask(self, ask: Ask) -> AskPlan:
        name = ask.heading.name
        if name not in self._asks:
            self._asks[name] = AskPlan(ask, self)
        return self._asks[name]

    def answer(self, name: str, arguments: Sequence[Value], turn: Turn) -> dict[str, Value]:
        """Another ask inside an answer: what it needs is looked at when it is reached."""
        ask = self.ask(self.index.asks[name])
        mark = turn.tape.open()
        ask.unmet(turn).refuse()
        turn.tape.drop(mark)
        return ask.reply(arguments, turn).answer

    def call(self, name: str, arguments: Sequence[Value], turn: Turn) -> Value:
        return self.tables[name](arguments, turn)

    def ranking(self, name: str, arguments: Sequence[Value], turn: Turn) -> Value:
        if name not in self._rankings:
            self._rankings[name] = _ranking(self.program.function(name), self)
        return self._rankings[name](arguments, turn)

    def table(self, name: str) -> TableClosure:
        call = called(self.program.function(name), self)
        return call if self.program.tables[name].parameters else self.once(name, call)

    def once(self, name: str, call: TableClosure) -> TableClosure:
        """Without parameters it is worked out once a turn."""

        def worked_out(arguments: Sequence[Value], turn: Turn) -> Value:
            memo = turn.memo
            if name in memo:
                turn.tape.again(name)
            else:
                memo[name] = call(arguments, turn)
            return memo[name]

        return worked_out

    def rows(self, table: str, turn: Turn) -> list[Value]:
        """The rows of a data table without key: the same records in every turn."""
        if table not in turn.constants:
            data = self.index.data[table]
            turn.constants[table] = [
                RecordValue(
                    data.record, {name: self.worked_out(cell, turn) for name, cell in row.values}, turn
                )
                for row in data.rows
            ]
        rows: list[Value] = turn.constants[table]
        return rows

    # -- computed fields -----------------------------------------------------------------------

    def field(self, record: str, name: str) -> FieldClosure:
        key = record, name
        if key not in self._fields:
            self._fields[key] = self._field(record, name)
        return self._fields[key]

    def _field(self, record: str, name: str) -> FieldClosure:
        """Worked out once a turn for each holder, or once for all where no turn can change it."""
        work = self._field_work(record, name)
        constant = (record, name) not in self.index.changing_fields

        def worked_out(turn: Turn, holder: Holder) -> Value:
            key = holder, name
            if constant and type(holder) is DataRow:
                constants = turn.constants
                if key not in constants:
                    constants[key] = work(turn.apart(), holder)
                return constants[key]
            memo = turn.memo
            if key not in memo:
                memo[key] = work(turn, holder)
            else:
                turn.tape.again(key)
            return memo[key]

        return worked_out

    def _field_work(self, record: str, name: str) -> FieldClosure:
        made: list[tuple[Closure, list[None]]] = []

        def work(turn: Turn, holder: Holder) -> Value:
            if not made:
                function = self.program.field(record, name)
                made.append((self.plan(record).closure(function.body), [None] * (function.size - 2)))
            run, rest = made[0]
            return run([turn, holder, *rest])

        return work


class _Tables(dict[str, TableClosure]):
    def __init__(self, planner: Planner) -> None:
        super().__init__()
        self._planner = planner

    def __missing__(self, name: str) -> TableClosure:
        made = self[name] = self._planner.table(name)
        return made


def called(function: p.Function, planner: Planner) -> TableClosure:
    name, where = function.name, function.source.heading.where
    run = planner.plan(name).body(function)
    rest = [None] * (function.size - 1 - len(function.parameters))

    standard = not planner.program.strict

    def call(arguments: Sequence[Value], turn: Turn) -> Value:
        try:
            return run([turn, *arguments, *rest])
        except (FeelError, RuleError) as error:
            if standard:
                turn.watch.failed(error, where)
                return None
            if isinstance(error, FeelError):
                raise RuleError(error.message, where, name) from None
            raise

    return call


def _ranking(function: p.Function, planner: Planner) -> TableClosure:
    run = planner.plan(function.name).ranking(function)
    rest = [None] * (function.size - 1 - len(function.parameters))
    return lambda arguments, turn: run([turn, *arguments, *rest])


class Plan:
    """Closures of one function; failures name its table."""

    def __init__(self, planner: Planner, table: str | None) -> None:
        self.planner = planner
        self.table = table
        self.standard = not planner.program.strict

    def is_sure(self, type_: Type) -> bool:
        """True or false, and nothing else: by the standard whatever fails is null."""
        return not self.standard and isinstance(plain(type_), BooleanType) and not may_be_null(type_)

    def is_list(self, type_: Type) -> bool:
        return not self.standard and isinstance(plain(type_), ListType) and not may_be_null(type_)

    def fail(self, error: FeelError, where: Location, frame: Frame) -> Value:
        if self.standard:
            frame[0].watch.failed(error, where)
            return None
        raise RuleError(error.message, where, self.table) from None

    # -- functions -----------------------------------------------------------------------------

    def body(self, function: p.Function) -> Closure:
        match function.body:
            case p.Choose():
                return self.choose(function.body)
            case p.Narrow():
                return self.narrow(function)
            case _:
                result = self.closure(function.body)
                if not function.steps:
                    return result
                bound = tuple((step.slot, self.step(step)) for step in function.steps)

                def run(f: Frame) -> Value:
                    for slot, step in bound:
                        f[slot] = step(f)
                    return result(f)

                return run

    def step(self, step: p.Step) -> Callable[[Frame], object]:
        """What stands in its place until it is read, or called: each call has a frame of its own."""
        work, slots = self._step_value(step), step.parameters
        if not slots:
            return lambda f: Lazy(partial(work, f))

        def called_with(f: Frame) -> object:
            def body(*arguments: Value) -> Value:
                inner = f.copy()
                for slot, argument in zip(slots, arguments, strict=True):
                    inner[slot] = argument
                return work(inner)

            return body

        return called_with

    def _step_value(self, step: p.Step) -> Closure:
        return self.closure(step.value)

    # -- expressions ---------------------------------------------------------------------------

    def closures(self, nodes: Sequence[p.Expression]) -> tuple[Closure, ...]:
        return tuple(map(self.closure, nodes))

    def closure(self, node: p.Expression) -> Closure:
        return self.make(node)

    def make(self, node: p.Expression) -> Closure:
        if isinstance(node, p.Known):
            return self._known(node)
        if isinstance(node, p.Read):
            return self._read(node)
        if isinstance(node, p.Operated):
            return self._operated(node)
        if isinstance(node, p.Tested):
            return self._tested(node)
        if isinstance(node, p.Compound):
            return self._compound(node)
        if isinstance(node, p.Constructed):
            return self._constructed(node)
        return self._called(node)

    def _known(self, node: p.Known) -> Closure:
        match node:
            case p.Constant(value=value):
                return lambda _f: value
            case p.Name(vocabulary=vocabulary, id=id_):
                if self._is_id(node):
                    return lambda _f: id_
                return _once(lambda turn: turn.name(vocabulary, id_))
            case p.EachName(vocabulary=vocabulary):
                wanted = self.planner.index.vocabularies[vocabulary]
                return _once(lambda turn: [turn.name(wanted.root, label.id) for label in wanted.names])
            case p.Rows(table=table):
                return self._rows(table)
            case p.Local(slot=slot, step=None):
                return operator.itemgetter(slot)
            case p.Local(slot=slot) | p.LazyLocal(slot=slot):
                return lambda f: f[slot].value() if type(f[slot]) is Lazy else f[slot]
            case p.Input():
                return self._input(node)
            case p.Switch():
                return self._switch(node)
            case _:
                assert_never(node)

    def _read(self, node: p.Read) -> Closure:
        match node:
            case p.Stored():
                return self._stored(node)
            case p.Computed():
                return self._computed(node)
            case p.Property(of=of):
                value, other = self.closure(of), self._other(node)
                return lambda f: other(value(f), f)
            case p.Entry():
                return self._entry(node)
            case p.ItemAt(of=of, index=index, where=where):
                return self._operation(item_at, (of, index), where)
            case p.Filter():
                return self._filter(node)
            case p.Select():
                return self._select(node)
            case p.ItemEntry():
                return self._item_entry(node)
            case _:
                assert_never(node)

    def _operated(self, node: p.Operated) -> Closure:
        match node:
            case p.Negation(operand=operand, where=where):
                return self._operation(negate, (operand,), where)
            case p.Arithmetic(operator=sign, left=left, right=right, where=where):
                in_python = node.unbounded and not self.standard
                return self._operation(operator.mul if in_python else ARITHMETIC[sign], (left, right), where)
            case p.Comparison():
                return self._comparison(node)
            case p.Logic():
                return self._logic(node)
            case p.Not(operand=operand):
                negated = self.closure(operand)
                return lambda f: negation(negated(f))
            case p.InstanceOf():
                return self._instance_of(node)
            case p.Present():
                return self._present(node)
            case p.Plain(value=value):
                leaving = self.closure(value)
                return lambda f: as_plain(leaving(f))
            case p.Fail():
                return self._failing(node)
            case _:
                assert_never(node)

    def _tested(self, node: p.Tested) -> Closure:
        match node:
            case p.Member():
                return self._member(node)
            case p.Between():
                return self._between(node)
            case p.Meets(value=value, test=test, where=where):
                alike = COMPARISONS["="] if self.standard else same
                return self._operation(lambda a, b: meets(a, b, alike), (value, test), where)
            case p.IsTrue(value=value):
                held = self.closure(value)
                return held if self.is_sure(value.type) else lambda f: held(f) is True
            case p.Truth(value=value):
                held = self.closure(value)
                return held if isinstance(plain(value.type), BooleanType) else _truth_of(held)
            case _:
                assert_never(node)

    def _compound(self, node: p.Compound) -> Closure:
        match node:
            case p.Let():
                return self._let(node)
            case p.Conditional():
                condition, then, otherwise = self.closures((node.condition, node.then, node.otherwise))
                return lambda f: then(f) if condition(f) is True else otherwise(f)
            case p.For():
                return self._for(node)
            case p.Quantified():
                return self._quantified(node)
            case _:
                assert_never(node)

    def _constructed(self, node: p.Constructed) -> Closure:
        match node:
            case p.MakeList(items=items):
                works = self.closures(items)
                return lambda f: [work(f) for work in works]
            case p.MakeContext():
                return self._context(node)
            case p.MakeRecord(record=record, fields=fields):
                entries = tuple((name, self.closure(value)) for name, value in fields)
                return lambda f: RecordValue(record, {n: work(f) for n, work in entries}, f[0])
            case p.MakeRange():
                return self._range(node)
            case p.MakeFunction():
                return self._function(node)
            case _:
                assert_never(node)

    def _called(self, node: p.Called) -> Closure:
        match node:
            case p.Builtin():
                return self._builtin(node)
            case p.Apply():
                return self._apply(node)
            case p.Call():
                return self._call(node)
            case p.CallStep():
                return self._call_step(node)
            case p.Rank(scale=scale, arguments=arguments):
                works, rank = self.closures(arguments), self.planner.ranking
                return self._caught(lambda f: rank(scale, [work(f) for work in works], f[0]), node.where)
            case p.AskAnswer(ask=ask, arguments=arguments):
                asked, answer = self.closures(arguments), self.planner.answer
                return lambda f: answer(ask, [work(f) for work in asked], f[0])
            case _:
                assert_never(node)

    # -- helpers -------------------------------------------------------------------------------

    def _operation(
        self, operation: Callable[..., Value], operands: Sequence[p.Expression], where: Location
    ) -> Closure:
        """`operation` on what operands come to; where it fails, this node does."""
        if len(operands) == 2:
            left, right = operands
            return self._binary(operation, left, right, where)
        works, fail = self.closures(operands), self.fail
        if len(works) == 1:
            (only,) = works

            def unary(f: Frame) -> Value:
                value = only(f)
                try:
                    return operation(value)
                except FeelError as error:
                    return fail(error, where, f)

            return unary

        def run(f: Frame) -> Value:
            values = [work(f) for work in works]
            try:
                return operation(*values)
            except FeelError as error:
                return fail(error, where, f)

        return run

    def plain_slot(self, node: p.Expression) -> p.Slot | None:
        """A place that is read as it is, where nobody looks on."""
        if isinstance(node, p.Local) and node.step is None:
            return node.slot
        return None

    def is_constant(self, node: p.Expression) -> bool:
        """Is it the same at all times, and does nobody look on?"""
        return isinstance(node, p.Constant) or (isinstance(node, p.Name) and self._is_id(node))

    def constant(self, node: p.Expression) -> Value:
        return node.id if isinstance(node, p.Name) else node.value if isinstance(node, p.Constant) else None

    def _is_id(self, name: p.Name) -> bool:
        """Its value is no row of data."""
        return self.planner.index.vocabularies[name.vocabulary].record is None

    def _binary(
        self,
        operation: Operation,
        left: p.Expression,
        right: p.Expression,
        where: Location,
    ) -> Closure:
        fail, a = self.fail, self.closure(left)
        b = self.closure(right)

        def run(f: Frame) -> Value:
            x = a(f)
            y = b(f)
            try:
                return operation(x, y)
            except FeelError as error:
                return fail(error, where, f)

        return run

    # -- reading -------------------------------------------------------------------------------

    def _rows(self, table: str) -> Closure:
        planner = self.planner
        return lambda f: planner.rows(table, f[0])

    def _input(self, node: p.Input) -> Closure:
        name, index = node.field, self.planner.index
        declared = index.fields[index.state][name]
        optional, wanted, where = (
            may_be_null(node.type),
            describe(without_null(declared.type)),
            declared.where,
        )
        computed = declared.computed is not None

        def run(f: Frame) -> Value:
            state = f[0].state
            if state is None:
                value = None
            elif computed:
                value = f[0].field_of(state, name)
            else:
                value = state.values.get(name)
            if value is None and not optional:
                raise RecordError([missing(f[0].place(name), wanted, Location(where))])
            return value

        return run

    def _switch(self, node: p.Switch) -> Closure:
        name = node.name
        default = self.planner.index.switches[name][0].default

        def run(f: Frame) -> Value:
            recorded = recorded_switch(name, f[0])
            return default if recorded is None else recorded

        return run

    def _stored(self, node: p.Stored) -> Closure:
        name, slot = node.name, self.plain_slot(node.of)
        other = self._other(node)
        if slot is not None:

            def of_place(f: Frame) -> Value:
                value = f[slot]
                kind = type(value)
                fits = kind is RecordValue or kind is DataRow
                return value.values.get(name) if fits else other(value, f)

            return of_place
        of = self.closure(node.of)

        def run(f: Frame) -> Value:
            value = of(f)
            kind = type(value)
            return value.values.get(name) if kind is RecordValue or kind is DataRow else other(value, f)

        return run

    def _other(self, node: p.Stored | p.Computed | p.Property) -> Callable[[Value, Frame], Value]:
        name = node.field.name if isinstance(node, p.Computed) else node.name
        fail, where = self.fail, node.where

        def read(value: Value, f: Frame) -> Value:
            if value is None:
                return None
            try:
                return f[0].read_field(value, name)
            except FeelError as error:
                return fail(error, where, f)

        return read

    def _computed(self, node: p.Computed) -> Closure:
        of, other = self.closure(node.of), self._other(node)
        field = self.planner.field(node.record, node.field.name)

        def run(f: Frame) -> Value:
            value = of(f)
            kind = type(value)
            return field(f[0], value) if kind is RecordValue or kind is DataRow else other(value, f)

        return run

    def _entry(self, node: p.Entry) -> Closure:
        of, key, stored = self.closure(node.of), self.closure(node.key), self._stored_entries(node)

        def run(f: Frame) -> Value:
            value, by = of(f), key(f)
            if value is None or by is None:
                return None
            name = by.id if isinstance(by, Row) else by
            if type(value) is dict and type(name) is str:
                return value.get(name)
            if name in stored and type(value) is RecordValue:
                return value.values.get(name)
            return f[0].read_field(value, name)

        return self._caught(run, node.where)

    def _stored_entries(self, node: p.Entry) -> frozenset[str]:
        """The fields that can be read off a record as they are."""
        record = self.planner.program.record_of(node.of.type)
        fields = self.planner.program.fields[record] if record is not None else {}
        return frozenset(name for name, field in fields.items() if field.computed is None)

    def _item_entry(self, node: p.ItemEntry) -> Closure:
        slot, name, otherwise = node.item, node.name, self.closure(node.otherwise)

        def run(f: Frame) -> Value:
            value, turn = f[slot], f[0]
            return turn.read_field(value, name) if turn.has_field(value, name) else otherwise(f)

        return self._caught(run, node.where)

    # -- operators -----------------------------------------------------------------------------

    def comparing(self, node: p.Comparison) -> Operation:
        """Python's own where the types say that it comes to the same."""
        sign, left, right = node.operator, node.left.type, node.right.type
        if self.standard:
            return COMPARISONS[sign]
        if sign in EQUALITIES and isinstance(node.right, p.Constant) and node.right.value is None:
            return operator.is_ if sign == "=" else operator.is_not
        if (sign in EQUALITIES and _are_alike(left, right)) or (_is_whole(left) and _is_whole(right)):
            return IN_PYTHON[sign]
        return WORKBOOK_COMPARISONS[sign]

    def _comparison(self, node: p.Comparison) -> Closure:
        left, right, operation = node.left, node.right, self.comparing(node)
        slot = self.plain_slot(left)
        if slot is None or not self.is_constant(right):
            return self._operation(operation, (left, right), node.where)
        value = self.constant(right)
        if operation is operator.eq:
            return partial(_equals, slot, value)
        return partial(_compares, slot, value, operation, self.fail, node.where)

    def _logic(self, node: p.Logic) -> Closure:
        left, right = self.closure(node.left), self.closure(node.right)
        sure = self.is_sure(node.left.type) and self.is_sure(node.right.type)
        if node.operator == "and":
            if sure:
                return lambda f: left(f) and right(f)

            def both(f: Frame) -> Value:
                first = left(f)
                return False if first is False else conjunction(first, right(f))

            return both
        if sure:
            return lambda f: left(f) or right(f)

        def either(f: Frame) -> Value:
            first = left(f)
            return True if first is True else disjunction(first, right(f))

        return either

    def _member(self, node: p.Member) -> Closure:
        kind = plain(node.list.type)
        in_python = isinstance(kind, ListType) and _are_alike(node.value.type, kind.item)

        def is_member(value: Value, items: Value) -> Value:
            if in_python and type(items) is list:
                return value in items
            return None if items is None else belongs(value, items)

        return self._operation(is_member, (node.value, node.list), node.where)

    def _between(self, node: p.Between) -> Closure:
        slot, ends, fail, where = self.plain_slot(node.value), (node.low, node.high), self.fail, node.where
        a, b = node.low_included, node.high_included
        if slot is not None and all(end is None or self.is_constant(end) for end in ends):
            least, most = [None if end is None else self.constant(end) for end in ends]
            if a and b and _is_whole(node.value.type) and type(least) is int and type(most) is int:
                return partial(_is_between, slot, least, most)
            return partial(_is_within, slot, least, most, a, b, fail, where)
        value, low, high = self.closure(node.value), self._end(node.low), self._end(node.high)

        def run(f: Frame) -> Value:
            seen = value(f)
            if seen is None:
                return None
            ends = low(f), high(f)
            try:
                return within(seen, *ends, a, b)
            except FeelError as error:
                return fail(error, where, f)

        return run

    def _end(self, end: p.Expression | None) -> Closure:
        return _nothing if end is None else self.closure(end)

    def _instance_of(self, node: p.InstanceOf) -> Closure:
        wanted = node.wanted
        return self._with_names(
            lambda value, names: instance_of(value, wanted, names), node.value, node.where
        )

    def _with_names(
        self, operation: Callable[[Value, Names], Value], operand: p.Expression, where: Location
    ) -> Closure:
        """What an operation comes to that must know all vocabularies."""
        work, fail = self.closure(operand), self.fail

        def run(f: Frame) -> Value:
            value = work(f)
            try:
                return operation(value, f[0].vocabularies)
            except FeelError as error:
                return fail(error, where, f)

        return run

    def _present(self, node: p.Present) -> Closure:
        if node.types:
            types = node.types
            return self._with_names(
                lambda value, names: failures.require(value, types, names), node.operand, node.where
            )
        operand, where, table, wanted = (
            self.closure(node.operand),
            node.where,
            self.table,
            describe(node.type),
        )

        def present(f: Frame) -> Value:
            value = operand(f)
            if value is None:
                raise RuleError(failures.null_here(wanted), where, table)
            return value

        return present

    def _failing(self, node: p.Fail) -> Closure:
        where, table, works, failure = node.where, self.table, self.closures(node.arguments), node.failure

        def run(f: Frame) -> Value:
            match failure:
                case p.Failure.NO_ROW:
                    message = failures.no_row_fires()
                case p.Failure.NO_ENTRY:
                    message = failures.no_entry([work(f) for work in works])
            raise RuleError(message, where, table)

        return run

    # -- compound ------------------------------------------------------------------------------

    def _let(self, node: p.Let) -> Closure:
        slot, value, body = node.slot, self.closure(node.value), node.body
        if isinstance(body, p.IsTrue) and isinstance(body.value, p.Member):
            member, kind = body.value, plain(body.value.list.type)
            in_python = isinstance(kind, ListType) and _are_alike(node.value.type, kind.item)
            if in_python and self.is_list(member.list.type) and self.plain_slot(member.value) == slot:
                return _in_list(slot, value, self.closure(member.list))
        inner = self.closure(body)

        def run(f: Frame) -> Value:
            f[slot] = value(f)
            return inner(f)

        return run

    def _filter(self, node: p.Filter) -> Closure:
        of, condition, slot = self.closure(node.of), self.closure(node.condition), node.item

        def run(f: Frame) -> Value:
            items = of(f)
            if items is None:
                return None
            kept = []
            for item in items:
                f[slot] = item
                if condition(f) is True:
                    kept.append(item)
            return kept

        return run

    def _select(self, node: p.Select) -> Closure:
        of, select = self.closure(node.of), self.select(node)
        return lambda f: select(of(f), f)[0]

    def select(self, node: p.Select) -> Callable[[Value, Frame], tuple[Value, bool]]:
        """What is kept of a value, and whether by an index."""
        condition, slot, fail, where = self.closure(node.condition), node.item, self.fail, node.where

        def run(value: Value, f: Frame) -> tuple[Value, bool]:
            items = value if isinstance(value, list) else [value]
            kept: list[Value] = []
            try:
                for item in items or [None]:
                    f[slot] = item
                    held = condition(f)
                    if kind_of(held) == "number":
                        return item_at(items, held), True
                    if truth(held) is True and items:
                        kept.append(item)
            except FeelError as error:
                return fail(error, where, f), False
            return kept, False

        return run

    def _iterations(
        self, bindings: tuple[p.Binding, ...], node: p.For | p.Quantified
    ) -> Callable[[Frame], Iterator[None]]:
        """The frame is at the next items each time round."""
        if not bindings:
            return lambda _f: iter((None,))
        first, inner = bindings[0], self._iterations(bindings[1:], node)
        slot, source = first.slot, self.closure(first.source)
        end = None if first.end is None else self.closure(first.end)
        standard = self.standard

        def through(f: Frame) -> Iterator[None]:
            value = source(f)
            items: Any
            if end is not None:
                items = steps(value, end(f))
            elif isinstance(value, Range):
                items = elements(value)
            elif isinstance(value, list):
                items = value
            elif value is not None and standard:
                items = (value,)
            else:
                raise FeelError(f"{kind_of(value)} is no list to go through")
            for item in items:
                f[slot] = item
                yield from inner(f)

        return through

    def _counted(self, node: p.For | p.Quantified) -> Callable[[Frame], Iterator[None]]:
        through, where, table, standard = (
            self._iterations(node.bindings, node),
            node.where,
            self.table,
            self.standard,
        )

        def counted(f: Frame) -> Iterator[None]:
            for count, _ in enumerate(through(f)):
                if count == MOST_ITERATIONS:
                    message = failures.too_many_iterations(MOST_ITERATIONS)
                    if standard:
                        raise LimitError(message)
                    raise RuleError(message, where, table)
                yield

        return counted

    def _one_list(self, node: p.For | p.Quantified) -> bool:
        first, *others = node.bindings
        return not others and first.end is None and self.is_list(first.source.type)

    def _for(self, node: p.For) -> Closure:
        result, fail, where = self.closure(node.result), self.fail, node.where
        counted = self._counted(node)
        partial_slot = node.partial

        def run(f: Frame) -> Value:
            results: list[Value] = []
            try:
                for _ in counted(f):
                    if partial_slot is not None:
                        f[partial_slot] = list(results)
                        value = result(f)
                        results.append(bounded(value) if type(value) is int else value)
                    else:
                        results.append(result(f))
            except FeelError as error:
                return fail(error, where, f)
            return results

        if partial_slot is not None or not self._one_list(node):
            return run
        slot, source = node.bindings[0].slot, self.closure(node.bindings[0].source)

        def quick(f: Frame) -> Value:
            items = source(f)
            if type(items) is not list or len(items) > MOST_ITERATIONS:
                return run(f)
            results = []
            for item in items:
                f[slot] = item
                results.append(result(f))
            return results

        return quick

    def _quantified(self, node: p.Quantified) -> Closure:
        condition, fail, where, some = self.closure(node.condition), self.fail, node.where, node.some
        counted, join = self._counted(node), disjunction if node.some else conjunction

        def run(f: Frame) -> Value:
            result: bool | None = not some
            try:
                for _ in counted(f):
                    result = join(result, truth(condition(f)))
                    if result is some:
                        break
            except FeelError as error:
                return fail(error, where, f)
            return result

        if not self._one_list(node) or not self.is_sure(node.condition.type):
            return run
        slot, source = node.bindings[0].slot, self.closure(node.bindings[0].source)

        def quick(f: Frame) -> Value:
            items = source(f)
            if type(items) is not list or len(items) > MOST_ITERATIONS:
                return run(f)
            for item in items:
                f[slot] = item
                if condition(f) is some:
                    return some
            return not some

        return quick

    def _context(self, node: p.MakeContext) -> Closure:
        entries = tuple((name, slot, self.closure(value)) for name, slot, value in node.entries)

        def run(f: Frame) -> Value:
            context: dict[str, Value] = {}
            for name, slot, work in entries:
                f[slot] = Lazy(partial(context.get, name))
                context[name] = work(f)
            return context

        return run

    def _range(self, node: p.MakeRange) -> Closure:
        low, high, fail, where = self._end(node.low), self._end(node.high), self.fail, node.where
        a, b = node.low_included, node.high_included

        def run(f: Frame) -> Value:
            ends = low(f), high(f)
            try:
                return Range(*ends, a, b)
            except FeelError as error:
                return fail(error, where, f)

        return run

    def _function(self, node: p.MakeFunction) -> Closure:
        """The frame as it is when the function is made, copied for each call."""
        slots, body = tuple(slot for _, slot, _ in node.parameters), self.closure(node.body)
        names, types = tuple(name for name, _, _ in node.parameters), tuple(t for _, _, t in node.parameters)
        result = node.type.result if isinstance(node.type, FunctionType) else ANY

        def run(f: Frame) -> Value:
            kept = f.copy()

            def call(*arguments: Value) -> Value:
                inner = kept.copy()
                for slot, argument in zip(slots, arguments, strict=True):
                    inner[slot] = argument
                return body(inner)

            return Function(names, call, types, result=result)

        return run

    # -- calls ---------------------------------------------------------------------------------

    def _builtin(self, node: p.Builtin) -> Closure:
        meaning = BY_NAME[node.name].meaning
        if node.name == "get value":
            return self._get_value(node)
        if node.name == "count" and len(node.arguments) == 1 and self.is_list(node.arguments[0].type):
            listed = self.closure(node.arguments[0])
            return lambda f: len(listed(f))
        return self._operation(meaning, node.arguments, node.where)

    def _get_value(self, node: p.Builtin) -> Closure:
        meaning, works = BY_NAME[node.name].meaning, self.closures(node.arguments)
        return self._caught(lambda f: meaning(*[work(f) for work in works], read=f[0].read_field), node.where)

    def _caught(self, run: Closure, where: Location) -> Closure:
        fail = self.fail

        def caught(f: Frame) -> Value:
            try:
                return run(f)
            except FeelError as error:
                return fail(error, where, f)

        return caught

    def _apply(self, node: p.Apply) -> Closure:
        function, works, standard = self.closure(node.function), self.closures(node.arguments), self.standard

        def run(f: Frame) -> Value:
            called_one = function(f)
            values = [work(f) for work in works]
            return failures.call(called_one, values, None if standard else f[0].vocabularies)

        return self._caught(run, node.where)

    def _call(self, node: p.Call) -> Closure:
        tables, name, works = self.planner.tables, node.table, self.closures(node.arguments)
        if not works:
            return lambda f: tables[name]((), f[0])
        return lambda f: tables[name]([work(f) for work in works], f[0])

    def _call_step(self, node: p.CallStep) -> Closure:
        slot, works = node.slot, self.closures(node.arguments)
        return lambda f: f[slot](*[work(f) for work in works])

    # -- decisions -----------------------------------------------------------------------------

    def choose(self, choose: p.Choose) -> Closure:
        unread = tuple(c.slot for c in choose.columns if c.value is not None)
        rows = Rows(choose, self)
        whole, empty, finish = rows.whole, self._empty(choose), self._fold(choose)
        stops = choose.fold.stops

        def run(f: Frame) -> Value:
            for slot in unread:
                f[slot] = UNREAD
            hits: Hits = []
            for number, tests in enumerate(rows):
                for test in tests:
                    if test(f) is not True:
                        break
                else:
                    if number not in whole and not rows.passes(number, len(tests), f):
                        continue
                    row, outcomes = whole[number]
                    values = given(outcomes, f)
                    if len(values) == len(outcomes):
                        hits.append((row, values))
                        if stops:
                            break
            return finish(hits, f) if hits else empty(f)

        return run

    def test(self, column: p.Column, cell: p.Cell) -> Closure:
        """Does the value of a cell's column pass it? The first cell that asks for the value has it worked
        out."""
        condition = self.condition(cell)
        if column.value is None:
            return condition
        slot, value = column.slot, self.closure(column.value)

        def run(f: Frame) -> Value:
            if f[slot] is UNREAD:
                f[slot] = value(f)
            return condition(f)

        return run

    def condition(self, cell: p.Cell) -> Closure:
        return with_room(cell.size, self.closure(cell.condition))

    def outcomes(self, row: p.Row) -> Outcomes:
        return tuple((with_room(one.size, self.closure(one.value)), one.taken) for one in row.outcomes)

    def _empty(self, choose: p.Choose) -> Closure:
        """No row fires."""
        return self.closure(choose.empty)

    def _fold(self, choose: p.Choose) -> Callable[[Hits, Frame], Value]:
        names, fold, table = choose.names, choose.fold, self.table

        def combined(values: list[Value]) -> Value:
            return dict(zip(names, values, strict=True)) if names else values[0]

        ranks = None if fold.ranks is None else tuple(self.closures(some) for some in fold.ranks)

        def place(column: tuple[Closure, ...], value: Value, f: Frame) -> int:
            for number, listed in enumerate(column):
                if same(listed(f), value):
                    return number
            return len(column)

        def finish(hits: Hits, f: Frame) -> Value:
            if ranks is not None:
                hits = sorted(
                    hits, key=lambda hit: tuple(place(c, v, f) for c, v in zip(ranks, hit[1], strict=True))
                )
            match fold.take:
                case p.Take.FIRST:
                    return combined(hits[0][1])
                case p.Take.ONLY:
                    if len(hits) > 1:
                        first, second = hits[0][0], hits[1][0]
                        message = failures.two_rows_fire(first.name, second.name)
                        raise RuleError(message, Location(second.where), table)
                    return combined(hits[0][1])
                case p.Take.AGREED:
                    for other, values in hits[1:]:
                        if not same(hits[0][1], values):
                            message = failures.rows_differ(hits[0][0].name, other.name)
                            raise RuleError(message, Location(other.where), table)
                    return combined(hits[0][1])
                case p.Take.ALL:
                    return _combine(fold.combine, [combined(values) for _, values in hits])
                case _:
                    assert_never(fold.take)

        return finish

    # -- scales --------------------------------------------------------------------------------

    def narrow(self, function: p.Function) -> Closure:
        """The best candidate, null of an empty list; of a scale that ends by chance all that are equal."""
        narrow = function.body
        assert isinstance(narrow, p.Narrow)
        where, table = Location(narrow.criteria[-1].source.cell), self.table
        narrowed = self._criteria(narrow.criteria, narrow.others, narrow.item, function.name)
        slot, level, note = narrow.candidates, narrow.level, self._scale_chosen(function)

        def run(f: Frame) -> Value:
            reading = Reading(f[slot], f[0].tape.open())
            candidates = reading.candidates
            left = narrowed(f, reading, list(range(len(candidates))), frozenset())
            best = [candidates[position] for position in left]
            if len(best) > 1 and not level:
                raise RuleError(failures.undecided(best), where, table)
            value: Value = best if level else best[0] if best else None
            if note is not None:
                note(f, reading, left, value)
            return value

        return run

    def ranking(self, function: p.Function) -> Closure:
        """Tiers of equals, the best first."""
        narrow = function.body
        assert isinstance(narrow, p.Narrow)
        narrowed = self._criteria(narrow.criteria, narrow.others, narrow.item, function.name)
        slot, note = narrow.candidates, self._scale_ranked(function)

        def run(f: Frame) -> Value:
            reading = Reading(f[slot], f[0].tape.open())
            rest, tiers = list(range(len(reading.candidates))), []
            while rest:
                best = narrowed(f, reading, rest, frozenset())
                tiers.append([reading.candidates[position] for position in best])
                rest = [position for position in rest if position not in best]
            if note is not None:
                note(f, reading, tiers)
            return tiers

        return run

    def _scale_chosen(self, function: p.Function) -> ScaleChosen | None:
        """Who wants to know of a scale whose best is known; here nobody."""
        del function
        return None

    def _scale_ranked(self, function: p.Function) -> ScaleRanked | None:
        del function
        return None

    def _criterion_read(self, criterion: p.Criterion, scale: str) -> CriterionKept | None:
        """Who wants to know of a row that was read; `scale` is the one that it stands in."""
        del criterion, scale
        return None

    def _criteria(
        self, criteria: tuple[p.Criterion, ...], others: Others, item: p.Slot, scale: str
    ) -> Narrowing:
        rows = tuple((self._applies(one), self._criterion(one, others, item, scale)) for one in criteria)

        def narrowed(f: Frame, reading: Reading, left: list[int], worst: frozenset[int]) -> list[int]:
            for applies, after in rows:
                if len(left) <= 1:
                    break
                if applies is not None and not applies(f, reading):
                    continue
                if after is None:
                    break
                left = after(f, reading, left, worst)
            return left

        return narrowed

    def _applies(self, criterion: p.Criterion) -> Callable[[Frame, Reading], bool] | None:
        if criterion.applies is None:
            return None
        held = self.closure(criterion.applies)
        return lambda f, _reading: held(f) is True

    def _criterion(
        self, criterion: p.Criterion, others: Others, item: p.Slot, scale: str
    ) -> Narrowing | None:
        """Who is left after a row that applies; None: chance decides."""
        standing = criterion.standing
        if standing is None:
            return None
        concerned_by, best = self._concerned(criterion, item), self._best(standing, criterion, item, scale)

        def after(f: Frame, reading: Reading, left: list[int], worst: frozenset[int]) -> list[int]:
            concerned = concerned_by(f, reading.candidates, left, worst)
            apart = frozenset(q for q in left if q not in worst and q not in concerned)
            if not concerned or (apart and others is Others.SKIP):
                return left
            if apart and others is Others.LAST:
                worst = worst | apart
            staying = apart if others is Others.STAY else frozenset()
            kept = best(f, reading, [q for q in left if q not in staying], worst)
            return [q for q in left if q in kept or q in staying]

        return after

    def of_candidates(self, nodes: Sequence[p.Expression]) -> tuple[Closure, ...]:
        """What is worked out for each candidate."""
        return self.closures(nodes)

    def _concerned(self, criterion: p.Criterion, item: p.Slot) -> OfCandidates[list[int]]:
        """Of those left the ones that a row concerns."""
        concerns = self.of_candidates(criterion.concerns)

        def concerned(
            f: Frame, candidates: Sequence[Value], left: list[int], worst: frozenset[int]
        ) -> list[int]:
            found = []
            for position in left:
                if position in worst:
                    continue
                f[item] = candidates[position]
                for concern in concerns:
                    if concern(f) is not True:
                        break
                else:
                    found.append(position)
            return found

        return concerned

    def _values(self, by: p.Expression | None, item: p.Slot) -> OfCandidates[dict[int, Value]]:
        """What they are compared by."""
        (work,) = (_nothing,) if by is None else self.of_candidates((by,))

        def values(
            f: Frame, candidates: Sequence[Value], left: list[int], worst: frozenset[int]
        ) -> dict[int, Value]:
            found = {}
            for position in left:
                if position not in worst:
                    f[item] = candidates[position]
                    found[position] = work(f)
            return found

        return values

    def _best(self, standing: p.By | p.Group, criterion: p.Criterion, item: p.Slot, scale: str) -> Narrowing:
        if isinstance(standing, p.Group):
            return self._group(standing, item)
        values_of, order = self._values(standing.by, item), self._end(standing.order)
        prefer, note = standing.prefer, self._criterion_read(criterion, scale)

        def best(f: Frame, reading: Reading, left: list[int], worst: frozenset[int]) -> list[int]:
            listed = order(f)
            values = values_of(f, reading.candidates, left, worst)
            kept = best_of(prefer, values, listed, left, worst)
            if note is not None:
                note(reading, values, left, kept)
            return kept

        return best

    def _group(self, group: p.Group, item: p.Slot) -> Narrowing:
        lets = tuple((slot, self.closure(value)) for slot, value in group.lets)
        inner = self._criteria(group.criteria, group.others, item, group.scale)

        def best(f: Frame, reading: Reading, left: list[int], worst: frozenset[int]) -> list[int]:
            for slot, value in lets:
                f[slot] = value(f)
            return inner(f, reading, left, worst)

        return best


def recorded_switch(name: str, turn: Turn) -> Value:
    """What the record has in place of the default."""
    _, field = turn.index.switches[name]
    overrides = None if field is None or turn.state is None else turn.field_of(turn.state, field)
    return None if overrides is None else entry(overrides, name)


EQUALITIES = ("=", "!=")
IN_PYTHON: dict[str, Operation] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Rows:
    """The rows of a table as far as they were tried: of each the tests of its first cells, one more whenever
    all of them pass. Behind the last test it is `whole`."""

    def __init__(self, choose: p.Choose, plan: Plan) -> None:
        self._columns, self._rows, self._plan = choose.columns, choose.rows, plan
        self.tests: list[tuple[Closure, ...]] = []
        self.whole: dict[int, tuple[p.Row, Outcomes]] = {}

    def __iter__(self) -> Iterator[tuple[Closure, ...]]:
        tests = self.tests
        return iter(tests) if len(tests) == len(self._rows) else chain(tests, self._others())

    def _others(self) -> Iterator[tuple[Closure, ...]]:
        """Those that were never tried; a row may lead to others of the same table."""
        tests = self.tests
        for number in range(len(tests), len(self._rows)):
            if number == len(tests):
                self._begin_more()
            yield tests[number]

    @held_back()
    def _begin_more(self) -> None:
        """One, then twice as many as there are."""
        first = len(self.tests)
        for row in self._rows[first : 2 * first + 1]:
            self.tests.append((self._test(row.cells[0]),) if row.cells else ())

    def passes(self, number: int, passed: int, f: Frame) -> bool:
        """Do the tests behind those that passed pass too?"""
        return all(test(f) is True for test in self.behind(number, passed))

    def behind(self, number: int, passed: int) -> Iterator[Closure]:
        """The tests of a row behind those that passed, each made when it is reached."""
        row = self._rows[number]
        for place in range(passed, len(row.cells)):
            tests = self.tests[number]
            if place == len(tests):
                tests = self.tests[number] = (*tests, self._test(row.cells[place]))
            yield tests[place]
        if number not in self.whole:
            self.whole[number] = row, self._plan.outcomes(row)

    def _test(self, cell: p.Cell) -> Closure:
        return self._plan.test(self._columns[cell.column], cell)


def given(outcomes: Outcomes, f: Frame) -> list[Value]:
    """What a row gives; one with nothing to take gives less."""
    values = []
    for outcome, taken in outcomes:
        value = outcome(f)
        if taken and value is None:
            break
        values.append(value)
    return values


def with_room(size: int | None, run: Closure) -> Closure:
    """The frame grows for a cell that needs more of it than its function; nothing that it holds moves."""
    if size is None:
        return run

    def roomy(f: Frame) -> Value:
        if len(f) < size:
            f.extend([None] * (size - len(f)))
        return run(f)

    return roomy


# Cells that compare their column with constants: there may be a hundred thousand of them. Each is a `partial`
# of one of these, which takes a fifth of the room of closures.


def _equals(slot: p.Slot, value: Value, f: Frame) -> Value:
    return f[slot] == value


def _compares(
    slot: p.Slot, value: Value, operation: Operation, fail: Failure, where: Location, f: Frame
) -> Value:
    try:
        return operation(f[slot], value)
    except FeelError as error:
        return fail(error, where, f)


def _is_between(slot: p.Slot, low: int, high: int, f: Frame) -> Value:
    return low <= f[slot] <= high


def _is_within(
    slot: p.Slot, low: Value, high: Value, a: bool, b: bool, fail: Failure, where: Location, f: Frame
) -> Value:
    """`a`, `b`: the ends are included."""
    seen = f[slot]
    if seen is None:
        return None
    try:
        return within(seen, low, high, a, b)
    except FeelError as error:
        return fail(error, where, f)


def _in_list(slot: p.Slot, value: Closure, listed: Closure) -> Closure:
    def run(f: Frame) -> Value:
        seen = f[slot] = value(f)
        return seen in listed(f)

    return run


def _nothing(_f: Frame) -> None:
    return None


def _truth_of(held: Closure) -> Closure:
    def truth_of(f: Frame) -> bool | None:
        found = held(f)
        return found if found is True or found is False else None

    return truth_of


def _once(make: Callable[[Turn], Value]) -> Closure:
    known: list[Value] = []

    def value(f: Frame) -> Value:
        if not known:
            known.append(make(f[0]))
        return known[0]

    return value


def _combine(how: p.Combine, values: list[Value]) -> Value:
    match how:
        case p.Combine.NOTHING:
            return values
        case p.Combine.COUNT:
            return len(values)
        case p.Combine.BUILTIN_SUM:
            return BY_NAME["sum"].meaning(values)
    result = values[0]
    for value in values[1:]:
        match how:
            case p.Combine.SUM:
                result = add(result, value)
            case p.Combine.LEAST:
                result = value if less(value, result) else result
            case _:
                result = value if less(result, value) else result
    return result


def _is_whole(type_: Type) -> bool:
    found = plain(type_)
    return isinstance(found, NumberType) and found.whole and not may_be_null(type_)


def _are_alike(left: Type, right: Type) -> bool:
    a, b = plain(left), plain(right)
    match a, b:
        case VocabularyType(), VocabularyType():
            return a.root == b.root
        case ((TextType() | BooleanType() | NumberType()), _):
            return type(a) is type(b)
        case _:
            return False
