"""Where pointers lead: the letters of blocks, and in words what stands on another sheet or card.

Letters go on over all sheets, in the order in which they are read: a game has one B. Cards have letters of
their own, for what stands on the same side; the other side is named, and so is another card."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from string import ascii_uppercase

from dtables.pages.document import (
    Block,
    Card,
    Document,
    Inline,
    Pointer,
    Procedure,
    Run,
    Sheet,
    mapped,
    pointers_in,
)
from dtables.pages.words import furniture
from dtables.wording.phrases import phrases_in

Blocks = tuple[Block, ...]


# -- letters ----------------------------------------------------------------------------------------


def lettered(document: Document, order: Sequence[Sequence[str]] | None = None) -> Document:
    """Give blocks their letters, and the pointers to them. `order` are the keys of each sheet's blocks as
    they are read; without it the workbook's own order."""
    read = order or [[block.key for block in sheet.blocks] for sheet in document.sheets]
    turns = {s.leaf for s in document.sheets if any(isinstance(b.body, Procedure) for b in s.blocks)}
    led = {b.key for s in document.sheets if s.leaf in turns for b in s.blocks if b.lettered}
    blocks = [
        _block_of(sheet, key) for sheet, keys in zip(document.sheets, read, strict=True) for key in keys
    ]
    letters = _letters(blocks, {p.key for block in blocks for p in pointers_in(block)} | led)
    sheets = tuple(
        replace(sheet, blocks=tuple(_lettered(block, letters) for block in sheet.blocks))
        for sheet in document.sheets
    )
    loose = tuple(_lettered(block, letters) for block in document.cards_only)
    cards = tuple(map(_with_letters, document.cards))
    return replace(document, sheets=sheets, cards=cards, cards_only=loose)


def _with_letters(card: Card) -> Card:
    """What is said in words has no letter."""
    sides = []
    wanted = {p.key for block in card.blocks for p in pointers_in(block) if not p.elsewhere}
    own = _letters(card.blocks, wanted)
    for side in (card.front, card.back):
        near = {key: letter for key, letter in own.items() if _holds(side, key)}
        sides.append(tuple(_lettered(block, near) for block in side))
    return replace(card, front=sides[0], back=sides[1])


def _block_of(sheet: Sheet, key: str) -> Block:
    return next(block for block in sheet.blocks if block.key == key)


def _letters(blocks: Sequence[Block], wanted: Iterable[str]) -> dict[str, str]:
    """Letters by key, in the order of the blocks; those of the workbook's author stay."""
    keys = set(wanted)
    met = {block.key: block for block in blocks if not keys.isdisjoint((block.key, *block.keys))}
    taken = {block.letter for block in met.values() if block.own_letter}
    free = (letter for letter in _alphabet() if letter not in taken)
    found: dict[str, str] = {}
    for block in met.values():
        letter = block.letter if block.own_letter else next(free)
        found.update(dict.fromkeys((block.key, *block.keys), letter))
    return found


def _alphabet() -> Iterator[str]:
    yield from ascii_uppercase
    for first in ascii_uppercase:
        yield from (first + second for second in ascii_uppercase)


def _lettered(block: Block, letters: Mapping[str, str]) -> Block:
    def change(pointer: Pointer, _: str) -> Pointer:
        return replace(pointer, letter=letters.get(pointer.key, ""))

    return replace(_changed(block, change), letter=letters.get(block.key, ""))


def _changed(block: Block, change: Callable[[Pointer, str], Pointer]) -> Block:
    """Return the block with each of its pointers changed; `change` is given the text before it, too."""

    def within(inline: Inline) -> Inline:
        if not any(isinstance(part, Pointer) for part in inline):
            return inline
        before = ("", *(part.text if isinstance(part, Run) else "" for part in inline))
        return tuple(
            change(part, text) if isinstance(part, Pointer) else part
            for part, text in zip(inline, before, strict=False)
        )

    return replace(block, body=mapped(block.body, within), foot=within(block.foot))


