"""Everything about the printed pages of a workbook that is to be decided, decided here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from dtables.diagnostics import Diagnostic
from dtables.digits import whole_in
from dtables.feel.types import vocabulary_of
from dtables.model.tables import (
    Ask,
    Cases,
    Checks,
    Data,
    Decision,
    Definitions,
    Dice,
    Formula,
    Heading,
    Matrix,
    OutcomeKind,
    PageRow,
    Policy,
    Ruleset,
    Scale,
    Switches,
    Ticks,
    Turn,
    Vocabulary,
    Words,
)
from dtables.model.vocabularies import in_language
from dtables.pages import messages
from dtables.pages.badges import SHAPES, PageLabels, is_colour, is_shape
from dtables.pages.deck import corner, deck_of, stay_in_front
from dtables.pages.document import (
    Block,
    Body,
    Card,
    Document,
    Edition,
    Entries,
    Grid,
    Inline,
    Orders,
    Paper,
    Procedure,
    Ring,
    Run,
    SetupChoice,
    Sheet,
    Steps,
    inlines,
    joined,
    plain,
    upper_first,
)
from dtables.pages.grids import GridView, MatrixLayout, MatrixView, read_matrix
from dtables.pages.house_rules import band, resolved
from dtables.pages.imposition import CARD_SIZES
from dtables.pages.legend import legend_of, letters_of, marks_in, relettered, signs_of, with_letters
from dtables.pages.lints import Printed, lints
from dtables.pages.markup import Markup, split_lead
from dtables.pages.pointers import directed, lettered
from dtables.pages.resolve import NOTHING_FIXED, Resolver, SetUp
from dtables.pages.steps import DecisionView, StepsView, cases_of, in_columns
from dtables.pages.turns import TurnView, WordedRow, as_line, forms_of, mentioned, worded_rows
from dtables.pages.words import PAGE_WORDS, furniture
from dtables.provenance import CellRef, Location, quoted_sheet, whole_book
from dtables.wording.labels import spaced

WIDE = 5
"""A sheet with a grid of that many columns lies on its side, unless the workbook sets its orientation."""
MOST_CARDS = 200
INSIDE = "inside "


@dataclass(frozen=True, slots=True)
class Print:
    """How a workbook is printed. `rules` are the house rules that are not the usual ones; `odds`: with
    those of dice, which screens have room for."""

    rules: Mapping[str, str] = field(default_factory=dict)
    edition: Edition = Edition.PLAYER
    odds: bool = False


def print_view(
    ruleset: Ruleset, language: str, wish: Print | None = None
) -> tuple[Document, tuple[Diagnostic, ...]]:
    """The pages in one language."""
    wish = wish or Print()
    keep = wish.edition is Edition.PROOF
    return _View(resolved(ruleset, wish.rules, keep=keep), language, wish).document()


def stumbles(ruleset: Ruleset) -> tuple[Diagnostic, ...]:
    """What a reader of a workbook's pages would stumble over, in each of its languages.

    Nothing is laid out, and a workbook without turns is not looked at: nobody plays from its pages."""
    if not ruleset.turns:
        return ()
    languages = [language for language in ruleset.languages if language in PAGE_WORDS] or ["en"]
    found = (one for language in languages for one in print_view(ruleset, language)[1])
    return tuple(dict.fromkeys(found))


def printed_in(ruleset: Ruleset, language: str) -> Printed:
    """What the pages hold for players, with the tables that it was made of."""
    view = _View(resolved(ruleset, {}), language, Print())
    return view.printed(view.document()[0])


@dataclass(frozen=True, slots=True)
class PageText:
    """The rows of one page: a face of a sheet of paper, or a card."""

    name: str
    rows: tuple[PageRow, ...]
    paper: Paper

    @property
    def is_card(self) -> bool:
        """Whether it is printed on cards."""
        return self.paper.is_card

    def setting(self, column: str) -> str:
        """Return the first cell of a column that is filled in."""
        return next((row.setting(column) for row in self.rows if row.setting(column)), "")


class _View:
    def __init__(self, ruleset: Ruleset, language: str, wish: Print) -> None:
        self.ruleset = ruleset
        self.language = language
        self.wish = wish
        self.tables = printables(ruleset)
        self.found: list[Diagnostic] = []
        self.pages = self._pages()
        listed = {row.table: page.name for page in self.pages for row in page.rows}
        if not self.pages:
            listed = dict.fromkeys((item.heading.name for item in self._everything()), "")
        self.inlined = inlined(self.tables, listed)
        inside = {name for names in self.inlined.values() for name in names}
        never = {name for name, table in self.tables.items() if table.heading.printed == "never"}
        self.hidden = frozenset(inside | never)
        self.listed = frozenset(listed) - self.hidden
        self.maker = BlockMaker(ruleset, language, self.listed, self.inlined)
        self.maker.odds = wish.odds
        self.maker.proof = wish.edition is Edition.PROOF
        self.names = self.maker.names

    def document(self) -> tuple[Document, tuple[Diagnostic, ...]]:
        self._check_badges()
        sheets = [self._sheet(page) for page in self.pages if not page.is_card]
        cards = [card for page in self.pages if page.is_card for card in self._cards(page)]
        if not sheets and not cards:
            sheets = self._all_on_one()
        deck = deck_of(self.ruleset.pages)
        self.found += deck.unknown
        made_of = f"{self.ruleset.book}, {self.maker.words['build']} {self.ruleset.version}"
        titles = [in_language(pages.heading.title, self.language) for pages in self.ruleset.pages]
        credits = [in_language(pages.credit, self.language) for pages in self.ruleset.pages]
        document = Document(
            name=self.ruleset.name,
            language=self.language,
            title=self._title(),
            subtitle=next((title for title in titles if title), ""),
            book=self.ruleset.book,
            version=self.ruleset.version,
            sheets=tuple(sheets),
            cards=deck.of(cards, self.language, made_of),
            cards_only=self._cards_only(),
            choices=self._choices(sheets),
            edition=self.wish.edition,
            band=self._band(),
            signs=tuple(s for table in self.ruleset.definitions for s in self.maker.turns.signs(table)),
            credit=next(filter(None, credits), ""),
        )
        document = replace(document, cards=tuple(self._explained(card) for card in document.cards))
        document = lettered(directed(_with_badges(document, signs_of(self.names))))
        self.found += lints(self.printed(document))
        return document, tuple(dict.fromkeys(self.found))

    def _explained(self, card: Card) -> Card:
        """Terms that a side of a card uses and no block of the card defines are defined at its foot."""
        own = {block.key for block in card.blocks}
        terms = {
            form.casefold(): entry
            for table in self.ruleset.definitions
            if table.heading.name not in own
            for row, entry in self.maker.turns.defined(table)
            for form in forms_of(row, self.language)
        }
        sides = [card.front, card.back]
        for n, side in enumerate(sides):
            used = {part.text.casefold() for part in _runs(side) if part.term}
            entries = list(dict.fromkeys(entry for form, entry in terms.items() if form in used))
            if side and entries:
                foot = joined((*filter(None, (side[-1].foot,)), *map(as_line, entries)), " ")
                sides[n] = (*side[:-1], replace(side[-1], foot=foot))
        return replace(card, front=sides[0], back=sides[1])

    def printed(self, document: Document) -> Printed:
        """What the document holds, by its tables."""
        tables: Mapping[str, object] = self.tables
        never = frozenset(n for n, table in self.tables.items() if table.heading.printed == "never")
        return Printed(self.ruleset, document, tables, self.listed, self.inlined, never)

    def _title(self) -> str:
        """What the glossary calls the ruleset, or its name."""
        text = self.names.term(self.ruleset.name)
        return text.title() if text == spaced(self.ruleset.name) else text

    def _band(self) -> str:
        text = band(self.names, self.wish.rules)
        return self.maker.words["house_edition"].format(text) if text else ""

    # -- pages ---------------------------------------------------------------------------------

    def _pages(self) -> tuple[PageText, ...]:
        """Pages in the order in which they are met. A language that has none is printed as another is."""
        rows = [row for pages in self.ruleset.pages for row in pages.rows]
        own = [row for row in rows if self.language in (_languages(row) or (self.language,))]
        if rows and not own:
            other = _languages(rows[0])[0]
            own = [row for row in rows if other in _languages(row)]
            self.found.append(messages.pages_of_another_language(rows[0].where, self.language, other))
        by_page: dict[tuple[str, str], list[PageRow]] = {}
        for row in own:
            kind = "card" if _paper([row]).is_card else "sheet"
            by_page.setdefault((row.setting("face") or row.setting("page"), kind), []).append(row)
        return tuple(PageText(name, tuple(rows), _paper(rows)) for (name, _), rows in by_page.items())

    def _items(self, rows: Iterable[PageRow]) -> tuple[PageItem, ...]:
        items = []
        for row in rows:
            table = self.tables.get(row.table)
            if table is None:
                self.found.append(messages.not_printable(row.where, row.table))
            elif row.table not in self.hidden:
                units, place = whole_in(row.setting("columns")), row.setting("place")
                items.append(PageItem(table, row.title, row.note, units, place, row.setting("letter")))
        return tuple(items)

    def _cards_only(self) -> tuple[Block, ...]:
        rows: dict[bool, dict[str, PageRow]] = {True: {}, False: {}}
        for page in self.pages:
            for row in page.rows:
                rows[page.is_card].setdefault(row.table, row)
        loose = [row for table, row in rows[True].items() if table not in rows[False]]
        return self.maker.blocks(self._items(loose), NOTHING_FIXED)

    def _sheet(self, page: PageText) -> Sheet:
        blocks = self.maker.blocks(self._items(page.rows), NOTHING_FIXED)
        size = page.setting("size") or "A4"
        text = "landscape" in size or "portrait" in size
        lies = "landscape" in size or (not text and _is_wide(blocks))
        title = self._heading(page.name)
        where = Location(page.rows[0].where)
        return Sheet(page.name, title, page.paper, lies, not text, blocks, where, (), page.name)

    def _everything(self) -> list[PageItem]:
        """Without a pages table: every table that players read, turns first."""
        items = [
            PageItem(table)
            for table in self.tables.values()
            if isinstance(table, (Turn, Cases, Definitions, Ticks, Decision, Scale, Matrix, Dice))
            or (isinstance(table, Keyed) and table.by_level)
            or table.heading.printed == "ring"
        ]
        order = {heading.where: n for n, heading in enumerate(self.ruleset.headings)}
        items.sort(key=lambda item: (not _is_turn(item.table), order.get(item.heading.where, 0)))
        return items

    def _all_on_one(self) -> list[Sheet]:
        items = [item for item in self._everything() if item.heading.name not in self.hidden]
        where = Location(whole_book(self.ruleset.book))
        if not items:
            self.found.append(messages.no_pages(where.cell))
            return []
        blocks = self.maker.blocks(tuple(items), NOTHING_FIXED)
        return [Sheet("1", "", Paper.A4, _is_wide(blocks), True, blocks, where, (), "1")]

    # -- cards ---------------------------------------------------------------------------------

    def _cards(self, page: PageText) -> Iterator[Card]:
        """One card, or one for every name of the vocabularies under `for`."""
        vocabularies = [part.strip() for part in page.setting("for").replace(";", ",").split(",")]
        known = (self.names.index.vocabularies[name] for name in vocabularies if name)
        lists = [[(vocabulary.root, id_) for id_ in vocabulary.ids] for vocabulary in known]
        fronts = self._items(row for row in page.rows if row.setting("side") != "back")
        backs = self._items(row for row in page.rows if row.setting("side") == "back")
        setups = [SetUp(tuple(names)) for names in product(*lists)]
        if setups and not any(row.setting("side") == "front" for row in page.rows):
            stay = self._stay(page, fronts, backs, setups[0])
            fronts, backs = fronts[:stay], (*fronts[stay:], *backs)
        for fixed in setups:
            front, back = self.maker.blocks(fronts, fixed), self.maker.blocks(backs, fixed)
            card = self._card(page.name, fixed, front, back, Location(page.rows[0].where))
            yield replace(card, paper=page.paper, marks=card.marks or self._corner(page))

    def _stay(
        self, page: PageText, fronts: tuple[PageItem, ...], backs: tuple[PageItem, ...], fixed: SetUp
    ) -> int:
        """How many tables stay in front where the author leaves the side open: the same in all languages,
        and never between matrices on one grid."""
        size = CARD_SIZES[page.paper]
        found = [len(fronts)]
        for language in self.ruleset.languages if len(fronts) > 1 else ():
            maker = BlockMaker(self.ruleset, language, self.listed, self.inlined)
            front, back = maker.blocks(fronts, fixed), maker.blocks(backs, fixed)
            if len(front) == len(fronts):
                found.append(stay_in_front(front, back, size))
        return min(found)

    def _corner(self, page: PageText) -> Inline:
        """What is drawn beside a card's number."""
        code = page.setting("icon")
        found = corner(code, self.maker.markup) if code else ()
        if found is None:
            self.found.append(messages.no_icon(page.rows[0].where, code))
        return found or ()

    def _card(
        self, name: str, fixed: SetUp, front: tuple[Block, ...], back: tuple[Block, ...], where: Location
    ) -> Card:
        labels = [self.names.name(root, id_) for root, id_ in fixed.names]
        marks = [self.names.mark(root, id_) for root, id_ in fixed.names]
        drawn: Inline = tuple(mark for mark in marks if mark is not None)
        page = self._heading(name)
        if labels:
            title, subtitle = upper_first(" · ".join(labels)), page
        elif len(front) == 1 and (not (back and page) or front[0].title == page):
            title = front[0].title
            subtitle = front[0].subtitle or (page if page != title else "")
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


