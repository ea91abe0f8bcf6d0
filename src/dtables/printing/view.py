"""Everything about the printed pages of a workbook that is to be decided, decided here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from dtables.diagnostics import Diagnostic
from dtables.digits import whole_in
from dtables.model.tables import Decision, Dice, Matrix, PageRow, Ruleset, Scale, Switches
from dtables.model.vocabularies import in_language
from dtables.printing import problems
from dtables.printing.badges import SHAPES, is_colour, is_shape
from dtables.printing.names import spaced
from dtables.printing.view_blocks import BlockMaker, Keyed, Wish, printables
from dtables.printing.view_fixed import NOTHING_FIXED, Fixed
from dtables.printing.view_parts import (
    Block,
    Card,
    Choice,
    Document,
    Grid,
    Inline,
    Legend,
    Mark,
    Paper,
    Sheet,
    Steps,
)
from dtables.printing.view_text import upper_first
from dtables.provenance import Location, whole_book

WIDE = 5
"""A sheet with a grid of that many columns lies on its side, unless the workbook says how it lies."""
MOST_CARDS = 200
LONGEST_LEGEND = 10


def print_view(ruleset: Ruleset, language: str) -> tuple[Document, tuple[Diagnostic, ...]]:
    """The pages in one language."""
    return _View(ruleset, language).document()


class _View:
    def __init__(self, ruleset: Ruleset, language: str) -> None:
        self.ruleset = ruleset
        self.language = language
        self.maker = BlockMaker(ruleset, language)
        self.names = self.maker.names
        self.things = printables(ruleset)
        self.found: list[Diagnostic] = []

    def document(self) -> tuple[Document, tuple[Diagnostic, ...]]:
        self._check_badges()
        sheets: list[Sheet] = []
        cards: list[Card] = []
        for name, rows in self._pages():
            if self._paper(rows) is Paper.TAROT:
                cards += self._cards(name, rows)
            else:
                sheets.append(self._sheet(name, rows))
        if not sheets and not cards:
            sheets = self._all_on_one()
        titles = [in_language(pages.heading.title, self.language) for pages in self.ruleset.pages]
        document = Document(
            name=self.ruleset.name,
            language=self.language,
            title=self._title(),
            subtitle=next((title for title in titles if title), ""),
            book=self.ruleset.book,
            version=self.ruleset.version,
            sheets=tuple(sheets),
            cards=tuple(cards),
            cards_only=self._cards_only(),
            choices=self._choices(sheets),
        )
        return document, tuple(dict.fromkeys(self.found))

    def _title(self) -> str:
        """What the glossary calls the ruleset, or its name."""
        said = self.names.term(self.ruleset.name)
        return said.title() if said == spaced(self.ruleset.name) else said

    # -- pages ---------------------------------------------------------------------------------

    def _pages(self) -> Iterator[tuple[str, list[PageRow]]]:
        """Rows of the same page, in the order in which the pages are met."""
        by_page: dict[tuple[str, str], list[PageRow]] = {}
        for pages in self.ruleset.pages:
            for row in pages.rows:
                languages = row.setting("language").replace(";", ",")
                if not languages or self.language in (part.strip() for part in languages.split(",")):
                    kind = "card" if row.setting("size") == "tarot" else "sheet"
                    by_page.setdefault((row.setting("page"), kind), []).append(row)
        for (name, _), rows in by_page.items():
            yield name, rows

    def _paper(self, rows: list[PageRow]) -> Paper:
        size = next((row.setting("size") for row in rows if row.setting("size")), "A4")
        return Paper(size.casefold().split()[0])

    def _wishes(self, rows: list[PageRow]) -> tuple[Wish, ...]:
        wishes = []
        for row in rows:
            thing = self.things.get(row.table)
            if thing is None:
                self.found.append(problems.not_printable(row.where, row.table))
                continue
            wishes.append(Wish(thing, row.title, row.note, whole_in(row.setting("columns"))))
        return tuple(wishes)

    def _cards_only(self) -> tuple[Block, ...]:
        rows: dict[bool, dict[str, PageRow]] = {True: {}, False: {}}
        for _, page in self._pages():
            for row in page:
                rows[self._paper(page) is Paper.TAROT].setdefault(row.table, row)
        loose = [row for table, row in rows[True].items() if table not in rows[False]]
        return self.maker.blocks(self._wishes(loose), NOTHING_FIXED)

    def _sheet(self, name: str, rows: list[PageRow]) -> Sheet:
        blocks = self.maker.blocks(self._wishes(rows), NOTHING_FIXED)
        size = next((row.setting("size") for row in rows if row.setting("size")), "A4")
        said = "landscape" in size or "portrait" in size
        lies = "landscape" in size or (not said and _is_wide(blocks))
        title = self._heading(name)
        return Sheet(
            name, title, self._paper(rows), lies, not said, blocks, Location(rows[0].where), _legend(blocks)
        )

    def _all_on_one(self) -> list[Sheet]:
        """Without a pages table: every table that players read."""
        wanted = [
            Wish(thing)
            for thing in self.things.values()
            if isinstance(thing, (Decision, Scale, Matrix, Dice, Switches))
            or (isinstance(thing, Keyed) and thing.by_level)
        ]
        where = Location(whole_book(self.ruleset.book))
        if not wanted:
            self.found.append(problems.no_pages(where.cell))
            return []
        order = {heading.where: n for n, heading in enumerate(self.ruleset.headings)}
        wanted.sort(key=lambda wish: order.get(wish.heading.where, 0))
        blocks = self.maker.blocks(tuple(wanted), NOTHING_FIXED)
        return [Sheet("1", "", Paper.A4, _is_wide(blocks), True, blocks, where, _legend(blocks))]

    # -- cards ---------------------------------------------------------------------------------

    def _cards(self, name: str, rows: list[PageRow]) -> Iterator[Card]:
        """One card, or one for every name of the vocabularies under `for`."""
        copies = next((row.setting("for") for row in rows if row.setting("for")), "")
        vocabularies = [part.strip() for part in copies.replace(";", ",").split(",") if part.strip()]
        lists = [
            [(self.names.vocabularies[v].root, label.id) for label in self.names.vocabularies[v].names]
            for v in vocabularies
        ]
        fronts = self._wishes([row for row in rows if row.setting("side") != "back"])
        backs = self._wishes([row for row in rows if row.setting("side") == "back"])
        for names in product(*lists):
            fixed = Fixed(tuple(names))
            front, back = self.maker.blocks(fronts, fixed), self.maker.blocks(backs, fixed)
            yield self._card(name, fixed, front, back, Location(rows[0].where))

    def _card(
        self, name: str, fixed: Fixed, front: tuple[Block, ...], back: tuple[Block, ...], where: Location
    ) -> Card:
        labels = [self.names.label(root, id_) for root, id_ in fixed.names]
        marks = [self.names.mark(root, id_) for root, id_ in fixed.names]
        drawn: Inline = tuple(mark for mark in marks if mark is not None)
        page = self._heading(name)
        if labels:
            title, subtitle = upper_first(" · ".join(labels)), page
        elif len(front) == 1 and not (back and page):
            title, subtitle = front[0].title, front[0].subtitle or page
            front = (replace(front[0], title="", subtitle=""),)
        else:
            title, subtitle = page or self._title(), ""
        return Card(" · ".join([name, *labels]), title, subtitle, drawn, front, back, where)

    def _heading(self, page: str) -> str:
        """A page's name is a heading where the glossary has words for it, in each language its own."""
        said = self.names.worded(page)
        return upper_first(said) if said else ""

    # -- choices and badges --------------------------------------------------------------------

    def _choices(self, sheets: list[Sheet]) -> tuple[Choice, ...]:
        """What heads the columns of a grid, and what cards are made for."""
        roots: dict[str, None] = {}
        for sheet in sheets:
            for block in sheet.blocks:
                body = block.body
                if isinstance(body, Grid) and body.vocabulary and any(c.choice for c in body.columns):
                    roots.setdefault(body.vocabulary)
        for pages in self.ruleset.pages:
            for row in pages.rows:
                for part in row.setting("for").replace(";", ",").split(","):
                    if part.strip() in self.names.vocabularies:
                        roots.setdefault(self.names.vocabularies[part.strip()].root)
        return tuple(self._choice(root) for root in roots if root in self.names.vocabularies)

    def _choice(self, root: str) -> Choice:
        vocabulary = self.names.vocabularies[root]
        names = tuple((label.id, self.names.label(root, label.id)) for label in vocabulary.names)
        return Choice(root, upper_first(self.names.vocabulary(root)), names)

    def _check_badges(self) -> None:
        for vocabulary in self.ruleset.vocabularies:
            for label in vocabulary.names:
                mark = self.names.mark(vocabulary.name, label.id)
                if mark is None:
                    continue
                for colour in mark.colours:
                    if not is_colour(colour):
                        self.found.append(problems.no_colour(label.where, colour))
                if not is_shape(mark.shape):
                    self.found.append(problems.no_shape(label.where, mark.shape, tuple(SHAPES)))


def _is_wide(blocks: tuple[Block, ...]) -> bool:
    return any(isinstance(b.body, Grid) and len(b.body.columns) >= WIDE for b in blocks)


def _legend(blocks: tuple[Block, ...]) -> tuple[Legend, ...]:
    """Badges that stand without their names, once each; none where they are too many to be looked up."""
    marks = {mark: None for block in blocks if isinstance(block.body, Steps) for mark in marks_in(block)}
    found = [Legend(mark, mark.alt) for mark in marks]
    return tuple(found) if len(found) <= LONGEST_LEGEND else ()


def marks_in(block: Block) -> Iterator[Mark]:
    for inline in inlines(block):
        yield from (part for part in inline if isinstance(part, Mark))


def inlines(block: Block) -> Iterator[Inline]:
    """Every text of a block's body."""
    match block.body:
        case Steps(rows=rows):
            for step in rows:
                yield from (step.marks, *step.conditions, step.text, step.outcome)
        case Grid(columns=columns, sections=sections):
            yield from (column.head for column in columns)
            for section in sections:
                for row in section.rows:
                    yield row.label
                    yield from (cell.text for cell in row.cells)
