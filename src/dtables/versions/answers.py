"""A recorded log answered by two versions of a workbook: whose answers differ, and which cell decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Context, Decimal
from functools import cached_property
from itertools import zip_longest
from typing import TypeGuard

from dtables.answers.answering import AnsweredRecord, Rejected, answer, reply_row
from dtables.answers.engines import CompiledEngine
from dtables.answers.examples import same
from dtables.evaluator.deciding import in_order
from dtables.logs.files import Log
from dtables.logs.jsonlines import line_of
from dtables.logs.turns import Turns
from dtables.provenance import CellRef
from dtables.records.findings import RecordError, RuleError, quoted
from dtables.records.json import LogLine
from dtables.ruleset import Ruleset
from dtables.versions.tables import RowLabels, TableComparison

REJECTED = "rejected"
_EXACT = Context(prec=10_000)


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One key of the answer, or `next`; or `rejected`, with what was found at which path."""

    name: str
    was: object
    now: object


@dataclass(frozen=True, slots=True)
class ChangedAnswer:
    """`old` and `new` are the cells that decided, where they are known, `old_row` and `new_row` what their
    tables call those rows."""

    file: str | None
    line: int
    turn: object
    game: object
    ask: str | None
    fields: tuple[FieldChange, ...]
    old: CellRef | None
    new: CellRef | None
    old_row: str = ""
    new_row: str = ""


@dataclass(slots=True)
class Sums:
    """A number of the answer, added up over all records for which both versions have it."""

    records: int = 0
    was: int | Decimal = 0
    now: int | Decimal = 0


@dataclass(slots=True)
class AnswerCounts:
    """`sums` are of fields that are numbers, by ask and field."""

    records: int = 0
    changed: int = 0
    sums: dict[tuple[str, str], Sums] = field(default_factory=dict)

    def add(self, ask: str, was: Mapping[str, object], now: Mapping[str, object]) -> None:
        """Count the numbers of an answer in both versions."""
        for name, new in now.items():
            old = was.get(name)
            if _is_number(old) and _is_number(new):
                sums = self.sums.setdefault((ask, name), Sums())
                sums.records += 1
                sums.was = _plus(sums.was, old)
                sums.now = _plus(sums.now, new)


def _plus(one: int | Decimal, other: int | Decimal) -> int | Decimal:
    """Exactly; a sum that is whole is a whole number again."""
    total = _EXACT.add(Decimal(one), Decimal(other))
    return int(total) if total == total.to_integral_value() else total


def _is_number(value: object) -> TypeGuard[int | Decimal]:
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


@dataclass(frozen=True)
class RulesetVersions:
    """Two versions to run, what changed between them, and what their tables call their rows."""

    old: Ruleset
    new: Ruleset
    comparison: TableComparison
    old_rows: RowLabels
    new_rows: RowLabels

    @property
    def same(self) -> Mapping[CellRef, CellRef]:
        return self.comparison.same

    @cached_property
    def edited(self) -> frozenset[tuple[str, int]]:
        """The rows of the new workbook in which something changed."""
        cells = (change.new.cell for change in self.comparison.changes if change.new is not None)
        return frozenset((cell.sheet, cell.row) for cell in cells)


def changed_answers(versions: RulesetVersions, log: Log, counts: AnswerCounts) -> Iterator[ChangedAnswer]:
    """In the log's order; `counts` are kept up to date."""
    old, new = _engine(versions.old), _engine(versions.new)
    earlier, later = Turns(), Turns()
    for chunk in log.chunks():
        for given in chunk.given():
            counts.records += 1
            was, now = answer(old, given, earlier), answer(new, given, later)
            if isinstance(was, AnsweredRecord) and isinstance(now, AnsweredRecord):
                counts.add(now.ask, was.answer, now.answer)
            fields = tuple(_differences(was, now))
            if fields:
                counts.changed += 1
                yield _changed(versions, chunk.file, line_of(given), (was, now), fields)


def _engine(rules: Ruleset) -> CompiledEngine:
    return CompiledEngine(rules.name, rules.version, rules.source, rules.answers)


def _changed(
    versions: RulesetVersions,
    file: str | None,
    line: LogLine,
    results: tuple[AnsweredRecord | Rejected, AnsweredRecord | Rejected],
    fields: tuple[FieldChange, ...],
) -> ChangedAnswer:
    was, now = results
    record = line.record or {}
    old, new = deciding(versions, record.get("ask"), record.get("state"))
    if isinstance(was, Rejected):
        old = was.findings[0].where.cell if was.findings[0].where else None
    if isinstance(now, Rejected):
        new = now.findings[0].where.cell if now.findings[0].where else None
    ask = next((one.ask for one in results if isinstance(one, AnsweredRecord)), None)
    rows = (
        versions.old_rows.of(old) if old is not None else "",
        versions.new_rows.of(new) if new is not None else "",
    )
    return ChangedAnswer(file, line.number, now.turn, now.game, ask, fields, old, new, *rows)


