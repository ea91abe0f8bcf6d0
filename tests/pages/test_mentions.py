"""Whether a wording speaks of a name already, so that the page need not say it again."""

from __future__ import annotations

import pytest

from dtables.pages.steps import mentions


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
