"""Draws: what chance may give, what the record says it gave, and the branches of what stays open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from dtables import failures
from dtables.evaluator.places import values_at
from dtables.evaluator.state import Turn
from dtables.evaluator.trace import Drawn, Shown, Step, unchanging
from dtables.feel.types import item_type
from dtables.feel.values import Value, distinct, same
from dtables.model.tables import Draw
from dtables.places import Found
from dtables.program.nodes import Slot
from dtables.provenance import Location
from dtables.records.findings import Finding, RecordError, RuleError, not_an_option

MOST_OUTCOMES = 10_000

Frame = list[Any]
Closure = Callable[[Frame], Value]


@unchanging
class Branch:
    """One outcome of the draws so far; `results` has, per row `answer` or `next` met, the frame in which it
    is worked out, or None where a `stop` stands above. A draw gives each branch a frame of its own."""

    frame: Frame
    stopped: bool = False
    results: tuple[Frame | None, ...] = ()

    def with_drawn(self, slot: Slot, value: Value) -> Branch:
        frame = self.frame.copy()
        frame[slot] = value
        return replace(self, frame=frame)


def after_draw(draw: Draw, slot: Slot, options_in: Closure, branches: list[Branch], ask: str) -> list[Branch]:
    """One branch per outcome. A branch in which the recorded outcome could not come up is no longer
    possible; if none is left, the record is wrong."""
    turn: Turn = branches[0].frame[0]
    recorded = _recorded(draw, turn)
    mark = turn.tape.open()
    options = [[] if one.stopped else distinct(options_in(one.frame) or []) for one in branches]
    parted = [
        branch.with_drawn(slot, value)
        for branch, listed in zip(branches, options, strict=True)
        for value in _outcomes(draw, listed, recorded, turn)
    ]
    if len(parted) > MOST_OUTCOMES:
        raise RuleError(failures.too_many_outcomes(MOST_OUTCOMES), Location(draw.cell), ask)
    every = distinct(value for listed in options for value in listed)
    if not parted:
        assert recorded is not None
        raise RecordError([_refused(draw, recorded, every, turn)])
    if not all(branch.stopped for branch in branches):
        is_recorded = recorded is not None and len(every) > 1
        turn.tape.close(mark, partial(_step, draw, every, parted, slot, is_recorded), draw.variable.number)
    return parted


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


def _step(
    draw: Draw,
    options: list[Value],
    branches: list[Branch],
    slot: Slot,
    recorded: bool,
    inside: tuple[Step, ...],
) -> Drawn:
    turn, item = branches[0].frame[0], item_type(draw.options.type)
    for _ in branches:
        turn.tape.again(draw.variable.number)
    outcomes = distinct(branch.frame[slot] for branch in branches)
    return Drawn(
        draw.variable.name,
        tuple(Shown(option, item) for option in options),
        Shown(outcomes[0], item) if len(outcomes) == 1 and options else None,
        recorded,
        draw.cell,
        draw.words,
        inside,
    )
