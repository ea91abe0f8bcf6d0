"""Answering an ask: needs, draws, stops, answers. An open draw makes one branch per outcome; what the
branches answer is merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from dtables import failures
from dtables.feel.values import Row, Value, as_plain, distinct, same
from dtables.merging import Order, Reply, certain, distinct_plain, merged
from dtables.places import Found
from dtables.provenance import location
from dtables.records.findings import Finding, Findings, RecordError, empty, missing, not_an_option
from dtables.records.reader import left_out, plainly_there
from dtables.records.shapes import Names
from dtables.runtime.failing import failed
from dtables.runtime.places import values_at
from dtables.runtime.records import Turn, field_named

MOST_OUTCOMES = 10_000

Work = Callable[[Any], Value]


class Branch:
    """One outcome of the draws so far. Steps are worked out when they are first read."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn


class Way:
    """A branch and how it came about: for each row `answer` or `next` met, the branch in which it is worked
    out, or None where a stop stands above."""

    __slots__ = ("branch", "results", "stopped")

    def __init__(self, branch: Branch, results: Iterable[Branch | None] = ()) -> None:
        self.branch = branch
        self.stopped = False
        self.results = list(results)

    def parted(self, variable: str, value: Value) -> Way:
        """One of several outcomes. What was answered above is the same in all of them."""
        branch = type(self.branch)(self.branch.turn)
        vars(branch).update(vars(self.branch))
        setattr(branch, variable, value)
        return Way(branch, self.results)


class WhenOpen(Enum):
    """What an answer is while a draw is open, as the workbook says it."""

    MERGED = "merged"
    NULL = "null"
    LISTED = "listed"


