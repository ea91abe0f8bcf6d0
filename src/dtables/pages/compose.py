"""Everything about the printed pages of a workbook that is to be decided, decided here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from dtables.diagnostics import Diagnostic
from dtables.digits import whole_in
from dtables.feel.types import vocabulary_of
from dtables.model.tables import (
    Ask,
    Checks,
    Data,
    Decision,
    Dice,
    Formula,
    Heading,
    Matrix,
    PageRow,
    Ruleset,
    Scale,
    Switches,
    Vocabulary,
    Words,
)
from dtables.model.vocabularies import in_language
from dtables.pages import messages
from dtables.pages.badges import SHAPES, PageLabels, is_colour, is_shape
from dtables.pages.document import (
    Block,
    Body,
    Card,
    Document,
    Grid,
    Inline,
    Legend,
    Mark,
    Paper,
    SetupChoice,
    Sheet,
    Steps,
    upper_first,
)
from dtables.pages.grids import GridView, MatrixLayout, MatrixView, read_matrix
from dtables.pages.resolve import NOTHING_FIXED, Resolver, SetUp
from dtables.pages.steps import DecisionView, StepsView, in_columns
from dtables.pages.words import furniture
from dtables.provenance import Location, quoted_sheet, whole_book
from dtables.wording.labels import spaced

WIDE = 5
"""A sheet with a grid of that many columns lies on its side, unless the workbook sets its orientation."""
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
        self.tables = printables(ruleset)
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
        text = self.names.term(self.ruleset.name)
        return text.title() if text == spaced(self.ruleset.name) else text

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

    def _wishes(self, rows: list[PageRow]) -> tuple[PageItem, ...]:
        wishes = []
        for row in rows:
            table = self.tables.get(row.table)
            if table is None:
                self.found.append(messages.not_printable(row.where, row.table))
                continue
            wishes.append(PageItem(table, row.title, row.note, whole_in(row.setting("columns"))))
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
        text = "landscape" in size or "portrait" in size
        lies = "landscape" in size or (not text and _is_wide(blocks))
        title = self._heading(name)
        return Sheet(
            name, title, self._paper(rows), lies, not text, blocks, Location(rows[0].where), _legend(blocks)
        )

    def _all_on_one(self) -> list[Sheet]:
        """Without a pages table: every table that players read."""
        wishes = [
            PageItem(table)
            for table in self.tables.values()
            if isinstance(table, (Decision, Scale, Matrix, Dice, Switches))
            or (isinstance(table, Keyed) and table.by_level)
        ]
        where = Location(whole_book(self.ruleset.book))
        if not wishes:
            self.found.append(messages.no_pages(where.cell))
            return []
        order = {heading.where: n for n, heading in enumerate(self.ruleset.headings)}
        wishes.sort(key=lambda wish: order.get(wish.heading.where, 0))
        blocks = self.maker.blocks(tuple(wishes), NOTHING_FIXED)
        return [Sheet("1", "", Paper.A4, _is_wide(blocks), True, blocks, where, _legend(blocks))]

    # -- cards ---------------------------------------------------------------------------------

    def _cards(self, name: str, rows: list[PageRow]) -> Iterator[Card]:
        """One card, or one for every name of the vocabularies under `for`."""
        copies = next((row.setting("for") for row in rows if row.setting("for")), "")
        vocabularies = [part.strip() for part in copies.replace(";", ",").split(",") if part.strip()]
        known = (self.names.index.vocabularies[name] for name in vocabularies)
        lists = [[(vocabulary.root, id_) for id_ in vocabulary.ids] for vocabulary in known]
        fronts = self._wishes([row for row in rows if row.setting("side") != "back"])
        backs = self._wishes([row for row in rows if row.setting("side") == "back"])
        for names in product(*lists):
            fixed = SetUp(tuple(names))
            front, back = self.maker.blocks(fronts, fixed), self.maker.blocks(backs, fixed)
            yield self._card(name, fixed, front, back, Location(rows[0].where))

    def _card(
        self, name: str, fixed: SetUp, front: tuple[Block, ...], back: tuple[Block, ...], where: Location
    ) -> Card:
        labels = [self.names.name(root, id_) for root, id_ in fixed.names]
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
        text = self.names.in_glossary(page)
        return upper_first(text) if text else ""

    # -- choices and badges --------------------------------------------------------------------

    def _choices(self, sheets: list[Sheet]) -> tuple[SetupChoice, ...]:
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
                    if part.strip() in self.names.index.vocabularies:
                        roots.setdefault(self.names.index.vocabularies[part.strip()].root)
        return tuple(self._choice(root) for root in roots if root in self.names.index.vocabularies)

    def _choice(self, root: str) -> SetupChoice:
        vocabulary = self.names.index.vocabularies[root]
        names = tuple((label.id, self.names.name(root, label.id)) for label in vocabulary.names)
        return SetupChoice(root, upper_first(self.names.vocabulary(root)), names)

    def _check_badges(self) -> None:
        for vocabulary in self.ruleset.vocabularies:
            for label in vocabulary.names:
                mark = self.names.mark(vocabulary.name, label.id)
                if mark is None:
                    continue
                for colour in mark.colours:
                    if not is_colour(colour):
                        self.found.append(messages.no_colour(label.where, colour))
                if not is_shape(mark.shape):
                    self.found.append(messages.no_shape(label.where, mark.shape, tuple(SHAPES)))


def _is_wide(blocks: tuple[Block, ...]) -> bool:
    return any(isinstance(b.body, Grid) and len(b.body.columns) >= WIDE for b in blocks)


def _legend(blocks: tuple[Block, ...]) -> tuple[Legend, ...]:
    """Badges that stand without their names, once each; none where they are too many to be looked up."""
    marks = {mark: None for block in blocks if isinstance(block.body, Steps) for mark in marks_in(block)}
    found = [Legend(mark, mark.alt) for mark in marks]
    return tuple(found) if len(found) <= LONGEST_LEGEND else ()


def marks_in(block: Block) -> Iterator[Mark]:
    """Go through the badges in a block's texts, in their order, each as often as it stands there."""
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


