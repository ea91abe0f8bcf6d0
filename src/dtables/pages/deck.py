"""A deck of cards as a whole: its colour, what stands at the corner of each card, the list of them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from dtables.diagnostics import Diagnostic
from dtables.model.tables import Pages
from dtables.pages import messages
from dtables.pages.badges import colour_of, is_colour
from dtables.pages.document import (
    Block,
    Card,
    Entries,
    Entry,
    Grid,
    Inline,
    Orders,
    Procedure,
    Run,
    Steps,
    Style,
    text_of,
    texts_in,
)
from dtables.pages.imposition import LARGEST, CardSize
from dtables.pages.markup import Markup
from dtables.pages.widths import rows_of
from dtables.pages.words import furniture
from dtables.provenance import CellRef, Location
from dtables.wording.phrases import phrases_in

LIST = "(cards)"
"""The block that lists all cards: no table has such a name."""


@dataclass(frozen=True, slots=True)
class Deck:
    """What a workbook's pages say of its cards together."""

    colour: str
    index: str
    where: CellRef

    @property
    def unknown(self) -> Iterator[Diagnostic]:
        """A colour that cannot be drawn."""
        if self.colour and not is_colour(self.colour):
            yield messages.no_colour(self.where, self.colour, "a deck")

    def of(self, cards: Sequence[Card], language: str, made_of: str) -> tuple[Card, ...]:
        """The cards in the deck's colour, numbered, with the list of them where it is asked for."""
        shade = colour_of(self.colour) if is_colour(self.colour) else ""
        own = [replace(card, number=n, colour=shade) for n, card in enumerate(cards, 1)]
        if not own or not self.index:
            return tuple(own)
        name = furniture(language)["deck"]
        if not any(card.name == self.index for card in own):
            where = Location(self.where)
            last = Card(self.index, name, "", (), (), (), where, len(own) + 1, (), own[-1].paper, shade)
            own.append(last)
        listed = _listed(own, self.index, language, made_of, self.where)
        return tuple(_with(card, listed) if card.name == self.index else card for card in own)


def deck_of(pages: Sequence[Pages]) -> Deck:
    """The deck of all tables of pages: the first that says something of it counts."""
    said = next((one for one in pages if one.colour or one.index), pages[0] if pages else None)
    if said is None:
        return Deck("", "", CellRef("", "", 1, 1))
    return Deck(said.colour, said.index, said.heading.where.cell)


def dated(card: Card, date: str) -> Card:
    """The list of all cards says when it was printed, where that is said at all."""
    if not date or not any(block.key == LIST for block in card.blocks):
        return card

    def with_date(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        said = Run(f", {date}")
        return tuple(replace(b, foot=(*b.foot, said)) if b.key == LIST else b for b in blocks)

    return replace(card, front=with_date(card.front), back=with_date(card.back))


def corner(code: str, markup: Markup) -> Inline | None:
    """The icon or badge of that name; None where there is none."""
    name = code.strip("{} ")
    drawn = markup.icon(name) or markup.badge(name)
    return None if drawn is None else (drawn,)


# -- front and back --------------------------------------------------------------------------------

LINE, LETTER = 1.21, 0.46
"""How high a line is, and how wide a letter, in ems: roughly."""
TITLE_LINES, GRID_ROW = 1.6, 1.2
WORTH_TURNING = 0.85
"""A table goes to the back where the fuller side then holds so much less."""


def stay_in_front(front: Sequence[Block], back: Sequence[Block], size: CardSize) -> int:
    """Return how many blocks stay in front, of a card whose author leaves that open. All of them where
    they fit in the largest type, or where the back would be as full as the front is."""
    weights = [_lines(block, size) for block in front]
    behind = sum(_lines(block, size) for block in back)
    if sum(weights) * LINE * LARGEST <= size.room:
        return len(front)
    fullest = [max(sum(weights[:n]), sum(weights[n:]) + behind) for n in range(1, len(front) + 1)]
    best = min(range(len(front)), key=fullest.__getitem__)
    return best + 1 if fullest[best] <= WORTH_TURNING * fullest[-1] else len(front)


def _lines(block: Block, size: CardSize) -> float:
    """About how many lines of the largest type it takes, with its title: a row ends in half a line."""
    letters = size.inner / LARGEST / LETTER
    text = sum(len(text_of(text)) for text in texts_in(block.body)) + len(text_of(block.foot))
    match block.body:
        case Grid(sections=sections):
            lines = GRID_ROW * (rows_of(sections) + 1)
        case Orders():
            lines = text / letters
        case Steps(rows=rows) | Entries(rows=rows) | Procedure(rows=rows):
            lines = text / letters + 0.5 * len(rows)
    return TITLE_LINES + lines


# -- the list of all cards -------------------------------------------------------------------------


def _with(card: Card, listed: Block) -> Card:
    """A card that holds nothing but the list has it in front, under its own title."""
    if not card.front:
        return replace(card, front=(replace(listed, title=""),))
    return replace(card, back=(*card.back, listed))


def _listed(cards: Sequence[Card], index: str, language: str, made_of: str, where: CellRef) -> Block:
    words = furniture(language)
    rows = []
    for _, group in groupby(cards, key=lambda card: card.name.partition(" · ")[0]):
        alike = list(group)
        number = str(alike[0].number)
        if len(alike) > 1 and alike[0].subtitle:
            number = phrases_in(language).interval(number, str(alike[-1].number))
            title = alike[0].subtitle
        else:
            title = alike[0].title
        over = [block.title for block in alike[0].back if block.title]
        if alike[0].name == index and alike[0].front:
            over.append(words["deck"])
        behind = (Run(f" · {words['over']}: {', '.join(over)}", Style.QUIET),) if over else ()
        label = (Run(number, Style.RANK),)
        rows.append(Entry((), label, (Run(title), *behind), (), (), where))
    body = Entries(tuple(rows))
    foot = (Run(made_of),)
    return Block(LIST, words["deck"], "", "", body, Location(where), foot=foot, lettered=False)
