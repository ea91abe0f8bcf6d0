"""An audit of a log: answers beside what was played, and which rows of the workbook decided.

Every record is worked out a second time for the rows that decide. A turn that was played otherwise is
explained and told where it is met, so that all cores share that work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial

from dtables.answers.answering import AnsweredRecord, Engine, Rejected, answer
from dtables.answers.chunks import ChunkTurns, each_chunk
from dtables.answers.processes import cores
from dtables.answers.run import OnCores, Watch
from dtables.audit.context import ContextField, ContextValue
from dtables.audit.misplays import Misplay, Teller
from dtables.audit.sentences import RuleKey, RuleText
from dtables.evaluator import Evaluator
from dtables.feel.values import Plain
from dtables.logs.files import Log
from dtables.logs.jsonlines import Chunk, line_of
from dtables.logs.turns import Turns
from dtables.model.tables import Ruleset
from dtables.provenance import CellRef

PIECE = 256 * 1024
"""Smaller pieces than answers alone have, which take less time: they keep all cores at it to the end."""
MOST_KEPT = 10_000
"""Misplays that an audit keeps, the first ones; all are counted, and handed on."""
ALL = 1 << 30
SOME = 20
"""Turns that break one rule and are told with all details, of one piece of a log: a page that must be small
has room for no more."""
MOST_VALUES = 40
"""Of a field of the record, by whose values turns are counted; the others are counted together."""
OTHERS = "\N{HORIZONTAL ELLIPSIS}"


@dataclass(slots=True)
class AskCounts:
    """`played` records said what was played; `agreed` of them in every field."""

    records: int = 0
    played: int = 0
    agreed: int = 0

    def add(self, other: AskCounts) -> None:
        """Count others too."""
        self.records += other.records
        self.played += other.played
        self.agreed += other.agreed


@dataclass(slots=True)
class BrokenRule:
    """How many moves break a rule, and what it is called in each language."""

    count: int
    ask: str
    texts: dict[str, RuleText]


@dataclass(frozen=True, slots=True)
class RejectExample:
    """The first record that was refused at a path."""

    file: str | None
    line: int
    turn: object
    game: object
    found: str
    wanted: str


@dataclass(slots=True)
class Refused:
    """How many records were refused at a path, and the first of them."""

    count: int
    example: RejectExample


Group = tuple[ContextField, Plain]
"""A field of the record and one of its values."""


@dataclass(slots=True)
class Audit:
    """`cells` says in how many turns the row of a cell decided, `rejects` where records were refused,
    `groups` how turns were played by the fields of their record, `rules` which rules moves break. `misplays`
    are the first of all that differ."""

    records: int = 0
    rejected: int = 0
    asks: dict[str, AskCounts] = field(default_factory=dict)
    fields: Counter[tuple[str, str]] = field(default_factory=Counter)
    groups: dict[Group, AskCounts] = field(default_factory=dict)
    cells: Counter[str] = field(default_factory=Counter)
    rejects: dict[str, Refused] = field(default_factory=dict)
    rules: dict[RuleKey, BrokenRule] = field(default_factory=dict)
    misplays: list[Misplay] = field(default_factory=list)
    differing: int = 0

    @property
    def played(self) -> int:
        """How many answered records say what was played."""
        return sum(counts.played for counts in self.asks.values())

    def add(self, other: Audit) -> None:
        """What came later in the log; its misplays are handed on by themselves."""
        self.records += other.records
        self.rejected += other.rejected
        self.differing += other.differing
        for ask, counts in other.asks.items():
            self.asks.setdefault(ask, AskCounts()).add(counts)
        for group, counts in other.groups.items():
            self._group(*group).add(counts)
        for path, refused in other.rejects.items():
            self.refuse(path, refused.example, refused.count)
        for key, broken in other.rules.items():
            self.broken(key, broken.ask, broken.texts, broken.count)
        self.fields.update(other.fields)
        self.cells.update(other.cells)

    def refuse(self, path: str, example: RejectExample, count: int = 1) -> None:
        """Count records that are refused at a path; the first one stays its example."""
        known = self.rejects.setdefault(path, Refused(0, example))
        known.count += count

    def broken_by(self, key: RuleKey) -> int:
        """How many moves break a rule so far."""
        return self.rules[key].count if key in self.rules else 0

    def broken(self, key: RuleKey, ask: str, texts: dict[str, RuleText], count: int = 1) -> None:
        """Count moves that break a rule."""
        known = self.rules.setdefault(key, BrokenRule(0, ask, texts))
        known.count += count

    def counted(self, value: ContextValue, agreed: bool) -> None:
        """A turn that was played, by a field of its record."""
        counts = self._group(value.field, value.value)
        counts.add(AskCounts(1, 1, int(agreed)))

    def _group(self, field: ContextField, value: Plain) -> AskCounts:
        key = (field, value)
        if key not in self.groups and sum(1 for other, _ in self.groups if other == field) >= MOST_VALUES:
            key = (field, OTHERS)
        return self.groups.setdefault(key, AskCounts())


@dataclass(frozen=True, slots=True)
class AuditedChunk:
    """`keys` of all its turns, and which of them were answered."""

    audit: Audit
    keys: bytes
    accepted: bytes


@dataclass(frozen=True)
class Auditor:
    """Travels to other processes with what it is made of. Misplays are told in `languages`, `detailed` of
    each rule and piece of a log with all details."""

    engine: Engine
    model: Ruleset
    languages: tuple[str, ...] = ("en", "it")
    detailed: int = SOME

    @cached_property
    def teller(self) -> Teller:
        """What puts misplays into words; made once in each process."""
        return Teller(self.model, self.languages)

    @cached_property
    def evaluator(self) -> Evaluator:
        """Marks the cells of deciding rows; made once in each process."""
        return Evaluator(self.model)

    @cached_property
    def cell_texts(self) -> dict[CellRef, str]:
        """Cells as the report spells them, each made once."""
        return _CellTexts()

    def __reduce__(self) -> tuple[type[Auditor], tuple[Engine, Ruleset, tuple[str, ...], int]]:
        return Auditor, (self.engine, self.model, self.languages, self.detailed)


EachMisplay = Callable[[Misplay], None]
"""Is handed every misplay in the log's order, also those that the audit does not keep."""


