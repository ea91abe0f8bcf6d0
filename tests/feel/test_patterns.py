"""Regular expressions: categories beside the flag i, and repetitions of groups on longer texts."""

from __future__ import annotations

import pytest

from dtables.feel.errors import FeelError
from dtables.feel.functions.patterns import matches


@pytest.mark.parametrize(
    ("text", "pattern", "expected"),
    [
        ("x", r"\p{Lu}", False),
        ("X", r"\p{Lu}", True),
        ("x", r"[\p{Lu}]", False),
        ("x", r"[\p{Lu}a-z]", True),
        ("X", r"[\p{Ll}1]", False),
        ("X", r"[^\p{Ll}1]", True),
        ("x", r"[^\p{Ll}1]", False),
        ("O", "[A-Z-[OI]]", False),
        ("q", "[A-Z-[OI]]", True),
        ("\u212a", "k", True),
        ("Mum", r"([md])[aeiou]\1", True),
    ],
)
def test_matches__the_flag_i_leaves_categories_alone(text: str, pattern: str, expected: bool) -> None:
    """XPath and XQuery Functions and Operators, 5.6.2."""
    assert matches(text, pattern, "i") is expected


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("first.last-name@mail.some-company.example", r"^[\w.+-]+@([\w-]+\.)+[\w-]{2,}$"),
        ("1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12", r"^\d+(,\s*\d+)*$"),
        ("the quick brown fox jumps over the lazy dog", r"^(\w+\s)*\w+$"),
        ("192.168.100.200 and what else stands there", r"^(\d{1,3}\.){3}\d{1,3} "),
        ("jpgpngjpgpngjpgpngjpgpngjpgpngjpgpng", "^(jpg|png)+$"),
        ("aXbXcXdXeXfXgXhXiXjXkXlXmXnXoXpXqX", "^([a-w]X)*$"),
    ],
)
def test_matches__repeated_groups_in_which_each_character_has_its_place(text: str, pattern: str) -> None:
    assert matches(text, pattern, "")


@pytest.mark.parametrize(
    "pattern",
    ["^(a+)+$", "^(a|a?)+$", "^(a|aa)+$", "^(a?){30}a{30}$", "^(a*a*)*$", "^((a)(b?)a*)*$", r"^(\w\w?)*$"],
)
def test_matches__repeated_groups_that_match_in_many_ways_want_short_texts(pattern: str) -> None:
    assert matches("aaaa", pattern, "") in (True, False)
    with pytest.raises(FeelError, match="searches at most 24 characters"):
        matches("a" * 40 + "b", pattern, "")


@pytest.mark.parametrize("pattern", ["*a", "(*a)", "a|*b", "(+)"])
def test_matches__nothing_to_repeat(pattern: str) -> None:
    with pytest.raises(FeelError, match="is no regular expression"):
        matches("a", pattern, "")


@pytest.mark.parametrize(
    ("text", "pattern", "expected"),
    [
        (".", r"[\.-9]", True), ("5", r"[\.-9]", True), ("a", r"[\.-9]", False), ("-", r"[\--a]", True),
        ("]", r"[Z-\]]", True), ("[", r"[Z-\]]", True), ("\\", r"[Z-\\]", True), ("-", "[a-]", True),
        ("5", r"[\d-9]", None), ("5", r"[0-\d]", None), ("5", r"[\s-9]", None), ("t", r"[\n-\t]", None),
        ("b", r"[a-\]]", None), ("b", "[c-a]", None),
    ],
)  # fmt: skip
def test_ranges_of_a_class_have_single_characters_as_ends(
    text: str, pattern: str, expected: bool | None
) -> None:
    if expected is None:
        with pytest.raises(FeelError):
            matches(text, pattern, "")
    else:
        assert matches(text, pattern, "") is expected
