"""An audit of a log: answers beside what was played, and which rows of the workbook decided.

Every record is worked out a second time for the rows that decide; why an answer is what it is, is worked
out only for those that are told in full.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial

from dtables.answers.answering import Answered, Engine, Rejected, answer_line
from dtables.answers.engines import CompiledEngine
from dtables.answers.processes import cores, in_order
from dtables.answers.run import Manner, Watch
from dtables.audit.mismatches import Mismatch
from dtables.audit.played import Comparison
from dtables.logs.files import Log
from dtables.logs.jsonlines import Chunk, JsonChunk, read_line
from dtables.logs.turns import Turns, record_key
from dtables.merging import Reply
from dtables.model.tables import Ruleset
from dtables.prepared import Prepared, deciding
from dtables.provenance import CellRef
from dtables.records.json import Line, decoded

SHOWN = 50
"""Mismatches that are told in full; the others are counted."""
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
    def comparison(self) -> Comparison:
        return Comparison(self.model)

    @cached_property
    def deciding(self) -> Prepared:
        return deciding(self.model)

    @cached_property
    def cell_texts(self) -> dict[CellRef, str]:
        return _CellTexts()

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
    for result, state in _results(auditor.engine, chunk, used):
        audit.records += 1
        key = record_key(result.turn, result.game)
        keys += [key] if key else []
        if isinstance(result, Rejected):
            audit.rejected += 1
            audit.rejects[result.findings[0].path] += 1
            continue
        used.add(key)
        accepted.append(key)
        _note(audit, auditor, result, state, chunk.file)
    return AuditedChunk(audit, tuple(keys), tuple(accepted))


def _results(engine: Engine, chunk: Chunk, used: Turns) -> Iterator[tuple[Answered | Rejected, object]]:
    """What became of each record, and its state; the quick way where there is one."""
    typed = engine.typed if isinstance(engine, CompiledEngine) else None
    if typed is None or not isinstance(chunk, JsonChunk):
        yield from (_with_care(engine, line, used) for line in chunk.lines())
        return
    for number, raw in chunk.raw_lines():
        answered = typed.line(raw, used)
        if answered is None:
            yield _with_care(engine, read_line(number, raw), used)
        else:
            yield _quickly(engine, number, raw, answered[1])


def _with_care(engine: Engine, line: Line, used: Turns) -> tuple[Answered | Rejected, object]:
    record = line.record or {}
    return answer_line(engine, line, used), record.get("state")


def _quickly(engine: Engine, number: int, raw: bytes, line: bytes) -> tuple[Answered, object]:
    """The answer is read only where it is compared with something."""
    record = decoded(raw)
    assert isinstance(record, dict)
    told = decoded(line) if record.get("played") else {"answer": {}}
    assert isinstance(told, dict)
    asked = record.get("ask") or engine.main_ask
    assert isinstance(asked, str)
    turn, game, played = record["turn"], record.get("game"), record.get("played")
    return Answered(number, turn, game, asked, Reply(told["answer"]), played), record["state"]


def _note(audit: Audit, auditor: Auditor, answered: Answered, state: object, file: str | None) -> None:
    texts = auditor.cell_texts
    audit.cells.update([texts[cell] for cell in auditor.deciding.deciding(answered.ask, state)])
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
        told = answered.line, answered.turn, answered.game, answered.ask
        audit.mismatches.append(Mismatch(file, *told, found, state))


class _CellTexts(dict[CellRef, str]):
    """As the report names them; each is spelled once."""

    def __missing__(self, cell: CellRef) -> str:
        text = self[cell] = str(cell)
        return text
