"""Asks: needs, draws and answers. An open draw makes one branch per outcome; answers are merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, assert_never

from dtables.evaluator.draws import Branch, after_draw
from dtables.evaluator.index import Index
from dtables.evaluator.places import spelled_on_the_way, type_at, values_at
from dtables.evaluator.state import Scope, Turn, leaving
from dtables.evaluator.tables import with_step
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
from dtables.provenance import Location
from dtables.records.findings import Findings, RecordError, empty, missing
from dtables.records.reader import left_out, plainly_there


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
    if need.names is None and plainly_there(scope.turn.given, need.place.fields, need.some):
        return
    try:
        if need.when is not None and scope.value(need.when) is not True:
            return
    except RecordError as error:
        findings.take(error.findings, error.more)
        return
    wanted = describe(without_null(type_at(need.place, scope.turn)))
    where = Location(need.where)
    path = ".".join(part for part in (scope.turn.path, *need.place.fields) if part)
    found = list(values_at(need.place, scope.turn))
    if not found or left_out(scope.turn.given, need.place.fields, spelled_on_the_way(need.place, scope.turn)):
        findings.add_elsewhere(missing, path, wanted, where)
        return
    for one in found:
        if one.value is None:
            findings.add_elsewhere(missing, one.path, wanted, where)
    for one in found:
        if need.some and one.value == []:
            findings.add_elsewhere(empty, one.path, wanted, where)
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
    except RecordError as error:
        findings.take(error.findings, error.more)
        return
    assert isinstance(names, list)
    for one in found:
        for name in names:
            if isinstance(one.value, dict) and one.value.get(name) is None:
                findings.add_elsewhere(missing, f"{one.path}.{name}", wanted, where)


def reply(ask: Ask, arguments: Sequence[Value], turn: Turn) -> Reply:
    """The answer's plain values in the order of the rows; `any_of` last, and only where something is open."""
    scope = turn.scope(ask.heading.name)
    for parameter, argument in zip(ask.parameters, arguments, strict=True):
        scope = scope.bind(parameter.variable, argument)
    branches = [Branch(scope)]
    for row in ask.rows:
        branches = _after(row, branches)
    return all_answered(ask, branches, turn)


def _after(row: AskRow, branches: list[Branch]) -> list[Branch]:
    """The branches below a row."""
    match row:
        case Need():
            return branches
        case Step():
            return [Branch(with_step(row, b.scope), b.stopped, b.results) for b in branches]
        case Draw():
            return after_draw(row, branches)
        case Stop():
            return [after_stop(row, branch) for branch in branches]
        case AnswerField() | Next():
            return [with_result(branch) for branch in branches]
        case _:
            assert_never(row)


def with_result(branch: Branch) -> Branch:
    met = None if branch.stopped else branch.scope
    return Branch(branch.scope, branch.stopped, (*branch.results, met))


def after_stop(stop: Stop, branch: Branch) -> Branch:
    if branch.stopped or branch.scope.value(stop.condition) is not True:
        return branch
    observer = branch.scope.turn.observer
    observer.close(observer.open(), lambda _: Stopped(stop.where))
    branch.scope.turn.watch.stopped(stop)
    return replace(branch, stopped=True)


# -- answers -----------------------------------------------------------------------------------


def all_answered(ask: Ask, branches: list[Branch], turn: Turn) -> Reply:
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
    demanded = dict.fromkeys(row.ask for row, some in nexts if _demanded(row, some, turn))
    return Reply({**result, "any_of": any_of} if any_of else result, tuple(demanded))


def _demanded(row: Next, scopes: list[Scope | None], turn: Turn) -> bool:
    observer = turn.observer
    mark = observer.open()
    values = []
    for number, scope in enumerate(dict.fromkeys(scopes)):
        inner = observer.open()
        values.append(None if scope is None else scope.value(row.when))
        if number:
            observer.drop(inner)
    if not certain(values):
        observer.drop(mark)
        return False
    heading = turn.index.asks[row.ask].heading
    observer.close(mark, lambda inside: Demanded(heading, row.cell, row.words, inside))
    turn.watch.demanded(row)
    return True


def _answered(row: AnswerField, scopes: list[Scope | None], turn: Turn) -> tuple[Any, list[Any]]:
    """The field and what stands for it in `any_of`. Each of the different scopes is worked out once."""
    observer = turn.observer
    mark = observer.open()
    apart = list(dict.fromkeys(scopes))
    values = []
    for number, scope in enumerate(apart):
        inner = observer.open()
        values.append(None if scope is None else _plain(row.value, row, scope))
        if number:
            observer.drop(inner)
    value, listed = _when_open(row, apart, values, turn) if len(apart) > 1 else (values[0], [])
    listed_type = row.value.type if row.listed is None else item_type(row.listed.type)
    told = tuple(Shown(one, listed_type) for one in listed)
    observer.close(
        mark,
        lambda inside: Answered(row.name, Shown(value, row.value.type), told, row.cell, row.words, inside),
    )
    return value, listed


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
            return value, distinct_plain([one for some in listed for one in some or []])
        case _:
            assert_never(row.when_open)


def _order_of(type_: Type, index: Index) -> Order | None:
    match plain(type_):
        case VocabularyType(root=root):
            return by_vocabulary({label.id: label for label in index.vocabularies[root].names})
        case NumberType() | BooleanType():
            return by_value
        case _:
            return None
