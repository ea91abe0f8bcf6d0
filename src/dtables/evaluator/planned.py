"""The evaluator on closures of the program: they answer, tell every step, or mark the cells that decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, assert_never

from dtables.evaluator.asks import after_stop, all_answered, with_result
from dtables.evaluator.draws import Branch, after_draw
from dtables.evaluator.evaluator import Evaluator, answer_of
from dtables.evaluator.planning import Closure, Frame, Plan, Planner
from dtables.evaluator.reading import Reader
from dtables.evaluator.reporting import ReadingPlanner, ReportingPlanner
from dtables.evaluator.state import Lazy, Meaning, Mode, RecordValue, Scope, Turn
from dtables.evaluator.telling import TellingPlanner
from dtables.feel.values import Value
from dtables.merging import Reply
from dtables.model.expressions import Expression, Variable
from dtables.model.tables import AnswerField, Ask, AskRow, Draw, Need, Next, Ruleset, Step, Stop
from dtables.program import Program
from dtables.program.lowering import Lowering
from dtables.program.nodes import Slot

AskClosure = Callable[[Sequence[Value], Turn], Reply]
Below = Callable[[list[Branch]], list[Branch]]
"""The branches below a row."""


class Planned(Evaluator):
    """The same answers and steps, sooner."""

    def __init__(
        self,
        ruleset: Ruleset,
        mode: Mode = Mode.STRICT,
        planner: type[Planner] = Planner,
        strict: bool = True,
    ) -> None:
        super().__init__(ruleset, mode if strict else Mode.STANDARD)
        self._planner_kind = planner

    @cached_property
    def _planner(self) -> Planner:
        return self._planner_kind(Program(self.ruleset, strict=self._mode is Mode.STRICT), self._index)

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self._planner, self._shapes)

    def _read_sound(self, state: object, turn: Turn) -> RecordValue:
        return self._reader.state(state, turn)

    @cached_property
    def _asks(self) -> dict[str, AskClosure]:
        return {}

    def _meaning(self) -> Meaning:
        planner = self._planner
        return Meaning(
            planner.value, planner.passes, planner.call, planner.ranking, answer_of, self._planned_reply
        )

    def _planned_reply(self, ask: Ask, arguments: Sequence[Value], turn: Turn) -> Reply:
        name = ask.heading.name
        if name not in self._asks:
            self._asks[name] = _AskPlan(ask, self._planner).closure()
        return self._asks[name](arguments, turn)


def explaining(ruleset: Ruleset) -> Planned:
    """For `explain` and `explain_table`."""
    return Planned(ruleset, planner=TellingPlanner)


def deciding(ruleset: Ruleset) -> Planned:
    """For `deciding`."""
    return Planned(ruleset, planner=ReportingPlanner)


def watching(ruleset: Ruleset) -> Planned:
    """Tells the watch that it is given of everything that a watch can be told."""
    return Planned(ruleset, planner=ReadingPlanner)


class InFrame(Scope):
    """What the variables of an ask are in one branch: places of its own frame."""

    __slots__ = ("frame", "plan")

    def __init__(self, frame: Frame, plan: _AskPlan) -> None:
        super().__init__(frame[0], plan.ask.heading.name, {})
        self.frame, self.plan = frame, plan

    def bind(self, variable: Variable, value: object) -> InFrame:
        frame = self.frame.copy()
        frame[self.plan.draws[variable.number]] = value
        return InFrame(frame, self.plan)

    def read(self, variable: Variable) -> Value:
        value = self.frame[self.plan.draws[variable.number]]
        known = value.value() if isinstance(value, Lazy) else value
        self.turn.observer.again(variable.number)
        return known

    def value(self, expression: Expression) -> Value:
        return self.plan.works[id(expression)](self.frame)


class _AskPlan:
    """Its rows share a frame. `works` are the closures of what they hold, `draws` where drawn values are."""

    def __init__(self, ask: Ask, planner: Planner) -> None:
        self.ask = ask
        self._lowering = Lowering(planner.program)
        self._plan: Plan = planner.plan(ask.heading.name)
        self.works: dict[int, Closure] = {}
        self.draws: dict[int, Slot] = {}

    def closure(self) -> AskClosure:
        for parameter in self.ask.parameters:
            self._lowering.bind(parameter.variable)
        rows = tuple(map(self._below, self.ask.rows))
        rest: list[Any] = [None] * (self._lowering.size - 1 - len(self.ask.parameters))

        def reply(arguments: Sequence[Value], turn: Turn) -> Reply:
            branches = [Branch(InFrame([turn, *arguments, *rest], self))]
            for below in rows:
                branches = below(branches)
            return all_answered(self.ask, branches, turn)

        return reply

    def _work(self, expression: Expression) -> None:
        self.works[id(expression)] = self._plan.closure(self._lowering.value(expression))

    def _below(self, row: AskRow) -> Below:
        match row:
            case Need():
                return lambda branches: branches
            case Step():
                return self._step(row)
            case Draw():
                self._work(row.options)
                self.draws[row.variable.number] = self._lowering.kept(row.variable)
                return lambda branches: after_draw(row, branches)
            case Stop():
                self._work(row.condition)
                return lambda branches: [after_stop(row, branch) for branch in branches]
            case AnswerField():
                self._work(row.value)
                if row.listed is not None:
                    self._work(row.listed)
                return lambda branches: [with_result(branch) for branch in branches]
            case Next():
                self._work(row.when)
                return lambda branches: [with_result(branch) for branch in branches]
            case _:
                assert_never(row)

    def _step(self, row: Step) -> Below:
        step = self._lowering.step(row)
        slot, bound = step.slot, self._plan.step(step)

        def below(branches: list[Branch]) -> list[Branch]:
            for branch in branches:
                assert isinstance(branch.scope, InFrame)
                branch.scope.frame[slot] = bound(branch.scope.frame)
            return branches

        return below
