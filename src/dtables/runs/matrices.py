"""The elimination matrix of a scale: candidates down, criteria across, and where each one dropped."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dtables.evaluator.labels import Labels
from dtables.evaluator.terms import Terms
from dtables.evaluator.trace import Chosen, Narrowed
from dtables.evaluator.words import LANGUAGES


class Standing(StrEnum):
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

    standing: Standing
    seen: str


@dataclass(frozen=True, slots=True)
class CandidateView:
    name: str
    left: bool
    entries: tuple[EntryView, ...]


@dataclass(frozen=True, slots=True)
class MatrixView:
    title: str
    cell: str
    criteria: tuple[CriterionView, ...]
    candidates: tuple[CandidateView, ...]


def labels_in(terms: Terms, language: str) -> Labels:
    return Labels(terms, language, LANGUAGES[language])


def matrix_view(step: Chosen, labels: Labels) -> MatrixView:
    names = labels.apart(step.candidates)
    return MatrixView(
        labels.called(labels.heading(step.heading), step.arguments),
        labels.cell(step.heading.where.cell),
        tuple(_criterion(row, labels) for row in step.rows),
        tuple(_candidate(place, name, step, labels) for place, name in enumerate(names)),
    )


def _criterion(row: Narrowed, labels: Labels) -> CriterionView:
    return CriterionView(row.number, labels.word(row.words, row.written), labels.cell(row.cell))


def _candidate(place: int, name: str, step: Chosen, labels: Labels) -> CandidateView:
    entries: list[EntryView] = []
    gone = False
    for row in step.rows:
        seen = dict(row.seen).get(place)
        said = "" if seen is None or gone else labels.value(seen)
        standing = Standing.GONE if gone else Standing.DROPS if place in row.dropped else Standing.STAYS
        entries.append(EntryView(standing, said))
        gone = gone or place in row.dropped
    return CandidateView(name, place in step.left, tuple(entries))
