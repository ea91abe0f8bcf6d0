"""Turns that were played otherwise than the rules say: what differs, and why the rules say what they say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dtables.audit.played import Difference
from dtables.audit.reasons import EliminationView, elimination_view
from dtables.evaluator import Evaluator, Explanation
from dtables.evaluator.trace import Answered, Chosen, Step, all_steps
from dtables.explanations.render import render
from dtables.explanations.voice import voice_in
from dtables.model.tables import Ruleset

MATRICES = 4


@dataclass(frozen=True, slots=True)
class Mismatch:
    """`state` is the record's, as plain values."""

    file: str | None
    line: int
    turn: str | int
    game: str | None
    ask: str
    differences: tuple[Difference, ...]
    state: object


@dataclass(frozen=True, slots=True)
class MismatchReasons:
    """In one language: the scales that led to what differs, and every step in words."""

    matrices: tuple[EliminationView, ...]
    sentences: tuple[str, ...]


def explained(mismatches: Iterable[Mismatch], model: Ruleset) -> tuple[tuple[Mismatch, Explanation], ...]:
    evaluator = Evaluator(model)
    return tuple((one, evaluator.explain_sound(one.ask, one.state)) for one in mismatches)


def reasons(mismatch: Mismatch, explanation: Explanation, language: str) -> MismatchReasons:
    chosen = _scales(explanation, {difference.field for difference in mismatch.differences})
    voice = voice_in(explanation.ruleset, language)
    return MismatchReasons(
        tuple(elimination_view(step, voice) for step in chosen),
        tuple(render(explanation, language).split("\n")[2:-1]),
    )


def _scales(explanation: Explanation, names: set[str]) -> list[Chosen]:
    """The scales with more than one candidate that led to these fields; if none did, those that led to
    anything."""
    for steps in (_fields(explanation, names), explanation.steps):
        found = [step for step in all_steps(steps) if isinstance(step, Chosen) and len(step.candidates) > 1]
        if found:
            return found[:MATRICES]
    return []


def _fields(explanation: Explanation, names: set[str]) -> tuple[Step, ...]:
    steps = explanation.steps
    return tuple(step for step in steps if isinstance(step, Answered) and step.name in names)
