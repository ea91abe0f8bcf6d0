"""Why the rules say what they say, for an audit: the rows that can decide, the elimination matrix of a scale
(candidates down, criteria across, and where each one dropped), and turns that were played otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from dtables.audit.played import Difference
from dtables.evaluator import Evaluator, Explanation
from dtables.evaluator.trace import Answered, Chosen, Narrowed, Step, all_steps
from dtables.explanations.phrases import Voice, voice_in
from dtables.explanations.render import render
from dtables.model.tables import (
    Criterion,
    Decision,
    Dice,
    Formula,
    Heading,
    Matrix,
    Prefer,
    Ruleset,
    Scale,
    Table,
)
from dtables.provenance import CellRef
from dtables.wording.values import numbers_in


class CandidateState(StrEnum):
    STAYS = "stays"
    DROPS = "drops"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class CriterionView:
    number: str
    words: str
    cell: str


@dataclass(frozen=True, slots=True)
class EntryView:
    """What the criterion saw of the candidate, if it concerned it."""

    standing: CandidateState
    seen: str


@dataclass(frozen=True, slots=True)
class CandidateView:
    name: str
    left: bool
    entries: tuple[EntryView, ...]


@dataclass(frozen=True, slots=True)
class EliminationView:
    title: str
    cell: str
    criteria: tuple[CriterionView, ...]
    candidates: tuple[CandidateView, ...]


def elimination_view(step: Chosen, voice: Voice) -> EliminationView:
    names = voice.values.apart(step.candidates)
    return EliminationView(
        voice.values.called(voice.labels.heading(step.heading), step.arguments),
        voice.labels.cell(step.heading.where.cell),
        tuple(_criterion(row, voice) for row in step.rows),
        tuple(_candidate(place, name, step, voice) for place, name in enumerate(names)),
    )


def _criterion(row: Narrowed, voice: Voice) -> CriterionView:
    return CriterionView(row.number, voice.expressions.criterion(row.criterion), voice.labels.cell(row.cell))


def _candidate(place: int, name: str, step: Chosen, voice: Voice) -> CandidateView:
    entries: list[EntryView] = []
    gone = False
    for row in step.rows:
        seen = dict(row.seen).get(place)
        text = "" if seen is None or gone else voice.values.value(seen)
        standing = (
            CandidateState.GONE
            if gone
            else CandidateState.DROPS
            if place in row.dropped
            else CandidateState.STAYS
        )
        entries.append(EntryView(standing, text))
        gone = gone or place in row.dropped
    return CandidateView(name, place in step.left, tuple(entries))


# -- rows that can decide ---------------------------------------------------------------------------
# The rows of a workbook that can decide something.


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A row that can decide: its number and its wording, or else what it gives or prefers; of an entry the
    keys by which it is looked up."""

    cell: CellRef
    label: str


def rule_rows(model: Ruleset, voice: Voice) -> Iterator[tuple[Heading, tuple[RuleRow, ...]]]:
    """In the workbook's order, tables that have no such rows left out."""
    places = {heading.where.cell: place for place, heading in enumerate(model.headings)}
    for table in sorted(model.tables, key=lambda t: places.get(t.heading.where.cell, len(places))):
        rows = tuple(_rows(table, voice))
        if rows:
            yield table.heading, rows


def _rows(table: Table, voice: Voice) -> Iterator[RuleRow]:
    match table:
        case Decision(rules=rules, otherwise=otherwise):
            for rule in rules:
                outcome = rule.outcomes[0]
                words = voice.labels.words(rule.words) or voice.expressions.say(outcome.value)
                yield RuleRow(outcome.cell, f"{rule.number or rule.where.row} {words}")
            if otherwise is not None:
                text = voice.expressions.say(otherwise.value)
                yield RuleRow(otherwise.cell, f"{voice.phrases.otherwise} {text}")
        case Scale(criteria=criteria):
            for row in criteria:
                if _narrows(row):
                    yield RuleRow(row.cell, f"{row.number} {voice.expressions.criterion(row)}".strip())
        case Matrix(entries=entries):
            for entry in entries:
                keys = ", ".join(map(voice.expressions.say, entry.keys))
                yield from (RuleRow(cell, keys) for cell in entry.cells[:1])
        case Dice(entries=dice):
            for side in dice:
                totals = numbers_in(voice.phrases, side.low, side.high)
                words = voice.labels.words(side.words)
                parts = (voice.labels.term(side.die), totals, words)
                yield RuleRow(side.cell, " ".join(part for part in parts if part))
        case Formula():
            pass
        case _:
            assert_never(table)


def _narrows(row: Criterion) -> bool:
    """Of an embedding row the embedded ones count; chance drops nobody."""
    return row.embedded is None and row.prefer is not Prefer.CHANCE


# -- turns that were played otherwise ------------------------------------------------------------


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
