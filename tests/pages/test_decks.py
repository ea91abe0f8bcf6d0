"""A deck as a whole: its colour, the corners of its cards, the list of them all, who made it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from pypdf import PdfReader

from dtables.diagnostics import Diagnostic, Severity
from dtables.pages.compose import print_view
from dtables.pages.deck import LIST, stay_in_front
from dtables.pages.document import (
    Align,
    Block,
    Document,
    Entries,
    Grid,
    GridCell,
    GridColumn,
    GridRow,
    GridSection,
    Icon,
    Mark,
    Paper,
    Run,
    text_of,
)
from dtables.pages.files import Request, print_files
from dtables.pages.imposition import CARD_SIZES, Side, is_uneven
from dtables.pages.letters import text_width
from dtables.pages.paper import Purpose, Setting, print_paper
from dtables.pages.widths import narrowest
from tests.pages import sheets
from tests.pages.books import drawn
from tests.pages.pdf_text import pages_of
from tests.pages.sheets import block, card, document, scale, turn
from tests.support.reports import BOOKS, model_of

BOOK = """
Types: words
  name | names
  colour | red, green

Glossary: names
  kind | id | label en | colour
  colour | red | red | red
  colour | green | green | green
  term | card 1 | The turn |

Decision: first(colour: colour) -> text ; title en: First
  if | then
  colour | result
  red | "one"
  green | "two"

Decision: second(colour: colour) -> text ; title en: Second
  if | then
  colour | result
  red | "three"
  green | "four"

Pages: aid ; title en: Aid{properties}
  face | size | table | side | icon
  1a | A4 | first | |
  card 1 | tarot | first | | {icon}
  card 1 | tarot | second | back |
  card 2 | tarot | second | | red
"""


def made(properties: str = "", icon: str = "coin") -> tuple[Document, tuple[Diagnostic, ...]]:
    return print_view(drawn(BOOK.format(properties=properties, icon=icon)), "en")


def test_corner__an_icon_or_a_badge_beside_the_number() -> None:
    one, two = made()[0].cards
    assert [type(part) for part in (*one.marks, *two.marks)] == [Icon, Mark]
    assert (one.number, two.number) == (1, 2)


def test_corner__neither_icon_nor_badge() -> None:
    (found,) = (d for d in made(icon="dragon")[1] if d.code == "no-badge")
    assert found.message == "`dragon` is not an icon or a badge"


@pytest.mark.parametrize(("colour", "shade"), [("green", "#1c7a37"), ("#123456", "#123456")])
def test_colour__of_every_card(colour: str, shade: str) -> None:
    assert {card.colour for card in made(f" ; colour: {colour}")[0].cards} == {shade}


def test_title__is_not_said_twice() -> None:
    """Neither over the one block in front nor under the card's own title."""
    one = print_view(drawn(BOOK.format(properties="", icon="coin").replace(": First", ": The turn")), "en")
    assert (one[0].cards[0].title, one[0].cards[0].subtitle) == ("The turn", "")
    assert [block.title for block in one[0].cards[0].blocks] == ["", "Second"]


def test_colour__of_numbers_and_letters() -> None:
    """By what one finds one's way on a card is in its deck's colour."""
    steps = replace(block("turn", "Turn", turn("Roll.", "Move it.")), phase="turn", letter="")
    lettered_ = block("which", "Which", scale("The first", "The last"), letter="A")
    made = document(cards=(card(1, "Turn", "", steps, lettered_, colour="#8a1c1c"),))
    (file,), _ = print_paper((made,), Setting(purpose=Purpose.BLEED))
    (content,) = [page.get_contents() for page in PdfReader(io.BytesIO(file.content)).pages][:1]
    assert content is not None
    drawn_in = set(re.findall(rb"[0-9.]+ [0-9.]+ [0-9.]+ (?:rg|scn)", content.get_data()))
    navy = [colour for colour in drawn_in if colour.startswith(b"0.121")]
    assert drawn_in and navy == []


def test_colour__that_cannot_be_drawn() -> None:
    (found,) = (d for d in made(" ; colour: reddish")[1] if d.code == "no-badge")
    assert found.message == "`reddish` is no colour of a deck"


def listed(document: Document, title: str = "The cards") -> list[tuple[str, str]]:
    (block,) = (block for card in document.cards for block in card.blocks if block.key == LIST)
    assert isinstance(block.body, Entries) and block.title == title
    assert "book.xlsx, version" in text_of(block.foot).replace("build", "version")
    return [(text_of(row.label), text_of(row.text)) for row in block.body.rows]