# -- what stands elsewhere ---------------------------------------------------------------------------


def directed(document: Document) -> Document:
    """Return the document with its pointers to other sheets, cards and sides in words."""
    around = _Around(document)
    sheets = tuple(
        replace(sheet, blocks=_with_directions(sheet.blocks, partial(around.from_sheet, sheet.leaf)))
        for sheet in document.sheets
    )
    cards = []
    for card in document.cards:
        front, back = (
            _with_directions(side, partial(around.from_card, card, side)) for side in (card.front, card.back)
        )
        cards.append(replace(card, front=front, back=back))
    return replace(document, sheets=sheets, cards=tuple(cards))


def _with_directions(blocks: Blocks, elsewhere: Callable[[str], str]) -> Blocks:
    def named(pointer: Pointer, before: str) -> Pointer:
        """What the word before names already is not named again: `Build → card 2`."""
        said = elsewhere(pointer.key)
        place, _, title = said.partition(", ")
        again = bool(title) and before.rstrip(" →:").casefold().endswith(title.casefold())
        return replace(pointer, elsewhere=place if again else said)

    return tuple(_changed(block, named) for block in blocks)


class _Around:
    """What is where, for pointers of one document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.words = furniture(document.language)

    def from_sheet(self, leaf: str, key: str) -> str:
        """Nothing for a block of the same sheet of paper."""
        leaves = [sheet.leaf for sheet in self.document.sheets if _holds(sheet.blocks, key)]
        if leaf in leaves:
            return ""
        return self.words["sheet"].format(leaves[0]) if leaves else self._on_cards(key)

    def from_card(self, card: Card, side: Blocks, key: str) -> str:
        """Nothing for a block of the same side."""
        if _holds(side, key):
            return ""
        if _holds(card.blocks, key):
            return self._over(card, key)
        return self._on_cards(key) or self._on_sheets(key)

    def _over(self, card: Card, key: str) -> str:
        """`over`; where this side points to several tables there also which."""
        here, other, word = card.front, card.back, "over"
        if not _holds(other, key):
            here, other, word = other, here, "front"
        pointed = {p.key for block in here for p in pointers_in(block)}
        met = [block for block in other if not pointed.isdisjoint((block.key, *block.keys))]
        title = next(block.title for block in met if block.is_of(key)) if len(met) > 1 else ""
        return ", ".join(filter(None, (self.words[word], title)))

    def _on_sheets(self, key: str) -> str:
        for sheet in self.document.sheets:
            for block in sheet.blocks:
                if block.is_of(key):
                    return ", ".join(filter(None, (block.title, self.words["sheet"].format(sheet.leaf))))
        return ""

    def _on_cards(self, key: str) -> str:
        """`card 2, Build`; of several in a row `Directions, cards 4–9`."""
        found = [
            (card, next(b for b in card.blocks if b.is_of(key)))
            for card in self.document.cards
            if _holds(card.blocks, key)
        ]
        if not found:
            return ""
        first, block = found[0]
        alike = [card.number for card, _ in found if card.where == first.where]
        if len(alike) < 2:
            return f"{self.words['card'].format(first.number)}, {block.title or first.title}"
        phrases = phrases_in(self.document.language)
        numbers = self.words["cards"].format(phrases.interval(str(alike[0]), str(alike[-1])))
        return ", ".join(filter(None, (block.title or first.subtitle, numbers)))


def over(card: Card, words: Mapping[str, str]) -> str:
    """What the foot of a card's front says of its back: `→ over`, with what stands there if the front never
    points to it."""
    if not card.back:
        return ""
    pointed = {pointer.key for block in card.front for pointer in pointers_in(block)}
    titles = list(dict.fromkeys(block.title for block in card.back if block.title))
    if any(_holds(card.back, key) for key in pointed) or not titles:
        return f"→ {words['over']}"
    return f"→ {words['over']}: {', '.join(titles)}"


def _holds(blocks: Iterable[Block], key: str) -> bool:
    return any(block.is_of(key) for block in blocks)
