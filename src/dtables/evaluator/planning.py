"""A program as closures: each function is made when it is first called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from dtables.evaluator.asks import AskPlan
from dtables.evaluator.checks import Checks
from dtables.evaluator.decisions import Decisions
from dtables.evaluator.expressions import Closure, Frame
from dtables.evaluator.index import Index
from dtables.evaluator.scales import Scales
from dtables.evaluator.state import DataRow, Holder, Lazy, RecordValue, Turn
from dtables.feel.values import FeelError, Value
from dtables.model import expressions as model
from dtables.model.tables import Ask
from dtables.program import nodes as p
from dtables.program.lowering import Program
from dtables.records.findings import RuleError

TableClosure = Callable[[Sequence[Value], Turn], Value]
FieldClosure = Callable[[Turn, Holder], Value]
FreeClosure = Callable[..., Value]
"""Of a turn, and of what variables are."""


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
        return call if self.index.tables[name].parameters else self.once(name, call)

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
        compiled: list[tuple[Closure, list[None]]] = []

        def work(turn: Turn, holder: Holder) -> Value:
            if not compiled:
                function = self.program.field(record, name)
                compiled.append((self.plan(record).closure(function.body), [None] * (function.size - 2)))
            run, rest = compiled[0]
            return run([turn, holder, *rest])

        return work


class _Tables(dict[str, TableClosure]):
    def __init__(self, planner: Planner) -> None:
        super().__init__()
        self._planner = planner

    def __missing__(self, name: str) -> TableClosure:
        closure = self[name] = self._planner.table(name)
        return closure


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


class Plan(Decisions, Scales):
    """Closures of one function."""

    def look_at(self, value: model.Expression) -> bool:
        """Tell whether somebody wants to know what a value is made of; here nobody."""
        del value
        return False

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
