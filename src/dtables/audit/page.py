"""An audit as plain text, numbers and widths, language by language: all that its page shows, and nothing to
decide. Turns that were played otherwise go into the page as packed data, from which its script makes them
when somebody looks."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from itertools import zip_longest
from typing import Any

from dtables.audit.audit import OTHERS, AskCounts, Audit
from dtables.audit.context import ContextField, context_label, context_text
from dtables.audit.misplays import AuditLabels, Misplay
from dtables.audit.page_words import REPORT_WORDS, ReportWords
from dtables.audit.reasons import rule_rows
from dtables.audit.sentences import RuleKey
from dtables.explanations.phrases import Voice, voice_of
from dtables.feel.types import vocabulary_of
from dtables.feel.values import Plain
from dtables.model.tables import Ruleset
from dtables.wording.labels import Labels
from dtables.wording.values import number_in

FULL = 1000
"""The width of a whole bar."""
MOST_PATHS = 20
MOST_RATES = 12
"""More values than these and a field says little as a table of rates."""
DETAILS_TOGETHER = 20
"""Details of so many turns are packed as one piece."""
SMALL = 2_000_000
LARGE = 20_000_000
"""Bytes that a page may have, and one with all its details."""
ROWS_SHARE = 0.6
"""So much of a small page may be the list of turns."""
SLACK = 2_000
AROUND_A_PIECE = 60
"""Bytes of the page around a piece of details."""


@dataclass(frozen=True, slots=True)
class Bar:
    """`width` of FULL; `rest` is what a second colour fills behind it."""

    label: str
    cell: str
    count: str
    width: int
    rest: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class RuleView:
    """A rule that moves break: its rank, its sentence, how many moves and which share of all that differ;
    `example` is the first of them."""

    number: int
    sentence: str
    place: str
    cell: str
    ask: str
    count: str
    share: str
    width: int
    example: str


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of some turns were played as the rules say; `width` of FULL."""

    label: str
    played: str
    agreed: str
    rate: str
    width: int


@dataclass(frozen=True, slots=True)
class RateTable:
    """How turns were played by the values of one field, or by question."""

    title: str
    rows: tuple[Rate, ...]


@dataclass(frozen=True, slots=True)
class RefusedView:
    """A path at which records were refused, with the first of them."""

    path: str
    count: str
    share: str
    where: str
    found: str
    wanted: str


@dataclass(frozen=True, slots=True)
class TableView:
    """How often each row of a table has decided."""

    title: str
    cell: str
    decided: bool
    total: str
    rows: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class LanguageView:
    """All texts of the report in one language, laid out by the template alone. `turns` is packed data for the
    page's script, `details` too, each piece by itself."""

    code: str
    words: ReportWords
    figures: tuple[tuple[str, str, str], ...]
    refused: tuple[RefusedView, ...]
    rules: tuple[RuleView, ...]
    about_turns: tuple[str, ...]
    rates: tuple[RateTable, ...]
    fields: tuple[Bar, ...]
    tables: tuple[TableView, ...]
    never: tuple[TableView, ...]
    turns: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportView:
    """The report as the template takes it, the language that is shown first before the others."""

    book: str
    version: str
    log: str
    languages: tuple[LanguageView, ...]


def summary(audit: Audit, model: Ruleset, log: str, language: str) -> dict[str, Any]:
    """What is printed on paper, as plain data in one language: the report without the list of turns and
    without the rows that decided."""
    view = Plan(audit, model, log, language, ()).view().languages[0]
    bare = asdict(replace(view, turns="", tables=(), never=()))
    return {"book": model.book, "version": model.version, "log": log, "view": bare}


def report_view(audit: Audit, model: Ruleset, log: str, first: str) -> ReportView:
    """The report with all turns and without their details; `first` is the language shown until another is
    chosen."""
    return Plan(audit, model, log, first, tuple(audit.misplays)).view()


Layout = Callable[[ReportView], str]
"""Makes the page's text of it."""


