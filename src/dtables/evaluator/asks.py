"""Asks as closures. What a need is, what a draw offers and how answers are merged is the runtime's; here are
the branches of what stays open, each with a frame of its own, and the steps that trace it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, assert_never

from dtables.evaluator.index import Index
from dtables.evaluator.places import spelled_on_the_way, state_of
from dtables.evaluator.state import Turn, leaving
from dtables.evaluator.trace import Answered, Demanded, Drawn, Shown, Step, Stopped, is_made, unchanging
from dtables.feel.types import (
    BooleanType,
    MapType,
    NumberType,
    Type,
    VocabularyType,
    describe,
    item_type,
    plain,
    without_null,
)
from dtables.feel.values import Value
from dtables.merging import Order, Reply, by_value, by_vocabulary, certain, reply_of
from dtables.model.tables import Ask
from dtables.program import nodes as p
from dtables.program.lowering import Lowering
from dtables.provenance import Location
from dtables.records.findings import Findings
from dtables.runtime import asks
from dtables.runtime.asks import (
    answer_of,
    different,
    find_unmet,
    is_plainly_met,
    options_in,
    possible_outcomes,
    recorded_at,
    worked_out_in,
)

if TYPE_CHECKING:
    from dtables.evaluator.planning import Planner

Frame = list[Any]
Closure = Callable[[Frame], Value]


@unchanging
class Branch:
    """One outcome of the draws so far; `results` has, per row `answer` or `next` met, the frame in which it
    is worked out, or None where a `stop` stands above. A draw gives each branch a frame of its own."""

    frame: Frame
    stopped: bool = False
    results: tuple[Frame | None, ...] = ()

    def with_drawn(self, slot: p.Slot, value: Value) -> Branch:
        frame = self.frame.copy()
        frame[slot] = value
        return replace(self, frame=frame)

    def with_result(self) -> Branch:
        met = None if self.stopped else self.frame
        return replace(self, results=(*self.results, met))


Below = Callable[[list[Branch]], list[Branch]]
"""The branches below a row."""
Unmet = Callable[[Frame, Findings], None]


class AskPlan:
    """An ask as closures. All its rows share a frame; in another one its needs are looked at first."""

    def __init__(self, ask: Ask, planner: Planner) -> None:
        self._ask = Lowering(planner.program).ask(ask)
        self._index = planner.index
        self._plan = planner.plan(self._ask.name)
        self._needs: list[Unmet] = []
        self._answers: list[tuple[int, p.Answer, asks.Answer]] = []
        self._nexts: list[tuple[int, p.Next, Closure]] = []
        """Rows `answer` and `next`, with their place among both."""
        self._below = tuple([below for row in self._ask.rows if (below := self._row(row)) is not None])

    def unmet(self, turn: Turn) -> Findings:
        """The need rows whose place the record leaves out, in order. A default is no answer to a need."""
        findings = Findings()
        frame: Frame = [turn, *[None] * (self._ask.size - 1)]
        for need in self._needs:
            need(frame, findings)
        return findings

    def reply(self, arguments: Sequence[Value], turn: Turn) -> Reply:
        """The answer's plain values in the order of the rows; `any_of` last, and only where something is
        open."""
        branches = [Branch([turn, *arguments, *[None] * (self._ask.size - 1 - len(arguments))])]
        for below in self._below:
            branches = below(branches)
        frames = worked_out_in([branch.results for branch in branches])
        return reply_of(
            ((row.name, _answered(row, plan, frames[place], turn)) for place, row, plan in self._answers),
            ((row.ask, _is_demanded(row, when, frames[place], turn)) for place, row, when in self._nexts),
        )

    # -- rows ----------------------------------------------------------------------------------

    def _row(self, row: p.AskRow) -> Below | None:
        closure = self._plan.closure
        match row:
            case p.Need():
                self._needs.append(partial(_find_unmet, self._need(row)))
                return None
            case p.Step():
                return self._step(row)
            case p.Draw():
                return partial(_after_draw, row, self._draw(row), self._ask.name)
            case p.Stop():
                return partial(_after_stop, row, closure(row.condition))
            case p.Answer():
                self._answers.append((self._results, row, self._answer(row)))
                return _with_result
            case p.Next():
                self._nexts.append((self._results, row, closure(row.when)))
                return _with_result
            case _:
                assert_never(row)

    @property
    def _results(self) -> int:
        return len(self._answers) + len(self._nexts)

    def _need(self, row: p.Need) -> asks.Need:
        kind = plain(row.place.type)
        return asks.Need(
            row.place.fields,
            describe(without_null(row.place.type)),
            Location(row.source.where),
            row.some,
            None if row.when is None else self._plan.closure(row.when),
            None if row.names is None else self._plan.closure(row.names),
            describe(without_null(kind.value)) if isinstance(kind, MapType) else "",
            spelled_on_the_way(row.place, self._index),
        )

    def _draw(self, row: p.Draw) -> asks.Draw:
        return asks.Draw(
            row.source.variable.name,
            self._plan.closure(row.options),
            None if row.recorded is None else row.recorded.fields,
            row.compared,
            Location(row.source.where),
            Location(row.source.cell),
        )

    def _answer(self, row: p.Answer) -> asks.Answer:
        if is_made(row.source.value):
            self._plan.look_at(row.source.value)
        return asks.Answer(
            row.name,
            self._leaving(row.value, row),
            _order_of(row.value.type, self._index),
            row.when_open,
            None if row.listed is None else self._leaving(row.listed, row),
        )

    def _leaving(self, value: p.Expression, row: p.Answer) -> Closure:
        work, where, name = self._plan.closure(value), Location(row.source.cell), self._ask.name
        return lambda frame: leaving(work(frame), where, name)

    def _step(self, step: p.Step) -> Below:
        slot, bound = step.slot, self._plan.step(step)

        def for_needs(frame: Frame, findings: Findings) -> None:
            del findings
            frame[slot] = bound(frame)

        def below(branches: list[Branch]) -> list[Branch]:
            for branch in branches:
                branch.frame[slot] = bound(branch.frame)
            return branches

        self._needs.append(for_needs)
        return below


def _find_unmet(need: asks.Need, frame: Frame, findings: Findings) -> None:
    turn: Turn = frame[0]
    if not is_plainly_met(need, turn.given):
        find_unmet(need, frame, state_of(turn), findings)


def _order_of(type_: Type, index: Index) -> Order | None:
    match plain(type_):
        case VocabularyType(root=root):
            return by_vocabulary({label.id: label for label in index.vocabularies[root].names})
        case NumberType() | BooleanType():
            return by_value
        case _:
            return None


# -- branches ----------------------------------------------------------------------------------


def _with_result(branches: list[Branch]) -> list[Branch]:
    return [branch.with_result() for branch in branches]


def _after_stop(stop: p.Stop, condition: Closure, branches: list[Branch]) -> list[Branch]:
    return [branch if branch.stopped else _stopped(stop, condition, branch) for branch in branches]


def _stopped(stop: p.Stop, condition: Closure, branch: Branch) -> Branch:
    if condition(branch.frame) is not True:
        return branch
    turn: Turn = branch.frame[0]
    turn.tape.close(turn.tape.open(), lambda _: Stopped(stop.source.where))
    turn.watch.stopped(stop.source)
    return replace(branch, stopped=True)


def _after_draw(draw: p.Draw, plan: asks.Draw, ask: str, branches: list[Branch]) -> list[Branch]:
    """One branch per outcome."""
    turn: Turn = branches[0].frame[0]
    state = state_of(turn)
    recorded = recorded_at(plan, state)
    mark = turn.tape.open()
    options = [[] if one.stopped else options_in(plan, one.frame) for one in branches]
    outcomes = possible_outcomes(plan, options, recorded, state, ask)
    parted = [
        branch.with_drawn(draw.slot, value)
        for branch, values in zip(branches, outcomes, strict=True)
        for value in values
    ]
    if not all(branch.stopped for branch in branches):
        every = different(value for listed in options for value in listed)
        is_recorded = recorded is not None and len(every) > 1
        number = draw.source.variable.number
        turn.tape.close(mark, partial(_drawn, draw, every, parted, is_recorded), number)
    return parted


def _drawn(
    draw: p.Draw, options: list[Value], branches: list[Branch], is_recorded: bool, inside: tuple[Step, ...]
) -> Drawn:
    source, item = draw.source, item_type(draw.options.type)
    outcomes = different(branch.frame[draw.slot] for branch in branches)
    return Drawn(
        source.variable.name,
        tuple(Shown(option, item) for option in options),
        Shown(outcomes[0], item) if len(outcomes) == 1 and options else None,
        is_recorded,
        source.cell,
        source.words,
        inside,
    )


# -- answers -----------------------------------------------------------------------------------


def _answered(
    row: p.Answer, plan: asks.Answer, frames: list[Frame | None], turn: Turn
) -> tuple[Any, list[Any]]:
    """The field and what stands for it in `any_of`."""
    source, type_ = row.source, row.value.type
    mark, tape = turn.tape.open(), turn.tape
    outer, tape.seen = tape.seen, {}
    value, listed = answer_of(plan, _in_each(frames, turn, plan.value), frames)
    parts, tape.seen = tape.seen, outer
    listed_type = type_ if row.listed is None else item_type(row.listed.type)
    shown = tuple([Shown(one, listed_type) for one in listed])
    tape.close(mark, lambda inside: Answered(source, Shown(value, type_), shown, parts, inside))
    return value, listed


def _is_demanded(row: p.Next, when: Closure, frames: list[Frame | None], turn: Turn) -> bool:
    mark = turn.tape.open()
    if not certain(_in_each(frames, turn, when)):
        turn.tape.drop(mark)
        return False
    heading, source = turn.index.asks[row.ask].heading, row.source
    turn.tape.close(mark, lambda inside: Demanded(heading, source.cell, source.words, inside))
    turn.watch.demanded(source)
    return True


def _in_each(frames: list[Frame | None], turn: Turn, value_in: Closure) -> list[Value]:
    """Only what happens in the first one is written down."""
    values: list[Value] = []
    for number, frame in enumerate(frames):
        mark = turn.tape.open()
        values.append(None if frame is None else value_in(frame))
        if number:
            turn.tape.drop(mark)
    return values
