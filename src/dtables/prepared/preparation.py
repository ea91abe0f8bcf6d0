"""Functions for the nodes of one ruleset, each made when it is first asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from dtables.evaluator.index import Index
from dtables.evaluator.state import Holder, Scope, Turn
from dtables.feel.types import UNKNOWN
from dtables.feel.values import FeelError, Value
from dtables.merging import Reply
from dtables.model.expressions import Expression, Filter, For, Node, Switch, Test
from dtables.model.tables import Ask, Decision, Draw, Field, Formula, Parameter, Record, Step
from dtables.records.findings import RuleError

Work = Callable[[Scope], Value]
"""A node's value where the names of a scope are known. Loops write their variables into those names: a
variable has one number in the whole ruleset, and no table is inside itself."""

Passes = Callable[[Value, Scope], bool | None]
TableWork = Callable[[Sequence[Value], Turn], Value]
AskWork = Callable[[Sequence[Value], Turn], Reply]
FieldWork = Callable[[Turn, Holder], Value]


class Watching(ABC):
    """What is noted while values are worked out: every step (for explanations), or only the cells of the
    rows that decide (for audits)."""

    def __init__(self, all_: Preparation) -> None:
        self.all = all_

    def look_at(self, condition: Expression) -> None:
        """Called before the condition is prepared: its reasons will be asked for, so its parts must be
        noted."""
        del condition

    def looks_at(self, node: Expression) -> bool:
        """Is the value of this node noted? Then no short cut may skip working it out as a node of its own."""
        del node
        return False

    def part(self, node: Expression, work: Work) -> Work:
        """The node's work, which also notes the value where that is wanted."""
        del node
        return work

    def remembers(self, parameters: Sequence[Parameter]) -> bool:
        """Whether what is asked the same again, in the same turn, is not worked out again."""
        del parameters
        return False

    @abstractmethod
    def formula(self, formula: Formula) -> Work: ...

    @abstractmethod
    def step(self, step: Step) -> Work: ...

    @abstractmethod
    def again(self, number: int) -> Work:
        """A step or draw is read."""

    @abstractmethod
    def field(self, record: Record, field: Field) -> FieldWork:
        """A computed field of a record, once a turn."""

    @abstractmethod
    def switch(self, node: Switch) -> Work: ...

    @abstractmethod
    def filtered(self, node: Filter) -> Work: ...

    @abstractmethod
    def loop(self, node: For) -> Work: ...

    @abstractmethod
    def decision(self, decision: Decision) -> Work: ...


class Preparation:
    """`lazy` are variables whose values may still have to be worked out, `kept` those of steps and draws."""

    def __init__(self, index: Index, watching: type[Watching]) -> None:
        self.index = index
        self.watching = watching(self)
        self.lazy: set[int] = set()
        self.kept: set[int] = set()
        self.tables = _Tables(self)
        self._works: dict[int, Work] = {}
        self._asks: dict[str, AskWork] = {}
        self._passes: dict[int, Passes] = {}
        self._fields: dict[tuple[str, str], FieldWork] = {}
        self._note_asks()
        self._note_fields()

    def _note_asks(self) -> None:
        for ask in self.index.asks.values():
            for row in ask.rows:
                if isinstance(row, (Step, Draw)):
                    self.kept.add(row.variable.number)
                if isinstance(row, Step):
                    self.watching.look_at(row.value)

    def _note_fields(self) -> None:
        for known in self.index.fields.values():
            for field in known.values():
                if field.computed is not None:
                    self.watching.look_at(field.computed)

    # -- functions -----------------------------------------------------------------------------

    def work(self, node: Expression) -> Work:
        from dtables.prepared.expressions import work_of

        return self.watching.part(node, work_of(node, self))

    def works(self, nodes: Sequence[Expression]) -> tuple[Work, ...]:
        return tuple(map(self.work, nodes))

    def value(self, node: Expression, scope: Scope) -> Value:
        work = self._works.get(id(node))
        if work is None:
            work = self._works[id(node)] = self.work(node)
        return work(scope)

    def passes(self, tests: tuple[Test, ...], subject: Value, scope: Scope) -> bool | None:
        from dtables.prepared.conditions import passing

        known = self._passes.get(id(tests))
        if known is None:
            known = self._passes[id(tests)] = passing(tests, UNKNOWN, self)
        return known(subject, scope)

    def field(self, record: str, field: Field) -> FieldWork:
        key = (record, field.name)
        if key not in self._fields:
            self._fields[key] = self.watching.field(self.index.records[record], field)
        return self._fields[key]

    # -- tables --------------------------------------------------------------------------------

    def reply(self, ask: Ask, arguments: Sequence[Value], turn: Turn) -> Reply:
        from dtables.prepared.asks import ask_work

        name = ask.heading.name
        if name not in self._asks:
            self._asks[name] = ask_work(ask, self)
        return self._asks[name](arguments, turn)

    def call(self, name: str, arguments: Sequence[Value], turn: Turn) -> Value:
        return self.tables[name](arguments, turn)


class _Tables(dict[str, TableWork]):
    def __init__(self, all_: Preparation) -> None:
        super().__init__()
        self._all = all_

    def __missing__(self, name: str) -> TableWork:
        from dtables.prepared.tables import table_work

        made = self[name] = table_work(self._all.index.tables[name], self._all)
        return made


def failed(error: FeelError, node: Node, scope: Scope) -> RuleError:
    return RuleError(error.message, node.where, scope.table)
