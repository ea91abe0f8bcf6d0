"""What is known of names is worked out once, and stays true."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtables.checker import check
from dtables.checker import symbols as lookup
from dtables.checker.symbols import Symbols
from dtables.workbook.cells import read_workbook

BOOKS = sorted((Path(__file__).parents[2] / "tables").glob("*.xlsx"))


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_all_declared__nothing_is_declared_later(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[tuple[Symbols, set[str]]] = []

    def note(symbols: Symbols) -> None:
        met.append((symbols, set(lookup._all_names(symbols))))

    monkeypatch.setattr(check, "all_declared", note)
    book, _ = read_workbook(path)
    assert book is not None and check.check_book(book)[0] is not None
    ((symbols, names),) = met
    assert set(lookup._all_names(symbols)) == names
