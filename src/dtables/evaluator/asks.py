"""Asks: needs, draws and answers. An open draw makes one branch per outcome; answers are merged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, assert_never

from dtables.evaluator.draws import Branch, Closure, Frame, after_draw
from dtables.evaluator.index import Index
from dtables.evaluator.places import spelled_on_the_way, type_at, values_at
from dtables.evaluator.state import Turn, leaving
from dtables.evaluator.trace import Answered, Demanded, Shown, Stopped
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
from dtables.feel.values import Value, as_plain
from dtables.merging import Order, Reply, by_value, by_vocabulary, certain, distinct_plain, merged
from dtables.model.expressions import Expression
from dtables.model.tables import AnswerField, Ask, AskRow, Draw, Need, Next, Step, Stop, WhenOpen
from dtables.places import Found
from dtables.program.lowering import Lowering
from dtables.provenance import Location
from dtables.records.findings import Findings, RecordError, empty, missing
from dtables.records.reader import left_out, plainly_there

if TYPE_CHECKING:
    from dtables.evaluator.planning import Planner

Below = Callable[[list[Branch]], list[Branch]]
"""The branches below a row."""
Unmet = Callable[[Frame, Findings], None]


class AskPlan:
    """An ask as closures. All its rows share a frame; in another one its needs are looked at first."""

    def __init__(self, ask: Ask, planner: Planner) -> None:
        self._ask = ask
        self._lowering = Lowering(planner.program)
        self._plan = planner.plan(ask.heading.name)
        self._works: dict[int, Closure] = {}
        """Of the expressions of its rows, by their identity."""
        self._needs: list[Unmet] = []
        for parameter in ask.parameters:
            self._lowering.bind(parameter.variable)
        self._below = tuple([below for row in ask.rows if (below := self._row(row)) is not None])
        self._size = self._lowering.size

    def unmet(self, turn: Turn) -> Findings:
        """The need rows whose place the record leaves out, in order. A default is no answer to a need."""
        findings = Findings()
        frame: Frame = [turn, *[None] * (self._size - 1)]
        for need in self._needs:
            need(frame, findings)
        return findings

    def reply(self, arguments: Sequence[Value], turn: Turn) -> Reply:
        """The answer's plain values in the order of the rows; `any_of` last, and only where something is
        open."""
        branches = [Branch([turn, *arguments, *[None] * (self._size - 1 - len(arguments))])]
        for below in self._below:
            branches = below(branches)
        return self._answered_all(branches, turn)

    # -- rows ----------------------------------------------------------------------------------

    def _work(self, expression: Expression | None) -> None:
        if expression is not None:
            self._works[id(expression)] = self._plan.closure(self._lowering.value(expression))

    def _value(self, expression: Expression, frame: Frame) -> Value:
        return self._works[id(expression)](frame)

    def _row(self, row: AskRow) -> Below | None:
        match row:
            case Need():
                self._work(row.when)
                self._work(row.names)
                self._needs.append(lambda frame, findings: self._find_unmet(row, frame, findings))
                return None
            case Step():
                return self._step(row)
            case Draw():
                self._work(row.options)
                slot, options = self._lowering.kept(row.variable), self._works[id(row.options)]
                name = self._ask.heading.name
                return lambda branches: after_draw(row, slot, options, branches, name)
            case Stop():
                self._work(row.condition)
                return lambda branches: [self._after_stop(row, branch) for branch in branches]
            case AnswerField():
                self._work(row.value)
                self._work(row.listed)
                return lambda branches: [_with_result(branch) for branch in branches]
            case Next():
                self._work(row.when)
                return lambda branches: [_with_result(branch) for branch in branches]
            case _:
                assert_never(row)

    def _step(self, row: Step) -> Below:
        step = self._lowering.step(row)
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

    def _after_stop(self, stop: Stop, branch: Branch) -> Branch:
        if branch.stopped or self._value(stop.condition, branch.frame) is not True:
            return branch
        turn: Turn = branch.frame[0]
        turn.tape.close(turn.tape.open(), lambda _: Stopped(stop.where))
        turn.watch.stopped(stop)
        return replace(branch, stopped=True)

    # -- needs ---------------------------------------------------------------------------------

    def _find_unmet(self, need: Need, frame: Frame, findings: Findings) -> None:
        turn: Turn = frame[0]
        if need.names is None and plainly_there(turn.given, need.place.fields, need.some):
            return
        try:
            if need.when is not None and self._value(need.when, frame) is not True:
                return
        except RecordError as error:
            findings.take(error.findings, error.more)
            return
        wanted, where = describe(without_null(type_at(need.place, turn))), Location(need.where)
        path = ".".join(part for part in (turn.path, *need.place.fields) if part)
        found = list(values_at(need.place, turn))
        if not found or left_out(turn.given, need.place.fields, spelled_on_the_way(need.place, turn)):
            findings.add_elsewhere(missing, path, wanted, where)
            return
        for one in found:
            if one.value is None:
                findings.add_elsewhere(missing, one.path, wanted, where)
        for one in found:
            if need.some and one.value == []:
                findings.add_elsewhere(empty, one.path, wanted, where)
        if need.names is not None:
            present = [one for one in found if one.value is not None]
            self._find_unnamed(need, need.names, present, frame, findings)

    def _find_unnamed(
        self, need: Need, names_wanted: Expression, found: list[Found], frame: Frame, findings: Findings
    ) -> None:
        """The names that have no value in a map that must have one for each."""
        kind = plain(type_at(need.place, frame[0]))
        assert isinstance(kind, MapType)
        wanted, where = describe(without_null(kind.value)), Location(need.where)
        try:
            names = as_plain(self._value(names_wanted, frame))
        except RecordError as error:
            findings.take(error.findings, error.more)
            return
        assert isinstance(names, list)
        for one in found:
            for name in names:
                if isinstance(one.value, dict) and one.value.get(name) is None:
                    findings.add_elsewhere(missing, f"{one.path}.{name}", wanted, where)

    # -- answers -------------------------------------------------------------------------------

    def _answered_all(self, branches: list[Branch], turn: Turn) -> Reply:
        """What comes next is worked out when everything is answered."""
        rows = [row for row in self._ask.rows if isinstance(row, AnswerField | Next)]
        frames = [[branch.results[number] for branch in branches] for number in range(len(rows))]
        result: dict[str, Any] = {}
        any_of: dict[str, Any] = {}
        for row, some in zip(rows, frames, strict=True):
            if isinstance(row, AnswerField):
                result[row.name], listed = self._answered(row, _different(some), turn)
                if listed:
                    any_of[row.name] = listed
        nexts = ((row, some) for row, some in zip(rows, frames, strict=True) if isinstance(row, Next))
        demanded = dict.fromkeys(
            row.ask for row, some in nexts if self._is_demanded(row, _different(some), turn)
        )
        return Reply({**result, "any_of": any_of} if any_of else result, tuple(demanded))

    def _in_each(
        self, frames: list[Frame | None], turn: Turn, value_in: Callable[[Frame], Value]
    ) -> list[Value]:
        """Only what happens in the first one is written down."""
        values: list[Value] = []
        for number, frame in enumerate(frames):
            mark = turn.tape.open()
            values.append(None if frame is None else value_in(frame))
            if number:
                turn.tape.drop(mark)
        return values

    def _is_demanded(self, row: Next, frames: list[Frame | None], turn: Turn) -> bool:
        mark = turn.tape.open()
        if not certain(self._in_each(frames, turn, self._works[id(row.when)])):
            turn.tape.drop(mark)
            return False
        heading = turn.index.asks[row.ask].heading
        turn.tape.close(mark, lambda inside: Demanded(heading, row.cell, row.words, inside))
        turn.watch.demanded(row)
        return True

    def _answered(self, row: AnswerField, frames: list[Frame | None], turn: Turn) -> tuple[Any, list[Any]]:
        """The field and what stands for it in `any_of`."""
        mark = turn.tape.open()
        values = self._in_each(frames, turn, lambda frame: self._plain(row.value, row, frame))
        is_open = len(frames) > 1
        value, listed = self._when_open(row, frames, values, turn) if is_open else (values[0], [])
        listed_type = row.value.type if row.listed is None else item_type(row.listed.type)
        shown = tuple([Shown(one, listed_type) for one in listed])
        turn.tape.close(
            mark,
            lambda inside: Answered(
                row.name, Shown(value, row.value.type), shown, row.cell, row.words, inside
            ),
        )
        return value, listed

    def _plain(self, value: Expression, row: AnswerField, frame: Frame) -> Any:
        return leaving(self._value(value, frame), Location(row.cell), self._ask.heading.name)

    def _when_open(
        self, row: AnswerField, frames: list[Frame | None], values: list[Any], turn: Turn
    ) -> tuple[Any, list[Any]]:
        order = _order_of(row.value.type, turn.index)
        match row.when_open:
            case WhenOpen.MERGED:
                return merged(values, order)
            case WhenOpen.NULL:
                return None, []
            case WhenOpen.LISTED:
                value, _ = merged(values, order)
                listed = [self._plain(row.listed, row, one) for one in frames if one and row.listed]
                return value, distinct_plain([one for some in listed for one in some or []])
            case _:
                assert_never(row.when_open)


def _with_result(branch: Branch) -> Branch:
    met = None if branch.stopped else branch.frame
    return replace(branch, results=(*branch.results, met))


def _different(frames: list[Frame | None]) -> list[Frame | None]:
    """Each is worked out once."""
    return list({id(frame): frame for frame in frames}.values())


def _order_of(type_: Type, index: Index) -> Order | None:
    match plain(type_):
        case VocabularyType(root=root):
            return by_vocabulary({label.id: label for label in index.vocabularies[root].names})
        case NumberType() | BooleanType():
            return by_value
        case _:
            return None
