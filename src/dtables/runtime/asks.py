"""Answering an ask: needs, draws, stops, answers. An open draw makes one branch per outcome; what the
branches answer is merged. `Ask` is a compiled module's; the evaluator has branches of its own, and asks the
functions below what its rows come to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from dtables import failures
from dtables.feel.names import Spelled
from dtables.feel.values import Row, Value, as_plain, distinct, same
from dtables.merging import (
    MOST_OUTCOMES,
    Order,
    Reply,
    WhenOpen,
    certain,
    distinct_plain,
    merged,
    reply_of,
)
from dtables.places import Found
from dtables.provenance import Written, location
from dtables.records.findings import Finding, Findings, RecordError, empty, missing, not_an_option
from dtables.records.reader import left_out, plainly_there
from dtables.runtime.failing import failed
from dtables.runtime.places import State, state_of
from dtables.runtime.records import Turn

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


class Need(NamedTuple):
    """`spelled` has for each field the vocabularies by whose names it may be spelled, if any may."""

    fields: tuple[str, ...]
    wanted: str
    place: Written
    some: bool
    when: Work | None
    names: Work | None = None
    entry: str = ""
    spelled: tuple[tuple[Spelled, ...], ...] = ()


class Draw(NamedTuple):
    """`variable` is the branch's attribute; `place` the row's first cell, `cell` the options'."""

    variable: str
    options: Work
    recorded: tuple[str, ...] | None
    by: str | None
    place: Written
    cell: Written


class Stop(NamedTuple):
    """Where the condition is true, all answers below are null."""

    condition: Work


class Answer(NamedTuple):
    """`value` gives a plain value; `order` is how several of them are put in order."""

    name: str
    value: Work
    order: Order | None
    when_open: WhenOpen = WhenOpen.MERGED
    listed: Work | None = None


class Next(NamedTuple):
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
            if not is_plainly_met(need, turn.given):
                find_unmet(need, branch, state_of(turn), findings)
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
        rows = list(zip(self._results, worked_out_in([way.results for way in ways]), strict=True))
        return reply_of(
            ((row.name, _answered(row, some)) for row, some in rows if isinstance(row, Answer)),
            ((row.ask, _is_demanded(row, some)) for row, some in rows if isinstance(row, Next)),
        )

    # -- draws ---------------------------------------------------------------------------------

    def _after_draw(self, draw: Draw, ways: list[Way]) -> list[Way]:
        """One way per outcome."""
        state = state_of(ways[0].branch.turn)
        recorded = recorded_at(draw, state)
        options = [[] if way.stopped else options_in(draw, way.branch) for way in ways]
        outcomes = possible_outcomes(draw, options, recorded, state, self.name)
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


# -- needs -------------------------------------------------------------------------------------


def is_plainly_met(need: Need, given: object) -> bool:
    """Whether a look at the state as it was given is enough."""
    return need.names is None and plainly_there(given, need.fields, need.some)


def find_unmet(need: Need, branch: Any, state: State, findings: Findings) -> None:
    """What the record leaves out at the place, if the need is one in this turn."""
    try:
        if need.when is not None and need.when(branch) is not True:
            return
    except RecordError as error:
        findings.take(error.findings, error.more)
        return
    found = list(state.values_at(need.fields))
    unsaid = not found or left_out(state.given, need.fields, need.spelled)
    if not unsaid and not any(one.value is None or (need.some and one.value == []) for one in found):
        _find_unnamed(need, found, branch, findings)
        return
    where = location(need.place)
    if unsaid:
        path = ".".join(part for part in (state.path, *need.fields) if part)
        findings.add_elsewhere(missing, path, need.wanted, where)
        return
    for one in found:
        if one.value is None:
            findings.add_elsewhere(missing, one.path, need.wanted, where)
    for one in found:
        if need.some and one.value == []:
            findings.add_elsewhere(empty, one.path, need.wanted, where)
    _find_unnamed(need, found, branch, findings)


def _find_unnamed(need: Need, found: list[Found], branch: Any, findings: Findings) -> None:
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


# -- answers -----------------------------------------------------------------------------------


def worked_out_in(results: Iterable[Iterable[Any]]) -> list[list[Any]]:
    """Row by row the different ones of what each branch has for it: what stands above a draw is worked out
    once."""
    return [list({id(one): one for one in some}.values()) for some in zip(*results, strict=True)]


def answer_of(row: Answer, values: list[Any], branches: list[Any]) -> tuple[Any, list[Any]]:
    """The field and what stands for it in `any_of`. It is open where there are several branches, of which
    `values` are its values; None for a branch in which a stop stands above."""
    if len(branches) == 1:
        return values[0], []
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


def _answered(row: Answer, branches: list[Branch | None]) -> tuple[Any, list[Any]]:
    return answer_of(row, [None if one is None else row.value(one) for one in branches], branches)


def _is_demanded(row: Next, branches: list[Branch | None]) -> bool:
    return certain([None if branch is None else row.when(branch) for branch in branches])


def replied(answer: dict[str, Any], *demands: tuple[str, Value]) -> Reply:
    """Where nothing is open: asks, each with whether it is demanded."""
    return Reply(answer, tuple(dict.fromkeys(ask for ask, when in demands if certain([when]))))


# -- draws -------------------------------------------------------------------------------------


def options_in(draw: Draw, branch: Any) -> list[Value]:
    """What chance may give in a branch."""
    return different(draw.options(branch) or [])


def recorded_at(draw: Draw, state: State) -> Found | None:
    """What the record says that chance gave, if it says so."""
    if draw.recorded is None:
        return None
    found = list(state.values_at(draw.recorded))
    return found[0] if found and found[0].value is not None else None


def possible_outcomes(
    draw: Draw, options: list[list[Value]], recorded: Found | None, state: State, ask: str
) -> list[list[Value]]:
    """The outcomes in each branch, of the options there. A branch in which the recorded outcome could not
    come up is no longer possible; if none is left, the record is wrong."""
    outcomes = [_outcomes(draw, listed, recorded, state) for listed in options]
    count = sum(map(len, outcomes))
    if count > MOST_OUTCOMES:
        raise failed(failures.too_many_outcomes(MOST_OUTCOMES), ask, draw.cell)
    if not count:
        assert recorded is not None
        every = different(value for listed in options for value in listed)
        raise RecordError([_refused(draw, recorded, every, state)])
    return outcomes


def _outcomes(draw: Draw, options: list[Value], recorded: Found | None, state: State) -> list[Value]:
    """None: null. One: it, whatever is recorded. Several: the recorded one, or all."""
    if len(options) <= 1:
        return options or [None]
    if recorded is None:
        return options
    return [option for option in options if same(_compared(draw, option, state), recorded.value)]


def _compared(draw: Draw, option: Value, state: State) -> Value:
    return option if draw.by is None else state.field(option, draw.by)


def _refused(draw: Draw, recorded: Found, options: list[Value], state: State) -> Finding:
    names = [failures.named(_compared(draw, option, state)) for option in options]
    return not_an_option(recorded.path, failures.quotable(recorded.value), names, location(draw.place))


def _after_outcomes(way: Way, variable: str, values: list[Value]) -> list[Way]:
    if len(values) != 1:
        return [way.parted(variable, value) for value in values]
    setattr(way.branch, variable, values[0])
    return [way]


def different(values: Iterable[Value]) -> list[Value]:
    """Each once, in order."""
    listed = list(values)
    if len(listed) < 2:
        return listed
    if all(type(value) is str or isinstance(value, Row) for value in listed):
        return list(dict.fromkeys(listed))
    return distinct(listed)
