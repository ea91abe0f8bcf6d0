"""A program as closures: each node a function of a frame, made once."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import cmp_to_key, partial
from typing import Any, assert_never

from dtables import failures
from dtables.evaluator import tables
from dtables.evaluator.expressions import recorded_switch
from dtables.evaluator.index import Index
from dtables.evaluator.scales import WORST, compared, standing_of
from dtables.evaluator.state import DataRow, Holder, Lazy, LocalFunction, RecordValue, Scope, Turn
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
from dtables.limits import LIMITS
from dtables.model import expressions as model
from dtables.model.tables import Decision, Others
from dtables.program import nodes as p
from dtables.program.lowering import Program
from dtables.provenance import Location
from dtables.records.findings import RecordError, RuleError, missing

Frame = list[Any]
Operation = Callable[[Value, Value], Value]
Closure = Callable[[Frame], Value]
TableClosure = Callable[[Sequence[Value], Turn], Value]
FieldClosure = Callable[[Turn, Holder], Value]
Hits = list[tuple[p.Row, list[Value]]]
"""The rows that fire, with the values of their outcomes."""


class Unread:
    """Stands in a column's place until a cell asks for its value."""


UNREAD = Unread()


class Planner:
    """Makes each function when it is first called."""

    def __init__(self, program: Program, index: Index) -> None:
        self.program = program
        self.index = index
        self.tables = _Tables(self)
        self._rankings: dict[str, TableClosure] = {}
        self._fields: dict[tuple[str, str], FieldClosure] = {}
        self._free: dict[int, tuple[p.Free, Closure, model.Expression]] = {}
        self._tests: dict[int, tuple[p.Free, Closure, tuple[model.Test, ...]]] = {}

    def plan(self, table: str | None) -> Plan:
        return Plan(self, table)

    # -- the evaluator's verbs -----------------------------------------------------------------

    def value(self, expression: model.Expression, scope: Scope) -> Value:
        known = self._free.get(id(expression))
        if known is None:
            free = self.program.free(expression)
            known = free, self.plan(scope.table).closure(free.body), expression
            self._free[id(expression)] = known
        return known[1](_frame_of(known[0], scope))

    def passes(self, tests: tuple[model.Test, ...], subject: Value, scope: Scope) -> bool | None:
        if not tests:
            return True
        known = self._tests.get(id(tests))
        if known is None:
            free = self.program.free_tests(tests)
            known = free, self.plan(scope.table).closure(free.body), tests
            self._tests[id(tests)] = known
        frame = _frame_of(known[0], scope)
        frame[1] = subject
        passed: bool | None = known[1](frame)
        return passed

    def call(self, name: str, arguments: Sequence[Value], turn: Turn) -> Value:
        return self.tables[name](arguments, turn)

    def ranking(self, name: str, arguments: Sequence[Value], turn: Turn) -> Value:
        if name not in self._rankings:
            self._rankings[name] = _ranking(self.program.function(name), self)
        return self._rankings[name](arguments, turn)

    def table(self, name: str) -> TableClosure:
        source = self.program.tables[name]
        if isinstance(source, Decision) and len(source.rules) > LIMITS.planned_rows:
            call: TableClosure = partial(tables.worked_out, source)
        else:
            call = called(self.program.function(name), self)
        return call if source.parameters else self.once(name, call)

    def once(self, name: str, call: TableClosure) -> TableClosure:
        """Without parameters it is worked out once a turn."""

        def worked_out(arguments: Sequence[Value], turn: Turn) -> Value:
            memo = turn.memo
            if name not in memo:
                memo[name] = call(arguments, turn)
            return memo[name]

        return worked_out

    def field(self, record: str, name: str) -> FieldClosure:
        key = record, name
        if key not in self._fields:
            self._fields[key] = self._field(record, name)
        return self._fields[key]

    def _field(self, record: str, name: str) -> FieldClosure:
        made: list[tuple[Closure, list[None]]] = []
        constant = (record, name) not in self.index.changing_fields

        def worked_out(turn: Turn, holder: Holder) -> Value:
            if constant and type(holder) is DataRow:
                return turn.field_of(holder, name)
            memo, key = turn.memo, (holder, name)
            if key in memo:
                return memo[key]
            if not made:
                function = self.program.field(record, name)
                run = self.plan(record).closure(function.body)
                made.append((run, [None] * (function.size - 2)))
            run, rest = made[0]
            value = memo[key] = run([turn, holder, *rest])
            return value

        return worked_out


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


