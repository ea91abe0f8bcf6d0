"""Asks: needs, draws and answers. An open draw makes one branch for each outcome; answers are merged."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, assert_never

from dtables import failures
from dtables.feel.types import (
    BooleanType,
    MapType,
    NumberType,
    Type,
    VocabularyType,
    describe,
    plain,
    without_null,
)
from dtables.feel.values import Plain, Value, as_plain, distinct, same
from dtables.model.expressions import Expression
from dtables.model.tables import AnswerField, Ask, AskRow, Draw, Need, Next, Step, Stop, WhenOpen
from dtables.provenance import Location
from tests.oracle.failing import Failed, Finding, Findings, Rejected, Wrong, missing
from tests.oracle.names import Index
from tests.oracle.places import Found, is_left_out, is_plainly_there, type_at, values_at
from tests.oracle.tables import with_step
from tests.oracle.values import Scope, Turn, leaving

MOST_OUTCOMES = 10_000


class Reply(NamedTuple):
    """The answer, and the asks that the rules demand next."""

    answer: dict[str, Any]
    next: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """One outcome of the draws so far; `results` has, per row `answer` or `next` met, the scope in which it
    is worked out, or None where a `stop` stands above. Branches share a scope until a draw parts them."""

    scope: Scope
    stopped: bool = False
    results: tuple[Scope | None, ...] = ()


def reply(ask: Ask, arguments: Sequence[Value], turn: Turn) -> Reply:
    """The answer's plain values in the order of the rows; `any_of` last, and only where something is open."""
    scope = turn.scope(ask.heading.name)
    for parameter, argument in zip(ask.parameters, arguments, strict=True):
        scope = scope.bind(parameter.variable, argument)
    branches = [Branch(scope)]
    for row in ask.rows:
        branches = _after(row, branches)
    return _all_answered(ask, branches, turn)


def answer_of(ask: str, arguments: Sequence[Value], turn: Turn) -> dict[str, Any]:
    """Another ask inside an answer: what it needs is looked at when it is reached."""
    called = turn.index.asks[ask]
    unmet(called, turn).refuse()
    return reply(called, arguments, turn).answer


def _after(row: AskRow, branches: list[Branch]) -> list[Branch]:
    """The branches below a row."""
    match row:
        case Need():
            return branches
        case Step():
            return [replace(b, scope=with_step(row, b.scope)) for b in branches]
        case Draw():
            return _after_draw(row, branches)
        case Stop():
            return [_after_stop(row, branch) for branch in branches]
        case AnswerField() | Next():
            return [_with_result(branch) for branch in branches]
        case _:
            assert_never(row)


def _with_result(branch: Branch) -> Branch:
    met = None if branch.stopped else branch.scope
    return replace(branch, results=(*branch.results, met))


def _after_stop(stop: Stop, branch: Branch) -> Branch:
    if branch.stopped or branch.scope.value(stop.condition) is not True:
        return branch
    return replace(branch, stopped=True)


# -- needs -------------------------------------------------------------------------------------


def unmet(ask: Ask, turn: Turn) -> Findings:
    """The need rows whose place the record leaves out, in order. A default is no answer to a need."""
    findings = Findings()
    scope = turn.scope(ask.heading.name)
    for row in ask.rows:
        match row:
            case Need():
                _find_unmet(row, scope, findings)
            case Step():
                scope = with_step(row, scope)
            case Draw() | Stop() | AnswerField() | Next():
                pass
            case _:
                assert_never(row)
    return findings


def _find_unmet(need: Need, scope: Scope, findings: Findings) -> None:
    if need.names is None and is_plainly_there(need.place, scope.turn, need.some):
        return
    try:
        if need.when is not None and scope.value(need.when) is not True:
            return
    except Rejected as rejected:
        findings.take(rejected)
        return
    wanted = describe(without_null(type_at(need.place, scope.turn)))
    where = Location(need.where)
    path = ".".join(part for part in (scope.turn.path, *need.place.fields) if part)
    found = list(values_at(need.place, scope.turn))
    if not found or is_left_out(need.place, scope.turn):
        findings.add_elsewhere(missing(path, wanted, where))
        return
    for one in found:
        if one.value is None:
            findings.add_elsewhere(missing(one.path, wanted, where))
    for one in found:
        if need.some and one.value == []:
            findings.add_elsewhere(Finding(Wrong.EMPTY, one.path, (wanted,), where))
    _find_unnamed(need, [one for one in found if one.value is not None], scope, findings)


def _find_unnamed(need: Need, found: list[Found], scope: Scope, findings: Findings) -> None:
    """The names that have no value in a map that must have one for each."""
    if need.names is None:
        return
    kind = plain(type_at(need.place, scope.turn))
    assert isinstance(kind, MapType)
    wanted, where = describe(without_null(kind.value)), Location(need.where)
    try:
        names = as_plain(scope.value(need.names))
    except Rejected as rejected:
        findings.take(rejected)
        return
    assert isinstance(names, list)
    for one in found:
        for name in names:
            if isinstance(one.value, dict) and one.value.get(name) is None:
                findings.add_elsewhere(missing(f"{one.path}.{name}", wanted, where))


# -- draws -------------------------------------------------------------------------------------