def test_index__on_the_back_of_a_card() -> None:
    document = made(" ; index: card 2")[0]
    assert [block.title for block in document.cards[1].back] == ["The cards"]
    assert listed(document) == [("1", "The turn · over: Second"), ("2", "Second · over: The cards")]


def test_index__the_name_of_the_workbook_is_no_code() -> None:
    ruleset = drawn(BOOK.format(properties=" ; index: card 2", icon="coin"), "my_first_book.xlsx")
    document, found = print_view(ruleset, "en")
    assert "my_first_book.xlsx" in "".join(text_of(b.foot) for card in document.cards for b in card.blocks)
    assert [d.code for d in found if d.code in ("text-code", "missing-wording")] == []


def test_index__a_card_of_its_own() -> None:
    document = made(" ; index: all")[0]
    assert [(card.number, card.title) for card in document.cards][-1] == (3, "The cards")
    assert listed(document, "")[-1] == ("3", "The cards")


def test_index__says_the_date() -> None:
    ruleset = drawn(BOOK.format(properties=" ; index: all", icon="coin"))
    files, _ = print_files(ruleset, Request(languages=("en",), date="1 June 2026"))
    text = pages_of(next(file for file in files if "cards" in file.name).content)[0]
    assert text.count("1 June 2026") == 1


def test_credit__at_the_foot_of_sheets_and_cards() -> None:
    ruleset = drawn(BOOK.format(properties=" ; credit en: By Ada", icon="coin"))
    files, _ = print_files(ruleset, Request(languages=("en",)))
    texts = {file.name: pages_of(file.content) for file in files}
    assert "By Ada" in texts["book.en.pdf"][0]
    assert texts["book.en.cards.pdf"][0].count("By Ada") == 2


# -- what a print shop measures --------------------------------------------------------------------

MM = 72 / 25.4
BLEED, SAFE, APART = 3 * MM, 4 * MM, 2.5 * MM
FOOT_TYPE, CAPITALS = 6.0, 0.711


def lines(content: bytes) -> list[tuple[float, float, list[tuple[float, float, float, str]]]]:
    """Of each page its size, and of each piece of text where its line begins, its type and its words."""
    pages = []
    for page in PdfReader(io.BytesIO(content)).pages:
        found: list[tuple[float, float, float, str]] = []

        def note(text: str, at: list[float], matrix: list[float], _font: object, size: float) -> None:
            if text.strip():
                x = matrix[4] * at[0] + at[4]
                y = matrix[5] * at[3] + at[5]
                found.append((x, y, abs(size * matrix[0] * at[0]), text.strip()))  # noqa: B023

        page.extract_text(visitor_text=note)
        pages.append((float(page.mediabox.width), float(page.mediabox.height), found))
    return pages


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_sides__keep_clear_of_the_edges_and_of_the_foot_line(book: Path) -> None:
    """Of every side of every deck: body, foot line and title; legends in type that can be read."""
    request = Request(languages=("it", "en"), purpose=Purpose.BLEED)
    files, _ = print_files(model_of(book), request)
    assert files
    for file in files:
        for number, (width, height, found) in enumerate(lines(file.content), 1):
            where = f"{file.name}, page {number}"
            assert all(x >= BLEED + SAFE - 0.1 for x, *_ in found), where
            assert all(y >= BLEED + SAFE - 0.1 for _, y, *_ in found), where
            assert all(y + size * CAPITALS <= height - BLEED - SAFE + 0.1 for _, y, size, _ in found), where
            feet = [y for _, y, size, _ in found if abs(size - FOOT_TYPE) < 0.05]
            body = [y for _, y, size, _ in found if size > FOOT_TYPE + 0.05]
            if feet:
                assert min(body) - (min(feet) + FOOT_TYPE * CAPITALS) >= APART - 0.1, where
            assert all(
                x + text_width(text) * size * 0.9 <= width - BLEED - SAFE + 1 for x, _, size, text in found
            ), where
            assert not list(run_together(found)), where


def run_together(found: list[tuple[float, float, float, str]]) -> Iterator[tuple[str, str]]:
    """Lines one under another that are nearer than their letters are high."""
    boxes = [(x, x + text_width(text) * size * 0.85, y, size, text) for x, y, size, text in found]
    for one, other in combinations(boxes, 2):
        below = min(one[1], other[1]) - max(one[0], other[0]) > 2
        if below and 0.5 < abs(one[2] - other[2]) < 0.85 * min(one[3], other[3]):
            yield one[4], other[4]