def _frame_of(free: p.Free, scope: Scope) -> Frame:
    frame: Frame = [scope.turn] + [None] * (free.size - 1)
    for number, slot in free.slots:
        value = scope.names[number]
        frame[slot] = _called_with_many(value) if isinstance(value, LocalFunction) else value
    return frame


def _called_with_many(step: LocalFunction) -> Callable[..., Value]:
    return lambda *arguments: step.body(arguments)


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
                return self.narrow(function.body)
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
        if isinstance(node, p.Made):
            return self._made(node)
        return self._called(node)

    def _known(self, node: p.Known) -> Closure:
        match node:
            case p.Constant(value=value):
                return lambda _f: value
            case p.Name(vocabulary=vocabulary, id=id_):
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
                return self._binary(item_at, of, index, where)
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
                return self._unary(negate, operand, where)
            case p.Arithmetic(operator=sign, left=left, right=right, where=where):
                in_python = node.unbounded and not self.standard
                return self._binary(operator.mul if in_python else ARITHMETIC[sign], left, right, where)
            case p.Comparison(left=left, right=right, where=where):
                return self._binary(self.comparing(node), left, right, where)
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
                return self._binary(lambda a, b: meets(a, b, alike), value, test, where)
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

    def _made(self, node: p.Made) -> Closure:
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
                works, planner = self.closures(arguments), self.planner
                return lambda f: planner.ranking(scale, [work(f) for work in works], f[0])
            case p.AskAnswer(ask=ask, arguments=arguments):
                asked = self.closures(arguments)
                return lambda f: f[0].meaning.ask(ask, [work(f) for work in asked], f[0])
            case _:
                assert_never(node)

    # -- helpers -------------------------------------------------------------------------------

    def _unary(self, operation: Callable[[Value], Value], of: p.Expression, where: Location) -> Closure:
        work, fail = self.closure(of), self.fail

        def run(f: Frame) -> Value:
            value = work(f)
            try:
                return operation(value)
            except FeelError as error:
                return fail(error, where, f)

        return run

    def plain_slot(self, node: p.Expression) -> p.Slot | None:
        """A place that is read as it is, where nobody looks on."""
        if isinstance(node, p.Local) and node.step is None:
            return node.slot
        return None

    def _constant(self, node: p.Expression) -> bool:
        return isinstance(node, p.Constant)

    def _binary(
        self,
        operation: Operation,
        left: p.Expression,
        right: p.Expression,
        where: Location,
    ) -> Closure:
        fail, slot = self.fail, self.plain_slot(left)
        a = self.closure(left)
        if self._constant(right):
            assert isinstance(right, p.Constant)
            constant = right.value
            if slot is not None:

                def of_place(f: Frame) -> Value:
                    try:
                        return operation(f[slot], constant)
                    except FeelError as error:
                        return fail(error, where, f)

                return of_place

            def with_constant(f: Frame) -> Value:
                x = a(f)
                try:
                    return operation(x, constant)
                except FeelError as error:
                    return fail(error, where, f)

            return with_constant
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
        """Worked out once: the same records in every turn."""
        data, planner = self.planner.index.data[table], self.planner

        def run(f: Frame) -> Value:
            turn = f[0]
            if table not in turn.constants:
                home = turn.scope(self.table)
                turn.constants[table] = [
                    RecordValue(
                        data.record, {name: planner.value(cell, home) for name, cell in row.values}, turn
                    )
                    for row in data.rows
                ]
            return turn.constants[table]

        return run

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
        of, key, fail, where = self.closure(node.of), self.closure(node.key), self.fail, node.where
        stored = self._stored_entries(node)

        def run(f: Frame) -> Value:
            value, by = of(f), key(f)
            if value is None or by is None:
                return None
            name = by.id if isinstance(by, Row) else by
            if type(value) is dict and type(name) is str:
                return value.get(name)
            if name in stored and type(value) is RecordValue:
                return value.values.get(name)
            try:
                return f[0].read_field(value, name)
            except FeelError as error:
                return fail(error, where, f)

        return run

    def _stored_entries(self, node: p.Entry) -> frozenset[str]:
        """The fields that can be read off a record as they are."""
        record = self.planner.program.record_of(node.of.type)
        fields = self.planner.program.fields[record] if record is not None else {}
        return frozenset(name for name, field in fields.items() if field.computed is None)

    def _item_entry(self, node: p.ItemEntry) -> Closure:
        slot, name, otherwise = node.item, node.name, self.closure(node.otherwise)
        fail, where = self.fail, node.where

        def run(f: Frame) -> Value:
            value, turn = f[slot], f[0]
            if not turn.has_field(value, name):
                return otherwise(f)
            try:
                return turn.read_field(value, name)
            except FeelError as error:
                return fail(error, where, f)

        return run

    # -- operators -----------------------------------------------------------------------------

    def _comparison(self, node: p.Comparison) -> Closure:
        return self._binary(self.comparing(node), node.left, node.right, node.where)

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
        value, listed, fail, where = self.closure(node.value), self.closure(node.list), self.fail, node.where
        kind = plain(node.list.type)
        in_python = isinstance(kind, ListType) and _are_alike(node.value.type, kind.item)

        def run(f: Frame) -> Value:
            seen, items = value(f), listed(f)
            if in_python and type(items) is list:
                return seen in items
            try:
                return None if items is None else belongs(seen, items)
            except FeelError as error:
                return fail(error, where, f)

        return run

    def _between(self, node: p.Between) -> Closure:
        value, fail, where = self.closure(node.value), self.fail, node.where
        low = None if node.low is None else self.closure(node.low)
        high = None if node.high is None else self.closure(node.high)
        a, b = node.low_included, node.high_included

        def run(f: Frame) -> Value:
            seen = value(f)
            if seen is None:
                return None
            ends = None if low is None else low(f), None if high is None else high(f)
            try:
                return within(seen, *ends, a, b)
            except FeelError as error:
                return fail(error, where, f)

        return run

    def _instance_of(self, node: p.InstanceOf) -> Closure:
        value, wanted, fail, where = self.closure(node.value), node.wanted, self.fail, node.where

        def run(f: Frame) -> Value:
            seen = value(f)
            try:
                return instance_of(seen, wanted, f[0].vocabularies)
            except FeelError as error:
                return fail(error, where, f)

        return run

    def _present(self, node: p.Present) -> Closure:
        operand, fail, where, table = self.closure(node.operand), self.fail, node.where, self.table
        if node.types:
            types = node.types

            def required(f: Frame) -> Value:
                value = operand(f)
                try:
                    return failures.require(value, types, f[0].vocabularies)
                except FeelError as error:
                    return fail(error, where, f)

            return required
        wanted = describe(node.type)

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
        low = None if node.low is None else self.closure(node.low)
        high = None if node.high is None else self.closure(node.high)
        a, b, fail, where = node.low_included, node.high_included, self.fail, node.where

        def run(f: Frame) -> Value:
            ends = None if low is None else low(f), None if high is None else high(f)
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
        works, fail, where = self.closures(node.arguments), self.fail, node.where
        meaning = BY_NAME[node.name].meaning
        if node.name == "get value":

            def get_value(f: Frame) -> Value:
                values = [work(f) for work in works]
                try:
                    return meaning(*values, read=f[0].read_field)
                except FeelError as error:
                    return fail(error, where, f)

            return get_value
        if len(works) == 1:
            if node.name == "count" and self.is_list(node.arguments[0].type):
                only = works[0]
                return lambda f: len(only(f))
            return self._unary(meaning, node.arguments[0], where)

        def run(f: Frame) -> Value:
            try:
                return meaning(*[work(f) for work in works])
            except FeelError as error:
                return fail(error, where, f)

        return run

    def _apply(self, node: p.Apply) -> Closure:
        function, works = self.closure(node.function), self.closures(node.arguments)
        fail, where, standard = self.fail, node.where, self.standard

        def run(f: Frame) -> Value:
            called_one = function(f)
            values = [work(f) for work in works]
            try:
                return failures.call(called_one, values, None if standard else f[0].vocabularies)
            except FeelError as error:
                return fail(error, where, f)

        return run

    def _call(self, node: p.Call) -> Closure:
        works, tables, name = self.closures(node.arguments), self.planner.tables, node.table
        if not works:
            return lambda f: tables[name]((), f[0])
        if len(works) == 1:
            (only,) = works
            return lambda f: tables[name]((only(f),), f[0])
        return lambda f: tables[name]([work(f) for work in works], f[0])

    def _call_step(self, node: p.CallStep) -> Closure:
        slot, works = node.slot, self.closures(node.arguments)
        if len(works) == 1:
            (only,) = works
            return lambda f: f[slot](only(f))
        return lambda f: f[slot](*[work(f) for work in works])

    # -- decisions -----------------------------------------------------------------------------

    def choose(self, choose: p.Choose) -> Closure:
        unread = tuple(c.slot for c in choose.columns if c.value is not None)
        rows = tuple(self._row(choose, row) for row in choose.rows)
        empty, finish = self._empty(choose), self._fold(choose)
        stops = choose.fold.stops

        def run(f: Frame) -> Value:
            for slot in unread:
                f[slot] = UNREAD
            hits: Hits = []
            for row, tests, outcomes in rows:
                for test in tests:
                    if test(f) is not True:
                        break
                else:
                    values = []
                    for outcome, taken in outcomes:
                        value = outcome(f)
                        if taken and value is None:
                            break
                        values.append(value)
                    else:
                        hits.append((row, values))
                        if stops:
                            break
            return finish(hits, f) if hits else empty(f)

        return run

    def _row(
        self, choose: p.Choose, row: p.Row
    ) -> tuple[p.Row, tuple[Closure, ...], tuple[tuple[Closure, bool], ...]]:
        tests = tuple(self._cell(choose.columns[cell.column], cell) for cell in row.cells)
        return row, tests, tuple((self.closure(o.value), o.taken) for o in row.outcomes)

    def _cell(self, column: p.Column, cell: p.Cell) -> Closure:
        condition = self.closure(cell.condition)
        if column.value is None:
            return condition
        slot, value = column.slot, self.closure(column.value)

        def run(f: Frame) -> Value:
            if f[slot] is UNREAD:
                f[slot] = value(f)
            return condition(f)

        return run

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

    def narrow(self, narrow: p.Narrow) -> Closure:
        where, table = Location(narrow.criteria[-1].source.cell), self.table
        narrowed = self._criteria(narrow.criteria, narrow.others, narrow.item, self.table or "")
        slot, level = narrow.candidates, narrow.level

        def run(f: Frame) -> Value:
            candidates = f[slot]
            left = narrowed(f, candidates, list(range(len(candidates))), frozenset())
            best = [candidates[position] for position in left]
            if level:
                return best
            if len(best) > 1:
                raise RuleError(failures.undecided(best), where, table)
            return best[0] if best else None

        return run

    def ranking(self, function: p.Function) -> Closure:
        """Tiers of equals, the best first."""
        narrow = function.body
        assert isinstance(narrow, p.Narrow)
        narrowed = self._criteria(narrow.criteria, narrow.others, narrow.item, function.name)
        slot = narrow.candidates

        def run(f: Frame) -> Value:
            candidates = f[slot]
            rest, made = list(range(len(candidates))), []
            while rest:
                best = narrowed(f, candidates, rest, frozenset())
                made.append([candidates[position] for position in best])
                rest = [position for position in rest if position not in best]
            return made

        return run

    def _criteria(
        self, criteria: tuple[p.Criterion, ...], others: Others, item: p.Slot, scale: str
    ) -> Narrowing:
        """`scale` is the one that they stand in."""
        rows = tuple(
            (
                None if one.applies is None else self.closure(one.applies),
                self._criterion(one, others, item, scale),
            )
            for one in criteria
        )

        def narrowed(f: Frame, candidates: list[Value], left: list[int], worst: frozenset[int]) -> list[int]:
            for applies, after in rows:
                if len(left) <= 1:
                    break
                if applies is not None and applies(f) is not True:
                    continue
                if after is None:
                    break
                left = after(f, candidates, left, worst)
            return left

        return narrowed

    def _criterion(
        self, criterion: p.Criterion, others: Others, item: p.Slot, scale: str
    ) -> Narrowing | None:
        standing = criterion.standing
        if standing is None:
            return None
        concerns = self.closures(criterion.concerns)
        best: Narrowing
        if isinstance(standing, p.By):
            best = self._best(standing, criterion, item, scale)
        else:
            lets = tuple((slot, self.closure(value)) for slot, value in standing.lets)
            inner = self._criteria(standing.criteria, standing.others, item, standing.scale)

            def best(f: Frame, candidates: list[Value], left: list[int], worst: frozenset[int]) -> list[int]:
                for slot, value in lets:
                    f[slot] = value(f)
                return inner(f, candidates, left, worst)

        def after(f: Frame, candidates: list[Value], left: list[int], worst: frozenset[int]) -> list[int]:
            concerned = []
            for position in left:
                if position in worst:
                    continue
                f[item] = candidates[position]
                for concern in concerns:
                    if concern(f) is not True:
                        break
                else:
                    concerned.append(position)
            apart = frozenset(q for q in left if q not in worst and q not in concerned)
            if not concerned or (apart and others is Others.SKIP):
                return left
            if apart and others is Others.LAST:
                worst = worst | apart
            staying = apart if others is Others.STAY else frozenset()
            compared = [q for q in left if q not in staying]
            kept = best(f, candidates, compared, worst)
            return [q for q in left if q in kept or q in staying]

        return after

    def _best(self, by: p.By, criterion: p.Criterion, item: p.Slot, scale: str) -> Narrowing:
        del criterion, scale
        value = None if by.by is None else self.closure(by.by)
        order = None if by.order is None else self.closure(by.order)
        prefer = by.prefer

        def best(f: Frame, candidates: list[Value], left: list[int], worst: frozenset[int]) -> list[int]:
            listed = None if order is None else order(f)
            standings = {}
            for position in left:
                if position in worst:
                    standings[position] = WORST
                    continue
                f[item] = candidates[position]
                seen = None if value is None else value(f)
                standings[position] = standing_of(prefer, seen, listed, position)
            top = min(standings.values(), key=cmp_to_key(compared))
            return [q for q in left if compared(standings[q], top) == 0]

        return best


Narrowing = Callable[[Frame, list[Value], list[int], frozenset[int]], list[int]]

EQUALITIES = ("=", "!=")
IN_PYTHON: dict[str, Operation] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _in_list(slot: p.Slot, value: Closure, listed: Closure) -> Closure:
    def run(f: Frame) -> Value:
        seen = f[slot] = value(f)
        return seen in listed(f)

    return run


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