def _after_draw(draw: Draw, branches: list[Branch]) -> list[Branch]:
    """One branch per outcome. A branch in which the recorded outcome could not come up is no longer
    possible; if none is left, the record is wrong."""
    turn = branches[0].scope.turn
    recorded = _recorded(draw, turn)
    options = [[] if branch.stopped else _options(draw, branch.scope) for branch in branches]
    outcomes = [_outcomes(draw, listed, recorded, turn) for listed in options]
    parted = [
        replace(branch, scope=branch.scope.bind(draw.variable, value))
        for branch, values in zip(branches, outcomes, strict=True)
        for value in values
    ]
    if len(parted) > MOST_OUTCOMES:
        table = branches[0].scope.table
        raise Failed(failures.too_many_outcomes(MOST_OUTCOMES), Location(draw.cell), table)
    if not parted:
        assert recorded is not None
        raise Rejected([_refused(draw, recorded, _all(options), turn)])
    return parted


def _all(options: Iterable[list[Value]]) -> list[Value]:
    return distinct(value for listed in options for value in listed)


def _options(draw: Draw, scope: Scope) -> list[Value]:
    return distinct(scope.value(draw.options) or [])


def _outcomes(draw: Draw, options: list[Value], recorded: Found | None, turn: Turn) -> list[Value]:
    """None: null. One: it, whatever is recorded. Several: the recorded one, or all."""
    if len(options) <= 1:
        return options or [None]
    if recorded is None:
        return options
    return [option for option in options if same(_compared(draw, option, turn), recorded.value)]


def _compared(draw: Draw, option: Value, turn: Turn) -> Value:
    return option if draw.by is None else turn.read_field(option, draw.by)


def _recorded(draw: Draw, turn: Turn) -> Found | None:
    if draw.recorded is None:
        return None
    found = list(values_at(draw.recorded, turn))
    return found[0] if found and found[0].value is not None else None


def _refused(draw: Draw, recorded: Found, options: list[Value], turn: Turn) -> Finding:
    names = [failures.named(_compared(draw, option, turn)) for option in options]
    told = (failures.quotable(recorded.value), names)
    return Finding(Wrong.NO_OPTION, recorded.path, told, Location(draw.where))


# -- answers -----------------------------------------------------------------------------------


def _all_answered(ask: Ask, branches: list[Branch], turn: Turn) -> Reply:
    """What comes next is worked out when everything is answered."""
    rows = [row for row in ask.rows if isinstance(row, AnswerField | Next)]
    scopes = [[branch.results[number] for branch in branches] for number in range(len(rows))]
    result: dict[str, Any] = {}
    any_of: dict[str, Any] = {}
    for row, some in zip(rows, scopes, strict=True):
        if isinstance(row, AnswerField):
            result[row.name], listed = _answered(row, some, turn)
            if listed:
                any_of[row.name] = listed
    nexts = ((row, some) for row, some in zip(rows, scopes, strict=True) if isinstance(row, Next))
    demanded = dict.fromkeys(row.ask for row, some in nexts if _demanded(row, some))
    return Reply({**result, "any_of": any_of} if any_of else result, tuple(demanded))


def _demanded(row: Next, scopes: list[Scope | None]) -> bool:
    """In every outcome; below a stop nothing is."""
    values = [None if scope is None else scope.value(row.when) for scope in dict.fromkeys(scopes)]
    return all(value is True for value in values)


def _answered(row: AnswerField, scopes: list[Scope | None], turn: Turn) -> tuple[Any, list[Any]]:
    """The field and what stands for it in `any_of`. Each of the different scopes is worked out once."""
    apart = list(dict.fromkeys(scopes))
    values = [None if scope is None else _plain(row.value, row, scope) for scope in apart]
    return _when_open(row, apart, values, turn) if len(apart) > 1 else (values[0], [])


def _plain(value: Expression, row: AnswerField, scope: Scope) -> Any:
    return leaving(scope.value(value), Location(row.cell), scope.table)


def _when_open(
    row: AnswerField, scopes: list[Scope | None], values: list[Any], turn: Turn
) -> tuple[Any, list[Any]]:
    order = _order_of(row.value.type, turn.index)
    match row.when_open:
        case WhenOpen.MERGED:
            return merged(values, order)
        case WhenOpen.NULL:
            return None, []
        case WhenOpen.LISTED:
            value, _ = merged(values, order)
            listed = [_plain(row.listed, row, scope) for scope in scopes if scope and row.listed]
            return value, _distinct_plain([one for some in listed for one in some or []])
        case _:
            assert_never(row.when_open)


# -- answers of several outcomes ---------------------------------------------------------------

Order = Callable[[Plain], Any]
"""What the values that stand in `any_of` are ordered by."""


def _order_of(type_: Type, index: Index) -> Order | None:
    match plain(type_):
        case VocabularyType(root=root):
            return list(index.vocabularies[root].ids).index
        case NumberType() | BooleanType():
            return lambda value: value
        case _:
            return None


def merged(values: Sequence[Plain], order: Order | None) -> tuple[Plain, list[Plain]]:
    """The value, where all are equal; else null and the different values in their order. Null stands
    last; what has no order of its own stays in the order of the draw."""
    different = _distinct_plain(values)
    if len(different) == 1:
        return different[0], []
    present = [value for value in different if value is not None]
    if order is not None:
        present.sort(key=order)
    return None, present + [value for value in different if value is None]


def _distinct_plain(values: Sequence[Plain]) -> list[Plain]:
    """The first of each, in order."""
    kept: dict[Hashable, Plain] = {}
    for value in values:
        kept.setdefault(_identity(value), value)
    return list(kept.values())


def _identity(value: Plain) -> Hashable:
    """Equal for what is equal as JSON: a number in any spelling, but a boolean equals no number."""
    match value:
        case bool():
            return ("boolean", value)
        case dict():
            return ("object", frozenset((key, _identity(entry)) for key, entry in value.items()))
        case list():
            return ("list", tuple(map(_identity, value)))
        case _:
            scalar: Hashable = value
            return scalar
