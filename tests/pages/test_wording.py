"""The author's own wording on a page: what is bold, what is a condition, what a row speaks of."""

from __future__ import annotations

import pytest

from dtables.pages.badges import COLOURS, PageLabels
from dtables.pages.document import Icon, Mark, Pointer, Run
from dtables.pages.markup import Markup, Wording
from dtables.pages.steps import mentions, split_condition
from tests.pages.books import depot


def runs(text: str, *, led: bool = True) -> list[tuple[str, str]]:
    names = PageLabels(depot(), "en")
    inline = Markup(names).read(Wording(text, led=led)).inline
    return [(run.style.value, run.text) for run in inline if isinstance(run, Run)]


def test_stars__pairs_are_bold_and_other_asterisks_are_typed() -> None:
    assert runs("the *cheapest* of 2 * 3 * 4", led=False) == [
        ("plain", "the "),
        ("bold", "cheapest"),
        ("plain", " of 2 * 3 * 4"),
    ]
    assert runs("5 * x *") == [("plain", "5 * x *")]


def test_what_leads_a_wording_is_bold() -> None:
    assert runs("No good: roll for two") == [("bold", "No good:"), ("plain", " roll for two")]
    assert runs("Cat. Turn it up. Then draw.") == [("bold", "Cat."), ("plain", " Turn it up. Then draw.")]
    assert runs("Wins at once? Yes, *now*.")[:2] == [("bold", "Wins at once?"), ("plain", " Yes, ")]
    assert runs("*Cat.* Turn it up") == [("bold", "Cat."), ("plain", " Turn it up")]
    assert runs("*You*: your turn") == [("bold", "You:"), ("plain", " your turn")]
    assert runs("Grey, and of use") == [("plain", "Grey, and of use")]
    assert runs("It takes the leftmost.") == [("plain", "It takes the leftmost.")]
    assert runs("It looks at all of the cards first. Then it draws")[0][0] == "plain"
    assert runs("Ends with a colon:") == [("plain", "Ends with a colon:")]
    assert runs("Cheapest, *really*") == [("plain", "Cheapest, "), ("bold", "really")]


def test_braces__a_table_whose_name_begins_as_an_icon() -> None:
    """`order` is drawn; `order in force` can only be the table."""
    markup = Markup(PageLabels(depot(), "en"), frozenset({"order in force"}))
    assert markup.text("{order in force}") == (Pointer("order in force"),)
    assert markup.text("{order 3}") == (Icon("order", "3", "order 3"),)


def test_braces__in_words() -> None:
    """Explanations say what pages draw."""
    names = PageLabels(depot(), "en")
    text = "Pay {coin 3} for a {red}: {1}, {eye} then {what is this}."
    assert names.words((("en", text),)) == "Pay 3 coins for a red, then {what is this}."


def test_braces__icons_badges_and_pointers() -> None:
    markup = Markup(PageLabels(depot(), "it"), frozenset({"load", "toll"}), frozenset({"gate"}))
    text = "Paga {coin 3} per {red} o {red/blue}: → {1}, {toll}, {3}, {what is this}."
    reading = markup.read(Wording(text, ("load", "parcel", "gate")))
    assert reading.inline == (
        Run("Paga "),
        Icon("coin", "3", "moneta 3"),
        Run(" per "),
        Mark((COLOURS["red"],), "shield", "R", "rossa"),
        Run(" o "),
        Mark((COLOURS["red"], COLOURS["blue"]), "shield", "R/B", "rossa o blu"),
        Run(": "),
        Pointer("load"),
        Run(", "),
        Pointer("toll"),
        Run(", qui sotto, {what is this}."),
    )


def test_pointers_that_no_brace_mentions_come_at_the_end() -> None:
    markup = Markup(PageLabels(depot(), "en"), frozenset({"load", "toll"}))
    assert markup.read(Wording("Do it.", ("load", "toll", "parcel"))).inline == (
        Run("Do it "), Pointer("load"), Run(" "), Pointer("toll"), Run("."),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "language", "wanted"),
    [
        ("Scopre una carta, se è tardi", "it", ("Scopre una carta", "è tardi")),
        ("Se è tardi: la prima", "it", ("La prima", "è tardi")),
        ("Reveals a card, if it is late.", "en", ("Reveals a card", "it is late")),
        ("If late: the first", "en", ("The first", "late")),
        ("Red, unless it is late", "en", ("Red, unless it is late", "")),
        ("Sette: una", "it", ("Sette: una", "")),
    ],
)
def test_split_condition(text: str, language: str, wanted: tuple[str, str]) -> None:
    assert split_condition(text, language) == wanted


def test_mentions__in_any_form() -> None:
    assert mentions("Propaganda: rossa con corni", "Rossa con un corno")
    assert mentions("red cards", "red")
    assert not mentions("the discards", "Mausoleum")


@pytest.mark.parametrize(
    ("said", "label", "expected"),
    [
        ("the yellow one", "yellow", True),
        ("una gialla", "giallo", True),
        ("Ra: a wonder is left", "Ra", True),
        ("the player builds a structure", "Ra", False),
        ("costruire una struttura", "Ra", False),
        ("a card is left", "red", False),
        ("a crate of an uncle", "Unix crate", False),
        ("the unix crates", "Unix crate", True),
    ],
)
def test_mentions__short_names_are_whole_words(said: str, label: str, expected: bool) -> None:
    assert mentions(said, label) is expected
