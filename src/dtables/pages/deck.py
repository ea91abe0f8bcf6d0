"""A deck of cards as a whole: its colour, what stands at the corner of each card, the list of them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from dtables.diagnostics import Diagnostic
from dtables.model.tables import Pages
from dtables.pages import messages
from dtables.pages.badges import colour_of, is_colour
from dtables.pages.document import Block, Card, Entries, Entry, Inline, Run, Style
from dtables.pages.markup import Markup
from dtables.pages.words import furniture
from dtables.provenance import CellRef, Location
from dtables.wording.phrases import phrases_in


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


def corner(code: str, markup: Markup) -> Inline | None:
    """The icon or badge of that name; None where there is none."""
    name = code.strip("{} ")
    drawn = markup.icon(name) or markup.badge(name)
    return None if drawn is None else (drawn,)


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
    return Block("", words["deck"], "", "", body, Location(where), foot=foot, lettered=False)