def report_page(audit: Audit, model: Ruleset, log: str, first: str, limit: int, lay_out: Layout) -> str:
    """The page in at most `limit` bytes: with as many turns as fit, and with the details of as many of them,
    of each rule the first ones. `first` is the language that is shown until another is chosen."""
    plan = Plan(audit, model, log, first, tuple(audit.misplays))
    while len(plan.turns) > 1 and plan.weight > ROWS_SHARE * min(limit, SMALL):
        plan = replace(plan, turns=plan.turns[: len(plan.turns) * 4 // 5])
    page = lay_out(plan.view())
    room = limit - len(page.encode())
    while room > 0:
        page = lay_out(plan.with_details(room).view())
        over = len(page.encode()) - limit
        if over <= 0:
            return page
        room -= over + SLACK
    return page


@dataclass(frozen=True)
class Plan:
    """Which turns a page shows, and the packed details of some of them: pieces for each language; of a turn,
    by its place, the piece and where it is in it."""

    audit: Audit
    model: Ruleset
    log: str
    first: str
    turns: tuple[Misplay, ...]
    pieces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    places: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    @property
    def codes(self) -> list[str]:
        return sorted(REPORT_WORDS, key=lambda code: code != self.first)

    @property
    def weight(self) -> int:
        """Bytes of the list of turns, in all languages."""
        return sum(len(self._language(code).turns()) for code in self.codes)

    def view(self) -> ReportView:
        """The report with the turns and details that are planned."""
        views = tuple(self._language(code).view() for code in self.codes)
        return ReportView(self.model.book, self.model.version, self.log, views)

    def _language(self, code: str) -> _Language:
        return _Language(self, code)

    def with_details(self, room: int) -> Plan:
        """With the details that fit into so many bytes."""
        pieces: dict[str, list[str]] = {code: [] for code in self.codes}
        places: dict[int, tuple[int, int]] = {}
        order = list(self._by_turns())
        for at in range(0, len(order), DETAILS_TOGETHER):
            some = order[at : at + DETAILS_TOGETHER]
            made = {code: _piece(self.turns[place].texts[code].details for place in some) for code in pieces}
            room -= sum(map(len, made.values())) + len(made) * AROUND_A_PIECE
            if room < 0:
                break
            places.update({place: (len(places) // DETAILS_TOGETHER, n) for n, place in enumerate(some)})
            for code, text in made.items():
                pieces[code].append(text)
        packed = {code: tuple(texts) for code, texts in pieces.items()}
        return replace(self, pieces=packed, places=places)

    def _by_turns(self) -> Iterator[int]:
        """Of each rule the first turn, then the second of each, and so on: each gets its examples."""
        by_rule: dict[RuleKey, list[int]] = {key: [] for key in _ranked(self.audit)}
        for place, misplay in enumerate(self.turns):
            if misplay.texts[self.first].details:
                by_rule[misplay.rule].append(place)
        for some in zip_longest(*by_rule.values()):
            yield from (place for place in some if place is not None)


def _ranked(audit: Audit) -> list[RuleKey]:
    """The rules that most moves break first."""
    places = {key: place for place, key in enumerate(audit.rules)}
    return sorted(audit.rules, key=lambda key: (-audit.rules[key].count, places[key]))


def _piece(details: Iterable[bytes]) -> str:
    joined = b",".join(zlib.decompress(one) for one in details)
    return _packed(b"[" + joined + b"]")


def _packed(plain: bytes) -> str:
    """As text that stands in a page."""
    return b64encode(zlib.compress(plain, 9)).decode()


@dataclass(frozen=True)
class _Language:
    """The report in one language."""

    plan: Plan
    code: str

    @property
    def audit(self) -> Audit:
        return self.plan.audit

    @cached_property
    def words(self) -> ReportWords:
        return REPORT_WORDS[self.code]

    @cached_property
    def labels(self) -> Labels:
        return AuditLabels(self.plan.model, self.code)

    @cached_property
    def voice(self) -> Voice:
        return voice_of(self.labels)

    def view(self) -> LanguageView:
        tables = tuple(self._tables())
        return LanguageView(
            self.code,
            self.words,
            tuple(self._figures()),
            tuple(self._refused()),
            tuple(self._rules()),
            tuple(self._about_turns()),
            tuple(self._rates()),
            tuple(self._fields()),
            tuple(table for table in tables if table.decided),
            tuple(_never(table, self) for table in tables if any(not row.width for row in table.rows)),
            self.turns(),
            tuple(self.plan.pieces.get(self.code, ())),
        )

    # -- numbers -------------------------------------------------------------------------------

    def count(self, number: int) -> str:
        """With its thousands apart."""
        return f"{number:,}".replace(",", self.words.thousands)

    def share(self, part: int, whole: int) -> str:
        """In per cent; small ones to a tenth."""
        if not whole:
            return ""
        share = Decimal(100 * part) / whole
        rounded = share.quantize(Decimal("0.1") if 0 < share < 10 or 99 < share < 100 else Decimal(1))
        return f"{number_in(self.labels.phrases, rounded)}%"

    def _figures(self) -> Iterator[tuple[str, str, str]]:
        """Words, number, and how it is meant: `bad` where there is something to look into."""
        audit, words = self.audit, self.words
        numbers = (
            (words.rejected, audit.rejected, "bad" if audit.rejected else ""),
            (words.differ, audit.differing, "bad" if audit.differing else ""),
            (words.agree, audit.played - audit.differing, "good"),
            (words.played, audit.played, ""),
            (words.answers, audit.records - audit.rejected, ""),
            (words.records, audit.records, ""),
        )
        for word, number, mood in numbers:
            of = self.share(number, audit.played) if word in (words.differ, words.agree) else ""
            yield f"{word} ({of})" if of else word, self.count(number), mood

    # -- what is wrong -------------------------------------------------------------------------

    def _refused(self) -> Iterator[RefusedView]:
        by_count = sorted(self.audit.rejects.items(), key=lambda item: (-item[1].count, item[0]))
        for path, refused in by_count[:MOST_PATHS]:
            one = refused.example
            game = f"{one.game} · " if one.game is not None else ""
            file = f"{one.file} " if one.file is not None else ""
            turn = "" if one.turn is None else f"{self.words.turn.format(turn=one.turn)} · "
            where = f"{game}{turn}{file}{self.words.line.format(line=one.line)}"
            count, share = self.count(refused.count), self.share(refused.count, self.audit.rejected)
            yield RefusedView(path, count, share, where, one.found, one.wanted)

    def _rules(self) -> Iterator[RuleView]:
        most = max((broken.count for broken in self.audit.rules.values()), default=1)
        for number, key in enumerate(_ranked(self.audit)):
            broken = self.audit.rules[key]
            text = broken.texts[self.code]
            yield RuleView(
                number,
                text.sentence,
                text.place,
                text.cell,
                self._title(broken.ask),
                self.count(broken.count),
                self.share(broken.count, self.audit.differing),
                FULL * broken.count // most,
                self._example(key),
            )

    def _example(self, key: RuleKey) -> str:
        first = next((one for one in self.audit.misplays if one.rule == key), None)
        if first is None:
            return ""
        game = f"{first.game} · " if first.game is not None else ""
        return f"{game}{self.words.turn.format(turn=first.turn)}: {first.texts[self.code].sentence}"

    def _about_turns(self) -> Iterator[str]:
        audit, words, shown = self.audit, self.words, len(self.plan.turns)
        if not audit.played:
            yield words.none_played
        elif not audit.differing:
            yield words.no_difference
        if 0 < shown < audit.differing:
            yield words.more.format(shown=self.count(shown), all=self.count(audit.differing))
        if self.plan.places and len(self.plan.places) < shown:
            detailed = self.count(len(self.plan.places))
            yield words.more_details.format(shown=detailed, all=self.count(shown))

    # -- rates ---------------------------------------------------------------------------------

    def _rates(self) -> Iterator[RateTable]:
        asks = [
            (self._title(ask.heading.name), self.audit.asks[ask.heading.name])
            for ask in self.plan.model.asks
            if ask.heading.name in self.audit.asks
        ]
        played = [(title, counts) for title, counts in asks if counts.played]
        if played:
            yield RateTable(self.words.by_question, tuple(self._rate(*one) for one in played))
        for field_, values in self._by_field().items():
            if 1 < len(values) <= MOST_RATES:
                name = self.words.by_field.format(field=context_label(self.labels, field_))
                rows = (self._rate(self._value(field_, value), counts) for value, counts in values.items())
                yield RateTable(name, tuple(rows))

    def _by_field(self) -> dict[ContextField, dict[Plain, AskCounts]]:
        """Values in their own order: numbers rising, names as the vocabulary has them."""
        found: dict[ContextField, dict[Plain, AskCounts]] = {}
        for (field_, value), counts in self.audit.groups.items():
            found.setdefault(field_, {})[value] = counts
        return {
            field_: dict(sorted(values.items(), key=lambda item: self._order(field_, item[0])))
            for field_, values in found.items()
        }

    def _order(self, field_: ContextField, value: Plain) -> tuple[int, float, str]:
        names = self.labels.index.names.get(vocabulary_of(field_.type) or "", ())
        if isinstance(value, str) and value in names:
            return (0, names.index(value), "")
        if isinstance(value, (int, Decimal)):
            return (0, float(value), "")
        return (1, 0, str(value))

    def _value(self, field_: ContextField, value: Plain) -> str:
        return self.words.other_values if value == OTHERS else context_text(self.labels, field_, value)

    def _rate(self, label: str, counts: AskCounts) -> Rate:
        return Rate(
            label,
            self.count(counts.played),
            self.count(counts.agreed),
            self.share(counts.agreed, counts.played),
            FULL * counts.agreed // max(counts.played, 1),
        )

    def _fields(self) -> Iterator[Bar]:
        most = max(self.audit.fields.values(), default=1)
        for (ask, name), count in sorted(self.audit.fields.items(), key=lambda item: (-item[1], item[0])):
            label = self.labels.row(name, self.labels.index.answers[ask][name].words)
            if len(self.audit.asks) > 1:
                label = f"{self._title(ask)}: {label}"
            yield Bar(label, "", self.count(count), FULL * count // most)

    # -- which rows decided --------------------------------------------------------------------

    def _tables(self) -> Iterator[TableView]:
        for heading, rows in rule_rows(self.plan.model, self.voice):
            counts = [self.audit.cells[str(row.cell)] for row in rows]
            most = max(counts) or 1
            bars = tuple(
                Bar(row.label, self.labels.cell(row.cell), self.count(count), -(-FULL * count // most))
                for row, count in zip(rows, counts, strict=True)
            )
            title, cell = self.labels.heading(heading), self.labels.cell(heading.where.cell)
            yield TableView(title, cell, any(counts), self.count(sum(counts)), bars)

    def _title(self, ask: str) -> str:
        return self.labels.heading(self.labels.index.asks[ask].heading)

    # -- turns, for the page's script ----------------------------------------------------------

    def turns(self) -> str:
        """The list of turns, packed: what has names stands once."""
        heads: dict[str, int] = {}
        rules = {key: place for place, key in enumerate(_ranked(self.audit))}
        asks: dict[str, int] = {}
        rows = []
        for place, one in enumerate(self.plan.turns):
            text = one.texts[self.code]
            rows.append(
                [
                    one.file,
                    one.line,
                    one.turn,
                    one.game,
                    asks.setdefault(self._title(one.ask), len(asks)),
                    rules[one.rule],
                    text.sentence,
                    text.about.field,
                    text.about.played,
                    text.about.right,
                    [[heads.setdefault(name, len(heads)), value] for name, value in text.context],
                    list(text.house_rules),
                    list(self.plan.places.get(place, ())),
                    [
                        [move.field, move.played, move.right]
                        for move in text.moves
                        if move.differs and move.name != text.about.name
                    ],
                ]
            )
        view = [[one.sentence, one.place, one.cell] for one in self._rules()]
        plain = [list(asks), view, list(heads), rows]
        return _packed(json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode())


def _never(table: TableView, language: _Language) -> TableView:
    rows = tuple(row for row in table.rows if not row.width)
    total = f"{language.count(len(rows))} / {language.count(len(table.rows))}"
    return TableView(table.title, table.cell, False, total, rows)
