"""reports/ holds what the workbooks print today."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.reports import BOOKS, REPORTS, index, languages, reports_of
from tests.support.thinned import swept

EDITIONS = [(book, language) for book in BOOKS for language in ("it", "en")]


@pytest.mark.parametrize(
    ("book", "language"), swept(EDITIONS), ids=lambda value: getattr(value, "stem", value)
)
def test_reports_are_fresh(book: Path, language: str) -> None:
    assert language in languages(book)
    made = reports_of(book, language)
    there = {path.name for path in REPORTS.glob(f"{book.stem}.{language}.*")}
    assert {file.name for file in made} == there, "`make reports` prints them again"
    for file in made:
        assert (REPORTS / file.name).read_bytes() == file.content, (
            f"{file.name}: `make reports` prints it again"
        )


def test_index_is_fresh() -> None:
    assert (REPORTS / "README.md").read_text(encoding="utf-8") == index(), "`make reports` writes it again"