# -- front and back --------------------------------------------------------------------------------


def rows(count: int) -> Block:
    return block("rows", "Rows", scale(*["a row of some words that takes a line or more of a card"] * count))


@pytest.mark.parametrize(
    ("front", "back", "stay"),
    [((4, 4), (), 2), ((12, 12), (), 1), ((14, 6), (14,), 2), ((6, 6, 6, 6), (), 2), ((30,), (), 1)],
    ids=["all fits", "halves", "a full back", "half of many", "one cannot be divided"],
)
def test_sides__what_the_author_leaves_open(front: tuple[int, ...], back: tuple[int, ...], stay: int) -> None:
    sides = [list(map(rows, counts)) for counts in (front, back)]
    assert stay_in_front(*sides, CARD_SIZES[Paper.TAROT]) == stay


LONG = BOOK.replace(
    "  card 1 | tarot | second | back |",
    "  card 1 | tarot | second | {side} |\n  card 1 | tarot | third | |",
).replace(
    "Pages: aid",
    "Decision: third(n: number) -> text ; title en: Third\n  if | then | text en\n  n | result |\n"
    + "".join(f'  {n} | "{n}" | what is done then, in a good many words\n' for n in range(20))
    + "\nPages: aid",
)


@pytest.mark.parametrize(("side", "behind"), [("", ["Third"]), ("front", [])])
def test_sides__the_author_is_believed(side: str, behind: list[str]) -> None:
    text = LONG.format(properties="", icon="coin", side=side)
    card = print_view(drawn(text), "en")[0].cards[0]
    assert [one.title for one in card.back] == behind


def test_uneven__a_crowded_side_and_a_thin_one() -> None:
    crowded, thin, full = Side(8.2, 0, 0), Side(10.4, 0, 0, full=0.3), Side(10.4, 0, 0, full=0.9)
    uneven = [is_uneven(*pair) for pair in ((crowded, thin), (thin, crowded), (crowded, full), (thin, full))]
    assert uneven == [True, True, False, False]
    assert is_uneven(crowded, None) and not is_uneven(full, None)


def test_uneven__is_said_once_for_all_languages() -> None:
    crowded = card(1, "Full", "", block("rows", "", scale(*["a row that takes a line of the card"] * 30)))
    decks = [sheets.document(cards=(crowded,), language=language) for language in ("it", "en")]
    (found,) = print_paper(decks, Setting())[1]
    assert (found.code, found.severity) == ("card-uneven", Severity.WARNING)
    assert found.message.endswith("pt, and nothing stands on the back")


# -- type ------------------------------------------------------------------------------------------


def test_type__is_not_set_by_one_wide_column() -> None:
    """Each column is as wide as it needs; equal ones would not fit in type that can be read."""
    names = ("Principiante assoluto", "A", "B", "C", "D")
    columns = tuple(GridColumn((Run(name),), "", choice=name) for name in names)
    row = GridRow((Run("one"),), tuple(GridCell((Run("1"),), 1, tinted=False) for _ in names))
    grid = block("grid", "", Grid("", columns, (GridSection("", "", "", (row,), Align.CENTER),)))
    assert narrowest(grid, on_card=True) * 10 < CARD_SIZES[Paper.TAROT].inner < narrowest(grid) * 8


# -- at home ---------------------------------------------------------------------------------------


def test_home__backs_lie_behind_fronts_across_the_gutter() -> None:
    """Turned on the long edge: what is first from the left in front is first from the right behind."""
    words = block("rows", "Rows", scale("one"))
    deck = [replace(card(n, f"Card {n}", "", words), back=(words,)) for n in (1, 2, 3)]
    (file,) = print_paper([sheets.document(cards=tuple(deck), language="en")], Setting())[0]
    found = [
        {text[text.index("card ") :][:6]: (x / MM, y / MM) for x, y, _, text in page if "card " in text}
        for _, _, page in lines(file.content)
    ]
    left, wide, gutter, inset = (210 - 2 * 70 - 3) / 2, 70, 3, 4
    first, second = left + inset, left + wide + gutter + inset
    front, back = [{name: round(x, 1) for name, (x, _) in page.items()} for page in found]
    assert front == {"card 1": first, "card 2": second, "card 3": first}
    assert back == {"card 1": second, "card 2": first, "card 3": second}
    rows = found[0]["card 1"][1] - found[0]["card 3"][1]
    assert round(rows, 1) == 120 + gutter
