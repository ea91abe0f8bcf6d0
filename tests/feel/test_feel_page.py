"""docs/feel.md: every expression in its tables is worth what stands beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dtables.feel.syntax.parser import KnownNames, parse_tests
from tests.support.dmn_text import value_of

PAGE = (Path(__file__).parents[2] / "docs" / "feel.md").read_text(encoding="utf-8")
VALUES = re.findall(r"^\| `(.+?)` \| `(.+?)` \|$", PAGE, re.MULTILINE)
CELLS = re.findall(r"^\| `([^`]+)`(?: or nothing)? \| [^`].* \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_expression(text: str, value: str) -> None:
    assert value_of(text) == value_of(value)


@pytest.mark.parametrize("cell", CELLS)
def test_cell(cell: str) -> None:
    assert parse_tests(cell, KnownNames(["blue", "red", "even"]))[1] == ()


def test_page_has_its_tables() -> None:
    assert len(VALUES) > 25 and len(CELLS) == 7