def audit_log(
    auditor: Auditor,
    log: Log,
    manner: OnCores | None = None,
    watch: Watch = lambda _records, _bytes: None,
    each_misplay: EachMisplay = lambda _misplay: None,
) -> Audit:
    """Audit a log. One process and many come to the same."""
    manner = manner or OnCores(chunk=PIECE)
    processes = manner.processes or (cores() if log.bytes > manner.chunk else 1)
    chunks = log.chunks(manner.chunk)
    audit, done = Audit(), 0
    for _, audited in each_chunk(partial(audit_chunk, auditor), chunks, processes, Turns()):
        audit.add(audited.audit)
        for misplay in audited.audit.misplays:
            each_misplay(misplay)
        audit.misplays += audited.audit.misplays[: MOST_KEPT - len(audit.misplays)]
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
            _refuse(audit, result, chunk.file)
        else:
            record = line_of(given).record or {}
            _note(audit, auditor, result, record.get("state"), chunk.file)
    return AuditedChunk(audit, *turns.packed())


def _refuse(audit: Audit, rejected: Rejected, file: str | None) -> None:
    audit.rejected += 1
    first = rejected.findings[0]
    origin = file, rejected.line, rejected.turn, rejected.game
    audit.refuse(first.path, RejectExample(*origin, first.found, first.wanted))


def _note(audit: Audit, auditor: Auditor, answered: AnsweredRecord, state: object, file: str | None) -> None:
    texts, teller = auditor.cell_texts, auditor.teller
    audit.cells.update([texts[cell] for cell in auditor.evaluator.deciding(answered.ask, state)])
    counts = audit.asks.setdefault(answered.ask, AskCounts())
    counts.records += 1
    if not answered.played:
        return
    counts.played += 1
    found = tuple(teller.comparison.differences(answered.ask, answered.played, answered.answer))
    counts.agreed += not found
    context = teller.context.values(answered.ask, state)
    for value in context:
        if value.field.counted:
            audit.counted(value, not found)
    if found:
        origin = file, answered.line, answered.turn, answered.game, answered.ask
        rule, told = teller.put_into_words(
            answered.ask,
            state,
            answered.played,
            found,
            lambda rule: audit.broken_by(rule) < auditor.detailed,
        )
        audit.differing += 1
        audit.fields.update((answered.ask, difference.field) for difference in found)
        audit.broken(rule, answered.ask, {language: text.rule for language, text in told.items()})
        audit.misplays.append(Misplay(*origin, found, context, rule, told))


class _CellTexts(dict[CellRef, str]):
    """As the report names them; each is spelled once."""

    def __missing__(self, cell: CellRef) -> str:
        text = self[cell] = str(cell)
        return text
