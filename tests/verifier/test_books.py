"""The workbooks that come with the project hold nothing to warn of."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtables.diagnostics import Severity, render
from dtables.ruleset import check

BOOKS = sorted((Path(__file__).parents[2] / "tables").glob("*.xlsx"))


@pytest.mark.parametrize("book", BOOKS, ids=lambda path: path.stem)
def test_nothing_to_warn_of(book: Path) -> None:
    found = [d for d in check(book).diagnostics if d.severity is not Severity.NOTE]
    assert not found, render(found)
