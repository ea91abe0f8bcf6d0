"""The cells of condition columns."""

from __future__ import annotations

import pytest

from dtables.feel.types import BOOLEAN, NUMBER, TEXT, ListType, Type, optional
from tests.checker.small_world import CARD, COLOUR, GOD, MODE, check_cell, check_tests, scope


@pytest.mark.parametrize(
    ("text", "subject", "checked"),
    [
        ("-", NUMBER, ""),
        ("", COLOUR, ""),
        ("3", NUMBER, "3"),
        (">= 3", NUMBER, ">= 3"),
        ("[1..4]", NUMBER, "[1..4]"),
        ("]1..4[", NUMBER, "(1..4)"),
        ("1, 2, [4..5)", NUMBER, "1, 2, [4..5)"),
        ("not(3, > 5)", NUMBER, "not(3, > 5)"),
        ("[1, [3..4]]", NUMBER, "1, [3..4]"),
        ("red, blu", COLOUR, "colour:red, colour:blue"),
        ('"red"', COLOUR, "colour:red"),
        ("not(rosso, verde)", COLOUR, "not(colour:red, colour:green)"),
        ("!= red", COLOUR, "!= colour:red"),
        ("[red, blue]", COLOUR, "one of [colour:red, colour:blue]"),
        ("order", COLOUR, "one of order()"),
        ("not(order)", COLOUR, "not(one of order())"),
        ("forum", optional(CARD), "card:forum"),
        ("solo.cards", CARD, "one of state.solo.cards"),
        ("yes", BOOLEAN, "true"),
        ("no", MODE, "switch MODE:NO"),
        ("null", optional(NUMBER), "null"),
        ("mars, null", optional(GOD), "deity:mars, null"),
        ("? > 3", NUMBER, "holds (tested > 3)"),
        ("? > 3 or ? = conflict", NUMBER, "holds ((tested > 3) or (tested = state.conflict?))"),
        ("count(?) > 1", ListType(NUMBER), "holds (count·(tested) > 1)"),
        ("> conflict", NUMBER, "> state.conflict"),
        ("[conflict..conflict + 2]", NUMBER, "[state.conflict..(state.conflict + 2)]"),
        ("conflict", NUMBER, "state.conflict?"),
        ("numbers", NUMBER, "one of state.numbers"),
        ("[1, 2]", ListType(NUMBER), "[1, 2]"),
        ("[[1], [2]]", ListType(NUMBER), "one of [[1], [2]]"),
        ('"a", "b"', TEXT, '"a", "b"'),
        ('@"2026-01-01"', NUMBER, None),
    ],
)
def test_lower_tests(text: str, subject: Type, checked: str | None) -> None:
    found = check_tests(text, subject)
    if checked is None:
        assert found.startswith("error[type-mismatch]")
    else:
        assert found == checked


@pytest.mark.parametrize(
    ("text", "subject", "message"),
    [
        (
            '>= "gold"', NUMBER,
            '[type-mismatch] at >= "gold": `>=` does not work on a number and a text',
        ),
        ('"a"', NUMBER, '[type-mismatch] at "a": `"a"` is a text, but `tested` is a number'),
        ("yes", COLOUR, "[type-mismatch] at yes: `yes` is a boolean, but `tested` is a colour"),
        ("gate", GOD, "[unknown-name] at gate: `gate` is a name of `deity`, but not one of `god`"),
        ("> red", COLOUR, "[not-ordered] at > red: `>` needs numbers, texts or times, but this is a colour"),
        (
            "god = mars", COLOUR,
            "[type-mismatch] at god = mars: `god = mars` is a boolean, but `tested` is a colour"
            " (a condition in this column reads the value as `?`)",
        ),
        ('["a".."b"]', NUMBER, '[type-mismatch] at ["a".."b"]: `..` does not work on a number and a text'),
        ("god", COLOUR, "[unrelated-vocabularies] at god: a name of `deity` can never equal"
                        " a name of `colour`"),
        ("numbers", COLOUR, "[type-mismatch] at numbers: `numbers` is a list of number,"
                            " but `tested` is a colour"),
    ],
)  # fmt: skip
def test_lower_tests__that_never_hold(text: str, subject: Type, message: str) -> None:
    found = check_tests(text, subject)
    assert found == "error" + message


@pytest.mark.parametrize(
    ("text", "checked"),
    [
        ("n in [1..3]", "n in ([1..3]) : boolean"),
        ("n in (1, > 5)", "n in (1, > 5) : boolean"),
        ("n in > 3", "n in (> 3) : boolean"),
        ("n in numbers", "n in (one of state.numbers) : boolean"),
        ("n between 1 and 3", "n in ([1..3]) : boolean"),
        ("not(n in [1..3])", "not(n in ([1..3])) : boolean"),
        ("forum in solo.cards", "card:forum in (one of state.solo.cards) : boolean"),
        ('"forum" in solo.cards', "card:forum in (one of state.solo.cards) : boolean"),
        ("1 in n", "1 in (n) : boolean"),
        (
            "t in [1..3]",
            "error[type-mismatch] at [1..3]: `..` does not work on a text and a whole number",
        ),
    ],
)
def test_in(text: str, checked: str) -> None:
    assert check_cell(text, None, scope(n=NUMBER, t=TEXT)).split("\n")[0] == checked
