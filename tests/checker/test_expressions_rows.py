"""What the conditions of a row make sure of for its outcomes."""

from __future__ import annotations

import pytest

from dtables.feel.types import NUMBER, optional
from tests.checker.small_world import CARD, after, check_cell, scope

LOCAL = scope(n=optional(NUMBER), c=optional(CARD))


@pytest.mark.parametrize(
    ("column", "test", "outcome", "checked"),
    [
        ("n = null", "no", "n + 1", "(n + 1) : number"),
        ("n = null", "yes", "n + 1", "(n! + 1) : number"),
        ("n != null", "yes", "n + 1", "(n + 1) : number"),
        ("n = null", "-", "n + 1", "(n! + 1) : number"),
        ("n", "> 3", "n + 1", "(n + 1) : number"),
        ("n", "1, 2", "n + 1", "(n + 1) : number"),
        ("n", "1, null", "n + 1", "(n! + 1) : number"),
        ("n", "not(1)", "n + 1", "(n! + 1) : number"),
        ("c.points", ">= 1", "c.points + 1", "(c.points + 1) : whole number"),
        ("c.colour", "red", "c.points + 1", "(c.points + 1) : whole number"),
    ],
)
def test_present_if_passed(column: str, test: str, outcome: str, checked: str) -> None:
    assert check_cell(outcome, None, after(column, test, LOCAL)) == checked
