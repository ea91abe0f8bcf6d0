"""An audit as plain text and widths, language by language: all that its page shows, and nothing to decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from dtables.audit.audit import Audit
from dtables.audit.page_words import REPORT_WORDS, ReportWords
from dtables.audit.played import Difference
from dtables.audit.reasons import EliminationView, Mismatch, explained, reasons, rule_rows
from dtables.evaluator import Explanation
from dtables.evaluator.trace import Shown
from dtables.explanations.phrases import Voice, voice_in
from dtables.explanations.render import INDENT
from dtables.feel.types import item_type
from dtables.model.tables import Ruleset
from dtables.wording.labels import Labels
from dtables.wording.values import Values

FULL = 1000
"""The width of a whole bar."""
MOST_PATHS = 20


@dataclass(frozen=True, slots=True)
class Bar:
    """`width` of FULL; `rest` is what a second colour fills behind it."""

    label: str
    cell: str
    count: int
    width: int
    rest: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class TableView:
    """How often each row of a table has decided; `total` is the sum."""

    title: str
    cell: str
    total: int
    rows: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class DifferenceView:
    """A field of an answer, with the move that was played and the one that the rules give, in words."""

    field: str
    played: str
    answered: str


@dataclass(frozen=True, slots=True)
class ReasonView:
    """`deep` counts what it is a reason for, one within another."""

    deep: int
    text: str


@dataclass(frozen=True, slots=True)
class MismatchView:
    """A record whose move differs from the rules, and why the rules answer as they do."""

    title: str
    about: str
    differences: tuple[DifferenceView, ...]
    matrices: tuple[EliminationView, ...]
    reasons: tuple[ReasonView, ...]


@dataclass(frozen=True, slots=True)
class LanguageView:
    """All texts of the report in one language, laid out by the template alone."""

    code: str
    words: ReportWords
    figures: tuple[tuple[str, str], ...]
    asks: tuple[Bar, ...]
    fields: tuple[Bar, ...]
    about_mismatches: str
    mismatches: tuple[MismatchView, ...]
    tables: tuple[TableView, ...]
    never: tuple[TableView, ...]
    rejects: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class ReportView:
    """The report as the template takes it, the language that is shown first before the others."""

    book: str
    version: str
    log: str
    languages: tuple[LanguageView, ...]


def report_view(audit: Audit, model: Ruleset, log: str, first: str) -> ReportView:
    """Both languages; `first` is the one shown until the other is chosen."""
    codes = sorted(REPORT_WORDS, key=lambda code: code != first)
    explanations = explained(audit.mismatches, model)
    views = tuple(_Report(audit, model, explanations, code).view() for code in codes)
    return ReportView(model.book, model.version, log, views)


@dataclass(frozen=True)
class _Report:
    audit: Audit
    model: Ruleset
    explanations: tuple[tuple[Mismatch, Explanation], ...]
    code: str

    @cached_property
    def words(self) -> ReportWords:
        return REPORT_WORDS[self.code]

    @cached_property
    def voice(self) -> Voice:
        return voice_in(self.model, self.code)

    @property
    def labels(self) -> Labels:
        return self.voice.labels

    @property
    def values(self) -> Values:
        return self.voice.values

    def view(self) -> LanguageView:
        tables = tuple(self._tables())
        return LanguageView(
            self.code,
            self.words,
            self._figures(),
            tuple(self._asks()),
            tuple(self._fields()),
            self._about_mismatches(),
            tuple(self._mismatch(mismatch, why) for mismatch, why in self.explanations),
            tuple(table for table in tables if table.total),
            tuple(_never(table) for table in tables if any(not row.count for row in table.rows)),
            tuple(self._rejects()),
        )

    # -- what was played -----------------------------------------------------------------------

    def _figures(self) -> tuple[tuple[str, str], ...]:
        audit, words = self.audit, self.words
        played = sum(counts.played for counts in audit.asks.values())
        numbers = (
            (words.records, audit.records),
            (words.answers, audit.records - audit.rejected),
            (words.rejected, audit.rejected),
            (words.played, played),
            (words.agree, played - audit.differing),
            (words.differ, audit.differing),
        )
        return tuple((word, str(number)) for word, number in numbers)

    def _asks(self) -> Iterator[Bar]:
        for ask in self.model.asks:
            counts = self.audit.asks.get(ask.heading.name)
            if counts is not None and counts.played:
                width = FULL * counts.agreed // counts.played
                note = f"{counts.agreed} / {counts.played}"
                name = self.labels.heading(ask.heading)
                cell = self.labels.cell(ask.heading.where.cell)
                yield Bar(name, cell, counts.played, width, FULL - width, note)

    def _fields(self) -> Iterator[Bar]:
        most = max(self.audit.fields.values(), default=1)
        for (ask, field), count in sorted(self.audit.fields.items(), key=lambda item: (-item[1], item[0])):
            label = f"{self._title(ask)}: {self._field(ask, field)}"
            yield Bar(label, "", count, FULL * count // most)

    def _about_mismatches(self) -> str:
        audit, words = self.audit, self.words
        if not any(counts.played for counts in audit.asks.values()):
            return words.none_played
        if not audit.differing:
            return words.no_difference
        shown = len(audit.mismatches)
        return words.more.format(shown=shown, all=audit.differing) if shown < audit.differing else ""

    def _mismatch(self, mismatch: Mismatch, why: Explanation) -> MismatchView:
        shown = reasons(mismatch, why, self.code)
        game = f"{mismatch.game} · " if mismatch.game is not None else ""
        file = f"{mismatch.file} " if mismatch.file is not None else ""
        return MismatchView(
            game + self.words.turn.format(turn=mismatch.turn),
            f"{self._title(mismatch.ask)} · {file}{self.words.line.format(line=mismatch.line)}",
            tuple(self._difference(mismatch.ask, difference) for difference in mismatch.differences),
            shown.matrices,
            tuple(map(_reason, shown.sentences)),
        )

    def _difference(self, ask: str, difference: Difference) -> DifferenceView:
        """As explanations say it."""
        row = self.labels.index.answers[ask][difference.field]
        field = row.value.type
        listed = field if row.listed is None else item_type(row.listed.type)
        answered = self.values.value(Shown(difference.answered, field))
        if difference.any_of:
            values = self.values.values(Shown(value, listed) for value in difference.any_of)
            answered = self.words.any_of.format(values=values)
        played = self.values.value(Shown(difference.played, field))
        return DifferenceView(self._field(ask, difference.field), played, answered)

    def _field(self, ask: str, name: str) -> str:
        return self.labels.row(name, self.labels.index.answers[ask][name].words)

    def _title(self, ask: str) -> str:
        return self.labels.heading(self.labels.index.asks[ask].heading)

    # -- which rows decided --------------------------------------------------------------------

    def _tables(self) -> Iterator[TableView]:
        for heading, rows in rule_rows(self.model, self.voice):
            counts = [self.audit.cells[str(row.cell)] for row in rows]
            most = max(counts) or 1
            bars = tuple(
                Bar(row.label, self.labels.cell(row.cell), count, FULL * count // most)
                for row, count in zip(rows, counts, strict=True)
            )
            title, cell = self.labels.heading(heading), self.labels.cell(heading.where.cell)
            yield TableView(title, cell, sum(counts), bars)

    def _rejects(self) -> Iterator[Bar]:
        most = max(self.audit.rejects.values(), default=1)
        for path, count in sorted(self.audit.rejects.items(), key=lambda item: (-item[1], item[0]))[
            :MOST_PATHS
        ]:
            yield Bar(path, "", count, FULL * count // most)


def _never(table: TableView) -> TableView:
    rows = tuple(row for row in table.rows if not row.count)
    return TableView(table.title, table.cell, len(table.rows), rows)


def _reason(sentence: str) -> ReasonView:
    text = sentence.lstrip(" ")
    return ReasonView((len(sentence) - len(text)) // len(INDENT), text)
