"""Where pointers lead: letters over all sheets, what is over, other cards; on the decks of the games too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dtables.pages.compose import print_view
from dtables.pages.document import Block, Card, Document, Pointer, inlines, pointers_in
from dtables.pages.pointers import directed, lettered, over
from dtables.provenance import CellRef, Location
from tests.pages.sheets import block, card, document, face, scale, turn
from tests.support.reports import BOOKS, model_of


def led(made: Document) -> Document:
    return lettered(directed(made))


def drawn(blocks: tuple[Block, ...]) -> list[tuple[str, str]]:
    return [(pointer.letter, pointer.elsewhere) for each in blocks for pointer in pointers_in(each)]


def rows(key: str, title: str, text: str = "more") -> Block:
    return block(key, title, scale(text))


def test_letters__go_on_over_all_sheets() -> None:
    made = led(
        document(
            face("1a", "", block("go", "Turn", turn("Look at {two} and {four}.")), rows("one", "One")),
            face("1b", "", rows("two", "Two")),
            face("2a", "", rows("three", "Three"), rows("four", "Four", "as in {two}")),
            language="en",
        )
    )
    assert [(b.key, b.letter) for sheet in made.sheets for b in sheet.blocks] == [
        ("go", "A"), ("one", "B"), ("two", "C"), ("three", ""), ("four", "D"),
    ]  # fmt: skip
    assert drawn(made.sheets[0].blocks) == [("C", ""), ("D", "sheet 2")]
    assert drawn(made.sheets[2].blocks) == [("C", "sheet 1")]


def test_letters__after_z() -> None:
    many = [rows(f"t{n}", f"T{n}") for n in range(28)]
    made = led(document(face("1a", "", block("go", "Turn", turn("Go."), lettered=False), *many[:20]),
                        face("1b", "", *many[20:])))  # fmt: skip
    assert [b.letter for b in made.sheets[1].blocks][-3:] == ["Z", "AA", "AB"]


DECK = (
    card(
        1, "Turn", "", block("go", "Turn", turn("Do {here}, {back}, {other}, {many}, {paper}.")),
        rows("here", "Here"),
        back=(rows("back", "Back", "as in {here}"), rows("next", "Next", "as in {back}")),
    ),
    card(2, "Build", "", rows("other", "")),
    card(3, "MS", "Directions", rows("many", "Order")),
    card(4, "MC", "Directions", rows("many", "Order"), back=(rows("more", "More"),)),
)  # fmt: skip


def deck() -> Document:
    where = Location(CellRef("deck.xlsx", "Pages", 9, 1))
    cards = tuple(replace(c, where=where) if c.number < 3 else c for c in DECK)
    return led(document(face("1a", "", rows("paper", "Paper")), cards=cards, language="en"))


def test_cards__name_what_is_over_and_other_cards() -> None:
    turned = deck().cards[0]
    assert drawn(turned.front) == [
        ("A", ""), ("", "over"), ("", "card 2, Build"), ("", "Order, cards 3–4"), ("", "Paper, sheet 1"),
    ]  # fmt: skip
    assert drawn(turned.back) == [("", "front"), ("B", "")]


def test_cards__what_the_word_before_names_is_not_named_again() -> None:
    deck = (
        card(1, "Turn", "", block("go", "Turn", turn("Build {other}, or as in {other}."))),
        card(2, "Build", "", rows("other", "Build")),
    )
    made = led(document(cards=deck, language="en"))
    assert drawn(made.cards[0].front) == [("", "card 2"), ("", "card 2, Build")]


def test_cards__several_tables_over_have_their_titles() -> None:
    front = block("go", "Turn", turn("Do {one} and {two}."))
    made = card(1, "Turn", "", front, back=(rows("one", "First"), rows("two", "Second")))
    (only,) = led(document(cards=(made,))).cards
    assert drawn(only.front) == [("", "retro, First"), ("", "retro, Second")]


def test_cards__a_front_says_at_its_foot_what_is_over() -> None:
    words = {"over": "over"}
    first, second, _, fourth = deck().cards
    assert over(first, words) == "→ over", "its front points there: the title is in the text"
    assert over(second, words) == ""
    assert over(fourth, words) == "→ over: More"


# -- the games ----------------------------------------------------------------------------------


def made_for(book: Path, language: str) -> Document:
    return print_view(model_of(book), language)[0]


def sides(made: Document) -> Iterator[tuple[Card, tuple[Block, ...]]]:
    for each in made.cards:
        yield each, each.front
        yield each, each.back


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_decks__no_pointer_names_a_letter_that_is_not_on_its_side(book: Path, language: str) -> None:
    for each, blocks in sides(made_for(book, language)):
        letters = {b.letter for b in blocks if b.title}
        for pointer in (p for b in blocks for p in pointers_in(b)):
            assert (pointer.letter in letters) if pointer.letter else pointer.elsewhere, (each.name, pointer)


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_sheets__each_letter_is_one_table(book: Path) -> None:
    """And every pointer has one, or says on which card."""
    made = made_for(book, "it")
    of = {(b.letter, b.key) for sheet in made.sheets for b in sheet.blocks if b.letter}
    assert len({letter for letter, _ in of}) == len(of)
    parts = (part for s in made.sheets for b in s.blocks for text in inlines(b) for part in text)
    bare = [part for part in parts if isinstance(part, Pointer) and not (part.letter or part.elsewhere)]
    assert bare == []