def _runs(blocks: Iterable[Block]) -> Iterator[Run]:
    for block in blocks:
        for inline in inlines(block):
            yield from (part for part in inline if isinstance(part, Run))


def _is_wide(blocks: tuple[Block, ...]) -> bool:
    return any(isinstance(b.body, Grid) and len(b.body.columns) >= WIDE for b in blocks)


def _languages(row: PageRow) -> tuple[str, ...]:
    listed = row.setting("language").replace(";", ",").split(",")
    return tuple(part.strip() for part in listed if part.strip())


def _paper(rows: Sequence[PageRow]) -> Paper:
    size = next((row.setting("size") for row in rows if row.setting("size")), "A4")
    return Paper(size.casefold().split()[0])


def _is_turn(table: Printable) -> bool:
    return isinstance(table, Turn) and not table.attempts


def _with_badges(document: Document, signs: Mapping[str, str]) -> Document:
    """Letters of badges are the same on a sheet of paper, front and back, and in the whole deck."""
    sheets = list(document.sheets)
    for leaf in dict.fromkeys(sheet.leaf for sheet in sheets):
        places = [n for n, sheet in enumerate(sheets) if sheet.leaf == leaf]
        letters = letters_of(mark for n in places for mark in marks_in(sheets[n].blocks))
        for n in places:
            blocks = relettered(sheets[n].blocks, letters)
            sheets[n] = replace(sheets[n], blocks=blocks, legend=legend_of(blocks, signs))
    letters = letters_of(mark for card in document.cards for mark in marks_in(card.blocks))
    cards = []
    for card in document.cards:
        front, back = relettered(card.front, letters), relettered(card.back, letters)
        marks = with_letters(card.marks, letters)
        cards.append(replace(card, marks=marks, front=front, back=back, legend=legend_of((*front, *back))))
    loose = relettered(document.cards_only, letters)
    return replace(document, sheets=tuple(sheets), cards=tuple(cards), cards_only=loose)


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


