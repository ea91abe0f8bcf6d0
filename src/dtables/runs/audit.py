"""An audit of a log: answers beside what was played, and which rows of the workbook decided.

Every record is worked out a second time, by the evaluator, which alone can tell why.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property, partial

from dtables.evaluator import Evaluator
from dtables.evaluator.explain import render
from dtables.evaluator.trace import Answered as AnsweredField
from dtables.evaluator.trace import Chosen, Explanation, Step, all_steps
from dtables.model.tables import Ruleset
from dtables.runs.answers import Answered, Engine, Rejected, answer_line
from dtables.runs.chunks import Chunk
from dtables.runs.logs import Manner, Watch
from dtables.runs.matrices import LANGUAGES, MatrixView, labels_in, matrix_view
from dtables.runs.played import Difference, Names, differences, names_of
from dtables.runs.processes import cores, in_order
from dtables.runs.rules_told import deciding_cells
from dtables.runs.sources import Log
from dtables.runs.turns import Turns, record_key

SHOWN = 50
"""Mismatches that are told in full; the others are counted."""
MATRICES = 4
PIECE = 64 * 1024
"""Working out why takes long: smaller pieces keep all cores at it to the end."""


@dataclass(slots=True)
class AskCounts:
    """`played` records said what was played; `agreed` of them in every field."""

    records: int = 0
    played: int = 0
    agreed: int = 0


@dataclass(frozen=True, slots=True)
class Mismatch:
    """`matrices` and `reasons` by language."""

    file: str | None
    line: int
    turn: str | int
    game: str | None
    ask: str
    differences: tuple[Difference, ...]
    matrices: dict[str, tuple[MatrixView, ...]]
    reasons: dict[str, tuple[str, ...]]


@dataclass(slots=True)
class Audit:
    """`cells` says how often the row of a cell decided, `rejects` how often a path was refused."""

    records: int = 0
    rejected: int = 0
    asks: dict[str, AskCounts] = field(default_factory=dict)
    fields: Counter[tuple[str, str]] = field(default_factory=Counter)
    cells: Counter[str] = field(default_factory=Counter)
    rejects: Counter[str] = field(default_factory=Counter)
    mismatches: list[Mismatch] = field(default_factory=list)
    differing: int = 0

    def add(self, other: Audit) -> None:
        """What came later in the log."""
        self.records += other.records
        self.rejected += other.rejected
        self.differing += other.differing
        for ask, counts in other.asks.items():
            own = self.asks.setdefault(ask, AskCounts())
            own.records += counts.records
            own.played += counts.played
            own.agreed += counts.agreed
        self.fields.update(other.fields)
        self.cells.update(other.cells)
        self.rejects.update(other.rejects)
        self.mismatches += other.mismatches[: SHOWN - len(self.mismatches)]


@dataclass(frozen=True, slots=True)
class AuditedChunk:
    """`keys` of all its turns, and of those that were answered."""

    audit: Audit
    keys: tuple[bytes, ...]
    accepted: tuple[bytes, ...]


@dataclass(frozen=True)
class Auditor:
    """Travels to other processes with what it is made of."""

    engine: Engine
    model: Ruleset

    @cached_property
    def names(self) -> Names:
        return names_of(self.model)

    @cached_property
    def evaluator(self) -> Evaluator:
        return Evaluator(self.model)

    def __reduce__(self) -> tuple[type[Auditor], tuple[Engine, Ruleset]]:
        return Auditor, (self.engine, self.model)


def audit_log(
    auditor: Auditor,
    log: Log,
    manner: Manner | None = None,
    watch: Watch = lambda _records, _bytes: None,
) -> Audit:
    """The same on one process and on many. A chunk that uses a turn of an earlier one is gone through
    again, here."""
    manner = manner or Manner(chunk=PIECE)
    processes = manner.processes or (cores() if log.bytes > manner.chunk else 1)
    chunks = log.chunks(manner.chunk)
    audit, used, done = Audit(), Turns(), 0
    if processes == 1:
        for chunk in chunks:
            audit.add(audit_chunk(auditor, chunk, used).audit)
            watch(audit.records, done := done + manner.chunk)
        return audit
    for chunk, audited in in_order(processes, partial(audit_alone, auditor), chunks):
        if any(key in used for key in audited.keys):
            audited = audit_chunk(auditor, chunk, used)
        for key in audited.accepted:
            used.add(key)
        audit.add(audited.audit)
        watch(audit.records, done := done + manner.chunk)
    return audit


def audit_alone(auditor: Auditor, chunk: Chunk) -> AuditedChunk:
    return audit_chunk(auditor, chunk, Turns())


def audit_chunk(auditor: Auditor, chunk: Chunk, used: Turns) -> AuditedChunk:
    audit = Audit()
    keys: list[bytes] = []
    accepted: list[bytes] = []
    for line in chunk.lines():
        result = answer_line(auditor.engine, line, used)
        audit.records += 1
        key = record_key(result.turn, result.game)
        keys += [key] if key else []
        if isinstance(result, Rejected):
            audit.rejected += 1
            audit.rejects[result.findings[0].path] += 1
            continue
        used.add(key)
        accepted.append(key)
        assert line.record is not None
        _note(audit, auditor, result, line.record.get("state"), chunk.file)
    return AuditedChunk(audit, tuple(keys), tuple(accepted))


def _note(audit: Audit, auditor: Auditor, answered: Answered, state: object, file: str | None) -> None:
    explanation = auditor.evaluator.explain(answered.ask, state)
    audit.cells.update(str(cell) for cell in deciding_cells(explanation.steps))
    counts = audit.asks.setdefault(answered.ask, AskCounts())
    counts.records += 1
    if not answered.played:
        return
    counts.played += 1
    found = tuple(differences(answered.played, answered.answer, auditor.names))
    if not found:
        counts.agreed += 1
        return
    audit.differing += 1
    audit.fields.update((answered.ask, difference.field) for difference in found)
    if len(audit.mismatches) < SHOWN:
        audit.mismatches.append(_mismatch(auditor, answered, found, explanation, file))


def _mismatch(
    auditor: Auditor,
    answered: Answered,
    found: tuple[Difference, ...],
    explanation: Explanation,
    file: str | None,
) -> Mismatch:
    chosen = _scales(explanation, {difference.field for difference in found})
    labels = {language: labels_in(auditor.model, language) for language in LANGUAGES}
    return Mismatch(
        file,
        answered.line,
        answered.turn,
        answered.game,
        answered.ask,
        found,
        {language: tuple(matrix_view(step, labels[language]) for step in chosen) for language in LANGUAGES},
        {language: tuple(render(explanation, language).splitlines()[2:]) for language in LANGUAGES},
    )


def _scales(explanation: Explanation, wanted: set[str]) -> list[Chosen]:
    """The scales with more than one candidate that led to these fields; if none did, those that led to
    anything."""
    for steps in (_fields(explanation, wanted), explanation.steps):
        found = [step for step in all_steps(steps) if isinstance(step, Chosen) and len(step.candidates) > 1]
        if found:
            return found[:MATRICES]
    return []


def _fields(explanation: Explanation, wanted: set[str]) -> tuple[Step, ...]:
    steps = explanation.steps
    return tuple(step for step in steps if isinstance(step, AnsweredField) and step.name in wanted)