# -- what differs ------------------------------------------------------------------------------


def _differences(was: AnsweredRecord | Rejected, now: AnsweredRecord | Rejected) -> Iterator[FieldChange]:
    old, new = _fields(was), _fields(now)
    for name in dict.fromkeys((*new, *old)):
        if not same(old.get(name), new.get(name)):
            yield FieldChange(name, old.get(name), new.get(name))


def _fields(result: AnsweredRecord | Rejected) -> dict[str, object]:
    if isinstance(result, AnsweredRecord):
        return dict(reply_row(result.reply))
    first = result.findings[0]
    return {REJECTED: f"{first.path}: found {first.found}, wanted {first.wanted}"}


# -- which cell decided ------------------------------------------------------------------------


def deciding(
    versions: RulesetVersions, ask: str | None, state: object
) -> tuple[CellRef | None, CellRef | None]:
    """The first step at which both went apart: another row, or the same row that says something else."""
    old, new = _decided(versions.old, ask, state), _decided(versions.new, ask, state)
    for before, after in zip_longest(old, new):
        if before is None or after is None or versions.same.get(before) != after:
            return before, after
        if (after.sheet, after.row) in versions.edited:
            return before, after
    return (old[-1] if old else None, new[-1] if new else None)


def _decided(rules: Ruleset, ask: str | None, state: object) -> tuple[CellRef, ...]:
    try:
        return tuple(in_order(rules.explain(ask, state).steps))
    except (RecordError, RuleError):
        return ()


# -- reported ----------------------------------------------------------------------------------


def change_lines(change: ChangedAnswer) -> Iterator[str]:
    place = f"{change.file}:{change.line}" if change.file else f"line {change.line}"
    game = f" of {change.game}" if change.game is not None else ""
    asked = f" ({change.ask})" if change.ask else ""
    yield f"{place}: turn {change.turn}{game}{asked}"
    for one in change.fields:
        yield f"  {one.name}: {_text(one.name, one.was)} → {_text(one.name, one.now)}"
    yield from _cells(change)


def _cells(change: ChangedAnswer) -> Iterable[str]:
    if change.old is not None:
        yield f"  decided by {_place(change.old_row, change.old)}"
    if change.new is not None:
        yield f"  now by {_place(change.new_row, change.new)}"


def _place(row: str, cell: CellRef) -> str:
    return f"{row} ({cell})" if row else str(cell)


def sum_lines(counts: AnswerCounts) -> Iterator[str]:
    """Numbers whose sum has changed, before and after."""
    for (ask, name), sums in counts.sums.items():
        if sums.was != sums.now:
            more = _plus(sums.now, -sums.was)
            was, now, change = (quoted(value) for value in (sums.was, sums.now, more))
            sign = "+" if more > 0 else ""
            yield f"sum of {name} ({ask}, {sums.records} records): {was} → {now} ({sign}{change})"


def changed_rows(change: ChangedAnswer) -> Iterator[dict[str, object]]:
    """For a table of all changed answers: a row for each field."""
    for one in change.fields:
        yield {
            "turn": change.turn,
            "game": change.game,
            "ask": change.ask,
            "file": change.file,
            "line": change.line,
            "field": one.name,
            "was": one.was,
            "now": one.now,
            "change": _plus(one.now, -one.was) if _is_number(one.was) and _is_number(one.now) else None,
            "decided by": change.old_row or None,
            "cell": None if change.old is None else str(change.old),
            "now by": change.new_row or None,
            "new cell": None if change.new is None else str(change.new),
        }


def _text(name: str, value: object) -> str:
    if name == REJECTED:
        return "answered" if value is None else str(value)
    return quoted(value)


def as_plain(change: ChangedAnswer) -> dict[str, object]:
    """For `--json`."""
    plain = {
        "file": change.file,
        "line": change.line,
        "turn": change.turn,
        "game": change.game,
        "ask": change.ask,
        "fields": [{"name": f.name, "was": f.was, "now": f.now} for f in change.fields],
        "decided by": str(change.old) if change.old else None,
        "row": change.old_row or None,
        "now by": str(change.new) if change.new else None,
        "new row": change.new_row or None,
    }
    return {key: value for key, value in plain.items() if value is not None}


def sums_as_plain(counts: AnswerCounts) -> list[dict[str, object]]:
    """For `--json`: of every field that is a number."""
    return [
        {"ask": ask, "field": name, "records": sums.records, "was": sums.was, "now": sums.now}
        for (ask, name), sums in counts.sums.items()
    ]
