"""What an audit shows of rules: the rows that can decide, and the elimination matrix of a scale:
candidates down, criteria across, and where each one dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from dtables.evaluator.trace import Chosen, Narrowed, Shown
from dtables.explanations.voice import Voice
from dtables.model.expressions import Constant, Expression, NameOf
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
    Words,
)
from dtables.provenance import CellRef


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


def matrix_view(step: Chosen, voice: Voice) -> MatrixView:
    names = voice.values.apart(step.candidates)
    return MatrixView(
        voice.values.called(voice.labels.heading(step.heading), step.arguments),
        voice.labels.cell(step.heading.where.cell),
        tuple(_criterion(row, voice) for row in step.rows),
        tuple(_candidate(place, name, step, voice) for place, name in enumerate(names)),
    )


def _criterion(row: Narrowed, voice: Voice) -> CriterionView:
    return CriterionView(row.number, voice.labels.words(row.words, row.written), voice.labels.cell(row.cell))


def _candidate(place: int, name: str, step: Chosen, voice: Voice) -> CandidateView:
    entries: list[EntryView] = []
    gone = False
    for row in step.rows:
        seen = dict(row.seen).get(place)
        said = "" if seen is None or gone else voice.values.value(seen)
        standing = Standing.GONE if gone else Standing.DROPS if place in row.dropped else Standing.STAYS
        entries.append(EntryView(standing, said))
        gone = gone or place in row.dropped
    return CandidateView(name, place in step.left, tuple(entries))


# -- rows that can decide ---------------------------------------------------------------------------
# The rows of a workbook that can decide something.


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A row that can decide. `number` and `words` are how the workbook calls it, or `keys` by which it is
    looked up."""

    cell: CellRef
    number: str
    words: Words
    written: str
    keys: tuple[Shown, ...] = ()


def rule_rows(model: Ruleset) -> Iterator[tuple[Heading, tuple[RuleRow, ...]]]:
    """In the workbook's order, tables that have no such rows left out."""
    places = {heading.where.cell: place for place, heading in enumerate(model.headings)}
    for table in sorted(model.tables, key=lambda t: places.get(t.heading.where.cell, len(places))):
        rows = tuple(_rows(table))
        if rows:
            yield table.heading, rows


def _rows(table: Table) -> Iterator[RuleRow]:
    match table:
        case Decision(rules=rules, otherwise=otherwise):
            for rule in rules:
                number = rule.number or str(rule.where.row)
                written = rule.outcomes[0].written
                yield RuleRow(rule.outcomes[0].cell, number, rule.words, written)
            if otherwise is not None:
                yield RuleRow(otherwise.cell, "", (), otherwise.written)
        case Scale(criteria=criteria):
            yield from (_criterion_row(row) for row in criteria if _narrows(row))
        case Matrix(entries=entries):
            for entry in entries:
                keys = tuple(map(_key, entry.keys))
                yield from (RuleRow(cell, "", (), "", keys) for cell in entry.cells[:1])
        case Dice(entries=dice):
            for side in dice:
                total = f"{side.low}" if side.low == side.high else f"{side.low}..{side.high}"
                yield RuleRow(side.cell, f"{side.die} {total}".strip(), side.words, "")
        case Formula():
            pass
        case _:
            assert_never(table)


def _narrows(row: Criterion) -> bool:
    """Of an embedding row the embedded ones count; chance drops nobody."""
    return row.embedded is None and row.prefer is not Prefer.CHANCE


def _criterion_row(row: Criterion) -> RuleRow:
    return RuleRow(row.cell, row.number, row.words, row.written)


def _key(key: Expression) -> Shown:
    match key:
        case NameOf(id=id_):
            return Shown(id_, key.type)
        case Constant(value=value):
            return Shown(value, key.type)
        case _:
            return Shown(None, key.type)