Printable = (
    Turn | Cases | Definitions | Ticks | Decision | Scale | Matrix | Dice | Formula | Switches | Data | Ask
    | Checks | TableGroup | Keyed
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PageItem:
    """A table and how the workbook asks for it: its own title, a line beside it, how wide, where, by which
    letter."""

    table: Printable
    title: Words = ()
    note: Words = ()
    units: int | None = None
    place: str = ""
    letter: str = ""

    @property
    def heading(self) -> Heading:
        """The heading of the table."""
        return self.table.heading


def printables(ruleset: Ruleset) -> dict[str, Printable]:
    """Return tables by the names that the pages table may use; a table before what only shares its name,
    and a turn before the decision that its steps are."""
    found: dict[str, Printable] = {}
    tables: tuple[Printable, ...] = (
        *ruleset.turns, *ruleset.cases, *ruleset.definitions, *ruleset.ticks, *ruleset.tables,
        *ruleset.switches, *_keyed(ruleset), *ruleset.data, *_groups(ruleset), *ruleset.asks, *ruleset.checks,
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


MOST_ROWS_INSIDE = 2
SHORT_ROW = 55
"""So many letters are certainly less than a line."""


def inlined(tables: Mapping[str, Printable], listed: Mapping[str, str]) -> dict[CellRef, tuple[str, ...]]:
    """Return the tables that stand inside rows of turns, cases and terms, by the row's cell: those whose
    author says so, and short ones that one row alone points to, without a brace for the pointer. `listed`
    are the tables of pages, and theirs."""
    worded = [t for t in tables.values() if isinstance(t, (Turn, Cases, Definitions))]
    rows = [row for table in worded for row in worded_rows(table)]
    users: dict[str, list[WordedRow]] = {}
    for row in rows:
        for name in dict.fromkeys((*row.along, *mentioned(row))):
            if name in tables:
                users.setdefault(name, []).append(row)
    found: dict[CellRef, tuple[str, ...]] = {}
    for name, pointing in users.items():
        own = tables[name].heading.printed
        if own.startswith(INSIDE):
            inner = [row for row in pointing if row.table == own.removeprefix(INSIDE)]
        elif own == "block" and len(pointing) == 1 and _is_short(tables[name]):
            alike = listed.get(name) in (None, listed.get(pointing[0].table))
            inner = pointing if alike and name not in mentioned(pointing[0]) else []
        else:
            inner = []
        for row in inner:
            found[row.where] = (*found.get(row.where, ()), name)
    return found


def _is_short(table: Printable) -> bool:
    """One row, or two whose wording takes a line each, in every language."""
    match table:
        case Decision(rules=rules, otherwise=otherwise):
            rows = [rule.words for rule in rules] + ([()] if otherwise is not None else [])
        case Scale(criteria=criteria):
            rows = [criterion.words for criterion in criteria]
        case Matrix(entries=entries):
            return len(entries) == 1
        case Dice(entries=entries):
            return len({entry.cell.row for entry in entries}) <= MOST_ROWS_INSIDE
        case _:
            return False
    short = all(words and max(len(text) for _, text in words) <= SHORT_ROW for words in rows)
    return len(rows) < MOST_ROWS_INSIDE or (short and len(rows) == MOST_ROWS_INSIDE)


class BlockMaker:
    """Makes tables into blocks in one language; a page's rows of the workbook choose which. `printed` are
    the tables that pointers may lead to, `inside` those that stand in a row."""

    def __init__(
        self,
        ruleset: Ruleset,
        language: str,
        printed: frozenset[str] = frozenset(),
        inside: Mapping[CellRef, tuple[str, ...]] | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.names = PageLabels(ruleset, language)
        self.inside = inside or {}
        self.tables = printables(ruleset) if self.inside else {}
        within = frozenset(name for names in self.inside.values() for name in names)
        self.markup = Markup(self.names, printed, within)
        self.steps = StepsView(self.names, self.markup)
        self.decisions = DecisionView(self.names, self.markup)
        self.grids = GridView(self.names, self.markup)
        self.matrices = MatrixView(self.names, self.markup)
        self.turns = TurnView(self.names, self.decisions, self.markup)
        self.words = furniture(language)
        self.odds = False
        self.proof = False

    def blocks(self, wishes: tuple[PageItem, ...], fixed: SetUp) -> tuple[Block, ...]:
        """One block each; matrices that share their column key are one block, where the first stands, and
        each phase of a turn is one."""
        composed: list[Block] = []
        done: set[int] = set()
        for n, wish in enumerate(wishes):
            if n in done:
                continue
            together = self._sharing(wishes, n, fixed)
            done.update(m for m, _ in together)
            if len(together) > 1:
                composed.append(self._grid(wish, [(wishes[m], reading) for m, reading in together]))
            elif isinstance(wish.table, Turn):
                composed += self._phases(wish, wish.table, fixed)
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
            if self.matrices.orders(reading) is not None:
                own = None
            if n == first:
                root = own
            if own is not None and own == root:
                found.append((n, reading))
        return found if found and found[0][0] == first else []

    def _grid(self, first: PageItem, parts: list[tuple[PageItem, MatrixLayout]]) -> Block:
        readings = tuple((r, self.title(w), self._text(w.note), source(w.heading.where)) for w, r in parts)
        block = Block(
            first.heading.name, self.words["read_column"], "", "", self.matrices.grid(readings),
            first.heading.where, keys=tuple(item.heading.name for item, _ in parts[1:]),
        )  # fmt: skip
        notes = [note for item, _ in parts if (note := self._text(item.heading.note))]
        proof = tuple(text for item, _ in parts for text in self._proof(item.heading))
        units = next((item.units for item, _ in parts if item.units is not None), None)
        return replace(
            self._placed(block, first), units=units, foot=self.markup.text(" ".join(notes)), proof=proof
        )

    def _block(self, item: PageItem, fixed: SetUp) -> Block:
        where = item.heading.where
        body = self._body(item.table, fixed)
        subtitle = self._subtitle(item)
        block = Block(item.heading.name, self.title(item), subtitle, source(where), body, where)
        return self._placed(block, item)

    def _placed(self, block: Block, item: PageItem) -> Block:
        """What the workbook says of the block's place, with the table's note below and what its author
        sees."""
        notes = [self.markup.text(self._text(item.heading.note))]
        if isinstance(item.table, Scale):
            notes.insert(0, plain(self.steps.others(item.table)))
        return replace(
            block,
            units=item.units,
            place=item.place,
            letter=item.letter,
            own_letter=bool(item.letter),
            foot=joined(tuple(filter(None, notes)), " "),
            proof=self._proof(item.heading),
        )

    def _proof(self, heading: Heading) -> tuple[str, ...]:
        return (source(heading.where), heading.name, *heading.source)

    def _phases(self, item: PageItem, turn: Turn, fixed: SetUp) -> Iterator[Block]:
        """A box for each phase, in their order; a turn in one phase has its own title, and the longest
        phase the place that the page gives to the turn."""
        decision = self._decision_of(turn)
        resolver = Resolver(self.names.index, fixed, decision.parameters if decision else ())
        insides = self._insides(turn, fixed)
        phases = self.turns.phases(turn)
        longest = max(phases, key=lambda phase: sum((s.phase or turn.phase) == phase for s in turn.steps))
        for n, phase in enumerate(phases):
            alone = len(phases) < 2
            last = decision if decision is not None and n == len(phases) - 1 else None
            body = self.turns.procedure(turn, phase, decision, resolver, insides, ends=last is not None)
            title = self.title(item) if alone or not phase else self.turns.phase_label(phase)
            key = item.heading.name if n == 0 else f"{item.heading.name} / {phase}"
            subtitle = self._text(item.note) or self.turns.hint(turn, phase)
            where = item.heading.where
            block = Block(
                key, title, subtitle, source(where), body, where, phase=phase, lettered=turn.attempts
            )
            own = item if phase == longest else replace(item, place="", letter="")
            placed = self._placed(block, own)
            yield placed if n == len(phases) - 1 else replace(placed, foot=())

    def _decision_of(self, turn: Turn) -> Decision | None:
        found = self.names.index.tables.get(turn.heading.name) if turn.runs else None
        return found if isinstance(found, Decision) else None

    def _insides(self, table: Turn | Cases | Definitions, fixed: SetUp) -> dict[CellRef, tuple[Body, ...]]:
        """What stands inside the table's rows."""
        return {
            row.where: tuple(self._body(self.tables[name], fixed) for name in self.inside[row.where])
            for row in worded_rows(table)
            if row.where in self.inside
        }

    def _body(self, table: Printable, fixed: SetUp) -> Body:
        match table:
            case Turn():
                raise TypeError("a turn is made into a block for each phase")
            case Cases():
                resolver = Resolver(self.names.index, fixed)
                return self.turns.cases(table, resolver, self._insides(table, fixed))
            case Definitions():
                return self.turns.definitions(table, self._insides(table, fixed))
            case Decision():
                resolver = Resolver(self.names.index, fixed, table.parameters)
                across = in_columns(table, resolver, self.names.language)
                return (self.decisions.outcome_grid if across else self.decisions.decision)(table, resolver)
            case Scale():
                return self.steps.scale(table, Resolver(self.names.index, fixed, table.parameters))
            case Matrix():
                reading = read_matrix(table, fixed)
                return self.matrices.orders(reading) or self.matrices.grid(((reading, "", "", ""),))
            case Dice():
                return self.grids.dice(table, odds=self.odds)
            case Formula():
                return self.steps.steps_of(table)
            case Ticks():
                return self.grids.ticks(table, fixed)
            case Switches():
                return self.grids.switches(table)
            case Data():
                return self.grids.unkeyed(table, fixed)
            case (
                Keyed(heading=Heading(printed="ring"), vocabulary=names)
                | TableGroup(heading=Heading(printed="ring"), vocabularies=(names, *_))
            ):
                return self.grids.ring(names)
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

    def _subtitle(self, item: PageItem) -> str:
        """The page's own line, and how to read the table. Beside a line of the author that rows count in
        their order, or that cases are listed, need not be said."""
        note, table = self._text(item.note), item.table
        if note and isinstance(table, Decision) and (table.policy in _IN_ORDER or cases_of(table)):
            return note
        hint = self._hint(table)
        return " · ".join(filter(None, (note, hint)))

    def _hint(self, table: Printable) -> str:
        """How to read a decision of several rows; where each says `In that case: this`, it is read so."""
        if not isinstance(table, Decision):
            return ""
        listed = cases_of(table)
        if listed is not None and not listed.holds:
            return self.words["only_no"]
        if listed is not None:
            said = all(split_lead(self._text(rule.words))[0] for rule in listed.rules)
            return "" if said else self.words["only_yes"]
        alone = table.policy.wants_agreement or (len(table.rules) < 2 and table.policy.takes_one)
        policy = "" if alone else self.steps.wording.rows_that_count(table)
        taken = any(column.kind is OutcomeKind.TAKE for column in table.outcomes)
        return " · ".join(filter(None, (policy, self.words["taken"] if taken else "")))

    def title(self, wish: PageItem) -> str:
        """Return the title over a block: the page's own, else the table's, else its name."""
        text = self._text(wish.title) or self._text(wish.heading.title)
        return upper_first(text or self.names.term(wish.heading.name))

    def _text(self, words: Words) -> str:
        return in_language(words, self.names.language)


_IN_ORDER = (Policy.FIRST, Policy.RULE_ORDER)


def _is_empty(block: Block) -> bool:
    """Nothing of the table concerns what setup fixed."""
    match block.body:
        case Steps(rows=rows):
            return not rows
        case Grid(sections=sections):
            return not any(section.rows for section in sections)
        case Procedure(rows=steps):
            return not steps
        case Entries(rows=entries):
            return not entries
        case Orders(orders=orders):
            return not orders
        case Ring(names=names):
            return not names


def source(where: Location) -> str:
    """`Sheet!A4:E15`, without the book: the footer names it."""
    cell, last = where.cell, where.last
    start = f"{quoted_sheet(cell.sheet)}!{cell.address}"
    return start if last is None or last == cell else f"{start}:{last.address}"
