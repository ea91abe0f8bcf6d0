"""What a printed page holds, decided and plain: templates only draw it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from dtables.digits import are_digits
from dtables.provenance import CellRef, Location


class Style(StrEnum):
    """How a run of text is printed."""

    PLAIN = "plain"
    BOLD = "bold"
    QUIET = "quiet"
    RANK = "rank"
    """A place in an ordered list."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text; `term` where the author marked it as a word that the page explains."""

    text: str
    style: Style = Style.PLAIN
    term: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A badge: colours (two: split), shape and letter; `alt` is what a screen reader speaks. `given`: the
    letter is the author's. A badge of two names has their badges as `halves`, which have no shape."""

    colours: tuple[str, ...]
    shape: str
    letter: str
    alt: str
    given: bool = field(default=False, compare=False)
    halves: tuple[Mark, ...] = field(default=(), compare=False)

    @property
    def names(self) -> tuple[Mark, ...]:
        """The badges whose letters it shows: its halves, or itself."""
        return self.halves or (self,)


@dataclass(frozen=True, slots=True)
class Icon:
    """A small drawing, by its name (`coin`, `die`); `text` is written in it, `alt` is what a screen reader
    speaks."""

    name: str
    text: str
    alt: str


@dataclass(frozen=True, slots=True)
class Pointer:
    """An arrow to a block, by its key. `elsewhere` says in words what it stands on, if not on this sheet or
    this side of a card."""

    key: str
    letter: str = ""
    elsewhere: str = ""


class ChipKind(StrEnum):
    """What a chip says."""

    END = "end"
    """The turn, or the game, is over."""
    CONDITION = "condition"
    """When the row holds."""
    GO = "go"
    """Where it goes on."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A few words on a ground of their own."""

    text: str
    kind: ChipKind


Part = Run | Mark | Icon | Pointer | Chip
Inline = tuple[Part, ...]


# -- bodies ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StepRow:
    """A row of a scale or decision. Rows that go on under the same number have none."""

    number: str
    marks: Inline
    conditions: tuple[Inline, ...]
    text: Inline
    outcome: Inline
    cell: CellRef
    ruled: bool = True
    """Followed by a line; not between rows of one number."""
    variant: bool = False
    """Holds only under a house rule that is not the one of these pages: the proof edition shows it in
    grey."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Rows read from the top down. `heads` name the badges, the text and the outcome, where that helps."""

    rows: tuple[StepRow, ...]
    heads: tuple[str, str, str] | None = None


class Align(StrEnum):
    """How the cells of a column are aligned."""

    START = "start"
    CENTER = "center"


@dataclass(frozen=True, slots=True)
class GridCell:
    """`span` columns of the grid; `tinted` where it differs from what is usual."""

    text: Inline
    span: int
    tinted: bool


@dataclass(frozen=True, slots=True)
class GridRow:
    """`choice` is set where the row is for one name of a vocabulary only."""

    label: Inline
    cells: tuple[GridCell, ...]
    choice: str | None = None
    closes: bool = False
    """The last of several rows under one label."""


@dataclass(frozen=True, slots=True)
class GridSection:
    """Rows of one table; only grids of several tables have titles in them."""

    title: str
    note: str
    source: str
    rows: tuple[GridRow, ...]
    align: Align


@dataclass(frozen=True, slots=True)
class GridColumn:
    """`grow`: takes its share of the width; the others are as wide as what they hold."""

    head: Inline
    sub: str
    choice: str | None = None
    grow: bool = True


@dataclass(frozen=True, slots=True)
class Grid:
    """`vocabulary` names what columns (or rows with a choice) are chosen by. A `folded`
    grid has its sections side by side."""

    corner: str
    columns: tuple[GridColumn, ...]
    sections: tuple[GridSection, ...]
    vocabulary: str | None = None
    folded: bool = False


