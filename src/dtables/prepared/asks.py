"""Asks: steps are bound where they stand, what a draw parts goes on in names of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from dtables.evaluator.asks import after_stop, all_answered, with_result
from dtables.evaluator.draws import Branch, after_draw
from dtables.evaluator.state import Scope, Turn
from dtables.feel.values import Value
from dtables.merging import Reply
from dtables.model.tables import AnswerField, Ask, AskRow, Draw, Need, Next, Step, Stop
from dtables.prepared.preparation import AskWork, Preparation
from dtables.prepared.tables import step_work

Below = Callable[[list[Branch]], list[Branch]]
"""The branches below a row."""


def ask_work(ask: Ask, all_: Preparation) -> AskWork:
    name = ask.heading.name
    numbers = tuple(parameter.variable.number for parameter in ask.parameters)
    rows = tuple(_below(row, all_) for row in ask.rows if not isinstance(row, Need))

    def reply(arguments: Sequence[Value], turn: Turn) -> Reply:
        branches = [Branch(Scope(turn, name, dict(zip(numbers, arguments, strict=True))))]
        for below in rows:
            branches = below(branches)
        return all_answered(ask, branches, turn)

    return reply


def _below(row: AskRow, all_: Preparation) -> Below:
    match row:
        case Step():
            return _step(row, all_)
        case Draw():
            return lambda branches: after_draw(row, branches)
        case Stop():
            return lambda branches: [after_stop(row, branch) for branch in branches]
        case AnswerField() | Next():
            return lambda branches: [with_result(branch) for branch in branches]
        case Need():
            return lambda branches: branches
        case _:
            assert_never(row)


def _step(row: Step, all_: Preparation) -> Below:
    number, bound = row.variable.number, step_work(row, all_)

    def below(branches: list[Branch]) -> list[Branch]:
        for branch in branches:
            branch.scope.names[number] = bound(branch.scope)
        return branches

    return below
