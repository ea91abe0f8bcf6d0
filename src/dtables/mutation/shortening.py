"""A record made short: what is not needed is left out, piece by piece, as long as it still serves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from dtables.feel.values import Plain
from dtables.mutation.records import Question, State

MOST_STEPS = 400
"""Records that are tried on the way."""


def shortened(question: Question, serves: Callable[[Question], bool]) -> Question:
    """The larger pieces go first; each step that still serves is taken, and the next begins there."""
    left = MOST_STEPS
    going = True
    while going and left > 0:
        going = False
        for state in _shorter(question.given):
            left -= 1
            if left <= 0:
                break
            candidate = replace(question, given=state)
            if serves(candidate):
                question, going = candidate, True
                break
    return question


def _shorter(state: State) -> Iterator[State]:
    """Without one of the fields, then with one of the values made shorter."""
    for name in sorted(state, key=lambda name: -len(repr(state[name]))):
        yield {key: value for key, value in state.items() if key != name}
    for name, value in state.items():
        for other in _shorter_value(value):
            yield {**state, name: other}


def _shorter_value(value: Plain) -> Iterator[Plain]:
    match value:
        case list():
            if len(value) > 3:
                yield value[: len(value) // 2]
                yield value[len(value) // 2 :]
            for n in range(len(value)):
                yield value[:n] + value[n + 1 :]
            for n, item in enumerate(value):
                for other in _shorter_value(item):
                    yield [*value[:n], other, *value[n + 1 :]]
        case dict():
            for key in value:
                yield {name: one for name, one in value.items() if name != key}
            for key, item in value.items():
                for other in _shorter_value(item):
                    yield {**value, key: other}
        case _:
            return