# -- tables as blocks -------------------------------------------------------------------------------
# Tables as blocks: which view suits which kind, under which title, with which cells.


@dataclass(frozen=True, slots=True)
class TableGroup:
    """A `Formulas:` table, or vocabularies that stand in one `Types:` table."""

    heading: Heading
    formulas: tuple[Formula, ...] = ()
    vocabularies: tuple[Vocabulary, ...] = ()


@dataclass(frozen=True, slots=True)
class Keyed:
    """Data with a key, or settings by level: both are vocabularies with rows."""

    heading: Heading
    vocabulary: Vocabulary

    @property
    def by_level(self) -> bool:
        """Levels go next to each other in one row, rows of data under one another."""
        rows = self.vocabulary.rows
        return bool(rows) and rows[0].where.column > self.heading.where.cell.column


Printable = Decision | Scale | Matrix | Dice | Formula | Switches | Data | Ask | Checks | TableGroup | Keyed


@dataclass(frozen=True, slots=True)
class PageItem:
    """A table and how the workbook asks for it: its own title, a line beside it, how wide."""

    table: Printable
    title: Words = ()
    note: Words = ()
    units: int | None = None

    @property
    def heading(self) -> Heading:
        """The heading of the table."""
        return self.table.heading


def printables(ruleset: Ruleset) -> dict[str, Printable]:
    """Return tables by the names that the pages table may use; a table before what only shares its name."""
    found: dict[str, Printable] = {}
    tables: tuple[Printable, ...] = (
        *ruleset.tables, *ruleset.switches, *_keyed(ruleset), *ruleset.data, *_groups(ruleset),
        *ruleset.asks, *ruleset.checks,
    )  # fmt: skip
    for table in tables:
        if not (isinstance(table, Formula) and table.group is not None):
            found.setdefault(table.heading.name, table)
    return found


def _keyed(ruleset: Ruleset) -> Iterable[Keyed]:
    by_place = {v.where: v for v in ruleset.vocabularies if v.record is not None}
    return [Keyed(h, by_place[h.where]) for h in ruleset.headings if h.where in by_place]


def _groups(ruleset: Ruleset) -> Iterable[TableGroup]:
    for heading in ruleset.headings:
        formulas = tuple(
            t for t in ruleset.tables if isinstance(t, Formula) and _in(heading, t.heading.where)
        )
        members = tuple(v for v in ruleset.vocabularies if v.where != heading.where and _in(heading, v.where))
        named = tuple(f for f in formulas if f.group == heading.name)
        listed = tuple(v for v in members if not v.name.startswith("switch "))
        if named or listed:
            yield TableGroup(heading, named, listed)


def _in(heading: Heading, where: Location) -> bool:
    first, last = heading.where.cell, heading.where.last or heading.where.cell
    cell = where.cell
    return cell.sheet == first.sheet and first.row <= cell.row <= last.row and first.column <= cell.column


