"""Cards: how large their type is, how they lie on paper, what a print shop needs."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from pypdf import PdfReader

from dtables.pages.document import Card, Document, Icon, Paper
from dtables.pages.icons import DRAWINGS, grey, in_grey, svg
from dtables.pages.imposition import CARD_SIZES, Table, imposed, table_of
from dtables.pages.paper import Printed, Purpose, Setting, print_paper
from tests.pages.pdf_text import pages_of
from tests.pages.sheets import CONCORDIA_BUILD, CONCORDIA_TURN, block, card, document, scale

A4, LETTER = (210.0, 297.0), (215.9, 279.4)


def deck(*cards: Card) -> Document:
    return document(cards=cards, language="en", title="Concordia")


def printed(made: Document, **setting: object) -> tuple[Printed, ...]:
    files, found = print_paper([made], replace(Setting(), **setting))  # type: ignore[arg-type]
    assert not found
    return files


def test_table_of__as_many_as_the_paper_takes() -> None:
    sizes = {paper: (table_of(size, *A4), table_of(size, *LETTER)) for paper, size in CARD_SIZES.items()}
    assert sizes == {
        Paper.TAROT: (Table(2, 2), Table(2, 2)),
        Paper.POKER: (Table(3, 3), Table(3, 3, gutter=2.0)),
        Paper.MINI: (Table(4, 4), Table(4, 3)),
    }


def test_imposed__a_back_lies_behind_its_front() -> None:
    sides = [({"front": n}, {"back": n}) for n in range(5)]
    fronts, backs, *_ = imposed(sides, Table(2, 2))
    places = {spot["face"]["front"]: (spot["column"], spot["row"]) for spot in fronts}
    behind = {spot["face"]["back"]: (1 - spot["column"], spot["row"]) for spot in backs}
    assert places == behind


def test_cards__front_and_back() -> None:
    (file,) = printed(deck(CONCORDIA_TURN, CONCORDIA_BUILD))
    fronts, backs = pages_of(file.content)
    assert file.name == "duel.en.cards.pdf"
    assert "Roll for the action" in fronts and "Down to brick nothing: no house." in fronts
    assert "card 1 of 2" in fronts and "card 2 of 2" in fronts
    assert backs.startswith("Concordia 1") and "Concordia 2" in backs


def test_cards__small_ones_lie_together() -> None:
    rows = block("rows", "Rows", scale("one", "two", "three"))
    cards = [card(n, f"Card {n}", "", rows, paper=Paper.POKER) for n in range(1, 11)]
    (file,) = printed(deck(*cards, card(11, "Mini", "", rows, paper=Paper.MINI)))
    pages = pages_of(file.content)
    assert len(pages) == 6, "nine and one of poker, one of mini, and their backs"
    assert pages[0].count("three") == 9 and pages[2].count("three") == 1 and "Mini" in pages[4]


@pytest.mark.parametrize(("paper", "size"), [(Paper.POKER, (63, 88)), (Paper.MINI, (44, 68))])
def test_bleed__boxes_of_each_size(paper: Paper, size: tuple[int, int]) -> None:
    (file,) = printed(
        deck(card(1, "Card", "", block("rows", "", scale("one")), paper=paper)), purpose=Purpose.BLEED
    )
    assert (file.folder, file.name) == ("bleed", "duel.en.cards.pdf")
    for page in PdfReader(io.BytesIO(file.content), strict=True).pages:
        sides = [round(float(side) / 72 * 25.4) for side in page.trimbox]
        assert (sides[2] - sides[0], sides[3] - sides[1]) == size
        assert [round(float(side) / 72 * 25.4) for side in page.bleedbox] == [0, 0, size[0] + 6, size[1] + 6]


def test_proof__what_players_do_not_see_fits_too() -> None:
    """In smaller type; a deck of players' is refused."""
    rows = [f"one row of many, with a good many words in it: {n}" for n in range(40)]
    full = deck(card(1, "Full", "", block("rows", "", scale(*rows))))
    _, found = print_paper([full], Setting())
    assert [d.code for d in found] == ["page-overflow"]
    (file,) = printed(full, purpose=Purpose.PROOF)
    assert all(row in pages_of(file.content)[0] for row in rows)


def test_cards__the_same_type_in_both_languages() -> None:
    """The longer language decides; a card of another language alone would be larger."""
    long = replace(
        CONCORDIA_BUILD, front=(*CONCORDIA_BUILD.front, block("more", "", scale(*["one more row"] * 6)))
    )
    short = deck(CONCORDIA_BUILD)
    alone = print_paper([short], Setting())[0][0].content
    english = replace(deck(long), language="it", name="other")
    together = print_paper([short, english], Setting())[0]
    assert alone != together[0].content


# -- icons -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DRAWINGS)
def test_icons__have_a_name_that_is_spoken(name: str) -> None:
    drawing = svg(Icon(name, "3", "three of them"))
    assert drawing.startswith("<svg") and "<title>three of them</title>" in drawing


def test_icons__unknown_ones_are_boxes() -> None:
    assert "<rect" in svg(Icon("dragon", "", "dragon"))


def test_icons__in_grey() -> None:
    assert grey("#ff0000") == "#4c4c4c"
    assert in_grey('fill="#ffd95a"') == 'fill="#d6d6d6"'
