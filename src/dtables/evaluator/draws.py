"""Draws: what chance may give, what the record says it gave, and the branches of what stays open."""

from __future__ import annotations

from dataclasses import replace

from dtables import failures
from dtables.evaluator.places import values_at
from dtables.evaluator.state import Scope, Turn
from dtables.evaluator.trace import Drawn, Shown, Step, unchanging
from dtables.feel.types import item_type
from dtables.feel.values import Value, distinct, same
from dtables.model.tables import Draw
from dtables.places import Found
from dtables.provenance import Location
from dtables.records.findings import Finding, RecordError, RuleError, not_an_option

MOST_OUTCOMES = 10_000


@unchanging
class Branch:
    """One outcome of the draws so far; `results` has, per row `answer` or `next` met, the scope in which it
    is worked out, or None where a `stop` stands above. Branches share a scope until a draw parts them."""

    scope: Scope
    stopped: bool = False
    results: tuple[Scope | None, ...] = ()


def after_draw(draw: Draw, branches: list[Branch]) -> list[Branch]:
    """One branch per outcome. A branch in which the recorded outcome could not come up is no longer
    possible; if none is left, the record is wrong."""
    turn = branches[0].scope.turn
    recorded = _recorded(draw, turn)
    mark = turn.observer.open()
    options = [[] if branch.stopped else _options(draw, branch.scope) for branch in branches]
    outcomes = [_outcomes(draw, listed, recorded, turn) for listed in options]
    parted = [
        replace(branch, scope=branch.scope.bind(draw.variable, value))
        for branch, values in zip(branches, outcomes, strict=True)
        for value in values
    ]
    if len(parted) > MOST_OUTCOMES:
        table = branches[0].scope.table
        raise RuleError(failures.too_many_outcomes(MOST_OUTCOMES), Location(draw.cell), table)
    if not parted:
        assert recorded is not None
        raise RecordError([_refused(draw, recorded, _all(options), turn)])
    if not all(branch.stopped for branch in branches):
        turn.observer.close(
            mark,
            lambda inside: _told(draw, _all(options), parted, recorded, inside),
            draw.variable.number,
        )
    return parted


def _all(options: list[list[Value]]) -> list[Value]:
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
    return not_an_option(recorded.path, failures.quotable(recorded.value), names, Location(draw.where))


def _told(
    draw: Draw, options: list[Value], branches: list[Branch], recorded: Found | None, inside: tuple[Step, ...]
) -> Drawn:
    taken = distinct(branch.scope.read(draw.variable) for branch in branches)
    item = item_type(draw.options.type)
    return Drawn(
        draw.variable.name,
        tuple(Shown(option, item) for option in options),
        Shown(taken[0], item) if len(taken) == 1 and options else None,
        recorded is not None and len(options) > 1,
        draw.cell,
        draw.words,
        inside,
    )
