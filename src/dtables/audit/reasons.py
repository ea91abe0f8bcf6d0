"""What an audit tells of one turn beside its sentence: the move field by field, the scale or decision that
settled it with the played candidate or row marked, and every step of the answer in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from dtables.audit.faults import Dropped, Fault, Found, Preceded, Removed, Unmet
from dtables.audit.sentences import Speaker, step_behind
from dtables.evaluator import Explanation
from dtables.evaluator.trace import (
    Answered,
    Chosen,
    Decided,
    Failed,
    Fired,
    Narrowed,
    NothingToTake,
    Step,
    Tried,
    all_steps,
)
from dtables.explanations.phrases import Voice
from dtables.explanations.render import INDENT, render
from dtables.explanations.sentences import met_by
from dtables.model.tables import (
    Criterion,
    Decision,
    Dice,
    Formula,
    Heading,
    Matrix,
    Prefer,
    Rule,
    Ruleset,
    Scale,
    Table,
)
from dtables.provenance import CellRef
from dtables.wording.values import numbers_in

MATRICES = 4


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
    played: bool
    entries: tuple[EntryView, ...]


@dataclass(frozen=True, slots=True)
class EliminationView:
    """`decided` is the number, among the criteria, of the one that dropped the played candidate."""

    title: str
    cell: str
    criteria: tuple[CriterionView, ...]
    candidates: tuple[CandidateView, ...]
    decided: int | None = None
    missing: str = ""
    """Why the played candidate is not among them."""


class RowState(StrEnum):
    """What became of a row of a decision; one that was not tried stands below the row that applied."""

    APPLIES = "applies"
    FAILS = "fails"
    UNTRIED = "untried"


@dataclass(frozen=True, slots=True)
class RowView:
    number: str
    words: str
    state: RowState
    reason: str
    played: bool


@dataclass(frozen=True, slots=True)
class DecisionView:
    """A decision whose rows say why the played outcome is not theirs."""

    title: str
    cell: str
    rows: tuple[RowView, ...]


@dataclass(frozen=True, slots=True)
class ReasonView:
    """`deep` counts what it is a reason for, one within another."""

    deep: int
    text: str


@dataclass(frozen=True, slots=True)
class Reasons:
    """In one language: what settled the turn, the other scales that led to what differs, and every step."""

    decision: DecisionView | None
    matrices: tuple[EliminationView, ...]
    steps: tuple[ReasonView, ...]


def reasons(
    explanation: Explanation, found: Found | None, names: set[str], played: str, speaker: Speaker
) -> Reasons:
    """`names` are the fields that differ, `played` is the value that the sentence is about."""
    fault = None if found is None else found.fault
    settled = None if fault is None else step_behind(fault)
    scales = _scales(explanation, names)
    if isinstance(settled, Chosen):
        scales = [settled, *(one for one in scales if one is not settled)][:MATRICES]
    return Reasons(
        decision_view(settled, fault, speaker) if isinstance(settled, Decided) else None,
        tuple(elimination_view(step, speaker, fault if step is settled else None, played) for step in scales),
        tuple(map(_reason, render(explanation, speaker.language, speaker.voice).split("\n")[2:-1])),
    )


def _reason(sentence: str) -> ReasonView:
    text = sentence.lstrip(" ")
    return ReasonView((len(sentence) - len(text)) // len(INDENT), text)


# -- scales --------------------------------------------------------------------------------------------


def elimination_view(
    step: Chosen, speaker: Speaker, fault: Fault | None = None, played_name: str = ""
) -> EliminationView:
    """`fault` is what the scale settled; `played_name` calls the value that was played."""
    voice = speaker.voice
    names = voice.values.apart(step.candidates)
    dropped = fault if isinstance(fault, Dropped) else None
    played = None if dropped is None else dropped.place
    return EliminationView(
        voice.values.called(voice.labels.heading(step.heading), step.arguments),
        voice.labels.cell(step.heading.where.cell),
        tuple(_criterion(row, voice) for row in step.rows),
        tuple(_candidate(place, name, step, voice, place == played) for place, name in enumerate(names)),
        None if dropped is None else step.rows.index(dropped.row),
        speaker.missing(fault, played_name) if isinstance(fault, Removed) else "",
    )


def _criterion(row: Narrowed, voice: Voice) -> CriterionView:
    return CriterionView(row.number, voice.expressions.criterion(row.criterion), voice.labels.cell(row.cell))


def _candidate(place: int, name: str, step: Chosen, voice: Voice, played: bool) -> CandidateView:
    entries: list[EntryView] = []
    gone = False
    for row in step.rows:
        seen = dict(met_by(row)).get(place)
        text = "" if seen is None or gone else voice.values.value(seen)
        standing = CandidateState.STAYS
        if gone or place in row.dropped:
            standing = CandidateState.GONE if gone else CandidateState.DROPS
        entries.append(EntryView(standing, text))
        gone = gone or place in row.dropped
    return CandidateView(name, place in step.left, played, tuple(entries))


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


# -- decisions -----------------------------------------------------------------------------------------


MOST_ROWS = 30


def decision_view(step: Decided, fault: Fault | None, speaker: Speaker) -> DecisionView:
    """Of a large decision the rows around those that matter."""
    tried = {row.rule.where: row for row in step.tried}
    meant: CellRef | None = None
    match fault:
        case Preceded(rule=rule):
            meant = rule.where
        case Unmet(row=row):
            meant = row.where
    rules = _rows_shown(step, tried, meant)
    rows = (_row(rule, step, tried.get(rule.where), fault, meant, speaker) for rule in rules)
    voice = speaker.voice
    title = voice.values.called(voice.labels.heading(step.heading), step.arguments)
    return DecisionView(title, voice.labels.cell(step.heading.where.cell), tuple(rows))


def _rows_shown(step: Decided, tried: Mapping[CellRef, Tried], meant: CellRef | None) -> tuple[Rule, ...]:
    rules = step.decision.rules
    if len(rules) <= MOST_ROWS:
        return rules
    fired = [rule.where for rule in rules if _fired(tried.get(rule.where))]
    return tuple(rule for rule in rules if rule.where in (meant, *fired))


def _fired(row: Tried | None) -> bool:
    return row is not None and isinstance(row.outcome, Fired)


def _row(
    rule: Rule, step: Decided, row: Tried | None, fault: Fault | None, meant: CellRef | None, speaker: Speaker
) -> RowView:
    state, reason = RowState.UNTRIED, ""
    if row is not None:
        state = RowState.APPLIES if _fired(row) else RowState.FAILS
        if isinstance(row.outcome, (Failed, NothingToTake)):
            removed = fault.removed if isinstance(fault, Unmet) and fault.row is row else None
            reason = speaker.unmet_reason(row, removed)
    return RowView(rule.number, speaker.row_wording(rule, step), state, reason, rule.where == meant)


# -- rows that can decide ------------------------------------------------------------------------------


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
