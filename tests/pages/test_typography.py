"""Quotes are curly, and what belongs together stays on one line; ids and codes stay as they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dtables.pages.document import (
    Align,
    Document,
    Grid,
    GridCell,
    GridColumn,
    GridRow,
    GridSection,
    Inline,
    Run,
    Steps,
    drawn_text,
)
from dtables.pages.typography import well_set
from tests.pages.sheets import CELL, block, card, document, face, scale, turn

_SHOWN = {0xA0: "~", 0x2060: "|"}


def shown(inline: Inline) -> str:
    """`~` is a space at which no line is broken, `|` nothing at all, `→ ` a pointer."""
    return drawn_text(inline).translate(_SHOWN)


def text(typed: str, language: str = "en") -> str:
    body = well_set(document(face("1a", "", block("a", "A", scale(typed))), language=language)).sheets[0]
    steps = body.blocks[0].body
    assert isinstance(steps, Steps)
    return shown(steps.rows[0].text)


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("the Opponent's deck", "the Opponent’s deck"),
        ("the players' decks", "the players’ decks"),
        ('"all free" and "none"', "“all free” and “none”"),
        ("called 'the cat'", "called ‘the cat’"),
        ("'Tis the player's", "’Tis the player’s"),
        ('say *"yes"*', "say “yes”"),
        ('("why?")', "(“why?”)"),
        ('a disc of 5"', 'a disc of 5"'),
        ("an Opponent's {r}'s", "an Opponent’s R|’s"),
    ],
)
def test_quotes(typed: str, printed: str) -> None:
    assert text(typed) == printed


def test_quotes__in_italian_as_elsewhere() -> None:
    assert text("L'Automa: più d'una, \"tutt'e due\"", "it") == "L’Automa: più d’una, “tutt’e due”"


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("card 4, cards 4–9 (step 6)", "card~4, cards~4–|9 (step~6)"),
        ("2 coins and 1 for each", "2~coins and 1~for each"),
        ("glass −1. Value 2, or 32", "glass~−1. Value~2, or~32"),
        ("from Age II, round V", "from Age~II, round~V"),
        ("at random°. 20 °C", "at random|°. 20 °C"),
        ("as in {elsewhere}: take", "as in → : take"),
        ("{=die 1}{=die 2} yours", "1|2 yours"),
        ("{=die 1} to {=die 3} yours", "1~to~3 yours"),
        ("a {=post}; ({=cat})", "a |; (||)"),
        ("takes 2 {=coin}", "takes 2~"),
        ("an act of II acts", "an act of~II~acts"),
        ("{=cat} It has the cat", "~It has the cat"),
        ("Liberty, Messe → you choose", "Liberty, Messe →~you choose"),
    ],
)
def test_what_stays_on_one_line(typed: str, printed: str) -> None:
    assert text(typed).replace("→ |", "→ ") == printed


def test_italian_numbers_stay_with_what_they_number() -> None:
    assert text("carta 4, passi 4 e 5, riga 2 di A", "it") == "carta~4, passi~4~e~5, riga~2~di A"
    assert text("foglio 2, fogli 2–3, facce 1 e 2; fine 3", "it") == (
        "foglio~2, fogli~2–|3, facce~1~e~2; fine~3"
    )


def test_a_pointer_stays_with_the_word_before_it_and_the_sign_behind() -> None:
    steps = turn("Look at {one}: do it.")
    made = document(face("1a", "", block("go", "Turn", steps), block("one", "One", scale("x"), letter="A")))
    rows = well_set(_pointed(made)).sheets[0].blocks[0].body.rows  # type: ignore[union-attr]
    assert shown(rows[0].text) == "Look at~→ B|: do it."  # type: ignore[union-attr]


def _pointed(made: Document) -> Document:
    from dtables.pages.pointers import lettered

    return lettered(made)


def test_heads_and_titles_are_set_too__ids_are_not() -> None:
    here = block("the bot's", "The bot's turn", scale("x"), "the first that's possible", "See 'this'.")
    here = replace(here, proof=("Turn!A4", "bot's"))
    made = document(
        face("1a", "Solo's", here), cards=(card(1, "Bot's", "it's", here),), title="The bot's game"
    )
    done = well_set(made)
    (sheet,), (only,) = done.sheets, done.cards
    assert (done.title, sheet.title, only.title, only.subtitle) == (
        "The bot’s game", "Solo’s", "Bot’s", "it’s",
    )  # fmt: skip
    assert [(b.title, b.subtitle) for b in (*sheet.blocks, *only.front)] == [
        ("The bot’s turn", "the first that’s possible")
    ] * 2
    assert shown(sheet.blocks[0].foot) == "See ‘this’."
    assert (sheet.blocks[0].key, sheet.blocks[0].proof) == ("the bot's", ("Turn!A4", "bot's"))


def test_subtitles__no_short_word_is_alone_on_a_line() -> None:
    here = block("bot", "Bot", scale("x"), "the opponents take no turns: move it")
    (done,) = well_set(document(face("1a", "", here))).sheets[0].blocks
    assert shown((Run(done.subtitle),)) == "the opponents take no turns: move~it"


def test_cells__a_few_numbers_are_read_as_one() -> None:
    def cell(*parts: str) -> str:
        row = GridRow((), (GridCell(tuple(map(Run, parts)), 1, False),), CELL)
        grid = Grid("", (GridColumn((), ""),), (GridSection("", "", "", (row,), Align.CENTER),))
        body = well_set(document(face("1a", "", block("grid", "Grid", grid)))).sheets[0].blocks[0].body
        assert isinstance(body, Grid)
        return shown(body.sections[0].rows[0].cells[0].text)

    assert (cell("9, 11, 13"), cell("9", ", ", "11")) == ("9,~11,~13", "9,~11")
    assert cell("9, 11 or more") == "9, 11 or more"


def test_cells__break_between_any_words() -> None:
    from dtables.pages.compose import print_view
    from tests.pages.books import depot

    made = well_set(print_view(depot(), "en")[0])
    grids = [b.body for s in made.sheets for b in s.blocks if isinstance(b.body, Grid)]
    cells = [shown(c.text) for g in grids for s in g.sections for r in s.rows for c in r.cells]
    assert cells and not any("~" in cell.replace("~›", "") for cell in cells)
