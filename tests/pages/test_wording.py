"""The author's own wording on a page: what is bold, what is a condition, what a row speaks of."""

from __future__ import annotations

import pytest

from dtables.pages.document import starred, text_of, worded
from dtables.pages.steps import mentions, split_condition


def runs(inline: object) -> list[tuple[str, str]]:
    return [(run.style.value, run.text) for run in inline]


def test_starred__pairs_are_bold_and_other_asterisks_are_typed() -> None:
    assert runs(starred("the *cheapest* of 2 * 3 * 4")) == [
        ("plain", "the "),
        ("bold", "cheapest"),
        ("plain", " of 2 * 3 * 4"),
    ]
    assert text_of(starred("5 * x *")) == "5 * x *"


def test_worded__what_leads_before_a_colon_is_bold_where_nothing_is_starred() -> None:
    assert runs(worded("No good: roll for two")) == [("bold", "No good"), ("plain", ": roll for two")]
    assert runs(worded("Grey, and of use")) == [("plain", "Grey, and of use")]
    assert runs(worded("By chance")) == [("plain", "By chance")]
    assert runs(worded("Ends with a colon:")) == [("plain", "Ends with a colon:")]
    assert runs(worded("Cheapest, *really*")) == [("plain", "Cheapest, "), ("bold", "really")]


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