@dataclass(frozen=True, slots=True)
class Need:
    """`spelled` has for each field the vocabularies by whose names it may be spelled, if any may."""

    fields: tuple[str, ...]
    wanted: str
    place: str
    some: bool
    when: Work | None
    names: Work | None = None
    entry: str = ""
    spelled: tuple[tuple[Names, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """`variable` is the branch's attribute; `place` the row's first cell, `cell` the options'."""

    variable: str
    options: Work
    recorded: tuple[str, ...] | None
    by: str | None
    place: str
    cell: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the condition is true, all answers below are null."""

    condition: Work


@dataclass(frozen=True, slots=True)
class Answer:
    """`value` gives a plain value; `order` is how several of them are put in order."""

    name: str
    value: Work
    order: Order | None
    when_open: WhenOpen = WhenOpen.MERGED
    listed: Work | None = None


@dataclass(frozen=True, slots=True)
class Next:
    """Another ask that comes next where `when` is true in every outcome."""

    ask: str
    when: Work


AskRow = Need | Draw | Stop | Answer | Next


Settled = Callable[[Any], Any]
"""The answer in a branch, without draws that are open; None where one is. Of an ask with rows `next` the
whole reply."""


class Ask:
    """An ask's rows in order, and once more as a function of a branch for where nothing is open. Called with
    a turn and arguments it is the answer inside another's."""

    def __init__(
        self,
        name: str,
        branch: type[Branch],
        parameters: tuple[str, ...],
        settled: Settled,
        rows: tuple[AskRow, ...],
    ):
        self.name = name
        self._settled = settled
        self._branch = branch
        self._parameters = parameters
        self.needs = tuple(row for row in rows if isinstance(row, Need))
        self._results = tuple(row for row in rows if isinstance(row, Answer | Next))
        self._leads_on = any(isinstance(row, Next) for row in rows)
        self._steps = tuple(_steps(rows))

    def __call__(self, turn: Turn, *arguments: Value) -> dict[str, Any]:
        """What it needs is looked at when it is reached."""
        self.unmet(turn).refuse()
        return self.answer(turn, arguments)

    # -- needs ---------------------------------------------------------------------------------

    def unmet(self, turn: Turn) -> Findings:
        """The need rows whose place the record leaves out, in order. A default is no answer to a need."""
        findings = Findings()
        branch = self._branch(turn)
        for need in self.needs:
            if need.names is not None or not plainly_there(turn.given, need.fields, need.some):
                _find_unmet(need, branch, findings)
        return findings

    # -- answers -------------------------------------------------------------------------------

    def answer(self, turn: Turn, arguments: Sequence[Value] = ()) -> dict[str, Any]:
        """Plain values in the order of the rows; `any_of` last, and only where something is open."""
        return self.reply(turn, arguments).answer

    def reply(self, turn: Turn, arguments: Sequence[Value] = ()) -> Reply:
        """The answer, and the asks that the rules demand next."""
        branch = self._branch(turn)
        for name, argument in zip(self._parameters, arguments, strict=True):
            setattr(branch, name, argument)
        settled = self._settled(branch)
        if settled is None:
            return self._merged(self._ways(branch))
        return settled if self._leads_on else Reply(settled)

    def _ways(self, branch: Branch) -> list[Way]:
        ways = [Way(branch)]
        for step in self._steps:
            match step:
                case int() as count:
                    for way in ways:
                        way.results += [None if way.stopped else way.branch] * count
                case Draw():
                    ways = self._after_draw(step, ways)
                case Stop():
                    for way in ways:
                        way.stopped = way.stopped or step.condition(way.branch) is True
        return ways

    def _merged(self, ways: list[Way]) -> Reply:
        result: dict[str, Any] = {}
        any_of: dict[str, Any] = {}
        nexts: list[tuple[Next, list[Branch | None]]] = []
        for number, row in enumerate(self._results):
            branches = list(dict.fromkeys(way.results[number] for way in ways))
            if isinstance(row, Next):
                nexts.append((row, branches))
            elif len(branches) == 1:
                result[row.name] = None if branches[0] is None else row.value(branches[0])
            else:
                result[row.name], listed = _open(row, branches)
                if listed:
                    any_of[row.name] = listed
        if any_of:
            result["any_of"] = any_of
        return Reply(result, tuple(dict.fromkeys(row.ask for row, some in nexts if _demanded(row, some))))

    # -- draws ---------------------------------------------------------------------------------

    def _after_draw(self, draw: Draw, ways: list[Way]) -> list[Way]:
        """One way per outcome. A way in which the recorded outcome could not come up is no longer
        possible; if none is left, the record is wrong."""
        turn = ways[0].branch.turn
        recorded = _recorded(draw, turn)
        options = [[] if way.stopped else _options(draw, way.branch) for way in ways]
        outcomes = [_outcomes(draw, listed, recorded, turn) for listed in options]
        count = sum(map(len, outcomes))
        if count > MOST_OUTCOMES:
            raise failed(failures.too_many_outcomes(MOST_OUTCOMES), self.name, draw.cell)
        if not count:
            assert recorded is not None
            everything = _distinct(value for listed in options for value in listed)
            raise RecordError([_refused(draw, recorded, everything, turn)])
        return [
            after
            for way, values in zip(ways, outcomes, strict=True)
            for after in _after_outcomes(way, draw.variable, values)
        ]


def _steps(rows: Iterable[AskRow]) -> Iterator[Draw | Stop | int]:
    """Draws and stops, and between them how many rows `answer` and `next` stand there."""
    results = 0
    for row in rows:
        if isinstance(row, Answer | Next):
            results += 1
        elif not isinstance(row, Need):
            yield from (results, row) if results else (row,)
            results = 0
    yield results


def _find_unmet(need: Need, branch: Branch, findings: Findings) -> None:
    try:
        if need.when is not None and need.when(branch) is not True:
            return
    except RecordError as error:
        findings.take(error.findings, error.more)
        return
    turn = branch.turn
    found = list(values_at(need.fields, turn))
    unsaid = not found or left_out(turn.given, need.fields, need.spelled)
    if not unsaid and not any(one.value is None or (need.some and one.value == []) for one in found):
        _find_unnamed(need, found, branch, findings)
        return
    where = location(need.place)
    if unsaid:
        path = ".".join(part for part in (turn.path, *need.fields) if part)
        findings.add_elsewhere(missing, path, need.wanted, where)
        return
    for one in found:
        if one.value is None:
            findings.add_elsewhere(missing, one.path, need.wanted, where)
    for one in found:
        if need.some and one.value == []:
            findings.add_elsewhere(empty, one.path, need.wanted, where)
    _find_unnamed(need, found, branch, findings)


def _find_unnamed(need: Need, found: list[Found], branch: Branch, findings: Findings) -> None:
    """The names that have no value in a map that must have one for each; `entry` is what is wanted."""
    if need.names is None:
        return
    try:
        names = as_plain(need.names(branch))
    except RecordError as error:
        findings.take(error.findings, error.more)
        return
    assert isinstance(names, list)
    where = location(need.place)
    for one in found:
        for name in names:
            if isinstance(one.value, dict) and one.value.get(name) is None:
                findings.add_elsewhere(missing, f"{one.path}.{name}", need.entry, where)


def _after_outcomes(way: Way, variable: str, values: list[Value]) -> list[Way]:
    if len(values) != 1:
        return [way.parted(variable, value) for value in values]
    setattr(way.branch, variable, values[0])
    return [way]


def _open(row: Answer, branches: list[Branch | None]) -> tuple[Any, list[Any]]:
    """The field and what stands for it in `any_of`."""
    values = [None if branch is None else row.value(branch) for branch in branches]
    match row.when_open:
        case WhenOpen.MERGED:
            return merged(values, row.order)
        case WhenOpen.NULL:
            return None, []
        case WhenOpen.LISTED:
            value, _ = merged(values, row.order)
            work = row.listed
            assert work is not None
            listed = [work(branch) for branch in branches if branch is not None]
            return value, distinct_plain([one for some in listed for one in some or []])


def _demanded(row: Next, branches: list[Branch | None]) -> bool:
    return certain([None if branch is None else row.when(branch) for branch in branches])


def replied(answer: dict[str, Any], *demands: tuple[str, Value]) -> Reply:
    """Where nothing is open: asks, each with whether it is demanded."""
    return Reply(answer, tuple(dict.fromkeys(ask for ask, when in demands if certain([when]))))


# -- draws -------------------------------------------------------------------------------------


def _options(draw: Draw, branch: Branch) -> list[Value]:
    return _distinct(draw.options(branch) or [])


def _outcomes(draw: Draw, options: list[Value], recorded: Found | None, turn: Turn) -> list[Value]:
    """None: null. One: it, whatever is recorded. Several: the recorded one, or all."""
    if len(options) <= 1:
        return options or [None]
    if recorded is None:
        return options
    return [option for option in options if same(_compared(draw, option, turn), recorded.value)]


def _compared(draw: Draw, option: Value, turn: Turn) -> Value:
    return option if draw.by is None else field_named(turn, option, draw.by)


def _recorded(draw: Draw, turn: Turn) -> Found | None:
    if draw.recorded is None:
        return None
    found = list(values_at(draw.recorded, turn))
    return found[0] if found and found[0].value is not None else None


def _refused(draw: Draw, recorded: Found, options: list[Value], turn: Turn) -> Finding:
    names = [failures.named(_compared(draw, option, turn)) for option in options]
    return not_an_option(recorded.path, failures.quotable(recorded.value), names, location(draw.place))


def _distinct(values: Iterable[Value]) -> list[Value]:
    listed = list(values)
    if len(listed) < 2:
        return listed
    if all(type(value) is str or isinstance(value, Row) for value in listed):
        return list(dict.fromkeys(listed))
    return distinct(listed)