@dataclass(frozen=True, slots=True)
class ProcedureRow:
    """A step of a turn. Conditions and what ends it are chips in the text; `inside` are tables that stand in
    it. `source` are ids of what it rests on, for the proof edition as `cell` is."""

    number: str
    icon: Icon | None
    who: str
    text: Inline
    inside: tuple[Body, ...]
    cell: CellRef
    source: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Procedure:
    """Steps that are done one after another."""

    rows: tuple[ProcedureRow, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule, a word or a case that is looked up by what leads it: its badges or icon, and its label. `joint`
    stands between label and text."""

    marks: Inline
    label: Inline
    text: Inline
    example: Inline
    inside: tuple[Body, ...]
    cell: CellRef
    source: tuple[str, ...] = ()
    joint: str = ": "
    forms: tuple[str, ...] = ()
    """Of a word that is explained, as wordings may write it."""


@dataclass(frozen=True, slots=True)
class Entries:
    """Entries in no order that matters."""

    rows: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class OrderList:
    """Names that stand together in every column of a factored matrix, and the sign of their list."""

    sign: str
    items: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """A column of a factored matrix: the signs of the lists, in their order."""

    head: Inline
    signs: tuple[str, ...]
    choice: str | None = None


@dataclass(frozen=True, slots=True)
class Orders:
    """A matrix whose columns are the same lists in other orders. `first` and `last` are the same in every
    column. `spelled`: each head is spelled with the signs of its lists, so that the orders need no row."""

    lists: tuple[OrderList, ...]
    orders: tuple[Order, ...]
    first: tuple[Inline, ...]
    last: tuple[Inline, ...]
    vocabulary: str | None = None
    spelled: bool = False
    note: str = ""
    """How the orders are read."""

    @property
    def are_names(self) -> bool:
        """Say whether each list is one name: the orders are of the names themselves."""
        return all(len(each.items) == 1 for each in self.lists)

    def drawn(self, order: Order) -> list[Inline]:
        """What stands in an order, one after another: of names with badges these alone."""
        if not self.are_names:
            return [plain(sign) for sign in order.signs]
        by_sign = {each.sign: each.items[0] for each in self.lists}
        names = [by_sign[sign] for sign in order.signs]
        if all(any(isinstance(part, Mark) for part in name) for name in names):
            return [tuple(part for part in name if isinstance(part, Mark)) for name in names]
        return names


@dataclass(frozen=True, slots=True)
class Ring:
    """Names in a ring, each with its badge: those next to one another are neighbours, and so are the last and
    the first."""

    names: tuple[Inline, ...]


Body = Steps | Grid | Procedure | Entries | Orders | Ring


# -- blocks and pages --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Block:
    """One table, or several on one grid. `units` is how many columns of the page it fills and `place` where
    it stands, where given; `foot` is a line below. `source` are its cells, `proof` these, ids and codes: for
    the proof edition alone."""

    key: str
    title: str
    subtitle: str
    source: str
    body: Body
    where: Location
    units: int | None = None
    letter: str = ""
    place: str = ""
    phase: str = ""
    foot: Inline = ()
    proof: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """Of further tables on the same grid."""
    lettered: bool = True
    """Gets a letter where pointers lead to blocks; the turn itself gets none."""
    own_letter: bool = False
    """The letter is the author's."""

    def is_of(self, key: str) -> bool:
        """Say whether the table of that name stands in this block."""
        return key == self.key or key in self.keys


class Paper(StrEnum):
    """What a sheet is printed on, or how large a card is."""

    A4 = "a4"
    LETTER = "letter"
    TAROT = "tarot"
    POKER = "poker"
    MINI = "mini"

    @property
    def is_card(self) -> bool:
        """Say whether it is a card's size."""
        return self in (Paper.TAROT, Paper.POKER, Paper.MINI)


@dataclass(frozen=True, slots=True)
class Legend:
    """A badge or icon and the name it stands for."""

    mark: Mark | Icon
    label: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """Blocks of one page of the workbook; they may need more than one page of paper."""

    name: str
    title: str
    paper: Paper
    landscape: bool
    turns: bool
    """May be turned, where it fits better so."""
    blocks: tuple[Block, ...]
    where: Location
    legend: tuple[Legend, ...]
    face: str = ""
    """Of a sheet of paper: `1a` is the front of the first one, `1b` its back."""

    @property
    def leaf(self) -> str:
        """The sheet of paper that this is a face of."""
        return leaf_of(self.face) if self.face else self.name


@dataclass(frozen=True, slots=True)
class Card:
    """A card; its back is empty where nothing stands on it. `number` is its place in the deck."""

    name: str
    title: str
    subtitle: str
    marks: Inline
    front: tuple[Block, ...]
    back: tuple[Block, ...]
    where: Location
    number: int = 0
    legend: tuple[Legend, ...] = ()
    paper: Paper = Paper.TAROT
    colour: str = ""
    """Of the strip at the head, as `#rrggbb`; blank: the usual one."""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of both sides."""
        return (*self.front, *self.back)


def leaf_of(face: str) -> str:
    """Return the sheet of paper of a face: `1` for `1a` and `1b`."""
    return face[:-1] if len(face) > 1 and face[-1].isalpha() and are_digits(face[:-1]) else face


class Edition(StrEnum):
    """Whom the pages are for: the author sees cells, ids and codes."""

    PLAYER = "player"
    PROOF = "proof"


@dataclass(frozen=True, slots=True)
class SetupChoice:
    """What setup fixes: the reader of a phone page picks one name and sees nothing of the others."""

    vocabulary: str
    label: str
    names: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Document:
    """All printed pages of a workbook in one language."""

    name: str
    language: str
    title: str
    subtitle: str
    book: str
    version: str
    sheets: tuple[Sheet, ...]
    cards: tuple[Card, ...]
    cards_only: tuple[Block, ...]
    """Tables that stand on cards and on no sheet, with nothing resolved: a phone page shows them so."""
    choices: tuple[SetupChoice, ...]
    edition: Edition = Edition.PLAYER
    band: str = ""
    """A house rule that is not the usual one, in words: printed across every page."""
    signs: tuple[tuple[str, str], ...] = ()
    """Signs that stand in wordings, and what they mean: said in the foot line of whatever has them."""
    credit: str = ""
    """Who made the game and the variant."""

    def key(self, blocks: Iterable[Block]) -> str:
        """What the signs in some blocks mean: `° our reading`."""
        here = tuple(blocks)
        met = (f"{sign} {words}" for sign, words in self.signs if any(has_sign(b, sign) for b in here))
        return " · ".join(met)


# -- going through what a block holds ---------------------------------------------------------------


def texts_in(body: Body) -> Iterator[Inline]:
    """Every text of a body, in reading order."""
    match body:
        case Steps(rows=rows):
            for step in rows:
                yield from (*step.conditions, (*step.marks, *step.text), step.outcome)
        case Grid(columns=columns, sections=sections):
            yield from (column.head for column in columns)
            for section in sections:
                for row in section.rows:
                    yield row.label
                    yield from (cell.text for cell in row.cells)
        case Procedure(rows=rows):
            for line in rows:
                yield (line.icon, *line.text) if line.icon is not None else line.text
                for inner in line.inside:
                    yield from texts_in(inner)
        case Entries(rows=rows):
            for entry in rows:
                yield from ((*entry.marks, *entry.label), entry.text, entry.example)
                for inner in entry.inside:
                    yield from texts_in(inner)
        case Orders(lists=lists, orders=orders, first=first, last=last):
            yield from first
            for listed in lists:
                yield from listed.items
            yield from last
            for order in orders:
                yield from (order.head, *body.drawn(order))
        case Ring(names=names):
            yield from names


def has_sign(block: Block, sign: str) -> bool:
    """Say whether a sign stands at the end of a word of a block; after a number a ° is one of degrees, or of
    order."""
    marked = re.compile(rf"[^\s0-9(\u2060]\u2060?{re.escape(sign)}")
    return any(marked.search(text) for text in _words(block))


def _words(block: Block) -> Iterator[str]:
    """All that is read of a block, its heads too."""
    yield from (block.title, block.subtitle, *map(drawn_text, inlines(block)))
    yield from _heads(block.body)


def _heads(body: Body) -> Iterator[str]:
    match body:
        case Grid(corner=corner, columns=columns, sections=sections):
            yield from (corner, *(column.sub for column in columns))
            for section in sections:
                yield from (section.title, section.note)
        case Procedure(rows=rows) | Entries(rows=rows):
            for row in rows:
                for inner in row.inside:
                    yield from _heads(inner)
        case _:
            return


def inlines(block: Block) -> Iterator[Inline]:
    """Every text of a block but its heads, in reading order."""
    yield from texts_in(block.body)
    yield block.foot


def pointers_in(block: Block) -> Iterator[Pointer]:
    """Every pointer in a block's texts."""
    for inline in inlines(block):
        yield from (part for part in inline if isinstance(part, Pointer))


def mapped(body: Body, change: Callable[[Inline], Inline]) -> Body:
    """Return a body with each of its texts changed."""
    match body:
        case Steps(rows=rows):
            return replace(body, rows=tuple(_mapped_step(row, change) for row in rows))
        case Grid(columns=columns, sections=sections):
            heads = tuple(replace(column, head=change(column.head)) for column in columns)
            return replace(body, columns=heads, sections=tuple(_mapped_section(s, change) for s in sections))
        case Procedure(rows=rows):
            return Procedure(tuple(
                replace(row, text=change(row.text), inside=tuple(mapped(b, change) for b in row.inside))
                for row in rows
            ))  # fmt: skip
        case Entries(rows=rows):
            return replace(body, rows=tuple(_mapped_entry(row, change) for row in rows))
        case Orders(lists=lists, orders=orders, first=first, last=last):
            return replace(
                body,
                lists=tuple(replace(each, items=tuple(map(change, each.items))) for each in lists),
                orders=tuple(replace(each, head=change(each.head)) for each in orders),
                first=tuple(map(change, first)),
                last=tuple(map(change, last)),
            )
        case Ring(names=names):
            return Ring(tuple(map(change, names)))


def _mapped_step(row: StepRow, change: Callable[[Inline], Inline]) -> StepRow:
    return replace(
        row,
        marks=change(row.marks),
        conditions=tuple(map(change, row.conditions)),
        text=change(row.text),
        outcome=change(row.outcome),
    )


def _mapped_section(section: GridSection, change: Callable[[Inline], Inline]) -> GridSection:
    rows = tuple(
        replace(row, label=change(row.label),
                cells=tuple(replace(cell, text=change(cell.text)) for cell in row.cells))
        for row in section.rows
    )  # fmt: skip
    return replace(section, rows=rows)


def _mapped_entry(row: Entry, change: Callable[[Inline], Inline]) -> Entry:
    return replace(
        row,
        marks=change(row.marks),
        label=change(row.label),
        text=change(row.text),
        example=change(row.example),
        inside=tuple(mapped(body, change) for body in row.inside),
    )


# -- runs of text -----------------------------------------------------------------------------------

LONGEST_LABEL = 36


def plain(text: str, style: Style = Style.PLAIN) -> Inline:
    """Return the text as one run; nothing for an empty one."""
    return (Run(text, style),) if text else ()


def bold(inline: Inline) -> Inline:
    """Labels of rows; what is quiet stays so, and so does a sentence."""
    if sum(len(part.text) for part in inline if isinstance(part, Run)) > LONGEST_LABEL:
        return inline
    return tuple(
        Run(part.text, Style.BOLD) if isinstance(part, Run) and part.style is Style.PLAIN else part
        for part in inline
    )


def upper_first(text: str) -> str:
    """Return the text with its first letter in capitals, the others as they are."""
    return text[:1].upper() + text[1:]


def sentence(inline: Inline) -> Inline:
    """Return the text with a capital at its start: after a chip it begins anew."""
    if not inline or not isinstance(inline[0], Run):
        return inline
    return (replace(inline[0], text=upper_first(inline[0].text)), *inline[1:])


def joined(parts: tuple[Inline, ...], separator: str) -> Inline:
    """Return the parts in a row, with a quiet separator between them."""
    result: list[Part] = []
    for n, part in enumerate(parts):
        if n:
            result.append(Run(separator, Style.QUIET))
        result.extend(part)
    return tuple(result)


def text_of(inline: Inline) -> str:
    """Return the text as it is read aloud."""
    return "".join(map(_spoken, inline))


def _spoken(part: Part) -> str:
    match part:
        case Mark(alt=alt) | Icon(alt=alt):
            return alt
        case Pointer(letter=letter, elsewhere=elsewhere):
            return f"→ {', '.join(filter(None, (letter, elsewhere)))}"
        case Run(text=text) | Chip(text=text):
            return text


def drawn_text(inline: Inline) -> str:
    """Return the characters that are set: of a badge its letter, of an icon what is written in it."""
    return "".join(map(_drawn, inline))


def _drawn(part: Part) -> str:
    match part:
        case Mark(letter=letter):
            return letter
        case Pointer(letter=letter, elsewhere=elsewhere):
            return f"→ {', '.join(filter(None, (letter, elsewhere)))}"
        case Run(text=text) | Chip(text=text) | Icon(text=text):
            return text
