"""What a wording says elsewhere than on a page."""

from __future__ import annotations

import pytest

from dtables.wording.labels import labels_of, spoken_instead
from tests.pages.books import DEPOT, drawn


@pytest.mark.parametrize(
    ("text", "italian", "english"),
    [
        ("*pays* 3 {1}.", "pays 3.", "pays 3."),
        ("as in {toll}", "as in → Pedaggio", "as in → Toll"),
        ("a {red} one", "a rossa one", "a red one"),
        ("a {colour.red} one", "a rossa one", "a red one"),
        ("{red/green} ones", "rossa o verde ones", "red or green ones"),
        ("pays {coin 3}", "pays 3 monete", "pays 3 coins"),
        ("pays {coin 1}", "pays 1 moneta", "pays 1 coin"),
        ("rolls {die 4}", "rolls dado 4", "rolls die 4"),
        ("a card {card}, once", "a card, once", "a card, once"),
        ("it goes: {1}.", "it goes.", "it goes."),
        ("{item} is late", "{item} is late", "{item} is late"),
    ],
)
def test_what_pages_draw_is_said(text: str, italian: str, english: str) -> None:
    model = drawn(DEPOT)
    said = tuple(labels_of(model, language).words((("", text),)) for language in ("it", "en"))
    assert said == (italian, english)


def test_language__that_a_workbook_lacks_gives_way_to_english() -> None:
    depot = drawn(DEPOT)
    assert [spoken_instead(depot, language) for language in ("it", "en", "de")] == ["", "", "en"]
    silent = drawn(
        "Input: state\nfield | type\ncoins | number\n\n"
        "Ask: a ; main: yes\nrole | name | is\nanswer | x | coins"
    )
    assert spoken_instead(silent, "it") == ""
