"""A page cannot disagree with what runs: change a cell that can change an answer, and the page that shows its
table changes too, or a finding says that a wording is older than its rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dtables.checker import check_book
from dtables.diagnostics import errors_in
from dtables.model.expressions import AskAnswer, CallTable, Ranking, Switch
from dtables.model.index import Index
from dtables.model.reach import Reach
from dtables.model.tables import Ruleset
from dtables.mutation.changes import Mutant
from dtables.mutation.mistakes import mistakes_in
from dtables.mutation.slips import Mistake
from dtables.mutation.trial import Workbook, read
from dtables.pages.compose import Print, print_view
from dtables.pages.document import Document, Grid, inlines, text_of
from dtables.versions.wordings import older_wordings
from tests.agreement import worlds
from tests.support.drawing import drawn_sheets, in_memory
from tests.support.thinned import draws

TABLES = Path(__file__).parents[2] / "tables"
KINDS = ("decision", "scale", "matrix", "dice", "settings", "turn", "formulas", "formula")
"""Kinds of tables whose cells are rules that pages put in words."""
LANGUAGES = ("it", "en")
SEVERAL = 6
USED = """
Ask: all of it ; main: yes
  role | name | is
  answer | decided | tried(1, red)
  answer | order | outer ranking(boxes)
"""
NOTHING: Mapping[str, str] = {}
CHANGES = 45
"""Changes tried in each workbook, of all kinds, evenly from its first table to its last."""


def player_text(document: Document) -> tuple[str, ...]:
    """All that a player reads, without footer, cells, codes and dates."""
    return tuple(text for text in _texts(document) if text)


def _texts(document: Document) -> Iterator[str]:
    yield document.title
    blocks = [block for sheet in document.sheets for block in sheet.blocks]
    blocks += [block for card in document.cards for block in (*card.front, *card.back)]
    for block in (*blocks, *document.cards_only):
        yield from (block.title, block.subtitle)
        yield from map(text_of, inlines(block))
        if isinstance(block.body, Grid):
            yield from (text for section in block.body.sections for text in (section.title, section.note))
            yield from (column.sub for column in block.body.columns)


def page_texts(ruleset: Ruleset, rules: Mapping[str, str] = NOTHING) -> tuple[tuple[str, ...], ...]:
    wish = Print(rules)
    return tuple(player_text(print_view(ruleset, language, wish)[0]) for language in LANGUAGES)


def same_pages(one: Ruleset, other: Ruleset) -> tuple[str, ...]:
    """The languages in which both print the same, by the usual house rules and by each other one."""
    editions = [NOTHING]
    editions += [
        {rule.name: value.id}
        for switches in one.switches
        for rule in switches.rules
        for value in rule.values.names
        if value.id != rule.default
    ]
    same = LANGUAGES
    for rules in editions:
        if not same:
            break
        pairs = zip(LANGUAGES, page_texts(one, rules), page_texts(other, rules), strict=True)
        same = tuple(language for language, a, b in pairs if a == b and language in same)
    return same


def reached(ruleset: Ruleset) -> frozenset[str]:
    """Tables and switches that an answer may depend on."""
    reach = Reach(Index(ruleset))
    names: set[str] = set()
    for ask in ruleset.open_asks:
        for part in reach.parts(ask):
            match part:
                case CallTable(table=name) | Ranking(scale=name) | Switch(name=name) | AskAnswer(ask=name):
                    names.add(name)
    return frozenset(names)


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a change: the languages whose page stayed as it was, and those that a finding is
    about."""

    change: Mutant
    unchanged: tuple[str, ...]
    warned: bool

    @property
    def silent(self) -> bool:
        return bool(self.unchanged) and not self.warned


def tried(workbook: Workbook, ruleset: Ruleset, changes: list[Mutant]) -> Iterator[Tried]:
    """Changes that leave the workbook one that runs."""
    for change in changes:
        book, found = workbook.edited(change)
        changed, more = check_book(book, workbook.memory)
        if changed is None or errors_in((*found, *more)):
            continue
        same = same_pages(ruleset, changed)
        older = older_wordings(workbook.book, book, changed) if same else ()
        yield Tried(change, same, bool(older))


def sample(workbook: Workbook, ruleset: Ruleset, number: int) -> list[Mutant]:
    """Changes of tables that answers depend on, evenly from the first to the last."""
    names = reached(ruleset)
    every = [
        change
        for change in mistakes_in(workbook.book, workbook.sheets, ruleset)
        if change.kind in KINDS and (change.table in names or change.kind in ("settings", "formulas"))
        if not _changes_nothing(workbook, change)
    ]
    return every[:: max(1, len(every) // number)]


def _changes_nothing(workbook: Workbook, change: Mutant) -> bool:
    """Equal rows may change places; where rows never disagree the first is as good as any; one row needs
    no priorities; without `only for` there are no others; a column matters where a row asks for it."""
    table = next(t for t in workbook.book.tables if (t.kind, t.name) == (change.kind, change.table))
    alone = len(table.rows) < 2
    if change.mistake is Mistake.ROWS_SWAPPED and len(set(change.before.split(" / "))) == 1:
        return True
    if change.column == "policy":
        one_row = alone and {change.before, change.after} <= {"unique", "any", "first", "priority"}
        return one_row or (change.before, change.after) in {("unique", "first"), ("any", "first")}
    if change.column == "priorities":
        return alone
    for n, column in enumerate(table.columns):
        asked = any(row.cells[n].code not in ("", "-") for row in table.rows)
        if change.column == "others" and column.role == "only for" and asked:
            return False
        if column.name is not None and column.name.ref == change.where.cell:
            return not asked
    return change.column == "others"


@pytest.mark.parametrize("book", ("architects", "comics", "concordia", "duel", "terra_mystica"))
def test_pages_follow_their_rules(book: str) -> None:
    workbook = read(TABLES / f"{book}.xlsx")
    ruleset, _ = workbook.checked
    assert ruleset is not None
    results = list(tried(workbook, ruleset, sample(workbook, ruleset, draws(CHANGES))))
    shown = sum(not result.unchanged for result in results)
    silent = [result for result in results if result.silent]
    warned = len(results) - shown - len(silent)
    print(f"{book}: {len(results)} cells changed, {shown} seen on the page, {warned} in a finding")
    assert silent == [], "\n".join(str(result.change) for result in silent)


# -- workbooks that are drawn ----------------------------------------------------------------------
# They have no words of their own and no pages: everything is worded by what runs.


@settings(max_examples=draws(24), deadline=None)
@given(worlds.decision(), worlds.scales(), st.integers(0, 10**6))
def test_pages_of_drawn_tables_follow_their_rules(decision: str, scales: str, start: int) -> None:
    text = "\n\n".join([worlds.WORDS, "# Sheet: Rules", decision, scales, USED])
    workbook = Workbook(
        "drawn.xlsx", tuple(in_memory("drawn.xlsx", s.name, s.cells) for s in drawn_sheets(text))
    )
    ruleset, _ = workbook.checked
    assume(ruleset is not None)
    assert ruleset is not None
    changes = sample(workbook, ruleset, 10**6)
    assume(changes)
    chosen = [changes[(start + n * 7) % len(changes)] for n in range(SEVERAL)]
    silent = [result for result in tried(workbook, ruleset, chosen) if result.silent]
    assert silent == [], "\n".join(str(result.change) for result in silent)
