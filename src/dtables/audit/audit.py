"""An audit of a log: answers beside what was played, and which rows of the workbook decided.

Every record is worked out a second time for the rows that decide; why an answer is what it is, is worked
out only for those that are described in full.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property, partial

from dtables.answers.answering import Answered, Engine, Rejected, answer
from dtables.answers.chunks import ChunkTurns, each_chunk
from dtables.answers.processes import cores
from dtables.answers.run import OnCores, Watch
from dtables.audit.mismatches import Mismatch
from dtables.audit.played import PlayedComparison
from dtables.evaluator import Evaluator
from dtables.logs.files import Log
from dtables.logs.jsonlines import Chunk, line_of
from dtables.logs.turns import Turns
from dtables.model.tables import Ruleset
from dtables.provenance import CellRef

SHOWN = 50
"""Mismatches that are described in full; the others are counted."""
PIECE = 256 * 1024
"""Smaller pieces than answers alone have, which take less time: they keep all cores at it to the end."""


@dataclass(slots=True)
class AskCounts:
    """`played` records said what was played; `agreed` of them in every field."""

    records: int = 0
    played: int = 0
    agreed: int = 0


@dataclass(slots=True)
class Audit:
    """`cells` says in how many turns the row of a cell decided, `rejects` how often a path was refused.
    `mismatches` are the first of all that differ."""

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
    """`keys` of all its turns, and which of them were answered."""

    audit: Audit
    keys: bytes
    accepted: bytes


@dataclass(frozen=True)
class Auditor:
    """Travels to other processes with what it is made of."""

    engine: Engine
    model: Ruleset

    @cached_property
    def comparison(self) -> PlayedComparison:
        """What holds moves beside answers; made once in each process."""
        return PlayedComparison(self.model)

    @cached_property
    def evaluator(self) -> Evaluator:
        """Marks the cells of deciding rows; made once in each process."""
        return Evaluator(self.model)

    @cached_property
    def cell_texts(self) -> dict[CellRef, str]:
        """Cells as the report spells them, each made once."""
        return _CellTexts()

    def __reduce__(self) -> tuple[type[Auditor], tuple[Engine, Ruleset]]:
        return Auditor, (self.engine, self.model)


def audit_log(
    auditor: Auditor,
    log: Log,
    manner: OnCores | None = None,
    watch: Watch = lambda _records, _bytes: None,
) -> Audit:
    """Audit a log. One process and many come to the same."""
    manner = manner or OnCores(chunk=PIECE)
    processes = manner.processes or (cores() if log.bytes > manner.chunk else 1)
    chunks = log.chunks(manner.chunk)
    audit, done = Audit(), 0
    for _, audited in each_chunk(partial(audit_chunk, auditor), chunks, processes, Turns()):
        audit.add(audited.audit)
        watch(audit.records, done := done + manner.chunk)
    return audit


def audit_chunk(auditor: Auditor, chunk: Chunk, used: Turns) -> AuditedChunk:
    """Audit one piece of a log; the turns of what it answers are added to `used`."""
    audit, turns = Audit(), ChunkTurns()
    for given in chunk.given():
        result = answer(auditor.engine, given, used)
        audit.records += 1
        turns.note(result)
        if isinstance(result, Rejected):
            audit.rejected += 1
            audit.rejects[result.findings[0].path] += 1
        else:
            record = line_of(given).record or {}
            _note(audit, auditor, result, record.get("state"), chunk.file)
    return AuditedChunk(audit, *turns.packed())


def _note(audit: Audit, auditor: Auditor, answered: Answered, state: object, file: str | None) -> None:
    texts = auditor.cell_texts
    audit.cells.update([texts[cell] for cell in auditor.evaluator.deciding(answered.ask, state)])
    counts = audit.asks.setdefault(answered.ask, AskCounts())
    counts.records += 1
    if not answered.played:
        return
    counts.played += 1
    found = tuple(auditor.comparison.differences(answered.ask, answered.played, answered.answer))
    if not found:
        counts.agreed += 1
        return
    audit.differing += 1
    audit.fields.update((answered.ask, difference.field) for difference in found)
    if len(audit.mismatches) < SHOWN:
        origin = answered.line, answered.turn, answered.game, answered.ask
        audit.mismatches.append(Mismatch(file, *origin, found, state))


class _CellTexts(dict[CellRef, str]):
    """As the report names them; each is spelled once."""

    def __missing__(self, cell: CellRef) -> str:
        text = self[cell] = str(cell)
        return text