class BlockMaker:
    """Makes tables into blocks in one language; a page's rows of the workbook choose which."""

    def __init__(self, ruleset: Ruleset, language: str) -> None:
        self.ruleset = ruleset
        self.names = PageLabels(ruleset, language)
        self.steps = StepsView(self.names)
        self.decisions = DecisionView(self.names)
        self.grids = GridView(self.names)
        self.matrices = MatrixView(self.names)
        self.words = furniture(language)

    def blocks(self, wishes: tuple[PageItem, ...], fixed: SetUp) -> tuple[Block, ...]:
        """One block each; matrices that share their column key are one block, where the first stands."""
        composed: list[Block] = []
        done: set[int] = set()
        for n, wish in enumerate(wishes):
            if n in done:
                continue
            together = self._sharing(wishes, n, fixed)
            done.update(m for m, _ in together)
            if len(together) > 1:
                composed.append(self._grid(wish, [(wishes[m], reading) for m, reading in together]))
            else:
                composed.append(self._block(wish, fixed))
        return tuple(block for block in composed if not _is_empty(block))

    def _sharing(
        self, wishes: tuple[PageItem, ...], first: int, fixed: SetUp
    ) -> list[tuple[int, MatrixLayout]]:
        """Places of the matrices that stand on the same grid as the first one."""
        found: list[tuple[int, MatrixLayout]] = []
        root: str | None = None
        for n in range(first, len(wishes)):
            matrix = wishes[n].table
            if not isinstance(matrix, Matrix):
                continue
            reading = read_matrix(matrix, fixed)
            own = vocabulary_of(reading.across.type) if reading.across else None
            if n == first:
                root = own
            if own is not None and own == root:
                found.append((n, reading))
        return found if found and found[0][0] == first else []

    def _grid(self, first: PageItem, parts: list[tuple[PageItem, MatrixLayout]]) -> Block:
        readings = tuple((r, self.title(w), self._text(w.note), source(w.heading.where)) for w, r in parts)
        units = next((w.units for w, _ in parts if w.units is not None), None)
        return Block(
            first.heading.name, self.words["read_column"], "", "", self.matrices.grid(readings),
            first.heading.where, units,
        )  # fmt: skip

    def _block(self, wish: PageItem, fixed: SetUp) -> Block:
        where = wish.heading.where
        body = self._body(wish.table, fixed)
        subtitle = self._text(wish.note) or self._hint(wish.table)
        return Block(wish.heading.name, self.title(wish), subtitle, source(where), body, where, wish.units)

    def _body(self, table: Printable, fixed: SetUp) -> Body:
        match table:
            case Decision():
                resolver = Resolver(self.names.index, fixed, table.parameters)
                across = in_columns(table, resolver, self.names.language)
                return (self.decisions.outcome_grid if across else self.decisions.decision)(table, resolver)
            case Scale():
                return self.steps.scale(table, Resolver(self.names.index, fixed, table.parameters))
            case Matrix():
                return self.matrices.grid(((read_matrix(table, fixed), "", "", ""),))
            case Dice():
                return self.grids.dice(table)
            case Formula():
                return self.steps.steps_of(table)
            case Switches():
                return self.grids.switches(table)
            case Data():
                return self.grids.unkeyed(table, fixed)
            case Keyed():
                write = self.grids.levels if table.by_level else self.grids.keyed
                return write(table.vocabulary, fixed)
            case Ask():
                return self.steps.ask(table)
            case Checks():
                return self.steps.checks(table)
            case TableGroup(formulas=(), vocabularies=vocabularies):
                return self.grids.vocabularies(vocabularies)
            case TableGroup(formulas=formulas):
                return self.steps.formulas(formulas)

    def _hint(self, table: Printable) -> str:
        """How to read a decision of several rows."""
        if not isinstance(table, Decision) or len(table.rules) < 2 or table.policy.wants_agreement:
            return ""
        return self.steps.wording.rows_that_count(table)

    def title(self, wish: PageItem) -> str:
        """Return the title over a block: the page's own, else the table's, else its name."""
        text = self._text(wish.title) or self._text(wish.heading.title)
        return upper_first(text or self.names.term(wish.heading.name))

    def _text(self, words: Words) -> str:
        return in_language(words, self.names.language)


def _is_empty(block: Block) -> bool:
    """Nothing of the table concerns what setup fixed."""
    match block.body:
        case Steps(rows=rows):
            return not rows
        case Grid(sections=sections):
            return not any(section.rows for section in sections)


def source(where: Location) -> str:
    """`Sheet!A4:E15`, without the book: the footer names it."""
    cell, last = where.cell, where.last
    start = f"{quoted_sheet(cell.sheet)}!{cell.address}"
    return start if last is None or last == cell else f"{start}:{last.address}"
